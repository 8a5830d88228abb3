import {
  absolute,
  add,
  compare,
  type Decimal,
  decimal,
  isNegative,
  isPositive,
  negate,
  round,
  subtract,
  sum,
  ZERO,
} from "../shared/decimal.ts";
import { money } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import type { InvoiceDocument, Rectified, TaxGroup } from "./document.ts";
import { scaleOf } from "./prepare.ts";
import { type Rectification, rectifiedInRecord } from "./rectifiable.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { Disbursement, InvoiceRequest } from "./request.ts";
import { grossOf, sumAmounts } from "./tax-groups.ts";

/** Twelve integer digits (AEAT), and no refund in the clothes of an invoice. */
export function checkTotals(
  request: InvoiceRequest,
  { groups, rectified }: Rectification,
): Result<void, IssueRefusal> {
  const inRange = checkRange(request, groups, rectified);
  return inRange.ok ? checkSign(request, groups) : inRange;
}

/** Total in EUR, which the limits of simplified invoices are compared with. */
export function totalInEur(groups: readonly TaxGroup[]): Decimal {
  return sum(groups.map((group) => grossOf(group.eur)));
}

const FIRST_OUT_OF_RANGE = decimal("1000000000000");

/** Every amount in record or document: groups, totals, amount due, and substituted amounts. */
function checkRange(
  request: InvoiceRequest,
  groups: readonly TaxGroup[],
  rectified: Rectified | undefined,
): Result<void, IssueRefusal> {
  const all = [
    sumAmounts(groups.map((group) => group.amounts)),
    sumAmounts(groups.map((group) => group.eur)),
  ];
  const each = groups.flatMap((group) => [group.amounts, group.eur]);
  const shown = [...all, ...each, ...(rectified ? [rectifiedInRecord(rectified)] : [])];
  const disbursed = totalDisbursed(request);
  const withDisbursed = add(disbursed, sum(groups.map((group) => grossOf(group.amounts))));
  const amounts = [...shown.flatMap((of) => [grossOf(of), of.base, of.tax, of.surcharge]), withDisbursed];
  const tooLarge = amounts.find((amount) => compare(absolute(amount), FIRST_OUT_OF_RANGE) >= 0);
  return tooLarge === undefined
    ? ok(undefined)
    : refuse("total_out_of_range", { total: { amount: tooLarge } });
}

/** A smaller negative group is an ordinary discount or return; more than the rest gives is a refund. */
function checkSign(request: InvoiceRequest, groups: readonly TaxGroup[]): Result<void, IssueRefusal> {
  if (request.invoiceType !== "F1" && request.invoiceType !== "F2") return ok(undefined);
  const gross = groups.map((group) => grossOf(group.amounts));
  const negative = sum(gross.filter(isNegative));
  const positive = sum(gross.filter(isPositive));
  if (compare(negate(negative), positive) <= 0) return ok(undefined);
  return refuse("negative_total_needs_rectification", { amount: money(sum(gross), request.currency) });
}

/** Each in the minor units of the currency, as every amount that is printed. */
export function disbursementsOf({
  currency,
  disbursements = [],
}: Pick<InvoiceRequest, "currency" | "disbursements">): readonly Disbursement[] {
  const scale = scaleOf(currency);
  return disbursements.map(({ description, amount }) => ({ description, amount: round(amount, scale) }));
}

export function totalDisbursed(request: Pick<InvoiceRequest, "currency" | "disbursements">): Decimal {
  return sum(disbursementsOf(request).map(({ amount }) => amount));
}

type Payable = Pick<InvoiceDocument, "request" | "totals" | "withholding" | "payments">;

/** The amount due; undefined if it equals the total. */
export function payableOf({ request, totals, withholding, payments = [] }: Payable): Decimal | undefined {
  const { disbursements = [] } = request;
  if (withholding === undefined && payments.length + disbursements.length === 0) return undefined;
  const paid = sum(payments.map(({ amount }) => amount));
  const taken = add(withholding ?? ZERO, paid);
  return add(subtract(totals.total, taken), totalDisbursed(request));
}
