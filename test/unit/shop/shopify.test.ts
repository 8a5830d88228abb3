import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { orderAsSent } from "../../../src/api/wire/order-facts.ts";
import { isInTable, pathsOf } from "../../../src/domain/shop/native-paths.ts";
import { ORDER_PATHS, REFUND_PATHS } from "../../../src/domain/shop/shopify/paths.ts";
import { ORDER_QUERY, REFUND_QUERY } from "../../../src/domain/shop/shopify/query.ts";
import { mapOrder, type ShopifyDocuments } from "../../../src/domain/shop/shopify/shopify.ts";
import { NO_TABLES } from "../../../src/domain/shop/tables.ts";
import {
  bare,
  discountText,
  eventText,
  hasPayloads,
  linesText,
  missingText,
  orderOf,
  parsed,
  payload,
  taxTotalTexts,
} from "../../support/builders/shop-payloads.ts";
import { orderNode, refundNode } from "../../support/builders/shopify-nodes.ts";

const told = (documents: ShopifyDocuments) => mapOrder(documents, NO_TABLES);

describe.skipIf(!hasPayloads)("payloads", () => {
  test("01: tax on top, fulfilled in parts", () => {
    const mapped = told({ order: payload("shopify_01") });
    expect(linesText(mapped)).toEqual(["31108738842916 246+56.58@23 x2", "31108738875684 1500+345@23 x3"]);
    expect(taxTotalTexts(mapped)).toEqual(["23: 401.58"]);
    expect(orderOf(mapped)).toMatchObject({
      idExternal: "100500",
      reference: "#1166X01",
      total: "2147.58",
      currency: "PLN",
      status: "paid",
      test: false,
      tags: ["ttag1", "ttag2"],
      storeId: "73153839000",
      sourceChannel: "shopify_draft_order",
      orderDate: { instant: Date.parse("2024-10-08T12:03:31Z") },
      updatedAt: Date.parse("2024-10-08T12:07:59Z"),
      client: { idExternal: "6670178025000", firstName: "Nombre", country: "PL" },
      delivery: { country: "PL", postcode: "00000" },
    });
    expect(orderOf(mapped)).not.toHaveProperty("paidAt");
    expect(mapped.missing).toEqual([]);
  });

  test("02: two discounts on one line, no address", () => {
    const mapped = told({ order: payload("shopify_02") });
    expect(linesText(mapped)).toEqual([
      "15518907892012 79.9+0@0",
      "15518907924780 85+0@0",
      "shipping 4946484101420 22+0@0",
    ]);
    expect(orderOf(mapped).discounts.map(discountText)).toEqual([
      "0124D 29.1 included",
      "測試discount_type-1 5 included",
    ]);
    expect(orderOf(mapped)).not.toHaveProperty("client");
    expect(orderOf(mapped)).not.toHaveProperty("delivery");
    expect(mapped.missing).toEqual([]);
  });

  test("03: an old refund alone, its money not its lines", () => {
    const mapped = told({ refunds: payload("shopify_03") });
    expect(mapped.idExternal).toBe("450789469");
    expect(mapped.events.map(eventText)).toEqual([
      "509562969 -209: 703073504 -199+-3.98@6 x-1, 466157049 -199+-3.98@6 x-1",
    ]);
    const missing = ["taxes_included 703073504", "taxes_included 466157049"];
    expect(mapped.missing.map(missingText)).toEqual(missing);
    const known = mapOrder({ refunds: payload("shopify_03") }, { taxesIncluded: false });
    expect(known.events).toEqual(mapped.events);
    expect(known.missing).toEqual([]);
  });

  test("05 and 06: tax within and no tax line, refunded in part", () => {
    const mapped = told({ order: payload("shopify_05") });
    expect(linesText(mapped)).toEqual([
      "10069290756 450+0@0 x3",
      "10069290820 0+0@0 x5",
      "shipping 4225324036 20+0@0",
    ]);
    expect(mapped.events.map(eventText)).toEqual(["225207300 -150: 10069290756 -150+0@0 x-1"]);
    expect(orderOf(mapped)).toMatchObject({ test: true, status: "partially_refunded", total: "470" });
    expect(mapped.missing).toEqual([]);
    const alone = told({ refunds: payload("shopify_06") });
    expect(alone.events).toEqual(mapped.events);
    expect(alone.idExternal).toBe("5182437124");
    const both = told({ order: payload("shopify_05"), refunds: [bare(payload("shopify_06")).value] });
    expect(both).toEqual(mapped);
  });

  test("07: a discount that no line has", () => {
    const mapped = told({ order: payload("shopify_07") });
    expect(orderOf(mapped).breakdown.map(({ base }) => base)).toEqual([
      "89.99",
      "19.99",
      "24.99",
      "159.99",
      "119.99",
      "10",
    ]);
    expect(mapped.missing).toEqual([
      { what: "discounts", where: "total_discounts", stated: "20", computed: "0" },
    ]);
    expect(orderOf(mapped).missing).toEqual(mapped.missing);
    expect(orderOf(mapped)).toMatchObject({ status: "cancelled", test: true, total: "404.95" });
  });

  test("08: a refund of an order that nobody knows", () => {
    const mapped = told({ refunds: payload("shopify_08") });
    expect(mapped.order).toBeUndefined();
    expect(mapped.idExternal).toBe("820982911946154500");
    expect(mapped.events).toMatchObject([{ id: "890088186047892400", amount: "-85" }]);
    expect(mapped.events[0]?.lines.map(({ baseDelta }) => baseDelta)).toEqual([
      "-89.99",
      "-19.99",
      "-24.99",
      "-159.99",
      "-119.99",
    ]);
  });

  test.each(["01", "02", "05", "07"])("%s: every member is known", (name) => {
    const unknown = [...pathsOf(bare(payload(`shopify_${name}`)).value).keys()];
    expect(unknown.filter((path) => !isInTable(path, ORDER_PATHS))).toEqual([]);
  });

  test.each(["03", "06", "08"])("refund %s: every member is known", (name) => {
    const unknown = [...pathsOf(bare(payload(`shopify_${name}`)).value).keys()];
    expect(unknown.filter((path) => !isInTable(path, REFUND_PATHS))).toEqual([]);
  });

  test.each(["01", "02", "05", "07"])("%s: the node of our query says the same", (name) => {
    const order = bare(payload(`shopify_${name}`));
    const node = parsed(orderAsSent(orderNode(order)));
    const { order: fromNode, ...mapped } = told({ order: node });
    const { order: fromRest, ...expected } = told({ order });
    expect(mapped).toEqual(expected);
    expect(fromNode).toEqual(fromRest);
  });
});

