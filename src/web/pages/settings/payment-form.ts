import type { USUAL_MEANS } from "../../../domain/invoice/payment-terms.ts";
import { spacedIban } from "../../../domain/shared/iban.ts";

/** How invoices are paid, as a form has it: what is not set is empty. */
export interface PaymentForm {
  means: "" | (typeof USUAL_MEANS)[number];
  iban: string;
  bic: string;
  due_days: string;
}

interface PaymentShown {
  readonly payment: {
    readonly means: (typeof USUAL_MEANS)[number];
    readonly iban: string | null;
    readonly bic: string | null;
  } | null;
  readonly dueDays: number | null;
}

export function paymentForm({ payment, dueDays }: PaymentShown): PaymentForm {
  return {
    means: payment?.means ?? "",
    iban: payment?.iban ? spacedIban(payment.iban) : "",
    bic: payment?.bic ?? "",
    due_days: dueDays === null ? "" : String(dueDays),
  };
}

/** The account goes with transfers alone. */
export function paymentBody({ means, iban, bic }: PaymentForm) {
  if (means === "") return null;
  if (means !== "transfer") return { means };
  return { means, iban: iban.trim(), bic: bic.trim() || null };
}

export function dueDaysBody({ due_days: days }: PaymentForm): number | null {
  return days.trim() === "" ? null : Number(days.trim());
}
