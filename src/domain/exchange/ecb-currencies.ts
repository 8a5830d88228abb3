import type { CivilDate } from "../shared/civil-date.ts";
import { type Decimal, decimalFrom, isPositive } from "../shared/decimal.ts";

/** One cell of the ECB's table: units of `currency` per 1 EUR. */
export interface ReferenceRate {
  readonly day: CivilDate;
  readonly currency: string;
  readonly rate: Decimal;
}

/** A cell to look up. */
export type RateKey = Pick<ReferenceRate, "day" | "currency">;

export type RateLookup =
  | { readonly outcome: "found"; readonly rate: Decimal }
  /** The row is still to come, or came without this currency: wait, an older rate is never taken. */
  | { readonly outcome: "not_yet" }
  /** No row will ever bring it: the owner gives rate and date. */
  | { readonly outcome: "not_quoted" };

/**
 * A stored rate outranks our list, which may be outdated. Without a rate the list decides between waiting and
 * asking the owner. A currency that the ECB dropped lately waits until the owner acts: no rate is invented.
 */
export function rateOn(
  day: CivilDate,
  currency: string,
  rows: Iterable<ReferenceRate>,
  quotedCurrencies: ReadonlySet<string>,
): RateLookup {
  for (const row of rows) {
    if (row.day === day && row.currency === currency) return { outcome: "found", rate: row.rate };
  }
  return { outcome: quotedCurrencies.has(currency) ? "not_yet" : "not_quoted" };
}

/** As the ECB's file of 2026-03-05 has them. */
const QUOTED =
  "AUD BRL CAD CHF CNY CZK DKK GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB " +
  "TRY USD ZAR";

/**
 * The last day of currencies that were dropped: Bulgaria took the euro in 2026, the rouble was suspended in
 * 2022.
 */
const LAST_QUOTED: readonly (readonly [currency: string, lastDay: string])[] = [
  ["BGN", "2025-12-31"],
  ["RUB", "2022-03-01"],
];

/** The currencies for which a row of that day is to be expected. */
export function quotedOn(day: CivilDate): ReadonlySet<string> {
  const stillThere = LAST_QUOTED.filter(([, lastDay]) => day <= lastDay).map(([currency]) => currency);
  return new Set([...QUOTED.split(" "), ...stillThere]);
}

/** Nine digits are the old Turkish lira a hundred times over: more is a broken file. */
const RATE_SOURCE = /^\d{1,9}(\.\d{1,9})?$/;

/** Reads the rate of a file; undefined unless it is a plain number above zero. */
export function rateFrom(source: string): Decimal | undefined {
  const rate = RATE_SOURCE.test(source) ? decimalFrom(source) : undefined;
  return rate !== undefined && isPositive(rate) ? rate : undefined;
}

/** True for any code of that form: the ECB may add currencies. */
export function isCurrencyCode(name: string): boolean {
  return /^[A-Z]{3}$/.test(name);
}
