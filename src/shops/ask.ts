import type { Instant } from "../domain/shared/instant.ts";
import type { ShopFailure } from "../domain/shop/fetching.ts";
import { type Native, readJson } from "../domain/shop/native.ts";
import { type After, readAtMost, within } from "../platform/limits.ts";
import type { ShopAnswer } from "../platform/shop-api.ts";

export interface AskDeps {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly after: After;
  readonly now: () => Instant;
  /** Makes a call when its shop has room: two at once, and no more a second than its pace. */
  readonly inTurn: <T>(shopUrl: string, perSecond: number, call: () => Promise<T>) => Promise<T>;
  /** `Cuadre/1.0.0` */
  readonly userAgent: string;
}

export interface ShopCall {
  /** Base address of the shop: its calls share a pace. */
  readonly shopUrl: string;
  readonly perSecond: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST; a call without one is a GET. */
  readonly method?: "PUT" | "DELETE";
  /** JSON. */
  readonly body?: string;
  /** True if the body of a 404 is the platform's own message that it has no such document. */
  readonly isGone?: (said: Native) => boolean;
}

/** The body of an answer with the headers that lists need. */
export interface Told {
  readonly json: Native;
  readonly headers: Headers;
}

const ANSWER_WITHIN_MS = 20_000;
const ANSWER_LIMIT_BYTES = 4 * 1_048_576;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const LONGEST_WAIT_MS = 3_600_000;

export type Ask = (call: ShopCall) => Promise<ShopAnswer<Told>>;

/**
 * One call of a shop's API. It never throws, follows no redirect, and reads only so many bytes. While a shop
 * asks to be left alone no call of it is made.
 */
export function asking(deps: AskDeps): Ask {
  const quiet = new Map<string, Instant>();
  return async ({ shopUrl, perSecond, path, method, headers, body, isGone = () => false }) => {
    const init = {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...{ Accept: "application/json", "User-Agent": deps.userAgent },
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
    } as const;
    return deps.inTurn<ShopAnswer<Told>>(shopUrl, perSecond, async () => {
      const waitMs = (quiet.get(shopUrl) ?? 0) - deps.now();
      if (waitMs > 0) return { answer: "failed", cause: "rate_limited", waitMs };
      const answer = await within<ShopAnswer<Told>>(ANSWER_WITHIN_MS, deps.after, {
        ask: (signal) => answerOf(`${shopUrl}${path}`, { ...init, signal }, isGone, deps),
        late: () => ({ answer: "failed", cause: "timeout" }),
      });
      if (answer.answer === "failed" && answer.waitMs !== undefined) {
        quiet.set(shopUrl, deps.now() + answer.waitMs);
      }
      return answer;
    });
  };
}

/** The error of a broken call is not kept, because its text contains the address. */
async function answerOf(
  url: string,
  init: RequestInit,
  isGone: (said: Native) => boolean,
  { fetch, now }: AskDeps,
): Promise<ShopAnswer<Told>> {
  try {
    const response = await fetch(url, init).catch((broken) => repeated(broken, () => fetch(url, init), init));
    const failure = failureOf(response, now());
    const { body } = response;
    const read = body ? await readAtMost(body, { mostBytes: ANSWER_LIMIT_BYTES }) : undefined;
    const json = read?.bytes && readJson(new TextDecoder().decode(read.bytes));
    if (failure) return response.status === 404 && json && isGone(json) ? { answer: "gone" } : failure;
    if (read && !read.bytes) return { answer: "failed", cause: "too_large" };
    if (!json) return { answer: "failed", cause: "not_json" };
    return { answer: "given", value: { json, headers: response.headers } };
  } catch {
    return { answer: "failed", cause: "no_connection" };
  }
}

/**
 * A shop may close a kept connection at the moment of the next call, as Apache and Node do after five
 * seconds. A reading call is made once more, on a new connection.
 */
function repeated(broken: unknown, call: () => Promise<Response>, { method, signal }: RequestInit) {
  if (method !== "GET" || signal?.aborted) throw broken;
  return call();
}

function failureOf({ status, headers }: Response, now: Instant): ShopAnswer<Told> | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (REDIRECTS.has(status)) return { answer: "failed", cause: "redirected" };
  if (status === 401 || status === 403) return { answer: "refused" };
  const waitMs = waitIn(headers.get("Retry-After"), now);
  const cause = causeOf(status);
  return { answer: "failed", cause, ...(waitMs === undefined ? {} : { waitMs }) };
}

/** A wrong address or a shop under repair answers 404 too: only the platform's own message counts as gone. */
function causeOf(status: number): ShopFailure {
  if (status === 404 || status === 410) return "not_found";
  if (status === 429) return "rate_limited";
  return status >= 500 ? "server_error" : "client_error";
}

/** `Retry-After` in milliseconds, at most an hour: a mistake must not stop the orders for long. */
function waitIn(text: string | null, now: Instant): number | undefined {
  if (text === null) return undefined;
  const waitMs = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(waitMs) && waitMs > 0 ? Math.min(waitMs, LONGEST_WAIT_MS) : undefined;
}

/** The answer with its value changed; failures stay as they are. */
export function given<From, To>(
  answer: ShopAnswer<From>,
  to: (value: From) => ShopAnswer<To>,
): ShopAnswer<To> {
  return answer.answer === "given" ? to(answer.value) : answer;
}

export const UNEXPECTED: ShopAnswer<never> = { answer: "failed", cause: "unexpected" };

/**
 * An order that was answered with 404 is gone if the platform's own list, asked for its id, is empty. Any
 * other answer of the list leaves the order as it is.
 */
export async function goneIf<Value>(
  found: ShopAnswer<Value>,
  isListedEmpty: () => Promise<ShopAnswer<boolean>>,
): Promise<ShopAnswer<Value>> {
  if (found.answer !== "failed" || found.cause !== "not_found") return found;
  const listed = await isListedEmpty();
  if (listed.answer !== "given") return listed;
  return listed.value ? { answer: "gone" } : found;
}

export function answerWith<Value>(value: Value): ShopAnswer<Value> {
  return { answer: "given", value };
}

const CALLS_AT_ONCE = 2;

/** The pace of each shop, in the memory of the object that calls it. */
export function turns(deps: {
  readonly now: () => Instant;
  readonly sleep: (delayMs: number) => Promise<void>;
}): AskDeps["inTurn"] {
  const shops = new Map<string, { open: number; nextAt: Instant; readonly waiting: (() => void)[] }>();
  return async (shopUrl, perSecond, call) => {
    const shop = shops.get(shopUrl) ?? { open: 0, nextAt: 0, waiting: [] };
    shops.set(shopUrl, shop);
    while (shop.open >= CALLS_AT_ONCE) await new Promise<void>((resume) => shop.waiting.push(resume));
    shop.open += 1;
    try {
      const at = Math.max(deps.now(), shop.nextAt);
      shop.nextAt = at + Math.ceil(1_000 / perSecond);
      if (at > deps.now()) await deps.sleep(at - deps.now());
      return await call();
    } finally {
      shop.open -= 1;
      shop.waiting.shift()?.();
    }
  };
}

/** `Basic` of HTTP for credentials of ASCII. */
export function basic(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
