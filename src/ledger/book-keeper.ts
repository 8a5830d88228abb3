import { assertNever } from "../domain/shared/result.ts";
import type {
  Books,
  CommitResult,
  Fence,
  FindResult,
  Gate,
  IssueBatch,
  LedgerStore,
  LoadResult,
  StoredInvoice,
} from "../usecases/ports.ts";

/** The ledger cannot be had now: nothing was answered that a retry would contradict. */
export class Unavailable extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`ledger unavailable: ${reason}`);
    this.reason = reason;
  }
}

/** `lost`: no answer came, and it is now certain that the batch is either in what was read or never will be. */
export type SettledCommit =
  | { readonly result: Exclude<CommitResult, "committed"> | "committed" }
  | { readonly result: "lost"; readonly invoices: readonly StoredInvoice[] };

export interface KeeperDeps {
  readonly store: LedgerStore;
  /** Rejects when the promise has not settled in time; the call itself goes on, D1 cannot cancel. */
  readonly withDeadline: <T>(call: Promise<T>) => Promise<T>;
  /** Rings for an operator; facts are never a person's data. */
  readonly alarm: (what: string, facts: Readonly<Record<string, string>>) => void;
}

const CLOSINGS = 5;
const REMEMBERED = 2_000;

/**
 * What the object remembers of its connection, and the only one who talks to the store. The memory is a copy: it
 * moves only after a commit is known, and is forgotten whenever it may be behind.
 */
export class BookKeeper {
  readonly #deps: KeeperDeps;
  #books: Books | undefined;
  #gate: Gate | undefined;
  /** Raised when a change of the gate begins: a load that was under way then is thrown away and repeated. */
  #gateChanges = 0;
  /** Number of a batch that may still land; nothing is decided before it is closed. */
  #lostSeq: number | undefined;
  /** external_ids known to exist: a repeat is read at once instead of failing a batch. */
  readonly #remembered = new Set<string>();
  #trips = 0;

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
  }

  get trips(): number {
    return this.#trips;
  }

  get books(): Books | undefined {
    return this.#books;
  }

  get gate(): Gate | undefined {
    return this.#gate;
  }

  remembers(externalId: string): boolean {
    return this.#remembered.has(externalId);
  }

  forget(): void {
    this.#books = undefined;
  }

  /** The cold load. It closes a lost batch first; an unknown connection has no keys and so admits nobody. */
  async load(externalIds: readonly string[]): Promise<readonly StoredInvoice[]> {
    const loaded = await this.#loadGate(() =>
      this.#lostSeq === undefined ? this.#load(externalIds) : this.#close(externalIds, this.#lostSeq),
    );
    if (!loaded) return [];
    this.#books = loaded.books;
    this.#remember(loaded.invoices);
    return loaded.invoices;
  }

  /** For reads beside the queue: the gate is kept, the heads are not, because a commit may be in flight. */
  async loadForRead(externalIds: readonly string[]): Promise<readonly StoredInvoice[]> {
    const loaded = await this.#loadGate(() => this.#load(externalIds));
    return loaded?.invoices ?? [];
  }

  async find(externalIds: readonly string[]): Promise<FindResult> {
    const found = await this.#call(() => this.#deps.store.find(externalIds));
    this.#remember(found.invoices);
    return found;
  }

  /** One fenced batch. The memory becomes `next` only when it is committed. */
  async commit(batch: IssueBatch, next: Books, externalIds: readonly string[]): Promise<SettledCommit> {
    const settled = await this.#settleBatch(batch.seq, externalIds, () => this.#deps.store.commit(batch));
    if (settled.result === "committed") {
      this.#books = next;
      for (const invoice of batch.invoices) this.#rememberOne(invoice.view.externalId);
    }
    return settled;
  }

  /**
   * A fenced change of gate or settings. What it takes away is taken from memory first, what it grants is granted
   * by the next load: a failed or unknown write forgets the memory.
   */
  async change(
    write: (fence: Fence) => Promise<CommitResult>,
    taken?: (gate: Gate) => Gate,
  ): Promise<"committed" | "retry"> {
    this.#gateChanges += 1;
    if (!this.#books) await this.load([]);
    const books = this.#books;
    if (!books) throw new Unavailable("unknown_connection");
    if (taken && this.#gate) this.#gate = taken(this.#gate);
    const settled = await this.#settleBatch(books.seq + 1, [], () =>
      write({ seq: books.seq + 1, settings: books.settings }),
    );
    this.#gateChanges += 1;
    this.#books = undefined;
    this.#gate = undefined;
    return settled.result === "committed" ? "committed" : "retry";
  }

  async #settleBatch(
    seq: number,
    externalIds: readonly string[],
    send: () => Promise<CommitResult>,
  ): Promise<SettledCommit> {
    let result: CommitResult;
    try {
      result = await this.#call(send);
    } catch {
      this.forget();
      this.#lostSeq = seq;
      return { result: "lost", invoices: await this.load(externalIds) };
    }
    if (result !== "committed" && result !== "exists") this.forget();
    return { result };
  }

  async #loadGate(load: () => Promise<LoadResult>): Promise<Extract<LoadResult, { result: "loaded" }> | undefined> {
    for (let tries = 0; tries < CLOSINGS; tries++) {
      const changes = this.#gateChanges;
      const loaded = await load();
      if (changes !== this.#gateChanges) continue;
      switch (loaded.result) {
        case "loaded":
          this.#gate = loaded.books.gate;
          return loaded;
        case "unknown_connection":
          this.#gate = { keyHashes: [], rateLimit: 0 };
          return undefined;
        case "stale_head":
          throw new Unavailable("contended");
        default:
          return assertNever(loaded);
      }
    }
    throw new Unavailable("gate_changing");
  }

  async #load(externalIds: readonly string[]): Promise<LoadResult> {
    try {
      return await this.#call(() => this.#deps.store.load({ externalIds }));
    } catch {
      throw new Unavailable("d1");
    }
  }

  /** Fence, then read; never read, then trust: only a fence that succeeds keeps the lost batch out for good. */
  async #close(externalIds: readonly string[], lostSeq: number): Promise<LoadResult> {
    let closeWith = lostSeq;
    for (let tries = 0; tries < CLOSINGS; tries++) {
      let closed: LoadResult;
      try {
        closed = await this.#call(() => this.#deps.store.load({ externalIds, closeWith }));
      } catch {
        throw new Unavailable("d1");
      }
      if (closed.result !== "stale_head") {
        this.#lostSeq = undefined;
        return closed;
      }
      const landed = await this.#load(externalIds);
      if (landed.result === "loaded") closeWith = landed.books.seq + 1;
    }
    throw new Unavailable("contended");
  }

  async #call<T>(send: () => Promise<T>): Promise<T> {
    this.#trips += 1;
    try {
      return await this.#deps.withDeadline(send());
    } catch (error) {
      this.#deps.alarm("d1_failed", { error: withoutValues(error) });
      throw error;
    }
  }

  #remember(invoices: readonly StoredInvoice[]): void {
    for (const invoice of invoices) this.#rememberOne(invoice.view.externalId);
  }

  #rememberOne(externalId: string): void {
    if (this.#remembered.size >= REMEMBERED) {
      const [oldest] = this.#remembered;
      if (oldest !== undefined) this.#remembered.delete(oldest);
    }
    this.#remembered.add(externalId);
  }
}

/** Drizzle appends the parameters of a query to its message, and they are people's data: only the cause is told. */
function withoutValues(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const told = error.cause instanceof Error ? error.cause : error;
  return told.message.startsWith("Failed query") ? "failed query" : told.message.slice(0, 200);
}
