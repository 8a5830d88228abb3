/** The database's refusals within a run too: orders of other years, unfinished rows, and a frozen account. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { retentionStore } from "../../src/db/retention/retention-store.ts";
import { brokenChecks } from "../../src/domain/proof/checks.ts";
import { newBudget } from "../../src/work/budget.ts";
import { retire } from "../../src/work/retention/retire-year.ts";
import { gate } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { clientOf, type LedgerClient, plainLedger } from "../support/worlds/ledger-client.ts";
import {
  aShopOfTwoYears,
  aShopSince,
  letGo,
  onTheDay,
  planOf,
  settleBooks,
  verified,
  workOff,
} from "../support/worlds/old-years.ts";
import { aSentOrder, orderConnector } from "../support/worlds/order-calls.ts";
import { expectRefused, run } from "../support/worlds/past-the-product.ts";
import type { Shop } from "../support/worlds/shop.ts";

const database = env.LEDGER_000;

afterEach(() => {
  vi.useRealTimers();
});

/** Past the faults, which are the callers'. */
const unwrapped = () => ({
  ledgers: [{ ledger: "000", store: retentionStore(database) }],
  evidence: { erase: async () => {} },
  facturae: { erase: async () => {} },
  now: () => Date.now(),
  log: () => {},
  faultOf: () => ({ cause: "unknown" }),
  budget: newBudget(() => Date.now()),
});

async function many(table: string, where = "1"): Promise<number> {
  const sql = `SELECT count(*) AS v FROM ${table} WHERE ${where}`;
  return (await database.prepare(sql).first<number>("v")) ?? 0;
}

describe("of orders", () => {
  let shop: Shop;

  /** Two invoiced orders, of 2018 and 2019, and one without. */
  beforeEach(async () => {
    shop = await aShopSince(2018, { connection: { kind: "commerce", name: "Tienda" } });
    const connector = orderConnector(shop);
    for (const year of ["2018", "2019"]) {
      onTheDay(`${year}-05-01`);
      await connector.send(aSentOrder(`of-${year}`, { order_date: `${year}-04-30 12:00:00` }));
    }
    await connector.send(aSentOrder("stored", { fiscal_event: "none" }));
    await settleBooks(shop);
    vi.useRealTimers();
    await letGo(shop, 2018);
  });

  const erase = (id: string, because = "retention") =>
    `INSERT INTO erased_order VALUES ('${shop.connectionId}', '${id}', '${because}', 0)`;

  test.each(["of-2019", "stored"])("only those of its year leave with it, not %s", async (id) => {
    await expectRefused("retention:no_run", erase(id), `DELETE FROM shop_order WHERE id_external = '${id}'`);
    await run(erase("of-2018"), "DELETE FROM shop_order WHERE id_external = 'of-2018'");
    await expectRefused("immutable: erased_order", "DELETE FROM erased_order");
  });

  test("their shops' data is kept as long as they are", async () => {
    for (const id of ["of-2018", "of-2019", "stored"]) {
      const remove = `DELETE FROM shop_order_sent WHERE id_external = '${id}'`;
      await expectRefused("immutable: shop_order_sent", remove);
    }
    await run(erase("stored", "asked"), "DELETE FROM shop_order_sent WHERE id_external = 'stored'");
  });
});

