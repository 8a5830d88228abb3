import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Deed } from "../usecases/owner-ports.ts";
import type { Database } from "./database.ts";
import type { FencedStatement } from "./fence.ts";
import { shopOrder, shopOrderSent } from "./schema/orders.ts";
import { erasedOrder } from "./schema/retention.ts";
import { shopClient } from "./schema/shop.ts";
import type { ShopOwner } from "./shop-writes.ts";

type ErasureDeed = Extract<Deed, { readonly deed: "erase" | "admit_order" }>;

/** What says that an order was here comes before it goes: a trigger wants it so. */
export function erasureStatements(
  db: Database,
  { connectionId }: ShopOwner,
  deed: ErasureDeed,
  at: number,
): FencedStatement[] {
  if (deed.deed === "admit_order") {
    const isThis = and(eq(erasedOrder.connectionId, connectionId), eq(erasedOrder.idExternal, deed.orderId));
    return [db.delete(erasedOrder).where(isThis)];
  }
  const ids = JSON.stringify(deed.orders);
  const isAmong = (column: SQLiteColumn): SQL => sql`${column} IN (SELECT value FROM json_each(${ids}))`;
  const { clientId } = deed;
  return [
    db
      .insert(erasedOrder)
      .select(sql`SELECT ${connectionId}, value, 'asked', ${at} FROM json_each(${ids}) ORDER BY key`),
    db
      .delete(shopOrderSent)
      .where(and(eq(shopOrderSent.connectionId, connectionId), isAmong(shopOrderSent.idExternal))),
    db.delete(shopOrder).where(and(eq(shopOrder.connectionId, connectionId), isAmong(shopOrder.idExternal))),
    ...(clientId === undefined
      ? []
      : [
          db
            .delete(shopClient)
            .where(and(eq(shopClient.connectionId, connectionId), eq(shopClient.idExternal, clientId))),
        ]),
  ];
}
