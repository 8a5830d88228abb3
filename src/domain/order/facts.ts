import type { Recipient, TradeDetails } from "../invoice/request.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import type { Decimal } from "../shared/decimal.ts";
import { canonicalJson, isSameValue, sha256Hex } from "../shared/hash.ts";
import type { Instant } from "../shared/instant.ts";

/** The connector's facts about an order, never fiscal instructions. */
export interface OrderFacts {
  readonly idExternal: string;
  readonly reference?: string;
  /** `order_date` as an instant, else `paid_at`: one of the two is always there. */
  readonly orderedAt: Instant;
  /** `paid_at`, else `order_date`: it selects the exchange rate and nothing else. */
  readonly paidAt: Instant;
  /** The order states `paid_at` itself. */
  readonly isPaid?: true;
  readonly total: Decimal;
  /** Tax of the whole order as the shop computed it: it confirms a rounding, the invoice never has it. */
  readonly totalTax?: Decimal;
  /** Tax by rate as the shop computed it; absent where the shop sends none. */
  readonly taxTotals?: readonly TaxTotal[];
  /** Collected so far, gift cards included. It decides nothing. */
  readonly amountPaid?: Decimal;
  readonly currency: string;
  /** `id_order_status`, else `status`. */
  readonly status?: string;
  readonly sourcePlatform?: string;
  readonly isCandidate: boolean;
  readonly isCancelled: boolean;
  readonly asksFullInvoice: boolean;
  /** Placed to try the shop; absent for orders in earnest. */
  readonly isTest?: true;
  readonly client?: ClientFacts;
  readonly delivery?: { readonly country?: string; readonly postcode?: string };
  /** For its invoices; no amount depends on it. */
  readonly trade?: OrderTrade;
  readonly breakdown: readonly OrderLine[];
  readonly discounts: readonly Discount[];
  readonly unmappedTotals: readonly UnmappedTotal[];
  readonly events: readonly CorrectionEvent[];
  /** Lower case, as channels are compared. */
  readonly sourceChannel?: string;
  readonly storeId?: string;
  /** Trimmed, NFC, case folded, as tags are compared. */
  readonly tags: readonly string[];
  readonly operationDate?: CivilDate;
  readonly updatedAt?: Instant;
  /** What the sender lacks or finds contradictory; absent where it lacks nothing. */
  readonly missing?: readonly MissingFact[];
  /** As declared, 1.0 when absent. */
  readonly contractVersion: string;
}

/** The details that an order states. */
export interface OrderTrade extends TradeDetails {
  /** Names of members that did not fit: the order was taken without them. */
  readonly ignored?: readonly string[];
}

/** Details of a client beside its names and address. */
export type ClientDetails = Pick<
  Recipient,
  "acceptsElectronic" | "endpoint" | "province" | "surname1" | "surname2" | "administrativeCentres"
>;

export interface ClientFacts {
  readonly idExternal?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly company?: string;
  readonly vatNumber?: string;
  readonly idType?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly country?: string;
  readonly address1?: string;
  readonly postcode?: string;
  readonly city?: string;
  readonly details?: ClientDetails;
}

export type LineKind = "product" | "shipping" | "fee" | "gift_voucher";

/** Amounts are for the whole line. */
export interface OrderLine {
  readonly lineId?: string;
  readonly productId?: string;
  readonly name?: string;
  readonly kind: LineKind;
  readonly quantity: Decimal;
  readonly base: Decimal;
  readonly taxRate: Decimal;
  readonly tax: Decimal;
  readonly surchargeRate?: Decimal;
  readonly surcharge?: Decimal;
  readonly unit?: string;
  readonly itemCode?: string;
}

/** The platform's own sums of all lines of a rate. */
export interface TaxTotal {
  readonly rate: Decimal;
  readonly base?: Decimal;
  readonly tax: Decimal;
  readonly surchargeRate?: Decimal;
  readonly surcharge?: Decimal;
}

