import type { Context, MiddlewareHandler } from "hono";
import type { Bilingual } from "../../words/words.ts";
import { giveJson, readJson } from "./json-body.ts";
import { bodyWithin } from "./request-body.ts";

/** The most that is still read of a refused body. */
const MOST_DRAINED_BYTES = 4_194_304;

export interface BodyVariables {
  /** Why the body is not valid JSON for us; set once a handler asks for it. */
  readonly jsonFault: Bilingual | undefined;
}

/** Reads a request body up to a limit: a larger one is refused before any work is done on it. */
export function boundedBody(
  mostBytesOf: (c: Context) => number,
  // biome-ignore lint/suspicious/noExplicitAny: of whichever app it stands in
  refuseBody: (c: Context<any>, mostBytes: number) => Response,
): MiddlewareHandler<{ Variables: BodyVariables }> {
  return async (c, next) => {
    if (!c.req.raw.body) return next();
    const mostBytes = mostBytesOf(c);
    const bound = { mostBytes, drainedBytes: MOST_DRAINED_BYTES, isBehindProxy: true };
    const { bytes } = await bodyWithin(c.req.raw, bound);
    if (bytes === undefined) return refuseBody(c, mostBytes);
    c.req.raw = new Request(c.req.raw, { body: bytes });
    giveJson(c.req, async () => {
      const read = readJson(bytes, JSON.parse);
      if ("tree" in read) return read.tree;
      c.set("jsonFault", read.fault);
      throw new SyntaxError("the body is no JSON of ours");
    });
    return next();
  };
}
