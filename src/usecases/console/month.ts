import { civilDate } from "../../domain/shared/civil-date.ts";
import { type Instant, localTime, type TimeZone } from "../../domain/shared/instant.ts";

const HOUR_MS = 3_600_000;
/** How far the zones of issuers are from UTC, in summer and in winter. */
const OFFSETS = [0, 1, 2];

/** A month, `YYYY-MM`, from its first moment in the zone to the first one behind it. */
export function monthIn(month: string, zone: TimeZone): { readonly from: Instant; readonly to: Instant } {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const following = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
  return { from: beginningOf(`${month}-01`, zone), to: beginningOf(following, zone) };
}

/** The earliest moment of the day: midnight by the clock of the zone. */
export function beginningOf(day: string, zone: TimeZone): Instant {
  const midnight = Date.parse(`${civilDate(day)}T00:00:00Z`);
  const isOfDay = (at: Instant) => localTime(at, zone).date === day;
  return Math.min(...OFFSETS.map((hours) => midnight - hours * HOUR_MS).filter(isOfDay));
}
