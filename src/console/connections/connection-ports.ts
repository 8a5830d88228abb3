import type { SeriesHead } from "../../db/ledger-state.ts";
import type { CallOutcome } from "../../domain/callback/delivery.ts";
import type { Setup } from "../../domain/connection/setup.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { OriginReading } from "./view-origins.ts";

/** The month that a console counts, as it begins in the issuer's zone. */
export interface Month {
  readonly firstDay: CivilDate;
  readonly beginsAt: Instant;
}

/** From here on a card says "more than". */
export const MOST_COUNTED = 1_000;

export interface Activity {
  readonly lastOrderAt?: Instant;
  /** Orders dated in the month; one more than `MOST_COUNTED` stands for any number above it. */
  readonly orders: number;
  readonly invoices: number;
}

/** A connection as the list shows it. */
export interface ConnectionCard {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** As its module said. */
  readonly platform?: string;
  readonly setup: Setup;
  readonly consent: "none" | "given" | "withdrawn";
  readonly keys: number;
  /** When two keys came to be alive at once. */
  readonly overlapBeganAt?: Instant;
  readonly activity: Activity;
}

export interface StoreShown {
  readonly id: string;
  readonly name?: string;
  readonly orders?: number;
  /** Unknown of stores that were told before it was written down. */
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
  /** Unknown of keys that were made before it was written down. */
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

/** One connection with all that its pages show. */
export interface ConnectionReading {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly ordinal: number;
  readonly installationOrdinal: number;
  /** Opened while the company was unverified, in production: what it numbers are tests. */
  readonly trial: boolean;
  readonly openedAt: Instant;
  readonly module?: ModuleShown;
  readonly setup: Setup;
  /** When the stores were chosen last, where it is known. */
  readonly chosenAt?: Instant;
  readonly inventory?: { readonly ordersTotal?: number; readonly receivedAt: Instant };
  /** In the order of the inventory. */
  readonly stores: readonly StoreShown[];
  readonly consent?: ConsentShown;
  /** Alive ones, oldest first. */
  readonly keys: readonly KeyShown[];
  readonly access: { readonly isOn: boolean; readonly switchedAt?: Instant };
  readonly callback?: CallbackShown;
  /** Chosen by the owner in the place of the one that the service gave. */
  readonly orderStem?: string;
  readonly profileStems: readonly string[];
  readonly series: readonly SeriesHead[];
  readonly activity: Activity;
}

/** Connections of an account. Every method is one D1 round trip. */
export interface ConnectionReads {
  list(accountId: string, month: Month): Promise<readonly ConnectionCard[]>;
  /** Undefined where the account has no such connection. */
  read(accountId: string, connectionId: string, month: Month): Promise<ConnectionReading | undefined>;
  /** Pages of one connection that may show invoices, or might. */
  origins(accountId: string, connectionId: string): Promise<OriginReading>;
  /** Alive keys of one connection, with what the object knows them by. */
  keysOf(accountId: string, connectionId: string): Promise<readonly (KeyShown & { readonly hash: string })[]>;
}