const TAX_LINE = { title: "IVA", rate: 0.21, price: "2.10" };
const LINE = {
  id: 1,
  name: "Vino",
  product_id: 9,
  quantity: 1,
  price: "10.00",
  requires_shipping: true,
  tax_lines: [TAX_LINE],
  discount_allocations: [],
};
const ORDER = {
  id: 5,
  name: "#5",
  currency: "EUR",
  created_at: "2026-11-02T10:00:00+01:00",
  updated_at: "2026-11-02T10:05:00+01:00",
  financial_status: "paid",
  taxes_included: false,
  total_price: "12.10",
  total_tax: "2.10",
  total_discounts: "0.00",
  line_items: [LINE],
  shipping_lines: [],
  tax_lines: [TAX_LINE],
};
/** The same sale with its tax within the price. */
const INCLUDED = { taxes_included: true, line_items: [{ ...LINE, price: "12.10" }] };
const anOrder = (members: object = {}) => parsed(JSON.stringify({ ...ORDER, ...members }));
const factsOf = (members: object = {}) => told({ order: anOrder(members) });
const withSale = (gateway: string, amount: string, more: object = {}) => ({
  id: 3,
  kind: "sale",
  status: "success",
  gateway,
  amount,
  processed_at: "2026-11-02T11:00:00+01:00",
  ...more,
});

