/** A ledger restored to an earlier moment: nothing is issued from it, and its lost rows are put back. */
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { proofStore } from "../../src/db/books/proof-store.ts";
import { brokenChecks } from "../../src/domain/proof/checks.ts";
import { markInMemory } from "../../src/ledger/core/high-water.ts";
import { newInstallation } from "../../src/ops/restore/ledger-changes.ts";
import { putBackAccount } from "../../src/ops/restore/put-back-account.ts";
import { BEGIN_TEXTS, END_TEXTS } from "../../src/ops/restore/sql-text.ts";
import { DERIVED, OF_RUNS } from "../../src/ops/restore/tables.ts";
import { beginVerification, isDone, verifyPage } from "../../src/work/books/verify-books.ts";
import { expectBooksConsistent, expectOrdersConsistent } from "../support/rules/consistency.ts";
import { clientOf, kindsOf, type LedgerClient, plainLedger } from "../support/worlds/ledger-client.ts";
import {
  aShopOfTwoYears,
  aShopSince,
  letGo,
  onTheDay,
  settleBooks,
  workOff,
} from "../support/worlds/old-years.ts";
import { aSentOrder, aSentRefund, openCommerce } from "../support/worlds/order-calls.ts";
import { type Dealing, dealing, HELD } from "../support/worlds/order-changes.ts";
import { act, aLine, ledgerStub, openShop, ring, type Shop } from "../support/worlds/shop.ts";
import { connectorOf } from "../support/worlds/shop-reports.ts";
import { openSubmittingShop, statesOf } from "../support/worlds/submission.ts";
import { goBackTo, type Moment, momentOf } from "../support/worlds/time-travel.ts";

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse("2026-11-20T12:00:00Z");
const SINCE = FIRST_DAY + 2 * DAY_MS;
const THIRD_DAY = FIRST_DAY + 4 * DAY_MS;

const ledger = env.LEDGER_000;
let shop: Shop;
let client: LedgerClient;
let moment: Moment;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: FIRST_DAY });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Longer than a statement of D1, and nothing that SQL could take for its own. */
const LONG = {
  lines: Array.from({ length: 900 }, () => ({ ...aLine("1", "1", "21"), description: "€'?\\;--" })),
};

const freeze = (frozen: 0 | 1) => ledger.prepare("UPDATE account SET frozen = ?").bind(frozen).run();

async function exported(accountId = shop.accountId): Promise<string[]> {
  const statements = [...BEGIN_TEXTS];
  for await (const sql of putBackAccount(ledger, { accountId, since: SINCE, now: Date.now() }))
    statements.push(sql);
  return [...statements, ...END_TEXTS];
}

async function putBack(statements: readonly string[]): Promise<void> {
  for (const sql of statements) await ledger.prepare(sql).run();
}

/** All as it was, but that the orders on hold are decided again, and are not mailed for that. */
function expectSameBooks(after: Moment, before: Moment): void {
  const unmarked = ({ undecided: _, unmailed: __, ...row }: Moment[string][number]) => row;
  const plain = (books: Moment) => ({ ...books, shop_order: books.shop_order?.map(unmarked) });
  expect(plain(after)).toEqual(plain(before));
  const held = (after.shop_order ?? []).filter(({ state }) => state === "held");
  expect(held.filter(({ undecided, unmailed }) => undecided !== 1 || unmailed === null)).toEqual([]);
}

/**
 * The content of the ledger, except rows that it makes itself and the version of settings, which only
 * grows.
 */
async function books(): Promise<Moment> {
  const { account = [], ledger_head: heads = [], ...tables } = await momentOf(ledger);
  const rest = Object.fromEntries(Object.entries(tables).filter(([name]) => !DERIVED.includes(name)));
  const versionless = ({ settings_version: _, ...row }: Moment[string][number]) => row;
  return { ...rest, account: account.map(versionless), ledger_head: heads.map(versionless) };
}

