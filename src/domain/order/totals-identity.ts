import type { SalesSettings } from "../billing/sales-settings.ts";
import { add, type Decimal, isZero, round, subtract, sum } from "../shared/decimal.ts";
import type { Fact } from "../shared/fact.ts";
import { isIncluded } from "./discounts.ts";
import { amountOf, scaleIn } from "./fact-text.ts";
import type { OrderFacts } from "./facts.ts";
import type { OrderWarning, Reason } from "./reasons.ts";
import { because } from "./reasons.ts";
import { grossOfLine, soldLines } from "./sold-lines.ts";

/** Lines less discounts plus the rest, beside the order's total. */
export interface Identity {
  readonly computed: Decimal;
  readonly total: Decimal;
  /** What the total is more than they come to. */
  readonly difference: Decimal;
  readonly discounts: Decimal;
  readonly holdsWithoutDiscounts: boolean;
}

/** To the cent, compared after rounding the sum; `corrected` is what the lines are more than they say. */
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

/** Both figures; `rates` are those that could take a difference of rounding. */
export function mismatchReasons(identity: Identity, currency: string, rates?: readonly Fact[]): Reason[] {
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
  // What discounts take of the tax is known only with the invoice.
  const isLowered = facts.discounts.length + facts.unmappedTotals.length > 0;
  if (invoicedTax === undefined && isLowered) return [];
  const figures = { total_tax: amountOf(stated, currency), computed: amountOf(ofLines, currency) };
  return [{ code: "total_tax_differs", facts: figures }];
}
