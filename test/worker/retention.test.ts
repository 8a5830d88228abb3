/** A year is retired after its legal term, and the remaining books verify. */

import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { brokenChecks } from "../../src/domain/proof/checks.ts";
import { obstaclesOf } from "../../src/domain/retention/keeping.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import type { Verification } from "../../src/work/books/verify-books.ts";
import { failBefore, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { linesOf, listOf, sumsIn } from "../support/worlds/invoice-lists.ts";
import { clientOf, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import {
  aShopSince,
  letGo,
  onTheDay,
  planOf,
  settleBooks,
  verified,
  workOff,
} from "../support/worlds/old-years.ts";
import { aSentOrder, orderConnector, toldOf } from "../support/worlds/order-calls.ts";
import { ledgerStub, type Shop } from "../support/worlds/shop.ts";

afterEach(() => {
  vi.useRealTimers();
});

const TODAY = civilDate("2026-11-28");

/** Invoices of 2018 and 2019: full ones, a ticket, a cancelled one, and corrections of both years. */
async function aShopOfTwoYears(): Promise<Shop> {
  const shop = await aShopSince(2018);
  const client = clientOf(shop);
  onTheDay("2018-03-01");
  for (const externalId of ["a1", "a2", "a3", "a4"]) await client.issue(externalId);
  await client.issue("t1", SIMPLIFIED);
  await client.takeBack("r1", "a1", "10");
  onTheDay("2018-12-31", "22:30:00");
  await client.issue("a5");
  onTheDay("2019-02-01");
  await client.takeBack("r2", "a2", "10");
  await client.cancel("a3");
  await client.issue("b1");
  await settleBooks(shop);
  return shop;
}

async function expectProven(shop: Shop): Promise<Verification> {
  const walked = await verified(shop);
  expect(brokenChecks(walked.tally)).toEqual([]);
  return walked;
}

async function many(table: string, where = "1"): Promise<number> {
  return (
    (await env.LEDGER_000.prepare(`SELECT count(*) AS v FROM ${table} WHERE ${where}`).first<number>("v")) ??
    0
  );
}

const coldly = (shop: Shop) => evictDurableObject(ledgerStub(shop));

describe("a year that leaves", () => {
  test("takes invoices, documents, links, records, lists, words and sums with it, and no other year's", async () => {
    const shop = await aShopOfTwoYears();
    vi.useRealTimers();
    const { counts, chains } = await planOf(shop, 2018);
    expect(counts).toEqual({ invoices: 7, records: 7, attempts: 0, auditLines: 1, corrected: 1 });
    expect(chains.map(({ cut, records }) => [cut, records])).toEqual([[7, 7]]);
    await letGo(shop, 2018);
    expect(await workOff()).toEqual([
      { level: "info", event: "year_left", account_id: shop.accountId, year: 2018 },
    ]);
    expect(await many("invoice")).toBe(2);
    expect(await many("invoice_document")).toBe(2);
    expect(await many("invoice_link")).toBe(0);
    expect(await many("record")).toBe(3);
    expect(await many("invoice_entry")).toBe(2);
    expect(await many("invoice_total", "period LIKE '2018%'")).toBe(0);
    expect(await many("retention_run", "ended_at IS NOT NULL AND invoices = 7 AND records = 7")).toBe(1);
    const list = await listOf(shop.accountId);
    expect(linesOf(list)).toEqual(["API-1-2019-000001 accepted", "API-1R-2019-000001 accepted"]);
    expect(sumsIn(list)).toBe("2 invoices, 0 cancelled: 90 + 18.9 = 108.9");
  });

  test("no word finds it", async () => {
    const shop = await aShopOfTwoYears();
    vi.useRealTimers();
    const found = async () =>
      (await env.LEDGER_000.prepare("SELECT count(*) AS v FROM invoice_search WHERE invoice_search MATCH ?")
        .bind(`"${shop.accountId}a" *`)
        .first<number>("v")) ?? 0;
    expect(await found()).toBeGreaterThan(0);
    expect((await listOf(shop.accountId, { search: "a4" })).items).toHaveLength(1);
    await letGo(shop, 2018);
    await workOff();
    expect((await listOf(shop.accountId, { search: "a4" })).items).toHaveLength(0);
    expect((await listOf(shop.accountId, { search: "b1" })).items).toHaveLength(1);
  });

  test("leaves a chain that verifies from where it begins now, and says where that is", async () => {
    const shop = await aShopOfTwoYears();
    vi.useRealTimers();
    await expectProven(shop);
    await letGo(shop, 2018);
    // In the middle too: rows being retired are not read.
    await expectProven(shop);
    await workOff();
    const { chains, leftUntil, tally } = await expectProven(shop);
    expect(leftUntil).toBe(2018);
    expect(chains.map(({ start, last }) => [start?.position, last])).toEqual([[7, 10]]);
    expect(tally.position.checked).toBe(3);
    // The annulment of an invoice that has left has no invoice to be compared with.
    expect(tally.invoice.checked).toBe(2);
  });

  test("a chain altered after it does not verify", async () => {
    const shop = await aShopOfTwoYears();
    vi.useRealTimers();
    await letGo(shop, 2018);
    await workOff();
    await env.LEDGER_000.batch([
      env.LEDGER_000.prepare("DROP TRIGGER chain_start_update"),
      env.LEDGER_000.prepare(`UPDATE chain_start SET hash = '${"0".repeat(64)}'`),
    ]);
    expect(brokenChecks((await verified(shop)).tally)).toEqual(["link"]);
  });

  test("still numbers and links, warm and cold", async () => {
    const shop = await aShopOfTwoYears();
    vi.useRealTimers();
    const client = clientOf(shop);
    await letGo(shop, 2018);
    await workOff();
    expect(await client.issue("warm")).toMatchObject({ outcome: "issued", invoice: { number: 1 } });
    await coldly(shop);
    expect(await client.issue("cold")).toMatchObject({ outcome: "issued", invoice: { number: 2 } });
    await expectProven(shop);
  });
});

describe("a whole chain that has left", () => {
  async function aShopWithoutBooks(): Promise<Shop> {
    const shop = await aShopOfTwoYears();
    vi.useRealTimers();
    for (const year of [2018, 2019]) {
      await letGo(shop, year);
      await workOff();
    }
    expect(await many("record")).toBe(0);
    return shop;
  }

  test.each(["warm", "cold"])("is continued, %s", async (memory) => {
    const shop = await aShopWithoutBooks();
    if (memory === "cold") await coldly(shop);
    const issued = await clientOf(shop).issue("next");
    expect(issued).toMatchObject({ outcome: "issued", invoice: { alta: { record: { position: 11 } } } });
    const { chains, tally } = await expectProven(shop);
    expect(chains.map(({ start, last }) => [start?.position, last])).toEqual([[10, 11]]);
    expect(tally.link.checked).toBe(1);
  });

  test("does not begin anew", async () => {
    const { connectionId, accountId } = await aShopWithoutBooks();
    const installation = "SELECT id FROM installation LIMIT 1";
    const record = (position: number, previous: string) =>
      env.LEDGER_000.prepare(
        `INSERT INTO record (installation_id, position, connection_id, account_id, origin, invoice_id, kind,
          previous_hash, hash, content, request_id)
         VALUES ((${installation}), ${position}, '${connectionId}', '${accountId}', 'direct:x', 'x', 'ALTA',
          '${previous}', '${"F".repeat(64)}', '{}', 'r')`,
      ).run();
    await expect(record(1, "")).rejects.toThrow("fence:exists");
    await expect(record(12, "")).rejects.toThrow("fence:link");
    await expect(record(11, "0".repeat(64))).rejects.toThrow("fence:link");
  });
});

describe("a retired invoice is neither issued again nor corrected", () => {
  async function aShopThatForgot2018(): Promise<Shop> {
    const shop = await aShopOfTwoYears();
    vi.useRealTimers();
    await letGo(shop, 2018);
    await workOff();
    return shop;
  }

  test.each(["warm", "cold"])("its external_id is refused in words, %s", async (memory) => {
    const shop = await aShopThatForgot2018();
    if (memory === "cold") await coldly(shop);
    const client = clientOf(shop);
    if (memory === "warm") await client.issue("new");
    expect(await client.issue("a1")).toMatchObject({
      outcome: "refused",
      refusal: { code: "invoice_erased", facts: { external_id: "a1", year: "2018" } },
    });
    expect((await client.cancel("a1")).outcome).toBe("refused");
    expect(await client.read("a1")).toMatchObject({ outcome: "unknown" });
    await expectProven(shop);
  });

  test("a neighbour in the same group is issued", async () => {
    const shop = await aShopThatForgot2018();
    const client = clientOf(shop);
    await client.issue("warm");
    const outcomes = await Promise.all([client.issue("new"), client.issue("a1"), client.issue("newer")]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["issued", "refused", "issued"]);
  });

  test.each([
    ["an invoice", "a1"],
    ["a ticket", "t1"],
    ["a correction of a retired invoice", "r2"],
  ])("%s cannot be rectified", async (_, cited) => {
    const shop = await aShopThatForgot2018();
    expect(await clientOf(shop).takeBack("late", cited, "1")).toMatchObject({
      outcome: "refused",
      refusal: { code: "rectified_invoice_erased", facts: { reference: cited }, path: "rectifies.0" },
    });
  });

  test("no number of its year is given again", async () => {
    const shop = await aShopThatForgot2018();
    onTheDay("2018-06-01");
    await coldly(shop);
    // The clock goes back: the chain keeps its own time.
    expect(await clientOf(shop).issue("back")).toMatchObject({
      outcome: "issued",
      invoice: { fullNumber: "API-1-2019-000002" },
    });
    vi.useRealTimers();
    const row = `INSERT INTO invoice SELECT 'x', account_id, connection_id, 'direct:x', 'API-1-2018', 1,
      'API-1-2018-000001', '2018-01-01', 'F1', '1', '', '' FROM invoice LIMIT 1`;
    await expect(env.LEDGER_000.prepare(row).run()).rejects.toThrow("fence:link");
  });
});

describe("orders", () => {
  const order = (id: string, day: string) => aSentOrder(id, { order_date: `${day} 12:00:00` });

  test("leave with their invoices: sent again they are refused, and nothing is issued", async () => {
    const shop = await aShopSince(2018, { connection: { kind: "commerce", name: "Tienda" } });
    const connector = orderConnector(shop);
    onTheDay("2018-05-01");
    expect(toldOf(await connector.send(order("o:1", "2018-04-30")))).toContain("invoiced");
    await connector.send({ ...order("o2", "2018-04-30"), fiscal_event: "none" });
    onTheDay("2019-05-01");
    expect(toldOf(await connector.send(order("o3", "2019-04-30")))).toContain("invoiced");
    await settleBooks(shop);
    vi.useRealTimers();
    await letGo(shop, 2018);
    await workOff();
    const { results } = await env.LEDGER_000.prepare("SELECT id_external FROM shop_order ORDER BY 1").all();
    expect(results).toEqual([{ id_external: "o2" }, { id_external: "o3" }]);
    expect(await many("shop_order_sent")).toBe(2);
    for (const memory of ["warm", "cold"]) {
      if (memory === "cold") await coldly(shop);
      expect(await connector.send({ ...order("o:1", "2018-04-30"), total: 121.0 })).toMatchObject({
        outcome: "refused",
        refusal: { code: "order_erased", facts: { order_id: "o:1", why: { phrase: "order_retention" } } },
      });
      expect((await connector.preview(order("o:1", "2018-04-30"))).outcome).toBe("refused");
    }
    expect(await connector.read("o:1")).toMatchObject({ outcome: "unknown" });
    expect(await many("invoice")).toBe(1);
    await expectProven(shop);
  });
});

describe("messages to the authority and the audit log", () => {
  test("leave with the records that they carried, the bytes in R2 first", async () => {
    const shop = await aShopOfTwoYears();
    vi.useRealTimers();
    const attempt = (id: string, from: number, to: number) =>
      `INSERT INTO submission_attempt (id, installation_id, connection_id, account_id, from_position, to_position,
         incident, resend, request_sha256, started_at, lease_until)
       SELECT '${id}', id, connection_id, account_id, ${from}, ${to}, 0, 0, '', 0, 0 FROM installation`;
    const end = (id: string) =>
      `UPDATE submission_attempt SET ended_at = 1, result = '{}' WHERE id = '${id}'`;
    for (const [id, from, to] of [
      ["one", 1, 5],
      ["two", 6, 8],
      ["three", 9, 10],
    ] as const) {
      await env.LEDGER_000.batch([attempt(id, from, to), end(id)].map((sql) => env.LEDGER_000.prepare(sql)));
      const { id: installation = "" } =
        (await env.LEDGER_000.prepare("SELECT id FROM installation").first<{ id: string }>()) ?? {};
      for (const part of ["request", "answer"]) {
        await env.EVIDENCE.put(`submission/${shop.accountId}/${installation}/${id}/${part}.xml`, "x");
      }
    }
    const invoiceIds = async () =>
      (await env.LEDGER_000.prepare("SELECT id FROM invoice").all<{ id: string }>()).results.map(
        ({ id }) => id,
      );
    const before = await invoiceIds();
    for (const id of before) await env.EVIDENCE.put(`facturae/${id}/invoice.xsig`, "x");
    await letGo(shop, 2018);
    await workOff();
    const after = await invoiceIds();
    expect(after.length).toBeLessThan(before.length);
    const signed = (await env.EVIDENCE.list({ prefix: "facturae/" })).objects.map(({ key }) => key);
    expect(signed.filter((key) => before.some((id) => key.includes(id))).toSorted()).toEqual(
      after.map((id) => `facturae/${id}/invoice.xsig`).toSorted(),
    );
    const { results } = await env.LEDGER_000.prepare("SELECT id FROM submission_attempt ORDER BY 1").all();
    expect(results).toEqual([{ id: "three" }, { id: "two" }]);
    const { objects } = await env.EVIDENCE.list({ prefix: `submission/${shop.accountId}/` });
    expect(objects.map(({ key }) => key.split("/").slice(3).join("/"))).toEqual([
      ...["three/answer.xml", "three/request.xml", "two/answer.xml", "two/request.xml"],
    ]);
    const lines = await env.LEDGER_000.prepare(
      "SELECT user_id, verb, facts FROM audit_log ORDER BY at, id",
    ).all();
    expect(lines.results).toEqual([
      {
        user_id: "operator",
        verb: "begin_retention",
        facts: '{"year":"2018","reason":"Asked for by the owner, ticket 7"}',
      },
      {
        user_id: "operator",
        verb: "end_retention",
        facts: '{"year":"2018","invoices":"7","records":"7","orders":"0","attempts":"1"}',
      },
    ]);
  });
});

describe("a run that breaks off", () => {
  test.each([
    ["before a page", failBefore],
    ["after a page with a lost answer", loseAnswer],
  ])("is continued by the next one: %s", async (_, fault) => {
    const shop = await aShopOfTwoYears();
    vi.useRealTimers();
    await letGo(shop, 2018);
    for (let step = 1; step < 14; step++) {
      faults.reset();
      // Each time one trip later.
      let trip = 0;
      faults.when(() => ++trip === step, fault());
      await workOff();
      await expectProven(shop);
    }
    faults.reset();
    await workOff();
    expect(await many("retention_run", "ended_at IS NOT NULL AND invoices = 7 AND records = 7")).toBe(1);
    expect(await many("invoice")).toBe(2);
    expect(await many("audit_log", "verb = 'end_retention'")).toBe(1);
    await expectProven(shop);
  });

  test("two at once take every row once", async () => {
    const shop = await aShopOfTwoYears();
    vi.useRealTimers();
    await letGo(shop, 2018);
    await Promise.all([workOff(), workOff(), workOff()]);
    await workOff();
    expect(await many("retention_run", "ended_at IS NOT NULL AND invoices = 7 AND records = 7")).toBe(1);
    expect((await listOf(shop.accountId, { search: "a4" })).items).toHaveLength(0);
    await expectProven(shop);
  });

  test("waits while the account is frozen", async () => {
    const shop = await aShopOfTwoYears();
    vi.useRealTimers();
    await letGo(shop, 2018);
    await env.LEDGER_000.prepare("UPDATE account SET frozen = 1").run();
    expect(await workOff()).toEqual([]);
    expect(await many("invoice")).toBe(9);
  });
});

describe("the reasons against a run are reported before it begins", () => {
  test("six years, and ten with sales of the one-stop shop", async () => {
    const shop = await aShopOfTwoYears();
    vi.useRealTimers();
    const plan = await planOf(shop, 2018);
    expect(obstaclesOf(plan, TODAY)).toEqual([]);
    expect(obstaclesOf(plan, civilDate("2024-12-31"))).toEqual([{ code: "too_young", until: "2024-12-31" }]);
    expect(obstaclesOf(plan, civilDate("2025-01-01"))).toEqual([]);
    expect(obstaclesOf({ ...plan, hasOneStopShop: true }, TODAY)).toEqual([
      { code: "one_stop_shop", until: "2028-12-31" },
    ]);
  });

  test("an earlier year, records on their way, lists that are not up to date", async () => {
    const shop = await aShopSince(2018);
    onTheDay("2018-03-01");
    await clientOf(shop).issue("a1");
    vi.useRealTimers();
    const obstacles = async (year: number) =>
      obstaclesOf(await planOf(shop, year), TODAY).map(({ code }) => code);
    expect(await obstacles(2018)).toEqual(["unsubmitted", "not_entered"]);
    await settleBooks(shop);
    expect(await obstacles(2018)).toEqual([]);
    expect(await obstacles(2019)).toEqual(["earlier_year"]);
    await env.LEDGER_000.prepare("UPDATE account SET frozen = 1").run();
    expect(await obstacles(2018)).toEqual(["frozen"]);
  });
});
