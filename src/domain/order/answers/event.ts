import { refuse } from "../../invoice/refusal.ts";
import { compare, type Decimal, digitsOf, isPositive, negate, round, sum } from "../../shared/decimal.ts";
import { type Facts, money } from "../../shared/fact.ts";
import { ok, type Result } from "../../shared/result.ts";
import type { OwnerAnswers, RateAmount } from "../context.ts";
import { decideOrder, invoiceInForce } from "../decide-order.ts";
import { scaleIn } from "../fact-text.ts";
import type { CorrectionEvent } from "../facts.ts";
import { actedIn } from "../generation.ts";
import { aboutEvent } from "../judge-event.ts";
import type { Reason, ReasonCode } from "../reasons.ts";
import { type AnswerRefusal, answer, type Checked, type CurrentOrder, isAskedFor } from "./answer.ts";

interface OfEvent {
  readonly eventId: string;
}

/** An event that looks like a repeat is a separate event. */
export const mark_distinct = answer<OfEvent>({
  apply: (answers, { eventId }) => ({
    ...answers,
    distinctEvents: withMember(answers.distinctEvents, eventId),
  }),
  check({ eventId }, order) {
    const events = eventsOf(order, eventId);
    if (!events.ok) return events;
    const isAsked = reasonAbout(events.value, order.reasons, "refund_possibly_repeated") !== undefined;
    return isAsked ? ok(undefined) : refuse("event_not_repeated", { event: eventId }, "event_id");
  },
  facts: ({ eventId }) => ({ event_id: eventId }),
  isStillAsked: ({ eventId }, order) => isAskedFor("mark_distinct", order, eventId),
});

/** The part of an event without lines that goes to each rate; positive. */
export const share_event = answer<OfEvent & { readonly shares: readonly RateAmount[] }>({
  apply(answers, { eventId, shares }, order) {
    const eventShares = { ...answers.eventShares, [eventId]: inOrderOfRates(shares) };
    return { ...withoutDismissals(answers, eventId, order), eventShares };
  },
  check({ eventId, shares }, order, after) {
    const events = eventsOf(order, eventId);
    if (!events.ok) return events;
    if (actedIn(order.history).some(({ id }) => id === eventId)) {
      return refuse("event_acted", { event: eventId }, "event_id");
    }
    const [event] = events.value;
    if (event.lines.length > 0) return refuse("event_with_lines", { event: eventId }, "event_id");
    const stated = checkShares(event, shares, order);
    if (!stated.ok) return stated;
    const { reasons } = decideOrder(after);
    const unknown = reasonAbout(events.value, reasons, "rate_not_invoiced");
    if (unknown) return refuse("event_rate_not_invoiced", unknown.facts, "shares");
    const excess = reasonAbout(events.value, reasons, "over_refund");
    return excess ? refuse("event_shares_exceed", withPlace(excess.facts), "shares") : ok(undefined);
  },
  facts: ({ eventId, shares }) => ({
    event_id: eventId,
    shares: shares.map(({ rate, gross }) => `${rate} %: ${gross}`).join(", "),
  }),
  isStillAsked: ({ eventId }, order) => isAskedFor("share_event", order, eventId),
});

/**
 * There was no sale, according to the shop. If something was given back, the sale took place: it is
 * corrected, never annulled.
 */
export const confirm_annulment = answer<OfEvent>({
  apply(answers, { eventId }, order) {
    const confirmedVoids = withMember(answers.confirmedVoids, eventId);
    return { ...withoutDismissals(answers, eventId, order), confirmedVoids };
  },
  check({ eventId }, order, after) {
    const invoice = invoiceInForce(order);
    if (!invoice) return refuse("order_not_invoiced");
    const { number, cancelled } = invoice.rectifiable;
    if (cancelled) return refuse("invoice_annulled", { number });
    const events = eventsOf(order, eventId);
    if (!events.ok) return events;
    const voids = events.value.filter(({ type }) => type === "void");
    if (voids.length === 0) return refuse("event_not_void", { event: eventId }, "event_id");
    const isRefused = reasonAbout(voids, decideOrder(after).reasons, "annulment_review") !== undefined;
    return isRefused ? refuse("annulment_after_correction", { number }) : ok(undefined);
  },
  facts: ({ eventId }) => ({ event_id: eventId }),
  isStillAsked: ({ eventId }, order) => isAskedFor("confirm_annulment", order, eventId),
});

function withMember(members: readonly string[], member: string): readonly string[] {
  return members.includes(member) ? members : [...members, member];
}

function inOrderOfRates(shares: readonly RateAmount[]): RateAmount[] {
  return shares.map(({ rate, gross }) => ({ rate, gross })).sort((a, b) => compare(b.rate, a.rate));
}

/** An answer to an event ends the dismissals of its reasons. */
function withoutDismissals(answers: OwnerAnswers, eventId: string, { facts }: CurrentOrder): OwnerAnswers {
  const abouts = facts.events.filter(({ id }) => id === eventId).map(aboutEvent);
  return { ...answers, dismissals: answers.dismissals.filter(({ about }) => !abouts.includes(about)) };
}

type Events = readonly [CorrectionEvent, ...CorrectionEvent[]];

/** One id may have arrived with several contents. */
function eventsOf({ facts }: CurrentOrder, eventId: string): Result<Events, AnswerRefusal> {
  const [first, ...others] = facts.events.filter(({ id }) => id === eventId);
  return first ? ok([first, ...others]) : refuse("event_unknown", { event: eventId }, "event_id");
}

function reasonAbout(
  events: readonly CorrectionEvent[],
  reasons: readonly Reason[],
  code: ReasonCode,
): Reason | undefined {
  const abouts: readonly (string | undefined)[] = events.map(aboutEvent);
  return reasons.find((reason) => reason.code === code && abouts.includes(reason.about));
}

/** Each rate once, in amounts that the currency allows, and the whole amount of the event. */
function checkShares(event: CorrectionEvent, shares: readonly RateAmount[], order: CurrentOrder): Checked {
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

function withPlace({ rate, ...figures }: Facts): Facts {
  return { ...figures, where: rate === undefined ? { phrase: "in_all" } : { phrase: "at_rate", rate } };
}
