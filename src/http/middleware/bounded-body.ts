import type { Context, MiddlewareHandler } from "hono";

/** What is still taken in of a body that is refused, and thrown away. */
const MOST_DRAINED_BYTES = 4_194_304;

/**
 * Reads the body of a request up to a bound, its stated length first: more is refused before anything is
 * computed from it. What comes behind is thrown away, because a proxy in front may wait until it is taken.
 */
export function boundedBody(
  mostBytes: (c: Context) => number,
  // biome-ignore lint/suspicious/noExplicitAny: of whichever app it stands in
  refuseBody: (c: Context<any>) => Response,
): MiddlewareHandler {
  return async (c, next) => {
    const { body } = c.req.raw;
    if (!body) return next();
    const most = mostBytes(c);
    const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
    const stated = Number(c.req.header("Content-Length") ?? 0);
    const read = stated > most ? undefined : await bytesWithin(reader, most);
    if (read === undefined) {
      await drain(reader);
      return refuseBody(c);
    }
    c.req.raw = new Request(c.req.raw, { body: read });
    return next();
  };
}

/** Undefined where there are more. */
async function bytesWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > most) return undefined;
    chunks.push(next.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let size = 0;
  while (size <= MOST_DRAINED_BYTES) {
    const { done, value } = await reader.read();
    if (done) return;
    size += value.byteLength;
  }
  await reader.cancel();
}
