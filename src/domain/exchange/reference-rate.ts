import { type CivilDate, civilDate, previousDay, weekday, yearOf } from "../shared/civil-date.ts";
import { type Decimal, decimalFrom, isPositive } from "../shared/decimal.ts";
import type { Instant } from "../shared/instant.ts";

/** The ECB publishes its reference rates at about 16:00 in Frankfurt. */
const PUBLICATION_HOUR = 16;

/** The day of the last reference rate published before the payment: strictly, 16:00 itself is too early. */
export function referenceDay(paidAt: Instant): CivilDate {
  // Instants are whole milliseconds: "before paidAt" is "not after the millisecond that precedes it".
  const { date, hour } = frankfurtTime(paidAt - 1);
  return lastTargetDayUpTo(hour >= PUBLICATION_HOUR ? date : previousDay(date));
}

/** The ECB's day: a rate of a later one cannot have been published. */
export function frankfurtDate(instant: Instant): CivilDate {
  return frankfurtTime(instant).date;
}

/** Separate from `localTime`, which knows only the zones of issuers. */
function frankfurtTime(instant: Instant): { readonly date: CivilDate; readonly hour: number } {
  const parts = new Map(
    frankfurtClock()
      .formatToParts(instant)
      .map((part) => [part.type, part.value]),
  );
  const read = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? "";
  return {
    date: civilDate(`${read("year")}-${read("month")}-${read("day")}`),
    hour: Number(read("hour")),
  };
}

let clock: Intl.DateTimeFormat | undefined;

/** Made on first use: it costs the start of the Worker a millisecond. */
function frankfurtClock(): Intl.DateTimeFormat {
  clock ??= new Intl.DateTimeFormat("en-CA", {
    timeZone: "Europe/Berlin",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    hourCycle: "h23",
  });
  return clock;
}

const FRIDAY = 5;

/** Holidays with a fixed date: New Year, Labour Day, Christmas and the day after. */
const FIXED_HOLIDAYS: ReadonlySet<string> = new Set(["01-01", "05-01", "12-25", "12-26"]);

/**
 * True if TARGET, the payment system of the Eurosystem, is open: on these days the ECB publishes its rates.
 * The calendar is in force since 2002; national holidays do not count.
 */
export function isTargetDay(date: CivilDate): boolean {
  if (weekday(date) > FRIDAY || FIXED_HOLIDAYS.has(date.slice(5))) return false;
  const easter = easterSunday(yearOf(date));
  const isEasterMonday = previousDay(date) === easter;
  const isGoodFriday = date === previousDay(previousDay(easter));
  return !isEasterMonday && !isGoodFriday;
}

/** The day itself when TARGET is open on it, else the last open one before. */
export function lastTargetDayUpTo(date: CivilDate): CivilDate {
  let day = date;
  while (!isTargetDay(day)) day = previousDay(day);
  return day;
}

/** All open days between the two, which count, oldest first. */
export function targetDaysBetween(first: CivilDate, last: CivilDate): CivilDate[] {
  const days: CivilDate[] = [];
  for (let day = lastTargetDayUpTo(last); day >= first; day = lastTargetDayUpTo(previousDay(day))) {
    days.push(day);
  }
  return days.reverse();
}

/** The Gregorian computus (Oudin): the first Sunday after the ecclesiastical full moon of spring. */
export function easterSunday(year: number): CivilDate {
  const century = quotient(year, 100);
  const golden = year % 19;
  const epact = century - quotient(century, 4) - quotient(8 * century + 13, 25) + 19 * golden + 15;
  const moon = epact % 30;
  const late = quotient(moon, 28) * (1 - quotient(29, moon + 1) * quotient(21 - golden, 11));
  const fullMoon = moon - late; // in days after 21 March
  const leapDays = quotient(year, 4) - century + quotient(century, 4);
  const sinceSunday = (year + leapDays + fullMoon + 2) % 7;
  const dayOfMarch = 28 + fullMoon - sinceSunday; // above 31 it is in April
  return civilDate(new Date(Date.UTC(year, 2, dayOfMarch)).toISOString().slice(0, 10));
}

function quotient(dividend: number, divisor: number): number {
  return Math.floor(dividend / divisor);
}

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
