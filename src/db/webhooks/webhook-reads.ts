import { and, desc, eq, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { ENDED_WEBHOOKS_SHOWN } from "../../domain/limits.ts";
import { TEST_EVENT } from "../../domain/webhook/event.ts";
import type { Database } from "../database.ts";
import type { DeliveryQuery } from "../owner-state.ts";
import { account, installation, record } from "../schema/ledger.ts";
import { shopOrder } from "../schema/orders.ts";
import { chainStart } from "../schema/retention.ts";
import { webhookCursor, webhookDelivery, webhookEndpoint } from "../schema/submission.ts";
import type { LogQuery } from "./webhook-ports.ts";

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

export type EndpointRow = Awaited<ReturnType<typeof selectEndpoints>>[number];

/** With two steps into the indexes of deliveries for each. */
export function selectStanding(db: Database, connectionId: string) {
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

export function selectCursors(db: Database, connectionId: string) {
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
export function selectChainHeads(db: Database, connectionId: string) {
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

export function selectLastHeld(db: Database, connectionId: string) {
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
export function selectDelivery(db: Database, connectionId: string, asked: DeliveryQuery) {
  const isAsked =
    "id" in asked
      ? eq(webhookDelivery.id, asked.id)
      : and(
          eq(webhookDelivery.endpointId, asked.waitingTestOf),
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

export type DeliveryRow = typeof webhookDelivery.$inferSelect;

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
