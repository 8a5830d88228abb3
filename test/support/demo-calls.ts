/** What a shop or a program sends to the product of the browser suite. */
import { setTimeout as delay } from "node:timers/promises";
import type { Demo } from "./local-server.ts";

const PATIENCE_MS = 60_000;

/**
 * Wrangler's proxy ends now and then, and says so in plain text or not at all. Every call is idempotent, so that the
 * same one is sent again until the product itself answers.
 */
export async function callDemo(
  { api_url: url }: Demo,
  key: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly ok: boolean; readonly data: Record<string, unknown> }> {
  const headers = { "Content-Type": "application/json", "X-API-KEY": key };
  const sent = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const answer = await fetch(url + path, sent).catch(() => undefined);
    if (answer?.headers.get("Content-Type")?.startsWith("application/json")) {
      const { data } = Object(await answer.json());
      return { status: answer.status, ok: answer.ok, data: Object(data) };
    }
    await answer?.body?.cancel();
    await delay(100);
  }
  throw new Error(`${url}${path} does not answer`);
}
