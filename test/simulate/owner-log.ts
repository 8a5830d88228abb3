/** What owners have changed, and what follows from it. */
import type { Scheduler } from "./scheduler.ts";

/** The consents and cutoffs that an owner has tried to set, and the withdrawals. */
export class Consents {
  readonly #cutoffs = new Map<string, string[]>();
  /** For connections without a consent since an acknowledged withdrawal: the origins of that moment. */
  readonly #issuedBefore = new Map<string, readonly string[]>();
  readonly #open = new Map<string, number>();
  readonly #begun = new Map<string, number>();

  /** A consent or a cutoff may be in force from here on. */
  begins(connectionId: string, cutoff: string): { readonly ends: () => void } {
    this.#cutoffs.set(connectionId, [...this.cutoffsOf(connectionId), cutoff]);
    this.#issuedBefore.delete(connectionId);
    this.#add(this.#begun, connectionId, 1);
    this.#add(this.#open, connectionId, 1);
    return { ends: () => this.#add(this.#open, connectionId, -1) };
  }

  /** What comes after it counts, if no consent was on its way: also one without an answer can land no more. */
  withdraws(connectionId: string): { readonly isDone: (origins: readonly string[]) => void } {
    const begun = this.#begun.get(connectionId);
    const isAlone = (this.#open.get(connectionId) ?? 0) === 0;
    return {
      isDone: (origins) => {
        const isLast = isAlone && begun === this.#begun.get(connectionId);
        if (isLast && !this.#issuedBefore.has(connectionId)) this.#issuedBefore.set(connectionId, origins);
      },
    };
  }

  cutoffsOf(connectionId: string): readonly string[] {
    return this.#cutoffs.get(connectionId) ?? [];
  }

  /** Undefined where there may be a consent. */
  issuedBefore(connectionId: string): readonly string[] | undefined {
    return this.#issuedBefore.get(connectionId);
  }

  #add(counts: Map<string, number>, connectionId: string, by: number): void {
    counts.set(connectionId, (counts.get(connectionId) ?? 0) + by);
  }
}

/** The company moves: from that moment every new invoice names the new place. */
export interface Move {
  readonly city: string;
  /** The last record of each connection before it. */
  readonly after: ReadonlyMap<string, number>;
}

interface EndOfAccess {
  readonly connectionId: string;
  readonly beganAt: number;
  isDone: boolean;
}

/** When customers' access was switched off. */
export class AccessLog {
  readonly #scheduler: Scheduler;
  readonly #ends: EndOfAccess[] = [];

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  begins(connectionId: string, isOn: boolean): { readonly isDone: () => void } {
    if (isOn) return { isDone: () => {} };
    const end = { connectionId, beganAt: this.#scheduler.now, isDone: false };
    this.#ends.push(end);
    return {
      isDone: () => {
        end.isDone = true;
      },
    };
  }

  /** It was switched off, which the owner knows, after a URL was made. */
  hasEndedSince(connectionId: string, madeAt: number): boolean {
    return this.#ends.some((end) => end.connectionId === connectionId && end.isDone && end.beganAt >= madeAt);
  }
}

/** The last thing that an owner was told is done, where nothing else about it was under way. */
export class LastWords {
  readonly #done = new Map<string, string>();
  readonly #open = new Map<string, number>();
  readonly #begun = new Map<string, number>();

  /** `ends` when its caller has an answer, or has given up: what it left on its way may land, but not after a later word. */
  begins(about: string, word: string): { readonly ends: (isDone: boolean) => void } {
    this.#done.delete(about);
    const isAlone = (this.#open.get(about) ?? 0) === 0;
    const nth = (this.#begun.get(about) ?? 0) + 1;
    this.#begun.set(about, nth);
    this.#open.set(about, (this.#open.get(about) ?? 0) + 1);
    return {
      ends: (isDone) => {
        this.#open.set(about, (this.#open.get(about) ?? 0) - 1);
        if (isDone && isAlone && this.#begun.get(about) === nth) this.#done.set(about, word);
      },
    };
  }

  of(about: string): string | undefined {
    return this.#done.get(about);
  }
}
