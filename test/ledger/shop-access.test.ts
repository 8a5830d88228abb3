/** What began under one access counts for nothing under another, and a shop that fails is left alone. */
import { beforeEach, describe, expect, test } from "vitest";
import type { Mappers, ShopDocuments } from "../../src/domain/shop/documents.ts";
import { Native } from "../../src/domain/shop/native.ts";
import { STATUS_PRESETS } from "../../src/domain/shop/presets.ts";
import type { ListedOrder, ShopAnswer, ShopTest } from "../../src/platform/shop-api.ts";
import { HOUR, MINUTE, NOON, SECOND } from "../support/builders/callbacks.ts";
import type { SentBody } from "../support/builders/sent-bodies.ts";
import { aNativeOrder, aNativeShop, mapped, type NativeShop } from "../support/worlds/native-shops.ts";
import { scriptedApi } from "../support/worlds/shop-deps.ts";

const CREDENTIALS = { consumer_key: "ck_1234567890abcdef", consumer_secret: "cs_1234567890abcdef" };
const FETCHING = { url: "https://tienda.example", credentials: CREDENTIALS } as const;
const OTHER_KEY = { ...FETCHING, credentials: { ...CREDENTIALS, consumer_key: "ck_another_1234567" } };
const ELSEWHERE = { ...FETCHING, url: "https://otra.example" };

let now: number;
let log: object[];
let native: NativeShop;
let orders: Map<string, SentBody>;
let answer: (id: string) => ShopAnswer<ShopDocuments> | undefined;
let tables: () => ShopAnswer<Readonly<Record<string, unknown>>>;
let during: () => Promise<unknown>;
let listed: readonly ListedOrder[];
let asked: string[];
let alarms: string[];

/** Orders of the native shop are unreadable without the tables of the test. */
const needsTables: Mappers = {
  woocommerce: (documents, known) =>
    known.timeZone === undefined && new Native(documents.order).at("needs").text() === "tables"
      ? { events: [], missing: [{ what: "time_zone" }] }
      : mapped(documents),
};

const invoices = () =>
  native.rows<{ readonly origin: string }>(
    "SELECT origin FROM invoice WHERE connection_id = ? ORDER BY origin",
  );
const fetches = () =>
  native.rows<Record<string, unknown>>(
    "SELECT native_id, due_at, attempts, failure FROM shop_fetch WHERE connection_id = ? ORDER BY native_id",
  );
const shopRow = async () =>
  (await native.rows<Record<string, unknown>>("SELECT * FROM shop WHERE connection_id = ?"))[0];

const down = { answer: "failed", cause: "server_error" } as const;

beforeEach(async () => {
  now = NOON;
  [log, asked, alarms, listed, orders] = [[], [], [], [], new Map()];
  answer = () => undefined;
  tables = () => ({ answer: "given", value: { timeZone: "Europe/Madrid" } });
  during = async () => {};
  const api = scriptedApi({
    async readOrder(id) {
      asked.push(id);
      const said = answer(id);
      const order = orders.get(id);
      await during();
      return said ?? (order ? { answer: "given", value: { order } } : { answer: "gone" });
    },
    async listOrders() {
      asked.push("list");
      await during();
      return { answer: "given", value: { orders: listed } };
    },
    async readTables() {
      asked.push("tables");
      const said = tables();
      await during();
      return said;
    },
    async test(): Promise<ShopAnswer<ShopTest>> {
      await during();
      return { answer: "given", value: { scopes: [], lacking: [] } };
    },
  });
  const deps = {
    now: () => now,
    log: (line: object) => log.push(line),
    alertOperator: (what: string) => alarms.push(what),
  };
  native = await aNativeShop(deps, needsTables, api);
});

/** Once during the next call of the shop. */
function meanwhile(act: () => Promise<unknown>): void {
  during = async () => {
    during = async () => {};
    await act();
  };
}

async function wakeAt(at: number): Promise<number | undefined> {
  now = at;
  return native.ledger.wake();
}

async function connected(): Promise<void> {
  await native.connect(FETCHING);
  await native.ledger.wake();
  asked = [];
}

