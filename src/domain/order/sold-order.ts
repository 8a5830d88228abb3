import type { Payment } from "../invoice/document.ts";
import { grossOf } from "../invoice/tax-groups.ts";
import { add, type Decimal, round, subtract, sum } from "../shared/decimal.ts";
import type { TaxIdentifier } from "../shared/tax-identifier.ts";
import type { OrderContext } from "./context.ts";
import { operationDateOf } from "./dates.ts";
import { creditReasons, readDiscounts } from "./discounts.ts";
import { amountOf, scaleIn } from "./fact-text.ts";
import type { Discount } from "./facts.ts";
import { amountReasons, haveHomeRates, keyedLines, rateReasons, readCombinedRates } from "./line-taxes.ts";
import { readTotals } from "./order-totals.ts";
import { readPlace } from "./place.ts";
import type { Sale } from "./profile.ts";
import { because, type OrderWarning, type Reason } from "./reasons.ts";
import { formSoldGroups, isInBreakdown, type SoldGroup } from "./sold-groups.ts";
import { isFree, type KeyedLine, type SoldLine, soldLines } from "./sold-lines.ts";
import { type Reduction, treatUnmapped } from "./unmapped-totals.ts";
import { readVouchers } from "./vouchers.ts";

/** The order as sold under the owner's settings: what would be invoiced, and what stands in the way. */
export interface SoldOrder {
  readonly lines: readonly KeyedLine[];
  readonly groups: readonly SoldGroup[];
  readonly reductions: readonly Reduction[];
  readonly payments: readonly Payment[];
  readonly printed: readonly Discount[];
  /** Ids of lines that the invoice leaves out. */
  readonly leftOut: ReadonlySet<string>;
  readonly hasVouchersOnly: boolean;
  readonly warnings: readonly OrderWarning[];
  readonly reasons: readonly Reason[];
}

/** Steps 4 to 7 of the ladder: amounts outside the lines, discounts, vouchers, taxes. */
export function readSoldOrder(
  context: OrderContext,
  sale: Sale,
  identifier: TaxIdentifier | undefined,
): SoldOrder {
  const { facts } = context;
  const { sales } = sale;
  const { corrections, warnings, reasons: mismatch } = readTotals(context, sales);
  const treated = treatUnmapped(facts, sales);
  const discounts = readDiscounts(facts, sale, context.answers);
  const vouchers = readVouchers(soldLines(facts), sales, facts.currency);
  const { keyed, isAnything, ...taxes } = taxLines(context, sale, {
    lines: [...vouchers.lines, ...treated.fees],
    identifier,
  });
  const reductions = [...treated.reductions, ...discounts.reductions];
  // While something is open the total says nothing of what would be invoiced.
  const isOpen = [mismatch, treated.reasons, discounts.reasons].some(({ length }) => length > 0);
  const scale = scaleIn(facts.currency);
  const total = isOpen
    ? undefined
    : round(invoiceTotal(facts.total, [treated.aside, vouchers.aside], discounts.payments), scale);
  const groups = formSoldGroups({ lines: keyed, reductions, corrections, total, scale }).filter(
    isInBreakdown,
  );
  const credit = groups.length === 0 && isAnything ? creditReasons(discounts.credit, facts) : [];
  return {
    lines: keyed,
    groups,
    reductions,
    payments: [...treated.payments, ...discounts.payments],
    printed: discounts.printed,
    leftOut: new Set(vouchers.leftOut.flatMap(({ ids }) => ids)),
    hasVouchersOnly: vouchers.leftOut.length > 0 && !isAnything,
    warnings,
    reasons: [
      ...mismatch,
      ...treated.reasons,
      ...discounts.reasons,
      ...credit,
      ...vouchers.reasons,
      ...taxes.reasons,
      ...excessReasons(groups, total, facts.currency),
    ],
  };
}

interface Taxable {
  readonly lines: readonly SoldLine[];
  readonly identifier: TaxIdentifier | undefined;
}

/** Where the sale goes decides how its lines are taxed; until that is known only their sums are judged. */
function taxLines(context: OrderContext, sale: Sale, { lines: sold, identifier }: Taxable) {
  const { issuer, facts } = context;
  const operationDate = operationDateOf(context);
  const atHome = readCombinedRates(sold, issuer, operationDate);
  const taxable = sold.filter((line) => !isFree(line));
  const homeLines = atHome.filter((line) => !isFree(line));
  const hasHomeRates = haveHomeRates(homeLines, issuer, operationDate);
  const place = readPlace({ context, sale, lines: taxable, homeLines, identifier, hasHomeRates });
  // Where no line is taxed here, 26.2 is a rate of somewhere else.
  const lines = place.taxation === undefined || place.taxation === "home" ? atHome : sold;
  const under = { issuer, sales: sale.sales, taxation: place.taxation ?? "home", operationDate } as const;
  const reasons = [
    ...amountReasons(lines, facts.currency),
    ...(place.taxation ? rateReasons(lines, under) : []),
    ...place.reasons,
  ];
  return { keyed: keyedLines(lines, under), isAnything: taxable.length > 0, reasons };
}

/** Discounts beyond everything that is sold would leave an invoice below zero. */
function excessReasons(groups: readonly SoldGroup[], total: Decimal | undefined, currency: string): Reason[] {
  if (total === undefined || total === sum(groups.map(({ amounts }) => grossOf(amounts)))) return [];
  const amount = amountOf(total, currency);
  return [because("not_invoiceable", { refusal: "negative_total_needs_rectification", amount })];
}

/** The order's total less what is payment, voucher or non-taxable. */
function invoiceTotal(
  total: Decimal,
  aside: readonly Decimal[],
  paidByDiscounts: readonly Payment[],
): Decimal {
  return add(subtract(total, sum(aside)), sum(paidByDiscounts.map(({ amount }) => amount)));
}
