import type { Facts } from "../shared/fact.ts";

/**
 * Every refusal of a direct invoice, in the order of the checks. A refusal is a code with its facts;
 * sentence, phrases and status are in `words/errors`.
 */
export const ISSUE_REFUSALS = [
  "invoice_erased",
  "direct_invoicing_not_supported_by_connection",
  "invoicing_not_enabled",
  "documentary_regime_mismatch",
  "withholding_not_allowed",
  "disbursements_not_allowed",
  "description_without_text",
  "recipient_required",
  "recipient_not_allowed",
  "tax_identifier_type_required",
  "tax_identifier_invalid",
  "administrative_centres_not_allowed",
  "exchange_rate_required",
  "exchange_rate_invalid",
  "due_date_before_issue",
  "paid_on_in_future",
  "rectified_reference_invalid",
  "rectified_period_invalid",
  "rectified_invoice_erased",
  "rectified_invoice_unknown",
  "rectified_invoice_type_mismatch",
  "rectified_invoice_cancelled",
  "rectified_invoice_superseded",
  "rectified_currency_mismatch",
  "recipient_differs",
  "rectification_incomplete",
  "operation_date_not_allowed",
  "mixed_taxes",
  "regime_not_allowed",
  "qualification_rate_mismatch",
  "tax_rate_not_allowed",
  "surcharge_not_allowed",
  "taxable_margin_required",
  "taxable_margin_not_allowed",
  "taxable_margin_out_of_range",
  "recipient_type_not_allowed",
  "too_many_tax_groups",
  "substitution_negative",
  "rectification_exceeds",
  "replaced_amount_mismatch",
  "total_out_of_range",
  "negative_total_needs_rectification",
  "rectified_period_not_negative",
  "simplified_line_not_eligible",
  "simplified_limit_exceeded",
  "attestation_lines_mismatch",
  "attestation_buyer_not_eligible",
  "article_4_2_ceiling_exceeded",
  "authorisation_mismatch",
  "document_too_large",
] as const;

export type IssueRefusalCode = (typeof ISSUE_REFUSALS)[number];

/** Every no to a cancellation, in the order in which it is checked. */
export const CANCELLATION_REFUSALS = [
  "direct_invoicing_not_supported_by_connection",
  "invoicing_not_enabled",
  "invoice_not_found",
  "cancellation_not_allowed",
  "cancellation_undoes",
  "cancellation_exceeds",
] as const;

export type CancellationRefusalCode = (typeof CANCELLATION_REFUSALS)[number];

export interface Refusal<Code extends string> {
  readonly code: Code;
  readonly facts: Facts;
  /** The path in the request, as `lines.2.tax_rate`, if one member causes the refusal. */
  readonly path?: string;
}

export type IssueRefusal = Refusal<IssueRefusalCode>;
export type CancellationRefusal = Refusal<CancellationRefusalCode>;

export function refuse<Code extends string>(
  code: Code,
  facts: Facts = {},
  path?: string,
): { readonly ok: false; readonly error: Refusal<Code> } {
  return { ok: false, error: { code, facts, ...(path === undefined ? {} : { path }) } };
}

/** Every no to an owner's correction of a record, in the order in which it is checked. */
export const RECORD_REFUSALS = [
  // State of the invoice
  "invoice_unknown",
  "invoicing_not_enabled",
  "amendment_of_cancelled",
  "invoice_already_cancelled",
  "duplicate_of_another",
  "number_taken",
  "registered_by_form",
  "correction_awaits_answer",
  "no_duplicate_to_settle",
  "annulment_through_order",
  "cancellation_not_allowed",
  "cancellation_undoes",
  "cancellation_exceeds",
  // Content of the request
  "cancellation_without_reason",
  "finding_without_reason",
  "amended_text_invalid",
  "description_without_text",
  "amended_recipient_not_allowed",
  "recipient_incomplete",
  "tax_identifier_type_required",
  "tax_identifier_invalid",
  "amendment_names_another",
  "operation_date_not_allowed",
  "recipient_type_not_allowed",
  "agreement_number_not_allowed",
  "agreement_number_invalid",
  "agreement_number_needed",
  // Result of the change
  "amendment_changes_nothing",
] as const;

export type RecordRefusalCode = (typeof RECORD_REFUSALS)[number];
export type RecordRefusal = Refusal<RecordRefusalCode>;
