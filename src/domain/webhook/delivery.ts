import {
  type CallOutcome,
  type Delivery,
  type DeliveryStatus,
  deliveryStatus,
  newDelivery,
} from "../callback/delivery.ts";
import { bodyOf, newMessageId } from "../callback/message.ts";
import type { RandomBytes } from "../connection/ids.ts";
import type { Instant } from "../shared/instant.ts";
import { assertNever } from "../shared/result.ts";
import { type DeliveredEvent, sourcesOf, type WebhookEvent } from "./event.ts";
import {
  type ChangedFact,
  eventOfChange,
  eventOfHold,
  eventsOfIssued,
  type HeldFact,
  type IssuedFact,
  type PublishedEvent,
} from "./published-event.ts";

/** The last of the changes of a chain: its number, and the place within it. */
interface ChangePlace {
  readonly seq: number;
  readonly position: number;
}

/** A position in one chain: its head, or the cursor of a subscriber. */
export interface ChainPlace {
  readonly installationId: string;
  readonly position: number;
  readonly changed: ChangePlace;
}

/** The newest positions of a connection's event sources. */
export interface Heads {
  readonly chains: readonly ChainPlace[];
  readonly heldSeq: number;
}

/** A subscriber's cursors. */
export interface Subscriber {
  readonly endpointId: string;
  readonly events: readonly WebhookEvent[];
  /** A missing chain counts as position zero. */
  readonly chains: readonly ChainPlace[];
  readonly heldSeq: number;
}

/** Positions of a chain after the cursor of an endpoint. */
export interface IssuedPage {
  readonly source: "issued";
  readonly endpointId: string;
  readonly installationId: string;
  readonly from: number;
  readonly to: number;
}

export interface ChangedPage {
  readonly source: "changed";
  readonly endpointId: string;
  readonly installationId: string;
  readonly from: ChangePlace;
}

export interface HeldPage {
  readonly source: "held";
  readonly endpointId: string;
  readonly from: number;
}

export type Page = IssuedPage | ChangedPage | HeldPage;

/** Per source. */
export const PAGE_SIZE = 100;

/** Events outside the subscription do not delay its cursor. */
export function pagesToRead(subscriber: Subscriber, heads: Heads): readonly Page[] {
  const { endpointId, heldSeq } = subscriber;
  const sources = sourcesOf(subscriber.events);
  const ofChains = heads.chains.flatMap((head): readonly Page[] => {
    const { installationId } = head;
    const known = subscriber.chains.find((one) => one.installationId === installationId) ?? NOTHING_READ;
    const of = { endpointId, installationId };
    const to = Math.min(head.position, known.position + PAGE_SIZE);
    const isIssued = sources.has("issued") && to > known.position;
    const isChanged = sources.has("changed") && isBefore(known.changed, head.changed);
    return [
      ...(isIssued ? [{ ...of, source: "issued", from: known.position, to } as const] : []),
      ...(isChanged ? [{ ...of, source: "changed", from: known.changed } as const] : []),
    ];
  });
  const isHeld = sources.has("held") && heads.heldSeq > heldSeq;
  return [...ofChains, ...(isHeld ? [{ endpointId, source: "held", from: heldSeq } as const] : [])];
}

const NOTHING_READ = { position: 0, changed: { seq: 0, position: 0 } } as const;

function isBefore(one: ChangePlace, other: ChangePlace): boolean {
  return one.seq < other.seq || (one.seq === other.seq && one.position < other.position);
}

/** A page with its events, in the order of the source. */
export type PageRead =
  | (IssuedPage & { readonly facts: readonly IssuedFact[] })
  | (ChangedPage & { readonly facts: readonly ChangedFact[] })
  | (HeldPage & { readonly facts: readonly HeldFact[] });

/** The new cursor after a page. */
export type Move =
  | IssuedPage
  | (ChangedPage & { readonly to: ChangePlace })
  | (HeldPage & { readonly to: number });

/** One step of a cursor with its deliveries, written together. */
export interface DeliveryPage {
  readonly move: Move;
  /** Under these events it was decided. */
  readonly events: readonly WebhookEvent[];
  readonly deliveries: readonly WebhookDelivery[];
}

interface PageContext {
  readonly connectionId: string;
  readonly random: RandomBytes;
  readonly at: Instant;
}

/** Undefined for an empty page: the orders have changed since. */
export function deliveryPageOf(
  read: PageRead,
  events: readonly WebhookEvent[],
  { connectionId, random, at }: PageContext,
): DeliveryPage | undefined {
  const move = moveOf(read);
  if (!move) return undefined;
  const subscribed = eventsIn(read, connectionId, at).filter(({ event }) =>
    events.some((one) => one === event),
  );
  const deliveries = subscribed.map((event) => webhookDelivery(event, { id: newMessageId(random), at }));
  return { move, events, deliveries };
}

function eventsIn(read: PageRead, connectionId: string, at: Instant): readonly PublishedEvent[] {
  switch (read.source) {
    case "issued":
      return read.facts.flatMap((fact) => eventsOfIssued(connectionId, fact));
    case "changed":
      return read.facts.map((fact) => eventOfChange(connectionId, fact, at));
    case "held":
      return read.facts.map((fact) => eventOfHold(connectionId, fact));
    default:
      return assertNever(read);
  }
}

function moveOf(read: PageRead): Move | undefined {
  switch (read.source) {
    case "issued": {
      const { facts: _, ...page } = read;
      return page;
    }
    case "changed": {
      const { facts, ...page } = read;
      const last = facts.at(-1);
      return last && { ...page, to: { seq: last.changedSeq, position: last.position } };
    }
    case "held": {
      const { facts, ...page } = read;
      const last = facts.at(-1);
      return last && { ...page, to: last.heldSeq };
    }
    default:
      return assertNever(read);
  }
}

/** A message to one endpoint, in the words of the moment: every attempt sends the same body. */
export interface WebhookDelivery extends Delivery {
  readonly event: DeliveredEvent;
  readonly subject: string;
  readonly body: string;
}

/** A finished one is kept for so long. */
export const KEPT_MS = 30 * 86_400_000;

export function webhookDelivery(
  { event, subject, happenedAt, data }: PublishedEvent,
  { id, at }: { readonly id: string; readonly at: Instant },
): WebhookDelivery {
  return { ...newDelivery(id, at), event, subject, body: bodyOf(event, happenedAt, data) };
}

/** The status shown to the owner; a delivery due again is pending, regardless of its earlier result. */
export function statusOf(delivery: Delivery): DeliveryStatus {
  const status = deliveryStatus(delivery);
  const hasEnded = status === "delivered" || status === "stopped";
  return hasEnded && delivery.dueAt !== undefined ? "waiting" : status;
}

/** True if the receiver currently accepts no message: other deliveries need not be tried. */
export function isDown(outcome: CallOutcome): boolean {
  if (outcome.outcome !== "failed") return false;
  switch (outcome.cause) {
    case "no_connection":
    case "timeout":
    case "server_error":
      return true;
    case "client_error":
      return outcome.status === TOO_MANY_REQUESTS;
    default:
      return false;
  }
}

const TOO_MANY_REQUESTS = 429;
