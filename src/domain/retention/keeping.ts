import { type CivilDate, civilDate, laterOf, yearOf } from "../shared/civil-date.ts";

/**
 * Codigo de Comercio, article 30: six years from the last entry in the books of the year. Articles 66 and 70
 * of the Ley General Tributaria, to which article 19 of RD 1619/2012 refers, end before.
 */
const YEARS_KEPT = 6;

/** Article 369 of Directive 2006/112/EC: sales of the one-stop shop, from the end of their year. */
const YEARS_KEPT_OF_ONE_STOP_SHOP = 10;

/**
 * Orders without an invoice, drafts of invoices and customer data from shops are deleted after two years
 * without a change. By then the sale is closed, and the shop has its own data. GDPR, article 5.1.e.
 */
export const DAYS_WITHOUT_NEED = 730;

/** Bodies that a shop delivered and that decided no order: long enough to find out why. */
export const DAYS_OF_BODIES = 30;

/** A shop repeats a delivery for a few days at most. */
export const DAYS_OF_DELIVERIES = 90;

/** The last day on which invoices of that year have to be kept. */
function keptUntil(year: number, hasOneStopShop = false): CivilDate {
  const years = hasOneStopShop ? YEARS_KEPT_OF_ONE_STOP_SHOP : YEARS_KEPT;
  return civilDate(`${year + years}-12-31`);
}

/** The last day on which the invoices of one order have to be kept; undefined without an invoice. */
export function keptOf({
  invoices,
}: {
  readonly invoices: readonly { readonly issueDate: CivilDate; readonly hasOneStopShop: boolean }[];
}): CivilDate | undefined {
  const days = invoices.map(({ issueDate, hasOneStopShop }) => keptUntil(yearOf(issueDate), hasOneStopShop));
  const [first, ...others] = days;
  return first && others.reduce(laterOf, first);
}

/** True after the last day on which the year must be kept. */
function mayLeave(year: number, hasOneStopShop: boolean, today: CivilDate): boolean {
  return today > keptUntil(year, hasOneStopShop);
}

/** The year of a series, which its code ends with. */
export function yearOfSeries(code: string): number | undefined {
  const [, year] = /-(\d{4})$/.exec(code) ?? [];
  return year === undefined ? undefined : Number(year);
}

/** The year of a date as records have it, dd-mm-yyyy. */
export function yearOfAeatDate(date: string): number {
  return Number(date.slice(6, 10));
}

/** The facts of a year to retire, and of possible obstacles. */
export interface CurrentYear {
  readonly year: number;
  readonly isFrozen: boolean;
  /** The run of that year, where there was or is one. */
  readonly run?: { readonly endedAt?: number };
  /** A later year was retired, or another one is being retired. */
  readonly isBlockedByAnotherYear: boolean;
  /** The earliest year of which there are invoices. */
  readonly earliestYear?: number;
  readonly hasOneStopShop: boolean;
  readonly chains: readonly CurrentChain[];
}

export interface CurrentChain {
  readonly installationNumber: string;
  /** Its last record of the year or before; 0 where there is none. */
  readonly cut: number;
  /** Up to that year: undecided records, or a message in transit. */
  readonly isUnsubmitted: boolean;
  /** Up to that year: records that are not in the lists yet. */
  readonly isUnentered: boolean;
}

export type Obstacle =
  | { readonly code: "frozen" | "behind_another" }
  | { readonly code: "too_young" | "one_stop_shop"; readonly until: CivilDate }
  | { readonly code: "ended"; readonly at: number }
  | { readonly code: "earlier_year"; readonly year: number }
  | { readonly code: "unsubmitted" | "not_entered"; readonly chain: string };

/** All obstacles to retiring a year; the database triggers refuse the same. */
export function obstaclesOf(current: CurrentYear, today: CivilDate): readonly Obstacle[] {
  const { year, run, earliestYear, hasOneStopShop, chains } = current;
  if (run?.endedAt !== undefined) return [{ code: "ended", at: run.endedAt }];
  const obstacles: Obstacle[] = [];
  if (current.isFrozen) obstacles.push({ code: "frozen" });
  if (!mayLeave(year, false, today)) obstacles.push({ code: "too_young", until: keptUntil(year) });
  else if (!mayLeave(year, hasOneStopShop, today)) {
    obstacles.push({ code: "one_stop_shop", until: keptUntil(year, true) });
  }
  if (current.isBlockedByAnotherYear) obstacles.push({ code: "behind_another" });
  if (earliestYear !== undefined && earliestYear < year) {
    obstacles.push({ code: "earlier_year", year: earliestYear });
  }
  for (const { installationNumber: chain, isUnsubmitted, isUnentered } of chains) {
    if (isUnsubmitted) obstacles.push({ code: "unsubmitted", chain });
    if (isUnentered) obstacles.push({ code: "not_entered", chain });
  }
  return obstacles;
}
