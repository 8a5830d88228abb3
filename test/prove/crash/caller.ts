/** Calls that are made until they are answered, however often the other side dies. */
import { setTimeout as delay } from "node:timers/promises";
import type { Demo } from "../local-product.ts";
import { type Body, type Call, DONE, memberOf, type Told } from "./call.ts";

/** Long, because a caller that leaves during a request may end the local server's proxy. */
const TIME_LIMIT_MS = 180_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** Later than this a call counts as never answered. */
const GIVEN_UP_MS = 1_800_000;

export interface Caller {
  /** Every answer, in the order in which they came. */
  readonly told: readonly Told[];
  /** How often it was sent beyond the first time, by what came instead of an answer. */
  readonly unanswered: Readonly<Record<string, number>>;
  /** How often a call had to be made again because it was too early for it. */
  readonly early: number;
  until(call: Call): Promise<Told>;
}

export interface Session {
  readonly demo: Pick<Demo, "api_url" | "console_url" | "connections">;
  /** Of the stand-in shops. */
  readonly shopsUrl: string;
  /** The session of the console. */
  readonly cookie: string;
}

export interface Outside {
  fetch(url: URL, init: RequestInit): Promise<Response>;
  pause(milliseconds: number): Promise<unknown>;
}

const THE_NETWORK: Outside = { fetch: (url, init) => fetch(url, init), pause: (ms) => delay(ms) };

export function callerOf(session: Session, outside = THE_NETWORK): Caller {
  const told: Told[] = [];
  const unanswered: Record<string, number> = {};
  let clock = 0;
  let early = 0;
  const data = new Map<string, unknown>();
  return {
    told,
    unanswered,
    get early() {
      return early;
    },
    async until(call) {
      clock += 1;
      const began = clock;
      const filled = fill(call, (id) => data.get(id));
      const deadline = Date.now() + GIVEN_UP_MS;
      for (let tries = 1; ; tries += 1) {
        const answer = answerIn(await send(session, filled, outside));
        if (answer.code !== undefined && isAwaited(call, answer)) {
          clock += 1;
          const { status, code } = answer;
          const one: Told = { call: filled, status, code, data: answer.data, tries, began, ended: clock };
          told.push(one);
          data.set(call.id, answer.data);
          return one;
        }
        if (answer.code === undefined) unanswered[answer.instead] = (unanswered[answer.instead] ?? 0) + 1;
        else early += 1;
        if (Date.now() > deadline) throw new Error(`${call.id} is never answered: ${JSON.stringify(answer)}`);
        const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
        await outside.pause(Math.max(pauseMs, answer.retryAfterMs ?? 0));
      }
    },
  };
}

/** It is the answer that the call waits for. */
function isAwaited({ awaits = [], awaitsState }: Call, answer: Extract<Answer, { readonly code: string }>) {
  if (awaits.includes(answer.code)) return false;
  if (!awaitsState || answer.code !== DONE) return true;
  const [outer, member, ...states] = awaitsState;
  return states.includes(String(memberOf(memberOf(answer.data, outer), member)));
}

type Answer = { readonly retryAfterMs?: number } & (
  | { readonly code: string; readonly status: number; readonly data: unknown }
  | { readonly code?: undefined; readonly instead: string }
);

/** Values of an earlier answer replace their names in path and body. */
function fill({ from, ...call }: Call, dataOf: (call: string) => unknown): Call {
  if (!from) return call;
  const data = dataOf(from.call);
  const path = from.path === undefined ? call.path : call.path.replace("{}", textIn(data, from.path));
  const body = Object.entries(from.body ?? {}).map(([name, member]) => [name, memberAt(data, member)]);
  return { ...call, path, ...(call.body ? { body: { ...call.body, ...Object.fromEntries(body) } } : {}) };
}

/** `backfill.version` is a member of a member. */
function memberAt(data: unknown, path: string): unknown {
  return path.split(".").reduce(memberOf, data);
}

function textIn(data: unknown, name: string): string {
  const text = memberOf(data, name);
  // Without an earlier value, as while access is off, the page does not exist.
  return typeof text === "string" ? text : "/v/none";
}

interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

type Side = readonly [url: string, headers: Readonly<Record<string, string>>];

function placeOf(
  path: string,
  delivery: Call["delivery"],
  sides: Readonly<Record<"owner" | "api" | "shops" | "delivery", Side>>,
): Side {
  if (delivery) return sides.delivery;
  if (path.startsWith("/api/accounts/")) return sides.owner;
  return path.includes("/_sandbox/") ? sides.shops : sides.api;
}

/** Undefined where no answer has come, or not the whole of it. */
async function send(
  { demo, cookie, shopsUrl }: Session,
  { method, path, body, connection, delivery }: Call,
  outside: Outside,
): Promise<Received | undefined> {
  const text = delivery?.text ?? (body && JSON.stringify(body));
  const [base, headers] = placeOf(path, delivery, {
    owner: [demo.console_url, { Cookie: cookie, Origin: demo.console_url }],
    api: [demo.api_url, { "X-API-KEY": demo.connections[connection]?.key ?? "" }],
    shops: [shopsUrl, {}],
    delivery: [demo.api_url, delivery?.headers ?? {}],
  });
  try {
    const response = await outside.fetch(new URL(path, base), {
      method,
      headers: { ...headers, ...(text === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(text === undefined ? {} : { body: text }),
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    return undefined;
  }
}

/** The proxy in front of the product answers in its own form while the product is down. */
export const NOT_OURS = "without an answer of the product";

const PAGES: Readonly<Record<number, string>> = { 200: DONE, 404: "gone", 410: "gone" };

/** Only the product's own answer counts; the proxy in front of it answers differently. */
function answerIn(received: Received | undefined): Answer {
  if (!received) return { instead: "no answer" };
  const { status, headers, text } = received;
  const retryAfterMs = 1_000 * Number(headers.get("Retry-After") ?? 0);
  if (headers.get("Content-Type")?.startsWith("text/html") && headers.has("X-Robots-Tag")) {
    const code = PAGES[status];
    if (code !== undefined) return { code, status, data: text, retryAfterMs };
  }
  const answer = parsed(text);
  const code = codeIn(answer);
  if (code === undefined) return { instead: `${status} ${NOT_OURS}`, retryAfterMs };
  if (status >= 500) return { instead: `${status} ${code}`, retryAfterMs };
  return { code, status, data: answer?.data, retryAfterMs };
}

function codeIn(answer: Body | undefined): string | undefined {
  if (answer?.success === true) return DONE;
  // The control of the stand-in shops has its own form.
  if (answer?.put !== undefined || answer?.misbehaving !== undefined) return DONE;
  return typeof answer?.error_code === "string" ? answer.error_code : undefined;
}

function parsed(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Body) : undefined;
  } catch {
    return undefined;
  }
}

/** The demo's owner, signed in to the console. */
export async function signIn(demo: Demo): Promise<string> {
  const response = await fetch(`${demo.console_url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: demo.console_url },
    body: JSON.stringify(demo.owner),
  });
  if (!response.ok) throw new Error(`signing in answered ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.slice(0, cookie.indexOf(";")))
    .join("; ");
}
