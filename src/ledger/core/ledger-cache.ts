import type { InvoiceListQuery } from "../../db/invoices/listed-invoices.ts";
import {
  type AdmissionFacts,
  type CommitResult,
  type DeliveryQuery,
  type DueOrders,
  type DueWorkFound,
  type ErasureQuery,
  type ErasureReading,
  type Fence,
  type FindResult,
  type InvoiceLookup,
  type InvoicesFound,
  type IssueBatch,
  type LedgerState,
  type LoadRequest,
  type LoadResult,
  NO_ORDERS,
  NO_SHOPFRONT,
  type OrdersFound,
  type OrdersQuery,
  type OrdersRead,
  type OwnerReading,
  type RecordResult,
  type ShopBatch,
  type ShopStatus,
  type StoredInvoice,
} from "../../db/ledger-state.ts";
import type { LedgerStore } from "../../db/ledger-store.ts";
import type { OrderListQuery } from "../../db/orders/changed-orders.ts";
import {
  type StoreCalls,
  type StoreCallsDeps,
  storeCalls,
  type TripCounter,
  Unavailable,
} from "../../db/store-calls.ts";
import { UNGUIDED } from "../../domain/connection/setup.ts";
import type { AlarmClock } from "../../work/alarm-clock.ts";
import type { Revocation } from "../verbs/verb.ts";
import { type HighWaterDeps, HighWaterLine } from "./high-water.ts";

interface Loaded {
  readonly admission: AdmissionFacts;
  readonly books: LedgerState | undefined;
  readonly found: Found;
}

type Found = OrdersRead & InvoicesFound;

/** `lost`: no answer came. The batch is now certainly in what was read, or will never be committed. */
type Lost = { readonly result: "lost"; readonly found: Found };
type SettledCommit = { readonly result: CommitResult } | Lost;

export interface InvoiceReading extends Pick<FindResult, "invoices" | "look"> {
  readonly admission: AdmissionFacts;
}

export interface OrderReading {
  readonly admission: AdmissionFacts;
  readonly found: OrdersRead & Pick<FindResult, "look">;
}

export interface ShopStatusReading {
  readonly admission: AdmissionFacts;
  /** Undefined if the connection was never opened. */
  readonly status: ShopStatus | undefined;
}

/** A connection that was never opened has no key, so that no call is admitted. */
const NOBODY: AdmissionFacts = {
  keyHashes: [],
  rateLimit: 0,
  sendsTests: false,
  connectionKind: "",
  setup: UNGUIDED,
  access: { isOn: false, epoch: 0 },
  originsBeingRemoved: [],
  refusedOrigins: [],
};

const NOTHING_FOUND: Found = {
  orders: [],
  erased: [],
  retiredOrigins: [],
  numbered: [],
  invoices: [],
  rates: [],
  statuses: {},
  issued: [],
  shopfront: NO_SHOPFRONT,
};

/** Invoices without any order. */
export function onlyInvoices(lookup: InvoiceLookup): LoadRequest {
  return { ...lookup, orders: NO_ORDERS };
}

function loadedOf(loaded: LoadResult): Loaded {
  if (loaded.result === "frozen") throw Unavailable.frozen();
  if (loaded.result !== "loaded") return { admission: NOBODY, books: undefined, found: NOTHING_FOUND };
  const { result: _, books, ...found } = loaded;
  return { admission: books.admission, books, found };
}

/** The ids that were added last; above the limit the oldest is forgotten. */
interface RecentIds {
  add(id: string): void;
  has(id: string): boolean;
}

function recentIds(count: number): RecentIds {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add(id) {
      // Deleting and adding makes it the youngest: a Set keeps the order of insertion.
      ids.delete(id);
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > count && oldest !== undefined) ids.delete(oldest);
    },
  };
}

export interface LedgerCacheDeps extends StoreCallsDeps, HighWaterDeps {
  readonly store: LedgerStore;
  /** Sets the alarm around a batch that leaves due work. */
  readonly clock: AlarmClock;
}

const LOADS = 5;
const NOTHING_ELSE = onlyInvoices({ origins: [] });
const REMEMBERED = 2_000;

