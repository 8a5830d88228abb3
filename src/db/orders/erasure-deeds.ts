import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import type { Deed } from "../owner-state.ts";
import { erasedOrder } from "../schema/retention.ts";
import { shopClient } from "../schema/shop.ts";
import type { ShopOwner } from "../shop/shop-writes.ts";
import { eraseOrders } from "./erased-orders.ts";

type ErasureDeed = Extract<Deed, { readonly deed: "erase" | "admit_order" }>;

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
  const orders = sql`SELECT ${connectionId} AS connection_id, value AS id_external
    FROM json_each(${JSON.stringify(deed.orders)})`;
  const { clientId } = deed;
  return [
    ...eraseOrders(db, orders, { because: "asked", at }),
    ...(clientId === undefined
      ? []
      : [
          db
            .delete(shopClient)
            .where(and(eq(shopClient.connectionId, connectionId), eq(shopClient.idExternal, clientId))),
        ]),
  ];
}
