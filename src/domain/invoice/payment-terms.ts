import type { CivilDate } from "../shared/civil-date.ts";

export const PAYMENT_MEANS = ["transfer", "direct_debit", "card", "cash", "cheque", "other"] as const;
export type PaymentMeans = (typeof PAYMENT_MEANS)[number];

/** How an invoice is paid. */
export interface PaymentTerms {
  readonly means?: PaymentMeans;
  /** The account that a transfer credits, or that a direct debit takes from. */
  readonly iban?: string;
  readonly bic?: string;
  readonly reference?: string;
  /** The mandate of a direct debit. */
  readonly mandate?: string;
  /** The whole invoice has been paid. */
  readonly paidOn?: CivilDate;
}

export interface SettlementTerms {
  readonly dueDate?: CivilDate;
  readonly payment?: PaymentTerms;
}

/** Due date and payment of an invoice: the request's own, else what its issuer had set at issue. */
export function termsOf(document: {
  readonly request: SettlementTerms;
  readonly terms?: SettlementTerms;
}): SettlementTerms {
  const { request, terms = {} } = document;
  const dueDate = request.dueDate ?? terms.dueDate;
  // A request that states a reference alone is paid by the issuer's usual means.
  const payment = terms.payment ? { ...terms.payment, ...request.payment } : request.payment;
  return { ...(dueDate === undefined ? {} : { dueDate }), ...(payment ? { payment } : {}) };
}

/** Means that need nothing of the customer: a debit takes a mandate, which each customer gives for itself. */
export const USUAL_MEANS = ["transfer", "card", "cash", "cheque", "other"] as const satisfies PaymentMeans[];

/** Days to pay of a year at most. */
export const MOST_DUE_DAYS = 365;

export interface UsualPayment extends Pick<PaymentTerms, "iban" | "bic"> {
  readonly means: (typeof USUAL_MEANS)[number];
}

/** The usual terms of an issuer, or of one of its profiles. */
export interface UsualTerms {
  readonly payment?: UsualPayment;
  /** Days from the issue date to the due date. */
  readonly dueDays?: number;
}
