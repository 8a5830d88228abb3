import { type CivilDate, civilDate } from "./civil-date.ts";

/** Milliseconds since the epoch. Callers read the clock and pass it in. */
export type Instant = number;

export const TIME_ZONES = ["Europe/Madrid", "Atlantic/Canary"] as const;
export type TimeZone = (typeof TIME_ZONES)[number];

export interface LocalTime {
  readonly date: CivilDate;
  /** `YYYY-MM-DDThh:mm:ss+hh:mm`: the only form that the AEAT takes (error 1244 for any other). */
  readonly timestamp: string;
}

let last: { readonly second: number; readonly zone: string; readonly time: LocalTime } | undefined;

/** The civil date and the timestamp with offset of one instant in a zone, mostly the issuer's. */
export function localTime(instant: Instant, zone: string): LocalTime {
  // Formatting is slow, and most calls ask for the current second.
  const second = Math.floor(instant / 1_000);
  if (last?.second === second && last.zone === zone) return last.time;
  const time = formattedTime(instant, zone);
  last = { second, zone, time };
  return time;
}

function formattedTime(instant: Instant, zone: string): LocalTime {
  const parts = new Map(
    formatterFor(zone)
      .formatToParts(instant)
      .map((part) => [part.type, part.value]),
  );
  const read = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? "";
  const date = civilDate(`${read("year")}-${read("month")}-${read("day")}`);
  const offset = read("timeZoneName").replace("GMT", "") || "+00:00";
  return { date, timestamp: `${date}T${read("hour")}:${read("minute")}:${read("second")}${offset}` };
}

/** As every answer of the console writes an instant: in UTC, with milliseconds. */
export function isoInstant(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** Members of `Value` that hold an instant, or nothing. */
type InstantMember<Value> = {
  [Member in keyof Value]-?: Exclude<Value[Member], undefined> extends Instant ? Member : never;
}[keyof Value];

type WithIso<Value, Name extends keyof Value> = {
  [Member in keyof Value]: Member extends Name ? IsoText<Value[Member]> : Value[Member];
};

type IsoText<Value> = undefined extends Value ? string | undefined : string;

/** The same members, of which the named instants are ISO texts; what is absent stays absent. */
export function withIso<Value extends object, Name extends InstantMember<Value>>(
  value: Value,
  ...names: readonly Name[]
): WithIso<Value, Name> {
  const isNamed = (member: string) => names.some((name) => name === member);
  const members = Object.entries(value).map(([member, held]) =>
    isNamed(member) && typeof held === "number" ? [member, isoInstant(held)] : [member, held],
  );
  // The walk implements the type; the compiler cannot check that.
  return Object.fromEntries(members) as WithIso<Value, Name>;
}

export function instantOf(timestamp: string): Instant {
  return Date.parse(timestamp);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "longOffset",
  });
  formatters.set(zone, made);
  return made;
}
