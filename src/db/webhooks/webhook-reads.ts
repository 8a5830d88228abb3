import { and, desc, eq, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { CallOutcome, DeliveryStatus } from "../../domain/callback/delivery.ts";
import type { SigningSecrets } from "../../domain/callback/message.ts";
import { ENDED_WEBHOOKS_SHOWN } from "../../domain/limits.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import {
  type ChainPlace,
  type DeliveryPage,
  type Heads,
  type Page,
  type PageRead,
  type Subscriber,
  statusOf,
  type WebhookDelivery,
} from "../../domain/webhook/delivery.ts";
import type { EndedWebhook, WebhookEnd, WebhookEndpoint } from "../../domain/webhook/endpoint.ts";
import { type DeliveredEvent, TEST_EVENT, type WebhookEvent } from "../../domain/webhook/event.ts";
import { type Database, fromOwnJson } from "../database.ts";
import type { Bound } from "../kept-reads.ts";
import type { DeliveryQuery } from "../ledger-state.ts";
import { account, installation, record } from "../schema/ledger.ts";
import { shopOrder } from "../schema/orders.ts";
import { chainStart } from "../schema/retention.ts";
import { webhookCursor, webhookDelivery, webhookEndpoint } from "../schema/submission.ts";

/** An endpoint with its cursors. */
export interface EndpointStatus extends Subscriber {
  readonly url: string;
  readonly ended?: EndedWebhook;
  /** When its next attempt is due; undefined when nothing is on its way. */
  readonly nextDueAt?: Instant;
  /** When the oldest of its deliveries was made. */
  readonly oldestAt?: Instant;
}

export interface WebhookStatus {
  /** Frozen accounts get no calls. */
  readonly frozen: boolean;
  /** Including ended ones, while they are kept. */
  readonly webhooks: readonly EndpointStatus[];
  readonly heads: Heads;
}

/** One attempt, written before it is made. */
export interface BegunAttempt {
  readonly before: WebhookDelivery;
  readonly begun: WebhookDelivery;
}

export interface Begun {
  /** The ids that this instance may send; another instance has the others. */
  readonly ids: readonly string[];
  /** Undefined where the endpoint has ended meanwhile. */
  readonly target?: { readonly url: string; readonly secrets: SigningSecrets };
}

/** The end of an endpoint that its own answer brought. */
export interface EndOfWebhook {
  readonly endpointId: string;
  readonly because: WebhookEnd;
  readonly at: Instant;
}

/** An endpoint as its owner sees it, without secrets. */
export interface WebhookListing {
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** Two secrets are alive. */
  readonly rotating: boolean;
  readonly createdAt: Instant;
  readonly ended?: EndedWebhook;
}

interface WebhookLogEntry {
  readonly id: string;
  readonly event: DeliveredEvent;
  readonly subject: string;
  readonly status: DeliveryStatus;
  /** Attempts begun. */
  readonly attempts: number;
  readonly askedAt: Instant;
  readonly lastAt?: Instant;
  readonly lastOutcome?: CallOutcome;
  /** When it is tried next. */
  readonly nextAt?: Instant;
}

/** The entry that a page ends with; the next page follows it. */
export interface LogPlace {
  readonly askedAt: Instant;
  readonly row: number;
}

export interface LogQuery {
  readonly endpointId: string;
  readonly after?: LogPlace;
  readonly limit: number;
}

export interface LogPage {
  /** Newest first. */
  readonly entries: readonly WebhookLogEntry[];
  /** Undefined on the last page. */
  readonly next?: LogPlace;
}

/**
 * Webhooks of one connection, outside the books and their fence: they never delay issuing. Concurrent
 * instances are settled row by row. Every method is one D1 round trip.
 */
