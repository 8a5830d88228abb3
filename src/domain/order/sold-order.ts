import type { SalesSettings } from "../billing/sales-settings.ts";
import type { Payment } from "../invoice/document.ts";
import { grossOf } from "../invoice/tax-groups.ts";
import { add, type Decimal, isZero, round, subtract, sum } from "../shared/decimal.ts";
import type { TaxIdentifier } from "../shared/tax-identifier.ts";
import type { OrderContext } from "./context.ts";
import { operationDateOf } from "./dates.ts";
import { readPlace } from "./destination.ts";
import { amountOf, scaleIn } from "./fact-text.ts";
import type { Discount } from "./facts.ts";
import { amountReasons, haveHomeRates, keyedLines, rateReasons, readCombinedRates } from "./line-taxes.ts";
import { readTotals } from "./order-totals.ts";
import { creditReasons, type Reduction, readDiscounts, treatUnmapped } from "./other-totals.ts";
import type { Sale } from "./profile.ts";
import { because, type OrderWarning, type Reason } from "./reasons.ts";
import { formSoldGroups, isInBreakdown, type SoldGroup } from "./sold-groups.ts";
import { grossOfLine, isFree, type KeyedLine, type SoldLine, soldLines } from "./sold-lines.ts";

/** The order as sold under the owner's settings: the invoice, and the reasons against it. */
export interface SoldOrder {
  readonly lines: readonly KeyedLine[];
  readonly groups: readonly SoldGroup[];
  readonly reductions: readonly Reduction[];
  readonly payments: readonly Payment[];
  readonly printed: readonly Discount[];
  /** Ids of lines that are not on the invoice. */
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
  // With open reasons the total does not yet show the invoiced amount.
  const isOpen = [mismatch, treated.reasons, discounts.reasons].some(({ length }) => length > 0);
  const scale = scaleIn(facts.currency);
  const total = isOpen
    ? undefined
    : round(invoiceTotal(facts.total, [treated.excluded, vouchers.excluded], discounts.payments), scale);
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

/** The destination decides how lines are taxed; while it is unknown only their sums are judged. */
function taxLines(context: OrderContext, sale: Sale, { lines: sold, identifier }: Taxable) {
  const { issuer, facts } = context;
  const operationDate = operationDateOf(context);
  const atHome = readCombinedRates(sold, issuer, operationDate);
  const taxable = sold.filter((line) => !isFree(line));
  const homeLines = atHome.filter((line) => !isFree(line));
  const hasHomeRates = haveHomeRates(homeLines, issuer, operationDate);
  const place = readPlace({ context, sale, lines: taxable, homeLines, identifier, hasHomeRates });
  // If no line is taxed here, 26.2 is another country's rate.
  const lines = place.taxation === undefined || place.taxation === "home" ? atHome : sold;
  const under = { issuer, sales: sale.sales, taxation: place.taxation ?? "home", operationDate } as const;
  const reasons = [
    ...amountReasons(lines, facts.currency),
    ...(place.taxation ? rateReasons(lines, under) : []),
    ...place.reasons,
  ];
  return { keyed: keyedLines(lines, under), isAnything: taxable.length > 0, reasons };
}

/** Discounts above the sold total would make an invoice negative. */
function excessReasons(groups: readonly SoldGroup[], total: Decimal | undefined, currency: string): Reason[] {
  if (total === undefined || total === sum(groups.map(({ amounts }) => grossOf(amounts)))) return [];
  const amount = amountOf(total, currency);
  return [because("not_invoiceable", { refusal: "negative_total_needs_rectification", amount })];
}

/** The order's total less payments, vouchers and non-taxable amounts. */
function invoiceTotal(
  total: Decimal,
  excluded: readonly Decimal[],
  paidByDiscounts: readonly Payment[],
): Decimal {
  return add(subtract(total, sum(excluded)), sum(paidByDiscounts.map(({ amount }) => amount)));
}

interface VoucherReading {
  /** The lines that are invoiced. */
  readonly lines: readonly SoldLine[];
  /** Vouchers that are not on the invoice. */
  readonly leftOut: readonly SoldLine[];
  readonly excluded: Decimal;
  readonly reasons: readonly Reason[];
}

/**
 * Directive 2016/1065: the sale of a multi-purpose voucher is no sale of goods, it is taxed when it is used;
 * a single-purpose one is taxed when it is sold.
 */
export function readVouchers(
  lines: readonly SoldLine[],
  sales: Pick<SalesSettings, "voucherKind">,
  currency: string,
): VoucherReading {
  const isMultiPurpose = sales.voucherKind === "multi_purpose";
  const vouchers = lines.filter((line) => line.kind === "gift_voucher" && !isFree(line));
  const leftOut = isMultiPurpose ? vouchers : [];
  const conflict = vouchers.find((line) => isTaxed(line) === isMultiPurpose);
  return {
    lines: lines.filter((line) => !leftOut.includes(line)),
    leftOut,
    excluded: sum(leftOut.map(grossOfLine)),
    reasons: conflict ? [conflictReason(conflict, sales, currency)] : [],
  };
}

function isTaxed(line: SoldLine): boolean {
  return !isZero(line.tax) || !isZero(line.surcharge);
}

function conflictReason(line: SoldLine, sales: Pick<SalesSettings, "voucherKind">, currency: string): Reason {
  const facts = { line: line.name, tax: amountOf(line.tax, currency), kind: { phrase: sales.voucherKind } };
  return because("voucher_kind_conflict", facts, line.name);
}