test("records of a connection for tests are put back as the tests that they are", async () => {
  shop = await openShop({ connection: { environment: "production" }, verified: false });
  client = clientOf(shop);
  await client.issue("a");
  moment = await momentOf(ledger);
  vi.setSystemTime(THIRD_DAY);
  await client.issue("b");
  await client.cancel("a");
  await freeze(1);
  const before = await books();
  const statements = await exported();
  await goBackTo(ledger, moment);
  await putBack(statements);
  await freeze(1);
  expect((await books()).record).toEqual(before.record);
  expect(await statesOf(shop)).toEqual(["not_submitted", "not_submitted", "not_submitted"]);
});

describe("a ledger older than its object's commits", () => {
  beforeEach(async () => {
    shop = await openShop();
    client = clientOf(shop);
    await client.issue("a");
    moment = await momentOf(ledger);
    vi.setSystemTime(THIRD_DAY);
    await client.issue("b");
    await client.issue("c");
    await goBackTo(ledger, moment);
  });

  test("issues nothing, again and again, and is read as it is", async () => {
    for (const id of ["d", "d", "b"]) {
      expect(await client.issue(id)).toMatchObject({ outcome: "unavailable", cause: "ledger_behind" });
    }
    expect(await client.cancel("a")).toMatchObject({ outcome: "unavailable", cause: "ledger_behind" });
    expect(await client.read("a")).toMatchObject({ outcome: "found" });
    expect(await momentOf(ledger)).toEqual(moment);
  });

  test("neither does an object that has forgotten everything but its note", async () => {
    await evictDurableObject(ledgerStub(shop));
    expect(await client.issue("d")).toMatchObject({ outcome: "unavailable", cause: "ledger_behind" });
    expect(await act(shop, { verb: "withdraw_consent" })).toMatchObject({ outcome: "unavailable" });
  });

  test("its alarm does nothing", async () => {
    await evictDurableObject(ledgerStub(shop));
    await ring(shop);
    expect(await momentOf(ledger)).toEqual(moment);
  });

  test("and continues once it has caught up", async () => {
    await client.issue("d");
    const other = clientOf(shop, plainLedger(shop).ledger);
    // The lost rows are written once more by their source.
    await other.issue("b");
    expect(kindsOf([await client.issue("c")])).toEqual(["unavailable"]);
  });
});

test("a ledger with another end counts as older too", async () => {
  shop = await openShop();
  client = clientOf(shop);
  moment = await momentOf(ledger);
  await client.issue("a");
  await goBackTo(ledger, moment);
  await clientOf(shop, plainLedger(shop).ledger).issue("another", { lines: [aLine("1", "7", "21")] });
  expect(await client.issue("b")).toMatchObject({ outcome: "unavailable", cause: "ledger_behind" });
});

test("a connection unknown to the restored ledger admits no key, without calling it wrong", async () => {
  moment = await momentOf(ledger);
  shop = await openShop();
  client = clientOf(shop);
  await client.issue("a");
  await goBackTo(ledger, moment);
  await evictDurableObject(ledgerStub(shop));
  expect(await client.issue("b")).toMatchObject({ outcome: "unavailable", cause: "ledger_behind" });
});

describe("the object's own storage", () => {
  const noted = { installation: 1, position: 1, hash: "0".repeat(64) };

  beforeEach(async () => {
    shop = await openShop();
  });

  test("cannot be read: 503, and nothing is decided", async () => {
    const mark = { read: () => Promise.reject(new Error("no storage")), raise: () => {} };
    const { client: blind } = plainLedger(shop, { mark });
    expect(await blind.issue("a")).toMatchObject({ outcome: "unavailable", cause: "object_storage" });
    expect((await momentOf(ledger)).invoice).toEqual([]);
  });

  test("rings once for an operator, not for every call", async () => {
    const { client: behind, alarms } = plainLedger(shop, { mark: markInMemory(noted) });
    for (const id of ["a", "b"]) expect(kindsOf([await behind.issue(id)])).toEqual(["unavailable"]);
    expect(alarms).toEqual(["ledger_behind"]);
  });

  test("is raised by another instance's commits", async () => {
    const mark = markInMemory();
    await clientOf(shop).issue("a");
    await plainLedger(shop, { mark }).client.issue("a");
    expect(await mark.read()).toMatchObject({ installation: 1, position: 1 });
  });
});

