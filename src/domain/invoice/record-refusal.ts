import type { Refusal } from "./refusal.ts";

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
