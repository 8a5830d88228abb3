import { type CivilDate, civilDate, previousDay, weekday, yearOf } from "../shared/civil-date.ts";

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
