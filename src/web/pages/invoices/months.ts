import { dayIn } from "../../words/format.ts";

/** `YYYY-MM` of today in the zone. */
export function thisMonth(timeZone: string, now = new Date()): string {
  return dayIn(timeZone, now).slice(0, 7);
}

const MOST = 120;

/** Months from the last one back to the first. */
export function monthsUntil(first: string | undefined, last: string): readonly string[] {
  const months = [last];
  for (let month = last; first !== undefined && month > first && months.length < MOST; ) {
    month = before(month);
    months.push(month);
  }
  return months;
}

function before(month: string): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7);
}
