import type { BatchItem } from "drizzle-orm/batch";
import type { Profile, SalesSettings } from "../domain/billing/sales-settings.ts";
import type { TakenStem } from "../domain/billing/stems.ts";
import type { PullCallback } from "../domain/callback/pull-callback.ts";
import type { TagRule } from "../domain/order/context.ts";
import type { KeptRate } from "../domain/place/kept-rates.ts";
import type { CivilDate } from "../domain/shared/civil-date.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { ReportedOrigin } from "../domain/viewer/reported-origins.ts";
import type { WebhookEndpoint } from "../domain/webhook/endpoint.ts";
import type { Database } from "./database.ts";
import type { ErasureQuery, ErasureReading } from "./erasure-state.ts";
import type { CommitResult, Fence } from "./ledger-state.ts";
import type { AuditEntry, ShopReading } from "./shop-state.ts";

/** All state that an owner may change, read in one batch. */
export interface OwnerReading extends ShopReading {
  readonly connectionName: string;
  /** Some were reported after the last choice among them: the same choice again is one about these. */
  readonly hasNewStores: boolean;
  readonly sales: SalesSettings;
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

/** Writes a change behind the fence. */
export type WriteOf<Change> = (db: Database, owner: ChangeOwner, change: Change, by: ChangedBy) => Statements;

/** The same for a change that is known. */
export type WriteChange = (db: Database, owner: ChangeOwner, by: ChangedBy) => Statements;

export interface OwnerChange extends ChangedBy {
  readonly write: WriteChange;
  /** None for a write of the service itself, such as the attempt of a call. */
  readonly audit?: AuditEntry;
}

/** An owner's changes to one connection. Every method is one D1 round trip. */
export interface OwnerStore {
  /** Undefined for a connection without an account; with one webhook delivery if requested. */
  readOwner(delivery?: DeliveryQuery): Promise<OwnerReading | undefined>;
  /** The erasable data of an order or customer. */
  readErasable(asked: ErasureQuery): Promise<ErasureReading>;
  recordChange(change: OwnerChange, fence: Fence): Promise<CommitResult>;
}
