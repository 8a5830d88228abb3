export type After = (delayMs: number, callback: () => void) => () => void;

interface Exchange<T> {
  readonly ask: (signal: AbortSignal) => Promise<T>;
  /** The result of the exchange if its time is over. */
  readonly late: () => T;
}

/** The limit covers the whole exchange, so a slowly arriving body is given up too. */
export async function within<T>(limitMs: number, after: After, exchange: Exchange<T>): Promise<T> {
  const controller = new AbortController();
  let stop = () => {};
  const late = new Promise<T>((answer) => {
    stop = after(limitMs, () => {
      answer(exchange.late());
      controller.abort();
    });
  });
  try {
    return await Promise.race([exchange.ask(controller.signal), late]);
  } finally {
    stop();
  }
}

/** D1 gets this long for a call; after that its outcome counts as unknown. */
export const D1_DEADLINE_MS = 8_000;

/** D1 cannot cancel: a call given up goes on, and its result is discarded. */
export async function withDeadline<T>(
  call: Promise<T>,
  deadlineMs: number,
  after: (delayMs: number, callback: () => void) => () => void,
): Promise<T> {
  let stop = () => {};
  const late = new Promise<never>((_, reject) => {
    stop = after(deadlineMs, () => reject(new Error("no answer in time")));
  });
  call.catch(() => undefined);
  try {
    return await Promise.race([call, late]);
  } finally {
    stop();
  }
}

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
