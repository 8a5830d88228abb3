import { and, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { questionOfOrder } from "../../domain/order/question.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type Database, excluded, type JsonRow, rowSelects } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import type { OrderWrite } from "../ledger-state.ts";
import { consent } from "../schema/ledger.ts";
import { orderRelease, shopOrder, shopOrderSent } from "../schema/orders.ts";

const REPLACED = {
  state: shopOrder.state,
  orderedAt: shopOrder.orderedAt,
  orderDay: shopOrder.orderDay,
  dueDate: shopOrder.dueDate,
  status: shopOrder.status,
  rateDay: shopOrder.rateDay,
  rateCurrency: shopOrder.rateCurrency,
  waitsForRate: shopOrder.waitsForRate,
  decideFrom: shopOrder.decideFrom,
  undecided: shopOrder.undecided,
  facts: shopOrder.facts,
  sentSha256: shopOrder.sentSha256,
  reasons: shopOrder.reasons,
  warnings: shopOrder.warnings,
  answers: shopOrder.answers,
  acted: shopOrder.acted,
  soldFingerprint: shopOrder.soldFingerprint,
  changedAt: shopOrder.changedAt,
  requestId: shopOrder.requestId,
  currency: shopOrder.currency,
  total: shopOrder.total,
  unmailed: shopOrder.unmailed,
  question: shopOrder.question,
} as const satisfies Record<string, SQLiteColumn>;

/** An order held for the same reasons as before is no new event; its owner is notified once. */
const HELD_SEQ = sql`CASE WHEN ${excluded(shopOrder.heldSeq)} IS NOT NULL
  AND ${shopOrder.heldSeq} IS NOT NULL AND ${shopOrder.reasons} = ${excluded(shopOrder.reasons)}
  THEN ${shopOrder.heldSeq} ELSE ${excluded(shopOrder.heldSeq)} END`;

const UPSERT_ORDER = {
  target: [shopOrder.connectionId, shopOrder.idExternal],
  set: {
    ...Object.fromEntries(Object.entries(REPLACED).map(([name, column]) => [name, excluded(column)])),
    heldSeq: HELD_SEQ,
  },
};

const UPSERT_SENT = {
  target: [shopOrderSent.connectionId, shopOrderSent.idExternal],
  set: { sent: excluded(shopOrderSent.sent) },
};

export function upsertOrders(
  db: Database,
  connectionId: string,
  writes: readonly OrderWrite[],
  seq: number,
): FencedStatement[] {
  const rows = writes.map((write) => orderRow(connectionId, write, seq));
  const bodies = writes.flatMap(({ order, sent }) =>
    sent === undefined ? [] : [[connectionId, order.idExternal, sent]],
  );
  return [
    ...deferBroughtIn(db, connectionId, writes),
    ...rowSelects(rows).map((select) => db.insert(shopOrder).select(select).onConflictDoUpdate(UPSERT_ORDER)),
    ...rowSelects(bodies).map((select) =>
      db.insert(shopOrderSent).select(select).onConflictDoUpdate(UPSERT_SENT),
    ),
  ];
}

/**
 * Orders that a moved cutoff adds pass through `deferred` in the same batch, so that the release counts them.
 * An order released by its owner alone is not counted.
 */
function deferBroughtIn(
  db: Database,
  connectionId: string,
  writes: readonly OrderWrite[],
): FencedStatement[] {
  const ids = writes.flatMap(({ order, isBroughtIn }) => (isBroughtIn ? [order.idExternal] : []));
  if (ids.length === 0) return [];
  const isThese = sql`${shopOrder.idExternal} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const isIn = fallsIn(
    connectionId,
    sql`(SELECT ${consent.cutoffDate} FROM ${consent}
    WHERE ${consent.connectionId} = ${connectionId} AND ${consent.withdrawnAt} IS NULL)`,
  );
  return [db.update(shopOrder).set({ state: "deferred" }).where(and(isThese, isIn))];
}

/** Orders before an older cutoff, but not before this one. */
export function fallsIn(connectionId: string, cutoffDate: CivilDate | SQL): SQL {
  return sql`${shopOrder.connectionId} = ${connectionId} AND ${shopOrder.state} = 'before_cutoff'
    AND ${shopOrder.orderDay} >= ${cutoffDate}`;
}

/** The value of the unused `was_candidate`. */
const NOT_READ = 0;

/** Values in the order of the table's columns, which an INSERT from a SELECT follows. */
function orderRow(connectionId: string, { order, rate, at, requestId }: OrderWrite, seq: number): JsonRow {
  return [
    connectionId,
    order.idExternal,
    order.state,
    order.facts.orderedAt,
    order.orderDay,
    order.dueDate,
    order.facts.status ?? null,
    rate?.day ?? null,
    rate?.currency ?? null,
    Number(order.waitsForRate),
    order.decideFrom ?? null,
    Number(order.undecided),
    NOT_READ,
    JSON.stringify(order.facts),
    order.sentSha256,
    JSON.stringify(order.reasons),
    JSON.stringify(order.warnings),
    JSON.stringify(order.answers),
    JSON.stringify(order.acted),
    order.soldFingerprint ?? null,
    at,
    at,
    requestId,
    order.state === "held" ? seq : null,
    order.facts.currency,
    order.facts.total,
    order.unmailed ?? null,
    (order.state === "held" && questionOfOrder(order.reasons, order.facts)) || null,
  ];
}

/**
 * Counts orders that an earlier cutoff excluded and this one includes; a trigger counts the rest with the
 * consent.
 */
export function countBroughtIn(db: Database, connectionId: string, cutoffDate: CivilDate): FencedStatement {
  return db
    .update(orderRelease)
    .set({ total: sql`${orderRelease.total} + ${broughtIn(connectionId, cutoffDate)}` })
    .where(sql`${orderRelease.connectionId} = ${connectionId}`);
}

/**
 * A cutoff that adds orders restarts the count with the waiting orders; it runs before the cutoff moves.
 */
export function beginRelease(
  db: Database,
  connectionId: string,
  { cutoffDate, at }: { readonly cutoffDate: CivilDate; readonly at: Instant },
): FencedStatement {
  const deferred = sql`(SELECT count(*) FROM ${shopOrder}
    WHERE ${shopOrder.connectionId} = ${connectionId} AND ${shopOrder.state} = 'deferred')`;
  const isEarlier = sql`EXISTS (SELECT 1 FROM ${consent} WHERE ${consent.connectionId} = ${connectionId}
    AND ${consent.withdrawnAt} IS NULL AND ${consent.cutoffDate} > ${cutoffDate})`;
  return db
    .update(orderRelease)
    .set({
      total: sql`${deferred} + ${broughtIn(connectionId, cutoffDate)}`,
      invoiced: 0,
      held: 0,
      settled: 0,
      changedAt: at,
    })
    .where(
      sql`${orderRelease.connectionId} = ${connectionId} AND ${isEarlier}
        AND EXISTS (SELECT 1 FROM ${shopOrder} WHERE ${fallsIn(connectionId, cutoffDate)})`,
    );
}

function broughtIn(connectionId: string, cutoffDate: CivilDate) {
  return sql`(SELECT count(*) FROM ${shopOrder} WHERE ${fallsIn(connectionId, cutoffDate)})`;
}
