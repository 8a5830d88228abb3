import type { Fact, Facts } from "../shared/fact.ts";

/** A reason's code, whether it holds the order, and the facts that its sentence is made of. */
interface ReasonRow {
  readonly code: string;
  readonly holds: boolean;
  readonly facts: readonly string[];
  /** The facts of a second sentence under the same code. */
  readonly otherFacts?: readonly string[];
}

/** Every reason of an order: those that hold in the order of the ladder, then those that need nobody. */
export const ORDER_REASONS = [
  { code: "status_cancelled", holds: true, facts: ["status", "number", "remaining"] },
  { code: "profile_not_matched", holds: true, facts: ["channel", "store"] },
  { code: "profile_ambiguous", holds: true, facts: ["profiles"] },
  { code: "tag_hold", holds: true, facts: ["tag"] },
  {
    code: "totals_mismatch",
    holds: true,
    facts: ["computed", "total", "difference", "rates"],
    otherFacts: ["computed", "total", "difference"],
  },
  { code: "discounts_probably_included", holds: true, facts: ["discounts"] },
  { code: "tax_totals_mismatch", holds: true, facts: ["rate", "stated", "computed"] },
  { code: "untreated_total", holds: true, facts: ["title", "value", "code"] },
  { code: "treatment_hold", holds: true, facts: ["title", "code", "value"] },
  {
    code: "treatment_sign",
    holds: true,
    facts: ["title", "value", "code", "treatment"],
    otherFacts: ["title", "value", "treatment"],
  },
  { code: "discount_kind_unknown", holds: true, facts: ["name", "amount"] },
  {
    code: "customer_credit_review",
    holds: true,
    facts: ["profile", "amount"],
    otherFacts: ["connection", "amount"],
  },
  { code: "credit_covers_total", holds: true, facts: ["amount"] },
  {
    code: "voucher_kind_conflict",
    holds: true,
    facts: ["line", "tax", "kind"],
    otherFacts: ["line", "amount", "kind"],
  },
  {
    code: "tax_mismatch",
    holds: true,
    facts: ["line", "rate", "base", "expected", "tax"],
    otherFacts: ["line", "rate", "date", "tax_name", "territory", "allowed"],
  },
  { code: "zero_rate_basis_missing", holds: true, facts: ["line"] },
  {
    code: "foreign_customer",
    holds: true,
    facts: ["country", "profile"],
    otherFacts: ["country", "connection"],
  },
  {
    code: "territory_review",
    holds: true,
    facts: ["from", "to", "profile"],
    otherFacts: ["from", "to", "connection"],
  },
  {
    code: "destination_conflict",
    holds: true,
    facts: ["place", "destination", "treatment", "allowed", "line", "rate"],
    otherFacts: ["place", "identifier", "line", "rate"],
  },
  { code: "oss_rate_unknown", holds: true, facts: ["place", "line", "rate", "date", "allowed"] },
  { code: "country_unknown", holds: true, facts: ["code"], otherFacts: [] },
  { code: "exchange_rate_unavailable", holds: true, facts: ["currency", "date", "choose_from"] },
  { code: "currency_not_quoted", holds: true, facts: ["currency"] },
  { code: "tax_identifier_invalid", holds: true, facts: ["identifier", "detail"] },
  {
    code: "recipient_incomplete",
    holds: true,
    facts: ["missing", "total", "limit"],
    otherFacts: ["missing"],
  },
  { code: "manual_issuing", holds: true, facts: ["profile"], otherFacts: ["connection"] },
  { code: "order_date_in_future", holds: true, facts: ["date"] },
  { code: "too_many_tax_groups", holds: true, facts: ["count"] },
  /** What a direct invoice would be refused for; the facts of that refusal come with it. */
  { code: "not_invoiceable", holds: true, facts: ["refusal"] },
  { code: "reactivated", holds: true, facts: ["number", "order_total"] },
  {
    code: "changed_after_invoice",
    holds: true,
    facts: ["rate", "order_total", "number", "invoiced"],
    otherFacts: ["order_total", "number", "invoiced"],
  },
  { code: "correction_amount_mismatch", holds: true, facts: ["event", "lines_total", "amount"] },
  { code: "correction_event_changed", holds: true, facts: ["event", "applied", "received"] },
  { code: "refund_possibly_repeated", holds: true, facts: ["event", "other"] },
  {
    code: "over_refund",
    holds: true,
    facts: ["rate", "requested", "number", "remaining"],
    otherFacts: ["requested", "number", "remaining"],
  },
  { code: "rate_not_invoiced", holds: true, facts: ["event", "rate", "number"] },
  { code: "correction_increases", holds: true, facts: ["event", "amount"] },
  {
    code: "refund_lines_needed",
    holds: true,
    facts: ["event", "amount", "number", "rates"],
    otherFacts: ["event", "number"],
  },
  { code: "annulment_review", holds: true, facts: ["number"] },
  { code: "deferred", holds: false, facts: ["connection"] },
  { code: "before_cutoff", holds: false, facts: ["order_date", "cutoff_date"] },
  { code: "store_not_selected", holds: false, facts: ["store"] },
  { code: "tag_ignored", holds: false, facts: ["tag"] },
  { code: "zero_total", holds: false, facts: [] },
  { code: "nothing_to_invoice", holds: false, facts: [] },
  { code: "invoiced_elsewhere", holds: false, facts: ["profile"], otherFacts: ["connection"] },
  { code: "test_order", holds: false, facts: [] },
  { code: "not_a_candidate", holds: false, facts: [] },
  { code: "cancelled_before_invoice", holds: false, facts: [] },
  { code: "dismissed", holds: false, facts: [] },
] as const satisfies readonly ReasonRow[];

export type ReasonCode = (typeof ORDER_REASONS)[number]["code"];

/** What an order was done with nevertheless. */
export const ORDER_WARNINGS = [
  { code: "company_unverified", facts: [] },
  { code: "connection_for_tests", facts: [] },
  { code: "issued_late", facts: ["issue_date", "due_date"] },
  { code: "rectify_in_previous_system", facts: ["cutoff_date"] },
  { code: "total_tax_differs", facts: ["total_tax", "computed"] },
  { code: "tax_totals_differ", facts: ["rate", "stated", "computed"] },
  { code: "stale_payload", facts: ["received", "stored"] },
  { code: "field_beyond_contract", facts: ["field", "since", "declared"] },
] as const;

export type OrderWarningCode = (typeof ORDER_WARNINGS)[number]["code"];

export type { Facts } from "../shared/fact.ts";

/** Where a sentence speaks of what the shop did not say. */
export const NOT_STATED: Fact = { phrase: "not_stated" };

export interface Reason {
  readonly code: ReasonCode;
  readonly facts: Facts;
  /** Which of several it is about (an event, a discount, a code, the facts): a dismissal is for that one. */
  readonly about?: string;
}

export interface OrderWarning {
  readonly code: OrderWarningCode;
  readonly facts: Facts;
}

export function because(code: ReasonCode, facts: Facts = {}, about?: string): Reason {
  return { code, facts, ...(about === undefined ? {} : { about }) };
}

export function holds(reason: Reason): boolean {
  return ORDER_REASONS.some((row) => row.code === reason.code && row.holds);
}

/** In the order of the ladder, whatever was looked at first. */
export function inLadderOrder(reasons: readonly Reason[]): Reason[] {
  return reasons.toSorted((a, b) => rankOf(a.code) - rankOf(b.code));
}

function rankOf(code: ReasonCode): number {
  return ORDER_REASONS.findIndex((row) => row.code === code);
}
