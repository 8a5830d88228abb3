import type { OrderState } from "../../domain/order/decision.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Decimal } from "../../domain/shared/decimal.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** Orders of one day without an invoice, in one currency and of one rate. */
export interface WaitingDay {
  readonly day: CivilDate;
  readonly currency: string;
  /** Units of the currency per euro; undefined in euros, and where it is not known. */
  readonly rate?: Decimal;
  readonly orders: number;
  readonly total: Decimal;
}

export type WaitingState = Extract<OrderState, "deferred" | "before_cutoff" | "held">;

export interface WaitingAsked {
  readonly connectionId: string;
  readonly state: WaitingState;
  /** The first day, and the one behind the last. */
  readonly from?: CivilDate;
  readonly until?: CivilDate;
}

/** How far the orders have come that waited for consent. */
export interface ReleaseRead {
  readonly total: number;
  readonly invoiced: number;
  readonly held: number;
  readonly settled: number;
  readonly changedAt: Instant;
  /** Whether any is left. */
  readonly isWaiting: boolean;
  readonly isConsented: boolean;
  readonly isFrozen: boolean;
}

export interface WaitingReads {
  /** Sums out of one index: no row of an order is looked at. */
  days(accountId: string, asked: readonly WaitingAsked[]): Promise<readonly WaitingDay[]>;
  /** Of the consent that stands; undefined before the first. */
  cutoff(accountId: string, connectionId: string): Promise<CivilDate | undefined>;
  release(accountId: string, connectionId: string): Promise<ReleaseRead | undefined>;
}