export interface WebhookStore {
  readStatus(): Promise<WebhookStatus>;
  readPages(pages: readonly Page[]): Promise<readonly PageRead[]>;
  /** Each passage is written as a whole; one with an outdated cursor writes nothing. */
  enqueue(deliveryPages: readonly DeliveryPage[]): Promise<void>;
  /** The oldest due ones. */
  readDue(query: DueQuery): Promise<readonly WebhookDelivery[]>;
  begin(endpointId: string, attempts: readonly BegunAttempt[]): Promise<Begun>;
  /** A result that is too late for its attempt changes nothing. */
  settle(settled: readonly WebhookDelivery[], end?: EndOfWebhook): Promise<void>;
  end(end: EndOfWebhook): Promise<void>;
  /** Ends deliveries of endpoints that have ended; how many they were. */
  stop(at: Instant, limit: number): Promise<number>;
  /** Forgets finished deliveries made before then, and endpoints that ended before then; how many. */
  forget(before: Instant, limit: number): Promise<number>;
  list(): Promise<readonly WebhookListing[]>;
  listDeliveries(query: LogQuery): Promise<LogPage>;
}

interface DueQuery {
  readonly endpointId: string;
  readonly at: Instant;
  readonly limit: number;
}

/** The active endpoints, and the last ended ones. */
export function selectEndpoints(db: Database, connectionId: string) {
  const ended = db
    .select({ id: webhookEndpoint.id })
    .from(webhookEndpoint)
    .where(and(eq(webhookEndpoint.connectionId, connectionId), isNotNull(webhookEndpoint.endedAt)))
    .orderBy(desc(webhookEndpoint.endedAt), desc(webhookEndpoint.id))
    .limit(ENDED_WEBHOOKS_SHOWN);
  return db
    .select()
    .from(webhookEndpoint)
    .where(
      and(
        eq(webhookEndpoint.connectionId, connectionId),
        or(isNull(webhookEndpoint.endedAt), inArray(webhookEndpoint.id, ended)),
      ),
    )
    .orderBy(webhookEndpoint.createdAt, webhookEndpoint.id);
}

type EndpointRow = Awaited<ReturnType<typeof selectEndpoints>>[number];

/** With two steps into the indexes of deliveries for each. */
export function selectStatus(db: Database, connectionId: Bound) {
  const ofThis = sql`${webhookDelivery.endpointId} = ${webhookEndpoint.id}`;
  return db
    .select({
      id: webhookEndpoint.id,
      url: webhookEndpoint.url,
      events: webhookEndpoint.events,
      heldSeq: webhookEndpoint.heldSeq,
      endedAt: webhookEndpoint.endedAt,
      endedBecause: webhookEndpoint.endedBecause,
      nextDueAt: sql<number | null>`(SELECT min(${webhookDelivery.dueAt}) FROM ${webhookDelivery}
        WHERE ${ofThis} AND ${webhookDelivery.dueAt} IS NOT NULL)`.as("next_due_at"),
      oldestAt: sql<number | null>`(SELECT min(${webhookDelivery.askedAt}) FROM ${webhookDelivery}
        WHERE ${ofThis})`.as("oldest_at"),
      frozen: account.frozen,
    })
    .from(webhookEndpoint)
    .innerJoin(account, eq(account.id, webhookEndpoint.accountId))
    .where(eq(webhookEndpoint.connectionId, connectionId))
    .orderBy(webhookEndpoint.createdAt, webhookEndpoint.id);
}

export function selectCursors(db: Database, connectionId: Bound) {
  return db
    .select({
      endpointId: webhookCursor.endpointId,
      installationId: webhookCursor.installationId,
      position: webhookCursor.position,
      changedSeq: webhookCursor.changedSeq,
      changedPosition: webhookCursor.changedPosition,
    })
    .from(webhookEndpoint)
    .innerJoin(webhookCursor, eq(webhookCursor.endpointId, webhookEndpoint.id))
    .where(eq(webhookEndpoint.connectionId, connectionId));
}

/** The end of each chain of the connection, and its last change. */
export function selectChainHeads(db: Database, connectionId: Bound) {
  return db
    .select({
      installationId: installation.id,
      position: lastPosition().as("last_position"),
      changedSeq: lastChange(sql`${record.changedSeq}`).as("last_changed_seq"),
      changedPosition: lastChange(sql`${record.position}`).as("last_changed_position"),
    })
    .from(installation)
    .where(eq(installation.connectionId, connectionId));
}

/** The installation of the query around it, named whole: a query of one table writes bare names. */
const INSTALLATION = sql.raw('"installation"."id"');

