/** The page of one invoice reads a bounded number of rows, with any stored data. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { consoleReads } from "../../src/console/reads.ts";
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
