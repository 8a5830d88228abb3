/** Earlier orders of a shop: listed with what each would become, confirmed by the owner, decided by the alarm. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { backfillReads } from "../../src/console/shop/backfill-queries.ts";
import { databaseOn } from "../../src/db/database.ts";
import type { ShopDocuments } from "../../src/domain/shop/documents.ts";
import type { OrderPage, OrdersSince, ShopAnswer } from "../../src/platform/shop-api.ts";
import { HOUR, MINUTE, NOON, SECOND } from "../support/builders/callbacks.ts";
import { A_RECIPIENT } from "../support/builders/requests.ts";
import type { SentBody } from "../support/builders/sent-bodies.ts";
import { failBefore, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { aNativeOrder, aNativeShop, type NativeShop } from "../support/worlds/native-shops.ts";
import { dealingWith, HELD } from "../support/worlds/order-changes.ts";
import { scriptedApi } from "../support/worlds/shop-deps.ts";

const FETCHING = {
  url: "https://tienda.example",
  credentials: { consumer_key: "ck_1234567890abcdef", consumer_secret: "cs_1234567890abcdef" },
} as const;

let now: number;
let native: NativeShop;
let orders: Map<string, SentBody>;
let pages: readonly OrderPage[];
let asked: string[];
let searches: OrdersSince[];
let answer: (id: string) => ShopAnswer<ShopDocuments> | undefined;
let search: () => ShopAnswer<OrderPage> | undefined;

beforeEach(async () => {
  now = NOON;
  [orders, pages, asked, searches] = [new Map(), [], [], []];
  [answer, search] = [() => undefined, () => undefined];
  const api = scriptedApi({
    async readOrder(id) {
      asked.push(id);
      const order = orders.get(id);
      return answer(id) ?? (order ? { answer: "given", value: { order } } : { answer: "gone" });
    },
    async listOrders(query) {
      if (query.by === "modified") return { answer: "given", value: { orders: [] } };
      searches.push(query);
      const page = pages[Number(query.page ?? 0)] ?? { orders: [] };
      return search() ?? { answer: "given", value: page };
    },
  });
  native = await aNativeShop({ now: () => now }, undefined, api);
  await native.connect(FETCHING);
  await wake();
});

const wake = async (at = now): Promise<number | undefined> => {
  now = at;
  return native.ledger.wake();
};
const begin = (from: "cutoff" | "today" | "more" = "cutoff") =>
  native.act({ verb: "begin_shop_backfill", from });
const confirm = (...ids: readonly string[]) =>
  native.act({
    verb: "confirm_shop_backfill",
    selected: ids.length > 0 ? { orders: ids } : { all: true },
  });
const row = async () =>
  (
    await native.rows<Record<string, unknown>>(
      "SELECT state, since, page, is_listed, has_more, due_at, failure, attempts FROM shop_backfill WHERE connection_id = ?",
    )
  )[0];
const list = async () =>
  native.rows<{ readonly native_id: string; readonly would: string; readonly outlook: string }>(
    "SELECT native_id, would, outlook, confirmed, decided_at FROM shop_backfill_order WHERE connection_id = ? ORDER BY place",
  );
const wouldBe = async () => (await list()).map(({ native_id, would }) => [native_id, would]);
const invoices = async () =>
  (
    await native.rows<{ readonly origin: string }>(
      "SELECT origin FROM invoice WHERE connection_id = ? ORDER BY number",
    )
  ).map(({ origin }) => origin);
const stored = () => native.rows("SELECT id_external FROM shop_order WHERE connection_id = ?");
const counts = async () =>
  Object.fromEntries(
    (
      await native.rows<{ readonly key: string; readonly count: number }>(
        "SELECT kind || ' ' || name AS key, count FROM shop_count WHERE connection_id = ? AND count > 0 AND kind <> 'status'",
      )
    ).map(({ key, count }) => [key, count]),
  );

/** As the owner's page tells them. */
const givenUp = async () => {
  const { accountId, connectionId } = native.shop;
  const read = await backfillReads(databaseOn(env.LEDGER_000)).list(accountId, connectionId, { limit: 1 });
  return read?.givenUp;
};

/** Orders of the shop on one page of its list. */
function has(...ids: readonly number[]): void {
  for (const id of ids) orders.set(String(id), aNativeOrder(id));
  pages = [{ orders: ids.map((id) => ({ nativeId: String(id) })) }];
}

