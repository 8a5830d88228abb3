import type { BatchItem } from "drizzle-orm/batch";
import type { Profile, SalesSettings } from "../domain/billing/sales-settings.ts";
import type { TakenStem } from "../domain/billing/series.ts";
import type { InvoiceLook } from "../domain/brand/look.ts";
import type { PullCallback } from "../domain/callback/pull-callback.ts";
import type { Setup, SetupState } from "../domain/connection/setup.ts";
import type { RateKey, ReferenceRate } from "../domain/exchange/reference-rate.ts";
import type { InvoiceView, StoredRecord } from "../domain/invoice/invoice-view.ts";
import type { RectifiableInvoice } from "../domain/invoice/rectifiable.ts";
import type { Link } from "../domain/invoice/rectify.ts";
import type { IssuingSettings } from "../domain/invoice/settings.ts";
import type { InvoiceDelivery } from "../domain/mailing/invoice-delivery.ts";
import type { MailSwitch } from "../domain/mailing/mail-switch.ts";
import type { ActedEvent, OrderSettings, OwnerAnswers, TagRule } from "../domain/order/context.ts";
import type { OrderState } from "../domain/order/decision.ts";
import type { OrderFacts } from "../domain/order/facts.ts";
import type {
  ReportedClient,
  ReportedModule,
  ReportedStatus,
  ReportedStore,
} from "../domain/order/normalize-upserts.ts";
import type { OrderWarning, Reason } from "../domain/order/reasons.ts";
import type { KeptRate, NewlyKept } from "../domain/place/vat-rates.ts";
import type { CivilDate } from "../domain/shared/civil-date.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { Backfill } from "../domain/shop/backfill.ts";
import type { ConnectedShop } from "../domain/shop/connected-shop.ts";
import type { ChainHead } from "../domain/verifactu/record.ts";
import type { CustomerAccess, StoreOrigin } from "../domain/viewer/access.ts";
import type { ReportedOrigin } from "../domain/viewer/origin.ts";
import type { WebhookEndpoint } from "../domain/webhook/endpoint.ts";
import type { Database } from "./database.ts";
import type { QuestionOutcome } from "./orders/question-job.ts";
import type { UsedSetting } from "./orders/remembered-answer.ts";
import type { ShopWrite } from "./shops/shop-write.ts";

/** The facts that admit a call without a write; only the connection's own object changes them. */
export interface AdmissionFacts {
  /** SHA-256 of every key alive. */
  readonly keyHashes: readonly string[];
  /** Requests a minute, 0 for no limit; undefined takes the default. */
  readonly rateLimit: number | undefined;
  /** Its company is not proven, or it is for tests for ever. */
  readonly sendsTests: boolean;
  readonly connectionKind: string;
  readonly setup: Setup;
  readonly access: CustomerAccess;
  /** Registered origins that are just being taken away. */
  readonly originsBeingRemoved: readonly string[];
  /** Origins of stores that are just being refused. */
  readonly refusedOrigins: readonly string[];
}

export interface SeriesHead {
  readonly code: string;
  readonly number: number;
  readonly date: CivilDate;
}

/** An invoice with its relations, as views and as rectifications need it. */
export interface StoredInvoice {
  readonly view: InvoiceView;
  readonly rectifiable: RectifiableInvoice;
}

/** Everything that an issuance is decided from, read in one batch. */
export interface LedgerState {
  readonly admission: AdmissionFacts;
  readonly settings: IssuingSettings;
  /** As it was read: pages ask for it anew. */
  readonly look?: InvoiceLook;
  readonly selling: SellingSettings;
  /** A frozen account commits nothing (the fence refuses). */
  readonly frozen: boolean;
  /** The connection has a shop, or webhooks of one that are still to be removed. */
  readonly hasShop?: true;
  /** The access to the shop that orders are taken from in its own form; undefined without one. */
  readonly shopAccess?: string;
  /** Sequence of the last fenced batch. */
  readonly seq: number;
  readonly chain?: ChainHead;
  readonly series: readonly SeriesHead[];
}

export interface NewInvoice {
  readonly view: InvoiceView;
  readonly totalEur: string;
  readonly document: string;
  readonly documentSha256: string;
  readonly links: readonly Link[];
}

/** A mail that is queued with its invoice. */
export interface NewMail {
  readonly delivery: InvoiceDelivery;
  readonly requestId: string;
}

export interface NewRecord {
  readonly invoiceId: string;
  readonly origin: string;
  readonly stored: StoredRecord;
  readonly reason: string;
}

