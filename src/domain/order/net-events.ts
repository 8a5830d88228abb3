import { NOTHING } from "../invoice/tax-groups.ts";
import type { ActedEvent, OrderContext } from "./context.ts";
import { judgeEvent } from "./judge-event.ts";
import { eventFingerprint } from "./normalize-fingerprint.ts";
import type { Reason } from "./reasons.ts";
import type { SoldOrder } from "./sold-order.ts";
import { afterTaking, type Balance, ratesTaken } from "./take-back.ts";

export interface NetOrder {
  readonly balances: readonly Balance[];
  readonly acted: readonly ActedEvent[];
  readonly reasons: readonly Reason[];
}

/** What went back before the invoice is not invoiced: its events have acted when the invoice is issued. */
export function netEvents(context: OrderContext, sold: SoldOrder, reference: string): NetOrder {
  const { facts, answers, history } = context;
  let balances: readonly Balance[] = sold.groups.map(({ key, amounts }) => ({
    key,
    invoiced: amounts,
    taken: NOTHING,
  }));
  const acted: ActedEvent[] = [];
  const reasons: Reason[] = [];
  if (sold.reasons.length > 0 || balances.length === 0) return { balances, acted, reasons };
  const fixed = { answers, currency: facts.currency, number: reference, leftOut: sold.leftOut };
  for (const event of facts.events) {
    const judged = judgeEvent(event, { ...fixed, balances, acted: [...history.acted, ...acted] });
    if (judged.verdict === "held") reasons.push(judged.reason);
    if (judged.verdict !== "acts") continue;
    acted.push({
      id: event.id,
      fingerprint: eventFingerprint(event),
      how: "netted",
      taken: ratesTaken(balances, judged.taking),
    });
    balances = afterTaking(balances, judged.taking);
  }
  return { balances, acted, reasons };
}