describe("stored orders are mapped again", () => {
  const change = { ...FETCHING, settings: { nifKey: "nif" } } as const;

  test("only after the tables of the shop were read", async () => {
    await connected();
    orders.set("1", aNativeOrder(1, { needs: "tables", status: "on-hold" }));
    await native.deliver(aNativeOrder(1));
    await wakeAt(NOON + 5_000);
    tables = () => down;
    await native.connect({ ...ELSEWHERE, settings: { nifKey: "nif" } });
    await native.act({
      verb: "choose_shop_statuses",
      statuses: { ...STATUS_PRESETS.woocommerce, "on-hold": "invoice" },
    });
    await native.ledger.wake();
    expect(await invoices()).toEqual([]);
    expect(await native.rows("SELECT missing FROM shop_document WHERE connection_id = ?")).toEqual([
      { missing: "[]" },
    ]);
    tables = () => ({ answer: "given", value: { timeZone: "Europe/Madrid" } });
    await wakeAt(NOON + HOUR);
    expect(await invoices()).toEqual([{ origin: "order:1" }]);
  });

  test("not for other credentials alone, and tables of the same shop serve until they are read again", async () => {
    await connected();
    orders.set("1", aNativeOrder(1));
    await native.deliver(aNativeOrder(1));
    await wakeAt(NOON + 5_000);
    const version = (await shopRow())?.settings_version;
    await native.connect(OTHER_KEY);
    expect(await shopRow()).toMatchObject({ settings_version: version, tables: expect.any(String) });
    await native.connect({ ...OTHER_KEY, settings: change.settings });
    expect(await shopRow()).toMatchObject({ settings_version: Number(version) + 1 });
  });

  test("if they lacked what new tables say, and stay those that were fetched", async () => {
    tables = () => ({ answer: "given", value: {} });
    await connected();
    const short: Mappers = {
      woocommerce: (documents, known) => ({
        ...mapped(documents),
        missing: known.timeZone === undefined ? [{ what: "time_zone" }] : [],
      }),
    };
    const api = scriptedApi({
      readOrder: async () => ({ answer: "given", value: { order: aNativeOrder(1) } }),
      listOrders: async () => ({ answer: "given", value: { orders: [] } }),
      readTables: async () => tables(),
    });
    native = await aNativeShop({ now: () => now }, short, api);
    await native.connect(FETCHING);
    await native.ledger.wake();
    await native.deliver(aNativeOrder(1));
    await wakeAt(NOON + 5_000);
    expect(await invoices()).toEqual([]);
    tables = () => ({ answer: "given", value: { timeZone: "Europe/Madrid" } });
    await wakeAt(NOON + 25 * HOUR);
    expect(await invoices()).toEqual([{ origin: "order:1" }]);
    expect(await native.rows("SELECT source FROM shop_document WHERE connection_id = ?")).toEqual([
      { source: "fetched" },
    ]);
  });

  test("but a document that breaks the mapping, or is lost, holds up no other and is not tried for ever", async () => {
    const broken: Mappers = {
      woocommerce: (documents) => {
        if (new Native(documents.order).at("status").text() === "broken" && isBroken)
          throw new TypeError("x");
        return mapped(documents);
      },
    };
    let isBroken = false;
    native = await aNativeShop(
      { now: () => now, alertOperator: (what) => alarms.push(what) },
      broken,
      scriptedApi({ readOrder: async () => ({ answer: "gone" }), listOrders: async () => down }),
    );
    await native.connect();
    await native.deliver(aNativeOrder(1, { status: "broken" }));
    await native.deliver(aNativeOrder(2, { status: "on-hold", note: "x".repeat(70_000) }));
    await native.deliver(aNativeOrder(3, { status: "on-hold" }));
    native.bodies.clear();
    isBroken = true;
    const statuses = { ...STATUS_PRESETS.woocommerce, "on-hold": "invoice" } as const;
    await native.act({ verb: "choose_shop_statuses", statuses });
    await native.ledger.wake();
    expect(await invoices()).toEqual([{ origin: "order:3" }]);
    expect(alarms).toEqual(["shop_order_broken"]);
    await native.ledger.wake();
    expect(alarms).toHaveLength(1);
  });
});

