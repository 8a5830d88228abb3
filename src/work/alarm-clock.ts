import type { Instant } from "../domain/shared/instant.ts";
import { LIMITS } from "../domain/verifactu/aeat-lists.ts";

export interface AlarmClockDeps {
  readonly now: () => Instant;
  /** Sets the alarm of the object, unless it is set for earlier. */
  readonly wakeAt: (at: Instant) => Promise<void>;
}

/** What one run of due work found. */
export interface Lull {
  /** New records change nothing before. */
  readonly until: Instant;
  /** Records that wait, but would not, were they a full message. */
  readonly unsent: number;
}

const NO_LULL: Lull = { until: 0, unsent: 0 };

/** Far from every clock. */
export const FOR_EVER: Instant = Number.MAX_SAFE_INTEGER;

/** Records that come together leave together; nobody notices the second. */
const GATHER_MS = 1_000;

/**
 * When the object is woken for what its batches leave to be done. It remembers how long nothing can be done,
 * only to spare needless alarms: forgotten, one alarm comes too many.
 */
export class AlarmClock {
  readonly #deps: AlarmClockDeps;
  /** Alarms that went off. */
  #runs = 0;
  #isRunning = false;
  /** Batches were sent while a run was under way, which may have looked before they were there. */
  #hasNews = false;
  #lull = NO_LULL;

  constructor(deps: AlarmClockDeps) {
    this.#deps = deps;
  }

  /** Armed before the batch that creates the work: nothing that is due is ever without an alarm. */
  async around<T>(records: number, send: () => Promise<T>): Promise<T> {
    const runs = this.#runs;
    this.#lull = { ...this.#lull, unsent: this.#lull.unsent + records };
    await this.#arm();
    try {
      return await send();
    } finally {
      // The alarm has gone off meanwhile, and may have looked before the batch was there.
      if (runs !== this.#runs) await this.#arm();
    }
  }

  /**
   * One run of the alarm, and when to come again. An alarm that is interrupted is given again, so that none
   * need be set while it runs.
   */
  async run(
    work: () => Promise<{ readonly again: Instant | undefined; readonly lull: Lull }>,
  ): Promise<Instant | undefined> {
    this.#runs += 1;
    this.#isRunning = true;
    this.#hasNews = false;
    this.#lull = NO_LULL;
    try {
      const { again, lull } = await work();
      this.#lull = { until: lull.until, unsent: this.#lull.unsent + lull.unsent };
      const news = this.#hasNews ? this.#next() : FOR_EVER;
      const next = Math.min(again ?? FOR_EVER, news);
      return next === FOR_EVER ? undefined : next;
    } finally {
      this.#isRunning = false;
    }
  }

  async #arm(): Promise<void> {
    this.#hasNews = this.#isRunning;
    const at = this.#next();
    if (!this.#isRunning && at !== FOR_EVER) await this.#deps.wakeAt(at);
  }

  #next(): Instant {
    const soon = this.#deps.now() + GATHER_MS;
    const { until, unsent } = this.#lull;
    // A full message does not wait for its time (art. 16.2).
    const isFull = until !== FOR_EVER && unsent >= LIMITS.recordsPerMessage;
    return isFull ? soon : Math.max(soon, until);
  }
}
