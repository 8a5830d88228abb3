import { type Refusal, refuse } from "../../invoice/refusal.ts";
import type { AreaRate } from "../../place/vat-rates.ts";
import { ok, type Result } from "../../shared/result.ts";
import type { OrderContext, OwnerAnswers } from "../context.ts";
import { invoiceInForce } from "../decide-order.ts";
import type { OrderState } from "../decision.ts";
import { aboutEvent } from "../judge-event.ts";
import { type AnswerKind, answersTo, type Reason } from "../reasons.ts";

/** One kind of answer. `Given` is its content, in plain values that JSON and RPC do not change. */
export interface AnswerRow<Given> {
  /** All answers of the owner including this one, even if it does not fit. */
  readonly apply: (answers: OwnerAnswers, given: Given, order: CurrentOrder) => OwnerAnswers;
  /** Checks if it fits the order; `after` is the order with the answer. */
  readonly check: (given: Given, order: CurrentOrder, after: OrderContext) => Checked;
  /** The audit log's facts. Names and addresses stay with the order, where they can be deleted. */
  readonly facts?: (given: Given, kept: AreaRate | undefined) => AuditFacts;
  /**
   * True if an answer that changes nothing is still checked; the default depends on the reasons of the order.
   */
  readonly isStillAsked?: (given: Given, order: CurrentOrder) => boolean;
}

export type AuditFacts = Readonly<Record<string, string>>;
export type Checked = Result<void, AnswerRefusal>;

/** An order with its latest decision. */
export interface CurrentOrder extends OrderContext {
  readonly state: OrderState;
  readonly reasons: readonly Reason[];
}

export function answer<Given = object>(row: AnswerRow<Given>): AnswerRow<Given> {
  return row;
}

/** True if a reason of the order asks for such an answer; with an event id, a reason about that event. */
export function isAskedFor(kind: AnswerKind, { facts, reasons }: CurrentOrder, eventId?: string): boolean {
  const asking = reasons.filter(({ code }) => answersTo(code).includes(kind));
  if (eventId === undefined) return asking.length > 0;
  const abouts = facts.events.filter(({ id }) => id === eventId).map(aboutEvent);
  return asking.some(({ about }) => about !== undefined && abouts.includes(about));
}

/** An answer about the first invoice is accepted while the order waits for it. */
export function checkWaiting(order: CurrentOrder): Checked {
  const uninvoiced = checkUninvoiced(order);
  if (!uninvoiced.ok || order.state === "held") return uninvoiced;
  return refuse("order_not_held");
}

export function checkUninvoiced(order: OrderContext): Checked {
  const invoice = invoiceInForce(order);
  return invoice ? refuse("order_already_invoiced", { number: invoice.rectifiable.number }) : ok(undefined);
}

/** Every refusal of an owner's answer about an order, in the order of the checks. */
export const ANSWER_REFUSALS = [
  // The progress of the order
  "order_already_invoiced",
  "order_not_invoiced",
  "order_dismissed",
  "order_not_before_cutoff",
  "order_not_held",
  "invoice_already_replaced",
  "invoice_annulled",
  // The subject of the answer
  "profile_unknown",
  "profile_matches",
  "amount_unknown",
  "discount_unknown",
  "discount_kind_known",
  "rounding_not_awaited",
  "difference_not_rounding",
  "oss_rate_not_asked",
  "tax_rate_not_missing",
  "line_of_rate_unknown",
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
  "order_not_reactivated",
  "approval_not_awaited",
  "dismissal_without_reason",
  "reason_not_standing",
  "nothing_to_dismiss",
  // The content of the answer
  "nothing_declared",
  "fee_rate_not_allowed",
  "treatment_sign",
  "destinations_contradict",
  "foreign_sales_not_allowed",
  "authorisation_missing",
  "rounding_rate_unknown",
  "oss_rate_from_too_late",
  "country_invalid",
  "entered_rate_invalid",
  "tax_identifier_invalid",
  "recipient_incomplete",
  "exchange_rate_invalid",
  "exchange_rate_digits",
  "event_shares_invalid",
  "event_shares_mismatch",
  // The result of the answer
  "sales_not_fitting",
  "event_rate_not_invoiced",
  "event_shares_exceed",
  "annulment_after_correction",
  "nothing_to_issue",
  "other_reasons_stand",
  "reason_not_dismissible",
] as const;

export type AnswerRefusalCode = (typeof ANSWER_REFUSALS)[number];
export type AnswerRefusal = Refusal<AnswerRefusalCode>;
