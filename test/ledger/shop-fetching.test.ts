/** What the alarm does for a connected shop: fetches, back-off, reconciles, and mapping again. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { ShopDocuments } from "../../src/domain/shop/documents.ts";
import { STATUS_PRESETS } from "../../src/domain/shop/presets.ts";
import type { ListedOrder, OrdersSince, ShopAnswer } from "../../src/platform/shop-api.ts";
import { HOUR, MINUTE, NOON, SECOND } from "../support/builders/callbacks.ts";
import type { SentBody } from "../support/builders/sent-bodies.ts";
import { failBefore } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { aNativeOrder, aNativeShop, type NativeShop } from "../support/worlds/native-shops.ts";
import { scriptedApi } from "../support/worlds/shop-deps.ts";

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
      return { answer: "given", value: { orders: listed } };
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

test("404 means that the order was deleted; of an unknown order nothing is kept", async () => {
  orders.set("1", aNativeOrder(1, { status: "on-hold" }));
  await native.deliver(aNativeOrder(1));
  await wakeAt(NOON + 5_000);
  orders.clear();
  await native.deliver(aNativeOrder(1));
  await native.deliver(aNativeOrder(7));
  await wakeAt(NOON + 10_000);
  expect(await native.rows("SELECT id_external, state FROM shop_order WHERE connection_id = ?")).toEqual([
    { id_external: "1", state: "cancelled" },
  ]);
  expect(await fetches()).toEqual([]);
});

describe("a reconcile", () => {
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
