import { type CivilDate, civilDate, laterOf, yearOf } from "../shared/civil-date.ts";

/**
 * Codigo de Comercio, article 30: six years from the last entry in the books of the year. Articles 66 and 70
 * of the Ley General Tributaria, to which article 19 of RD 1619/2012 refers, end before.
 */
const YEARS_KEPT = 6;

/** Article 369 of Directive 2006/112/EC: sales of the one-stop shop, from the end of their year. */
const YEARS_KEPT_OF_ONE_STOP_SHOP = 10;

/**
 * Orders without an invoice and customer data from shops are deleted after two years without a change. By
 * then the sale is closed, and the shop has its own data. GDPR, article 5.1.e.
 */
export const DAYS_WITHOUT_NEED = 730;

/** The last day on which invoices of that year have to be kept. */
export function keptUntil(year: number, hasOneStopShop = false): CivilDate {
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
export function mayLeave(year: number, hasOneStopShop: boolean, today: CivilDate): boolean {
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
