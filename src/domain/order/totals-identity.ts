import type { SalesSettings } from "../billing/sales-settings.ts";
import { add, type Decimal, isZero, round, subtract, sum } from "../shared/decimal.ts";
import { isIncluded } from "./discounts.ts";
import { amountOf, scaleIn } from "./fact-text.ts";
import type { OrderFacts } from "./facts.ts";
import type { OrderWarning, Reason } from "./reasons.ts";
import { because } from "./reasons.ts";
import { grossOfLine, soldLines } from "./sold-lines.ts";

/** Lines less discounts plus the rest must be the total, to the cent, compared after rounding the sum. */
export function identityReasons(
  facts: OrderFacts,
  sales: Pick<SalesSettings, "discountsIncluded">,
): Reason[] {
  const scale = scaleIn(facts.currency);
  const taken = sum(facts.discounts.filter((each) => !isIncluded(each, sales)).map(({ amount }) => amount));
  const without = add(
    sum(soldLines(facts).map(grossOfLine)),
    sum(facts.unmappedTotals.map(({ value }) => value)),
  );
  const computed = round(subtract(without, taken), scale);
  const total = round(facts.total, scale);
  if (computed === total) return [];
  const shown = (amount: Decimal) => amountOf(amount, facts.currency);
  const mismatch = because("totals_mismatch", {
    computed: shown(computed),
    total: shown(total),
    difference: shown(subtract(total, computed)),
  });
  if (isZero(taken) || round(without, scale) !== total) return [mismatch];
  return [mismatch, because("discounts_probably_included", { discounts: shown(taken) })];
}

/** What the shop says of its tax is never used; a difference only shows that it computes otherwise. */
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