/** One all-or-nothing batch after the fence. */
export interface IssueBatch {
  readonly seq: number;
  readonly settings: IssuingSettings;
  readonly newSeries: readonly string[];
  readonly invoices: readonly NewInvoice[];
  readonly records: readonly NewRecord[];
  readonly orders: readonly OrderWrite[];
  /** The audit lines of owners' actions in it. */
  readonly audits: readonly AuditEntry[];
  readonly keptRates: readonly NewlyKept[];
  /** Deliveries and documents of a shop that its orders came from. */
  readonly shopWrites: readonly ShopWrite[];
  readonly mails: readonly NewMail[];
  /** Outcomes of orders that one answer was given to together. */
  readonly questionOutcomes: readonly QuestionOutcome[];
  /** Settings that decided its orders, where the connection remembers answers. */
  readonly usedSettings: readonly UsedSetting[];
}

/** Our own aborts are known failures; any other error is thrown, with an unknown outcome. */
export type CommitResult = "committed" | "stale_head" | "stale_settings" | "exists" | "link";

/** Invoices of a connection, by origin or by id. */
export interface InvoiceLookup {
  readonly origins: readonly string[];
  readonly invoiceIds?: readonly string[];
  /** Origins of tickets and their R5; the rectified tickets and every F3 of them are found as well. */
  readonly replacedOnes?: readonly string[];
  /** Full numbers that a request cites: their invoices in the account, and the related ones of our own. */
  readonly numbers?: readonly string[];
}

/** The data that a call needs besides the books. */
export interface LoadRequest extends InvoiceLookup {
  readonly orders: OrdersQuery;
}

export interface LoadQuery extends LoadRequest {
  /** If true, the fence runs first: after it no earlier lost batch can land. */
  readonly closing: boolean;
}

export type LoadResult =
  | ({ readonly result: "loaded"; readonly books: LedgerState } & OrdersRead & InvoicesFound)
  | { readonly result: "unknown_connection" }
  /** Nothing passes the fence of a frozen account, a closing neither. */
  | { readonly result: "frozen" };

export interface FindResult extends InvoicesFound {
  readonly settingsVersion: number | undefined;
  /** The look of the day; undefined without one. */
  readonly look?: InvoiceLook;
}

/** The invoices found, the retired origins, and the holders of the numbers. */
export interface InvoicesFound {
  readonly invoices: readonly StoredInvoice[];
  readonly retiredOrigins: readonly RetiredOrigin[];
  readonly numbered: readonly NumberedInvoice[];
}

/** An invoice of the account that has one of the numbers sought. */
export interface NumberedInvoice {
  readonly fullNumber: string;
  readonly origin: string;
  readonly isOfConnection: boolean;
  readonly connectionName: string;
}

/** Its invoice was retired with its year: it never issues again. */
interface RetiredOrigin {
  readonly origin: string;
  readonly year: number;
}

export interface Fence {
  readonly seq: number;
  readonly settings: IssuingSettings;
}

/** The data to erase: one order, or a customer with all orders. */
export type ErasureQuery = { readonly orderId: string } | { readonly clientId: string };

export interface ErasureReading {
  /** True if the shop has reported the customer separately from the orders. */
  readonly isClientKnown: boolean;
  /** Orders without an invoice come first. */
  readonly orders: readonly OrderToErase[];
  /** More of them can go than are looked at together. */
  readonly hasMore: boolean;
  /** The requested order is erased already. */
  readonly erased?: ErasedOrder;
}

export interface OrderToErase {
  readonly idExternal: string;
  readonly reference?: string;
  /** Issued invoices of the order; such an order is kept. */
  readonly invoices: readonly {
    readonly number: string;
    readonly issueDate: CivilDate;
    readonly hasOneStopShop: boolean;
  }[];
  /** Its client has an e-mail, which no duty keeps. */
  readonly hasEmail: boolean;
}

/** Reads of the erasable data of one connection. */
export interface ErasureReads {
  read(connectionId: string, query: ErasureQuery): Promise<ErasureReading>;
}

/** The settings that decide orders, without their statuses. */
export type SellingSettings = Omit<OrderSettings, "statuses">;

/** An order as stored: its newest facts, the decision and the owner's answers. */
export interface StoredOrder {
  readonly idExternal: string;
  readonly state: OrderState;
  /** With every event that was ever received. */
  readonly facts: OrderFacts;
  /** SHA-256 of the newest body, unknown members included. */
  readonly sentSha256: string;
  readonly reasons: readonly Reason[];
  readonly warnings: readonly OrderWarning[];
  readonly answers: OwnerAnswers;
  readonly acted: readonly ActedEvent[];
  /** The fingerprint of the facts of the first invoice. */
  readonly soldFingerprint?: string;
  readonly waitsForRate: boolean;
  /** The day on which it is decided again: until then its date lies ahead. */
  readonly decideFrom?: CivilDate;
  /** True if the settings of its decision have changed since. */
  readonly undecided: boolean;
  readonly orderDay: CivilDate;
  readonly dueDate: CivilDate;
  /** `once`: its next decision mails nothing; `until_issued`: none does, until its invoice is issued. */
  readonly unmailed?: Unmailed;
  /** When its row was written last; absent for a row that is still to be written. */
  readonly changedAt?: Instant;
}

