import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { DeliveryPage, Move, WebhookDelivery } from "../../domain/webhook/delivery.ts";
import type { WebhookSource } from "../../domain/webhook/event.ts";
import { type Database, excluded, rowParameters } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import { installation, ledgerHead, record } from "../schema/ledger.ts";
import { webhookCursor, webhookDelivery, webhookEndpoint } from "../schema/submission.ts";
import { type BegunAttempt, type EndOfWebhook, lastChange, lastPosition } from "./webhook-reads.ts";

/**
 * The deliveries, then the cursor. Each is written only if cursor and subscription are unchanged since the
 * read: a second batch of the same writes nothing.
 */
export function deliveryPageStatements(
  db: Database,
  connectionId: string,
  deliveryPage: DeliveryPage,
): FencedStatement[] {
  const { move, events, deliveries } = deliveryPage;
  const { endpointId } = move;
  const isListening = sql`EXISTS (SELECT 1 FROM ${webhookEndpoint} WHERE ${webhookEndpoint.id} = ${endpointId}
    AND ${webhookEndpoint.connectionId} = ${connectionId} AND ${webhookEndpoint.endedAt} IS NULL
    AND ${webhookEndpoint.events} = ${JSON.stringify(events)})`;
  const condition = sql`${isListening} AND ${isAtCursor(move)}`;
  return [
    ...insertDeliveries(db, { endpointId, connectionId, deliveries }, condition),
    moveCursor(db, move, condition),
  ];
}

interface NewDeliveries {
  readonly endpointId: string;
  readonly connectionId: string;
  readonly deliveries: readonly WebhookDelivery[];
}

