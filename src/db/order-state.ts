import type { ReferenceRate } from "../domain/exchange/ecb-currencies.ts";
import type { ActedEvent, OrderSettings, OwnerAnswers } from "../domain/order/context.ts";
import type { OrderState } from "../domain/order/decision.ts";
import type { OrderFacts } from "../domain/order/facts.ts";
import type { OrderWarning, Reason } from "../domain/order/reasons.ts";
import type { CivilDate } from "../domain/shared/civil-date.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { StoreOrigin } from "../domain/viewer/access.ts";
import type { StoredInvoice } from "./ledger-state.ts";
import type { RateKey } from "./rates/rate-for.ts";

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
}

/** A row that a group writes, new or changed. */
export interface OrderWrite {
  readonly order: StoredOrder;
  /** The body whole, where this one is kept from now on. */
  readonly sent?: string;
  readonly rate?: RateKey;
  /** It was of before the cutoff until now. */
  readonly isBroughtIn?: true;
  readonly at: Instant;
  readonly requestId: string;
}

export type KnownStatuses = OrderSettings["statuses"];

/** Orders by id, with the other data that a decision on them needs. */
export interface OrdersWanted {
  readonly ids: readonly string[];
  readonly rates: readonly RateKey[];
  readonly statuses: readonly string[];
  /** Ids of which only is asked whether anything was issued for them. */
  readonly issuedOf?: readonly string[];
  readonly shopfront?: true;
}

export const NO_ORDERS: OrdersWanted = { ids: [], rates: [], statuses: [] };

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
  /** As reported. */
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

export type OrdersFound = OrdersRead & { readonly settingsVersion: number | undefined };

/** Orders of one connection. Every method is exactly one D1 round trip. */
export interface OrderStore {
  findOrders(wanted: OrdersWanted): Promise<OrdersFound>;
  /** The oldest orders that are to be decided again by themselves. */
  findDueOrders(due: DueOrders): Promise<OrdersFound>;
}

export interface DueOrders {
  readonly cutoffDate: CivilDate;
  readonly today: CivilDate;
  /** Orders to be passed over. */
  readonly except: readonly string[];
  readonly limit: number;
}