describe("what began under an earlier access", () => {
  test.each([
    ["other credentials", () => native.connect(OTHER_KEY)],
    ["another address", () => native.connect(ELSEWHERE)],
  ])("decides no order, and leaves the hint, under %s", async (_, changed) => {
    await connected();
    orders.set("1", aNativeOrder(1));
    await native.deliver(aNativeOrder(1));
    answer = () => ({ answer: "given", value: { order: aNativeOrder(1, {}, { total: 9 }) } });
    meanwhile(async () => {
      answer = () => undefined;
      await changed();
    });
    await wakeAt(NOON + 5_000);
    expect(asked.filter((each) => each === "1")).toEqual(["1", "1"]);
    expect(await native.rows("SELECT total_eur FROM invoice WHERE connection_id = ?")).toEqual([
      { total_eur: "121" },
    ]);
    expect(await fetches()).toEqual([]);
  });

  test("is not decided after a disconnection, and leaves no row", async () => {
    await connected();
    orders.set("1", aNativeOrder(1));
    await native.deliver(aNativeOrder(1));
    meanwhile(() => native.act({ verb: "disconnect_shop" }));
    await wakeAt(NOON + 5_000);
    expect([await invoices(), await fetches(), await shopRow()]).toEqual([[], [], undefined]);
  });

  test("ends no hint of the shop that was connected meanwhile", async () => {
    await connected();
    await native.deliver(aNativeOrder(1));
    answer = () => ({ answer: "gone" });
    meanwhile(async () => {
      await native.act({ verb: "disconnect_shop" });
      await native.connect(FETCHING);
      await native.deliver(aNativeOrder(1));
      orders.set("1", aNativeOrder(1));
      answer = () => undefined;
    });
    await wakeAt(NOON + 5_000);
    await wakeAt(NOON + 10_000);
    expect(await invoices()).toEqual([{ origin: "order:1" }]);
  });

  test("does not stop the new credentials, nor count as their failure", async () => {
    await connected();
    orders.set("1", aNativeOrder(1));
    for (const said of [{ answer: "refused" }, down] as const) {
      await native.deliver(aNativeOrder(1));
      answer = () => said;
      meanwhile(async () => {
        answer = () => undefined;
        await native.connect(said === down ? OTHER_KEY : ELSEWHERE);
      });
      await wakeAt(now + 5_000);
      expect(await shopRow()).toMatchObject({
        credentials_refused_at: null,
        failures: 0,
        paused_until: null,
      });
      expect(await fetches()).toEqual([]);
    }
  });

  test("has no tables and no place of the search for the new one", async () => {
    await native.connect(FETCHING);
    tables = () => ({ answer: "given", value: { timeZone: "Atlantic/Canary" } });
    meanwhile(async () => {
      tables = () => ({ answer: "given", value: { timeZone: "Europe/Madrid" } });
      await native.connect(ELSEWHERE);
    });
    listed = [{ nativeId: "9", modifiedAt: NOON + HOUR }];
    await native.ledger.wake();
    expect(await shopRow()).toMatchObject({ tables: '{"timeZone":"Europe/Madrid"}' });
    listed = [{ nativeId: "77", modifiedAt: NOON + 2 * HOUR }];
    meanwhile(async () => {
      listed = [];
      await native.connect(FETCHING);
    });
    await wakeAt(NOON + 3 * HOUR);
    expect((await shopRow())?.seen_until).toBe(NOON);
    expect(asked).not.toContain("77");
  });

  test("was tested for another one: the result is refused", async () => {
    await connected();
    answer = () => ({ answer: "refused" });
    await native.deliver(aNativeOrder(1));
    await wakeAt(NOON + 5_000);
    meanwhile(async () => {
      await native.connect(OTHER_KEY);
      await wakeAt(NOON + 5_000);
    });
    const tested = { userId: "us1", testId: "t-1" };
    expect(await native.ledger.testShop(native.shop.connectionId, tested)).toMatchObject({
      outcome: "refused",
      refusal: { code: "changed_meanwhile" },
    });
    expect(await shopRow()).toMatchObject({ credentials_refused_at: expect.any(Number) });
  });

  test("documents of a shop that was connected before are none of the new one's", async () => {
    await connected();
    orders.set("1", aNativeOrder(1, { status: "on-hold" }));
    await native.deliver(aNativeOrder(1));
    await wakeAt(NOON + 5_000);
    await native.act({ verb: "disconnect_shop" });
    await native.connect(FETCHING);
    await native.ledger.wake();
    orders.clear();
    await native.act({ verb: "fetch_shop_order", orderId: "1" });
    await native.act({
      verb: "choose_shop_statuses",
      statuses: { ...STATUS_PRESETS.woocommerce, "on-hold": "invoice" },
    });
    await native.ledger.wake();
    // The new shop is asked several times before it is believed that it has no such order.
    for (let tries = 0; tries < 4; tries += 1) await wakeAt(now + 3 * MINUTE);
    expect(await native.rows("SELECT state FROM shop_order WHERE connection_id = ?")).toEqual([
      { state: "stored" },
    ]);
    expect([await invoices(), await fetches()]).toEqual([[], []]);
  });

  test("a delivery whose shop is disconnected while it waits to be decided is refused", async () => {
    await native.connect();
    const { nonce } = { nonce: String((await shopRow())?.nonce) };
    const [disconnected, delivered] = await Promise.all([
      native.act({ verb: "disconnect_shop" }),
      native.deliver(aNativeOrder(1), { nonce }),
    ]);
    expect([disconnected.outcome, delivered.outcome]).toEqual(["done", "unknown_address"]);
    expect(await invoices()).toEqual([]);
  });
});

