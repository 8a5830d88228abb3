import { and, eq, sql } from "drizzle-orm";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Database } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import { originsOfOrders } from "../invoices/invoice-reads.ts";
import { maskAddresses } from "../mailing/mailing-writes.ts";
import { invoice } from "../schema/ledger.ts";
import { shopOrder, shopOrderSent } from "../schema/orders.ts";

/**
 * The law keeps an order that has an invoice, but not the e-mail in it: it goes from the facts, from the body
 * as it was sent, and from the deliveries of its invoices. The invoice itself is never changed.
 */
export function eraseEmails(
  db: Database,
  connectionId: string,
  orders: readonly string[],
  at: Instant,
): FencedStatement[] {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(orders)}))`;
  const origins = originsOfOrders(
    connectionId,
    sql`SELECT value AS id FROM json_each(${JSON.stringify(orders)})`,
  );
  const invoices = sql`SELECT ${invoice.id} AS id FROM ${invoice}
    WHERE ${invoice.connectionId} = ${connectionId} AND ${invoice.origin} IN (${origins})`;
  return [
    maskAddresses(db, invoices, { because: "address_erased", at }),
    db
      .update(shopOrder)
      .set({ facts: sql`json_remove(${shopOrder.facts}, '$.client.email')`, changedAt: at })
      .where(
        and(
          eq(shopOrder.connectionId, connectionId),
          sql`${shopOrder.idExternal} IN ${ids}`,
          sql`${shopOrder.facts} ->> '$.client.email' IS NOT NULL`,
        ),
      ),
    db
      .update(shopOrderSent)
      .set({ sent: sql`json_remove(${shopOrderSent.sent}, '$.client.email', '$.order.client.email')` })
      .where(and(eq(shopOrderSent.connectionId, connectionId), sql`${shopOrderSent.idExternal} IN ${ids}`)),
  ];
}
