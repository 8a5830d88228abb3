/** What the alarm does for a connected shop: fetches, back-off, reconciles, and mapping again. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { dueStore } from "../../src/db/due/due-store.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { present } from "../../src/domain/shared/present.ts";
import type { ShopDocuments } from "../../src/domain/shop/documents.ts";
import { STATUS_PRESETS } from "../../src/domain/shop/presets.ts";
import type { ListedOrder, OrdersSince, ShopAnswer } from "../../src/platform/shop-api.ts";
import { HOUR, MINUTE, NOON, SECOND } from "../support/builders/callbacks.ts";
import type { SentBody } from "../support/builders/sent-bodies.ts";
import { failBefore } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import { aNativeOrder, aNativeShop, mapped, type NativeShop } from "../support/worlds/native-shops.ts";
import { scriptedApi, shopsOn } from "../support/worlds/shop-deps.ts";

const FETCHING = {
  url: "https://tienda.example",
  credentials: { consumer_key: "ck_1234567890abcdef", consumer_secret: "cs_1234567890abcdef" },
} as const;

let now: number;
let log: object[];
let native: NativeShop;
let orders: Map<string, SentBody>;
let answer: (id: string) => ShopAnswer<ShopDocuments> | undefined;
let listed: readonly ListedOrder[];
let shopTime: () => number | undefined;
let asked: string[];
let searches: OrdersSince[];

const invoices = () =>
  native.rows<{ readonly origin: string }>(
    "SELECT origin FROM invoice WHERE connection_id = ? ORDER BY origin",
  );
const fetches = () =>
  native.rows<Record<string, unknown>>(
    "SELECT native_id, due_at, attempts, failure FROM shop_fetch WHERE connection_id = ? ORDER BY native_id",
  );

beforeEach(async () => {
  now = NOON;
  log = [];
  orders = new Map();
  answer = () => undefined;
  listed = [];
  shopTime = () => undefined;
  asked = [];
  searches = [];
  const api = scriptedApi({
    async readOrder(id) {
      asked.push(id);
      const order = orders.get(id);
      return answer(id) ?? (order ? { answer: "given", value: { order } } : { answer: "gone" });
    },
    async listOrders(query) {
      searches.push(query);
      return { answer: "given", value: { orders: listed, ...present({ shopTime: shopTime() }) } };
    },
  });
  native = await aNativeShop({ now: () => now, log: (line) => log.push(line) }, undefined, api);
  await native.connect(FETCHING);
  // The first run reads the tables and reconciles.
  await native.ledger.wake();
  asked = [];
  searches = [];
});

async function wakeAt(at: number): Promise<number | undefined> {
  now = at;
  return native.ledger.wake();
}

test("the fetched order decides, not the delivered one", async () => {
  orders.set("1", aNativeOrder(1));
  await native.deliver(aNativeOrder(1, { status: "on-hold" }));
  expect(await wakeAt(NOON + 4_999)).toBe(NOON + 5_000);
  expect(asked).toEqual([]);
  await wakeAt(NOON + 5_000);
  expect([asked, await invoices(), await fetches()]).toEqual([["1"], [{ origin: "order:1" }], []]);
  expect(await native.rows("SELECT source, status FROM shop_document WHERE connection_id = ?")).toEqual([
    { source: "fetched", status: "processing" },
  ]);
});

test("hints that come during a fetch are answered by another one", async () => {
  orders.set("1", aNativeOrder(1));
  await native.deliver(aNativeOrder(1));
  answer = () => {
    answer = () => undefined;
    void native.deliver(aNativeOrder(1));
    return { answer: "given", value: { order: aNativeOrder(1) } };
  };
  await wakeAt(NOON + 5_000);
  await wakeAt(NOON + 10_000);
  expect(asked).toEqual(["1", "1"]);
  expect(await fetches()).toEqual([]);
});

test("a failed fetch is tried after 1, 5 and 30 seconds, 2 and 10 minutes, then every hour", async () => {
  answer = () => ({ answer: "failed", cause: "server_error" });
  await native.deliver(aNativeOrder(1));
  now = NOON + 5_000;
  const waits: number[] = [];
  for (let tries = 0; tries < 7; tries += 1) {
    await native.ledger.wake();
    const [row] = await fetches();
    const dueAt = Number(row?.due_at);
    waits.push(dueAt - now);
    now = dueAt;
  }
  expect(waits).toEqual([SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, HOUR]);
  expect(await fetches()).toMatchObject([{ attempts: 7, failure: "server_error" }]);
  expect(await native.rows("SELECT failure, failing_since FROM shop WHERE connection_id = ?")).toEqual([
    { failure: "server_error", failing_since: NOON + 5_000 },
  ]);
  orders.set("1", aNativeOrder(1));
  answer = () => undefined;
  await native.ledger.wake();
  expect(await native.rows("SELECT failure, failing_since FROM shop WHERE connection_id = ?")).toEqual([
    { failure: null, failing_since: null },
  ]);
  expect(await invoices()).toHaveLength(1);
});

test("a shop's Retry-After is waited for", async () => {
  answer = () => ({ answer: "failed", cause: "rate_limited", waitMs: 90_000 });
  await native.deliver(aNativeOrder(1));
  await wakeAt(NOON + 5_000);
  expect(await fetches()).toMatchObject([{ due_at: NOON + 95_000 }]);
});

describe("refused credentials", () => {
  test("stop all fetching until new ones are entered; deliveries are still kept", async () => {
    answer = () => ({ answer: "refused" });
    await native.deliver(aNativeOrder(1));
    expect(await wakeAt(NOON + 5_000)).toBeUndefined();
    expect(await native.deliver(aNativeOrder(2))).toMatchObject({ as: "accepted" });
    expect(await wakeAt(NOON + HOUR)).toBeUndefined();
    expect(asked).toEqual(["1"]);
    expect(log).toContainEqual({ level: "warning", event: "shop_credentials_refused" });
    [orders, answer] = [
      new Map([["1", aNativeOrder(1)] as const, ["2", aNativeOrder(2)] as const]),
      () => undefined,
    ];
    await native.connect({
      ...FETCHING,
      credentials: { ...FETCHING.credentials, consumer_key: "ck_other_key_123" },
    });
    await native.ledger.wake();
    expect(await invoices()).toHaveLength(2);
  });
});

test("an order that the shop no longer has was deleted", async () => {
  orders.set("1", aNativeOrder(1, { status: "on-hold" }));
  await native.deliver(aNativeOrder(1));
  await wakeAt(NOON + 5_000);
  orders.clear();
  await native.deliver(aNativeOrder(1));
  await wakeAt(NOON + 10_000);
  expect(await native.rows("SELECT id_external, state FROM shop_order WHERE connection_id = ?")).toEqual([
    { id_external: "1", state: "cancelled" },
  ]);
  expect(await fetches()).toEqual([]);
});

describe("an order that neither the shop nor the connection has", () => {
  test("is asked for again, so that one false answer loses no order", async () => {
    await native.deliver(aNativeOrder(7));
    await wakeAt(NOON + 5_000);
    expect(await fetches()).toEqual([
      { native_id: "7", due_at: NOON + 6_000, attempts: 1, failure: "not_found" },
    ]);
    orders.set("7", aNativeOrder(7));
    await wakeAt(NOON + 6_000);
    expect([await invoices(), await fetches()]).toEqual([[{ origin: "order:7" }], []]);
  });

  test("is forgotten after five such answers, and nothing of it is kept", async () => {
    await native.deliver(aNativeOrder(7));
    for (const afterMs of [5, 6, 11, 41, 161]) await wakeAt(NOON + afterMs * SECOND);
    expect([asked.length, await fetches()]).toEqual([5, []]);
    expect(await native.rows("SELECT id_external FROM shop_order WHERE connection_id = ?")).toEqual([]);
  });

  test("is asked for once more after other failures, however many they were", async () => {
    answer = () => ({ answer: "failed", cause: "server_error" });
    await native.deliver(aNativeOrder(7));
    now = NOON + 5_000;
    for (let tries = 0; tries < 6; tries += 1) {
      await native.ledger.wake();
      now = Number((await fetches())[0]?.due_at);
    }
    answer = () => undefined;
    await native.ledger.wake();
    expect(await fetches()).toMatchObject([{ native_id: "7", failure: "not_found", attempts: 7 }]);
    await wakeAt(now + HOUR);
    expect(await fetches()).toEqual([]);
  });
});

test("while the hosts of the deployment are unknown no shop is called, and no alarm is busy", async () => {
  await native.deliver(aNativeOrder(1));
  const { ledger } = plainLedger(native.shop, {
    ...{ now: () => now, callbackPolicy: undefined },
    shops: shopsOn(wrapD1("LEDGER_000", env.LEDGER_000), native.shop.connectionId, {
      mappers: { woocommerce: mapped },
      random: (sizeBytes) => crypto.getRandomValues(new Uint8Array(sizeBytes)),
    }),
  });
  now = NOON + HOUR;
  const next = await ledger.wake();
  expect(next === undefined || next >= NOON + HOUR + MINUTE).toBe(true);
  expect([asked, (await fetches()).length]).toEqual([[], 1]);
});

test("the sweep wakes no connection for calls that nobody may make, and finds them once somebody may", async () => {
  const { connectionId } = native.shop;
  const found = async (mayCallOut: boolean) => {
    const store = dueStore(env.LEDGER_000, { isOn: false, wantsRepresentation: false, mayCallOut });
    const due = await store.connectionsWithDueWork({
      ...{ overdueSince: NOON + HOUR, today: civilDate("2026-11-28"), limit: 10_000 },
    });
    return due.includes(connectionId);
  };
  await native.deliver(aNativeOrder(1));
  expect([await found(false), await found(true)]).toEqual([false, true]);
  expect(await fetches()).toHaveLength(1);
  await wakeAt(NOON + HOUR);
  expect([await found(false), await found(true)]).toEqual([false, false]);
  await native.act({ verb: "register_callback", url: "https://tienda.es/pull" });
  await native.act({ verb: "ask_for_orders" });
  expect([await found(false), await found(true)]).toEqual([false, true]);
});

describe("a reconcile", () => {
  test("reaches back as far as the shop's clock is behind, until the shop has dated a change", async () => {
    const behind = 40 * MINUTE;
    shopTime = () => now - behind;
    orders.set("1", aNativeOrder(1));
    await wakeAt(NOON + HOUR);
    expect(searches.map(({ since }) => since)).toEqual([NOON - 10 * MINUTE, NOON - 10 * MINUTE - behind]);
    listed = [{ nativeId: "1", modifiedAt: NOON + HOUR - behind }];
    await wakeAt(NOON + 2 * HOUR);
    expect(await invoices()).toEqual([{ origin: "order:1" }]);
    searches = [];
    await wakeAt(NOON + 3 * HOUR);
    expect(searches).toEqual([{ by: "modified", since: NOON + HOUR - behind - 10 * MINUTE }]);
  });

  test("runs every hour from the newest modification seen, less ten minutes, and fetches what it finds", async () => {
    orders.set("1", aNativeOrder(1));
    orders.set("2", aNativeOrder(2));
    listed = [
      { nativeId: "1", modifiedAt: NOON + 1_000 },
      { nativeId: "2", modifiedAt: NOON + 2_000 },
    ];
    await wakeAt(NOON + HOUR);
    expect(searches).toEqual([{ by: "modified", since: NOON - 10 * MINUTE }]);
    expect(await invoices()).toHaveLength(2);
    listed = [];
    await wakeAt(NOON + 2 * HOUR);
    expect(searches.at(-1)).toEqual({ by: "modified", since: NOON + 2_000 - 10 * MINUTE });
    expect(asked).toHaveLength(2);
  });

  test("a shop that lists without end, or the same page again, is not searched for ever", async () => {
    const api = scriptedApi({
      listOrders: async () => ({ answer: "given", value: { orders: [{ nativeId: "1" }], next: "again" } }),
      readOrder: async () => ({ answer: "gone" }),
    });
    const endless = await aNativeShop({ now: () => now }, undefined, api);
    await endless.connect(FETCHING);
    expect(await endless.ledger.wake()).toBeGreaterThan(now);
  });
});

test("a changed map of statuses decides the stored orders again, without the shop", async () => {
  orders.set("1", aNativeOrder(1, { status: "on-hold" }));
  await native.deliver(aNativeOrder(1));
  await wakeAt(NOON + 5_000);
  expect(await invoices()).toEqual([]);
  asked = [];
  const statuses = { ...STATUS_PRESETS.woocommerce, "on-hold": "invoice" } as const;
  await native.act({ verb: "choose_shop_statuses", statuses });
  await native.ledger.wake();
  expect([await invoices(), asked]).toEqual([[{ origin: "order:1" }], []]);
});

test("without the database a fetch stays due, and the next run ends it once", async () => {
  orders.set("1", aNativeOrder(1));
  await native.deliver(aNativeOrder(1));
  now = NOON + 5_000;
  faults.when((sql) => sql.some((one) => one.startsWith('insert into "shop_document"')), failBefore());
  await native.ledger.wake();
  faults.reset();
  await wakeAt(NOON + HOUR - 1);
  expect([await invoices(), await fetches()]).toEqual([[{ origin: "order:1" }], []]);
});

test("an order that was disconnected from its shop in the meantime is not fetched", async () => {
  orders.set("1", aNativeOrder(1));
  await native.deliver(aNativeOrder(1));
  await native.act({ verb: "disconnect_shop" });
  expect(await wakeAt(NOON + HOUR)).toBeUndefined();
  expect([asked, await fetches()]).toEqual([[], []]);
  const { results } = await env.LEDGER_000.prepare("SELECT 1 FROM shop WHERE connection_id = ?")
    .bind(native.shop.connectionId)
    .all();
  expect(results).toEqual([]);
});

describe("a test of the credentials", () => {
  const tested = (testId: string) =>
    native.ledger.testShop(native.shop.connectionId, { userId: "us1", testId });

  test("is made at the shop and noted with one line, and lets fetching begin again", async () => {
    answer = () => ({ answer: "refused" });
    orders.set("1", aNativeOrder(1));
    await native.deliver(aNativeOrder(1));
    await wakeAt(NOON + 5_000);
    answer = () => undefined;
    expect(await wakeAt(NOON + 6_000)).toBeUndefined();
    expect(await tested("t-1")).toEqual({
      outcome: "tested",
      answer: { answer: "given", value: { scopes: [], lacking: [] } },
    });
    await tested("t-1");
    expect(
      await native.rows("SELECT facts FROM audit_log WHERE connection_id = ? AND verb = 'note_shop_test'"),
    ).toEqual([{ facts: '{"test":"given"}' }]);
    await native.ledger.wake();
    expect(await invoices()).toHaveLength(1);
  });

  test("needs a shop that can be asked", async () => {
    await native.act({ verb: "disconnect_shop" });
    expect(await tested("t-2")).toMatchObject({ outcome: "refused", refusal: { code: "shop_missing" } });
  });
});

test.each([
  ["whether an earlier shop had an order of this id", "given"],
  ["whether an order that is gone was stored", "gone"],
] as const)("a database that does not say %s is asked again within seconds", async (_, answered) => {
  if (answered === "given") orders.set("1", aNativeOrder(1));
  else {
    orders.set("1", aNativeOrder(1));
    await native.deliver(aNativeOrder(1, { status: "on-hold" }));
    await wakeAt(NOON + 5_000);
    orders.delete("1");
  }
  await native.deliver(aNativeOrder(1));
  const readsDocument = (sql: readonly string[]) =>
    sql.length === 1 && /^select .*from "shop_document"/is.test(sql[0] ?? "");
  now += MINUTE;
  faults.when(readsDocument, failBefore());
  const at = now;
  await native.ledger.wake();
  expect(await fetches()).toEqual([
    { native_id: "1", due_at: at + SECOND, attempts: 1, failure: "not_decided" },
  ]);
  await wakeAt(at + SECOND);
  expect(await fetches()).toEqual([]);
});