describe("of invoices", () => {
  let shop: Shop;

  beforeEach(async () => {
    shop = await aShopOfTwoYears();
  });

  const registration = "(SELECT position FROM record WHERE origin = 'direct:a1')";

  test("no registration leaves before its invoice", async () => {
    await letGo(shop, 2018);
    await expectRefused("immutable: record", `DELETE FROM record WHERE position = ${registration}`);
    await workOff();
    expect(await many("record")).toBe(1);
  });

  test("no number of a retired series is given again, on any day", async () => {
    await letGo(shop, 2018);
    await workOff();
    await expectRefused(
      "fence:link",
      `INSERT INTO invoice SELECT 'x', account_id, connection_id, 'direct:x', 'API-1-2018', 1,
        'API-1-2018-000001', issue_date, 'F1', '1', '', '' FROM invoice LIMIT 1`,
    );
  });

  test("one with an annulment under way waits for it, and the rest of its year with it", async () => {
    await clientOf(shop).cancel("a1");
    await letGo(shop, 2018);
    expect(await workOff()).toEqual([]);
    expect(await many("invoice", "series LIKE '%-2018'")).toBe(1);
    expect(await many("record", "kind = 'ALTA'")).toBe(3);
    await expectRefused(
      "immutable: invoice",
      "INSERT INTO spent_origin SELECT connection_id, origin, account_id || '-2018' FROM invoice WHERE origin = 'direct:a1'",
      "DELETE FROM invoice_entry WHERE invoice_id = (SELECT id FROM invoice WHERE origin = 'direct:a1')",
      "DELETE FROM invoice_document WHERE invoice_id = (SELECT id FROM invoice WHERE origin = 'direct:a1')",
      "DELETE FROM invoice WHERE origin = 'direct:a1'",
    );
    await settleBooks(shop);
    expect(await workOff()).toEqual([expect.objectContaining({ event: "year_left" })]);
    expect(await many("record")).toBe(2);
    expect((await verified(shop)).tally.position.checked).toBe(2);
  });

  test.each<[string, (client: LedgerClient) => Promise<object>, object]>([
    ["a correction", (client) => client.takeBack("late", "a1", "1"), { code: "rectified_invoice_erased" }],
    ["an annulment", (client) => client.cancel("a1"), { code: "invoice_not_found" }],
    ["a repeat", (client) => client.issue("a1"), { code: "invoice_erased" }],
  ])("%s that was decided before its invoice left is refused after", async (_, act, refusal) => {
    const { client } = plainLedger(shop);
    await client.issue("warm");
    const held = faults.next(gate());
    const told = act(client);
    await held.reached();
    await letGo(shop, 2018);
    await retire(unwrapped());
    held.open();
    expect(await told).toMatchObject({ outcome: "refused", refusal });
    expect((await client.issue("next")).outcome).toBe("issued");
    expect(brokenChecks((await verified(shop)).tally)).toEqual([]);
  });

  test("nothing of a frozen account begins, continues or ends being retired", async () => {
    await run("UPDATE account SET frozen = 1");
    await expect(letGo(shop, 2018)).rejects.toThrow("retention:frozen");
    await run("UPDATE account SET frozen = 0");
    await letGo(shop, 2018);
    await run("UPDATE account SET frozen = 1");
    await expectRefused("retention:frozen", "UPDATE retention_run SET invoices = invoices + 1");
    expect((await planOf(shop, 2018)).run?.left.invoices).toBe(0);
  });
});

test("a year that cannot continue stops no other of its ledger", async () => {
  const shops = [await aShopSince(2018), await aShopSince(2018)];
  onTheDay("2018-03-01");
  for (const shop of shops) await clientOf(shop).issue("a1");
  await settleBooks(...shops);
  vi.useRealTimers();
  for (const shop of shops) await letGo(shop, 2018);
  const store = retentionStore(database);
  const [first] = await store.readOpen();
  const told: object[] = [];
  await retire({
    ledgers: [
      {
        ledger: "000",
        store: {
          ...store,
          readInvoices: (run, limit) =>
            run.id === first?.id ? Promise.reject(new Error("broken")) : store.readInvoices(run, limit),
        },
      },
    ],
    evidence: { erase: async () => {} },
    facturae: { erase: async () => {} },
    now: () => Date.now(),
    budget: newBudget(() => Date.now()),
    log: (line) => told.push(line),
    faultOf: () => ({ cause: "unknown" }),
  });
  expect(told).toEqual([
    { level: "alarm", alarm: "job_failed", job: "retire", ledger: "000", cause: "unknown" },
    expect.objectContaining({ event: "year_left" }),
  ]);
});
