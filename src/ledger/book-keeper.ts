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
import { recentIds } from "./recent-ids.ts";
import { Unavailable } from "./unavailable.ts";
import { withoutValues } from "./without-values.ts";

/** `lost`: no answer came, and now it is certain that the batch is in what was read or never will be. */
export type SettledCommit =
  | { readonly result: CommitResult }
  | { readonly result: "lost"; readonly invoices: readonly StoredInvoice[] };

/** What a change of the gate takes away. */
export type Taking = (gate: Gate) => Gate;

/** Counts round trips to D1: the queue has one for all that it serves, a read beside it its own. */
export interface Tally {
  trips: number;
}

export interface KeeperDeps {
  readonly store: LedgerStore;
  /** Rejects when the promise has not settled in time; the call itself goes on, D1 cannot cancel. */
  readonly withDeadline: <T>(call: Promise<T>) => Promise<T>;
  /** Rings for an operator; facts are never a person's data. */
  readonly alarm: (what: string, facts: Readonly<Record<string, string>>) => void;
}

const LOADS = 5;
const REMEMBERED = 2_000;

/**
 * What the object remembers of its connection, and the only one who talks to the store. The memory is a copy:
 * it moves only after a commit is known, and is forgotten whenever it may be behind.
 */
export class BookKeeper {
  readonly served: Tally = { trips: 0 };
  readonly #deps: KeeperDeps;
  #books: Books | undefined;
  #gate: Gate | undefined;
  readonly #takings = new Set<Taking>();
  /** Raised when a change of the gate has ended or was closed: a load under way then is repeated. */
  #gateChanges = 0;
  /** A batch got no answer and may still land; nothing is decided or remembered before it is closed. */
  #isLost = false;
  /** external_ids known to exist: a repeat is read at once instead of failing a batch. */
  readonly #recent = recentIds(REMEMBERED);

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
  }

  get books(): Books | undefined {
    return this.#books;
  }

  /** Without what is just being taken away, so that this holds whenever the gate was read. */
  get gate(): Gate | undefined {
    return this.#gate && this.#afterTakings(this.#gate);
  }

  remembers(externalId: string): boolean {
    return this.#recent.has(externalId);
  }

  forget(): void {
    this.#books = undefined;
  }

  /** Takes something away from the gate at once, until the answer is called: D1 is told meanwhile. */
  take(taking: Taking): () => void {
    this.#takings.add(taking);
    return () => this.#takings.delete(taking);
  }

  /** The cold load. It closes a lost batch first; an unknown connection has no keys and so admits nobody. */
  async load(externalIds: readonly string[]): Promise<readonly StoredInvoice[]> {
    const loaded = await this.#loadGate(externalIds, this.#isLost, this.served);
    if (this.#isLost) this.#gateChanges += 1;
    this.#isLost = false;
    this.#gate = loaded.gate;
    this.#books = loaded.books;
    this.#remember(loaded.invoices);
    return loaded.invoices;
  }

  /** A read beside the queue. It keeps a gate that is certain, never the heads: a commit may be in flight. */
  async read(
    externalId: string,
    tally: Tally,
  ): Promise<{ readonly gate: Gate; readonly invoices: readonly StoredInvoice[] }> {
    const { gate } = this;
    if (gate) return { gate, invoices: (await this.find([externalId], tally)).invoices };
    const loaded = await this.#loadGate([externalId], false, tally);
    if (!this.#isLost) this.#gate = loaded.gate;
    return { gate: this.#afterTakings(loaded.gate), invoices: loaded.invoices };
  }

  async find(externalIds: readonly string[], tally = this.served): Promise<FindResult> {
    const found = await this.#read(() => this.#deps.store.find(externalIds), tally);
    this.#remember(found.invoices);
    return found;
  }

  /** One fenced batch. The memory becomes `next` only when it is committed. */
  async commit(batch: IssueBatch, next: Books, externalIds: readonly string[]): Promise<SettledCommit> {
    const settled = await this.#settleBatch(externalIds, () => this.#deps.store.commit(batch));
    if (settled.result === "committed") {
      this.#books = next;
      for (const invoice of batch.invoices) this.#recent.add(invoice.view.externalId);
    }
    return settled;
  }

  /** A fenced change of gate or settings. Whatever comes of it, the memory is forgotten. */
  async change(write: (fence: Fence) => Promise<CommitResult>): Promise<"committed" | "retry"> {
    try {
      if (!this.#books) await this.load([]);
      const books = this.#books;
      if (!books) throw new Unavailable("unknown_connection");
      if (books.frozen) throw new Unavailable("account_frozen");
      const fence = { seq: books.seq + 1, settings: books.settings };
      const settled = await this.#settleBatch([], () => write(fence));
      return settled.result === "committed" ? "committed" : "retry";
    } finally {
      this.#gateChanges += 1;
      this.#books = undefined;
      this.#gate = undefined;
    }
  }

  async #settleBatch(
    externalIds: readonly string[],
    send: () => Promise<CommitResult>,
  ): Promise<SettledCommit> {
    let result: CommitResult;
    try {
      result = await this.#call(send, this.served);
    } catch {
      this.forget();
      this.#isLost = true;
      return { result: "lost", invoices: await this.load(externalIds) };
    }
    if (result !== "committed" && result !== "exists") this.forget();
    return { result };
  }

  /** Fence, then read; never read, then trust: only a fence passed keeps a lost batch out for good. */
  async #loadGate(externalIds: readonly string[], closing: boolean, tally: Tally): Promise<Loaded> {
    for (let loads = 0; loads < LOADS; loads++) {
      const changes = this.#gateChanges;
      const loaded = await this.#read(() => this.#deps.store.load({ externalIds, closing }), tally);
      if (changes === this.#gateChanges) return loadedOf(loaded);
    }
    throw new Unavailable("gate_changing");
  }

  async #read<T>(send: () => Promise<T>, tally: Tally): Promise<T> {
    try {
      return await this.#call(send, tally);
    } catch {
      throw new Unavailable("d1");
    }
  }

  async #call<T>(send: () => Promise<T>, tally: Tally): Promise<T> {
    tally.trips += 1;
    try {
      return await this.#deps.withDeadline(send());
    } catch (error) {
      this.#deps.alarm("d1_failed", { error: withoutValues(error) });
      throw error;
    }
  }

  #afterTakings(gate: Gate): Gate {
    return [...this.#takings].reduce((left, taking) => taking(left), gate);
  }

  #remember(invoices: readonly StoredInvoice[]): void {
    for (const invoice of invoices) this.#recent.add(invoice.view.externalId);
  }
}

interface Loaded {
  readonly gate: Gate;
  readonly books: Books | undefined;
  readonly invoices: readonly StoredInvoice[];
}

function loadedOf(loaded: LoadResult): Loaded {
  if (loaded.result === "frozen") throw new Unavailable("account_frozen");
  if (loaded.result === "loaded") return { ...loaded, gate: loaded.books.gate };
  return { gate: { keyHashes: [], rateLimit: 0 }, books: undefined, invoices: [] };
}
