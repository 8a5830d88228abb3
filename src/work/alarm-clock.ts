import type { Instant } from "../domain/shared/instant.ts";
import { LIMITS } from "../domain/verifactu/aeat-lists.ts";

export interface AlarmClockDeps {
  readonly now: () => Instant;
  /** Sets the alarm of the object, unless it is set for earlier. */
  readonly wakeAt: (at: Instant) => Promise<void>;
}

/** The result of one run of due work, for later alarms. */
export interface QuietPeriod {
  /** New records change nothing before. */
  readonly until: Instant;
  /** Records that wait, but would not, were they a full message. */
  readonly unsent: number;
}

const NO_LULL: QuietPeriod = { until: 0, unsent: 0 };

/** Far from every clock. */
export const FOR_EVER: Instant = Number.MAX_SAFE_INTEGER;

/** Wait one second, so that records issued together go in one message. */
const GATHER_MS = 1_000;

/**
 * Decides when the object is woken for the work that its batches create. It remembers quiet periods only to
 * save alarms; if it forgets, one extra alarm fires.
 */
export class AlarmClock {
  readonly #deps: AlarmClockDeps;
  /** The number of alarms that fired. */
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
      // An alarm has fired meanwhile, and may have read before the batch was written.
      if (runs !== this.#runs) await this.#arm();
    }
  }

  /**
   * Runs the alarm and answers when to run next. The platform repeats an interrupted alarm, so none is set
   * during the run.
   */
  async run(
    work: () => Promise<{ readonly nextRunAt: Instant | undefined; readonly quietPeriod: QuietPeriod }>,
  ): Promise<Instant | undefined> {
    this.#runs += 1;
    this.#isRunning = true;
    this.#hasNews = false;
    this.#lull = NO_LULL;
    try {
      const { nextRunAt, quietPeriod } = await work();
      this.#lull = { until: quietPeriod.until, unsent: this.#lull.unsent + quietPeriod.unsent };
      const newWorkAt = this.#hasNews ? this.#next() : FOR_EVER;
      const next = Math.min(nextRunAt ?? FOR_EVER, newWorkAt);
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
