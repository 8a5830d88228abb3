import type { Refusal } from "../invoice/refusal.ts";

/** Every no to what an owner answers about an order, in the order in which it is checked. */
export const ANSWER_REFUSALS = [
  // How far the order is
  "order_already_invoiced",
  "order_not_invoiced",
  "order_dismissed",
  "order_not_before_cutoff",
  "order_not_held",
  "invoice_already_replaced",
  "invoice_annulled",
  // What the answer is about
  "profile_unknown",
  "profile_matches",
  "amount_unknown",
  "discount_unknown",
  "discount_kind_known",
  "rounding_not_awaited",
  "difference_not_rounding",
  "oss_rate_not_asked",
  "country_known",
  "exchange_rate_not_needed",
  "currency_not_invoiceable",
  "exchange_rate_known",
  "exchange_rate_awaited",
  "event_unknown",
  "event_acted",
  "event_with_lines",
  "event_not_repeated",
  "event_not_void",
  "no_simplified_invoice",
  "nothing_left",
  "approval_not_awaited",
  "dismissal_without_reason",
  "reason_not_standing",
  "nothing_to_dismiss",
  // What it says
  "nothing_declared",
  "fee_rate_not_allowed",
  "treatment_sign",
  "destinations_contradict",
  "foreign_sales_not_allowed",
  "authorisation_missing",
  "rounding_rate_unknown",
  "oss_rate_from_too_late",
  "country_invalid",
  "tax_identifier_invalid",
  "recipient_incomplete",
  "exchange_rate_invalid",
  "exchange_rate_digits",
  "event_shares_invalid",
  "event_shares_mismatch",
  // What it would come to
  "sales_not_fitting",
  "event_rate_not_invoiced",
  "event_shares_exceed",
  "annulment_after_correction",
  "other_reasons_stand",
  "reason_not_dismissible",
] as const;

export type AnswerRefusalCode = (typeof ANSWER_REFUSALS)[number];
export type AnswerRefusal = Refusal<AnswerRefusalCode>;
