import type { WebhookDelivery } from "../../domain/webhook/delivery.ts";
import { statusOf } from "../../domain/webhook/delivery.ts";
import type { WebhookEnd, WebhookEndpoint } from "../../domain/webhook/endpoint.ts";
import type { ToldEvent, WebhookEvent } from "../../domain/webhook/event.ts";
import type { ChainPlace } from "../../domain/webhook/page.ts";
import { fromOwnJson } from "../stored-json.ts";
import type { LogPage, LogQuery, StandingWebhook, WebhookLogEntry } from "./webhook-ports.ts";
import type {
  DeliveryRow,
  EndpointRow,
  selectChainHeads,
  selectCursors,
  selectLog,
  selectStanding,
} from "./webhook-reads.ts";

type RowOf<Select extends (...args: never[]) => PromiseLike<readonly unknown[]>> = Awaited<
  ReturnType<Select>
>[number];

export function endpointFrom(row: EndpointRow): WebhookEndpoint {
  const { id, url, secret, previousSecret, events, createdAt } = row;
  return {
    id,
    url,
    secrets: { current: secret, ...(previousSecret === null ? {} : { previous: previousSecret }) },
    events: eventsFrom(events),
    createdAt,
    ...endedFrom(row),
  };
}

export function standingFrom(
  row: RowOf<typeof selectStanding>,
  cursors: readonly RowOf<typeof selectCursors>[],
): StandingWebhook {
  const { id: endpointId, url, heldSeq, nextDueAt, oldestAt } = row;
  return {
    endpointId,
    url,
    events: eventsFrom(row.events),
    heldSeq,
    chains: cursors.filter((cursor) => cursor.endpointId === endpointId).map(chainFrom),
    ...endedFrom(row),
    ...(nextDueAt === null ? {} : { nextDueAt }),
    ...(oldestAt === null ? {} : { oldestAt }),
  };
}

export function chainFrom(row: RowOf<typeof selectChainHeads>): ChainPlace {
  const { installationId, position, changedSeq, changedPosition } = row;
  return { installationId, position, changed: { seq: changedSeq, position: changedPosition } };
}

export function deliveryFrom(row: DeliveryRow): WebhookDelivery {
  const { event, subject, body } = row;
  return { ...attemptsFrom(row), event: toldEvent(event), subject, body };
}

export function logPageFrom(rows: readonly RowOf<typeof selectLog>[], { limit }: LogQuery): LogPage {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    entries: shown.map(entryFrom),
    ...(last ? { next: { askedAt: last.askedAt, row: last.row } } : {}),
  };
}

function entryFrom(row: RowOf<typeof selectLog>): WebhookLogEntry {
  const delivery = attemptsFrom(row);
  const { id, attempts, askedAt, lastAt, lastOutcome, dueAt } = delivery;
  return {
    id,
    event: toldEvent(row.event),
    subject: row.subject,
    status: statusOf(delivery),
    attempts,
    askedAt,
    ...(lastAt === undefined ? {} : { lastAt }),
    ...(lastOutcome === undefined ? {} : { lastOutcome }),
    ...(dueAt === undefined ? {} : { nextAt: dueAt }),
  };
}

type AttemptRow = Pick<DeliveryRow, "id" | "askedAt" | "attempts" | "dueAt" | "lastAt" | "lastOutcome">;

function attemptsFrom({ id, askedAt, attempts, dueAt, lastAt, lastOutcome }: AttemptRow) {
  return {
    id,
    askedAt,
    attempts,
    dueAt: dueAt ?? undefined,
    lastAt: lastAt ?? undefined,
    lastOutcome: lastOutcome === null ? undefined : fromOwnJson<WebhookDelivery["lastOutcome"]>(lastOutcome),
  };
}

function endedFrom({ endedAt, endedBecause }: Pick<EndpointRow, "endedAt" | "endedBecause">) {
  // Only this service writes why.
  return endedAt === null
    ? {}
    : { ended: { at: endedAt, because: (endedBecause ?? "removed") as WebhookEnd } };
}

function eventsFrom(json: string): readonly WebhookEvent[] {
  return fromOwnJson(json);
}

/** Only this service writes events. */
function toldEvent(text: string): ToldEvent {
  return text as ToldEvent;
}
