import type { Context } from "hono";
import { type CivilDate, civilDate } from "../domain/shared/civil-date.ts";
import { type Instant, localTime, type TimeZone } from "../domain/shared/instant.ts";
import type { Language } from "../words/words.ts";
import type { Month } from "./connections/queries.ts";
import type { ConsoleEnv } from "./deps.ts";
import { refuse } from "./refuse.ts";

interface IssuerDay {
  readonly zone: TimeZone;
  readonly today: CivilDate;
  readonly year: string;
  readonly month: Month;
}

/** Today in the time zone of the path's issuer. */
export async function issuerDay(c: Context<ConsoleEnv>): Promise<IssuerDay> {
  const { account, reads, deps } = c.var;
  const [issuer] = await reads.accounts.readAccounts([account.accountId]);
  if (!issuer) return refuse(c, "not_found");
  const { date: today } = localTime(deps.now(), issuer.timeZone);
  const year = today.slice(0, "YYYY".length);
  return { zone: issuer.timeZone, today, year, month: monthOf(deps.now(), issuer.timeZone) };
}

const FORMATS = { es: formatIn("es"), en: formatIn("en-GB") } as const;

/** Spanish gives "27 de noviembre de 2026". */
export function longDate(date: CivilDate, language: Language): string {
  return FORMATS[language].format(Date.parse(date));
}

function formatIn(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}

/** The month of an instant in the issuer's zone. */
export function monthOf(now: Instant, zone: TimeZone): Month {
  const month = localTime(now, zone).date.slice(0, "YYYY-MM".length);
  return { firstDay: civilDate(`${month}-01`), beginsAt: monthIn(month, zone).from };
}

const HOUR_MS = 3_600_000;
/** UTC offsets in hours of the issuers' zones: summer, winter and, before 1922, solar time. */
const OFFSETS = [-2, -1, 0, 1, 2];

/** The instants of a month, `YYYY-MM`, in the zone; `to` is excluded. */
export function monthIn(month: string, zone: TimeZone): { readonly from: Instant; readonly to: Instant } {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const following = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
  return { from: beginningOf(`${month}-01`, zone), to: beginningOf(following, zone) };
}

interface Days {
  readonly month?: string | undefined;
  /** First and last day, `YYYY-MM-DD`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The instants of the days in the zone, and of the month where there are both; undefined without any. */
export function daysIn({ month, from, to }: Days, zone: TimeZone): ReturnType<typeof monthIn> | undefined {
  if (month === undefined && from === undefined && to === undefined) return undefined;
  const all = month === undefined ? { from: 0, to: Number.MAX_SAFE_INTEGER } : monthIn(month, zone);
  return {
    from: from === undefined ? all.from : Math.max(all.from, beginningOf(from, zone)),
    to: to === undefined ? all.to : Math.min(all.to, beginningOf(dayAfter(to), zone)),
  };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 24 * HOUR_MS).toISOString().slice(0, 10);
}

/**
 * The first instant of the day, `YYYY-MM-DD`, in the zone. A range may end on the day after the last valid
 * date, so the day is plain text.
 */
export function beginningOf(day: string, zone: TimeZone): Instant {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const isOfDay = (at: Instant) => dayFormat(zone).format(at) === day;
  return Math.min(...OFFSETS.map((hours) => midnight - hours * HOUR_MS).filter(isOfDay));
}

const formats = new Map<TimeZone, Intl.DateTimeFormat>();

function dayFormat(zone: TimeZone): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const day = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const made = new Intl.DateTimeFormat("en-CA", { ...day, timeZone: zone });
  formats.set(zone, made);
  return made;
}
