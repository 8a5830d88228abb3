import { add, type Decimal, round, subtract, sum, ZERO } from "../shared/decimal.ts";
import type { InvoiceDocument } from "./document.ts";
import { scaleOf } from "./prepare.ts";
import type { Disbursement, InvoiceRequest } from "./request.ts";

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
