/** Events that come without their order, over HTTP: the stored order with these events. */
import { beforeEach, describe, expect, test } from "vitest";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import {
  call,
  documentsOf,
  everythingIn,
  getOrder,
  type OrderReply,
  orderOf,
  postOrder,
  stateOf,
} from "../support/worlds/http-calls.ts";
import {
  openCommerce,
  aSentOrder as order,
  aSentRefund as refund,
  type SentBody,
} from "../support/worlds/order-calls.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";
import { openGuidedShop } from "../support/worlds/shop-reports.ts";

const REFUND: SentBody = { correction_events: [refund("r1", 10, 2.1, 21)], contract_version: "1.9" };
const SALE = "F2 PED-1S-Y 100/21/121 [21: 100/21]";
const RETURN = "R5 PED-1RS-Y -10/-2.1/-12.1 [21: -10/-2.1]";

let shop: Shop;

beforeEach(async () => {
  shop = await openCommerce();
});

function post(idExternal: string, body: SentBody, query = "", to: Pick<Shop, "key"> = shop) {
  const path = `/api/v1/order/${encodeURIComponent(idExternal)}/events${query}`;
  return call(to, { method: "POST", path, body });
}

/** Without the one of every order here: its invoice is later than its day. */
function warningsOf(reply: OrderReply): string[] {
  const codes = orderOf(reply).warnings.map(({ code }) => code);
  return codes.filter((code) => code !== "issued_late");
}

describe("of an order that is known", () => {
  test("act as if the order had come with them", async () => {
    await postOrder(shop, order("1"));
    const reply = await post("1", REFUND);
    expect([reply.status, stateOf(reply), documentsOf(reply)]).toEqual([
      200,
      "partially_rectified",
      [SALE, RETURN],
    ]);
    expect((await getOrder(shop, "1")).body).toEqual(reply.body);
    await postOrder(shop, order("2"));
    const whole = await postOrder(shop, order("2", { ...REFUND, contract_version: "1.8" }));
    expect(documentsOf(whole)).toEqual(documentsOf(reply));
    await expectBooksConsistent(shop.connectionId);
  });

  test("act once: neither they nor their order sent again change anything", async () => {
    await postOrder(shop, order("1"));
    const first = await post("1", REFUND);
    const before = await everythingIn();
    expect(await post("1", REFUND)).toEqual(first);
    const again = await postOrder(shop, order("1"));
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await everythingIn()).toEqual(before);
  });

  test("in the form of refunds, and not read beside events", async () => {
    await postOrder(shop, order("1"));
    const refunds = [{ id_external: "7", amount: 12.1 }];
    const reply = await post("1", { refunds, contract_version: "1.2" });
    expect(documentsOf(reply)).toEqual([SALE, RETURN]);
    await postOrder(shop, order("2"));
    expect(documentsOf(await post("2", { ...REFUND, refunds }))).toHaveLength(2);
  });

  test("are netted into an invoice that is still to come", async () => {
    const held = await postOrder(shop, order("1", { total: 120 }));
    expect(stateOf(held)).toBe("held totals_mismatch");
    expect(stateOf(await post("1", REFUND))).toBe("held totals_mismatch");
    const reply = await postOrder(shop, order("1"));
    expect(documentsOf(reply)).toEqual(["F2 PED-1S-Y 90/18.9/108.9 [21: 90/18.9]"]);
  });

  test("that cannot act are held with their figures, and the invoice stays", async () => {
    await postOrder(shop, order("1"));
    const reply = await post("1", { correction_events: [refund("r1", 200, 42, 21)] });
    expect([stateOf(reply), documentsOf(reply)]).toEqual(["held over_refund", [SALE]]);
    const other = await post("1", { correction_events: [refund("r1", 100, 21, 21)] });
    expect(stateOf(other)).toBe("rectified");
    const changed = await post("1", { correction_events: [refund("r1", 50, 10.5, 21)] });
    expect(stateOf(changed)).toBe("held correction_event_changed");
  });

  test("a declared version that is older than their field is a warning of that answer alone", async () => {
    await postOrder(shop, order("1"));
    const events = { correction_events: [refund("r1", 10, 2.1, 21)] };
    const reply = await post("1", { ...events, contract_version: "1.0" });
    expect(warningsOf(reply)).toEqual(["field_beyond_contract"]);
    expect(warningsOf(await getOrder(shop, "1"))).toEqual([]);
  });

  test.each([
    ["no declared version", {}],
    ["the version that brought events", { contract_version: "1.9" }],
    ["a later version", { contract_version: "2.0" }],
  ])("%s is no warning", async (_, declared) => {
    await postOrder(shop, order("1", declared));
    const reply = await post("1", { correction_events: [refund("r1", 10, 2.1, 21)], ...declared });
    expect([reply.status, warningsOf(reply)]).toEqual([200, []]);
    expect(warningsOf(await getOrder(shop, "1"))).toEqual([]);
  });

  test("a preview answers the same and keeps nothing", async () => {
    await postOrder(shop, order("1"));
    const before = await everythingIn();
    const preview = await post("1", REFUND, "?preview=true");
    expect([preview.status, stateOf(preview), documentsOf(preview)]).toEqual([
      200,
      "partially_rectified",
      [SALE, RETURN],
    ]);
    expect(await everythingIn()).toEqual(before);
    expect(stateOf(await post("1", REFUND))).toBe("partially_rectified");
  });
});

