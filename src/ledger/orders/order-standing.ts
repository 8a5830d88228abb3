import type { StoredOrder } from "../../db/order-state.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import type { CurrentOrder } from "../../domain/order/answers/answer.ts";
import { decideOrder } from "../../domain/order/decide-order.ts";
import type { OrderWarning } from "../../domain/order/reasons.ts";
import type { LedgerDraft } from "../core/ledger-draft.ts";
import { contextOf, type Undecided } from "./decide-order.ts";
import type { AnswerOutcome, UnknownOrder } from "./order-outcomes.ts";

/** What became of an instruction, and the books to go on with. */
export interface OrderResult<Outcome = AnswerOutcome> {
  readonly outcome: Outcome;
  /** With what was decided; those of before where nothing was, or it was only looked at. */
  readonly working: LedgerDraft;
}

/** What the order comes to today: answers are judged by that, not by what was decided some time ago. */
export function standingOf(stored: StoredOrder, working: LedgerDraft): CurrentOrder {
  const context = contextOf(stored.facts, stored, working);
  const { state, reasons } = decideOrder(context);
  return { ...context, state, reasons };
}

export function unchanged(stored: StoredOrder, requestId: string): Undecided {
  const { facts, answers, sentSha256 } = stored;
  return { stored, facts, answers, sentSha256, payloadWarnings: payloadWarningsOf(stored), requestId };
}

export function payloadWarningsOf({ warnings }: StoredOrder): OrderWarning[] {
  return warnings.filter(({ code }) => code === "field_beyond_contract");
}

export function unknownOrder(idExternal: string, working: LedgerDraft): OrderResult<UnknownOrder> {
  const refused = refuse("order_not_found", { order_id: idExternal });
  return { outcome: { outcome: "refused", refusal: refused.error }, working };
}
