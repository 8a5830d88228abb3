import type { Facts } from "../../domain/shared/fact.ts";
import { type ReadBound, type ReadBytes, readAtMost } from "../../platform/read-at-most.ts";
import { errorSentence, type Language } from "../../words/words.ts";
import type { ErrorParticulars } from "./json-response.ts";

export interface BodyBound extends Required<ReadBound> {
  /** Reads a body also if its declared length is too large, because a proxy in front waits for that. */
  readonly isBehindProxy: boolean;
}

/**
 * The body of a request; its declared length is checked first. Bytes above the limit are read and dropped:
 * workerd takes an unfinished body for a lost connection, and fails the next request.
 */
export async function bodyWithin(request: Request, bound: BodyBound): Promise<ReadBytes> {
  const { body, headers } = request;
  const { mostBytes, drainedBytes, isBehindProxy } = bound;
  const isToldTooLarge = Number(headers.get("Content-Length") ?? 0) > mostBytes;
  if (isToldTooLarge && !isBehindProxy) return { sizeBytes: 0 };
  const read = body ? await readAtMost(body, { mostBytes, drainedBytes }) : { bytes: NONE, sizeBytes: 0 };
  return isToldTooLarge ? { sizeBytes: read.sizeBytes } : read;
}

const NONE = new Uint8Array();

/** The limit of the route, for the refusal. */
export function tooLarge(mostBytes: number, language: Language): ErrorParticulars {
  const facts: Facts = { limit: { phrase: "bytes", count: { amount: String(mostBytes) } } };
  const message = errorSentence("payload_too_large", facts, language);
  return { facts, details: [{ path: "", code: "payload_too_large", message }] };
}
