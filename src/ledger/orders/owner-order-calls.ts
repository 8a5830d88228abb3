import type { Spent } from "../core/outcomes.ts";
import type { OrderInstruction, OrderPreviewing, OwnerAnsweringTogether } from "./order-instruction.ts";
import type { AnswerOutcome, PreviewOutcome } from "./order-outcomes.ts";

/** Waits its turn among the orders that come. */
type Ask = <Out>(instruction: OrderInstruction) => Promise<Out & Spent>;

/** What an owner does to one order with all that they have to say of it, and what would come of that. */
export interface OwnerOrderCalls {
  /** Several answers of one moment: nothing is issued between two of them. */
  answer(answering: OwnerAnsweringTogether): Promise<AnswerOutcome & Spent>;
  /** It waits its turn too, so that the number is the one that would be given. */
  preview(asking: OrderPreviewing): Promise<PreviewOutcome & Spent>;
}

export function ownerOrderCalls(ask: Ask): OwnerOrderCalls {
  return {
    answer: (answering) => ask<AnswerOutcome>({ kind: "together", ...answering }),
    preview: (asking) => ask<PreviewOutcome>({ kind: "preview", ...asking }),
  };
}
