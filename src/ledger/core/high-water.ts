import type { LedgerState } from "../../db/ledger-state.ts";
import { Unavailable } from "../../db/store-calls.ts";

/** The last committed position of a connection: the end of its newest chain. */
export interface HighWater {
  /** Ordinal of the chain's installation. */
  readonly installation: number;
  readonly position: number;
  readonly hash: string;
}

/** The object's own note of it, outside the database. */
export interface HighWaterMark {
  read(): Promise<HighWater | undefined>;
  /**
   * No caller waits for it: if the note is lost with its instance, the next read of the books writes it
   * again.
   */
  raise(to: HighWater): void;
}

/** For a ledger without a Durable Object. */
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
  /** Alerts an operator; the facts never hold personal data. */
  readonly alertOperator: (what: string, facts: Readonly<Record<string, string>>) => void;
}

/**
 * Compares what was read from the database with what the object has noted. After a restore to an earlier
 * moment the database lags, and numbers would be given twice.
 */
export class HighWaterLine {
  readonly #deps: HighWaterDeps;
  #known: HighWater | undefined;
  #isAboveBooks = false;

  constructor(deps: HighWaterDeps) {
    this.#deps = deps;
  }

  /** More was committed than the last books read contain. */
  get isAboveBooks(): boolean {
    return this.#isAboveBooks;
  }

  /** If the database does not know the connection, nothing may ever have been committed for it. */
  async demandNothingKnown(): Promise<void> {
    await this.compare(undefined);
    if (this.#isAboveBooks) throw Unavailable.behind();
  }

  /** True if the note is read now, and has more than the books that were read before it. */
  async isNewsFor(books: LedgerState | undefined): Promise<boolean> {
    if (this.#known) return false;
    this.#known = await this.#read();
    return this.#known !== undefined && isBehind(books, this.#known);
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
    this.#deps.alertOperator("ledger_behind", {
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

/** A newer installation begins its own chain, so the old mark does not apply to it. */
export function isBehind(books: LedgerState | undefined, known: HighWater): boolean {
  const opened = books?.settings.installation?.ordinal ?? 0;
  if (opened !== known.installation) return opened < known.installation;
  const end = books && highWaterOf(books);
  if (!end || end.position < known.position) return true;
  return end.position === known.position && end.hash !== known.hash;
}
