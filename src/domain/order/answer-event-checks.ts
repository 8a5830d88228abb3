import { refuse } from "../invoice/refusal.ts";
import { type Decimal, digitsOf, isPositive, negate, round, sum } from "../shared/decimal.ts";
import { type Facts, money } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import type { OrderAsItStands } from "./answer.ts";
import { invoiceInForce } from "./answer-cancellation.ts";
import type { AnswerRefusal } from "./answer-refusal.ts";
import type { OrderContext, RateAmount } from "./context.ts";
import { decideOrder } from "./decide-order.ts";
import { scaleIn } from "./fact-text.ts";
import type { CorrectionEvent } from "./facts.ts";
import { actedIn } from "./generation.ts";
import { aboutEvent } from "./judge-event.ts";
import type { Reason, ReasonCode } from "./reasons.ts";

type Checked = Result<void, AnswerRefusal>;

export function checkDistinct(eventId: string, order: OrderAsItStands): Checked {
  const events = eventsOf(order, eventId);
  if (!events.ok) return events;
  const isAsked = standing(order.reasons, "refund_possibly_repeated", events.value) !== undefined;
  return isAsked ? ok(undefined) : refuse("event_not_repeated", { event: eventId }, "event_id");
}

export function checkShares(
  { eventId, shares }: { readonly eventId: string; readonly shares: readonly RateAmount[] },
  order: OrderAsItStands,
  after: OrderContext,
): Checked {
  const events = eventsOf(order, eventId);
  if (!events.ok) return events;
  if (actedIn(order.history).some(({ id }) => id === eventId)) {
    return refuse("event_acted", { event: eventId }, "event_id");
  }
  const [event] = events.value;
  if (event.lines.length > 0) return refuse("event_with_lines", { event: eventId }, "event_id");
  const stated = checkStatedShares(event, shares, order);
  if (!stated.ok) return stated;
  const { reasons } = decideOrder(after);
  const unknown = standing(reasons, "rate_not_invoiced", events.value);
  if (unknown) return refuse("event_rate_not_invoiced", unknown.facts, "shares");
  const excess = standing(reasons, "over_refund", events.value);
  return excess ? refuse("event_shares_exceed", withPlace(excess.facts), "shares") : ok(undefined);
}

function withPlace({ rate, ...figures }: Facts): Facts {
  return { ...figures, where: rate === undefined ? { phrase: "in_all" } : { phrase: "at_rate", rate } };
}

/** Each rate once, with money that the currency has, and all of the event's amount. */
function checkStatedShares(
  event: CorrectionEvent,
  shares: readonly RateAmount[],
  order: OrderAsItStands,
): Checked {
  const currency = invoiceInForce(order)?.rectifiable.currency ?? order.facts.currency;
  const scale = scaleIn(currency);
  const rates = new Set(shares.map(({ rate }) => rate));
  const isMoney = (gross: Decimal) => isPositive(gross) && digitsOf(gross).fraction <= scale;
  const isWhole = rates.size === shares.length && shares.every(({ gross }) => isMoney(gross));
  if (shares.length === 0 || !isWhole) return refuse("event_shares_invalid", { event: event.id }, "shares");
  if (event.amount === undefined) return ok(undefined);
  const amount = negate(round(event.amount, scale));
  const shared = sum(shares.map(({ gross }) => gross));
  if (shared === amount) return ok(undefined);
  const facts = { event: event.id, amount: money(amount, currency), shared: money(shared, currency) };
  return refuse("event_shares_mismatch", facts, "shares");
}

/** A sale of which something was given back took place: it is corrected, never annulled. */
export function checkAnnulment(eventId: string, order: OrderAsItStands, after: OrderContext): Checked {
  const invoice = invoiceInForce(order);
  if (!invoice) return refuse("order_not_invoiced");
  const { number, cancelled } = invoice.rectifiable;
  if (cancelled) return refuse("invoice_annulled", { number });
  const events = eventsOf(order, eventId);
  if (!events.ok) return events;
  const voids = events.value.filter(({ type }) => type === "void");
  if (voids.length === 0) return refuse("event_not_void", { event: eventId }, "event_id");
  const isRefused = standing(decideOrder(after).reasons, "annulment_review", voids) !== undefined;
  return isRefused ? refuse("annulment_after_correction", { number }) : ok(undefined);
}

type Events = readonly [CorrectionEvent, ...CorrectionEvent[]];

/** One id may have come with several contents. */
function eventsOf({ facts }: OrderAsItStands, eventId: string): Result<Events, AnswerRefusal> {
  const [first, ...others] = facts.events.filter(({ id }) => id === eventId);
  return first ? ok([first, ...others]) : refuse("event_unknown", { event: eventId }, "event_id");
}

function standing(
  reasons: readonly Reason[],
  code: ReasonCode,
  events: readonly CorrectionEvent[],
): Reason | undefined {
  const abouts: readonly (string | undefined)[] = events.map(aboutEvent);
  return reasons.find((reason) => reason.code === code && abouts.includes(reason.about));
}