/**
 * The object's memory of its connection; no other code calls the store. The memory is a copy. It changes only
 * after a known commit, and is forgotten when it may be older than the database.
 */
export class LedgerCache {
  readonly served: TripCounter = { trips: 0 };
  readonly #store: LedgerStore;
  readonly #calls: StoreCalls;
  readonly #clock: AlarmClock;
  readonly #highWater: HighWaterLine;
  #books: LedgerState | undefined;
  #admission: AdmissionFacts | undefined;
  readonly #pendingRevocations = new Set<Revocation>();
  /** Raised when a change of these facts has ended or was closed: a load in progress is then repeated. */
  #admissionChanges = 0;
  /** A batch got no answer and may still land; nothing is decided or remembered before it is closed. */
  #isLost = false;
  #hasPassedFence = false;
  #orderChanges = 0;
  /** Origins known to exist: a repeat is read at once instead of failing a batch. */
  readonly #recent = recentIds(REMEMBERED);

  constructor(deps: LedgerCacheDeps) {
    this.#store = deps.store;
    this.#calls = storeCalls(deps);
    this.#clock = deps.clock;
    this.#highWater = new HighWaterLine(deps);
  }

  get books(): LedgerState | undefined {
    return this.#books;
  }

  /** Pending revocations are applied, even if the facts were read before them. */
  get admission(): AdmissionFacts | undefined {
    return this.#admission && this.#afterRevocations(this.#admission);
  }

