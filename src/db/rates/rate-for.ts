import {
  quotedOn,
  type RateLookup,
  type ReferenceRate,
  rateOn,
} from "../../domain/exchange/ecb-currencies.ts";
import { referenceDay } from "../../domain/exchange/reference-day.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";

export interface RateKey {
  readonly day: CivilDate;
  readonly currency: string;
}

export interface RateFinder {
  /** The stored ones among these rates. */
  find(keys: readonly RateKey[]): Promise<readonly ReferenceRate[]>;
}

export type PaymentRate = RateLookup & {
  /** The day of the rate; never another day's rate. */
  readonly day: CivilDate;
};

/** The rate that holds for a payment in a currency other than the euro. */
export async function rateFor(
  { paidAt, currency }: { readonly paidAt: Instant; readonly currency: string },
  rates: RateFinder,
): Promise<PaymentRate> {
  const day = referenceDay(paidAt);
  const rows = await rates.find([{ day, currency }]);
  return { ...rateOn(day, currency, rows, quotedOn(day)), day };
}