describe("a shop that fails", () => {
  const deliverMany = async (count: number) => {
    for (let id = 1; id <= count; id += 1) {
      orders.set(String(id), aNativeOrder(id));
      await native.deliver(aNativeOrder(id));
    }
  };

  test("is called once for all of its orders until its pause ends", async () => {
    await connected();
    await deliverMany(10);
    answer = () => down;
    let next = await wakeAt(NOON + 5_000);
    const calls = [asked.length];
    expect(next).toBeGreaterThan(NOON + 5_000);
    for (let runs = 0; runs < 4; runs += 1) {
      const before = asked.length;
      next = await wakeAt(next ?? 0);
      calls.push(asked.length - before);
    }
    expect(calls).toEqual([2, 1, 1, 1, 1]);
    answer = () => undefined;
    await wakeAt(next ?? 0);
    expect(await invoices()).toHaveLength(10);
    expect(await shopRow()).toMatchObject({ failures: 0, paused_until: null, failing_since: null });
  });

  test("is left alone by everything for the time that it asks for", async () => {
    await connected();
    await deliverMany(3);
    answer = () => ({ answer: "failed", cause: "rate_limited", waitMs: HOUR });
    expect(await wakeAt(NOON + 5_000)).toBe(NOON + 5_000 + HOUR);
    asked = [];
    await native.deliver(aNativeOrder(4));
    await native.act({ verb: "reconcile_shop" });
    await wakeAt(NOON + 30 * MINUTE);
    await wakeAt(NOON + 59 * MINUTE);
    expect(asked).toEqual([]);
    answer = () => undefined;
    await wakeAt(NOON + 5_000 + HOUR);
    expect(await invoices()).toHaveLength(3);
  });

  test("for one order delays the others by two minutes at most", async () => {
    await connected();
    answer = (id) => (id === "1" ? down : undefined);
    await deliverMany(1);
    now = NOON + 5_000;
    for (let tries = 0; tries < 6; tries += 1) now = (await native.ledger.wake()) ?? now;
    expect(await fetches()).toMatchObject([{ native_id: "1", attempts: 6 }]);
    const at = Number((await fetches())[0]?.due_at) - HOUR;
    await wakeAt(at + SECOND);
    orders.set("2", aNativeOrder(2));
    await native.deliver(aNativeOrder(2));
    await wakeAt(at + 2 * MINUTE + SECOND);
    expect(await invoices()).toEqual([{ origin: "order:2" }]);
  });

  test("to say what its ids mean is asked less and less often, and nothing else is asked", async () => {
    tables = () => down;
    await native.connect(FETCHING);
    await deliverMany(3);
    const waits: number[] = [];
    now = NOON + 5_000;
    for (let tries = 0; tries < 6; tries += 1) {
      const next = (await native.ledger.wake()) ?? 0;
      waits.push(next - now);
      now = next;
    }
    expect(waits).toEqual([SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR]);
    expect(new Set(asked)).toEqual(new Set(["tables"]));
    expect(await fetches()).toMatchObject(Array(3).fill({ attempts: 0 }));
  });

  test("to say it again is asked an hour later: the older tables serve", async () => {
    await connected();
    tables = () => ({ answer: "failed", cause: "client_error" });
    await wakeAt(NOON + 24 * HOUR);
    const before = asked.filter((each) => each === "tables").length;
    await wakeAt(NOON + 24 * HOUR + 10 * MINUTE);
    orders.set("1", aNativeOrder(1));
    await native.deliver(aNativeOrder(1));
    await wakeAt(NOON + 24 * HOUR + 20 * MINUTE);
    expect([before, asked.filter((each) => each === "tables").length]).toEqual([1, 1]);
    expect(await invoices()).toHaveLength(1);
  });
});

