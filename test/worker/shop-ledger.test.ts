/** Reports of shops, at the ledger: round trips, groups, lost answers, and the rows in D1 afterwards. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { ShopReport } from "../../src/ledger/shop/record-shop.ts";
import { failBefore, gate, hang, late, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { manualTimers } from "../support/faults/manual-timers.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { kindsOf, type PlainLedger, plainLedger } from "../support/worlds/ledger-client.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";
import {
  aClientReport,
  connectorOf,
  inventoryReport,
  MODULE_QUESTION,
  statusReport,
  type Told,
} from "../support/worlds/shop-reports.ts";

const MODULE_REPORT: ShopReport = {
  resource: "module",
  module: { platform: "prestashop", moduleVersion: "2.1.0" },
};
const REPORTS: readonly (readonly [string, ShopReport])[] = [
  ["a customer", aClientReport("a")],
  ["statuses", statusReport("1", "2")],
  ["an inventory", inventoryReport("1", "2")],
  ["a module", MODULE_REPORT],
];

let shop: Shop;
let plain: PlainLedger;
let tell: (report: ShopReport) => Promise<Told>;

beforeEach(async () => {
  shop = await openShop();
  plain = plainLedger(shop);
  tell = connectorOf(shop, plain.ledger);
});

async function rowsIn(table: string, of = shop): Promise<Record<string, unknown>[]> {
  const rows = env.LEDGER_000.prepare(`SELECT * FROM ${table} WHERE connection_id = ? ORDER BY rowid`);
  return (await rows.bind(of.connectionId).all()).results;
}

const settingsVersion = () =>
  env.LEDGER_000.prepare("SELECT settings_version AS version FROM account WHERE id = ?")
    .bind(shop.accountId)
    .first<number>("version");

const isWrite = (sql: readonly string[]) => sql[0]?.startsWith('insert into "ledger_head"') === true;

describe("round trips", () => {
  test.each(REPORTS)("%s: one warm, two cold, one batch after the fence", async (_, report) => {
    faults.take();
    expect(await tell(report)).toMatchObject({ outcome: "recorded", d1Trips: 2 });
    expect(await tell(report)).toMatchObject({ outcome: "recorded", d1Trips: 1 });
    const trips = faults.trips();
    expect(trips.map(({ sql }) => isWrite(sql))).toEqual([false, true, true]);
  });

  test("the question of a module: one, warm or cold, and nothing is written", async () => {
    faults.take();
    expect(await tell(MODULE_QUESTION)).toMatchObject({ outcome: "recorded", d1Trips: 1 });
    await tell(aClientReport("a"));
    expect(await tell(MODULE_QUESTION)).toMatchObject({ outcome: "recorded", d1Trips: 1 });
    expect(faults.trips().filter(({ sql }) => isWrite(sql))).toHaveLength(1);
  });

  test("a refusal of the gate: none warm, the load cold", async () => {
    const other = await openShop({ connection: { kind: "accounting" }, consented: false });
    const ask = connectorOf(other, plainLedger(other).ledger);
    const refused = { outcome: "refused", refusal: { code: "orders_not_supported_by_connection" } };
    expect(await ask(aClientReport("a"))).toMatchObject({ ...refused, d1Trips: 1 });
    expect(await ask(aClientReport("a"))).toMatchObject({ ...refused, d1Trips: 0 });
    expect(await ask(MODULE_QUESTION)).toMatchObject({ ...refused, d1Trips: 0 });
  });

  test("they leave the memory warm: an invoice after them costs one trip, and the books verify", async () => {
    await tell(aClientReport("a"));
    expect(await plain.client.issue("e1")).toMatchObject({ outcome: "issued", d1Trips: 1 });
    expect(await tell(inventoryReport("1"))).toMatchObject({ d1Trips: 1 });
    expect(await plain.client.issue("e2")).toMatchObject({ outcome: "issued", d1Trips: 1 });
    await expectBooksConsistent(shop.connectionId, plain.client.answers);
  });

  test("64 customers that wait are one batch, and each has its own counts", async () => {
    await tell(aClientReport("c1"));
    const held = faults.next(gate());
    const first = tell(aClientReport("first"));
    await held.reached();
    faults.take();
    const waiting = Array.from({ length: 64 }, (_, index) => tell(aClientReport(`c${index % 32}`)));
    held.open();
    const answers = await Promise.all([first, ...waiting]);
    expect(new Set(kindsOf(answers))).toEqual(new Set(["recorded"]));
    const created = answers.flatMap((answer) => (answer.outcome === "recorded" ? [answer.created] : []));
    expect(created).toEqual([1, 1, 0, ...Array(30).fill(1), ...Array(32).fill(0)]);
    expect(faults.trips()).toHaveLength(1);
    expect(await rowsIn("shop_client")).toHaveLength(33);
  });

  test("invoices and customers that wait in turn are two batches, not one each", async () => {
    await tell(aClientReport("warm"));
    const held = faults.next(gate());
    const first = tell(aClientReport("first"));
    await held.reached();
    faults.take();
    const waiting = Array.from({ length: 10 }, (_, index) => [
      plain.client.issue(`e${index}`),
      tell(aClientReport(`c${index}`)),
    ]);
    held.open();
    const answers = await Promise.all([first, ...waiting.flat()]);
    expect(kindsOf(answers).filter((kind) => kind !== "issued" && kind !== "recorded")).toEqual([]);
    expect(faults.trips()).toHaveLength(2);
    await expectBooksConsistent(shop.connectionId, plain.client.answers);
  });
});

test("no call reads more rows with 5,000 customers and statuses than with none", async () => {
  const readNow = async () => {
    faults.take();
    for (const [, report] of REPORTS) await tell(report);
    return faults.trips().map(({ rowsRead }) => rowsRead);
  };
  await readNow();
  const few = await readNow();
  const ids = JSON.stringify(Array.from({ length: 5_000 }, (_, id) => `x${id}`));
  for (const table of ["shop_client SELECT ?1, value, '{}', 0", "shop_status SELECT ?1, value, 'x', 0, 0"]) {
    const rows = env.LEDGER_000.prepare(`INSERT INTO ${table} FROM json_each(?2)`);
    await rows.bind(shop.connectionId, ids).run();
  }
  expect(await readNow()).toEqual(few);
});

describe("the rows in D1", () => {
  test("a customer, as last reported", async () => {
    await tell(aClientReport("a", { city: "Cádiz", vatNumber: "B12345674" }));
    await tell(aClientReport("a", { city: "León" }));
    const [row, ...others] = await rowsIn("shop_client");
    expect(others).toEqual([]);
    expect(JSON.parse(String(row?.facts))).toEqual({ idExternal: "a", firstName: "Lucía", city: "León" });
  });

  test("an unchanged report writes no row", async () => {
    for (const [, report] of REPORTS.slice(0, 2)) {
      await tell(report);
      faults.take();
      await tell(report);
      // The fence alone.
      expect(faults.trips()[0]?.rowsWritten).toBe(1);
    }
  });

  test("statuses that are not sent stay", async () => {
    await tell(statusReport("1", "2"));
    await tell({
      resource: "status",
      statuses: [{ idExternal: "2", name: "Cancelado", paid: false, cancelled: true }],
    });
    expect(await rowsIn("shop_status")).toMatchObject([
      { id_external: "1", name: "Estado 1", paid: 0, cancelled: 0 },
      { id_external: "2", name: "Cancelado", paid: 0, cancelled: 1 },
    ]);
  });

  test("stores in the order of their first report, also in parts", async () => {
    await tell(inventoryReport("b", { id: "a", name: "Vieja", url: "https://a.example", ordersCount: 3 }));
    await tell(inventoryReport("c", { id: "a", name: "Nueva" }, "d"));
    const stores = (await rowsIn("shop_store")).toSorted((x, y) => Number(x.ordinal) - Number(y.ordinal));
    expect(stores).toMatchObject([
      { store_id: "b", name: null },
      { store_id: "a", name: "Nueva", url: null, orders_count: null },
      { store_id: "c" },
      { store_id: "d" },
    ]);
    expect(await rowsIn("shop_inventory")).toMatchObject([{ orders_total: null }]);
  });

  test("of a module what it said last, of each thing", async () => {
    await tell(MODULE_REPORT);
    await tell({ resource: "module", module: { moduleVersion: "2.2.0", contractVersion: "1.5" } });
    expect(await rowsIn("shop_module")).toMatchObject([
      { platform: "prestashop", module_version: "2.2.0", contract_version: "1.5" },
    ]);
  });

  test("none of it changes the settings of the account", async () => {
    const before = await settingsVersion();
    for (const [, report] of REPORTS) await tell(report);
    expect(await settingsVersion()).toBe(before);
  });

  test("texts that SQL or JSON could trip over come back as they were", async () => {
    const name = `'"\\ ; DROP TABLE x; --\u2028 ñ 𝄞 %_?`;
    await tell(aClientReport(name, { company: name }));
    await tell({
      resource: "status",
      statuses: [{ idExternal: name, name, paid: true, cancelled: false }],
    });
    expect(await rowsIn("shop_status")).toMatchObject([{ id_external: name, name }]);
    expect(await tell(aClientReport(name))).toMatchObject({ created: 0, updated: 1 });
  });
});

describe.each(REPORTS)("%s, when D1 fails", (_, report) => {
  test("the answer is lost after the commit: reported again and stored once", async () => {
    await plain.client.issue("warm");
    faults.next(loseAnswer());
    expect(await tell(report)).toMatchObject({ outcome: "recorded", d1Trips: 3 });
    expect(await tell(report)).toMatchObject({ outcome: "recorded", created: 0, d1Trips: 1 });
    await expectBooksConsistent(shop.connectionId, plain.client.answers);
  });

  test("the batch is given up and arrives later: it comes too late for the fence", async () => {
    await plain.client.issue("warm");
    const lost = faults.next(late());
    expect((await tell(report)).outcome).toBe("recorded");
    await expect(lost.release()).rejects.toThrow("fence:stale_head");
  });

  test("down: 503, nothing stored, and it recovers", async () => {
    await plain.client.issue("warm");
    faults.next(failBefore(), { times: 2 });
    expect(await tell(report)).toMatchObject({ outcome: "unavailable", cause: "d1" });
    const tables = ["shop_client", "shop_status", "shop_store", "shop_module"];
    expect((await Promise.all(tables.map((table) => rowsIn(table)))).flat()).toEqual([]);
    expect((await tell(report)).outcome).toBe("recorded");
    expect((await plain.client.issue("after")).outcome).toBe("issued");
    await expectBooksConsistent(shop.connectionId, plain.client.answers);
  });

  test("another instance was faster: decided again on the newer head", async () => {
    await tell(report);
    const young = plainLedger(shop);
    expect((await young.client.issue("young")).outcome).toBe("issued");
    expect(await tell(report)).toMatchObject({ outcome: "recorded", created: 0 });
    await expectBooksConsistent(shop.connectionId, young.client.answers);
  });
});

describe("a batch that can never be stored", () => {
  const isPoisonous = (sql: readonly string[]) =>
    sql.some((text) => text.includes('insert into "shop_client"'));

  test("alone: 500 and an alarm", async () => {
    await plain.client.issue("warm");
    faults.when(isPoisonous, failBefore(), { times: 2 });
    expect(await tell(aClientReport("a"))).toMatchObject({ outcome: "failed", cause: "poisonous_batch" });
    expect(plain.alarms).toContain("poisonous_batch");
  });

  test("in a group: each is sent alone, the neighbours are stored", async () => {
    await plain.client.issue("warm");
    const held = faults.next(gate());
    const first = plain.client.issue("first");
    await held.reached();
    faults.when(isPoisonous, failBefore(), { times: 4 });
    const waiting = [tell(aClientReport("a")), tell(statusReport("1")), tell(inventoryReport("1"))];
    held.open();
    expect(kindsOf(await Promise.all([first, ...waiting]))).toEqual([
      "issued",
      "failed",
      "recorded",
      "recorded",
    ]);
  });
});

test("a report that waits too long is refused, and nothing of it is stored", async () => {
  const timers = manualTimers();
  const slow = plainLedger(shop, { after: timers.after });
  const ask = connectorOf(shop, slow.ledger);
  await slow.client.issue("warm");
  const hung = faults.next(hang());
  const first = slow.client.issue("first");
  await hung.reached();
  const waiting = ask(aClientReport("a"));
  timers.elapse(8_000);
  expect(await waiting).toMatchObject({ outcome: "unavailable", cause: "queue_late" });
  hung.cancel();
  await first;
  expect(await rowsIn("shop_client")).toEqual([]);
});

test("calls count against the limit, refused ones too", async () => {
  const limited = await openShop({ connection: { rateLimit: 2, kind: "accounting" }, consented: false });
  const ask = connectorOf(limited, plainLedger(limited, { now: () => 0 }).ledger);
  const answers = [await ask(aClientReport("a")), await ask(MODULE_QUESTION), await ask(statusReport("1"))];
  expect(kindsOf(answers)).toEqual(["refused", "refused", "rate_limited"]);
});

test("a frozen account: 503", async () => {
  await env.LEDGER_000.prepare("UPDATE account SET frozen = 1 WHERE id = ?").bind(shop.accountId).run();
  expect(await tell(aClientReport("a"))).toMatchObject({ outcome: "unavailable", cause: "account_frozen" });
});
