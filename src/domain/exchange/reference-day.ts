import { type CivilDate, civilDate, previousDay } from "../shared/civil-date.ts";
import type { Instant } from "../shared/instant.ts";
import { lastTargetDayUpTo } from "./target-calendar.ts";

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