export type AmountKind = "promotional" | "customer_credit" | "gift_card" | "loyalty" | "unknown";

export interface Discount {
  readonly code?: string;
  readonly name?: string;
  /** Tax included, positive. */
  readonly amount: Decimal;
  readonly kind: AmountKind;
  /** Ids of the lines that it is limited to; empty for all. */
  readonly lines: readonly string[];
  /** Already taken off the lines: it is only printed. */
  readonly included: boolean;
}

export interface UnmappedTotal {
  readonly code: string;
  readonly title?: string;
  /** Its effect on the order total, signed. */
  readonly value: Decimal;
  readonly kind: AmountKind;
}

export type EventType = "refund" | "return" | "price_reduction" | "cancellation" | "void" | "unknown";

/** A fact that the sender does not have, or that it computes otherwise than the shop states it. */
export interface MissingFact {
  /** Its name, such as `tax_rate`. */
  readonly what: string;
  /** The id of the line that it belongs to, or another place in the order. */
  readonly where?: string;
  /** A figure, or text. */
  readonly stated?: string;
  readonly computed?: string;
}

export interface CorrectionEvent {
  readonly id: string;
  readonly type: EventType;
  readonly occurredAt?: Instant;
  readonly reason?: string;
  /** Signed, tax included. */
  readonly amount?: Decimal;
  readonly lines: readonly CorrectionLine[];
  /** The user whose act in the console it is; absent for an event of the shop. */
  readonly by?: string;
}

export interface CorrectionLine {
  /** Of an act in the console: the place of the line on the corrected invoice, from 1. */
  readonly invoiceLine?: number;
  readonly productId?: string;
  readonly lineId?: string;
  readonly name?: string;
  readonly quantityDelta?: Decimal;
  readonly baseDelta: Decimal;
  readonly taxRate: Decimal;
  readonly taxDelta: Decimal;
}

interface NewestFacts {
  readonly facts: OrderFacts;
  /** An older payload than the stored one: only its unknown events were taken. */
  readonly stale?: { readonly received: Instant; readonly stored: Instant };
}

/** The state of the order before the payload is read. */
export interface SoFar {
  readonly acted: readonly { readonly id: string }[];
  readonly isInvoiced: boolean;
  /** The generation that a cancellation now acts on; absent for the first. */
  readonly generation?: number;
}

const NOTHING_SO_FAR: SoFar = { acted: [], isInvoiced: false };

/**
 * Merges another payload: the newer facts with `fiscal_event`, every event that has an id or has acted, and
 * an earlier request for a full invoice. Without change dates the last payload is the newer one.
 */
export function newestFacts(
  known: OrderFacts | undefined,
  received: OrderFacts,
  { acted, isInvoiced, generation = 1 }: SoFar = NOTHING_SO_FAR,
): NewestFacts {
  if (!known) return { facts: received };
  const { updatedAt } = received;
  if (updatedAt !== undefined && known.updatedAt !== undefined && updatedAt < known.updatedAt) {
    const events = withEvents(received.events.filter(hasOwnId), known.events);
    const order = new Map(known.events.map(({ id }, index) => [id, index]));
    const inOrder = events.toSorted((a, b) => placeIn(order, a) - placeIn(order, b));
    // Without its missing facts a new event would act on figures that its sender doubts.
    const missing = inOrder.length > known.events.length ? withMissing(known, received) : {};
    const facts = { ...known, ...missing, events: inOrder };
    return { facts, stale: { received: updatedAt, stored: known.updatedAt } };
  }
  // A cancellation ends earlier requests.
  const isStillAsked = isInvoiced && known.asksFullInvoice && !known.isCancelled && !received.isCancelled;
  const asksFullInvoice = received.asksFullInvoice || isStillAsked;
  const kept = known.events.filter((event) => hasOwnId(event) || acted.some(({ id }) => id === event.id));
  const events = withEvents(
    kept,
    received.events.map((event) => inGeneration(event, generation)),
  );
  return { facts: { ...received, asksFullInvoice, events } };
}

