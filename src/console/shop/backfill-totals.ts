import { and, eq, sql } from "drizzle-orm";
import { Hono } from "hono";
import { type Database, fromOwnJson } from "../../db/database.ts";
import { shop, shopBackfillOrder } from "../../db/schema/shops.ts";
import { add, decimal, ZERO } from "../../domain/shared/decimal.ts";
import { MOST_LISTED, type OutlookInvoice } from "../../domain/shop/backfill.ts";
import type { ConsoleEnv } from "../deps.ts";

/** Orders that would have invoices, by the state that each would have. */
interface OutlookRow {
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

/** The sums that an owner confirms: of all invoices that would be issued, by state and currency. */
export const backfillTotalsRoutes = new Hono<ConsoleEnv>().get("/shop/backfill/totals", async (c) => {
  const { account, connection, reads } = c.var;
  const rows = await reads.backfillTotals.read(account.accountId, connection.id);
  return c.json({ success: true as const, data: { totals: totalsOf(rows) } });
});

function totalsOf(rows: readonly OutlookRow[]) {
  const totals = new Map<
    string,
    { readonly would: string; readonly currency: string; readonly total: string }
  >();
  for (const { would, invoices } of rows) {
    for (const { currency, total } of invoices) {
      const key = `${would} ${currency}`;
      const before = decimal(totals.get(key)?.total ?? ZERO);
      totals.set(key, { would, currency, total: add(before, decimal(total)) });
    }
  }
  return [...totals.values()];
}