describe("the put-back", () => {
  beforeEach(async () => {
    shop = await openSubmittingShop();
    client = clientOf(shop);
    await client.issue("a");
    await client.issue("b");
    await ring(shop);
    await client.issue("c");
    moment = await momentOf(ledger);
    vi.setSystemTime(THIRD_DAY);
    await client.cancel("b");
    await client.takeBack("a-1", "a", "1");
    await client.issue("long", LONG);
    await ring(shop);
    await client.issue("d");
    await act(shop, { verb: "add_origin", origin: "https://tienda.es" });
    await freeze(1);
  });

  test("is everything lost, and the books continue after it", async () => {
    const before = await books();
    const statements = await exported();
    await goBackTo(ledger, moment);
    await freeze(1);
    await putBack(statements);
    expect(await books()).toEqual(before);
    await freeze(0);
    expect(await client.issue("long", LONG)).toMatchObject({ outcome: "replayed" });
    expect(await client.issue("e")).toMatchObject({ outcome: "issued", invoice: { number: 6 } });
    // The authority asks for a minute between two messages.
    vi.setSystemTime(THIRD_DAY + 120_000);
    await ring(shop);
    expect(new Set(await statesOf(shop))).toEqual(new Set(["accepted"]));
    await expectBooksConsistent(shop.connectionId, client.answers);
  });

  test("is the newer part only", async () => {
    const before = await momentOf(ledger);
    const oldest = before.invoice?.find(({ origin }) => origin === "direct:a");
    const documents = (await exported()).filter((sql) => sql.includes("INSERT INTO invoice_document"));
    expect(documents.length).toBeGreaterThan(0);
    expect(documents.filter((sql) => sql.includes(`('${oldest?.id}'`))).toEqual([]);
  });

  test("is the same after an interruption, and when it is put back twice", async () => {
    const before = await books();
    const statements = await exported();
    await goBackTo(ledger, moment);
    await freeze(1);
    for (const share of [0.3, 0.6, 0.9]) await putBack(statements.slice(0, statements.length * share));
    await putBack(statements);
    await putBack(statements);
    expect(await books()).toEqual(before);
  });

  test("changes nothing where nothing was lost", async () => {
    const before = await books();
    await putBack(await exported());
    expect(await books()).toEqual(before);
  });

  test("comes in statements that D1 takes", async () => {
    for (const sql of await exported()) expect(new TextEncoder().encode(sql).length).toBeLessThan(100_000);
  });
});

describe("of a shop", () => {
  let to: Dealing;

  /** All keys but its connector's differ from before: two more came and went. */
  async function rotateKey(): Promise<void> {
    for (const n of [1, 2, 3]) {
      vi.setSystemTime(THIRD_DAY + n * 1_000);
      const hash = String(n).repeat(64);
      await act(shop, { verb: "open_key", id: `ak000key${n}`, hash });
      vi.setSystemTime(THIRD_DAY + n * 1_000 + 500);
      if (n < 3) await act(shop, { verb: "revoke_key", hash });
    }
  }

  beforeEach(async () => {
    shop = await openCommerce();
    to = dealing(shop);
    await to.send(aSentOrder("1"));
    await to.send(aSentOrder("2", HELD));
    await act(shop, { verb: "set_tag_rule", rule: { tag: "old", action: "hold" } });
    moment = await momentOf(ledger);
    vi.setSystemTime(THIRD_DAY);
    await to.send(aSentOrder("1", { correction_events: [aSentRefund("r1", 10, 2.1, 21)] }));
    await to.send(aSentOrder("3"));
    await to.send(aSentOrder("4", HELD));
    await act(shop, { verb: "remove_tag_rule", tag: "old" });
    await act(shop, { verb: "register_webhook", url: "https://receptor.es/avisos", events: ["order.held"] });
    await act(shop, { verb: "switch_customer_access", enabled: false });
    await rotateKey();
    await freeze(1);
  });

  test("orders, answers and settings", async () => {
    const before = await books();
    const statements = await exported();
    await goBackTo(ledger, moment);
    await freeze(1);
    await putBack(statements);
    const after = await books();
    expectSameBooks(after, before);
    await freeze(0);
    expect(await to.send(aSentOrder("3"))).toMatchObject({ order: { state: "invoiced" } });
    await ring(shop);
    await expectOrdersConsistent(shop.connectionId, { answers: to.answers });
  });

  test("connections that were opened since", async () => {
    await freeze(0);
    const young = await openShop({ accountId: shop.accountId });
    await clientOf(young).issue("a");
    await freeze(1);
    const before = await books();
    const statements = await exported();
    await goBackTo(ledger, moment);
    await freeze(1);
    await putBack(statements);
    expect((await books()).invoice).toEqual(before.invoice);
    await freeze(0);
    expect(await clientOf(young).issue("b")).toMatchObject({ invoice: { number: 2 } });
  });
});