describe("what makes an order", () => {
  test("it adds up and lacks nothing, with tax on top and within", () => {
    for (const members of [{}, INCLUDED]) {
      const mapped = factsOf(members);
      expect(linesText(mapped)).toEqual(["1 10+2.1@21"]);
      expect(taxTotalTexts(mapped)).toEqual(["21: 2.1"]);
      expect(mapped.missing).toEqual([]);
    }
  });

  test.each([
    ["id", { id: null }, ["id"]],
    ["date", { created_at: "" }, ["order_date created_at"]],
    ["total", { total_price: "12,10" }, ["total total_price"]],
    ["currency", { currency: null }, ["currency currency"]],
  ])("without %s there is none", (_, members, missing) => {
    expect(factsOf(members).order).toBeUndefined();
    expect(factsOf(members).missing.map(missingText)).toEqual(missing);
  });

  test.each([
    ["no list of lines", { line_items: null, tax_lines: [] }, ["lines line_items", "tax_lines tax_lines"]],
    ["a price with a comma", { line_items: [{ ...LINE, price: "10,00" }] }, ["amount 1"]],
    ["a line without pieces", { line_items: [{ ...LINE, quantity: null }] }, ["amount 1"]],
    [
      "tax without tax lines",
      { line_items: [{ ...LINE, tax_lines: [] }], tax_lines: [] },
      ["tax_lines tax_lines"],
    ],
    ["whether tax is within", { taxes_included: null }, ["taxes_included taxes_included"]],
    [
      "gift card without transactions",
      { payment_gateway_names: ["gift_card", "stripe"] },
      ["transactions payment_gateway_names"],
    ],
    [
      "store credit without transactions",
      { payment_gateway_names: ["shopify_store_credit"], transactions: [] },
      ["transactions payment_gateway_names"],
    ],
    ["discounts that no line has", { total_discounts: "3.00" }, ["discounts total_discounts 3 / 0"]],
    [
      "a country in words",
      { billing_address: { country_code: "Spain" } },
      ["country billing_address.country_code"],
    ],
  ])("%s", (_, members, missing) => {
    expect(factsOf(members).missing.map(missingText)).toEqual(missing);
  });
});

