import { negate } from "../shared/decimal.ts";
import type { TimeZone } from "../shared/instant.ts";
import type { CorrectionEvent, CorrectionLine, EventType } from "./facts.ts";
import { eventFingerprint } from "./normalize-fingerprint.ts";
import { instantIn } from "./normalize-moment.ts";
import type { SentEvent, SentOrder, SentRefund, SentRefundLine } from "./normalize-sent.ts";
import { knownWord } from "./normalize-text.ts";

export const EVENT_TYPES: readonly EventType[] = [
  "refund",
  "return",
  "price_reduction",
  "cancellation",
  "void",
  "unknown",
];

/** An order can be cancelled only once, however often that is said. */
const CANCELLATION: CorrectionEvent = { id: "fiscal_event:cancelled", type: "cancellation", lines: [] };

/** True for the event made of `fiscal_event: cancelled`: the next payload replaces it, as any other fact. */
export function isOfFiscalEvent({ id }: Pick<CorrectionEvent, "id">): boolean {
  return /^fiscal_event:cancelled(:\d+)?$/.test(id);
}

/** Each invoice of an order that came back can be cancelled once. */
export function inGeneration(event: CorrectionEvent, generation: number): CorrectionEvent {
  const isCancelled = event.id === CANCELLATION.id && event.type === CANCELLATION.type;
  return isCancelled ? { ...event, id: cancellationOf(generation) } : event;
}

/** The cancellation that `fiscal_event` makes of an order, of another invoice of it than this one. */
export function isOfOtherGeneration(event: CorrectionEvent, generation: number): boolean {
  const isOne = isOfFiscalEvent(event) && event.type === CANCELLATION.type;
  return isOne && event.id !== cancellationOf(generation);
}

function cancellationOf(generation: number): string {
  return generation === 1 ? CANCELLATION.id : `${CANCELLATION.id}:${generation}`;
}

/** Events, refunds of contract 1.2 and the cancellation as one list, in the order sent. */
export function correctionEvents(order: SentOrder, isCancelled: boolean, zone: TimeZone): CorrectionEvent[] {
  const events = order.events.map(toEvent);
  // A connector that sends events sends its refunds as events too: reading both would count them twice.
  const refunds = events.length > 0 ? [] : order.refunds.map((refund) => toRefundEvent(refund, zone));
  return withoutRepeats([...events, ...refunds, ...(isCancelled ? [CANCELLATION] : [])]);
}

function toEvent({ type, ...event }: SentEvent): CorrectionEvent {
  return { ...event, type: knownWord(EVENT_TYPES, type ?? "unknown", "unknown") };
}

function toRefundEvent({ id, date, amount, lines }: SentRefund, zone: TimeZone): CorrectionEvent {
  return {
    id: `refund:${id}`,
    type: "refund",
    ...(date ? { occurredAt: instantIn(date, zone) } : {}),
    amount: negate(amount),
    lines: lines.map(toDeltas),
  };
}

function toDeltas({ quantity, base, tax, ...line }: SentRefundLine): CorrectionLine {
  return {
    ...line,
    ...(quantity === undefined ? {} : { quantityDelta: negate(quantity) }),
    baseDelta: negate(base),
    taxDelta: negate(tax),
  };
}

/** The same event twice is one. The same id with other content stays, for the decision to hold. */
function withoutRepeats(events: readonly CorrectionEvent[]): CorrectionEvent[] {
  if (events.length < 2) return [...events];
  const byContent = new Map<string, CorrectionEvent>();
  for (const event of events) {
    const key = JSON.stringify([event.id, eventFingerprint(event)]);
    if (!byContent.has(key)) byContent.set(key, event);
  }
  return [...byContent.values()];
}
