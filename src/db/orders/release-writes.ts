import { sql } from "drizzle-orm";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Database } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import { consent } from "../schema/ledger.ts";
import { orderRelease, shopOrder } from "../schema/orders.ts";
import { fallsIn } from "./order-writes.ts";

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
 * A cutoff that adds orders restarts the count with those that still wait; it runs before the cutoff moves.
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