describe("rows of the table", () => {
  test("shop money, never the customer's", () => {
    const set = (amount: string, foreign: string) => ({
      shop_money: { amount, currency_code: "EUR" },
      presentment_money: { amount: foreign, currency_code: "USD" },
    });
    const line = {
      ...LINE,
      price: "11.00",
      price_set: set("10.00", "11.00"),
      tax_lines: [{ ...TAX_LINE, price: "2.31", price_set: set("2.10", "2.31") }],
    };
    const mapped = factsOf({
      line_items: [line],
      total_price: "13.31",
      total_price_set: set("12.10", "13.31"),
      presentment_currency: "USD",
    });
    expect(linesText(mapped)).toEqual(["1 10+2.1@21"]);
    expect(orderOf(mapped)).toMatchObject({ total: "12.1", currency: "EUR" });
  });

  test("discounts off lines and shipping, by their application; total_discount is not used", () => {
    const allotted = (amount: string, index: number) => ({ amount, discount_application_index: index });
    const mapped = factsOf({
      line_items: [
        { ...LINE, price: "12.00", total_discount: "9.00", discount_allocations: [allotted("2.00", 0)] },
      ],
      shipping_lines: [
        { id: 7, title: "Envío", price: "5.00", discount_allocations: [allotted("5.00", 1)], tax_lines: [] },
        { id: 8, title: "Antes", price: "9.00", is_removed: true, tax_lines: [] },
      ],
      discount_applications: [{ code: "DIEZ" }, { title: "Envío gratis" }],
      total_discounts: "7.00",
    });
    expect(linesText(mapped)).toEqual(["1 10+2.1@21", "shipping 7 0+0@0"]);
    expect(orderOf(mapped).discounts.map(discountText)).toEqual([
      "DIEZ 2 included",
      "Envío gratis 5 included",
    ]);
    expect(mapped.missing).toEqual([]);
  });

  test("a gift card that is sold is a voucher", () => {
    const mapped = factsOf({
      total_price: "50.00",
      total_tax: "0",
      tax_lines: [],
      line_items: [{ ...LINE, price: "50.00", gift_card: true, tax_lines: [] }],
    });
    expect(linesText(mapped)).toEqual(["gift_voucher 1 50+0@0"]);
  });

  test("recargo de equivalencia", () => {
    const surcharge = { title: "Recargo", rate: 0.052, price: "0.52" };
    const tax_lines = [TAX_LINE, surcharge];
    const mapped = factsOf({
      total_price: "12.62",
      total_tax: "2.62",
      line_items: [{ ...LINE, tax_lines }],
      tax_lines,
    });
    expect(linesText(mapped)).toEqual(["1 10+2.1@21+0.52@5.2"]);
    expect(taxTotalTexts(mapped)).toEqual(["21: 2.1, 5.2: 0.52"]);
  });

  test("two taxes of one rate on a line add up", () => {
    const tax_lines = [
      { title: "State", rate: 0.05, price: "0.50" },
      { title: "County", rate: 0.05, price: "0.50" },
    ];
    const mapped = factsOf({
      total_price: "11.00",
      total_tax: "1.00",
      line_items: [{ ...LINE, tax_lines }],
      tax_lines,
    });
    expect(linesText(mapped)).toEqual(["1 10+1@10"]);
    expect(taxTotalTexts(mapped)).toEqual(["10: 1"]);
  });

  test("tip, duties and fees are unmapped totals", () => {
    const set = (amount: string) => ({ shop_money: { amount, currency_code: "EUR" } });
    const mapped = factsOf({
      total_price: "20.10",
      total_tip_received: "1.00",
      original_total_duties_set: set("4.00"),
      original_total_additional_fees_set: set("3.00"),
    });
    expect(orderOf(mapped).unmappedTotals).toEqual([
      { code: "tip", value: "1" },
      { code: "duties", value: "4" },
      { code: "additional_fees", value: "3" },
    ]);
    const included = factsOf({ duties_included: true, original_total_duties_set: set("4.00") });
    expect(orderOf(included).unmappedTotals).toEqual([]);
  });

  test("a tip that is a line too counts once", () => {
    const tip = {
      ...LINE,
      id: 2,
      name: "Tip",
      price: "1.00",
      tax_lines: [],
      tip: { payment_method: "card" },
    };
    for (const total_tip_received of ["1.00", "0.00"]) {
      const mapped = factsOf({ total_price: "13.10", total_tip_received, line_items: [LINE, tip] });
      expect(linesText(mapped)).toEqual(["1 10+2.1@21"]);
      expect(orderOf(mapped).unmappedTotals).toEqual([{ code: "tip", value: "1" }]);
    }
  });

  test("what a gift card or store credit paid comes off the total", () => {
    const transactions = [
      withSale("gift_card", "5.00"),
      withSale("gift_card", "1.00", { status: "failure" }),
      withSale("shopify_store_credit", "2.00", {
        kind: "capture",
        processed_at: "2026-11-02T12:00:00+01:00",
      }),
      withSale("stripe", "5.10", { kind: "authorization", processed_at: "2026-11-03T12:00:00+01:00" }),
    ];
    const mapped = told({ order: anOrder({ payment_gateway_names: ["gift_card"] }), transactions });
    expect(orderOf(mapped).total).toBe("5.1");
    expect(orderOf(mapped).discounts.map(discountText)).toEqual(["gift_card 5", "customer_credit 2"]);
    expect(orderOf(mapped).paidAt).toBe(Date.parse("2026-11-02T11:00:00Z"));
    expect(mapped.missing).toEqual([]);
  });

  test("a gift card's payment in another currency says nothing about the order's", () => {
    const transactions = [withSale("gift_card", "5.00", { currency: "USD" })];
    const mapped = told({ order: anOrder(), transactions });
    expect(orderOf(mapped).total).toBe("12.1");
    expect(mapped.missing.map(missingText)).toEqual(["transactions 3"]);
  });

  test.each([
    [{ financial_status: "PARTIALLY_REFUNDED" }, "partially_refunded"],
    [{ financial_status: "paid", cancelled_at: "2026-11-03T10:00:00+01:00" }, "cancelled"],
  ])("status of %o is %s", (members, status) => {
    expect(orderOf(factsOf(members)).status).toBe(status);
    expect(orderOf(told({ order: anOrder(members), isDeleted: true })).status).toBe("deleted");
  });

  const SPAIN = { country_code: "ES", zip: "35001" };
  test.each([
    ["shipped", {}, { country: "ES", postcode: "35001" }],
    ["virtual", { line_items: [{ ...LINE, requires_shipping: false }] }, undefined],
    ["fetched", { shipping_lines: [{ id: 7, price: "0", delivery_category: "local_pickup" }] }, undefined],
    ["no address", { shipping_address: null }, undefined],
  ])("delivery: %s", (_, members, delivery) => {
    expect(orderOf(factsOf({ shipping_address: SPAIN, ...members })).delivery).toEqual(delivery);
  });

  test("NIF: Shopify's own field, then the names in their order, in any case", () => {
    const note_attributes = [
      { name: "vat", value: "ESB12345674" },
      { name: "Dni", value: "-" },
      { name: "cif", value: "B12345674" },
    ];
    expect(orderOf(factsOf({ note_attributes })).client?.vatNumber).toBe("B12345674");
    const localized_fields = [
      { key: "TAX_CREDENTIAL_BR", value: "1" },
      { key: "TAX_CREDENTIAL_ES", value: "12345678Z" },
    ];
    expect(orderOf(factsOf({ note_attributes, localized_fields })).client?.vatNumber).toBe("12345678Z");
    const own = mapOrder({ order: anOrder({ note_attributes }) }, { nifKey: "VAT" });
    expect(orderOf(own).client?.vatNumber).toBe("ESB12345674");
  });

  test("tags as text and as a list", () => {
    expect(orderOf(factsOf({ tags: " a, b ,,c" })).tags).toEqual(["a", "b", "c"]);
    expect(orderOf(factsOf({ tags: ["a, b", "c"] })).tags).toEqual(["a, b", "c"]);
  });
});

