import { negate, ONE } from "../shared/decimal.ts";
import { canonicalJson } from "../shared/hash.ts";
import type { TimeZone } from "../shared/instant.ts";
import { invariant } from "../shared/result.ts";
import { comparableCode, comparableTag, knownWord } from "../shared/text.ts";
import {
  type AmountKind,
  CANCELLATION,
  type CorrectionEvent,
  type CorrectionLine,
  type Discount,
  type EventType,
  eventFingerprint,
  type LineKind,
  type MissingFact,
  type OrderFacts,
  type OrderLine,
  type UnmappedTotal,
} from "./facts.ts";
import {
  eventFieldsBeyondContract,
  FIRST_CONTRACT_VERSION,
  type FieldBeyondContract,
  fieldsBeyondContract,
  instantIn,
  type SentDiscount,
  type SentEvent,
  type SentEvents,
  type SentLine,
  type SentOrder,
  type SentRefund,
  type SentRefundLine,
  type SentUnmappedTotal,
} from "./sent-order.ts";

export const LINE_KINDS: readonly LineKind[] = ["product", "shipping", "fee", "gift_voucher"];
export const AMOUNT_KINDS: readonly AmountKind[] = [
  "promotional",
  "customer_credit",
  "gift_card",
  "loyalty",
  "unknown",
];

export interface NormalizedOrder {
  readonly facts: OrderFacts;
  readonly warnings: readonly FieldBeyondContract[];
}

/** One form for all contract versions. */
export function normalizeOrder(sent: SentOrder, zone: TimeZone): NormalizedOrder {
  const { orderDate, paidAt, fiscalEvent, invoiceAction, test, refunds: _, ...facts } = sent;
  const { sourceChannel, sourceChannelEvidence: __, taxTotals, missing = [], ...rest } = facts;
  const isCancelled = fiscalEvent === "cancelled";
  return {
    facts: {
      ...rest,
      ...timesOf({ orderDate, paidAt }, zone),
      ...(paidAt === undefined ? {} : { isPaid: true }),
      isCandidate: fiscalEvent === "invoice_candidate" || invoiceAction === "create_invoice",
      isCancelled,
      asksFullInvoice: fiscalEvent === "full_invoice_requested",
      ...(test === true ? { isTest: true } : {}),
      breakdown: sent.breakdown.map(toLine),
      discounts: sent.discounts.map(toDiscount),
      unmappedTotals: sent.unmappedTotals.map(toUnmappedTotal),
      ...(taxTotals.length > 0 ? { taxTotals } : {}),
      events: correctionEvents(sent, isCancelled, zone),
      ...(sourceChannel === undefined ? {} : { sourceChannel: comparableCode(sourceChannel) }),
      tags: [...new Set(sent.tags.map(comparableTag))].filter((tag) => tag !== ""),
      ...(missing.length > 0 ? { missing: withoutCopies(missing) } : {}),
      contractVersion: sent.contractVersion ?? FIRST_CONTRACT_VERSION,
    },
    warnings: fieldsBeyondContract(sent),
  };
}

interface NormalizedEvents extends Pick<NormalizedOrder, "warnings"> {
  readonly events: readonly CorrectionEvent[];
}

/** The same form for events that come without their order. */
export function normalizeEvents(sent: SentEvents, zone: TimeZone): NormalizedEvents {
  return { events: correctionEvents(sent, false, zone), warnings: eventFieldsBeyondContract(sent) };
}

interface SentTimes {
  readonly orderDate: SentOrder["orderDate"] | undefined;
  readonly paidAt: SentOrder["paidAt"] | undefined;
}

/** A missing date is replaced by the other one. */
function timesOf({ orderDate, paidAt }: SentTimes, zone: TimeZone): Pick<OrderFacts, "orderedAt" | "paidAt"> {
  const orderedAt = orderDate ? instantIn(orderDate, zone) : paidAt;
  invariant(orderedAt !== undefined, "an order has order_date or paid_at");
  return { orderedAt, paidAt: paidAt ?? orderedAt };
}

/** Amounts are for the whole line, so a line without quantity is one of it. */
function toLine({ kind, quantity, ...line }: SentLine): OrderLine {
  return { ...line, kind: knownWord(LINE_KINDS, kind ?? "product", "product"), quantity: quantity ?? ONE };
}

/** A gift card is a payment and cannot be in a line, so `included` is ignored; the sums decide. */
function toDiscount({ kind, included, ...discount }: SentDiscount): Discount {
  const known = amountKind(kind);
  return { ...discount, kind: known, included: included === true && known !== "gift_card" };
}

function toUnmappedTotal({ kind, code, ...entry }: SentUnmappedTotal): UnmappedTotal {
  return { ...entry, code: comparableCode(code), kind: amountKind(kind) };
}

function amountKind(kind: string | undefined): AmountKind {
  return knownWord(AMOUNT_KINDS, kind ?? "promotional", "unknown");
}

export const EVENT_TYPES: readonly EventType[] = [
  "refund",
  "return",
  "price_reduction",
  "cancellation",
  "void",
  "unknown",
];

/** Events, refunds of contract 1.2 and the cancellation as one list, in the order sent. */
function correctionEvents(
  order: Pick<SentOrder, "events" | "refunds">,
  isCancelled: boolean,
  zone: TimeZone,
): CorrectionEvent[] {
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

function withoutCopies(missing: readonly MissingFact[]): MissingFact[] {
  return [...new Map(missing.map((fact) => [canonicalJson({ ...fact }), fact])).values()];
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
