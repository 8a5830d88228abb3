import { refuse } from "../../invoice/refusal.ts";
import type { AreaRate } from "../../place/kept-rates.ts";
import { ok, type Result } from "../../shared/result.ts";
import type { OrderContext, OwnerAnswers } from "../context.ts";
import { invoiceInForce } from "../decide-after.ts";
import type { OrderState } from "../decision.ts";
import { aboutEvent } from "../judge-event.ts";
import { type AnswerKind, answersTo, type Reason } from "../reasons.ts";
import type { AnswerRefusal } from "./refusals.ts";

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
