import { civilDateFrom, yearOf } from "../shared/civil-date.ts";
import { type Instant, localTime, type TimeZone } from "../shared/instant.ts";

/**
 * A date and time as sent: with an offset it is an instant, without one only the issuer's zone makes it one.
 */
export type Moment = { readonly instant: Instant } | { readonly local: string };

export const FIRST_YEAR = 1970;
export const LAST_YEAR = 2099;

const DAY_MILLISECONDS = 86_400_000;
const TIME = /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?$/;
const OFFSET = /^[+-](?:[01]\d|2[0-3]):?[0-5]\d$/;
const MOMENT = /^(.{10})[Tt ](.{8}(?:\.\d+)?) ?(|[Zz]|[+-][\d:]{4,5})$/;
/** MySQL's zero date, PHP's reading of it, and the default of .NET and Go; a time may follow. */
export const NO_DATE_PATTERN = "^(0000-00-00|-0001-11-30|0001-01-01)(\\D[\\s\\S]*)?$";
const NO_DATE = new RegExp(NO_DATE_PATTERN);

/** Platforms write a date that they do not know in these ways. */
export function isNoDate(text: string): boolean {
  return NO_DATE.test(text.trim());
}

/** `YYYY-MM-DD hh:mm:ss`, with `T` or a space, with or without offset; undefined for anything else. */
export function momentFrom(text: string): Moment | undefined {
  const [, day = "", time = "", offset = ""] = MOMENT.exec(text) ?? [];
  const [, clock = "", fraction = ""] = TIME.exec(time) ?? [];
  if (clock === "" || !isDay(day)) return undefined;
  const local = `${day}T${clock}.${fraction.slice(0, 3).padEnd(3, "0")}`;
  if (offset === "") return { local };
  if (offset.toUpperCase() === "Z") return { instant: Date.parse(`${local}Z`) };
  if (!OFFSET.test(offset)) return undefined;
  return { instant: Date.parse(`${local}${offset.slice(0, 3)}:${offset.slice(-2)}`) };
}

/** RFC 3339: an instant has an offset. */
export function instantFrom(text: string): Instant | undefined {
  const moment = momentFrom(text);
  return moment && "instant" in moment ? moment.instant : undefined;
}

/** A moment, or a day alone, which begins at midnight. */
export function dayOrMomentFrom(text: string): Moment | undefined {
  return isDay(text) ? { local: `${text}T00:00:00.000` } : momentFrom(text);
}

/**
 * In a skipped hour the time counts by the offset before the change; of a repeated hour the first counts, as
 * RFC 5545 says.
 */
export function instantIn(moment: Moment, zone: TimeZone): Instant {
  if ("instant" in moment) return moment.instant;
  const wall = Date.parse(`${moment.local}Z`);
  const before = wall - offsetAt(wall - DAY_MILLISECONDS, zone);
  const after = wall - offsetAt(wall + DAY_MILLISECONDS, zone);
  const isAfter = before + offsetAt(before, zone) !== wall && after + offsetAt(after, zone) === wall;
  return isAfter ? after : before;
}

function offsetAt(instant: Instant, zone: TimeZone): number {
  const wall = Date.parse(`${localTime(instant, zone).timestamp.slice(0, 19)}Z`);
  return wall - Math.floor(instant / 1000) * 1000;
}

function isDay(text: string): boolean {
  const day = civilDateFrom(text);
  return day !== undefined && yearOf(day) >= FIRST_YEAR && yearOf(day) <= LAST_YEAR;
}
