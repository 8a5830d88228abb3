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
