import type { Instant, TimeZone } from "../domain/shared/instant.ts";
import type { PageQuery, PageRead } from "./orders/listed-orders.ts";

/** Start of a list's page: after a row or before it. */
export interface Place<Key> {
  readonly way: "after" | "before";
  readonly key: Key;
}

interface Page<Row, Key> {
  readonly items: readonly Row[];
  readonly previous?: Place<Key>;
  readonly next?: Place<Key>;
}

/** The page with the places of its neighbours, so that the user can page in both directions. */
export function pageAround<Row, Key>(
  { rows, hasMore }: PageRead<Row>,
  from: PageQuery<Key>["from"],
  keyOf: (row: Row) => Key,
): Page<Row, Key> {
  const [first, last] = [rows[0], rows.at(-1)];
  const isBackwards = from?.way === "before";
  const isPrevious = isBackwards ? hasMore : from !== undefined;
  const isNext = isBackwards || hasMore;
  return {
    items: rows,
    ...(first && isPrevious ? { previous: { way: "before", key: keyOf(first) } } : {}),
    ...(last && isNext ? { next: { way: "after", key: keyOf(last) } } : {}),
  };
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

/**
 * The first instant of the day, `YYYY-MM-DD`, in the zone. A range may end on the day after the last valid
 * date, so the day is plain text.
 */
export function beginningOf(day: string, zone: TimeZone): Instant {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const isOfDay = (at: Instant) => formatIn(zone).format(at) === day;
  return Math.min(...OFFSETS.map((hours) => midnight - hours * HOUR_MS).filter(isOfDay));
}

const formats = new Map<TimeZone, Intl.DateTimeFormat>();

function formatIn(zone: TimeZone): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const day = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const made = new Intl.DateTimeFormat("en-CA", { ...day, timeZone: zone });
  formats.set(zone, made);
  return made;
}
