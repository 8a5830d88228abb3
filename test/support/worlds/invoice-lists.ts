/** Lists of an account's invoices, read as the console reads them. */
import { env } from "cloudflare:workers";
import {
  type InvoiceFilter,
  type InvoicePage,
  type InvoicePageQuery,
  listInvoices,
} from "../../../src/console/invoices/list-invoices.ts";
import { invoiceReads } from "../../../src/console/invoices/queries.ts";
import { eurosOf, termsOf } from "../../../src/domain/invoice/invoice-entry.ts";
import { wrapD1 } from "../faults/wrapped-d1.ts";

export type AskedList = Omit<InvoiceFilter, "terms"> & {
  readonly search?: string;
  readonly from?: InvoicePageQuery["from"];
  readonly size?: number;
};

export function listOf(
  accountId: string,
  { search = "", from, size = 25, ...filter }: AskedList = {},
): Promise<InvoicePage> {
  const reads = invoiceReads(wrapD1("LEDGER_000", env.LEDGER_000));
  const asked = { filter: { ...filter, terms: termsOf(search) }, size, ...(from ? { from } : {}) };
  return listInvoices(reads, accountId, asked);
}

/** `API-1-2026-000001 accepted`, newest first. */
export function linesOf({ items }: InvoicePage): readonly string[] {
  return items.map(({ fullNumber, state }) => `${fullNumber} ${state}`);
}

/** `3 invoices, 1 cancelled: 200 + 42 = 242` */
export function sumsIn({ sums: { invoices, cancelled, amounts } }: InvoicePage): string {
  const [base, tax, total] = [amounts.base, amounts.tax, amounts.total].map(eurosOf);
  return `${invoices} invoices, ${cancelled} cancelled: ${base} + ${tax} = ${total}`;
}

/** Sums added up from the entries, next to those that the triggers keep. */
export async function countedTwice(): Promise<readonly [unknown, unknown]> {
  const [kept, made] = await env.LEDGER_000.batch([
    env.LEDGER_000.prepare(
      `SELECT account_id, grain, period, series, rectifying, state, invoices, cancelled, base, tax, total,
        replacing, replacing_base, replacing_tax, replacing_total
       FROM invoice_total WHERE invoices > 0 ORDER BY 1, 2, 3, 4, 5, 6`,
    ),
    env.LEDGER_000.prepare(
      `SELECT account_id, grain, substr(place, 1, length) AS period, series, rectifying,
        iif(test, 'test:', '') || state AS state, count(*) AS invoices,
        sum(cancelled) AS cancelled, sum(iif(cancelled, 0, coalesce(counted_base, base))) AS base,
        sum(iif(cancelled, 0, coalesce(counted_tax, tax))) AS tax,
        sum(iif(cancelled, 0, coalesce(counted_total, total))) AS total,
        sum(replacing AND NOT cancelled) AS replacing,
        sum(iif(replacing AND NOT cancelled, coalesce(counted_base, base), 0)) AS replacing_base,
        sum(iif(replacing AND NOT cancelled, coalesce(counted_tax, tax), 0)) AS replacing_tax,
        sum(iif(replacing AND NOT cancelled, coalesce(counted_total, total), 0)) AS replacing_total
       FROM invoice_entry, (SELECT 'day' AS grain, 10 AS length UNION ALL SELECT 'month', 7)
       GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6`,
    ),
  ]);
  return [kept?.results, made?.results];
}