/** Subjects that the endpoint already has are skipped: a record can reach one state twice. */
export function insertDeliveries(db: Database, made: NewDeliveries, condition: SQL): FencedStatement[] {
  const { endpointId, connectionId, deliveries } = made;
  const rows = deliveries.map(({ id, event, subject, body, askedAt, attempts, dueAt = null }) => [
    ...[id, endpointId, connectionId, event, subject, body],
    ...[askedAt, attempts, dueAt],
  ]);
  const columns = sql.raw(Array.from({ length: 9 }, (_, index) => `value ->> ${index}`).join(", "));
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${webhookDelivery}
    WHERE ${webhookDelivery.endpointId} = ${endpointId}
      AND ${webhookDelivery.event} = made.value ->> 3 AND ${webhookDelivery.subject} = made.value ->> 4)`;
  return rowParameters(rows).map((json) =>
    db.insert(webhookDelivery).select(
      sql`SELECT ${columns}, NULL, NULL FROM json_each(${json}) AS made
        WHERE ${condition} AND ${isNew} ORDER BY key`,
    ),
  );
}

function isAtCursor(move: Move): SQL {
  switch (move.source) {
    case "held":
      return sql`EXISTS (SELECT 1 FROM ${webhookEndpoint}
        WHERE ${webhookEndpoint.id} = ${move.endpointId} AND ${webhookEndpoint.heldSeq} = ${move.from})`;
    case "issued":
      return sql`${cursorOf(move, sql`${webhookCursor.position}`)} = ${move.from}`;
    case "changed":
      return sql`${cursorOf(move, sql`${webhookCursor.changedSeq}`)} = ${move.from.seq}
        AND ${cursorOf(move, sql`${webhookCursor.changedPosition}`)} = ${move.from.position}`;
  }
}

/** A chain without a cursor is at its beginning. */
function cursorOf(
  { endpointId, installationId }: Exclude<Move, { readonly source: "held" }>,
  what: SQL,
): SQL {
  return sql`coalesce((SELECT ${what} FROM ${webhookCursor}
    WHERE ${webhookCursor.endpointId} = ${endpointId}
      AND ${webhookCursor.installationId} = ${installationId}), 0)`;
}

const NOTHING_TOLD = { position: 0, changedSeq: 0, changedPosition: 0 };

function moveCursor(db: Database, move: Move, condition: SQL): FencedStatement {
  const { endpointId } = move;
  if (move.source === "held") {
    const isThis = and(eq(webhookEndpoint.id, endpointId), condition);
    return db.update(webhookEndpoint).set({ heldSeq: move.to }).where(isThis);
  }
  const { installationId } = move;
  const set =
    move.source === "issued"
      ? { position: move.to }
      : { changedSeq: move.to.seq, changedPosition: move.to.position };
  const { position, changedSeq, changedPosition } = { ...NOTHING_TOLD, ...set };
  return db
    .insert(webhookCursor)
    .select(
      sql`SELECT ${endpointId}, ${installationId}, ${position}, ${changedSeq}, ${changedPosition}
        WHERE ${condition}`,
    )
    .onConflictDoUpdate({ target: [webhookCursor.endpointId, webhookCursor.installationId], set });
}

/** Ours if no other instance has begun it; the row decides. */
export function beginAttempt(db: Database, endpointId: string, { before, begun }: BegunAttempt) {
  const isOurs = and(
    eq(webhookDelivery.id, before.id),
    eq(webhookDelivery.endpointId, endpointId),
    eq(webhookDelivery.attempts, before.attempts),
    sql`${webhookDelivery.dueAt} IS ${before.dueAt ?? null}`,
    sql`EXISTS (SELECT 1 FROM ${webhookEndpoint}
      WHERE ${webhookEndpoint.id} = ${endpointId} AND ${webhookEndpoint.endedAt} IS NULL)`,
  );
  return db
    .update(webhookDelivery)
    .set(attemptColumns(begun))
    .where(isOurs)
    .returning({ id: webhookDelivery.id });
}

/** A yes counts whenever it comes, a failure only for the attempt that was begun last. */
export function settleAttempt(db: Database, settled: WebhookDelivery): FencedStatement {
  const isLast = eq(webhookDelivery.attempts, settled.attempts);
  const isOpen = and(
    eq(webhookDelivery.id, settled.id),
    sql`${webhookDelivery.lastOutcome} ->> '$.outcome' = 'failed'`,
    settled.lastOutcome?.outcome === "failed" ? isLast : undefined,
  );
  const { attempts: _, ...columns } = attemptColumns(settled);
  return db.update(webhookDelivery).set(columns).where(isOpen);
}

function attemptColumns({ attempts, dueAt, lastAt, lastOutcome }: WebhookDelivery) {
  return {
    attempts,
    dueAt: dueAt ?? null,
    lastAt: lastAt ?? null,
    lastOutcome: lastOutcome === undefined ? null : JSON.stringify(lastOutcome),
  };
}

export function endEndpoint(db: Database, connectionId: string, end: EndOfWebhook): FencedStatement {
  const isAlive = and(
    eq(webhookEndpoint.id, end.endpointId),
    eq(webhookEndpoint.connectionId, connectionId),
    isNull(webhookEndpoint.endedAt),
  );
  return db.update(webhookEndpoint).set({ endedAt: end.at, endedBecause: end.because }).where(isAlive);
}

const STOPPED = JSON.stringify({ outcome: "stopped", cause: "endpoint_ended" });

/** Deliveries to ended endpoints. */
export function stopDeliveries(db: Database, connectionId: string, at: number, limit: number) {
  const some = sql`(SELECT ${webhookDelivery.id} FROM ${webhookEndpoint} CROSS JOIN ${webhookDelivery}
    ON ${webhookDelivery.endpointId} = ${webhookEndpoint.id} AND ${webhookDelivery.dueAt} IS NOT NULL
    WHERE ${webhookEndpoint.connectionId} = ${connectionId} AND ${webhookEndpoint.endedAt} IS NOT NULL
    LIMIT ${limit})`;
  return db
    .update(webhookDelivery)
    .set({ dueAt: null, lastAt: at, lastOutcome: STOPPED })
    .where(inArray(webhookDelivery.id, some))
    .returning({ id: webhookDelivery.id });
}

export function forgetDeliveries(db: Database, connectionId: string, before: number, limit: number) {
  const some = sql`(SELECT ${webhookDelivery.id} FROM ${webhookEndpoint} CROSS JOIN ${webhookDelivery}
    ON ${webhookDelivery.endpointId} = ${webhookEndpoint.id} AND ${webhookDelivery.askedAt} < ${before}
    WHERE ${webhookEndpoint.connectionId} = ${connectionId} AND ${webhookDelivery.dueAt} IS NULL
    LIMIT ${limit})`;
  return db
    .delete(webhookDelivery)
    .where(inArray(webhookDelivery.id, some))
    .returning({ id: webhookDelivery.id });
}

/** Endpoints that ended before, with no delivery remaining. */
export function forgetEndpoints(db: Database, connectionId: string, before: number) {
  const some = sql`(SELECT ${webhookEndpoint.id} FROM ${webhookEndpoint}
    WHERE ${webhookEndpoint.connectionId} = ${connectionId} AND ${webhookEndpoint.endedAt} < ${before}
    AND NOT EXISTS (SELECT 1 FROM ${webhookDelivery}
      WHERE ${webhookDelivery.endpointId} = ${webhookEndpoint.id}))`;
  return [
    db.delete(webhookCursor).where(inArray(webhookCursor.endpointId, some)),
    db.delete(webhookEndpoint).where(inArray(webhookEndpoint.id, some)).returning({ id: webhookEndpoint.id }),
  ] as const;
}

export function isAliveEndpoint(connectionId: string, id: string) {
  return and(
    eq(webhookEndpoint.id, id),
    eq(webhookEndpoint.connectionId, connectionId),
    isNull(webhookEndpoint.endedAt),
  );
}

/** Moves the cursors of these sources past the last event of this batch: earlier events are not sent. */
export function sendFromNowOn(
  db: Database,
  connectionId: string,
  endpointId: string,
  sources: readonly WebhookSource[],
): FencedStatement[] {
  const { position, changedSeq, changedPosition } = webhookCursor;
  const set = {
    ...(sources.includes("issued") ? { position: excluded(position) } : {}),
    ...(sources.includes("changed")
      ? { changedSeq: excluded(changedSeq), changedPosition: excluded(changedPosition) }
      : {}),
  };
  const heads = sql`SELECT ${endpointId}, ${installation.id}, ${lastPosition()},
    ${lastChange(sql`${record.changedSeq}`)}, ${lastChange(sql`${record.position}`)}
    FROM ${installation} WHERE ${installation.connectionId} = ${connectionId}`;
  const target = [webhookCursor.endpointId, webhookCursor.installationId];
  return [
    ...(Object.keys(set).length > 0
      ? [db.insert(webhookCursor).select(heads).onConflictDoUpdate({ target, set })]
      : []),
    ...(sources.includes("held")
      ? [
          db
            .update(webhookEndpoint)
            .set({ heldSeq: headOf(connectionId) })
            .where(isAliveEndpoint(connectionId, endpointId)),
        ]
      : []),
  ];
}

/** The number of this batch's fence. */
export function headOf(connectionId: string) {
  const ofThis = sql`${ledgerHead.connectionId} = ${connectionId}`;
  return sql`(SELECT ${ledgerHead.seq} FROM ${ledgerHead} WHERE ${ofThis})`;
}
