/** Orders with another rounding in the shop than in the lines, and test orders, over HTTP. */
import { describe, expect, test } from "vitest";
import { decimal } from "../../src/domain/shared/decimal.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { type ShopConsole, shopConsole } from "../support/worlds/console.ts";
import { documentsOf, getOrder, orderOf, postOrder, stateOf } from "../support/worlds/http-calls.ts";
import {
  A_SENT_COMPANY,
  aSentLine as line,
  openCommerce,
  aSentOrder as order,
  aSentRefund as refund,
  type SentBody,
} from "../support/worlds/order-calls.ts";
import { answerOrder } from "../support/worlds/owners.ts";
import { act, ring } from "../support/worlds/shop.ts";

const THREE: SentBody = {
  breakdown: [line(0.83, 0.17, 21), line(0.83, 0.17, 21), line(0.83, 0.17, 21)],
  total: 3.01,
  contract_version: "1.9",
};
const SIX: SentBody = {
  breakdown: [line(27.9276, 5.8648, 21, { quantity: 6 })],
  tax_totals: [{ tax_rate: 21, base_amount: 27.9, tax_amount: 5.86 }],
  total: 33.76,
  contract_version: "1.9",
};
const OF_THREE = "F2 PED-1S-Y 2.49/0.52/3.01 [21: 2.49/0.52]";

describe("what the shop says of its tax", () => {
  test.each<[string, SentBody, string, readonly string[]]>([
    ["a cent of rounding that total_tax confirms", { ...THREE, total_tax: 0.52 }, "invoiced", [OF_THREE]],
    [
      "the same by tax_totals",
      { ...THREE, tax_totals: [{ tax_rate: 21, tax_amount: 0.52 }] },
      "invoiced",
      [OF_THREE],
    ],
    ["six pieces, rounded each for itself", SIX, "invoiced", ["F2 PED-1S-Y 27.9/5.86/33.76 [21: 27.9/5.86]"]],
    ["nothing confirms the cent", THREE, "held totals_mismatch", []],
    [
      "totals that its lines are far from",
      { ...SIX, tax_totals: [{ tax_rate: 21, base_amount: 27.9, tax_amount: 5.91 }] },
      "held totals_mismatch tax_totals_mismatch",
      [],
    ],
  ])("%s", async (_, sent, state, documents) => {
    const shop = await openCommerce();
    const reply = await postOrder(shop, order("1", sent));
    expect([reply.status, stateOf(reply), documentsOf(reply)]).toEqual([201, state, documents]);
    expect((await getOrder(shop, "1")).body).toEqual(reply.body);
    const again = await postOrder(shop, order("1", sent));
    expect([again.status, again.body]).toEqual([200, reply.body]);
    await expectBooksConsistent(shop.connectionId);
  });

  test("a contradiction is reported with both figures, in both languages, and an older contract gets a warning", async () => {
    const shop = await openCommerce();
    const sent = order("1", { contract_version: "1.8", tax_totals: [{ tax_rate: 21, tax_amount: 22 }] });
    const reply = orderOf(await postOrder(shop, sent));
    expect(reply.reasons).toMatchObject([
      {
        code: "tax_totals_mismatch",
        facts: {
          rate: 21,
          stated: { amount: 22, currency: "EUR" },
          computed: { amount: 21, currency: "EUR" },
        },
      },
    ]);
    expect(reply.warnings).toMatchObject([
      { code: "field_beyond_contract", facts: { field: "tax_totals", since: "1.9", declared: "1.8" } },
    ]);
    const spanish = await postOrder(shop, sent, { "Accept-Language": "es" });
    expect(orderOf(spanish).reasons[0]?.message).toContain("totales por tipo: 22,00");
  });

  test("a correction together with a contradiction waits, the invoice untouched, until the shop corrects it", async () => {
    const shop = await openCommerce();
    await postOrder(shop, order("1"));
    const corrected = { correction_events: [refund("r1", 10, 2.1, 21)] };
    const bad = { ...corrected, tax_totals: [{ tax_rate: 21, tax_amount: 25 }] };
    const held = await postOrder(shop, order("1", bad));
    expect([stateOf(held), documentsOf(held).length]).toEqual(["held tax_totals_mismatch", 1]);
    const mended = await postOrder(
      shop,
      order("1", { ...corrected, tax_totals: [{ tax_rate: 21, tax_amount: 21 }] }),
    );
    expect([stateOf(mended), documentsOf(mended).length]).toEqual(["partially_rectified", 2]);
    await expectBooksConsistent(shop.connectionId);
  });

  test("an order that sends its totals only after the invoice is the same sale", async () => {
    const shop = await openCommerce();
    await postOrder(shop, order("1"));
    const later = await postOrder(
      shop,
      order("1", { tax_totals: [{ tax_rate: 21, tax_amount: 21.01 }], contract_version: "1.9" }),
    );
    expect(stateOf(later)).toBe("invoiced");
    expect(orderOf(later).warnings.map(({ code }) => code)).toContain("tax_totals_differ");
  });
});