async function listed(...ids: readonly number[]): Promise<void> {
  has(...ids);
  await begin();
  await wake();
}

describe("the list", () => {
  test("begins at the cutoff, and says what each order would become; nothing is stored", async () => {
    has(1, 2, 3);
    orders.set("2", aNativeOrder(2, { status: "on-hold" }));
    orders.set("3", { id: 3 });
    pages = [{ orders: [1, 2, 3, 4].map((id) => ({ nativeId: String(id) })) }];
    expect(await begin()).toEqual({ outcome: "done" });
    await wake();
    const madrid = Date.parse("2025-12-31T23:00:00Z");
    expect(searches).toEqual([{ by: "created", since: madrid }]);
    expect(await row()).toMatchObject({ state: "listed", since: "2026-01-01", due_at: null, attempts: 0 });
    expect(await wouldBe()).toEqual([
      ["1", "invoiced"],
      ["2", "stored"],
      ["3", "unreadable"],
      ["4", "gone"],
    ]);
    const [first] = await list();
    expect(JSON.parse(first?.outlook ?? "")).toMatchObject({
      ...{ status: "processing", total: "121", currency: "EUR", missing: [] },
      invoices: [{ kind: "invoice", total: "121", currency: "EUR" }],
    });
    expect([await stored(), await invoices()]).toEqual([[], []]);
    expect(await native.rows("SELECT 1 FROM shop_document WHERE connection_id = ?")).toEqual([]);
    expect(await counts()).toEqual({
      ...{ "found invoiced": 1, "found stored": 1, "found unreadable": 1, "found gone": 1 },
    });
  });

  test("of today begins with the day of the issuer", async () => {
    await begin("today");
    await wake();
    expect(searches).toEqual([{ by: "created", since: Date.parse("2026-11-27T23:00:00Z") }]);
    expect(await row()).toMatchObject({ state: "listed", since: "2026-11-28" });
  });

  test("goes page by page, and each order is on it once", async () => {
    for (const id of [1, 2, 3]) orders.set(String(id), aNativeOrder(id));
    pages = [
      { orders: [{ nativeId: "1" }, { nativeId: "2" }], next: "1" },
      { orders: [{ nativeId: "2" }, { nativeId: "3" }] },
    ];
    await begin();
    await wake();
    expect(searches.map(({ page }) => page)).toEqual([undefined, "1"]);
    expect(await wouldBe()).toEqual(["1", "2", "3"].map((id) => [id, "invoiced"]));
  });

  test("leaves out orders that are stored, and those that are delivered meanwhile", async () => {
    orders.set("1", aNativeOrder(1));
    await native.deliver(aNativeOrder(1));
    await wake(NOON + 5_000);
    has(1, 2, 3);
    answer = (id) => {
      answer = () => undefined;
      // Delivered and decided while the list is made.
      if (id === "2") void native.deliver(aNativeOrder(3));
      return undefined;
    };
    await begin();
    await wake();
    await wake(now + 5_000);
    expect(await invoices()).toEqual(["order:1", "order:3"]);
    await begin();
    await wake();
    expect(await wouldBe()).toEqual([["2", "invoiced"]]);
  });

  test("the same page without end is read once", async () => {
    orders.set("1", aNativeOrder(1));
    pages = [{ orders: [{ nativeId: "1" }], next: "0" }, {} as OrderPage];
    await begin();
    await wake();
    expect(searches.length).toBeLessThanOrEqual(2);
    expect(await row()).toMatchObject({ state: "listed" });
  });

  test("ends at 10,000 orders, and goes on from there", async () => {
    await native.rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9960)
       INSERT INTO shop_backfill_order (connection_id, native_id, place, would, outlook, confirmed)
       SELECT ?1, 'x' || i, i, 'stored', '{}', 0 FROM n`,
    );
    pages = [{ orders: [{ nativeId: "1" }], next: "1" }, { orders: [{ nativeId: "2" }] }];
    orders.set("1", aNativeOrder(1));
    await native.rows(
      `INSERT INTO shop_backfill (connection_id, state, since, is_listed, has_more, begun_at, due_at, attempts)
       VALUES (?, 'listing', '2026-01-01', 0, 0, 1, 0, 0)`,
    );
    await wake();
    expect(await row()).toMatchObject({ state: "listed", is_listed: 1, has_more: 1, page: "1" });
    expect(await begin("more")).toEqual({ outcome: "done" });
    orders.set("2", aNativeOrder(2));
    await wake();
    expect(searches.at(-1)?.page).toBe("1");
    expect(await wouldBe()).toEqual([["2", "invoiced"]]);
    expect(await begin("more")).toMatchObject({ refusal: { code: "shop_backfill_no_more" } });
  });

  test("waits as a fetch does while the shop fails, and then goes on", async () => {
    has(1);
    search = () => ({ answer: "failed", cause: "server_error" });
    await begin();
    await wake();
    expect(await row()).toMatchObject({ state: "listing", failure: "server_error", due_at: NOON + SECOND });
    await wake(NOON + SECOND);
    expect(await row()).toMatchObject({ attempts: 2, due_at: NOON + 6 * SECOND });
    search = () => undefined;
    answer = () => ({ answer: "failed", cause: "rate_limited", waitMs: 90_000 });
    await wake(NOON + 6 * SECOND);
    expect(await row()).toMatchObject({ failure: "rate_limited", due_at: NOON + 96 * SECOND });
    answer = () => undefined;
    await wake(NOON + 96 * SECOND);
    expect(await row()).toMatchObject({ state: "listed", failure: null, attempts: 0 });
  });

  test("passes over an order that the shop fails to give, and lists the others", async () => {
    has(1, 2, 3, 4, 5, 6, 7, 8);
    answer = (id) => (id === "1" ? { answer: "failed", cause: "too_large" } : undefined);
    await begin();
    for (let next: number | undefined = now; next !== undefined && next < NOON + MINUTE; ) {
      next = await wake(next);
      if ((await row())?.state === "listed") break;
    }
    const [first, ...others] = await list();
    expect(first).toMatchObject({ would: "unreadable", outlook: expect.stringContaining("too_large") });
    expect(others.map(({ would }) => would)).toEqual(Array.from({ length: 7 }, () => "invoiced"));
  });

  test("keeps no look that began under other credentials: the order is looked at again", async () => {
    has(1);
    answer = () => {
      answer = () => undefined;
      const other = { consumer_key: "ck_x", consumer_secret: "cs_y" };
      void native.connect({ ...FETCHING, credentials: other });
      return { answer: "given", value: { order: aNativeOrder(1, { status: "on-hold" }) } };
    };
    await begin();
    await wake();
    await wake(now + MINUTE);
    expect([asked.filter((id) => id === "1").length, await wouldBe()]).toEqual([2, [["1", "invoiced"]]]);
    expect(await row()).toMatchObject({ state: "listed" });
  });

  test("stops with refused credentials, and goes on with others", async () => {
    has(1);
    search = () => ({ answer: "refused" });
    await begin();
    expect(await wake()).toBeUndefined();
    expect(await row()).toMatchObject({ state: "listing", failure: null });
    search = () => undefined;
    await native.connect({ ...FETCHING, credentials: { consumer_key: "ck_x", consumer_secret: "cs_y" } });
    await wake();
    expect(await row()).toMatchObject({ state: "listed" });
  });
});

describe("mails when invoices are issued", () => {
  const SENT = { client: { email: "luis@cliente.es", country: "ES" } };
  const mailed = () =>
    native.rows<{ readonly origin: string }>(
      "SELECT invoice.origin AS origin FROM invoice_delivery JOIN invoice ON invoice.id = invoice_id WHERE invoice.connection_id = ?",
    );

  beforeEach(async () => {
    const switched = await native.act({ verb: "switch_mailing", to: "everyone", textVersion: "1" });
    expect(switched.outcome).toBe("done");
  });

  test("leave out earlier orders, and take those that the shop delivers", async () => {
    has(1);
    orders.set("1", aNativeOrder(1, {}, SENT));
    orders.set("2", aNativeOrder(2, {}, SENT));
    await begin();
    await wake();
    await confirm();
    await wake();
    await native.deliver(aNativeOrder(2, {}, SENT));
    await wake(now + 5_000);
    expect(await invoices()).toEqual(["order:1", "order:2"]);
    expect(await mailed()).toEqual([{ origin: "order:2" }]);
  });

  test("leave out an earlier order that waited for its owner, and take a delivered one that did", async () => {
    const held = { ...SENT, ...HELD };
    has(1);
    orders.set("1", aNativeOrder(1, {}, held));
    orders.set("2", aNativeOrder(2, {}, held));
    await begin();
    await wake();
    await confirm();
    await wake();
    await native.deliver(aNativeOrder(2, {}, held));
    await wake(now + 5_000);
    expect(await invoices()).toEqual([]);
    const recipient = { ...A_RECIPIENT, email: "luis@cliente.es" };
    const dealing = dealingWith(native.shop, native.ledger);
    for (const id of ["1", "2"]) await dealing.answer(id, { answer: "enter_recipient", recipient });
    expect(await invoices()).toEqual(["order:1", "order:2"]);
    expect(await mailed()).toEqual([{ origin: "order:2" }]);
  });
});

describe("a confirmation", () => {
  test("decides those orders, each once, and no other", async () => {
    await listed(1, 2, 3);
    asked = [];
    expect(await confirm("1", "3")).toEqual({ outcome: "done" });
    await wake();
    expect(await invoices()).toEqual(["order:1", "order:3"]);
    expect(asked).toEqual(["1", "3"]);
    expect(await row()).toMatchObject({ state: "done", due_at: null });
    expect(await counts()).toEqual({ "found invoiced": 3, "confirmed invoiced": 2, "decided invoiced": 2 });
    expect(await confirm("1", "3")).toEqual({ outcome: "done" });
    expect(await confirm()).toEqual({ outcome: "done" });
    await wake();
    expect(await invoices()).toEqual(["order:1", "order:3", "order:2"]);
    expect(
      await native.rows(
        "SELECT facts FROM audit_log WHERE connection_id = ? AND verb = 'confirm_shop_backfill'",
      ),
    ).toEqual([{ facts: '{"confirmed":"2"}' }, { facts: '{"confirmed":"1"}' }]);
  });

  test("decides the order as the shop has it then, not as it was listed", async () => {
    await listed(1, 2, 3);
    orders.set("1", aNativeOrder(1, { status: "cancelled" }));
    orders.delete("2");
    await confirm();
    await wake();
    expect(await invoices()).toEqual(["order:3"]);
    while ((await row())?.state !== "done" && now < NOON + 10 * MINUTE) await wake(now + MINUTE);
    expect(await row()).toMatchObject({ state: "done" });
    expect(await givenUp()).toEqual({ count: 1, first: [{ orderId: "2", failure: "gone" }] });
  });

  test("gives up an order whose document stays unreadable, and its owner is told", async () => {
    await listed(1, 2, 3);
    orders.set("2", { id: 2 });
    await confirm();
    await wake();
    expect([await invoices(), await row()]).toMatchObject([["order:1", "order:3"], { state: "confirmed" }]);
    expect(await givenUp()).toEqual({ count: 0, first: [] });
    for (let tries = 0; tries < 4; tries += 1) await wake(now + 24 * HOUR);
    expect(await row()).toMatchObject({ state: "done" });
    expect(asked.filter((id) => id === "2")).toHaveLength(3);
    expect(await givenUp()).toEqual({ count: 1, first: [{ orderId: "2", failure: "unreadable" }] });
    expect(await counts()).toMatchObject({ "decided invoiced": 3, "given_up invoiced": 1 });
    expect(await native.rows("SELECT 1 FROM shop_fetch WHERE connection_id = ?")).toEqual([]);
    await native.act({ verb: "end_shop_backfill" });
    expect(await counts()).toEqual({});
  });

  test("does not give up orders of a shop that is down for days", async () => {
    await listed(1);
    answer = () => ({ answer: "failed", cause: "server_error" });
    await confirm();
    for (let tries = 0; tries < 40; tries += 1) await wake(now + 2 * HOUR);
    expect(await givenUp()).toEqual({ count: 0, first: [] });
    answer = () => undefined;
    await wake(now + 2 * HOUR);
    await wake(now + MINUTE);
    expect([await invoices(), await row()]).toMatchObject([["order:1"], { state: "done" }]);
  });

  test("by state takes those alone", async () => {
    has(1, 2);
    orders.set("2", aNativeOrder(2, { status: "on-hold" }));
    await begin();
    await wake();
    await native.act({ verb: "confirm_shop_backfill", selected: { would: ["stored"] } });
    await wake();
    expect(await stored()).toEqual([{ id_external: "2" }]);
  });

  test("an order that was decided by a delivery since is fetched, and gets no second invoice", async () => {
    await listed(1, 2);
    await native.deliver(aNativeOrder(1));
    await confirm();
    await wake(now + 5_000);
    expect(await invoices()).toEqual(["order:1", "order:2"]);
    expect(await row()).toMatchObject({ state: "done" });
  });

  test("asks for few at a time, so that a delivery of today does not wait for all", async () => {
    const ids = Array.from({ length: 40 }, (_, index) => index + 1);
    await listed(...ids);
    asked = [];
    answer = () => {
      now += 400;
      return undefined;
    };
    await confirm();
    orders.set("99", aNativeOrder(99));
    await native.deliver(aNativeOrder(99));
    const first = now;
    while ((await row())?.state !== "done" && now < first + 60 * SECOND) await wake();
    expect(await invoices()).toHaveLength(41);
    expect(asked.indexOf("99")).toBeLessThan(30);
    expect(new Set(asked).size).toBe(41);
  });

  test("fetches now what a delivery's fetch would have tried much later", async () => {
    orders.set("1", { id: 1 });
    await native.deliver(aNativeOrder(1, { status: "on-hold" }));
    await native.rows("DELETE FROM shop_order WHERE connection_id = ?");
    await wake(now + 5_000);
    expect(await native.rows("SELECT due_at FROM shop_fetch WHERE connection_id = ?")).toEqual([
      { due_at: now + 24 * HOUR },
    ]);
    await listed(1);
    await confirm();
    await wake();
    expect([await invoices(), await row()]).toMatchObject([["order:1"], { state: "done" }]);
  });

  test("is looked at again when a fetch is due, at least once an hour", async () => {
    await listed(1);
    orders.set("1", { id: 1 });
    await confirm();
    const until = now + 23 * HOUR;
    let alarms = 0;
    for (let next: number | undefined = now; next !== undefined && next < until; alarms += 1) {
      next = await wake(next);
    }
    // As many again ask the shop what has changed.
    expect(alarms).toBeGreaterThanOrEqual(23);
    expect(alarms).toBeLessThan(60);
    orders.set("1", aNativeOrder(1));
    await native.deliver(aNativeOrder(1));
    for (const at of [now + 5_000, now + HOUR]) await wake(at);
    expect([await invoices(), await row()]).toMatchObject([["order:1"], { state: "done" }]);
  });

  test("passes over orders that the shop fails to give, and counts them until they come", async () => {
    await listed(1, 2, 3);
    answer = (id) => (id === "2" ? { answer: "failed", cause: "server_error" } : undefined);
    await confirm();
    await wake();
    expect(await invoices()).toEqual(["order:1", "order:3"]);
    expect(await row()).toMatchObject({ state: "confirmed" });
    answer = () => undefined;
    await wake(now + MINUTE);
    await wake(now + MINUTE);
    expect(await invoices()).toEqual(["order:1", "order:3", "order:2"]);
    expect(await row()).toMatchObject({ state: "done" });
  });

  test.each([
    ["an order that is not on the list", { orders: ["1", "9"] }, "shop_backfill_order_unknown"],
    ["an order of which none can come", { orders: ["2"] }, "shop_backfill_order_unknown"],
  ])("%s is refused, and nothing is confirmed", async (_, selected, code) => {
    has(1);
    pages = [{ orders: [{ nativeId: "1" }, { nativeId: "2" }] }];
    await begin();
    await wake();
    expect(await native.act({ verb: "confirm_shop_backfill", selected })).toMatchObject({
      outcome: "refused",
      refusal: { code },
    });
    expect(await counts()).not.toHaveProperty("confirmed invoiced");
  });

  test("is refused while the list is made, and without a list", async () => {
    expect(await confirm()).toMatchObject({ refusal: { code: "shop_backfill_missing" } });
    has(1);
    await begin();
    expect(await confirm()).toMatchObject({ refusal: { code: "shop_backfill_not_listed" } });
  });

  test("of another list is refused", async () => {
    await listed(1);
    const seen = "an older list";
    expect(await native.act({ verb: "confirm_shop_backfill", selected: { all: true }, seen })).toMatchObject({
      refusal: { code: "changed_meanwhile" },
    });
  });
});

describe("a beginning", () => {
  test("that is repeated is one search; another one waits for its end", async () => {
    has(1);
    expect(await begin()).toEqual({ outcome: "done" });
    expect(await begin()).toEqual({ outcome: "done" });
    expect(await begin("today")).toMatchObject({ refusal: { code: "shop_backfill_running" } });
    expect(
      await native.rows("SELECT 1 FROM audit_log WHERE connection_id = ? AND verb = 'begin_shop_backfill'"),
    ).toHaveLength(1);
    await wake();
    now += 1;
    expect(await begin("today")).toEqual({ outcome: "done" });
    expect(await list()).toEqual([]);
  });

  test("needs a shop, and one that can be asked", async () => {
    await native.connect({ credentials: {} });
    expect(await begin()).toMatchObject({ refusal: { code: "shop_not_fetched" } });
    await native.act({ verb: "disconnect_shop" });
    expect(await begin()).toMatchObject({ refusal: { code: "shop_missing" } });
  });

  test("from the cutoff needs one", async () => {
    await native.act({ verb: "withdraw_consent" });
    expect(await begin()).toMatchObject({ refusal: { code: "consent_missing" } });
  });
});

describe("an end", () => {
  test("leaves what is decided, and nothing else is asked for", async () => {
    await listed(1, 2, 3);
    answer = (id) => (id === "2" ? { answer: "failed", cause: "timeout" } : undefined);
    await confirm("1", "2");
    await wake();
    expect(await native.act({ verb: "end_shop_backfill" })).toEqual({ outcome: "done" });
    answer = () => undefined;
    asked = [];
    await wake(now + MINUTE);
    expect([asked, await invoices(), await list(), await row()]).toEqual([[], ["order:1"], [], undefined]);
    expect(await counts()).toEqual({});
    expect(await native.act({ verb: "end_shop_backfill" })).toEqual({ outcome: "done" });
  });

  test("keeps the hint of a delivery that came for an order being asked for", async () => {
    await listed(1, 2);
    answer = () => ({ answer: "failed", cause: "timeout" });
    await confirm();
    await wake();
    await native.deliver(aNativeOrder(2));
    await native.act({ verb: "end_shop_backfill" });
    answer = () => undefined;
    await wake(now + MINUTE);
    expect(await invoices()).toEqual(["order:2"]);
  });

  test("comes with the shop's disconnection", async () => {
    await listed(1, 2);
    await confirm();
    await native.act({ verb: "disconnect_shop" });
    asked = [];
    await wake(now + MINUTE);
    expect([asked, await invoices(), await list(), await row()]).toEqual([[], [], [], undefined]);
    expect(await native.rows("SELECT 1 FROM shop_fetch WHERE connection_id = ?")).toEqual([]);
  });

  test("during a look leaves nothing of the list", async () => {
    has(1, 2);
    answer = () => {
      answer = () => undefined;
      void native.act({ verb: "end_shop_backfill" });
      return undefined;
    };
    await begin();
    await wake();
    expect([await list(), await row(), await counts()]).toEqual([[], undefined, {}]);
  });
});

describe("without the database", () => {
  const writes = [
    'insert into "shop_backfill_order"',
    'update "shop_backfill_order"',
    'update "shop_backfill"',
  ];
  const kinds = [
    ["lost", failBefore],
    ["done, but its answer lost", loseAnswer],
  ] as const;
  test.each(writes.flatMap((sql) => kinds.map(([name, kind]) => [sql, name, kind] as const)))(
    "%s is %s: the list is whole in the end, and each order is decided once",
    async (write, _, kind) => {
      has(1, 2, 3);
      await begin();
      faults.when((sql) => sql.some((one) => one.startsWith(write)), kind());
      await wake();
      faults.reset();
      while ((await row())?.state !== "listed") await wake(now + MINUTE);
      expect(await wouldBe()).toEqual(["1", "2", "3"].map((id) => [id, "invoiced"]));
      await confirm();
      faults.when((sql) => sql.some((one) => one.startsWith(write)), kind());
      await wake(now + MINUTE);
      faults.reset();
      while ((await row())?.state !== "done") await wake(now + MINUTE);
      expect(await invoices()).toEqual(["order:1", "order:2", "order:3"]);
    },
  );
});
