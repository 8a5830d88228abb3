import type { SeriesHead } from "../../db/ledger-state.ts";
import type { CallOutcome } from "../../domain/callback/delivery.ts";
import type { Setup } from "../../domain/connection/setup.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { OriginReading } from "./view-origins.ts";

/** The current month in the issuer's zone. */
export interface Month {
  readonly firstDay: CivilDate;
  readonly beginsAt: Instant;
}

/** Above this count a card says "more than". */
export const MOST_COUNTED = 1_000;

export interface Activity {
  readonly lastOrderAt?: Instant;
  /** Orders dated in the month; `MOST_COUNTED + 1` means any higher number. */
  readonly orders: number;
  readonly invoices: number;
}

export interface ConnectionCard {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** As the module reported it. */
  readonly platform?: string;
  readonly setup: Setup;
  readonly consent: "none" | "given" | "withdrawn";
  readonly keys: number;
  /** The time when the second of two active keys was created. */
  readonly overlapBeganAt?: Instant;
  readonly activity: Activity;
}

export interface StoreShown {
  readonly id: string;
  readonly name?: string;
  readonly orders?: number;
  /** Absent for stores reported before this column existed. */
  readonly seenAt?: Instant;
}

export interface ConsentShown {
  readonly givenBy: string;
  readonly givenAt: Instant;
  readonly textVersion: string;
  readonly cutoffDate: CivilDate;
  readonly withdrawnAt?: Instant;
}

export interface KeyShown {
  readonly id: string;
  readonly createdAt: Instant;
  /** Absent for keys created before this column existed. */
  readonly tail?: string;
}

export interface CallbackShown {
  readonly url: string;
  readonly askedAt?: Instant;
  readonly attempts: number;
  readonly nextAt?: Instant;
  readonly lastAt?: Instant;
  readonly lastOutcome?: CallOutcome;
}

export interface ModuleShown {
  readonly platform?: string;
  readonly moduleVersion?: string;
  readonly contractVersion?: string;
  readonly seenAt: Instant;
}

/** One connection with everything that its pages show. */
export interface ConnectionReading {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly ordinal: number;
  readonly installationOrdinal: number;
  /** True for a production connection opened while the company was unverified: its numbers are tests. */
  readonly trial: boolean;
  readonly openedAt: Instant;
  readonly module?: ModuleShown;
  readonly setup: Setup;
  /** The time of the last choice of stores, if known. */
  readonly chosenAt?: Instant;
  readonly inventory?: { readonly ordersTotal?: number; readonly receivedAt: Instant };
  /** In inventory order. */
  readonly stores: readonly StoreShown[];
  readonly consent?: ConsentShown;
  /** Active keys, oldest first. */
  readonly keys: readonly KeyShown[];
  readonly access: { readonly isOn: boolean; readonly switchedAt?: Instant };
  readonly callback?: CallbackShown;
  /** The owner's stem, which replaces the assigned one. */
  readonly orderStem?: string;
  readonly profileStems: readonly string[];
  readonly series: readonly SeriesHead[];
  readonly activity: Activity;
}

/** Connections of an account. Every method is one D1 round trip. */
export interface ConnectionReads {
  list(accountId: string, month: Month): Promise<readonly ConnectionCard[]>;
  /** Undefined if the account has no such connection. */
  read(accountId: string, connectionId: string, month: Month): Promise<ConnectionReading | undefined>;
  /** Origins, registered or reported, of pages that may show the connection's invoices. */
  origins(accountId: string, connectionId: string): Promise<OriginReading>;
  /** Active keys of one connection, with the hashes by which the object identifies them. */
  keysOf(accountId: string, connectionId: string): Promise<readonly (KeyShown & { readonly hash: string })[]>;
}
