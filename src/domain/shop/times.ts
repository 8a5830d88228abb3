import { instantFrom, instantIn, isNoDate, momentFrom, type SentOrder } from "../order/sent-order.ts";
import type { Instant } from "../shared/instant.ts";
import type { Findings } from "./mapped.ts";
import type { Native } from "./native.ts";

type Moment = NonNullable<SentOrder["orderDate"]>;

const LONGEST_DATE = 100;
const OFFSET = /^[+-]\d{2}:\d{2}$/;

/** A date in UTC; an offset that is written counts. */
export function utcInstant(place: Native): Instant | undefined {
  const moment = momentAt(place);
  if (moment === undefined) return undefined;
  return "instant" in moment ? moment.instant : instantFrom(`${moment.local}Z`);
}

/** A date in the shop's zone; without one it stays local. */
export function localMoment(place: Native, timeZone: string | undefined): Moment | undefined {
  const moment = momentAt(place);
  if (moment === undefined || "instant" in moment || timeZone === undefined) return moment;
  if (OFFSET.test(timeZone)) {
    const instant = instantFrom(`${moment.local}${timeZone}`);
    return instant === undefined ? moment : { instant };
  }
  return isTimeZone(timeZone) ? { instant: instantIn(moment, timeZone) } : moment;
}

/** The same for a fact that has to be an instant. A zone that is missing is told. */
export function localInstant(
  place: Native,
  timeZone: string | undefined,
  findings: Findings,
): Instant | undefined {
  const moment = localMoment(place, timeZone);
  if (moment === undefined || "instant" in moment) return moment?.instant;
  findings.add("time_zone", place.where);
  return undefined;
}

function momentAt(place: Native): Moment | undefined {
  const text = place.text(LONGEST_DATE);
  return text === undefined || isNoDate(text) ? undefined : momentFrom(text);
}

const knownZones = new Map<string, boolean>();

function isTimeZone(name: string): boolean {
  const known = knownZones.get(name);
  if (known !== undefined) return known;
  const isKnown = canFormat(name);
  knownZones.set(name, isKnown);
  return isKnown;
}

function canFormat(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }) !== undefined;
  } catch {
    return false;
  }
}