function hasOwnId(event: CorrectionEvent): boolean {
  return !isOfFiscalEvent(event);
}

interface LaterEvents extends Pick<OrderFacts, "events"> {
  readonly updatedAt: Instant | undefined;
}

/** The stored order with events that came alone; of an older call only events that are not yet known. */
export function withLaterEvents(known: OrderFacts, { events, updatedAt }: LaterEvents): NewestFacts {
  const stored = known.updatedAt;
  if (updatedAt === undefined) return { facts: { ...known, events: withEvents(known.events, events) } };
  if (stored === undefined || updatedAt >= stored) {
    return { facts: { ...known, updatedAt, events: withEvents(known.events, events) } };
  }
  const fresh = events.filter(({ id }) => !known.events.some((event) => event.id === id));
  return {
    facts: { ...known, events: [...known.events, ...fresh] },
    stale: { received: updatedAt, stored },
  };
}

function withMissing(known: OrderFacts, received: OrderFacts): Pick<OrderFacts, "missing"> {
  const before = known.missing ?? [];
  const fresh = (received.missing ?? []).filter((fact) => !before.some((other) => isSameValue(other, fact)));
  return fresh.length === 0 ? {} : { missing: [...before, ...fresh] };
}

/** Each event keeps its first place and takes its last content. */
function withEvents(
  before: readonly CorrectionEvent[],
  after: readonly CorrectionEvent[],
): CorrectionEvent[] {
  const events = new Map(before.map((event) => [event.id, event]));
  for (const event of after) events.set(event.id, event);
  return [...events.values()];
}

/** New events come last, in the order of their payload. */
function placeIn(order: ReadonlyMap<string, number>, { id }: CorrectionEvent): number {
  return order.get(id) ?? order.size;
}

type FiscalFacts = Pick<
  OrderFacts,
  "breakdown" | "discounts" | "unmappedTotals" | "taxTotals" | "total" | "currency"
>;

/** The order as sold. While it stays the same, nothing that changes has to be looked at. */
export function fiscalFingerprint(facts: FiscalFacts): string {
  return sha256Hex(
    canonicalJson({
      total: facts.total,
      currency: facts.currency,
      // Shops begin to state unit and article number later: that changes no sale.
      breakdown: facts.breakdown.map(({ unit: _, itemCode: __, ...line }) => line),
      discounts: facts.discounts.map((discount) => ({ ...discount })),
      unmappedTotals: facts.unmappedTotals.map((entry) => ({ ...entry })),
      taxTotals: facts.taxTotals?.map((entry) => ({ ...entry })),
    }),
  );
}

/** The fingerprint of an invoice's facts. The database allows another one only with its generation. */
export function soldFingerprintOf(facts: FiscalFacts, generation: number): string {
  const fingerprint = fiscalFingerprint(facts);
  return generation === 1 ? fingerprint : `${generation}:${fingerprint}`;
}

export function isAsSold(soldFingerprint: string, facts: FiscalFacts): boolean {
  return soldFingerprint.slice(soldFingerprint.indexOf(":") + 1) === fiscalFingerprint(facts);
}

/**
 * The effect of an event, without its id. Reason, time and line names change no amount, and platforms edit
 * them, so they do not make it another event.
 */
export function eventFingerprint({ type, amount, lines }: CorrectionEvent): string {
  return sha256Hex(
    canonicalJson({
      type,
      amount,
      lines: lines.map(({ name: _, invoiceLine: __, ...effect }) => ({ ...effect })),
    }),
  );
}

/** An order can be cancelled only once, however often the shop reports it. */
export const CANCELLATION: CorrectionEvent = {
  id: "fiscal_event:cancelled",
  type: "cancellation",
  lines: [],
};

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
