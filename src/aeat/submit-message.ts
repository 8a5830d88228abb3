import type { Transport } from "../db/submission/submission-ports.ts";
import type { TransportOutcome } from "../domain/verifactu/submission/transport.ts";
import { readAtMost } from "../platform/read-at-most.ts";
import { type After, within } from "../platform/within.ts";

export interface TransportDeps {
  /** The certificate's binding in production: it authenticates the issuer. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly after: After;
  readonly timeLimitMs: number;
  /** `Cuadre/1.0.0` */
  readonly userAgent: string;
  readonly answerLimitBytes?: number;
}

/** A thousand lines with the longest texts that the schema admits stay below. */
export const ANSWER_LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * One POST, one outcome. Redirects are not followed: after a refused certificate they lead to a page with
 * status 200.
 */
export function aeatTransport(deps: TransportDeps): Transport {
  const { fetch, after, timeLimitMs, userAgent, answerLimitBytes = ANSWER_LIMIT_BYTES } = deps;
  const headers = {
    "Content-Type": "text/xml; charset=utf-8",
    // The WSDL declares an empty action, and SOAP 1.1 wants it quoted.
    SOAPAction: '""',
    Accept: "text/xml",
    "User-Agent": userAgent,
  };
  return {
    submit: (bytes, endpoint, limitMs = timeLimitMs) =>
      within<TransportOutcome>(Math.min(limitMs, timeLimitMs), after, {
        ask: async (signal) => {
          const init = {
            method: "POST",
            headers,
            body: new Uint8Array(bytes),
            redirect: "manual",
            signal,
          } as const;
          const response = await responseOf(() => fetch(endpoint, init));
          return response ? readResponse(response, answerLimitBytes) : { outcome: "no_connection" };
        },
        late: () => ({ outcome: "timeout" }),
      }),
  };
}

/** The cause is not reported: no runtime distinguishes a refused from a broken connection reliably. */
async function responseOf(ask: () => Promise<Response>): Promise<Response | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}

async function readResponse(response: Response, limitBytes: number): Promise<TransportOutcome> {
  const { status, headers, body } = response;
  try {
    const { bytes } = body ? await readAtMost(body, { mostBytes: limitBytes }) : { bytes: new Uint8Array() };
    if (bytes === undefined) return { outcome: "too_large", status };
    const contentType = headers.get("Content-Type") ?? "";
    const seconds = /^\d{1,9}$/.exec(headers.get("Retry-After") ?? "")?.[0];
    const retry = seconds === undefined ? {} : { retryAfterSeconds: Number(seconds) };
    return { outcome: "answered", status, contentType, bytes, ...retry };
  } catch {
    return { outcome: "interrupted", status };
  }
}