function answers(shop: ShopConsole, id: string, given: readonly object[], more: object = {}) {
  return shop.owner.post(shop.of("/order/answers"), { order_id: id, answers: given, ...more });
}

describe("the rate that takes a rounding", () => {
  test("is chosen for one order", async () => {
    const shop = await shopConsole();
    await shop.connector.send(order("1", THREE));
    await shop.connector.send(order("2", THREE));
    const wrong = await answers(shop, "1", [{ answer: "rounding", rate: "10" }]);
    expect(wrong).toMatchObject({ status: 422, body: { error_code: "rounding_rate_unknown" } });
    const done = await answers(shop, "1", [{ answer: "rounding", rate: "21" }]);
    expect(done.body.data.state).toBe("invoiced");
    expect(stateOf(await getOrder(shop.shop, "2"))).toBe("held totals_mismatch");
  });

  test("or for all: waiting ones are decided, and more than rounding still waits", async () => {
    const shop = await shopConsole();
    for (const id of ["1", "2"]) await shop.connector.send(order(id, THREE));
    await shop.connector.send(order("3", { ...THREE, total: 3.5 }));
    await shop.connector.send(order("4", { total: 110.01, breakdown: [line(100, 10, 10)] }));
    const done = await answers(shop, "1", [{ answer: "rounding", rate: "21" }], {
      for_all: { answers: [0] },
    });
    expect(done.body.data.state).toBe("invoiced");
    await ring(shop.shop);
    expect(documentsOf(await getOrder(shop.shop, "2"))).toEqual([OF_THREE]);
    for (const id of ["3", "4"]) {
      expect(stateOf(await getOrder(shop.shop, id))).toBe("held totals_mismatch");
    }
    const settings = await shop.owner.get(shop.of("/profiles"));
    expect(settings.body.data.orders.sales).toMatchObject({ roundingRate: "21" });
  });

  test("an impossible rate cannot be declared", async () => {
    const shop = await openCommerce();
    const declared = await act(shop, {
      verb: "declare_sales",
      change: { roundingRate: decimal("100") },
    });
    expect(declared).toMatchObject({ outcome: "refused", refusal: { code: "rounding_rate_invalid" } });
  });
});

describe("an order that tries the shop", () => {
  const trial = (change: SentBody = {}) => order("1", { test: true, contract_version: "1.9", ...change });

  test("is kept, waits for no answer, and is invoiced only when its owner releases it", async () => {
    const shop = await shopConsole();
    await shop.connector.send(trial());
    const kept = await getOrder(shop.shop, "1");
    expect([stateOf(kept), documentsOf(kept)]).toEqual(["stored test_order", []]);
    const count = await shop.owner.get(shop.at("/orders/count", {}));
    expect(count.body.data.states).toMatchObject([{ state: "stored", orders: 1 }]);
    const released = await answers(shop, "1", [{ answer: "release" }]);
    expect(released.body.data.state).toBe("invoiced");
  });

  test("is decided anew when a later payload says that it is a sale, and not when it is invoiced", async () => {
    const shop = await openCommerce();
    expect(stateOf(await postOrder(shop, trial()))).toBe("stored test_order");
    expect(stateOf(await postOrder(shop, trial({ test: false })))).toBe("invoiced");
    const after = await postOrder(shop, trial());
    expect([stateOf(after), documentsOf(after).length]).toEqual(["invoiced", 1]);
  });

  test("comes before cancelled and before orders that ask for nothing", async () => {
    const shop = await openCommerce();
    for (const fiscal_event of ["cancelled", "none"]) {
      expect(stateOf(await postOrder(shop, trial({ fiscal_event })))).toBe("stored test_order");
    }
    const cannot = await answerOrder(shop, "unknown", { answer: "release" });
    expect(cannot).toMatchObject({ outcome: "refused" });
  });
});

test("a first payload that asks for the full invoice gets it", async () => {
  const shop = await openCommerce();
  const sent = order("1", { fiscal_event: "full_invoice_requested", client: A_SENT_COMPANY });
  const reply = await postOrder(shop, sent);
  expect([stateOf(reply), documentsOf(reply)]).toEqual(["invoiced", ["F1 PED-1-Y 100/21/121 [21: 100/21]"]]);
  expect((await postOrder(shop, sent)).body).toEqual(reply.body);
});
