import { type CallResult, resultOfAnswer } from "../domain/callback/delivery.ts";
import { signedHeaders } from "../domain/callback/message.ts";
import { type After, readAtMost, within } from "../platform/limits.ts";
import type { SendMessage } from "./callback/deliver-callback.ts";

export interface SenderDeps {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly after: After;
  /** `Cuadre/1.0.0` */
  readonly userAgent: string;
}

const ANSWER_WITHIN_MS = 10_000;
const ANSWER_LIMIT_BYTES = 64 * 1024;

/**
 * Calls customers' servers. POST, because it starts work: a cache may answer a GET, and a GET has no body to
 * sign. Addresses, secrets and responses are never logged.
 */
export function messageSender({ fetch, after, userAgent }: SenderDeps): SendMessage {
  return async (message) => {
    const headers = {
      ...signedHeaders(message),
      "Content-Type": "application/json",
      "User-Agent": userAgent,
    };
    const init = { method: "POST", headers, body: message.body, redirect: "manual" } as const;
    let result: CallResult = { outcome: { outcome: "failed", cause: "timeout" } };
    return within(ANSWER_WITHIN_MS, after, {
      ask: async (signal) => {
        const response = await answerOf(() => fetch(message.url, { ...init, signal }));
        if (!response) return { outcome: { outcome: "failed", cause: "no_connection" } };
        result = resultOfAnswer(response.status, response.headers.get("Retry-After"), message.at);
        await readToEnd(response.body);
        return result;
      },
      late: () => result,
    });
  };
}

/** The cause is dropped: the error text contains the address. */
async function answerOf(ask: () => Promise<Response>): Promise<Response | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}

/**
 * The status is the answer. The rest is read, within the limits, because many a shop stops in the middle of
 * its work when the caller hangs up.
 */
async function readToEnd(body: ReadableStream<Uint8Array> | null): Promise<void> {
  try {
    if (body) await readAtMost(body, { mostBytes: ANSWER_LIMIT_BYTES });
  } catch {
    // A connection that breaks now takes nothing back.
  }
}
