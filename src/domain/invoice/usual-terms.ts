import { type CivilDate, daysAfter } from "../shared/civil-date.ts";
import { isPositive } from "../shared/decimal.ts";
import type { InvoiceDocument } from "./document.ts";
import type { SettlementTerms, UsualTerms } from "./payment-terms.ts";
import { payableOf } from "./totals.ts";

type Payable = Pick<InvoiceDocument, "request" | "totals" | "withholding" | "payments">;

/** The terms that the document keeps of its issuer's: for what the request leaves open, and is to be paid. */
export function keptTerms(
  document: Payable,
  usual: UsualTerms | undefined,
  issueDate: CivilDate,
): SettlementTerms | undefined {
  const { payment, dueDate } = document.request;
  if (!usual || payment?.paidOn !== undefined || !isLeftToPay(document)) return undefined;
  const isPaymentOpen = payment?.means === undefined && usual.payment !== undefined;
  const isDateOpen = dueDate === undefined && usual.dueDays !== undefined;
  if (!isPaymentOpen && !isDateOpen) return undefined;
  return {
    ...(isDateOpen ? { dueDate: daysAfter(issueDate, usual.dueDays ?? 0) } : {}),
    ...(isPaymentOpen && usual.payment ? { payment: usual.payment } : {}),
  };
}

function isLeftToPay(document: Payable): boolean {
  return isPositive(payableOf(document) ?? document.totals.total);
}