export type Unmailed = "once" | "until_issued";

/** A row that a group writes, new or changed. */
export interface OrderWrite {
  readonly order: StoredOrder;
  /** The body whole, where this one is kept from now on. */
  readonly sent?: string;
  readonly rate?: RateKey;
  /** Until now the order was older than the cutoff. */
  readonly isBroughtIn?: true;
  readonly at: Instant;
  readonly requestId: string;
}

export type KnownStatuses = OrderSettings["statuses"];

/** Orders by id, with the other data that a decision on them needs. */
export interface OrdersQuery {
  readonly ids: readonly string[];
  readonly rates: readonly RateKey[];
  readonly statuses: readonly string[];
  /** Ids of which only is asked whether anything was issued for them. */
  readonly issuedOf?: readonly string[];
  readonly shopfront?: true;
}

export const NO_ORDERS: OrdersQuery = { ids: [], rates: [], statuses: [] };

/** An erased order and the cause. */
export interface ErasedOrder {
  readonly idExternal: string;
  readonly because: ErasedBecause;
  readonly at: Instant;
}

/** Its owner erased it, it was unused for long, or its invoice was retired with its year. */
export type ErasedBecause = "asked" | "aged" | "retention";

/** The public pages of a shop. */
export interface Shopfront {
  /** Origins that its owner registered, canonical. */
  readonly registered: readonly string[];
  readonly storeOrigins: readonly StoreOrigin[];
  /** The stores that the shop reported. */
  readonly stores: readonly { readonly id: string; readonly name?: string; readonly url?: string }[];
}

export const NO_SHOPFRONT: Shopfront = { registered: [], storeOrigins: [], stores: [] };

/** Orders with all of their invoices; rates and statuses of the orders as stored, and those asked for. */
export interface OrdersRead {
  readonly orders: readonly StoredOrder[];
  readonly invoices: readonly StoredInvoice[];
  readonly rates: readonly ReferenceRate[];
  readonly statuses: KnownStatuses;
  /** The ids of `issuedOf` with an invoice. */
  readonly issued: readonly string[];
  /** Empty unless requested. */
  readonly shopfront: Shopfront;
  /** The requested ids that belong to erased orders. */
  readonly erased: readonly ErasedOrder[];
}

export type OrdersFound = OrdersRead & Pick<FindResult, "settingsVersion" | "look">;

/** Orders of one connection. Every method is exactly one D1 round trip. */
export interface OrderStore {
  findOrders(query: OrdersQuery): Promise<OrdersFound>;
  /** The oldest orders that are to be decided again by themselves. */
  findDueOrders(due: DueOrders): Promise<OrdersFound>;
  findDueWork(due: Pick<DueOrders, "cutoffDate" | "today">): Promise<DueWorkFound>;
}

/** The alarm reads this outside the queue, and takes a turn of it only where an order is due. */
export interface DueWorkFound {
  readonly settingsVersion: number | undefined;
  readonly hasDueOrders: boolean;
  /** When the shop is called next; undefined when nothing is on its way. */
  readonly callbackDueAt: Instant | undefined;
  /** When a mail is tried next; undefined when none is on its way. */
  readonly mailDueAt: Instant | undefined;
  /** An answer to several orders is not yet given to all of them. */
  readonly hasQuestions: boolean;
}

export interface DueOrders {
  readonly cutoffDate: CivilDate;
  readonly today: CivilDate;
  /** Orders to be passed over. */
  readonly except: readonly string[];
  readonly limit: number;
}

