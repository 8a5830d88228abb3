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

/** What a group of reports comes to: every row once, all of it in one batch behind the fence. */
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
  /** How many the connection had, of what is bounded; of a batch with new ones. */
  readonly counts: Readonly<Record<BoundedKind, number>>;
}

/** What a key may leave behind only so much of. */
export type BoundedKind = "statuses" | "stores";

export type RecordResult =
  | { readonly result: "committed"; readonly known: KnownIds }
  | { readonly result: Exclude<CommitResult, "committed"> };

/** How far a connection is, as its connector may know it. */
export interface ShopStanding {
  readonly setup: Setup;
  /** Whether the owner's consent to issue stands. */
  readonly consented: boolean;
  /** Of its customers to their invoices. */
  readonly access: CustomerAccess;
}

/** One line of the owner's history. */
export interface AuditEntry {
  readonly id: string;
  readonly userId: string;
  readonly at: Instant;
  readonly verb: string;
  /** What was asked. */
  readonly facts: Readonly<Record<string, string>>;
}

/** What the shop has told so far, read by the owner's step 2. */
export interface ShopReading extends ShopStanding {
  readonly connectionKind: string;
  /** In the order of the inventory. */
  readonly storeIds: readonly string[];
}

/** What shops tell, as one connection sees it. Every method is exactly one D1 round trip. */
export interface ShopStore {
  recordShop(batch: ShopBatch, fence: Fence): Promise<RecordResult>;
  /** Undefined for a connection that nobody opened. */
  readShop(): Promise<ShopReading | undefined>;
}
