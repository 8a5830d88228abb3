import type { LedgerState } from "../../db/ledger-state.ts";
import { Unavailable } from "./unavailable.ts";

/** How far the books of a connection are known to have come: the end of its newest chain. */
export interface HighWater {
  /** Ordinal of the installation whose chain it is. */
  readonly installation: number;
  readonly position: number;
  readonly hash: string;
}

/** The object's own note of it, outside of the database. */
export interface HighWaterMark {
  read(): Promise<HighWater | undefined>;
  /** Nobody waits for it: a note that is lost with its instance is made again when the books are read. */
  raise(to: HighWater): void;
}

/** For books that no object keeps. */
export function markInMemory(noted?: HighWater): HighWaterMark {
  let known = noted;
  return {
    read: async () => known,
    raise(to) {
      known = to;
    },
  };
}

export interface HighWaterDeps {
  readonly mark: HighWaterMark;
  /** Rings for an operator; facts are never a person's data. */
  readonly alarm: (what: string, facts: Readonly<Record<string, string>>) => void;
}

/**
 * Holds what was read of the database against what the object has noted of it. A database that is behind, as
 * after a restore to an earlier moment, would have numbers given again.
 */
export class HighWaterLine {
  readonly #deps: HighWaterDeps;
  #known: HighWater | undefined;
  #isAboveBooks = false;

  constructor(deps: HighWaterDeps) {
    this.#deps = deps;
  }

  /** More has been committed than the books that were read last hold. */
  get isAboveBooks(): boolean {
    return this.#isAboveBooks;
  }

  /** A connection that the database does not know is lost where anything was ever committed for it. */
  async demandNothingKnown(): Promise<void> {
    await this.compare(undefined);
    if (this.#isAboveBooks) throw Unavailable.behind();
  }

  async compare(books: LedgerState | undefined): Promise<void> {
    this.#known ??= await this.#read();
    const known = this.#known;
    const wasAbove = this.#isAboveBooks;
    this.#isAboveBooks = known !== undefined && isBehind(books, known);
    if (!this.#isAboveBooks) this.raise(books);
    else if (!wasAbove) this.#ring(books, known);
  }

  raise(books: LedgerState | undefined): void {
    const end = books && highWaterOf(books);
    if (!end || end.hash === this.#known?.hash) return;
    this.#known = end;
    this.#deps.mark.raise(end);
  }

  async #read(): Promise<HighWater | undefined> {
    try {
      return await this.#deps.mark.read();
    } catch {
      throw new Unavailable("object_storage");
    }
  }

  #ring(books: LedgerState | undefined, known: HighWater | undefined): void {
    this.#deps.alarm("ledger_behind", {
      installation: String(known?.installation),
      committed: String(known?.position),
      found: String(books?.chain?.position ?? 0),
    });
  }
}

export function highWaterOf({ settings: { installation }, chain }: LedgerState): HighWater | undefined {
  if (!installation || !chain) return undefined;
  return { installation: installation.ordinal, position: chain.position, hash: chain.hash };
}

/** A newer installation begins a chain of its own, so it is behind nothing. */
export function isBehind(books: LedgerState | undefined, known: HighWater): boolean {
  const opened = books?.settings.installation?.ordinal ?? 0;
  if (opened !== known.installation) return opened < known.installation;
  const end = books && highWaterOf(books);
  if (!end || end.position < known.position) return true;
  return end.position === known.position && end.hash !== known.hash;
}
