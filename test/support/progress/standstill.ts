import { PATIENCE_OF_A_START_MS, type Told } from "./progress.ts";

export interface StandstillDeps {
  readonly now: () => number;
  readonly print: (line: string) => void;
  /** Ends the command. */
  readonly giveUp: (why: string) => void;
}

const PATIENCE_MS = 60_000;
const LINE_EACH_MS = 10_000;
/** A longer pause between two looks means that the machine slept, which is not the command's fault. */
const ASLEEP_MS = 30_000;

interface Step {
  readonly name: string;
  readonly total: number;
  readonly patienceMs: number;
  readonly begunAt: number;
  done: number;
}

/** Prints how far a command is, and gives it up when nothing has moved for its patience. */
export class Standstill {
  readonly #deps: StandstillDeps;
  #step: Step;
  #movedAt: number;
  #printedAt: number;
  #lookedAt: number;

  constructor(name: string, deps: StandstillDeps) {
    this.#deps = deps;
    const now = deps.now();
    // Until the first step the command loads its modules.
    this.#step = { name, total: 0, patienceMs: PATIENCE_OF_A_START_MS, begunAt: now, done: 0 };
    [this.#movedAt, this.#printedAt, this.#lookedAt] = [now, now, now];
  }

  hear(told: Told): void {
    const now = this.#deps.now();
    if ("begins" in told) {
      const { begins: name, total = 0, patienceMs = PATIENCE_MS } = told;
      this.#step = { name, total, patienceMs, begunAt: now, done: 0 };
      this.#movedAt = now;
      this.#print(now);
    } else if ("done" in told) {
      if (told.done === this.#step.done) return;
      this.#step.done = told.done;
    } else if (!("goesOn" in told)) {
      return;
    }
    this.#movedAt = now;
  }

  /** Once a second. */
  look(): void {
    const now = this.#deps.now();
    if (now - this.#lookedAt > ASLEEP_MS) this.#movedAt = now;
    this.#lookedAt = now;
    const stillMs = now - this.#movedAt;
    const { name, patienceMs } = this.#step;
    if (stillMs >= patienceMs) {
      this.#deps.giveUp(
        `${this.#place()}: nothing has moved for ${seconds(stillMs)}, so ${name} is given up`,
      );
    } else if (now - this.#printedAt >= LINE_EACH_MS) {
      this.#print(now);
    }
  }

  #print(now: number): void {
    this.#printedAt = now;
    const stillMs = now - this.#movedAt;
    const still = stillMs >= 2 * LINE_EACH_MS ? `, nothing has moved for ${seconds(stillMs)}` : "";
    this.#deps.print(`${this.#place()}${this.#left(now)}${still}`);
  }

  #place(): string {
    const { name, done, total } = this.#step;
    if (total > 0) return `${name}: ${done} of ${total}`;
    return done > 0 ? `${name}: ${done}` : name;
  }

  /** By the pace since the step began. */
  #left(now: number): string {
    const { done, total, begunAt } = this.#step;
    const tookMs = now - begunAt;
    if (done === 0 || tookMs === 0) return tookMs > 0 ? `, since ${seconds(tookMs)}` : "";
    if (total === 0) return `, since ${seconds(tookMs)}`;
    return done < total ? `, ${seconds(((total - done) * tookMs) / done)} left` : "";
  }
}

function seconds(ms: number): string {
  const whole = Math.max(1, Math.round(ms / 1_000));
  return whole < 120 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}
