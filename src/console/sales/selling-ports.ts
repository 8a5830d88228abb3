import type { SeriesHead } from "../../db/ledger-state.ts";
import type { Profile, SalesSettings } from "../../domain/billing/sales-settings.ts";
import type { TakenStem } from "../../domain/billing/stems.ts";
import type { Setup } from "../../domain/connection/setup.ts";
import type { TagRule } from "../../domain/order/context.ts";

/** How the orders of one connection are gathered, treated and numbered. */
export interface SellingReading {
  readonly connectionId: string;
  readonly kind: string;
  readonly name: string;
  readonly ordinal: number;
  readonly installationOrdinal: number;
  /** Opened while the company was unverified, in production: what it numbers are tests. */
  readonly trial: boolean;
  readonly setup: Setup;
  /** In the order of the inventory. */
  readonly stores: readonly { readonly id: string; readonly name?: string }[];
  /** Declared for orders without a profile. */
  readonly sales: SalesSettings;
  readonly orderStem?: string;
  /** Oldest first, their stems as declared. */
  readonly profiles: readonly Profile[];
  readonly tagRules: readonly TagRule[];
  readonly series: readonly SeriesHead[];
}

/** With what a stem that is being typed is judged against. */
export interface StemReading extends SellingReading {
  /** Stems of the whole account. */
  readonly taken: readonly TakenStem[];
  /** Codes of series of the whole account, without their year, under which there is a number. */
  readonly numberedCodes: readonly string[];
}

/** What of an order says which profile takes it. */
export interface OrderMatched {
  readonly sourceChannel?: string;
  readonly storeId?: string;
  /** Assigned by the owner, whatever its channel and store. */
  readonly profileId?: string;
}

/** Every method is one D1 round trip. */
export interface SellingReads {
  /** Of every connection of the account, in the order in which they were opened. */
  list(accountId: string): Promise<readonly SellingReading[]>;
  /** Undefined where the account has no such connection. */
  read(accountId: string, connectionId: string): Promise<StemReading | undefined>;
  readOrder(accountId: string, connectionId: string, idExternal: string): Promise<OrderMatched | undefined>;
}
