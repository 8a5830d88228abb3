import { Hono } from "hono";
import { add, decimal, ZERO } from "../../domain/shared/decimal.ts";
import type { ConsoleEnv } from "../deps.ts";
import type { OutlookRow } from "./backfill-totals-queries.ts";

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