  /** The state that a batch is decided on. Throws if the connection is unknown or its account is frozen. */
  usableState(): LedgerState {
    const books = this.#books;
    // Neither thawing an account nor restoring lost rows raises a version, so the next call must read again.
    if (this.#highWater.isAboveBooks || books?.frozen) this.forget();
    if (this.#highWater.isAboveBooks) throw Unavailable.behind();
    if (!books) throw new Unavailable("unknown_connection");
    if (books.frozen) throw Unavailable.frozen();
    return books;
  }

  /** This instance has written: what an ended one left on its way is refused by the database. */
  get hasPassedFence(): boolean {
    return this.#hasPassedFence;
  }

  remembers(origin: string): boolean {
    return this.#recent.has(origin);
  }

  forget(): void {
    this.#books = undefined;
  }

  forgetAdmission(): void {
    this.#admissionChanges += 1;
    this.#books = undefined;
    this.#admission = undefined;
  }

  /** Revokes at once, until the returned function is called: the write to D1 runs in the meantime. */
  revoke(revocation: Revocation): () => void {
    this.#pendingRevocations.add(revocation);
    return () => this.#pendingRevocations.delete(revocation);
  }

  /**
   * The cold load. It closes a lost batch first, and with `isLastWord` also what an ended instance may have
   * left on its way. An unknown connection has no keys and so admits no call.
   */
  async load(request: LoadRequest = NOTHING_ELSE, { isLastWord = false } = {}): Promise<Found> {
    this.#orderChanges += 1;
    const closing = this.#isLost || (isLastWord && !this.#hasPassedFence);
    let loaded = await this.#loadAdmission(request, closing, this.served);
    // The note may be newer than this read: another instance has committed since.
    if (await this.#highWater.isNewsFor(loaded.books)) {
      loaded = await this.#loadAdmission(request, closing, this.served);
    }
    if (closing) {
      this.#admissionChanges += 1;
      this.#hasPassedFence = true;
    }
    this.#isLost = false;
    await this.#highWater.compare(loaded.books);
    this.#admission = loaded.admission;
    this.#books = loaded.books;
    this.#remember(loaded.found.invoices);
    return loaded.found;
  }

  /** Throws if nothing may be decided now; loads a cold memory. */
  async confirm(): Promise<LedgerState> {
    if (!this.#books) await this.load();
    return this.usableState();
  }

  /** A read outside the queue. It keeps certain facts and never the heads: a commit may be in flight. */
  async read(lookup: InvoiceLookup, trips: TripCounter): Promise<InvoiceReading> {
    const { admission } = this;
    if (admission) {
      const { invoices, look } = await this.find(lookup, trips);
      return { admission, invoices, ...(look ? { look } : {}) };
    }
    const { found, ...loaded } = await this.#loadOutsideQueue(onlyInvoices(lookup), trips);
    return { ...loaded, invoices: found.invoices, ...lookIn(loaded) };
  }

  async find(lookup: InvoiceLookup, trips = this.served): Promise<FindResult> {
    const found = await this.#calls.read(() => this.#store.find(lookup), trips);
    this.#remember(found.invoices);
    return found;
  }

  /** The same for orders with all of their invoices. */
  async readOrders(request: OrdersQuery, trips: TripCounter): Promise<OrderReading> {
    const { admission } = this;
    if (admission) return { admission, found: await this.findOrders(request, trips) };
    const { found, ...loaded } = await this.#loadOutsideQueue({ origins: [], orders: request }, trips);
    return { ...loaded, found: { ...found, ...lookIn(loaded) } };
  }

  /** One page in its order. Old invoices are not remembered: repeats are of new ones. */
  async listInvoices(query: InvoiceListQuery, trips: TripCounter) {
    const admission = await this.readAdmission(trips);
    const { origins, next } = await this.#calls.read(() => this.#store.listInvoices(query), trips);
    const found =
      origins.length === 0 ? undefined : await this.#calls.read(() => this.#store.find({ origins }), trips);
    const byOrigin = new Map(found?.invoices.map((invoice) => [invoice.view.origin, invoice.view]));
    return { admission, next, invoices: origins.flatMap((origin) => byOrigin.get(origin) ?? []) };
  }

  /** The ids of one page, and the orders with all of their invoices. */
  async listOrders(query: OrderListQuery, trips: TripCounter) {
    const admission = await this.readAdmission(trips);
    const { ids, next } = await this.#calls.read(() => this.#store.listOrders(query), trips);
    const found =
      ids.length === 0 ? undefined : await this.findOrders({ ids, rates: [], statuses: [] }, trips);
    return { admission, next, ids, found };
  }

  /** Uses the cold load if the facts are not known. */
  async readAdmission(trips: TripCounter): Promise<AdmissionFacts> {
    return this.admission ?? (await this.#loadOutsideQueue(NOTHING_ELSE, trips)).admission;
  }

  findOrders(request: OrdersQuery, trips = this.served): Promise<OrdersFound> {
    return this.#calls.read(() => this.#store.findOrders(request), trips);
  }

  findDueOrders(due: DueOrders, trips = this.served): Promise<OrdersFound> {
    return this.#calls.read(() => this.#store.findDueOrders(due), trips);
  }

  findDueWork(due: Pick<DueOrders, "cutoffDate" | "today">): Promise<DueWorkFound> {
    return this.#calls.read(() => this.#store.findDueWork(due), { trips: 0 });
  }

  /**
   * Equal before and after: in the meantime this object changed no order and no invoice of one. It may have
   * issued direct invoices. Another instance's change breaks the fence.
   */
  get orderChanges(): number {
    return this.#orderChanges;
  }

  /** One fenced batch. The memory becomes `next` only when it is committed. */
  async commit(batch: IssueBatch, next: LedgerState, request: LoadRequest): Promise<SettledCommit> {
    const send = async () => ({ result: await this.#store.commit(batch) });
    const sent = () => this.#clock.around(batch.records.length, () => this.#settleBatch(request, send));
    const settled = await (isOnlyNewInvoices(batch) ? sent() : this.#changingOrders(sent));
    if (settled.result === "committed") {
      this.#books = next;
      this.#hasPassedFence = true;
      this.#highWater.raise(next);
      for (const invoice of batch.invoices) this.#recent.add(invoice.view.origin);
    }
    return settled;
  }

  /** One fenced batch of what the shop reports. If it changes the setup, the memory is forgotten. */
  async recordShop(batch: ShopBatch, books: LedgerState): Promise<RecordResult | Lost> {
    const fence = fenceOn(books);
    try {
      const settled = await this.#changingOrders(() =>
        this.#settleBatch(NOTHING_ELSE, () => this.#store.recordShop(batch, fence)),
      );
      if (settled.result === "committed") this.#books = { ...books, seq: fence.seq };
      return settled;
    } finally {
      if (batch.setupState !== undefined) this.forgetAdmission();
    }
  }

  /** The setup of the connection, outside the queue; with the cold load if the memory is cold. */
  async readShopStatus(trips: TripCounter): Promise<ShopStatusReading> {
    const { admission } = this;
    if (admission) return { admission, status: await this.#calls.read(() => this.#store.readShop(), trips) };
    const { admission: loaded, books } = await this.#loadOutsideQueue(NOTHING_ELSE, trips);
    const { setup, access } = loaded;
    return { admission: loaded, status: books && { setup, access, consented: books.settings.consented } };
  }

  readOwner(delivery?: DeliveryQuery): Promise<OwnerReading | undefined> {
    return this.#calls.read(() => this.#store.readOwner(delivery), this.served);
  }

  readErasable(query: ErasureQuery): Promise<ErasureReading> {
    return this.#calls.read(() => this.#store.readErasable(query), this.served);
  }

  /** A fenced change of keys or settings. The memory is forgotten after every outcome. */
  async change(write: (fence: Fence) => Promise<CommitResult>): Promise<"committed" | "exists" | "retry"> {
    try {
      if (!this.#books) await this.load();
      const fence = fenceOn(this.usableState());
      const settled = await this.#changingOrders(() =>
        this.#settleBatch(NOTHING_ELSE, async () => ({ result: await write(fence) })),
      );
      return settled.result === "committed" || settled.result === "exists" ? settled.result : "retry";
    } finally {
      this.forgetAdmission();
    }
  }

  /** Counted at both ends: a read made meanwhile has the change or not. */
  async #changingOrders<T>(change: () => Promise<T>): Promise<T> {
    this.#orderChanges += 1;
    try {
      return await change();
    } finally {
      this.#orderChanges += 1;
    }
  }

  async #settleBatch<Settled extends { readonly result: CommitResult }>(
    request: LoadRequest,
    send: () => Promise<Settled>,
  ): Promise<Settled | Lost> {
    let settled: Settled;
    try {
      settled = await this.#calls.call(send, this.served);
    } catch {
      this.forget();
      this.#isLost = true;
      return { result: "lost", found: await this.load(request) };
    }
    if (settled.result !== "committed" && settled.result !== "exists") this.forget();
    return settled;
  }

  /** Pass the fence before reading: only a passed fence keeps a lost batch out for good. */
  async #loadAdmission(request: LoadRequest, closing: boolean, trips: TripCounter): Promise<Loaded> {
    for (let loads = 0; loads < LOADS; loads++) {
      const changes = this.#admissionChanges;
      const loaded = await this.#calls.read(() => this.#store.load({ ...request, closing }), trips);
      if (changes !== this.#admissionChanges) continue;
      if (loaded.result === "unknown_connection") await this.#highWater.demandNothingKnown();
      return loadedOf(loaded);
    }
    throw new Unavailable("gate_changing");
  }

  /** For a read outside the queue while the memory is cold. It keeps the facts, unless they are uncertain. */
  async #loadOutsideQueue(request: LoadRequest, trips: TripCounter): Promise<Loaded> {
    const loaded = await this.#loadAdmission(request, false, trips);
    if (!this.#isLost) this.#admission = loaded.admission;
    return { ...loaded, admission: this.#afterRevocations(loaded.admission) };
  }

  #afterRevocations(admission: AdmissionFacts): AdmissionFacts {
    return [...this.#pendingRevocations].reduce((left, revocation) => revocation(left), admission);
  }

  #remember(invoices: readonly StoredInvoice[]): void {
    for (const invoice of invoices) this.#recent.add(invoice.view.origin);
  }
}

function lookIn({ books }: Pick<Loaded, "books">): Pick<FindResult, "look"> {
  return books?.look ? { look: books.look } : {};
}

/** A correction, and everything an owner does, may concern an order. */
function isOnlyNewInvoices({ invoices, records, orders, audits, keptRates }: IssueBatch): boolean {
  return records.length === invoices.length && orders.length + audits.length + keptRates.length === 0;
}

function fenceOn({ seq, settings }: LedgerState): Fence {
  return { seq: seq + 1, settings };
}
