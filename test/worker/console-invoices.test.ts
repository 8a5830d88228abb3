/**
 * The lists, sums and searches of the console: the same before the alarm has entered an invoice, during and
 * after.
 */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { PlaceQuery } from "../../src/console/invoices/list-invoices.ts";
import { DOCUMENT_KINDS } from "../../src/domain/invoice/invoice-entry.ts";
import { RECORD_STATES } from "../../src/domain/invoice/invoice-view.ts";
import { civilDate, daysAfter, previousDay } from "../../src/domain/shared/civil-date.ts";
import { sweepDeps } from "../../src/wiring.ts";
import { sweep } from "../../src/work/sweep.ts";
import { failBefore, gate, late, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { apiOver } from "../support/worlds/deployment.ts";
import { fillUp } from "../support/worlds/filled-books.ts";
import { type AskedList, countedTwice, linesOf, listOf, sumsIn } from "../support/worlds/invoice-lists.ts";
import {
  aDifference,
  aReplacement,
  type LedgerClient,
  type PlainLedger,
  plainLedger,
  SIMPLIFIED,
} from "../support/worlds/ledger-client.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import { correctRecord, settleRecord } from "../support/worlds/owners.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let books: PlainLedger;
let client: LedgerClient;

beforeEach(async () => {
  shop = await openShop();
  books = plainLedger(shop);
  client = books.client;
});

const writesEntries = (sql: readonly string[]) => sql.some((text) => text.includes('INTO "invoice_entry"'));

async function idOf(externalId: string): Promise<string> {
  const read = await client.read(externalId);
  if (read.outcome !== "found") throw new Error(read.outcome);
  return read.invoice.invoiceId;
}

/** A full invoice with a part taken back, a simplified one with a full one in its place, and a cancelled one. */
async function issueSome(): Promise<void> {
  const recipient = { company: "Łukasz García-Pérez", vatNumber: "12345678Z", country: "ES" };
  await client.issue("full", { recipient });
  await client.issue("ticket", SIMPLIFIED);
  await client.issue("cut", { ...aDifference("full", "10"), recipient });
  await client.issue("instead", aReplacement("ticket"));
  await client.issue("mistaken");
  await client.cancel("mistaken");
}

const DAYS: readonly AskedList[] = [
  { firstDay: civilDate("2020-01-01") },
  { firstDay: civilDate("2020-01-15"), lastDay: civilDate("2999-12-30") },
  { lastDay: civilDate("2020-01-15") },
  { month: "2020-01", firstDay: civilDate("2020-02-01") },
];

const LISTS: readonly AskedList[] = [
  {},
  { month: "2026-11" },
  { month: "2025-01" },
  ...RECORD_STATES.map((state) => ({ state })),
  { series: "API-1R-2026" },
  { series: "API-1-2026", state: "accepted" },
  { search: "garcia" },
  { search: "lukasz PEREZ" },
  { search: "12345678" },
  { search: "api-1-2026-000001" },
  { search: "nobody" },
  { search: "mistaken", state: "pending_submission" },
  ...DOCUMENT_KINDS.map((document) => ({ document })),
  { document: "issued", series: "API-1-2026" },
  { document: "cancelled", state: "pending_submission" },
  { document: "replacing", search: "2026000002" },
  ...DAYS,
  { document: "rectifying", firstDay: civilDate("2026-01-15"), lastDay: civilDate("2999-12-30") },
];

async function everyList(): Promise<readonly object[]> {
  const connection = { connectionId: shop.connectionId };
  const pages = [...LISTS, connection, { ...connection, series: "API-1-2026" }].map(async (asked) => {
    const page = await listOf(shop.accountId, asked);
    const shown = page.items.map(({ standing, cites, customer }) => ({ standing, cites, customer }));
    return { asked, lines: linesOf(page), sums: sumsIn(page), shown, isWhole: page.isWhole };
  });
  return Promise.all(pages);
}

describe("a list and its sums", () => {
  test("are the same before, between and after the alarms", async () => {
    await issueSome();
    const before = await everyList();
    expect(before[0]).toMatchObject({
      lines: [
        "API-1-2026-000003 pending_submission",
        "API-1-2026-000002 pending_submission",
        "API-1R-2026-000001 pending_submission",
        "API-1S-2026-000001 pending_submission",
        "API-1-2026-000001 pending_submission",
      ],
      sums: "5 invoices, 1 cancelled: 190 + 39.9 = 229.9",
    });
    await books.ledger.wake();
    expect(await everyList()).toEqual(before);
    expect(await countedTwice()).toSatisfy(([kept, made]) => JSON.stringify(kept) === JSON.stringify(made));
    await books.ledger.wake();
    expect(await everyList()).toEqual(before);
  });

  test("of a kind of document are those of no other, and the kinds together are all", async () => {
    await issueSome();
    const kinds = async () => {
      const pages = DOCUMENT_KINDS.map(async (document) => {
        const page = await listOf(shop.accountId, { document });
        return [document, page.items.map(({ fullNumber }) => fullNumber), sumsIn(page)];
      });
      return Promise.all(pages);
    };
    const expected = [
      ["issued", ["API-1S-2026-000001", "API-1-2026-000001"], "2 invoices, 0 cancelled: 200 + 42 = 242"],
      ["rectifying", ["API-1R-2026-000001"], "1 invoices, 0 cancelled: -10 + -2.1 = -12.1"],
      ["replacing", ["API-1-2026-000002"], "1 invoices, 0 cancelled: 0 + 0 = 0"],
      ["cancelled", ["API-1-2026-000003"], "1 invoices, 1 cancelled: 0 + 0 = 0"],
    ];
    expect(await kinds()).toEqual(expected);
    await books.ledger.wake();
    expect(await kinds()).toEqual(expected);
    // A cancellation that the sums do not know yet takes an F3 to the cancelled ones.
    await client.cancel("instead");
    const moved = await kinds();
    expect(moved.map(([, , sums]) => sums)).toEqual([
      "2 invoices, 0 cancelled: 200 + 42 = 242",
      "1 invoices, 0 cancelled: -10 + -2.1 = -12.1",
      "0 invoices, 0 cancelled: 0 + 0 = 0",
      "2 invoices, 2 cancelled: 0 + 0 = 0",
    ]);
    await books.ledger.wake();
    expect(await kinds()).toEqual(moved);
    const [kept, made] = await countedTwice();
    expect(kept).toEqual(made);
  });

  test("of a range of days are those issued on its first day, its last day and between", async () => {
    await issueSome();
    const day = (await listOf(shop.accountId)).items[0]?.place.slice(0, 10) ?? "";
    const [today, before, after] = [
      civilDate(day),
      previousDay(civilDate(day)),
      daysAfter(civilDate(day), 1),
    ];
    const found = async (asked: AskedList) => {
      const page = await listOf(shop.accountId, asked);
      return [page.items.length, page.sums.invoices];
    };
    for (const look of ["before the alarm", "after it"]) {
      expect([look, await found({ firstDay: today, lastDay: today })]).toEqual([look, [5, 5]]);
      expect([look, await found({ lastDay: before })]).toEqual([look, [0, 0]]);
      expect([look, await found({ firstDay: after })]).toEqual([look, [0, 0]]);
      expect([look, await found({ firstDay: before, lastDay: after })]).toEqual([look, [5, 5]]);
      expect([look, await found({ firstDay: today, search: "garcia" })]).toEqual([look, [2, 2]]);
      expect([look, await found({ lastDay: before, search: "garcia" })]).toEqual([look, [0, 0]]);
      await books.ledger.wake();
    }
  });

  test("follow the authority's answer, entered or not, and later corrections", async () => {
    await issueSome();
    await settleRecord(shop, await idOf("full"), { state: "rejected", code: 1239 });
    await settleRecord(shop, await idOf("ticket"), { state: "accepted" });
    const said = await everyList();
    await books.ledger.wake();
    expect(await everyList()).toEqual(said);
    await settleRecord(shop, await idOf("cut"), { state: "accepted_with_errors", code: 2001 });
    const corrected = await correctRecord(
      shop,
      await idOf("full"),
      { correction: "amend", change: { description: "Otra" } },
      "amend-1",
    );
    expect(corrected.outcome).toBe("corrected");
    const now = await everyList();
    expect(linesOf(await listOf(shop.accountId, { state: "rejected" }))).toEqual([]);
    expect(linesOf(await listOf(shop.accountId, { state: "accepted_with_errors" }))).toEqual([
      "API-1R-2026-000001 accepted_with_errors",
    ]);
    await books.ledger.wake();
    expect(await everyList()).toEqual(now);
    const [kept, made] = await countedTwice();
    expect(kept).toEqual(made);
  });

  test("find orders by id and reference, and know what became of a document", async () => {
    const commerce = await openCommerce();
    const { ledger } = plainLedger(commerce);
    await orderConnector(commerce, ledger).send(aSentOrder("A/77", { reference: "WEB-2026-9" }));
    const found = async (search: string) => (await listOf(commerce.accountId, { search })).items.length;
    for (const look of ["before", "after"]) {
      expect([
        look,
        await found("web-2026-9"),
        await found("A/77"),
        await found("77"),
        await found("7"),
      ]).toEqual([...[look, 1, 1, 1, 0]]);
      await ledger.wake();
    }
  });

  test("are of one account: others have their own, and see nothing of it", async () => {
    await issueSome();
    const other = await openShop();
    await plainLedger(other).client.issue("full");
    await Promise.all([books.ledger.wake(), plainLedger(other).ledger.wake()]);
    expect(linesOf(await listOf(other.accountId))).toEqual(["API-1-2026-000001 pending_submission"]);
    const { connectionId } = shop;
    for (const asked of [
      { connectionId },
      { connectionId, state: "pending_submission" },
      { search: "garcia" },
    ] as const)
      expect(await listOf(other.accountId, asked)).toMatchObject({ items: [], sums: { invoices: 0 } });
  });
});

describe("pages", () => {
  /** From the newest to the oldest and back again. */
  async function walk(size: number): Promise<{ down: readonly string[]; up: readonly string[] }> {
    const step = async (from?: PlaceQuery) => listOf(shop.accountId, { size, ...(from ? { from } : {}) });
    const down: string[] = [];
    let page = await step();
    for (;;) {
      down.push(...linesOf(page));
      const last = page.items.at(-1);
      if (!page.hasOlder || !last) break;
      page = await step({ towards: "older", place: last.place });
    }
    const up: string[] = [...linesOf(page)];
    for (let first = page.items[0]; page.hasNewer && first; first = page.items[0]) {
      page = await step({ towards: "newer", place: first.place });
      up.unshift(...linesOf(page));
    }
    return { down, up };
  }

  test("lead to every invoice once, down and up, across entered and unentered ones", async () => {
    for (let index = 0; index < 12; index++) {
      await client.issue(`e${index}`, index % 3 === 0 ? SIMPLIFIED : {});
      if (index === 4) await settleRecord(shop, await idOf("e2"), { state: "accepted" });
      if (index === 6) await books.ledger.wake();
    }
    await client.cancel("e1");
    const { down, up } = await walk(5);
    expect(down).toHaveLength(12);
    expect(new Set(down).size).toBe(12);
    expect(up).toEqual(down);
    await books.ledger.wake();
    expect(await walk(4)).toEqual({ down, up: down });
  });
});

describe("an alarm enters each invoice once", () => {
  async function expectOnce(): Promise<void> {
    const [kept, made] = await countedTwice();
    expect(kept).toEqual(made);
    const { results } = await env.LEDGER_000.prepare(
      `SELECT (SELECT count(*) FROM invoice) AS invoices, (SELECT count(*) FROM invoice_entry) AS entries,
        (SELECT count(*) FROM invoice_search WHERE invoice_search MATCH '"${shop.accountId}api12026000001" OR "${shop.accountId}full"') AS found`,
    ).all();
    expect(results).toEqual([{ invoices: 5, entries: 5, found: 1 }]);
    expect(sumsIn(await listOf(shop.accountId))).toBe("5 invoices, 1 cancelled: 190 + 39.9 = 229.9");
  }

  beforeEach(issueSome);

  test("when it rings twice at once", async () => {
    await Promise.all([
      books.ledger.wake(),
      plainLedger(shop).ledger.wake(),
      plainLedger(shop).ledger.wake(),
    ]);
    await expectOnce();
  });

  test.each([
    ["with a lost answer", () => loseAnswer()],
    ["that D1 is down for", () => failBefore()],
  ])("when it is one %s", async (_, fault) => {
    faults.when(writesEntries, fault());
    expect(await books.ledger.wake()).toBeDefined();
    await books.ledger.wake();
    await expectOnce();
  });

  test("when its batch arrives long after another's", async () => {
    const held = faults.when(writesEntries, late());
    await books.ledger.wake();
    await books.ledger.wake();
    await held.release();
    await expectOnce();
  });

  test("when a state changes between its look and its batch", async () => {
    const held = faults.when(writesEntries, gate());
    const woken = books.ledger.wake();
    await held.reached();
    await settleRecord(shop, await idOf("ticket"), { state: "accepted" });
    held.open();
    await woken;
    await expectOnce();
    expect(linesOf(await listOf(shop.accountId, { state: "accepted" }))).toEqual([
      "API-1S-2026-000001 accepted",
    ]);
  });

  test("when it was lost: the sweep finds the connection two minutes later, and then no more", async () => {
    const wokenAt = async (now: number) => {
      const ids: string[] = [];
      const wake = async (id: string) => {
        ids.push(id);
      };
      await sweep({ ...sweepDeps(apiOver(env)), now: () => now, wake });
      return ids;
    };
    expect(await wokenAt(Date.now())).toEqual([]);
    expect(await wokenAt(Date.now() + 130_000)).toEqual([shop.connectionId]);
    await books.ledger.wake();
    expect(await wokenAt(Date.now() + 130_000)).toEqual([]);
  });

  test("of a frozen account none", async () => {
    await env.LEDGER_000.prepare("UPDATE account SET frozen = 1 WHERE id = ?").bind(shop.accountId).run();
    await books.ledger.wake();
    const { results } = await env.LEDGER_000.prepare("SELECT count(*) AS entries FROM invoice_entry").all();
    expect(results).toEqual([{ entries: 0 }]);
    expect(sumsIn(await listOf(shop.accountId))).toBe("5 invoices, 1 cancelled: 190 + 39.9 = 229.9");
  });
});

describe("reading costs the same", () => {
  const GROWING = /\bSCAN (record|invoice|invoice_document|invoice_entry|invoice_total|shop_order)\b/;

  /** Rows of a page of 25: four for each invoice and what the sums need. */
  const OF_ONE_STATE = 4 * 25 + 60;
  /** The two rarest states are merged by themselves (`D-2143`). */
  const OF_ALL_STATES = OF_ONE_STATE + 80;

  /** Entries of the filler, older than the others, with one word each and one in common. */
  async function fillEntries(total: number): Promise<void> {
    await fillUp(shop, total);
    const left =
      "FROM invoice WHERE origin LIKE 'direct:n%' AND id NOT IN (SELECT invoice_id FROM invoice_entry)";
    const last = await env.LEDGER_000.prepare("SELECT max(id) AS id FROM invoice_entry").first<number>("id");
    await env.LEDGER_000.batch(
      [
        `INSERT INTO invoice_entry SELECT NULL, account_id, connection_id, id,
          '2026-10-' || printf('%02d', 1 + number % 30) || ':' || printf('%010d', 1795000000 + number)
            || ':0001.001.' || printf('%09d', number), series, 0, number % 4 = 1,
          CASE number % 5 WHEN 0 THEN 'accepted' WHEN 1 THEN 'rejected' WHEN 2 THEN 'submitted'
            WHEN 3 THEN 'accepted_with_errors' ELSE 'pending_submission' END,
          (SELECT installation_id FROM record LIMIT 1), 1, 1000, 210, 1210, 0,
          number % 4 = 2, NULL, NULL, NULL, NULL ${left}`,
        `INSERT INTO invoice_search (rowid, words) SELECT id, account_id || 'w' || printf('%05d', id) || ' ' || account_id || 'common'
          FROM invoice_entry WHERE id > ${last}`,
      ].map((sql) => env.LEDGER_000.prepare(sql)),
    );
  }

  test("with many invoices as with few, and scans nothing that grows", async () => {
    await issueSome();
    await books.ledger.wake();
    const asked: readonly AskedList[] = [
      ...LISTS,
      { connectionId: shop.connectionId },
      { series: "API-1S-2026", state: "rejected", month: "2026-10" },
      { search: "w00077" },
      { document: "replacing", connectionId: shop.connectionId, firstDay: civilDate("2026-10-03") },
      { document: "issued", series: "API-1S-2026", lastDay: civilDate("2026-10-20") },
      { firstDay: civilDate("2026-10-02"), from: { towards: "older", place: "2026-10-15:0000000000:" } },
      { document: "cancelled", from: { towards: "newer", place: "2026-10-02:0000000000:" } },
      { from: { towards: "newer", place: "2026-10-02:0000000000:0001.001.000000001" } },
      { month: "2026-10", from: { towards: "newer", place: "2026-10-15:0000000000:0001.001.000000001" } },
      { month: "2026-10", from: { towards: "older", place: "2026-10-15:0000000000:0001.001.000000001" } },
    ];
    const statements = new Set<string>();
    const rowsRead = async () => {
      const rows: number[] = [];
      for (const one of asked) {
        faults.take();
        await listOf(shop.accountId, one);
        for (const { sql, rowsRead } of faults.take()) {
          rows.push(rowsRead);
          for (const text of sql) statements.add(text);
        }
      }
      return rows;
    };
    const expectBounded = (rows: readonly number[]) => {
      for (const [index, one] of asked.entries()) {
        const isOfOneState = one.state !== undefined || one.search !== undefined;
        const most = isOfOneState ? OF_ONE_STATE : OF_ALL_STATES;
        expect([one, rows[index]]).toEqual([one, expect.toSatisfy((read: number) => read <= most)]);
      }
    };
    await fillEntries(1_200);
    expectBounded(await rowsRead());
    // From here on a page of each filter has the same states, whose rows are merged.
    await fillEntries(4_000);
    const few = await rowsRead();
    expectBounded(few);
    await fillEntries(10_000);
    expect(await rowsRead()).toEqual(few);
    for (const text of statements) {
      const places = text.match(/\?/g)?.length ?? 0;
      const { results } = await env.LEDGER_000.prepare(`EXPLAIN QUERY PLAN ${text}`)
        .bind(...Array<string>(places).fill('"a"'))
        .all<{ detail: string }>();
      expect(results.filter(({ detail }) => GROWING.test(detail))).toEqual([]);
    }
  });

  test("a word that thousands have is looked up among the newest thousand, and that is said", async () => {
    await issueSome();
    await books.ledger.wake();
    await fillEntries(1_600);
    const page = await listOf(shop.accountId, { search: "common" });
    expect(page).toMatchObject({ isWhole: false, sums: { invoices: 1_001 } });
    expect(page.items).toHaveLength(25);
  });
});
