export type After = (delayMs: number, callback: () => void) => () => void;

export interface Exchange<T> {
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
