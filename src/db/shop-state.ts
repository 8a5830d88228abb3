import type { Setup, SetupState } from "../domain/connection/setup.ts";
import type {
  ReportedClient,
  ReportedModule,
  ReportedStatus,
  ReportedStore,
} from "../domain/order/normalize-upserts.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { CustomerAccess } from "../domain/viewer/access.ts";
import type { CommitResult, Fence } from "./ledger-state.ts";

/** The rows of a group of reports: each once, written in one batch behind the fence. */
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
export interface ShopStanding {
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
export interface ShopReading extends ShopStanding {
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