describe("erased since", () => {
  let to: Dealing;
  const CLIENT = { id_external: "c1", first_name: "Ana", country: "ES" };
  const STORED = { client: CLIENT, fiscal_event: "none" };
  const told = (idExternal: string) =>
    ({ resource: "client", client: { idExternal, firstName: "Ana" } }) as const;

  beforeEach(async () => {
    shop = await openCommerce();
    to = dealing(shop);
    for (const id of ["c1", "c2", "it's"]) await connectorOf(shop)(told(id));
    for (const id of ["1", "2", "3"]) await to.send(aSentOrder(id, STORED));
    await to.send(aSentOrder("other", HELD));
    for (const id of ["admitted", "again", "old"]) {
      await to.send(aSentOrder(id, { fiscal_event: "none" }));
      await act(shop, { verb: "erase_order", orderId: id });
    }
    moment = await momentOf(ledger);
    vi.setSystemTime(THIRD_DAY);
  });

  /** The ledger goes back, its rows are put back, and it is as it was. */
  async function restore(): Promise<void> {
    await freeze(1);
    const before = await books();
    const statements = await exported();
    await goBackTo(ledger, moment);
    await freeze(1);
    for (const share of [0.3, 0.6, 0.9]) await putBack(statements.slice(0, statements.length * share));
    await putBack(statements);
    expectSameBooks(await books(), before);
    await freeze(0);
  }

  const idsIn = async (table: string) =>
    (
      await ledger.prepare(`SELECT id_external AS id FROM ${table} ORDER BY 1`).all<{ id: string }>()
    ).results.map(({ id }) => id);

  test("is erased again: an order with all its shop's data, a waiting one, a newer one", async () => {
    await to.send(aSentOrder("new", STORED));
    for (const orderId of ["1", "other", "new"]) await act(shop, { verb: "erase_order", orderId });
    await restore();
    expect(await idsIn("shop_order")).toEqual(["2", "3"]);
    expect(await idsIn("shop_order_sent")).toEqual(["2", "3"]);
    for (const id of ["1", "other", "new"]) {
      expect(await to.send(aSentOrder(id))).toMatchObject({ refusal: { code: "order_erased" } });
    }
  });

  test("is erased again: a customer with all orders, whom nothing names", async () => {
    await act(shop, { verb: "erase_client", clientId: "c1" });
    await act(shop, { verb: "erase_client", clientId: "c2" });
    await connectorOf(shop)(told("c2"));
    await connectorOf(shop)(told("c3"));
    await restore();
    expect(await idsIn("shop_client")).toEqual(["c2", "c3", "it's"]);
    expect(await idsIn("shop_order")).toEqual(["other"]);
  });

  test("waits for consent no longer", async () => {
    await act(shop, { verb: "withdraw_consent" });
    await to.send(aSentOrder("waiting"));
    moment = await momentOf(ledger);
    await act(shop, { verb: "erase_order", orderId: "waiting" });
    await restore();
  });

  test("and admitted again, or erased once more, is as it was at the end", async () => {
    await act(shop, { verb: "admit_order", orderId: "admitted" });
    await to.send(aSentOrder("admitted"));
    for (const id of ["again", "1"]) {
      if (id === "1") await act(shop, { verb: "erase_order", orderId: id });
      await act(shop, { verb: "admit_order", orderId: id });
      await to.send(aSentOrder(id, STORED));
      vi.setSystemTime(THIRD_DAY + 1_000);
      if (id === "again") await act(shop, { verb: "erase_order", orderId: id });
    }
    await restore();
    expect(await idsIn("erased_order")).toEqual(["again", "old"]);
    expect(await to.send(aSentOrder("admitted"))).toMatchObject({ order: { state: "invoiced" } });
    await ring(shop);
    await expectOrdersConsistent(shop.connectionId, { answers: to.answers });
  });

  test("stays if it was invoiced before the restored ledger was frozen; customers reported then stay too", async () => {
    for (const orderId of ["1", "2"]) await act(shop, { verb: "erase_order", orderId });
    await act(shop, { verb: "erase_client", clientId: "c2" });
    await freeze(1);
    const statements = await exported();
    await goBackTo(ledger, moment);
    vi.setSystemTime(THIRD_DAY + 1_000);
    expect(await to.send(aSentOrder("1", { client: CLIENT }))).toMatchObject({
      order: { state: "invoiced" },
    });
    await connectorOf(shop)(told("late"));
    await freeze(1);
    await putBack(statements);
    expect(await idsIn("shop_order")).toEqual(["1", "3", "other"]);
    expect(await idsIn("shop_client")).toEqual(["c1", "it's", "late"]);
    await freeze(0);
    expect(await to.send(aSentOrder("3", { client: CLIENT }))).toMatchObject({
      order: { state: "invoiced" },
    });
    await ring(shop);
    await expectOrdersConsistent(shop.connectionId, { answers: to.answers });
  });

  test("is erased again where it was dated just before the moment", async () => {
    vi.setSystemTime(SINCE - 5_000);
    await act(shop, { verb: "erase_order", orderId: "1" });
    await act(shop, { verb: "erase_client", clientId: "c2" });
    await to.send(aSentOrder("new"));
    await restore();
  });
});

