import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import type { DueOrders } from "../order-state.ts";
import type { RateKey } from "../rates/rate-for.ts";
import { shopOrder } from "../schema/orders.ts";
import { erasedOrder } from "../schema/retention.ts";
import { exchangeRate, shopStatus } from "../schema/shop.ts";

/** A query for ids of orders in its column `id`, to be read in the middle of another. */
export type OrderIds = SQL;

export function theseOrders(ids: readonly string[]): OrderIds {
  return sql`SELECT value AS id FROM json_each(${JSON.stringify(ids)})`;
}

/**
 * Orders due for a new decision, oldest first: deferred, before a moved cutoff, held for a rate or day that
 * has come, or decided under old settings. Each decision removes its row from the index: no cursor is needed.
 */
export function dueOrders(connectionId: string, due: DueOrders): OrderIds {
  const { cutoffDate, today, limit } = due;
  const isWanted = sql`${shopOrder.idExternal} NOT IN
    (SELECT value FROM json_each(${JSON.stringify(due.except)}))`;
  const inOrder = (from: SQL, order = sql`${shopOrder.orderedAt}`) =>
    sql`SELECT * FROM (SELECT ${shopOrder.idExternal} AS id, ${shopOrder.orderedAt} AS ordered_at ${from}
      AND ${isWanted} ORDER BY ${order} LIMIT ${limit})`;
  const ours = sql`FROM ${shopOrder} WHERE ${shopOrder.connectionId} = ${connectionId}`;
  return sql`SELECT id FROM (
    ${inOrder(sql`${ours} AND ${shopOrder.state} = 'deferred'`)}
    UNION ${inOrder(sql`${ours} AND ${shopOrder.undecided} = 1`)}
    UNION ${inOrder(sql`${ours} AND ${shopOrder.decideFrom} <= ${today}`)}
    UNION ${inOrder(
      sql`${ours} AND ${shopOrder.state} = 'before_cutoff' AND ${shopOrder.orderDay} >= ${cutoffDate}`,
      // By the day first, as the index has them: however many fall in, only the oldest are read.
      sql`${shopOrder.orderDay}, ${shopOrder.orderedAt}`,
    )}
    UNION ${inOrder(
      sql`FROM ${shopOrder} CROSS JOIN ${exchangeRate} ON ${exchangeRate.day} = ${shopOrder.rateDay}
        AND ${exchangeRate.currency} = ${shopOrder.rateCurrency}
        WHERE ${shopOrder.connectionId} = ${connectionId} AND ${shopOrder.waitsForRate} = 1`,
    )}
  ) ORDER BY ordered_at, id LIMIT ${limit}`;
}

export function selectOrders(db: Database, connectionId: string, ids: OrderIds) {
  return db
    .select({
      idExternal: shopOrder.idExternal,
      state: shopOrder.state,
      orderDay: shopOrder.orderDay,
      dueDate: shopOrder.dueDate,
      facts: shopOrder.facts,
      sentSha256: shopOrder.sentSha256,
      reasons: shopOrder.reasons,
      warnings: shopOrder.warnings,
      answers: shopOrder.answers,
      acted: shopOrder.acted,
      soldFingerprint: shopOrder.soldFingerprint,
      waitsForRate: shopOrder.waitsForRate,
      decideFrom: shopOrder.decideFrom,
      undecided: shopOrder.undecided,
    })
    .from(sql`(${ids}) AS wanted`)
    .crossJoin(shopOrder)
    .where(isWanted(connectionId))
    .orderBy(shopOrder.orderedAt, shopOrder.idExternal);
}

export type OrderRow = Awaited<ReturnType<typeof selectOrders>>[number];

/** The ids that belong to erased orders. */
export function selectErased(db: Database, connectionId: string, ids: OrderIds) {
  return db
    .select({
      idExternal: erasedOrder.idExternal,
      because: erasedOrder.because,
      at: sql<number>`${erasedOrder.erasedAt}`.as("erased_at"),
    })
    .from(sql`(${ids}) AS wanted`)
    .crossJoin(erasedOrder)
    .where(and(eq(erasedOrder.connectionId, connectionId), sql`${erasedOrder.idExternal} = wanted.id`));
}

/** The requested rates, and the rates that convert the stored orders. */
export function selectOrderRates(
  db: Database,
  connectionId: string,
  ids: OrderIds,
  keys: readonly RateKey[],
) {
  const asked = JSON.stringify(keys.map(({ day, currency }) => [day, currency]));
  return db
    .select({ day: exchangeRate.day, currency: exchangeRate.currency, rate: exchangeRate.rate })
    .from(
      sql`(SELECT value ->> 0 AS rate_day, value ->> 1 AS rate_currency FROM json_each(${asked})
        UNION SELECT ${shopOrder.rateDay}, ${shopOrder.rateCurrency}
          FROM (${ids}) AS wanted CROSS JOIN ${shopOrder} ON ${isWanted(connectionId)}) AS needed`,
    )
    .innerJoin(
      exchangeRate,
      sql`${exchangeRate.day} = needed.rate_day AND ${exchangeRate.currency} = needed.rate_currency`,
    );
}

export function selectOrderStatuses(
  db: Database,
  connectionId: string,
  ids: OrderIds,
  statuses: readonly string[],
) {
  return db
    .select({ idExternal: shopStatus.idExternal, name: shopStatus.name, cancelled: shopStatus.cancelled })
    .from(
      sql`(SELECT value AS status_id FROM json_each(${JSON.stringify(statuses)})
        UNION SELECT ${shopOrder.status} FROM (${ids}) AS wanted
          CROSS JOIN ${shopOrder} ON ${isWanted(connectionId)}) AS needed`,
    )
    .innerJoin(
      shopStatus,
      and(eq(shopStatus.connectionId, connectionId), sql`${shopStatus.idExternal} = needed.status_id`),
    );
}

/** Joined by CROSS JOIN: the planner may not begin with the orders, of which there are ever more. */
function isWanted(connectionId: string): SQL {
  return sql`${shopOrder.connectionId} = ${connectionId} AND ${shopOrder.idExternal} = wanted.id`;
}