describe("refunds", () => {
  const back = (amount: string, more: object = {}) => ({
    kind: "refund",
    status: "success",
    amount,
    ...more,
  });
  const refundOf = (members: object) => ({
    id: 70,
    order_id: 5,
    created_at: "2026-11-05T10:00:00+01:00",
    refund_line_items: [],
    transactions: [back("12.10")],
    ...members,
  });
  const item = (members: object = {}) => ({
    line_item_id: 1,
    quantity: 1,
    subtotal: "10.00",
    total_tax: "2.10",
    ...members,
  });
  const refunded = (members: object, order: object = {}) => {
    const mapped = told({ order: anOrder({ ...order, refunds: [refundOf(members)] }) });
    return [...mapped.events.map(eventText), ...mapped.missing.map(missingText)];
  };
  const SHIPPED = { shipping_lines: [{ id: 7, price: "5.00", tax_lines: [{ ...TAX_LINE, price: "1.05" }] }] };
  const BOTH_RATES = {
    shipping_lines: [{ id: 7, price: "5.00", tax_lines: [{ title: "IVA", rate: 0.1, price: "0.50" }] }],
  };
  const money = (amount: string) => ({ shop_money: { amount, currency_code: "EUR" } });

  test.each([
    ["tax on top", { refund_line_items: [item()] }, {}, ["70 -12.1: 1 -10+-2.1@21 x-1"]],
    [
      "tax within",
      { refund_line_items: [item({ subtotal: "12.10" })] },
      INCLUDED,
      ["70 -12.1: 1 -10+-2.1@21 x-1"],
    ],
    [
      "sets of money",
      {
        refund_line_items: [
          item({ subtotal: "1", subtotal_set: money("10.00"), total_tax: 9, total_tax_set: money("2.10") }),
        ],
      },
      {},
      ["70 -12.1: 1 -10+-2.1@21 x-1"],
    ],
    [
      "no subtotal",
      { refund_line_items: [{ line_item_id: 1, quantity: 1 }] },
      {},
      ["70 -12.1: 1 -10+-2.1@21 x-1"],
    ],
    [
      "shipping only",
      {
        transactions: [back("6.05")],
        refund_shipping_lines: [
          { shipping_line: { id: 7 }, subtotal_amount_set: money("5.00"), tax_amount_set: money("1.05") },
        ],
      },
      SHIPPED,
      ["70 -6.05: 7 -5+-1.05@21"],
    ],
    [
      "an adjustment of shipping",
      {
        transactions: [back("6.05")],
        order_adjustments: [{ kind: "shipping_refund", amount: "-5.00", tax_amount: "-1.05" }],
      },
      SHIPPED,
      ["70 -6.05: 7 -5+-1.05@21"],
    ],
    [
      "another adjustment at the only rate",
      { order_adjustments: [{ kind: "refund_discrepancy", amount: "-12.10", tax_amount: "0.00" }] },
      {},
      ["70 -12.1: undefined -10+-2.1@21"],
    ],
    [
      "another adjustment at one of two rates",
      { order_adjustments: [{ kind: "refund_discrepancy", amount: "-12.10" }] },
      BOTH_RATES,
      ["70 -12.1"],
    ],
    [
      "less money than the lines",
      {
        transactions: [back("6.05")],
        refund_line_items: [item()],
        order_adjustments: [{ kind: "refund_discrepancy", amount: "6.05" }],
      },
      {},
      ["70 -6.05: 1 -5+-1.05@21 x-1"],
    ],
    [
      "no money yet",
      {
        transactions: [],
        refund_line_items: [item()],
        order_adjustments: [{ kind: "pending_refund_discrepancy", amount: "12.10" }],
      },
      {},
      [],
    ],
    [
      "goods without money",
      { transactions: [], refund_line_items: [item()] },
      {},
      ["70 0: 1 -10+-2.1@21 x-1"],
    ],
    ["money without goods", {}, {}, ["70 -12.1"]],
    [
      "a failed transaction",
      { transactions: [back("12.10", { status: "failure" }), back("2.10")], refund_line_items: [item()] },
      {},
      ["70 -2.1: 1 -10+-2.1@21 x-1"],
    ],
    [
      "no transactions at all",
      { transactions: null, refund_line_items: [item()] },
      {},
      ["70 undefined: 1 -10+-2.1@21 x-1", "transactions 70"],
    ],
    ["nothing", { transactions: [] }, {}, []],
    [
      "an amount with a comma",
      { refund_line_items: [item({ subtotal: "10,00" })] },
      {},
      ["70 -12.1: 1 0+-2.1@21 x-1", "amount 1"],
    ],
    [
      "a line that the order does not have",
      { refund_line_items: [item({ line_item_id: 4 })] },
      {},
      ["70 -12.1: 4 -10+-2.1@21 x-1"],
    ],
  ])("%s", (_, members, order, expected) => {
    expect(refunded(members, order)).toEqual(expected);
  });

  test("part of the pieces of an old version: the tax by the pieces", () => {
    const line = { ...LINE, quantity: 3, tax_lines: [{ ...TAX_LINE, price: "6.30" }] };
    const order = { line_items: [line], total_price: "36.30" };
    expect(
      refunded(
        { transactions: [back("24.20")], refund_line_items: [{ line_item_id: 1, quantity: 2 }] },
        order,
      ),
    ).toEqual(["70 -24.2: 1 -20+-4.2@21 x-2"]);
  });

  test("goods taken off an order before it was paid go back without money", () => {
    const second = { ...LINE, id: 2 };
    const order = anOrder({
      line_items: [LINE, second],
      total_price: "24.20",
      current_total_price: "12.10",
      refunds: [refundOf({ transactions: [], refund_line_items: [item({ line_item_id: 2 })] })],
    });
    const mapped = told({ order, transactions: [withSale("stripe", "12.10")] });
    expect(mapped.events.map(eventText)).toEqual(["70 undefined: 2 -10+-2.1@21 x-1"]);
    const kept = told({ order, transactions: [withSale("stripe", "24.20")] });
    expect(kept.events.map(eventText)).toEqual(["70 0: 2 -10+-2.1@21 x-1"]);
  });

  test("one that comes alone shows by its rate whether tax is within", () => {
    const alone = (members: object) =>
      told({ refunds: [refundOf({ refund_line_items: [item({ line_item: LINE, ...members })] })] });
    expect(alone({}).events.map(eventText)).toEqual(["70 -12.1: 1 -10+-2.1@21 x-1"]);
    expect(alone({ subtotal: "12.10" }).events.map(eventText)).toEqual(["70 -12.1: 1 -10+-2.1@21 x-1"]);
    expect(alone({ subtotal: "12.10" }).missing).toEqual([]);
    expect(alone({ subtotal: "40.00" }).missing.map(missingText)).toEqual(["taxes_included 1"]);
    expect(alone({}).idExternal).toBe("5");
  });

  test("one without an id is told", () => {
    expect(told({ refunds: [{ transactions: [] }] }).missing.map(missingText)).toEqual(["id 0"]);
  });
});

