import type { Setup } from "../domain/connection/setup.ts";
import type { InvoiceView, StoredRecord } from "../domain/invoice/invoice-view.ts";
import type { RectifiableInvoice } from "../domain/invoice/rectifiable.ts";
import type { Link } from "../domain/invoice/rectify.ts";
import type { IssuingSettings } from "../domain/invoice/settings.ts";
import type { NewlyKept } from "../domain/place/kept-rates.ts";
import type { CivilDate } from "../domain/shared/civil-date.ts";
import type { ChainHead } from "../domain/verifactu/record.ts";
import type { CustomerAccess } from "../domain/viewer/access.ts";
import type { EntryStore } from "./entries/entry-ports.ts";
import type { OrderStore, OrdersRead, OrdersWanted, OrderWrite, SellingSettings } from "./order-state.ts";
import type { OwnerStore } from "./owner-state.ts";
import type { AuditEntry, ShopStore } from "./shop-state.ts";
import type { WebhookStore } from "./webhooks/webhook-ports.ts";

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
  readonly leavingOrigins: readonly string[];
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
  readonly selling: SellingSettings;
  /** A frozen account commits nothing (the fence refuses). */
  readonly frozen: boolean;
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
  readonly orders: OrdersWanted;
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
export interface RetiredOrigin {
  readonly origin: string;
  readonly year: number;
}

/** The ledger database as one connection sees it. Every method is exactly one D1 round trip. */
export interface LedgerStore extends ShopStore, OrderStore, OwnerStore {
  load(query: LoadQuery): Promise<LoadResult>;
  find(sought: InvoiceLookup): Promise<FindResult>;
  commit(batch: IssueBatch): Promise<CommitResult>;
  /** Outside the books and their fence. */
  readonly webhooks: WebhookStore;
  readonly entries: EntryStore;
}

export interface Fence {
  readonly seq: number;
  readonly settings: IssuingSettings;
}