describe("one bad document", () => {
  const BAD: readonly (readonly [string, ShopAnswer<ShopDocuments>])[] = [
    ["that is too large", { answer: "failed", cause: "too_large" }],
    ["of another order", { answer: "failed", cause: "unexpected" }],
    ["that makes no order", { answer: "given", value: { order: { id: 1 } } }],
    ["that breaks the mapper", { answer: "given", value: { order: { id: 1, native: 5 } } }],
  ];
  test.each(BAD)("%s stops no other order, and is not fetched again and again", async (_, bad) => {
    await connected();
    answer = (id) => (id === "1" ? bad : undefined);
    for (const id of [1, 2, 3]) {
      if (id > 1) orders.set(String(id), aNativeOrder(id));
      await native.deliver(aNativeOrder(id));
    }
    const next = await wakeAt(NOON + 5_000);
    expect(await invoices()).toEqual([{ origin: "order:2" }, { origin: "order:3" }]);
    expect(asked.filter((each) => each === "1")).toHaveLength(1);
    expect(next).toBeGreaterThan(now);
    expect(await shopRow()).toMatchObject({ failures: 0, paused_until: null });
  });

  test("that is mended comes with its next hint", async () => {
    await connected();
    answer = () => ({ answer: "given", value: { order: { id: 1 } } });
    await native.deliver(aNativeOrder(1));
    await wakeAt(NOON + 5_000);
    expect(await fetches()).toMatchObject([{ failure: "unreadable", due_at: NOON + 5_000 + 24 * HOUR }]);
    answer = () => undefined;
    orders.set("1", aNativeOrder(1));
    await native.deliver(aNativeOrder(1));
    await wakeAt(NOON + 10_000);
    expect([await invoices(), await fetches()]).toEqual([[{ origin: "order:1" }], []]);
  });
});

test("an old order that Shopify hides is not deleted; a young one is", async () => {
  await connected();
  answer = (id) =>
    orders.has(id) ? undefined : { answer: "gone", hidesOlderThanMs: id === "1" ? 60_000 : 400 * 24 * HOUR };
  for (const id of [1, 2]) {
    orders.set(String(id), aNativeOrder(id, { status: "on-hold" }));
    await native.deliver(aNativeOrder(id));
  }
  await wakeAt(NOON + 5_000);
  orders.clear();
  for (const id of [1, 2]) await native.deliver(aNativeOrder(id));
  await wakeAt(NOON + 10_000);
  expect(
    await native.rows("SELECT id_external, state FROM shop_order WHERE connection_id = ? ORDER BY 1"),
  ).toEqual([
    { id_external: "1", state: "stored" },
    { id_external: "2", state: "cancelled" },
  ]);
  expect(await fetches()).toEqual([]);
});
