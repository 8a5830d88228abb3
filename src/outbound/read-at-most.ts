/** All bytes of a stream; undefined, and the stream is given up, when there are more. */
export async function readAtMost(
  stream: ReadableStream<Uint8Array>,
  limitBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    sizeBytes += chunk.length;
    // Leaving the loop cancels the stream.
    if (sizeBytes > limitBytes) return undefined;
    chunks.push(chunk);
  }
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
