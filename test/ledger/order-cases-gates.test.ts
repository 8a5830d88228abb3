/**
 * Orders: the allowed senders and times, the owner of an order, the traces of a preview, and the recorded
 * payloads.
 */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { rateStore } from "../../src/db/rates/rate-store.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import minimal from "../golden/orders/1.0.json";
import withRefunds from "../golden/orders/1.2.json";
import withEvents from "../golden/orders/1.3.json";
import withTags from "../golden/orders/1.4.json";
import withTotals from "../golden/orders/1.5.json";
import withKinds from "../golden/orders/1.8.json";
import withTaxTotals from "../golden/orders/1.9.json";
import {
  call,
  declare,
  documentsOf,
  everythingIn,
  getOrder,
  orderOf,
  postOrder,
  previewOrder,
  stateOf,
} from "../support/worlds/http-calls.ts";
import {
  openCommerce,
  aSentOrder as order,
  aSentRefund as refund,
  type SentBody,
} from "../support/worlds/order-calls.ts";
import { consent } from "../support/worlds/owners.ts";
import { openShop, ring } from "../support/worlds/shop.ts";
import { completeSetup, openGuidedShop } from "../support/worlds/shop-reports.ts";

const ALTERED = /.$/;

describe("gates", () => {
  test("423 until step 2 is done, in its exact shape; then the same order is taken", async () => {
    const shop = await openGuidedShop({ consented: true });
    const stores = { stores: [{ id: "1" }] };
    for (const inventory of [false, true]) {
      if (inventory) await call(shop, { method: "POST", path: "/v1/inventory", body: stores });
      const locked = await postOrder(shop, order("1"), { "X-Request-Id": "r1" });
      expect(locked).toEqual({
        status: 423,
        body: {
          success: false,
          error: expect.stringMatching(/^.+\.$/),
          error_code: "sync_not_ready",
          retryable: true,
          request_id: "r1",
        },
      });
    }
    await completeSetup(shop, { userId: "owner", storeIds: "all" });
    expect((await getOrder(shop, "1")).status).toBe(404);
    const taken = await postOrder(shop, order("1"));
    expect([taken.status, stateOf(taken)]).toEqual([201, "invoiced"]);
  });

  test("403 for connections that take no orders, to submit and to read", async () => {
    const shop = await openShop({ connection: { kind: "accounting" }, consented: false });
    for (const reply of [
      await postOrder(shop, order("1")),
      await previewOrder(shop, order("1")),
      await getOrder(shop, "1"),
    ]) {
      expect(reply).toMatchObject({
        status: 403,
        body: { success: false, error_code: "orders_not_supported_by_connection", retryable: false },
      });
    }
  });

  test("401 for a key that is missing, altered or of another connection", async () => {
    const [shop, other] = [await openCommerce(), await openCommerce()];
    const altered = shop.key.replace(ALTERED, (last) => (last === "0" ? "1" : "0"));
    const mixed = other.key.replace(other.connectionId, shop.connectionId);
    for (const key of ["", "ck_live_x", altered, mixed]) {
      const reply = await postOrder({ key }, order("1"));
      expect(reply).toMatchObject({ status: 401, body: { error_code: "unauthorized" } });
    }
    expect((await getOrder(shop, "1")).status).toBe(404);
  });

  test("an API connection takes orders too, and is never gated", async () => {
    const reply = await postOrder(await openShop(), order("1"));
    expect([reply.status, stateOf(reply)]).toEqual([201, "invoiced"]);
  });

  test("without consent orders wait, never a 409; with it those from the cutoff on are decided", async () => {
    const shop = await openCommerce({ consented: false });
    const bodies = [
      order("old", { order_date: "2026-05-01 10:00:00" }),
      order("late", { order_date: "2026-11-02 10:00:00" }),
      order("early", { order_date: "2026-11-01 00:00:00" }),
      order("none", { fiscal_event: "none" }),
    ];
    for (const body of bodies) {
      const reply = await postOrder(shop, body);
      const told = body.id_external === "none" ? "stored not_a_candidate" : "deferred deferred";
      expect([reply.status, stateOf(reply)]).toEqual([201, told]);
    }
    await consent(shop, "2026-11-01");
    await ring(shop);
    const told = async (id: string) => {
      const reply = await getOrder(shop, id);
      const numbers = orderOf(reply).invoices.map(({ number }) => number);
      return [stateOf(reply), ...numbers].join(" ");
    };
    expect(await Promise.all(["old", "late", "early", "none"].map(told))).toEqual([
      "before_cutoff before_cutoff",
      "invoiced 2",
      "invoiced 1",
      "stored not_a_candidate",
    ]);
    const corrected = await postOrder(shop, { ...bodies[0], correction_events: [refund("r", 10, 2.1, 21)] });
    expect(orderOf(corrected).warnings).toMatchObject([{ code: "rectify_in_previous_system" }]);
  });
});

