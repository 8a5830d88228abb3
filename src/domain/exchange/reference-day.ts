import { type CivilDate, civilDate, previousDay, weekday, yearOf } from "../shared/civil-date.ts";
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