describe("updated_at", () => {
  const at = (hour: string) => `2026-11-21T${hour}:00:00+01:00`;

  test("older than the stored order: only events that are not known act", async () => {
    const known = { correction_events: [refund("r1", 10, 2.1, 21)], updated_at: at("12") };
    await postOrder(shop, order("1", known));
    const events = [refund("r1", 20, 4.2, 21), refund("r2", 30, 6.3, 21)];
    const reply = await post("1", {
      correction_events: events,
      updated_at: at("11"),
      contract_version: "1.9",
    });
    expect([stateOf(reply), documentsOf(reply).length]).toEqual(["partially_rectified", 2]);
    expect(warningsOf(reply)).toEqual(["stale_payload"]);
  });

  test("newer: an order from between the two is older than what is stored", async () => {
    await postOrder(shop, order("1", { updated_at: at("10") }));
    expect(stateOf(await post("1", { ...REFUND, updated_at: at("12") }))).toBe("partially_rectified");
    const between = await postOrder(shop, order("1", { total: 1, updated_at: at("11") }));
    expect(stateOf(between)).toBe("partially_rectified");
    expect(warningsOf(between)).toEqual(["stale_payload"]);
  });
});

describe("refused", () => {
  test("of an order that is not known: nothing is kept", async () => {
    await postOrder(shop, order("1"));
    const before = await everythingIn();
    for (const query of ["", "?preview=true"]) {
      const reply = await post("2", REFUND, query);
      expect([reply.status, reply.body.error_code, reply.body.retryable]).toEqual([
        404,
        "order_not_found",
        false,
      ]);
    }
    expect(await everythingIn()).toEqual(before);
    expect((await getOrder(shop, "2")).status).toBe(404);
    expect(documentsOf(await postOrder(shop, order("2")))).toHaveLength(1);
  });

  test.each<[string, SentBody]>([
    ["no event", {}],
    ["empty lists", { correction_events: [], refunds: [] }],
    ["an event without its id", { correction_events: [{ event_type: "refund" }] }],
  ])("%s: 422", async (_, body) => {
    await postOrder(shop, order("1"));
    const reply = await post("1", body);
    expect([reply.status, reply.body.error_code]).toEqual([422, "validation_failed"]);
    expect(reply.body.details?.[0]?.path).toMatch(/^correction_events/);
  });

  test("before step 2 of the setup, and from another kind of connection", async () => {
    const early = await post("1", REFUND, "", await openGuidedShop());
    expect([early.status, early.body.error_code]).toEqual([423, "sync_not_ready"]);
    const other = await openShop({ connection: { kind: "accounting" }, consented: false });
    const foreign = await post("1", REFUND, "", other);
    expect([foreign.status, foreign.body.error_code]).toEqual([403, "orders_not_supported_by_connection"]);
  });

  test("of another connection's order", async () => {
    await postOrder(shop, order("1"));
    const stranger = await openCommerce();
    expect((await post("1", REFUND, "", stranger)).status).toBe(404);
    expect(documentsOf(await getOrder(shop, "1"))).toEqual([SALE]);
  });
});
