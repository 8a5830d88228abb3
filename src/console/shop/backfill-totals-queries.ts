import { and, eq, sql } from "drizzle-orm";
import { type Database, fromOwnJson } from "../../db/database.ts";
import { shop, shopBackfillOrder } from "../../db/schema/shops.ts";
import { MOST_LISTED, type OutlookInvoice } from "../../domain/shop/backfill.ts";

/** Orders that would have invoices, by the state that each would have. */
export interface OutlookRow {
  readonly would: string;
  readonly invoices: readonly Pick<OutlookInvoice, "total" | "currency">[];
}

export interface BackfillTotalsReads {
  read(accountId: string, connectionId: string): Promise<readonly OutlookRow[]>;
}

export function backfillTotalsReads(db: Database): BackfillTotalsReads {
  return {
    async read(accountId, connectionId) {
      const invoices = sql<string>`${shopBackfillOrder.outlook} -> '$.invoices'`;
      const rows = await db
        .select({
          would: sql<string>`${shopBackfillOrder.would}`.as("state"),
          invoices: invoices.as("issued"),
        })
        .from(shopBackfillOrder)
        .innerJoin(
          shop,
          and(eq(shop.connectionId, shopBackfillOrder.connectionId), eq(shop.accountId, accountId)),
        )
        .where(and(eq(shopBackfillOrder.connectionId, connectionId), sql`${invoices} <> '[]'`))
        .limit(MOST_LISTED);
      return rows.map(({ would, invoices: json }) => ({ would, invoices: fromOwnJson(json) }));
    },
  };
}
