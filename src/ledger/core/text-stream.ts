const encoder = new TextEncoder();

/** What a reader without a buffer of its own is handed at a time. */
const CHUNK_BYTES = 65_536;

/**
 * Texts as a stream of bytes that makes the next one only when it is asked for, so that whoever reads slowly
 * slows the reading of the database. A text that cannot be had breaks the stream: it never ends as if whole.
 */
export function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const source: UnderlyingByteSource = {
    type: "bytes",
    autoAllocateChunkSize: CHUNK_BYTES,
    async pull(controller) {
      for (;;) {
        const { done, value } = await texts.next();
        if (done) {
          controller.close();
          // A reader that brought its own buffer waits until it is given back.
          controller.byobRequest?.respond(0);
          return;
        }
        if (value === "") continue;
        controller.enqueue(encoder.encode(value));
        return;
      }
    },
    async cancel() {
      await texts.return(undefined);
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