describe("the owner of an order", () => {
  test("one id on two connections is two orders, in one account and in two", async () => {
    const shop = await openCommerce();
    const sister = await openCommerce({ accountId: shop.accountId });
    const stranger = await openCommerce({ ledger: "001" });
    const replies = [];
    for (const each of [shop, sister, stranger]) replies.push(await postOrder(each, order("1")));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    const series = replies.map((reply) => orderOf(reply).invoices[0]?.series.replace(/20\d\d/, "Y"));
    expect(series).toEqual(["PED-1S-Y", "PED-2S-Y", "PED-1S-Y"]);
    await postOrder(sister, order("1", { fiscal_event: "cancelled" }));
    expect(stateOf(await getOrder(sister, "1"))).toBe("rectified");
    expect((await getOrder(shop, "1")).body).toEqual(replies[0]?.body);
    expect((await getOrder(stranger, "1")).body).toEqual(replies[2]?.body);
  });

  test("an id is compared exactly, and read back with any characters", async () => {
    const shop = await openCommerce();
    const ids = ["a", "A", "a/b", "a b", "ñ", "100%", "gid://shop/Order/1?x=#y", "😀", "..a", "007", "7"];
    for (const id of ids) expect((await postOrder(shop, order(id))).status).toBe(201);
    for (const id of ids) expect(orderOf(await getOrder(shop, id)).id_external).toBe(id);
    expect(await getOrder(shop, "b")).toMatchObject({ status: 404, body: { error_code: "order_not_found" } });
  });
});

describe("a preview", () => {
  test("shows the decision, and leaves every row of the ledger as it was", async () => {
    const shop = await openCommerce();
    await postOrder(shop, order("known"));
    const before = await everythingIn();
    const first = await previewOrder(shop, order("1"));
    expect([first.status, stateOf(first), documentsOf(first)]).toEqual([
      200,
      "invoiced",
      ["F2 PED-1S-Y 100/21/121 [21: 100/21]"],
    ]);
    expect(orderOf(first)).toMatchObject({ preview: true, invoices: [{ number: null, full_number: null }] });
    const refunded = order("known", { correction_events: [refund("r1", 10, 2.1, 21)] });
    expect(stateOf(await previewOrder(shop, refunded))).toBe("partially_rectified");
    expect(stateOf(await previewOrder(shop, order("2", { total: 1 })))).toBe("held totals_mismatch");
    expect(stateOf(await previewOrder(shop, order("known", { total: 1 })))).toBe(
      "held changed_after_invoice",
    );
    expect(await everythingIn()).toEqual(before);
    expect(Object.keys(before)).toContain("shop_order");
    expect((await getOrder(shop, "1")).status).toBe(404);
    expect(orderOf(await postOrder(shop, order("1"))).invoices[0]?.number).toBe(2);
  });

  test.each(["1", "yes", "TRUE", ""])("is asked for by true alone, not by %j", async (text) => {
    const shop = await openCommerce();
    const before = await everythingIn();
    const reply = await call(shop, {
      method: "POST",
      path: `/api/v1/order?preview=${text}`,
      body: order("1"),
    });
    expect(reply).toMatchObject({ status: 422, body: { error_code: "validation_failed" } });
    expect(await everythingIn()).toEqual(before);
  });
});

const GOLDEN: Readonly<Record<string, SentBody>> = {
  "1.0": minimal.payload,
  "1.2": withRefunds.payload,
  "1.3": withEvents.payload,
  "1.4": withTags.payload,
  "1.5": withTotals.payload,
  "1.8": withKinds.payload,
  "1.9": withTaxTotals.payload,
};
const TOLD: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  "1.0": ["invoiced", ["F2 PED-1S-Y 104.17/21.88/126.05 [21: 104.17/21.88]"]],
  "1.2": ["stored not_a_candidate", []],
  // Refunds before the invoice are netted into it.
  "1.3": ["invoiced", ["F2 PED-1S-Y 175/25.75/200.75 [21: 75/15.75, 10: 100/10]"]],
  "1.4": ["cancelled cancelled_before_invoice", []],
  "1.5": ["held untreated_total untreated_total exchange_rate_unavailable", []],
  // Its event of type void says that there was no sale.
  "1.8": ["cancelled cancelled_before_invoice", []],
  "1.9": ["invoiced", ["F1 PED-1-Y 108.65/21.37/5.2/135.22 [21: 100/21.01+5.2, 4: 8.65/0.36]"]],
};

describe("the recorded payloads of every contract", () => {
  test.each(Object.entries(TOLD))("%s: %s", async (version, [state, documents]) => {
    const shop = await openCommerce();
    await rateStore(env.LEDGER_000).add([
      { day: civilDate("2026-08-12"), currency: "USD", rate: decimal("1.1") },
    ]);
    const payload = GOLDEN[version] ?? {};
    const reply = await postOrder(shop, payload);
    expect([reply.status, stateOf(reply), documentsOf(reply)]).toEqual([201, state, documents]);
    const again = await postOrder(shop, payload);
    expect([again.status, again.body]).toEqual([200, reply.body]);
    expect((await getOrder(shop, orderOf(reply).id_external)).body).toEqual(reply.body);
  });
});

test("owners' declarations hold from the next order on", async () => {
  const shop = await openCommerce();
  const cod = { unmapped_totals: [{ code: "COD", value: 3.63 }], total: 124.63 };
  expect(stateOf(await postOrder(shop, order("1", cod)))).toBe("held untreated_total");
  const treatments = { cod: { as: "fee", rate: decimal("21") } } as const;
  await declare(shop, { verb: "declare_sales", change: { treatments } });
  expect(stateOf(await postOrder(shop, order("2", cod)))).toBe("invoiced");
  await ring(shop);
  expect(documentsOf(await getOrder(shop, "1"))).toEqual(["F2 PED-1S-Y 103/21.63/124.63 [21: 103/21.63]"]);
});
