import type { ActedEvent, IssuedForOrder, OrderContext } from "./context.ts";
import type { OrderEffect } from "./decision.ts";
import { type CorrectionEvent, isOfFiscalEvent, isOfOtherGeneration } from "./facts.ts";
import { isOver } from "./generation.ts";
import { aboutEvent, actedNow, type EventCourse, judgeEvent } from "./judge-event.ts";
import { salesOfStem } from "./profile.ts";
import { because, type Reason } from "./reasons.ts";
import { draftRectification } from "./rectification-draft.ts";
import { soldLines } from "./sold-lines.ts";
import { afterTaking, type Balance, balancesOf, ratesTaken } from "./take-back.ts";
import { readVouchers } from "./vouchers.ts";

/** What the events of an invoiced order come to. */
export interface Corrected {
  readonly balances: readonly Balance[];
  readonly effects: readonly OrderEffect[];
  readonly reasons: readonly Reason[];
  readonly spent: readonly ActedEvent[];
  readonly isAnnulled: boolean;
}

/** Each event acts once and for itself: one that waits stops no other. */
export function correct(context: OrderContext, target: IssuedForOrder): Corrected {
  const { facts, history, answers } = context;
  const effects: OrderEffect[] = [];
  const reasons: Reason[] = [];
  const spent: ActedEvent[] = [];
  const acted: ActedEvent[] = [...history.acted];
  let balances: readonly Balance[] = balancesOf(target.rectifiable);
  const fixed = courseOf(context, target);
  for (const event of [...facts.events, ...answers.events]) {
    if (isOver(context, event) || isOfOtherGeneration(event, history.generation)) continue;
    const judged = judgeEvent(event, { ...fixed, acted, balances });
    if (judged.verdict === "held") reasons.push(judged.reason);
    if (judged.verdict === "void") {
      const isUntouched = effects.length === 0 && history.rectifications.every(isOutOfForce);
      if (isUntouched && answers.confirmedVoids.includes(event.id)) return annulled(context, event, balances);
      reasons.push(because("annulment_review", { number: target.rectifiable.number }, aboutEvent(event)));
    }
    const isKnown = acted.some(({ id }) => id === event.id);
    if (judged.verdict === "nothing" && event.type === "cancellation" && isOfFiscalEvent(event) && !isKnown) {
      spent.push(actedNow(context, event, { how: "spent", taken: [] }));
    }
    if (judged.verdict !== "acts") continue;
    const { taking, claim } = judged;
    const draft = draftRectification({ context, target, balances, taking, claim });
    if (!draft.ok) {
      reasons.push({ ...draft.error, about: aboutEvent(event) });
      continue;
    }
    const action = actedNow(context, event, { how: "rectified", taken: ratesTaken(balances, taking) });
    effects.push({
      effect: "issue",
      origin: { of: "event", eventId: event.id },
      stem: target.stem,
      draft: draft.value,
      payments: [],
      acted: [action],
    });
    acted.push(action);
    balances = afterTaking(balances, taking);
  }
  return { balances, effects, reasons, spent, isAnnulled: false };
}

function courseOf(
  context: OrderContext,
  { stem, rectifiable, document }: IssuedForOrder,
): Omit<EventCourse, "acted" | "balances"> {
  const { facts, answers } = context;
  const { currency } = document.request;
  const vouchers = readVouchers(soldLines(facts), salesOfStem(context, stem).sales, currency);
  const leftOut = new Set(vouchers.leftOut.flatMap(({ ids }) => ids));
  return { answers, currency, number: rectifiable.number, leftOut };
}

/** There was no sale: every invoice of the order is annulled, the one in force first. */
function annulled(context: OrderContext, event: CorrectionEvent, balances: readonly Balance[]): Corrected {
  const { invoice, replacement } = context.history;
  const acted = [actedNow(context, event, { how: "annulled", taken: [] })];
  const effects = [replacement, invoice].flatMap((issued): OrderEffect[] =>
    !issued || isOutOfForce(issued)
      ? []
      : [{ effect: "annul", invoiceId: issued.rectifiable.invoiceId, acted }],
  );
  return { balances, effects, reasons: [], spent: [], isAnnulled: true };
}

function isOutOfForce({ rectifiable }: IssuedForOrder): boolean {
  return rectifiable.cancelled;
}
