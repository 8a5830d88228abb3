import type { AnswerKind } from "./answer.ts";
import type { Reason, ReasonCode } from "./reasons.ts";

/** What the owner can answer to a reason, besides dismissing it. */
const ANSWERS: Readonly<Partial<Record<ReasonCode, readonly AnswerKind[]>>> = {
  status_cancelled: ["issue_cancellation"],
  profile_not_matched: ["assign_profile"],
  profile_ambiguous: ["assign_profile"],
  tag_hold: ["approve"],
  totals_mismatch: ["declare_sales", "rounding"],
  tax_totals_mismatch: ["release"],
  discounts_probably_included: ["declare_sales"],
  untreated_total: ["declare_treatment"],
  treatment_hold: ["declare_treatment"],
  treatment_sign: ["declare_treatment"],
  discount_kind_unknown: ["declare_discount"],
  customer_credit_review: ["declare_discount", "declare_sales"],
  credit_covers_total: ["declare_discount", "declare_sales"],
  voucher_kind_conflict: ["declare_sales"],
  zero_rate_basis_missing: ["declare_sales"],
  foreign_customer: ["declare_sales", "enter_recipient"],
  territory_review: ["declare_sales"],
  destination_conflict: ["declare_sales", "enter_recipient"],
  oss_rate_unknown: ["keep_oss_rate", "declare_sales"],
  country_unknown: ["enter_country"],
  exchange_rate_unavailable: ["enter_exchange_rate"],
  currency_not_quoted: ["enter_exchange_rate"],
  tax_identifier_invalid: ["enter_recipient"],
  recipient_incomplete: ["enter_recipient", "declare_sales"],
  manual_issuing: ["approve"],
  refund_possibly_repeated: ["mark_distinct"],
  over_refund: ["share_event"],
  rate_not_invoiced: ["share_event"],
  refund_lines_needed: ["share_event"],
  reactivated: ["issue"],
  annulment_review: ["confirm_annulment", "issue_cancellation"],
  before_cutoff: ["release"],
  invoiced_elsewhere: ["release"],
  test_order: ["release"],
};

/** Every reason can be dismissed: with the order before its invoice, for itself after it. */
export function answersTo(code: ReasonCode): readonly AnswerKind[] {
  return [...(ANSWERS[code] ?? []), "dismiss"];
}

/** Of them those that this reason asks for: a rate takes only what rounding has made. */
export function answersToReason({ code, facts }: Reason): readonly AnswerKind[] {
  return answersTo(code).filter((answer) => answer !== "rounding" || Object.hasOwn(facts, "rates"));
}
