import type { Context, MiddlewareHandler, Next } from "hono";
import { connectionOfKey, hashOfKey } from "../domain/connection/api-key.ts";
import { BODY_BYTES } from "../domain/limits.ts";
import { invariant } from "../domain/shared/result.ts";
import type { Caller, ConnectorCalls } from "../ledger/rpc.ts";
import type { ErrorCode, Problem } from "../words/words.ts";
import type { AppEnv } from "./deps.ts";
import { refuse, refuseAtGate, refuseAuthentication } from "./refuse.ts";
import { parseExactly } from "./wire/json.ts";
import {
  type ApiQuery,
  apiQuery,
  LISTED_PARAMETERS,
  PARAMETERS,
  type ParameterName,
} from "./wire/parameters.ts";
import { type PlacedProblem, particularsOf, problemsOf } from "./wire/problems.ts";
import { bodyWithin, giveJson, readJson, tooLarge } from "./wire/request-body.ts";

/**
 * Proves the key before the request is read. Forged and refused keys end here: they reach no object or
 * database. The object checks a key that this isolate does not know; every call proves it again.
 */
export const apiKey: MiddlewareHandler<AppEnv> = async (c, next) => {
  const key = c.req.header("X-API-KEY") ?? "";
  const connectionId = connectionOfKey(key, c.get("deps").apiKeySecrets);
  if (connectionId === undefined) return refuseAuthentication(c);
  const [deps, requestId] = [c.get("deps"), c.get("requestId")];
  const caller = { connectionId, keyHash: hashOfKey(key), requestId };
  c.set("caller", caller);
  const status = deps.keys.statusOf(caller.keyHash, deps.now());
  if (status === "dead") return refuseAuthentication(c);
  if (status === "unknown") {
    const admitted = await deps.connection(connectionId).admit(caller);
    c.set("admissionTrips", admitted.d1Trips);
    if (admitted.outcome !== "admitted") return refuseAtGate(c, admitted);
  }
  return next();
};

/** The caller's connection and key; only on routes that need a key. */
export function callerOf(c: Context<AppEnv>): Caller {
  const caller = c.get("caller");
  invariant(caller, "the route stands behind the key");
  return caller;
}

/** One call of the caller's connection object; the log line counts its trips. */
export async function callObject<Outcome extends { readonly d1Trips: number }>(
  c: Context<AppEnv>,
  call: (calls: ConnectorCalls, caller: Caller) => Promise<Outcome>,
): Promise<Outcome> {
  const caller = callerOf(c);
  const outcome = await call(c.get("deps").connection(caller.connectionId), caller);
  c.set("d1Trips", outcome.d1Trips);
  return outcome;
}

/**
 * Reads the query of a route that needs a key. An unknown parameter may be a misspelt known one, so it is
 * refused: a misspelt preview must never issue.
 */
export function queryOf(parameters: readonly ParameterName[]): MiddlewareHandler<AppEnv> {
  const known = parameters.flatMap((parameter) => {
    const { name, in: place } = PARAMETERS[parameter];
    return place === "query" ? [name] : [];
  });
  return async (c, next) => {
    const sent = new URL(c.req.url).searchParams;
    const values = new Map(known.map((name) => [name, sent.getAll(name)]));
    const given = Object.fromEntries([...values].flatMap(([name, all]) => memberOf(name, all)));
    const read = apiQuery.safeParse(given);
    const problems = [
      ...strangeIn(sent, known),
      ...repeatedIn(values),
      ...problemsOf(read.error?.issues ?? [], given),
    ];
    if (read.success && problems.length === 0) {
      c.set("query", read.data);
      return next();
    }
    return refuse(c, "validation_failed", particularsOf(problems, c.get("language")));
  };
}

/** The parsed query; only on routes that need a key. */
export function queryIn(c: Context<AppEnv>): ApiQuery {
  const query = c.get("query");
  invariant(query, "the query of the route was read");
  return query;
}

function memberOf(name: string, given: readonly string[]): [string, unknown][] {
  const [first] = given;
  if (first === undefined) return [];
  return [[name, LISTED_PARAMETERS.includes(name) ? given : first]];
}

function strangeIn(sent: URLSearchParams, known: readonly string[]): PlacedProblem[] {
  const problem: Problem =
    known.length > 0
      ? { kind: "unknownParameter", facts: { allowed: known.join(", ") } }
      : { kind: "noParameters" };
  const names = new Set([...sent.keys()].filter((name) => !known.includes(name)));
  return [...names].map((name) => ({ path: [name], problem }));
}

function repeatedIn(values: ReadonlyMap<string, readonly string[]>): PlacedProblem[] {
  return [...values].flatMap(([name, given]) =>
    given.length > 1 && !LISTED_PARAMETERS.includes(name)
      ? [{ path: [name], problem: { kind: "repeatedParameter" } as const }]
      : [],
  );
}

const BOUND = {
  mostBytes: BODY_BYTES.api,
  // The most that Cloudflare lets through; without it the caller would decide how long reading lasts.
  drainedBytes: 100 * BODY_BYTES.api,
  isBehindProxy: false,
} as const;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/;
const CHARSET = /^charset\s*=\s*"?([^"]*)"?$/;

/** Reads the body once, exactly, and provides it to later calls of `c.req.json()`. */
export const exactJson: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { type, encoding } = declaredIn(c.req.raw.headers);
  if (!JSON_TYPE.test(type)) return refuse(c, "unsupported_media_type");
  if (encoding !== undefined) return refuse(c, "unsupported_encoding", { facts: { encoding } });
  const deps = c.get("deps");
  const { keyHash } = callerOf(c);
  const wait = deps.shapeless.waitOf(keyHash, deps.now());
  if (wait !== undefined) return refuse(c, "rate_limited", { retryAfterSeconds: wait });
  const { bytes, sizeBytes } = await bodyWithin(c.req.raw, BOUND);
  const answer = await answerTo(c, bytes, next);
  const errorCode = c.get("errorCode");
  if (errorCode && SHAPELESS.includes(errorCode)) deps.shapeless.count(keyHash, sizeBytes, deps.now());
  return answer;
};

/** Errors of a body that was read but not understood. */
const SHAPELESS: readonly ErrorCode[] = ["payload_too_large", "malformed_json", "validation_failed"];

async function answerTo(
  c: Context<AppEnv>,
  bytes: Uint8Array | undefined,
  next: Next,
): Promise<Response | undefined> {
  if (bytes === undefined)
    return refuse(c, "payload_too_large", tooLarge(BOUND.mostBytes, c.get("language")));
  const body = readJson(bytes, parseExactly);
  if ("fault" in body) return refuse(c, "malformed_json", { facts: { detail: body.fault } });
  giveJson(c.req, async () => body.tree);
  await next();
  return undefined;
}

interface Declared {
  readonly type: string;
  /** Set unless the body is plain UTF-8: a compression or a charset. */
  readonly encoding?: string;
}

function declaredIn(headers: Headers): Declared {
  const [type = "", ...parameters] = (headers.get("Content-Type") ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const compression = (headers.get("Content-Encoding") ?? "").trim().toLowerCase();
  if (compression !== "" && compression !== "identity") return { type, encoding: compression };
  const [, charset = "utf-8"] = parameters.map((each) => CHARSET.exec(each)).find((found) => found) ?? [];
  return /^utf-?8$/.test(charset) ? { type } : { type, encoding: charset };
}