describe("nodes of our queries", () => {
  const rest = (members: object = {}) => parsed(JSON.stringify({ ...ORDER, ...members }));

  test("a refund of lines and shipping says the same", () => {
    const refund = {
      id: 70,
      created_at: "2026-11-05T10:00:00+01:00",
      note: "Roto",
      refund_line_items: [{ line_item_id: 1, quantity: 1, subtotal: "10.00", total_tax: "2.10" }],
      refund_shipping_lines: [{ shipping_line: { id: 7 }, subtotal_amount: "5.00", tax_amount: "1.05" }],
      order_adjustments: [{ kind: "refund_discrepancy", amount: "-0.50" }],
      transactions: [{ id: 8, kind: "refund", status: "success", gateway: "gift_card", amount: "18.65" }],
    };
    const shipping_lines = [
      { id: 7, price: "5.00", tax_lines: [{ title: "IVA", rate: 0.21, price: "1.05" }] },
    ];
    const order = rest({ shipping_lines, total_price: "18.15", refunds: [refund] });
    const expected = told({ order });
    expect(expected.events.map(eventText)).toEqual([
      "70 -18.65: 1 -10+-2.1@21 x-1, 7 -5+-1.05@21, undefined -0.41+-0.09@21",
    ]);
    expect(told({ order: orderNode(order) })).toEqual(expected);
    const alone = { refunds: [refundNode(parsed(JSON.stringify(refund)), "EUR")] };
    expect(told({ ...alone, order: rest({ shipping_lines, total_price: "18.15" }) })).toEqual(expected);
  });

  test.each(["lineItems", "shippingLines", "discountApplications"])(
    "a page of %s that is left out is missing",
    (name) => {
      const node = orderNode(rest());
      const open = { ...node, [name]: { nodes: [], pageInfo: { hasNextPage: true } } };
      expect(told({ order: open }).missing.map(missingText)).toContain(`pages ${name}`);
    },
  );

  test("a refund that was not fetched is missing", () => {
    const node = { ...orderNode(rest()), refunds: [{ id: "gid://shopify/Refund/70" }] };
    expect(told({ order: node }).missing.map(missingText)).toContain("pages 70");
  });

  test("the answer's percent counts before its rate", () => {
    const node = parsed(
      orderAsSent(orderNode(rest())).replaceAll('"ratePercentage":null', '"ratePercentage":21'),
    );
    expect(linesText(told({ order: node }))).toEqual(["1 10+2.1@21"]);
  });

  test("every member that is asked for is read", () => {
    const names = [
      ...`${ORDER_QUERY} ${REFUND_QUERY}`.replace(/\([^)]*\)|\.\.\. on \w+|query \w+/g, " ").matchAll(/\w+/g),
    ];
    const asked = new Set(names.map(([name]) => name));
    const reader = readFileSync("src/domain/shop/shopify/graphql.ts", "utf8");
    const frame = new Set(["order", "refund", "id", "endCursor"]);
    expect(asked.size).toBeGreaterThan(60);
    expect(
      [...asked].filter((name) => !frame.has(name) && !new RegExp(`\\b${name}\\b`).test(reader)),
    ).toEqual([]);
  });
});
