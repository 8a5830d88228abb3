import type { Instant } from "../shared/instant.ts";
import type { ActedEvent } from "./context.ts";
import type { CorrectionEvent, OrderFacts } from "./facts.ts";
import { inGeneration, isOfFiscalEvent } from "./normalize-events.ts";

export interface NewestFacts {
  readonly facts: OrderFacts;
  /** The payload is older than what is known: only events not seen before were taken of it. */
  readonly stale?: { readonly received: Instant; readonly stored: Instant };
}

/** The state of the order before the payload is read. */
export interface SoFar {
  readonly acted: readonly Pick<ActedEvent, "id">[];
  readonly isInvoiced: boolean;
  /** Of the invoice that a cancellation of now is about; absent for the first. */
  readonly generation?: number;
}

const NOTHING_SO_FAR: SoFar = { acted: [], isInvoiced: false };

/**
 * What is known of an order after another payload: the newer facts, `fiscal_event` among them, every event
 * with an id of its own or that has acted, and for an invoiced order a full invoice that was once asked
 * for. Without dates of change the payload that comes last is the newer one.
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
    return { facts: { ...known, events: inOrder }, stale: { received: updatedAt, stored: known.updatedAt } };
  }
  // A cancellation ends what was asked for before it.
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

/** Each in the place where it was first told, with what was said of it last. */
function withEvents(
  before: readonly CorrectionEvent[],
  after: readonly CorrectionEvent[],
): CorrectionEvent[] {
  const events = new Map(before.map((event) => [event.id, event]));
  for (const event of after) events.set(event.id, event);
  return [...events.values()];
}

/** Those not known before come last, in the order of their payload. */
function placeIn(order: ReadonlyMap<string, number>, { id }: CorrectionEvent): number {
  return order.get(id) ?? order.size;
}
