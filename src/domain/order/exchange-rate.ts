import { referenceDay } from "../exchange/reference-rate.ts";
import { type CivilDate, daysAfter } from "../shared/civil-date.ts";
import { currencyDecimals } from "../shared/currency.ts";
import type { Decimal } from "../shared/decimal.ts";
import type { OrderContext } from "./context.ts";

import { because, type Reason } from "./reasons.ts";

export interface ExchangeReading {
  /** True if amounts in euros are known; always for an order in euros. */
  readonly isKnown: boolean;
  readonly rate?: { readonly rate: Decimal; readonly date: CivilDate };
  readonly reasons: readonly Reason[];
  readonly waitsForRate?: { readonly day: CivilDate; readonly currency: string };
}

/** The wait for a rate to be published, before the owner may give one. */
const WAITING_DAYS = 3;

/** The first day on which the owner may replace a missing rate. */
export function chooseRateFrom(day: CivilDate): CivilDate {
  return daysAfter(day, WAITING_DAYS);
}

/** The last reference rate published before the payment; an older one is never taken in silence. */
export function readExchange({ facts, rateOn, answers }: OrderContext): ExchangeReading {
  const { currency } = facts;
  if (currency === "EUR") return { isKnown: true, reasons: [] };
  const unquoted = { isKnown: false, reasons: [because("currency_not_quoted", { currency })] };
  // Its amounts cannot be rounded, with any rate.
  if (currencyDecimals(currency) === undefined) return unquoted;
  const day = referenceDay(facts.paidAt);
  const found = rateOn(day, currency);
  if (found.outcome === "found") return { isKnown: true, rate: { rate: found.rate, date: day }, reasons: [] };
  if (answers.exchangeRate) return { isKnown: true, rate: answers.exchangeRate, reasons: [] };
  if (found.outcome === "not_quoted") return unquoted;
  const reason = because("exchange_rate_unavailable", {
    currency,
    date: { date: day },
    choose_from: { date: chooseRateFrom(day) },
  });
  return { isKnown: false, reasons: [reason], waitsForRate: { day, currency } };
}
