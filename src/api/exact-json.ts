import type { Context, MiddlewareHandler, Next } from "hono";
import { BODY_BYTES } from "../domain/limits.ts";
import type { ErrorCode } from "../words/words.ts";
import type { AppEnv } from "./deps.ts";
import { parseExactly } from "./exact-number.ts";
import { callerOf } from "./middleware/api-key.ts";
import { refuse } from "./refuse.ts";
import { giveJson, readJson } from "./wire/json-body.ts";
import { bodyWithin, tooLarge } from "./wire/request-body.ts";

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
  const { deps } = c.var;
  const { keyHash } = callerOf(c);
  const wait = deps.shapeless.waitOf(keyHash, deps.now());
  if (wait !== undefined) return refuse(c, "rate_limited", { retryAfterSeconds: wait });
  const { bytes, sizeBytes } = await bodyWithin(c.req.raw, BOUND);
  const answer = await answerTo(c, bytes, next);
  const { errorCode } = c.var;
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
  if (bytes === undefined) return refuse(c, "payload_too_large", tooLarge(BOUND.mostBytes, c.var.language));
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
