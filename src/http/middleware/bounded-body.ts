import type { Context, MiddlewareHandler } from "hono";
import { bodyWithin } from "../request-body.ts";

/** What is still taken in of a body that is refused. */
const MOST_DRAINED_BYTES = 4_194_304;

/** Reads the body of a request up to a bound: more is refused before anything is computed from it. */
export function boundedBody(
  mostBytesOf: (c: Context) => number,
  // biome-ignore lint/suspicious/noExplicitAny: of whichever app it stands in
  refuseBody: (c: Context<any>, mostBytes: number) => Response,
): MiddlewareHandler {
  return async (c, next) => {
    if (!c.req.raw.body) return next();
    const mostBytes = mostBytesOf(c);
    const bound = { mostBytes, drainedBytes: MOST_DRAINED_BYTES, isBehindProxy: true };
    const { bytes } = await bodyWithin(c.req.raw, bound);
    if (bytes === undefined) return refuseBody(c, mostBytes);
    c.req.raw = new Request(c.req.raw, { body: bytes });
    return next();
  };
}