describe("a year that left since", () => {
  /** The restore is one of today: the database's own clock decides on ages. */
  let since: number;

  beforeEach(async () => {
    shop = await aShopOfTwoYears();
    client = clientOf(shop);
    since = Date.now();
  });

  async function restore(): Promise<void> {
    await freeze(1);
    const statements = [...BEGIN_TEXTS];
    for await (const sql of putBackAccount(ledger, { accountId: shop.accountId, since, now: Date.now() }))
      statements.push(sql);
    await goBackTo(ledger, moment);
    await freeze(1);
    for (const share of [0.5, 1, 1]) await putBack(statements.slice(0, statements.length * share));
    await putBack(END_TEXTS);
    await expectProven();
    await freeze(0);
  }

  async function expectProven(): Promise<void> {
    const store = proofStore(ledger, shop.connectionId);
    const found = await store.readBooks();
    if (!found) throw new Error("no books");
    let walked = beginVerification(found);
    while (!isDone(walked)) walked = await verifyPage(walked, store);
    expect(brokenChecks(walked.tally)).toEqual([]);
  }

  async function many(table: string, where = "1"): Promise<number | null> {
    return ledger.prepare(`SELECT count(*) AS v FROM ${table} WHERE ${where}`).first<number>("v");
  }

  async function letGoAgain(): Promise<void> {
    await settleBooks(shop);
    await letGo(shop, 2018);
    expect(await workOff()).toMatchObject([{ event: "year_left", year: 2018 }]);
    await expectProven();
    expect(await many("invoice", "issue_date LIKE '2018%'")).toBe(0);
    expect(await many("record", "position <= 2")).toBe(0);
  }

  test.each(["warm", "cold"])("is retired again, and later rows stay, %s", async (memory) => {
    moment = await momentOf(ledger);
    await letGo(shop, 2018);
    await workOff();
    await client.issue("c1");
    await client.cancel("b1");
    await restore();
    for (const table of OF_RUNS) expect(await many(table)).toBe(0);
    expect(await many("record")).toBe(5);
    if (memory === "cold") await evictDurableObject(ledgerStub(shop));
    expect(await client.issue("c1")).toMatchObject({ outcome: "replayed" });
    expect(await client.issue("c2")).toMatchObject({
      invoice: { number: 2, alta: { record: { position: 6 } } },
    });
    await letGoAgain();
    expect(await client.issue("a1")).toMatchObject({ refusal: { code: "invoice_erased" } });
    expect(await client.issue("c3")).toMatchObject({
      invoice: { number: 3, alta: { record: { position: 7 } } },
    });
    expect(await many("audit_log", "verb = 'end_retention'")).toBe(2);
  });

  test("without later rows, and with nothing left", async () => {
    moment = await momentOf(ledger);
    for (const year of [2018, 2019]) {
      await letGo(shop, year);
      await workOff();
    }
    await restore();
    expect(await client.issue("c1")).toMatchObject({ invoice: { alta: { record: { position: 4 } } } });
    await letGoAgain();
  });

  test("continues automatically where it had begun", async () => {
    await letGo(shop, 2018);
    moment = await momentOf(ledger);
    await workOff();
    await client.issue("c1");
    await restore();
    expect(await workOff()).toMatchObject([{ event: "year_left", year: 2018 }]);
    await expectProven();
    expect(await client.issue("c2")).toMatchObject({
      invoice: { number: 2, alta: { record: { position: 5 } } },
    });
  });

  test("before the moment stays erased", async () => {
    await letGo(shop, 2018);
    await workOff();
    moment = await momentOf(ledger);
    await client.issue("c1");
    await restore();
    expect(await many("record")).toBe(2);
    expect(await client.issue("a1")).toMatchObject({ refusal: { code: "invoice_erased" } });
    expect(await client.issue("c2")).toMatchObject({
      invoice: { number: 2, alta: { record: { position: 5 } } },
    });
  });

  test("takes its orders with it again", async () => {
    const commerce = await aShopSince(2018, {
      accountId: shop.accountId,
      connection: { kind: "commerce", name: "Tienda" },
    });
    onTheDay("2018-05-01");
    const order = aSentOrder("o1", { order_date: "2018-04-30 12:00:00" });
    expect(await dealing(commerce).send(order)).toMatchObject({ order: { state: "invoiced" } });
    await settleBooks(commerce);
    vi.useRealTimers();
    moment = await momentOf(ledger);
    await letGo(shop, 2018);
    await workOff();
    await restore();
    expect(await many("erased_order")).toBe(0);
    expect(await dealing(commerce).send(order)).toMatchObject({ order: { state: "invoiced" } });
    await letGoAgain();
    expect(await dealing(commerce).send(order)).toMatchObject({ refusal: { code: "order_erased" } });
  });
});

