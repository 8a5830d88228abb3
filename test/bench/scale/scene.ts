/** A state with the product on it, and the way to ask it. */

import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ScaleState } from "../books/state.ts";
import { localVars, startWorker } from "../local-worker.ts";
import { type Facts, factsOf } from "./facts.ts";

/** The D1 trips and rows of one request. */
export interface Spent {
  readonly trips: number;
  readonly read: number;
  readonly written: number;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly tookMs: number;
  readonly spent: Spent;
}

export interface Asked {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly key?: string;
  readonly body?: object;
}

export interface Scene {
  readonly state: ScaleState;
  readonly facts: Facts;
  /** `isCounted`: reads without row counts from D1 are made twice, so their time means nothing. */
  ask(asked: Asked, isCounted?: boolean): Promise<Answer>;
  stop(): Promise<void>;
}

export interface SceneOptions {
  readonly port: number;
  readonly authorityUrl: string;
}

export async function openScene(state: ScaleState, { port, authorityUrl }: SceneOptions): Promise<Scene> {
  const facts = factsOf(state);
  const url = `http://127.0.0.1:${port}`;
  const vars = {
    ...{ CALLBACKS_TO_LOOPBACK: "1", CONSOLE_URL: url, API_URL: url },
    ...{ AEAT_TRANSPORT: "sandbox", AEAT_BASE_URL: authorityUrl, SUBMISSION_PACE: PACE },
  };
  const worker = await startWorker({
    ...{
      config: "wrangler.toml",
      entry: "test/bench/scale/worker.ts",
      withOwner: true,
      port,
      hush: /forgotten/,
    },
    ...{ state: join(state.dir, "wrangler"), vars: { ...localVars(state.dir), ...vars } },
  });
  const cookie = await signIn(url, state);
  const ask = async ({ method, path, key, body }: Asked, isCounted = false): Promise<Answer> => {
    const startedAt = performance.now();
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(key === undefined ? { Cookie: cookie, Origin: url } : { "X-API-KEY": key }),
        ...(isCounted ? { "X-Count-Rows": "1" } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const tookMs = performance.now() - startedAt;
    const spent: Spent = JSON.parse(response.headers.get("X-D1") ?? '{"trips":0,"read":0,"written":0}');
    return { status: response.status, text, tookMs, spent };
  };
  return { state, facts, ask, stop: worker.stop };
}

/** Nothing waits for the clock. */
const PACE = JSON.stringify({ initialWaitSeconds: 0, backOffMs: [1_000], stoppedRetryMs: 1_000 });
const SIGN_INS = 5;

async function signIn(url: string, { owner }: ScaleState): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: url },
      body: JSON.stringify(owner),
    });
    const cookies = response.headers.getSetCookie().map((set) => set.split(";")[0]);
    if (response.ok && cookies.length > 0) return cookies.join("; ");
    if (tries === SIGN_INS) throw new Error(`no sign-in: ${response.status} ${await response.text()}`);
    await delay(1_000);
  }
}
