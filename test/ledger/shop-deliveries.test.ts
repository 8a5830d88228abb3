/** What a shop delivers in its own form, from the signature to the order. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { mapOrder as magentoOrder } from "../../src/domain/shop/magento/magento.ts";
import { STATUS_PRESETS } from "../../src/domain/shop/presets.ts";
import { mapOrder } from "../../src/domain/shop/woocommerce/woocommerce.ts";
import { HOUR, NOON } from "../support/builders/callbacks.ts";
import { aSentRefund } from "../support/builders/sent-bodies.ts";
import { hasPayloads, payloadText } from "../support/builders/shop-payloads.ts";
import { failBefore, gate, late, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { aNativeOrder, aNativeShop, type NativeShop } from "../support/worlds/native-shops.ts";

const FETCHING = {
  url: "https://tienda.example",
  credentials: { consumer_key: "ck_1234567890abcdef", consumer_secret: "cs_1234567890abcdef" },
} as const;

let now: number;
let wakes: number[];
let native: NativeShop;

beforeEach(async () => {
  now = NOON;
  wakes = [];
  native = await aNativeShop({
    now: () => now,
    wakeAt: async (at) => {
      wakes.push(at);
    },
  });
  await native.connect();
});

const invoices = () =>
  native.rows<{ readonly origin: string }>(
    "SELECT origin FROM invoice WHERE connection_id = ? ORDER BY origin",
  );
const deliveries = () =>
  native.rows<{ readonly delivery_id: string; readonly outcome: string; readonly body: string | null }>(
    "SELECT delivery_id, outcome, body, order_id, repeats FROM shop_delivery WHERE connection_id = ? ORDER BY rowid",
  );

test("a document that decides is stored with its order and its invoice in one commit", async () => {
  expect(await native.deliver(aNativeOrder(9004), { id: "w-1" })).toEqual({
    outcome: "received",
    deliveryId: "w-1",
    as: "decided",
    order: { idExternal: "9004", state: "invoiced" },
  });
  expect(await invoices()).toEqual([{ origin: "order:9004" }]);
  expect(await deliveries()).toMatchObject([
    { delivery_id: "w-1", outcome: "decided", order_id: "9004", repeats: 0 },
  ]);
  const [document] = await native.rows<{ readonly documents: string; readonly status: string }>(
    "SELECT documents, status FROM shop_document WHERE connection_id = ?",
  );
  expect(document?.status).toBe("processing");
  expect(JSON.parse(atob(document?.documents ?? ""))).toMatchObject({ order: { id: 9004 } });
});

test("a known id is a duplicate whatever its body, and decides nothing", async () => {
  await native.deliver(aNativeOrder(1), { id: "w-1" });
  expect(await native.deliver(aNativeOrder(2), { id: "w-1" })).toMatchObject({ as: "duplicate" });
  expect(await invoices()).toEqual([{ origin: "order:1" }]);
  expect(await deliveries()).toMatchObject([{ delivery_id: "w-1", repeats: 1 }]);
});

test("of the same id ten times at once, one is decided and nine are duplicates", async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () => native.deliver(aNativeOrder(1), { id: "w-1" })),
  );
  const told = outcomes.map((outcome) => ("as" in outcome ? outcome.as : outcome.outcome)).toSorted();
  expect(told).toEqual(["decided", ...Array.from({ length: 9 }, () => "duplicate")]);
});

test("without an id the hash of the body is the id", async () => {
  const first = await native.deliver(aNativeOrder(1), { id: "" });
  expect(first).toMatchObject({ as: "decided", deliveryId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
  expect(await native.deliver(aNativeOrder(1), { id: " " })).toMatchObject({ as: "duplicate" });
});

describe("a signature", () => {
  test.each([
    ["by another secret", { secret: "another" }],
    ["that is missing", { signature: "" }],
    ["of other bytes", { signature: "aaaa" }],
  ])("%s is refused and counted, and nothing of it is stored", async (_, change) => {
    expect(await native.deliver(aNativeOrder(1), change)).toEqual({ outcome: "wrong_signature" });
    expect(await deliveries()).toEqual([]);
    expect(await native.rows("SELECT forged FROM shop WHERE connection_id = ?")).toEqual([{ forged: 1 }]);
  });

  test("by the secret before the rotation counts until its owner ends it", async () => {
    const before = await native.connect();
    const rotated = await native.act({ verb: "rotate_shop_secret" });
    const after = rotated.outcome === "done" ? rotated.shown?.secret : undefined;
    expect(after).toMatch(/^whsec_/);
    expect(await native.deliver(aNativeOrder(1), { secret: before })).toMatchObject({ as: "decided" });
    expect(await native.deliver(aNativeOrder(2), { secret: after ?? "" })).toMatchObject({ as: "decided" });
    await native.act({ verb: "end_shop_secret_overlap" });
    expect(await native.deliver(aNativeOrder(3), { secret: before })).toEqual({ outcome: "wrong_signature" });
  });

  test("many wrong ones are counted in memory, and noted once a minute", async () => {
    for (let count = 0; count < 5; count += 1) await native.deliver("x", { secret: "another" });
    now += 60_000;
    await native.deliver("x", { secret: "another" });
    expect(await native.rows("SELECT forged FROM shop WHERE connection_id = ?")).toEqual([{ forged: 6 }]);
  });
});

describe("an address", () => {
  test("that was renewed lives on for a day", async () => {
    const [{ nonce = "" } = {}] = await native.rows<{ readonly nonce: string }>(
      "SELECT nonce FROM shop WHERE connection_id = ?",
    );
    await native.act({ verb: "renew_shop_address" });
    now += 86_399_999;
    expect(await native.deliver(aNativeOrder(1), { nonce })).toMatchObject({ as: "decided" });
    now += 1;
    expect(await native.deliver(aNativeOrder(2), { nonce })).toEqual({ outcome: "unknown_address" });
    expect(await native.deliver(aNativeOrder(2))).toMatchObject({ as: "decided" });
  });

  test("of a shop that was disconnected is unknown; its orders and documents stay", async () => {
    const [{ nonce = "" } = {}] = await native.rows<{ readonly nonce: string }>(
      "SELECT nonce FROM shop WHERE connection_id = ?",
    );
    await native.deliver(aNativeOrder(1));
    await native.act({ verb: "disconnect_shop" });
    expect(await native.deliver(aNativeOrder(2), { nonce })).toEqual({ outcome: "unknown_address" });
    expect(await native.rows("SELECT 1 FROM shop_document WHERE connection_id = ?")).toHaveLength(1);
    expect(await native.rows("SELECT 1 FROM shop WHERE connection_id = ?")).toEqual([]);
  });
});

describe("a shop that is connected after another", () => {
  const again = async () => {
    await native.deliver(aNativeOrder(1, { modified: NOON }));
    await native.act({ verb: "disconnect_shop" });
    await native.connect();
  };
  const invoices = () => native.rows("SELECT origin FROM invoice WHERE connection_id = ?");

  test.each([
    ["an older order", NOON - HOUR],
    ["a newer order", NOON + HOUR],
  ])(
    "%s of its own under the same id is kept apart: it is no change of the other one",
    async (_, modified) => {
      await again();
      const other = aNativeOrder(1, { modified }, { order_date: "2026-11-22 10:00:00", total: 1 });
      expect(await native.deliver(other)).toMatchObject({ outcome: "received", as: "unreadable" });
      const whys = await native.rows(
        "SELECT why FROM shop_delivery WHERE connection_id = ? AND why IS NOT NULL",
      );
      expect(whys).toEqual([{ why: '{"missing":[{"what":"earlier_shop","where":"1"}]}' }]);
      expect(await invoices()).toHaveLength(1);
    },
  );

  test("the same shop goes on with its orders", async () => {
    await again();
    const refunded = aNativeOrder(1, { modified: NOON + HOUR, status: "completed" });
    expect(await native.deliver(refunded)).toMatchObject({ as: "decided" });
    expect(await invoices()).toHaveLength(1);
  });
});

describe("a body", () => {
  test("of another topic is ignored, and not kept", async () => {
    expect(await native.deliver({ id: 1 }, { topic: "product.updated" })).toMatchObject({ as: "ignored" });
    expect(await deliveries()).toMatchObject([{ outcome: "ignored", body: null }]);
  });

  test.each([
    ["that is no JSON", "<html>"],
    ["of half a document", '{"id": 9'],
    ["without an id", { status: "processing" }],
    ["that makes no order", { id: 7 }],
  ])("%s is kept as unreadable", async (_, body) => {
    expect(await native.deliver(body)).toMatchObject({ outcome: "received", as: "unreadable" });
    const [row] = await deliveries();
    expect(atob(row?.body ?? "")).toBe(typeof body === "string" ? body : JSON.stringify(body));
  });

  test("above 64 KiB is kept outside its row", async () => {
    const large = aNativeOrder(1, { note: "x".repeat(70_000) });
    expect(await native.deliver(large)).toMatchObject({ as: "decided" });
    expect(await deliveries()).toMatchObject([{ body: null }]);
    expect(native.bodies.size).toBe(2);
    // A later document of the order is read with it.
    expect(await native.deliver(aNativeOrder(1, { status: "cancelled" }))).toMatchObject({ as: "decided" });
    const dropped = await env.LEDGER_000.prepare("SELECT key FROM shop_dropped_body").all();
    expect(dropped.results).toHaveLength(1);
  });
});

describe("the map of statuses", () => {
  test("leaves an order of another status without an invoice, until its status asks for one", async () => {
    const held = await native.deliver(aNativeOrder(1, { status: "on-hold", modified: 1 }));
    expect(held).toMatchObject({ order: { state: "stored" } });
    const paid = await native.deliver(aNativeOrder(1, { status: "processing", modified: 2 }));
    expect(paid).toMatchObject({ order: { state: "invoiced" } });
  });

  test("cancels before the invoice, and holds after it", async () => {
    const before = await native.deliver(aNativeOrder(1, { status: "cancelled" }));
    expect(before).toMatchObject({ order: { state: "cancelled" } });
    await native.deliver(aNativeOrder(2, { modified: 1 }));
    const after = await native.deliver(aNativeOrder(2, { status: "cancelled", modified: 2 }));
    expect(after).toMatchObject({ order: { state: "held" } });
    expect(await invoices()).toHaveLength(1);
  });

  test("counts a deleted order as its status `deleted`", async () => {
    await native.deliver(aNativeOrder(1, { status: "on-hold" }));
    const deleted = await native.deliver({ id: 1 }, { topic: "order.deleted" });
    expect(deleted).toMatchObject({ as: "decided", order: { state: "cancelled" } });
    expect(await native.deliver({ id: 5 }, { topic: "order.deleted" })).toMatchObject({ as: "ignored" });
  });
});

test("an older document changes nothing of the order, and does not replace the stored one", async () => {
  await native.deliver(aNativeOrder(1, { status: "processing", modified: 20 }));
  const late = await native.deliver(aNativeOrder(1, { status: "cancelled", modified: 10 }));
  expect(late).toMatchObject({ order: { state: "invoiced" } });
  expect(await native.rows("SELECT status FROM shop_document WHERE connection_id = ?")).toEqual([
    { status: "processing" },
  ]);
});

test("a refund that comes alone acts on the stored order", async () => {
  await native.connect({ platform: "woocommerce" });
  await native.deliver(aNativeOrder(1, { modified: 1 }));
  const refund = { id: 71, event: aSentRefund("71", 50, 10.5, 21) };
  // WooCommerce has no such topic, so its refunds come with the order.
  expect(await native.deliver({ ...aNativeOrder(1, { modified: 2 }), refunds: [refund] })).toMatchObject({
    order: { state: "invoiced" },
  });
});

describe("with credentials", () => {
  test("a delivery is a hint: hints of one order are one fetch, with an alarm", async () => {
    await native.connect(FETCHING);
    wakes = [];
    expect(await native.deliver(aNativeOrder(1))).toMatchObject({ as: "accepted" });
    now += 4_000;
    expect(await native.deliver(aNativeOrder(1, { status: "completed" }))).toMatchObject({ as: "accepted" });
    expect(await invoices()).toEqual([]);
    expect(
      await native.rows("SELECT native_id, due_at, hints FROM shop_fetch WHERE connection_id = ?"),
    ).toEqual([{ native_id: "1", due_at: NOON + 5_000, hints: NOON + 5_001 }]);
    expect(wakes[0]).toBe(NOON + 5_000);
  });

  test("of an erased order no body is kept, however late its delivery is stored", async () => {
    await native.deliver(aNativeOrder(1, { status: "on-hold" }), { id: "w-1" });
    await native.connect(FETCHING);
    const held = faults.when(
      (sql) => sql.some((one) => one.startsWith('insert into "shop_delivery"')),
      gate(),
    );
    const received = native.deliver(aNativeOrder(1), { id: "w-2" });
    await held.reached();
    expect(await native.act({ verb: "erase_order", orderId: "1" })).toEqual({ outcome: "done" });
    held.open();
    expect(await received).toMatchObject({ as: "accepted" });
    expect(await native.deliver(aNativeOrder(1), { id: "w-3" })).toMatchObject({ as: "accepted" });
    expect((await deliveries()).map(({ delivery_id, body }) => [delivery_id, body])).toEqual([
      ["w-1", null],
      ["w-2", null],
      ["w-3", null],
    ]);
    expect(await native.deliver(aNativeOrder(2), { id: "w-4" })).toMatchObject({ as: "accepted" });
    expect((await deliveries()).at(-1)?.body).not.toBeNull();
  });

  test("nothing of a secret is in the row, the audit log or another place in clear", async () => {
    await native.connect(FETCHING);
    const dump = JSON.stringify([
      await native.rows("SELECT * FROM shop WHERE connection_id = ?"),
      await native.rows("SELECT * FROM audit_log WHERE connection_id = ?"),
    ]);
    expect(dump).not.toContain(FETCHING.credentials.consumer_secret);
    expect(dump).not.toContain("whsec_");
    expect(dump).toContain("cdef");
  });
});

describe("while the owner enters another key", () => {
  const keepsIt = (sql: readonly string[]) =>
    sql.some((one) => one.startsWith('insert into "shop_delivery"'));
  const newKey = { ...FETCHING.credentials, consumer_key: "ck_fedcba0987654321" };
  const hints = () => native.rows("SELECT native_id FROM shop_fetch WHERE connection_id = ?");

  test("a delivery that is stored too late is not stored, and its repeat is a hint", async () => {
    await native.connect(FETCHING);
    const lost = faults.when(keepsIt, late());
    expect(await native.deliver(aNativeOrder(1), { id: "w-1" })).toMatchObject({ outcome: "unavailable" });
    await native.connect({ ...FETCHING, credentials: newKey });
    await lost.release();
    expect([await deliveries(), await hints()]).toEqual([[], []]);
    expect(await native.deliver(aNativeOrder(1), { id: "w-1" })).toMatchObject({ as: "accepted" });
    expect(await hints()).toEqual([{ native_id: "1" }]);
  });

  test("a delivery that was judged before it is judged anew", async () => {
    await native.connect(FETCHING);
    const held = faults.when(keepsIt, gate());
    const received = native.deliver(aNativeOrder(1), { id: "w-1" });
    await held.reached();
    await native.connect({ ...FETCHING, credentials: newKey });
    held.open();
    expect(await received).toMatchObject({ as: "accepted" });
    expect([await deliveries(), await hints()]).toMatchObject([
      [{ delivery_id: "w-1", repeats: 0 }],
      [{ native_id: "1" }],
    ]);
  });

  test("what cannot be read is not kept under the key of before either", async () => {
    await native.connect(FETCHING);
    const lost = faults.when(keepsIt, late());
    expect(await native.deliver("[]", { id: "w-1" })).toMatchObject({ outcome: "unavailable" });
    await native.connect({ ...FETCHING, credentials: newKey });
    await lost.release();
    expect(await deliveries()).toEqual([]);
  });
});

describe("without the database", () => {
  test("nothing is stored, and the shop is asked to repeat it", async () => {
    faults.next(failBefore(), { times: 20 });
    expect(await native.deliver(aNativeOrder(1), { id: "w-1" })).toMatchObject({ outcome: "unavailable" });
    faults.reset();
    expect(await deliveries()).toEqual([]);
    expect(await native.deliver(aNativeOrder(1), { id: "w-1" })).toMatchObject({ as: "decided" });
  });

  test("an answer that is lost on the way is found: one invoice and one row", async () => {
    const lost = faults.when(
      (sql) => sql.some((one) => one.startsWith('insert into "shop_delivery"')),
      loseAnswer(),
    );
    expect(await native.deliver(aNativeOrder(1), { id: "w-1" })).toMatchObject({ as: "decided" });
    await lost.reached();
    expect([await invoices(), await deliveries()]).toMatchObject([
      [{ origin: "order:1" }],
      [{ outcome: "decided" }],
    ]);
  });
});

const DATES = /("date_(?:created|paid)(?:_gmt)?":\s*")\d{4}-\d\d-\d\d/g;

describe.skipIf(!hasPayloads)("WooCommerce's own document", () => {
  test("becomes the invoice of its total, with the identifier of the buyer", async () => {
    const woo = await aNativeShop({ now: () => now }, { woocommerce: mapOrder });
    await woo.connect();
    const dated = payloadText("woo_es_4_10_21").replace(DATES, "$12026-11-20");
    const received = await woo.deliver(dated, { topic: "order.created" });
    expect(received).toMatchObject({ as: "decided", order: { state: "invoiced" } });
    expect(await woo.rows("SELECT invoice_type, total_eur FROM invoice WHERE connection_id = ?")).toEqual([
      { invoice_type: "F1", total_eur: "46.02" },
    ]);
  });
});

describe.skipIf(!hasPayloads)("Magento's own documents, as its module sends them", () => {
  test("become the invoice of their total, and a memo that comes alone rectifies it", async () => {
    const magento = await aNativeShop({ now: () => now }, { magento: magentoOrder });
    await magento.connect({ platform: "magento", statuses: STATUS_PRESETS.magento });
    const order = payloadText("magento2_es_21").replace(/("created_at":\s*")\d{4}-\d\d-\d\d/, "$12026-11-20");
    const sent = { platform: "magento", topic: "order" } as const;
    expect(await magento.deliver(`{"documents":{"order":${order}}}`, sent)).toMatchObject({
      order: { state: "invoiced" },
    });
    const memo = `{"documents":{"creditmemos":[${payloadText("magento2_es_creditmemo")}]}}`;
    expect(await magento.deliver(memo, { platform: "magento", topic: "creditmemo" })).toMatchObject({
      order: { state: "partially_rectified" },
    });
    expect(
      await magento.rows(
        "SELECT invoice_type, total_eur FROM invoice WHERE connection_id = ? ORDER BY rowid",
      ),
    ).toEqual([
      { invoice_type: "F1", total_eur: "48.4" },
      { invoice_type: "R1", total_eur: "-21.78" },
    ]);
  });
});