/** All state that an owner may change, read in one batch. */
export interface OwnerReading extends ShopReading {
  readonly connectionName: string;
  /** Some were reported after the last choice among them: the same choice again is one about these. */
  readonly hasNewStores: boolean;
  readonly sales: SalesSettings;
  /** Mails when invoices are issued; undefined while switched off. */
  readonly mailing?: MailSwitch;
  /** Replaces the stem assigned by the service. */
  readonly orderStem?: string;
  /** Their stems as declared. */
  readonly profiles: readonly Profile[];
  readonly tagRules: readonly TagRule[];
  /** The rates of the account. */
  readonly keptRates: readonly KeptRate[];
  /** Stems of the whole account. */
  readonly taken: readonly TakenStem[];
  /** Codes of series of the whole account, without their year, under which there is a number. */
  readonly numberedCodes: readonly string[];
  readonly callback: PullCallback | undefined;
  readonly consent?: { readonly cutoffDate: CivilDate; readonly isWithdrawn: boolean };
  /** Registered ones, canonical. */
  readonly origins: readonly string[];
  /** The reported origins of stores, refused or not. */
  readonly storeOrigins: readonly ReportedOrigin[];
  /** SHA-256 of the signed grant in force. */
  readonly representation?: string;
  /** True if any chain of the connection is stopped. */
  readonly isSubmissionStopped: boolean;
  /** In the order of registration, ended ones included. */
  readonly webhooks: readonly WebhookEndpoint[];
  /** The delivery that was asked for. */
  readonly delivery?: { readonly id: string; readonly endpointId: string; readonly dueAt?: Instant };
  /** The shop that orders are taken from in its own form. */
  readonly shop?: ConnectedShop;
  /** The search for its earlier orders. */
  readonly backfill?: Backfill;
  /** When its next search for changes is due, and the orders that are to be fetched now. */
  readonly shopDue?: ShopDue;
}

interface ShopDue {
  readonly searchAt?: Instant;
  /** The API's address at which webhooks are being made, without a failure so far. */
  readonly webhooksAt?: string;
  readonly orders: readonly string[];
}

/** A webhook delivery: by its id, or the test before its first attempt. */
export type DeliveryQuery = { readonly id: string } | { readonly waitingTestOf: string };

/** The connection that a change belongs to. */
export interface ChangeOwner {
  readonly accountId: string;
  readonly connectionId: string;
  readonly trial: boolean;
}

/** Who changes the connection, and when. */
export interface ChangedBy {
  /** Empty for the service itself. */
  readonly userId: string;
  readonly at: Instant;
}

type Statements = BatchItem<"sqlite">[];

/** Writes a change after the fence. */
export type WriteOf<Change> = (db: Database, owner: ChangeOwner, change: Change, by: ChangedBy) => Statements;

/** The same for a change that is known. */
export type WriteChange = (db: Database, owner: ChangeOwner, by: ChangedBy) => Statements;

interface OwnerChange extends ChangedBy {
  readonly write: WriteChange;
  /** None for a write of the service itself, such as the attempt of a call. */
  readonly audit?: AuditEntry;
}

/** An owner's changes to one connection. Every method is one D1 round trip. */
export interface OwnerStore {
  /** Undefined for a connection without an account; with one webhook delivery if requested. */
  readOwner(delivery?: DeliveryQuery): Promise<OwnerReading | undefined>;
  /** The erasable data of an order or customer. */
  readErasable(query: ErasureQuery): Promise<ErasureReading>;
  recordChange(change: OwnerChange, fence: Fence): Promise<CommitResult>;
}

/** The rows of a group of reports: each once, written in one batch after the fence. */
export interface ShopBatch {
  readonly at: Instant;
  readonly clients: readonly ReportedClient[];
  readonly statuses: readonly ReportedStatus[];
  readonly stores: readonly ReportedStore[];
  readonly inventory?: { readonly ordersTotal?: number };
  readonly module?: ReportedModule;
  /** The state that the setup moves to. */
  readonly setupState?: SetupState;
}

/** Ids of a batch that were there before it. */
export interface KnownIds {
  readonly clients: readonly string[];
  readonly statuses: readonly string[];
  readonly stores: readonly string[];
  /** The bounded numbers before the batch; present if it has new rows. */
  readonly counts: Readonly<Record<BoundedKind, number>>;
}

/** Kinds of rows with a limit per connection. */
export type BoundedKind = "statuses" | "stores";

export type RecordResult =
  | { readonly result: "committed"; readonly known: KnownIds }
  | { readonly result: Exclude<CommitResult, "committed"> };

/** The state of a connection as its connector may see it. */
export interface ShopStatus {
  readonly setup: Setup;
  /** True if the owner's consent to issue is in force. */
  readonly consented: boolean;
  /** The access of customers to their invoices. */
  readonly access: CustomerAccess;
}

export interface AuditEntry {
  readonly id: string;
  readonly userId: string;
  readonly at: Instant;
  readonly verb: string;
  /** The facts of the request. */
  readonly facts: Readonly<Record<string, string>>;
}

/** The shop's reports so far, for the owner's step 2. */
export interface ShopReading extends ShopStatus {
  readonly connectionKind: string;
  /** In the order of the inventory. */
  readonly storeIds: readonly string[];
}

/** The reports of one connection's shop. Every method is one D1 round trip. */
export interface ShopStore {
  recordShop(batch: ShopBatch, fence: Fence): Promise<RecordResult>;
  /** Undefined for a connection without an account. */
  readShop(): Promise<ShopReading | undefined>;
}
