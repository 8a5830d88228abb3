/** The page of one invoice reads a bounded number of rows, with any stored data. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { consoleReads } from "../../src/console/reads.ts";
import { termsOf } from "../../src/domain/invoice/invoice-entry.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { fillUp } from "../support/worlds/filled-books.ts";
import { aDifference, clientOf, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

const FEW = 100;
const MANY = 20_000;

async function rowsOf({ accountId }: Shop, invoiceIds: readonly string[]): Promise<number[]> {
  const { invoice } = consoleReads(wrapD1("LEDGER_000", env.LEDGER_000));
  const rows: number[] = [];
  for (const id of invoiceIds) {
    faults.take();
    expect(await invoice.readInvoice(accountId, id)).toBeDefined();
    rows.push(...faults.take().map(({ rowsRead }) => rowsRead));
  }
  return rows;
}

test("an invoice, what corrects it and what it corrects", async () => {
  const shop = await openShop();
  const { issue } = clientOf(shop);
  const ids: string[] = [];
  for (const outcome of [await issue("first"), await issue("second", aDifference("first", "-10"))]) {
    if (outcome.outcome !== "issued") throw new Error(outcome.outcome);
    ids.push(outcome.invoice.invoiceId);
  }
  expect((await issue("third", SIMPLIFIED)).outcome).toBe("issued");
  await fillUp(shop, FEW);
  const few = await rowsOf(shop, ids);
  await fillUp(shop, MANY);
  expect(await rowsOf(shop, ids)).toEqual(few);
});

test("the palette's search looks at the newest invoices found, however many there are", async () => {
  const shop = await openShop();
  const { issue } = clientOf(shop);
  expect((await issue("first", SIMPLIFIED)).outcome).toBe("issued");
  const { find } = consoleReads(wrapD1("LEDGER_000", env.LEDGER_000));
  const rowsOfSearch = async () => {
    faults.take();
    const found = await find.findInvoices(shop.accountId, termsOf("common"), 5);
    return { shown: found.invoices.length, rows: faults.take().map(({ rowsRead }) => rowsRead) };
  };
  const enter = async (total: number) => {
    await fillUp(shop, total);
    const left = "id NOT IN (SELECT invoice_id FROM invoice_entry)";
    const last = await env.LEDGER_000.prepare(
      "SELECT coalesce(max(id), 0) AS id FROM invoice_entry",
    ).first<number>("id");
    await env.LEDGER_000.batch(
      [
        `INSERT INTO invoice_entry SELECT NULL, account_id, connection_id, id,
          '2026-10-01:' || printf('%010d', 1795000000 + number) || ':0001.001.' || printf('%09d', number),
          series, 0, 0, 'accepted', (SELECT installation_id FROM record LIMIT 1), 1, 1000, 210, 1210, 0,
          0, NULL, NULL, NULL, NULL
          FROM invoice WHERE ${left}`,
        `INSERT INTO invoice_search (rowid, words) SELECT id, account_id || 'common'
          FROM invoice_entry WHERE id > ${last}`,
        "INSERT INTO entry_cursor SELECT installation_id, max(position) FROM record GROUP BY installation_id ON CONFLICT DO UPDATE SET position = max(position, excluded.position) WHERE excluded.position > position",
      ].map((sql) => env.LEDGER_000.prepare(sql)),
    );
  };
  await enter(FEW);
  const few = await rowsOfSearch();
  expect(few.shown).toBe(5);
  // Five of each kind are shown.
  for (const rows of few.rows) expect(rows).toBeLessThanOrEqual(4 * 15 + 60);
  await enter(MANY);
  expect(await rowsOfSearch()).toEqual(few);
});
