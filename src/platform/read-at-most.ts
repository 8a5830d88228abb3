export interface ReadBound {
  readonly mostBytes: number;
  /** The bytes of a longer stream that are still read and dropped before reading stops. */
  readonly drainedBytes?: number;
}

export interface ReadBytes {
  /** Undefined if the stream is longer than allowed. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** The bytes read in total. */
  readonly sizeBytes: number;
}

/** All bytes of a stream up to a limit: of a longer stream nothing is kept. */
export async function readAtMost(
  stream: ReadableStream<Uint8Array>,
  { mostBytes, drainedBytes = 0 }: ReadBound,
): Promise<ReadBytes> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes <= mostBytes) chunks.push(chunk);
    else chunks.length = 0;
    // Leaving the loop cancels the stream.
    if (sizeBytes > mostBytes + drainedBytes) break;
  }
  return sizeBytes > mostBytes ? { sizeBytes } : { bytes: joined(chunks, sizeBytes), sizeBytes };
}

function joined(chunks: readonly Uint8Array[], sizeBytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