/** 0 for an empty chain; after retirement, the position before the next record. */
export function lastPosition(): SQL<number> {
  return sql<number>`coalesce((SELECT max(${record.position}) FROM ${record}
    WHERE ${record.installationId} = ${INSTALLATION}), (SELECT max(${chainStart.position}) FROM ${chainStart}
    WHERE ${chainStart.installationId} = ${INSTALLATION}), 0)`;
}

/** The same of the last change in it; 0 where nothing has changed. */
export function lastChange(what: SQL): SQL<number> {
  return sql<number>`coalesce((SELECT ${what} FROM ${record}
    WHERE ${record.installationId} = ${INSTALLATION} AND ${record.changedSeq} IS NOT NULL
    ORDER BY ${record.changedSeq} DESC, ${record.position} DESC LIMIT 1), 0)`;
}

export function selectLastHeld(db: Database, connectionId: Bound) {
  return db
    .select({ heldSeq: sql<number | null>`max(${shopOrder.heldSeq})`.as("last_held_seq") })
    .from(shopOrder)
    .where(and(eq(shopOrder.connectionId, connectionId), sql`${shopOrder.heldSeq} IS NOT NULL`));
}

export function selectDue(
  db: Database,
  { endpointId, at, limit }: { readonly endpointId: string; readonly at: number; readonly limit: number },
) {
  return db
    .select()
    .from(webhookDelivery)
    .where(and(eq(webhookDelivery.endpointId, endpointId), lte(webhookDelivery.dueAt, at)))
    .orderBy(webhookDelivery.dueAt)
    .limit(limit);
}

/** The state of one delivery of the connection. */
export function selectDelivery(db: Database, connectionId: string, query: DeliveryQuery) {
  const isAsked =
    "id" in query
      ? eq(webhookDelivery.id, query.id)
      : and(
          eq(webhookDelivery.endpointId, query.waitingTestOf),
          eq(webhookDelivery.event, TEST_EVENT),
          eq(webhookDelivery.attempts, 0),
        );
  return db
    .select({
      id: webhookDelivery.id,
      endpointId: webhookDelivery.endpointId,
      dueAt: webhookDelivery.dueAt,
    })
    .from(webhookDelivery)
    .where(and(isAsked, eq(webhookDelivery.connectionId, connectionId)))
    .limit(1);
}

type DeliveryRow = typeof webhookDelivery.$inferSelect;

/** Newest first; within one moment in the order in which they were made, backwards. */
export function selectLog(db: Database, connectionId: string, { endpointId, after, limit }: LogQuery) {
  const row = sql<number>`${webhookDelivery}.rowid`;
  const isBehind = after
    ? sql`(${webhookDelivery.askedAt} < ${after.askedAt}
        OR (${webhookDelivery.askedAt} = ${after.askedAt} AND ${row} < ${after.row}))
        AND ${webhookDelivery.askedAt} <= ${after.askedAt}`
    : undefined;
  return db
    .select({
      row: row.as("log_row"),
      id: webhookDelivery.id,
      event: webhookDelivery.event,
      subject: webhookDelivery.subject,
      askedAt: webhookDelivery.askedAt,
      attempts: webhookDelivery.attempts,
      dueAt: webhookDelivery.dueAt,
      lastAt: webhookDelivery.lastAt,
      lastOutcome: webhookDelivery.lastOutcome,
    })
    .from(webhookDelivery)
    .where(
      and(
        eq(webhookDelivery.endpointId, endpointId),
        eq(webhookDelivery.connectionId, connectionId),
        isBehind,
      ),
    )
    .orderBy(desc(webhookDelivery.askedAt), sql`${row} DESC`)
    .limit(limit + 1);
}

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

export function statusFrom(
  row: RowOf<typeof selectStatus>,
  cursors: readonly RowOf<typeof selectCursors>[],
): EndpointStatus {
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
  return { ...attemptsFrom(row), event: deliveredEvent(event), subject, body };
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
    event: deliveredEvent(row.event),
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
  // Only this service writes the cause.
  return endedAt === null
    ? {}
    : { ended: { at: endedAt, because: (endedBecause ?? "removed") as WebhookEnd } };
}

function eventsFrom(json: string): readonly WebhookEvent[] {
  return fromOwnJson(json);
}

/** Only this service writes events. */
function deliveredEvent(text: string): DeliveredEvent {
  return text as DeliveredEvent;
}
