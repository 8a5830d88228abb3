import { NOTHING } from "../invoice/tax-groups.ts";
import { negate } from "../shared/decimal.ts";
import type { ActedEvent, OrderContext } from "./context.ts";
import { actedNow } from "./corrections.ts";
import { isOver } from "./generation.ts";
import { judgeEvent } from "./judge-event.ts";
import { changedRates, ofRate } from "./rate-amounts.ts";
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
  const again = actingAgain(context, sold);
  for (const event of facts.events) {
    if (isOver(context, event)) continue;
    const known = [...history.acted, ...acted];
    let judged = judgeEvent(event, { ...fixed, balances, acted: known });
    const past = known.filter(({ id }) => !again.has(id));
    if (judged.verdict === "nothing") judged = judgeEvent(event, { ...fixed, balances, acted: past });
    if (judged.verdict === "held") reasons.push(judged.reason);
    if (judged.verdict !== "acts") continue;
    acted.push(actedNow(context, event, { how: "netted", taken: ratesTaken(balances, judged.taking) }));
    balances = afterTaking(balances, judged.taking);
  }
  return { balances, acted, reasons };
}

/** What went back of the invoice before is not sold anew, unless the shop sends the order without it. */
function actingAgain(context: OrderContext, sold: SoldOrder): ReadonlySet<string> {
  const { earlier, acted, generation } = context.history;
  if (!earlier) return new Set();
  const before = acted.filter(
    (event) => (event.generation ?? 1) === generation - 1 && !isOver(context, event),
  );
  const taken = (how: ActedEvent["how"]) =>
    before.filter((event) => event.how === how).flatMap((event) => event.taken);
  const invoiced = earlier.rectifiable.groups.map((group) => ofRate(group, group.amounts));
  const all = [...invoiced, ...taken("netted")];
  const left = [
    ...invoiced,
    ...taken("rectified").map(({ rate, gross }) => ({ rate, gross: negate(gross) })),
  ];
  const now = sold.groups.map(({ key, amounts }) => ofRate(key, amounts));
  const isWithout = changedRates(now, left).length === 0 && changedRates(now, all).length > 0;
  return new Set(isWithout ? [] : before.map(({ id }) => id));
}
