export interface ReadBound {
  readonly mostBytes: number;
  /** How much of a longer stream is still taken in and thrown away before it is given up. */
  readonly drainedBytes?: number;
}

export interface ReadBytes {
  /** Undefined where there are more than may be. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** As much as was read. */
  readonly sizeBytes: number;
}

/** All bytes of a stream, up to a bound: of a longer one nothing is kept. */
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
