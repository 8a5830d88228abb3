/** Entries of an earlier version get what later ones are made with, in steps that may repeat. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { entryFillStore } from "../../src/db/entries/entry-fill-store.ts";
import { fillDeps } from "../../src/wiring.ts";
import { fillEntries } from "../../src/work/entries/fill-entries.ts";
import { apiOver } from "../support/worlds/deployment.ts";
import { countedTwice, listOf, sumsIn } from "../support/worlds/invoice-lists.ts";
import {
  aDifference,
  aReplacement,
  aSubstitution,
  plainLedger,
  SIMPLIFIED,
} from "../support/worlds/ledger-client.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;

const run = (...sql: readonly string[]) =>
  env.LEDGER_000.batch(sql.map((text) => env.LEDGER_000.prepare(text)));

/** As a version before the fill left them: as stated, and without parts of numbers among the words. */
async function asBefore(): Promise<void> {
  const trigger = await env.LEDGER_000.prepare(
    "SELECT sql FROM sqlite_master WHERE name = 'invoice_entry_update'",
  ).first<string>("sql");
  await run(
    "DROP TRIGGER invoice_entry_update",
    "UPDATE invoice_entry SET counted_base = NULL, counted_tax = NULL, counted_total = NULL",
    `INSERT INTO invoice_search (invoice_search, rowid, words)
      SELECT 'delete', invoice_entry.id, invoice_entry.account_id || '26000001'
      FROM invoice_entry JOIN invoice ON invoice.id = invoice_id WHERE invoice.number = 1`,
    "INSERT INTO entry_fill (account_id, place) SELECT DISTINCT account_id, '~' FROM invoice_entry",
    trigger ?? "",
  );
}

const open = () => env.LEDGER_000.prepare("SELECT count(*) AS many FROM entry_fill").first<number>("many");
const found = async () =>
  (await listOf(shop.accountId, { search: "26000001" })).items.map(({ series }) => series).toSorted();
const sums = async () => sumsIn(await listOf(shop.accountId));

beforeEach(async () => {
  shop = await openShop();
  const { client, ledger } = plainLedger(shop);
  await client.issue("full");
  await client.issue("cut", aDifference("full", "10"));
  await client.issue("ticket", SIMPLIFIED);
  await client.issue("instead", aReplacement("ticket"));
  await client.issue("wrong");
  await client.issue("right", aSubstitution("90", "wrong"));
  await ledger.wake();
});

test("sums do not count an F3 on top of its F2, nor a substitution in full", async () => {
  // 100 - 10, 100 of the ticket, 100 and 90 - 100 of the substitution
  expect(await sums()).toBe("6 invoices, 0 cancelled: 280 + 58.8 = 338.8");
});

test("the fill corrects sums and adds words, once, however often it runs", async () => {
  await asBefore();
  expect(await sums()).toBe("6 invoices, 0 cancelled: 480 + 100.8 = 580.8");
  expect(await found()).toEqual([]);
  for (const left of [0, 0]) {
    expect(await fillEntries(fillDeps(apiOver(env)))).toBe(left);
    expect([await open(), await sums()]).toEqual([0, "6 invoices, 0 cancelled: 280 + 58.8 = 338.8"]);
    const [kept, made] = await countedTwice();
    expect(kept).toEqual(made);
    expect(await found()).toEqual(["API-1-2026", "API-1R-2026", "API-1S-2026"]);
  }
});

test("the fill goes from page to page, and a repeated step writes nothing", async () => {
  await asBefore();
  const store = entryFillStore(env.LEDGER_000);
  const at = await store.readOpen();
  if (!at) throw new Error("nothing to fill");
  const [newest, next] = await store.readPage(at, 2);
  if (!newest || !next) throw new Error("no page");
  expect(newest.effect).toMatchObject({ base: "-1000", tax: "-210", total: "-1210" });
  const { id, effect } = newest;
  const filling = { id, words: ["once"], ...(effect ? { effect } : {}) };
  await store.write(at, [filling], next.place);
  await store.write(at, [{ ...filling, words: ["twice"] }], undefined);
  expect(await open()).toBe(1);
  expect((await listOf(shop.accountId, { search: "once" })).items).toHaveLength(1);
  expect((await listOf(shop.accountId, { search: "twice" })).items).toHaveLength(0);
  const after = await store.readOpen();
  expect(after).toEqual({ ...at, place: next.place });
  expect(await store.readPage(after ?? at, 10)).toHaveLength(4);
});

test("entries of a frozen account wait", async () => {
  await asBefore();
  await run("UPDATE account SET frozen = 1");
  await fillEntries(fillDeps(apiOver(env)));
  expect(await open()).toBe(1);
  await run("UPDATE account SET frozen = 0");
  await fillEntries(fillDeps(apiOver(env)));
  expect(await open()).toBe(0);
});
