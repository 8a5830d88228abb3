export interface ManualTimers {
  after(delayMs: number, callback: () => void): () => void;
  /** Runs the callbacks due within that time, in the order in which they began. */
  elapse(delayMs: number): void;
}

/** Timers that run out when the test says so. */
export function manualTimers(): ManualTimers {
  const waiting = new Set<{ readonly delayMs: number; readonly callback: () => void }>();
  return {
    after(delayMs, callback) {
      const timer = { delayMs, callback };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
    elapse(delayMs) {
      for (const timer of [...waiting].filter((one) => one.delayMs <= delayMs)) {
        waiting.delete(timer);
        timer.callback();
      }
    },
  };
}
