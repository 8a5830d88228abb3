/** One clock and one queue of events for everything that happens in a history. */
import { createHash } from "node:crypto";
import type { Chance } from "./chance.ts";
import { countRealWork, settled } from "./real-work.ts";

interface Event {
  readonly at: number;
  /** Drawn, so that events of one instant come in any order. */
  readonly turn: number;
  readonly what: string;
  readonly act: () => void;
}

/**
 * Events run one at a time. Between two events every promise that can go on has gone on: nothing in a history
 * waits for the machine.
 */
export class Scheduler {
  now: number;
  events = 0;
  /** Looks in before each event, for faults at any moment. */
  beforeEvent: () => void = () => {};
  readonly #chance: Chance;
  readonly #waiting = new Set<Event>();
  readonly #trace = createHash("sha256");
  readonly #lines: string[] | undefined;

  constructor(startsAt: number, chance: Chance, keepsLines = false) {
    countRealWork();
    this.now = startsAt;
    this.#chance = chance;
    this.#lines = keepsLines ? [] : undefined;
  }

  /** Returns a function that takes the event back. */
  after(delayMs: number, what: string, act: () => void): () => void {
    const event = { at: this.now + Math.max(0, delayMs), turn: this.#chance.fraction(), what, act };
    this.#waiting.add(event);
    return () => this.#waiting.delete(event);
  }

  sleep(delayMs: number, what: string): Promise<void> {
    return new Promise((resume) => this.after(delayMs, what, resume));
  }

  note(line: string): void {
    this.#trace.update(line).update("\n");
    this.#lines?.push(`${new Date(this.now).toISOString()} ${line}`);
  }

  /** Runs events until the condition holds; false if none is left, or if the instant is reached first. */
  async runUntil(isReached: () => boolean, until = Number.POSITIVE_INFINITY): Promise<boolean> {
    await settled();
    while (!isReached()) {
      const next = this.#next();
      if (!next || next.at > until) {
        if (until !== Number.POSITIVE_INFINITY) this.now = Math.max(this.now, until);
        return false;
      }
      this.#waiting.delete(next);
      this.now = Math.max(this.now, next.at);
      this.events += 1;
      this.note(`${this.now} ${next.what}`);
      this.beforeEvent();
      next.act();
      await settled();
    }
    return true;
  }

  runFor(delayMs: number): Promise<boolean> {
    return this.runUntil(() => false, this.now + delayMs);
  }

  /** The hash of all that has happened: equal for two runs of one seed. */
  traceHash(): string {
    return this.#trace.copy().digest("hex").slice(0, 16);
  }

  lines(): readonly string[] {
    return this.#lines ?? [];
  }

  #next(): Event | undefined {
    let next: Event | undefined;
    for (const event of this.#waiting) {
      if (!next || event.at < next.at || (event.at === next.at && event.turn < next.turn)) next = event;
    }
    return next;
  }
}
