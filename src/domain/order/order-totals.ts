import type { SalesSettings } from "../billing/sales-settings.ts";
import { grossOf } from "../invoice/tax-groups.ts";
import { add, type Decimal, isZero, round, subtract, sum } from "../shared/decimal.ts";
import { type Fact, percents } from "../shared/fact.ts";
import type { OrderContext } from "./context.ts";
import { operationDateOf } from "./dates.ts";
import { isIncluded } from "./discounts.ts";
import { amountOf, scaleIn } from "./fact-text.ts";
import { fiscalFingerprint, type OrderFacts } from "./facts.ts";
import { type Combinable, readCombinedRates } from "./line-taxes.ts";
import { because, type OrderWarning, type Reason } from "./reasons.ts";
import { readRounding } from "./rounding-difference.ts";
import { grossOfLine, soldLines } from "./sold-lines.ts";
import { type RateCorrection, readTaxTotals } from "./tax-totals.ts";

/** How the amounts add up to the order's total: by its lines, by the shop's tax totals, or not at all. */
interface TotalsReading {
  readonly corrections: readonly RateCorrection[];
  readonly warnings: readonly OrderWarning[];
  readonly reasons: readonly Reason[];
}

type TotalsSales = Pick<SalesSettings, "discountsIncluded" | "roundingRate">;

/** The shop's tax totals go before its lines; of an order without them, cents of rounding are settled. */
export function readTotals(context: OrderContext, sales: TotalsSales): TotalsReading {
  const { facts, issuer } = context;
  const read = <Line extends Combinable>(lines: readonly Line[]) =>
    readCombinedRates(lines, issuer, operationDateOf(context));
  const lines = soldLines(facts);
  const identity = identityOf(facts, sales);
  const { difference } = identity;
  if (statesTaxTotals(context)) {
    const totals = readTaxTotals(facts, lines, read);
    const { corrections } = totals;
    const stated = identityOf(
      facts,
      sales,
      corrections.map(({ by }) => grossOf(by)),
    );
    if (totals.reasons.length === 0 && isZero(stated.difference)) return settled({ corrections });
    if (isZero(difference)) {
      const warnings = totals.difference ? [differs(totals.difference)] : [];
      return { ...settled({ warnings }), reasons: totals.reasons };
    }
    const asSaid = stated.holdsWithoutDiscounts ? stated : identity;
    return { ...settled({}), reasons: [...mismatchReasons(asSaid, facts.currency), ...totals.reasons] };
  }
  if (isZero(difference)) return settled({});
  // A discount that the lines have already is a discount, however small.
  const rounding = identity.holdsWithoutDiscounts
    ? undefined
    : readRounding(facts, read(lines), { difference, rate: sales.roundingRate });
  if (rounding?.taken) return settled({ corrections: [rounding.taken] });
  const rates = rounding && rounding.rates.length > 0 ? percents(rounding.rates) : undefined;
  return { ...settled({}), reasons: mismatchReasons(identity, facts.currency, rates) };
}

/** False if the owner has answered that for these facts the lines count. */
function statesTaxTotals({ facts, answers }: OrderContext): boolean {
  if (facts.taxTotals === undefined) return false;
  return answers.linesCountFor === undefined || answers.linesCountFor !== fiscalFingerprint(facts);
}

function settled(reading: Partial<TotalsReading>): TotalsReading {
  return { corrections: [], warnings: [], reasons: [], ...reading };
}

function differs(facts: Reason["facts"]): OrderWarning {
  return { code: "tax_totals_differ", facts };
}

/** The lines less discounts plus the rest, compared with the order's total. */
interface Identity {
  readonly computed: Decimal;
  readonly total: Decimal;
  /** The total less the computed sum. */
  readonly difference: Decimal;
  readonly discounts: Decimal;
  readonly holdsWithoutDiscounts: boolean;
}

/**
 * To the cent, compared after rounding the sum; `corrected` is the difference of the true amounts from the
 * lines.
 */
export function identityOf(
  facts: OrderFacts,
  sales: Pick<SalesSettings, "discountsIncluded">,
  corrected: readonly Decimal[] = [],
): Identity {
  const scale = scaleIn(facts.currency);
  const discounts = sum(
    facts.discounts.filter((each) => !isIncluded(each, sales)).map(({ amount }) => amount),
  );
  const without = sum([
    ...soldLines(facts).map(grossOfLine),
    ...corrected,
    ...facts.unmappedTotals.map(({ value }) => value),
  ]);
  const computed = round(subtract(without, discounts), scale);
  const total = round(facts.total, scale);
  return {
    computed,
    total,
    difference: subtract(total, computed),
    discounts,
    holdsWithoutDiscounts: !isZero(discounts) && round(without, scale) === total,
  };
}

/** Both amounts; `rates` are the ones that could take a rounding difference. */
function mismatchReasons(identity: Identity, currency: string, rates?: readonly Fact[]): Reason[] {
  const { computed, total, difference, discounts, holdsWithoutDiscounts } = identity;
  const shown = (amount: Decimal) => amountOf(amount, currency);
  const mismatch = because("totals_mismatch", {
    computed: shown(computed),
    total: shown(total),
    difference: shown(difference),
    ...(rates ? { rates: { all: rates } } : {}),
  });
  if (!holdsWithoutDiscounts) return [mismatch];
  return [mismatch, because("discounts_probably_included", { discounts: shown(discounts) })];
}

/** The shop's tax in all makes no invoice; a difference only shows that it computes otherwise. */
export function taxWarnings(facts: OrderFacts, invoicedTax: Decimal | undefined): OrderWarning[] {
  const { totalTax, currency } = facts;
  if (totalTax === undefined) return [];
  const scale = scaleIn(currency);
  const ofLines = round(sum(soldLines(facts).map((line) => add(line.tax, line.surcharge))), scale);
  const stated = round(totalTax, scale);
  if (stated === ofLines || stated === invoicedTax) return [];
  // The discounts' share of the tax is known only with the invoice.
  const isLowered = facts.discounts.length + facts.unmappedTotals.length > 0;
  if (invoicedTax === undefined && isLowered) return [];
  const figures = { total_tax: amountOf(stated, currency), computed: amountOf(ofLines, currency) };
  return [{ code: "total_tax_differs", facts: figures }];
}
