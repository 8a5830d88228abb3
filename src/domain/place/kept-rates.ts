import type { CivilDate } from "../shared/civil-date.ts";
import type { Decimal } from "../shared/decimal.ts";
import type { Instant } from "../shared/instant.ts";
import type { Place } from "./place.ts";
import { type RateArea, rateAreasOf } from "./vat-rates.ts";

/** A rate missing in the table, declared by the owner for a place. */
export interface AreaRate {
  readonly area: RateArea;
  /** Percent. */
  readonly rate: Decimal;
}

export interface KeptRate extends AreaRate {
  readonly from: CivilDate;
}

/** With the time of the declaration. */
export interface NewlyKept extends KeptRate {
  readonly keptAt: Instant;
}

/** The owner's rates for a place on a day. */
export function keptIn(place: Place, date: CivilDate, kept: readonly KeptRate[]): readonly Decimal[] {
  const areas = rateAreasOf(place);
  return kept.filter(({ area, from }) => areas.includes(area) && from <= date).map(({ rate }) => rate);
}

/** The area of a place: its region, or the state if the postcode does not show the region. */
export function areaOf(place: Place): RateArea | undefined {
  return rateAreasOf(place)[0];
}

/** With another rate kept: of the same one, the earlier day counts. */
export function withKept(kept: readonly KeptRate[], rate: KeptRate): readonly KeptRate[] {
  const known = kept.find((one) => isSameRate(one, rate));
  if (known && known.from <= rate.from) return kept;
  return [...kept.filter((one) => one !== known), rate];
}

export function isSameRate(a: AreaRate, b: AreaRate): boolean {
  return a.area === b.area && a.rate === b.rate;
}

/** Encodes an area and rate as the text that a reason carries. */
export function aboutRate({ area, rate }: AreaRate): string {
  return `${area} ${rate}`;
}

export function rateAbout(about: string): AreaRate {
  const [area, rate] = about.split(" ");
  // Written by the function above.
  return { area: area as RateArea, rate: rate as Decimal };
}
