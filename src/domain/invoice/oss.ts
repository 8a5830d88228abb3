import { type MemberState, memberStateOn } from "../place/place.ts";
import { standardRateIn } from "../place/vat-rates.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import { compare, type Decimal, decimal } from "../shared/decimal.ts";
import type { InvoiceDocument, TaxGroup } from "./document.ts";
import { isOss } from "./tax-groups.ts";

/** One-stop-shop sales are never consumed in Spain: the recipient's country is not that of consumption. */
const HOME = "ES";

/**
 * The country whose VAT the one-stop-shop sales of an invoice bear: where an order was delivered, else where
 * the recipient lives. Undefined where neither is known, and for invoices without such sales.
 */
export function consumptionCountry({
  consumedIn,
  request,
  groups,
}: Pick<InvoiceDocument, "consumedIn" | "request" | "groups">): string | undefined {
  if (!groups.some(isOss)) return undefined;
  const country = consumedIn ?? request.recipient?.country;
  return country === HOME ? undefined : country;
}

/** The rates of Spanish VAT that a shop charges by mistake where it does not know the country's. */
const SPANISH_RATES: readonly Decimal[] = ["4", "10", "21"].map(decimal);

/** A rate of a one-stop-shop sale that looks like a Spanish one. */
export interface OssDoubt {
  readonly country: MemberState;
  /** Percent. */
  readonly rate: Decimal;
  /** The standard rate of the country on the day of the sale. */
  readonly standard: Decimal;
}

/**
 * Rates that are worth a second look, ascending: 4, 10 and 21 % where the country's standard rate is another.
 * Some countries have such a rate as a reduced one, so it is said and never refused.
 */
export function ossDoubts(
  groups: readonly TaxGroup[],
  country: string | undefined,
  date: CivilDate,
): readonly OssDoubt[] {
  const state = country === undefined ? undefined : memberStateOn(country, date);
  const standard = state && standardRateIn(state, date);
  if (!state || standard === undefined) return [];
  const rates = new Set(groups.filter(isOss).map(({ rate }) => rate));
  return [...rates]
    .filter((rate) => rate !== standard && SPANISH_RATES.includes(rate))
    .sort(compare)
    .map((rate) => ({ country: state, rate, standard }));
}
