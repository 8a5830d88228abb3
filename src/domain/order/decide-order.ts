import type { OrderContext } from "./context.ts";
import { decideAfter } from "./decide-after.ts";
import { decideFirst } from "./decide-first.ts";
import type { OrderDecision } from "./decision.ts";
import { openGeneration } from "./generation.ts";

/** Decides an order from its facts, the owner's settings and its history. */
export function decideOrder(given: OrderContext): OrderDecision {
  const context = openGeneration(given);
  const { invoice } = context.history;
  return invoice ? decideAfter(context, invoice) : decideFirst(context);
}