describe("what cannot be put back gets a new installation", () => {
  beforeEach(async () => {
    shop = await openSubmittingShop();
    client = clientOf(shop);
    await client.issue("a");
    moment = await momentOf(ledger);
    vi.setSystemTime(THIRD_DAY);
    await client.issue("b");
    await goBackTo(ledger, moment);
    expect(kindsOf([await client.issue("c")])).toEqual(["unavailable"]);
    const { connectionId } = shop;
    const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));
    const asked = { connectionId, reason: "La copia era anterior" };
    await putBack(await newInstallation(ledger, asked, { ledger: "000", now: THIRD_DAY, random }));
  });

  test("with a chain that begins anew and series that were never used", async () => {
    expect(await client.issue("c")).toMatchObject({
      outcome: "issued",
      invoice: {
        series: "API-1b-2026",
        number: 1,
        alta: { record: { position: 1, content: { chain: { first: true } } } },
      },
    });
    expect(await client.issue("d")).toMatchObject({ invoice: { series: "API-1b-2026", number: 2 } });
    const installations = await ledger
      .prepare("SELECT ordinal, closed_at IS NULL AS open FROM installation ORDER BY ordinal")
      .all();
    expect(installations.results).toEqual([
      { ordinal: 1, open: 0 },
      { ordinal: 2, open: 1 },
    ]);
  });

  test("the unsubmitted records of the old chain are submitted", async () => {
    await client.issue("c");
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted", "accepted"]);
  });

  test("a restore to before it is noticed too", async () => {
    await client.issue("c");
    await goBackTo(ledger, moment);
    expect(await client.issue("d")).toMatchObject({ outcome: "unavailable", cause: "ledger_behind" });
  });

  test("its owner reads of it", async () => {
    const lines = await ledger
      .prepare("SELECT user_id, verb, facts FROM audit_log WHERE verb = 'open_installation'")
      .all();
    expect(lines.results).toMatchObject([
      { user_id: "operator", facts: expect.stringContaining("La copia era anterior") },
    ]);
  });
});
