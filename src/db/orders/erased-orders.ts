import { type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Database } from "../database.ts";
import type { ErasedBecause } from "../order-state.ts";
import { shopOrder, shopOrderSent } from "../schema/orders.ts";
import { erasedOrder } from "../schema/retention.ts";

interface Erasing {
  readonly because: ErasedBecause;
  readonly at: Instant;
}

/**
 * Erases the orders of a query for `connection_id` and `id_external`. Their traces come first, because a
 * trigger needs them. Bodies go before the orders, because the query may read the orders.
 */
export function eraseOrders(db: Database, orders: SQL, { because, at }: Erasing) {
  return [
    db.insert(erasedOrder).select(sql`SELECT connection_id, id_external, ${because}, ${at}
      FROM (${orders}) AS theirs WHERE NOT EXISTS (SELECT 1 FROM ${erasedOrder}
        WHERE ${erasedOrder.connectionId} = theirs.connection_id
          AND ${erasedOrder.idExternal} = theirs.id_external)`),
    db.delete(shopOrderSent).where(isAmong(shopOrderSent, orders)),
    db.delete(shopOrder).where(isAmong(shopOrder, orders)),
  ] as const;
}

/** Whether a row belongs to an order of that query. */
export function isAmong(table: typeof shopOrder | typeof shopOrderSent, orders: SQL): SQL {
  return sql`(${table.connectionId}, ${table.idExternal}) IN (${orders})`;
}
