import { describe, expect, test } from "vitest";
import { type MagentoDocuments, mapOrder } from "../../../src/domain/shop/magento/magento.ts";
import { CREDITMEMO_PATHS, ORDER_PATHS } from "../../../src/domain/shop/magento/paths.ts";
import { isInTable, pathsOf } from "../../../src/domain/shop/native-paths.ts";
import { NO_TABLES } from "../../../src/domain/shop/tables.ts";
import {
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

const told = (documents: MagentoDocuments) => mapOrder(documents, NO_TABLES);

describe.skipIf(!hasPayloads)("payloads", () => {
  test("an invoice without its order", () => {
    const mapped = told({ order: payload("magento2_01") });
    expect(mapped.order).toBeUndefined();
    expect(mapped).toMatchObject({ idExternal: "3", missing: [{ what: "order" }] });
  });

  test("the same as an order: a bundle's children and not its parent", () => {
    const { value } = payload("magento2_01");
    const order = { ...(value as object), order_id: null, state: "processing" };
    const mapped = told({ order });
    expect(linesText(mapped)).toEqual([
      "3 22+0@0",
      "4 18+0@0",
      "6 27+0@0",
      "7 5+0@0",
      "8 17+0@0",
      "9 19+0@0",
      "10 52+0@0",
      "shipping shipping 5+0@0",
    ]);
    expect(orderOf(mapped).total).toBe("165");
    expect(mapped.missing).toEqual([]);
  });

  test("magento1_02: amounts as text, half a cent", () => {
    const mapped = told({ order: payload("magento1_02") });
    expect(linesText(mapped)).toEqual(["598 225+18.56@8.25"]);
    expect(orderOf(mapped)).toMatchObject({
      idExternal: "197",
      reference: "145000008",
      total: "243.56",
      currency: "EUR",
      status: "new",
      storeId: "1",
      orderDate: { instant: Date.parse("2017-06-30T12:48:31Z") },
      client: { firstName: "Ana", lastName: "Ejemplo", country: "US", address1: "Calle Ejemplo 1" },
      delivery: { country: "US", postcode: "00000" },
    });
    expect(orderOf(mapped).client).not.toHaveProperty("idExternal");
    expect(orderOf(mapped)).not.toHaveProperty("amountPaid");
    expect(mapped.missing).toEqual([]);
  });

  test("magento1_04: configurable products and their children, untaxed shipping", () => {
    const mapped = told({ order: payload("magento1_04") });
    expect(linesText(mapped)).toEqual([
      "543 120+10.8@9 x2",
      "545 224+20.16@9",
      "shipping shipping 12.31+0@0",
    ]);
    expect(orderOf(mapped)).toMatchObject({ total: "387.27", client: { idExternal: "136" } });
    expect(mapped.missing).toEqual([]);
  });

  test("prices with tax, discount in the rows, a credit memo of one unit", () => {
    const mapped = told({ order: payload("magento2_es_21"), creditmemos: payload("magento2_es_cre") });
    expect(linesText(mapped)).toEqual(["1 36+7.56@21 x2", "shipping shipping 4+0.84@21"]);
    expect(taxTotalTexts(mapped)).toEqual(["21: 8.4"]);
    expect(orderOf(mapped).discounts.map(discountText)).toEqual(["DIEZ 4.84 included"]);
    expect(mapped.events.map(eventText)).toEqual(["1 -21.78: 1 -18+-3.78@21 x-1"]);
    expect(orderOf(mapped)).toMatchObject({
      idExternal: "9005",
      status: "processing",
      client: { vatNumber: "B12345674", company: "Empresa Ejemplo SL" },
    });
    expect(mapped.missing).toEqual([]);
    const alone = told({ creditmemos: [payload("magento2_es_cre").value] });
    expect(alone).toMatchObject({ idExternal: "9005", missing: [] });
    expect(alone.events.map(eventText)).toEqual(mapped.events.map(eventText));
  });

  test.each(["magento1_02", "magento1_04", "magento2_01", "magento2_es_21"])(
    "%s: every member is known",
    (name) => {
      const unknown = [...pathsOf(payload(name).value).keys()];
      expect(unknown.filter((path) => !isInTable(path, ORDER_PATHS))).toEqual([]);
    },
  );

  test("credit memo: every member is known", () => {
    const unknown = [...pathsOf(payload("magento2_es_cre").value).keys()];
    expect(unknown.filter((path) => !isInTable(path, CREDITMEMO_PATHS))).toEqual([]);
  });
});

const ITEM = {
  item_id: 1,
  product_id: 9,
  name: "Vino",
  qty_ordered: 1,
  row_total: 10,
  tax_percent: 21,
  tax_amount: 2.1,
  discount_amount: 0,
};
const TAX = { code: "IVA", percent: 21, amount: 2.1 };
const ORDER = {
  entity_id: 5,
  increment_id: "0005",
  state: "processing",
  order_currency_code: "EUR",
  created_at: "2026-11-02 09:00:00",
  updated_at: "2026-11-02 09:05:00",
  grand_total: 12.1,
  tax_amount: 2.1,
  items: [ITEM],
  extension_attributes: { applied_taxes: [TAX] },
};
const anOrder = (members: object = {}) => parsed(JSON.stringify({ ...ORDER, ...members }));
const factsOf = (members: object = {}) => told({ order: anOrder(members) });

describe("what makes an order", () => {
  test("it adds up and lacks nothing", () => {
    const mapped = factsOf();
    expect(linesText(mapped)).toEqual(["1 10+2.1@21"]);
    expect(taxTotalTexts(mapped)).toEqual(["21: 2.1"]);
    expect(mapped).toMatchObject({
      idExternal: "5",
      missing: [],
      updatedAt: Date.parse("2026-11-02T09:05:00Z"),
    });
  });

  test.each([
    ["id", { entity_id: null }, ["id"]],
    ["date", { created_at: "0000-00-00 00:00:00" }, ["order_date created_at"]],
    ["total", { grand_total: "12,10" }, ["total grand_total"]],
    ["currency", { order_currency_code: null, base_currency_code: "EUR" }, ["currency order_currency_code"]],
  ])("without %s there is none", (_, members, missing) => {
    expect(factsOf(members).order).toBeUndefined();
    expect(factsOf(members).missing.map(missingText)).toEqual(missing);
  });

  test.each([
    ["no list of items", { items: null }, ["lines items"]],
    ["a row with a comma", { items: [{ ...ITEM, row_total: "10,00" }] }, ["amount 1"]],
    [
      "a tax without percent that nothing proves",
      { items: [{ ...ITEM, row_total: 0, tax_percent: null }], extension_attributes: [] },
      ["tax_rate 1"],
    ],
    [
      "a country in words",
      { billing_address: { country_id: "Spain" } },
      ["country billing_address.country_id"],
    ],
  ])("%s is missing", (_, members, missing) => {
    expect(factsOf(members).missing.map(missingText)).toEqual(missing);
  });
});

describe("rows of the table", () => {
  test("the order's currency, never the base", () => {
    const items = [{ ...ITEM, base_row_total: 11, base_tax_amount: 2.31 }];
    const mapped = factsOf({ items, base_grand_total: 13.31, base_currency_code: "USD" });
    expect(linesText(mapped)).toEqual(["1 10+2.1@21"]);
    expect(orderOf(mapped)).toMatchObject({ total: "12.1", currency: "EUR" });
  });

  test.each([
    [
      "a parent with children at nothing",
      { row_total: 10 },
      { row_total: 0, tax_amount: 0 },
      ["1 10+2.1@21"],
    ],
    ["a parent without a row total", { row_total: null }, { row_total: 10 }, ["2 10+2.1@21"]],
    ["a parent that repeats its children", { row_total: 10 }, { row_total: 10 }, ["2 10+2.1@21"]],
  ])("%s", (_, parent, child, lines) => {
    const items = [
      { ...ITEM, ...parent },
      { ...ITEM, item_id: 2, parent_item_id: 1, ...child },
    ];
    expect(linesText(factsOf({ items }))).toEqual(lines);
  });

  test("a free item stays", () => {
    const free = { ...ITEM, item_id: 2, row_total: 0, tax_amount: 0, tax_percent: 0 };
    expect(linesText(factsOf({ items: [ITEM, free] }))).toEqual(["1 10+2.1@21", "2 0+0@0"]);
  });

  const shipping = (members: object) => ({
    shipping_amount: 5,
    shipping_tax_amount: 1.05,
    grand_total: 18.15,
    ...members,
  });
  test.each([
    [
      "the order's only rate that makes its tax",
      shipping({}),
      ["1 10+2.1@21", "shipping shipping 5+1.05@21"],
    ],
    [
      "as applied",
      shipping({
        shipping_tax_amount: 0.5,
        extension_attributes: {
          applied_taxes: [TAX],
          item_applied_taxes: [
            { type: "shipping", applied_taxes: [{ code: "RED", percent: 10, amount: 0.5 }] },
          ],
        },
      }),
      ["1 10+2.1@21", "shipping shipping 5+0.5@10"],
    ],
    [
      "proven by its amounts",
      shipping({ shipping_tax_amount: 0.5 }),
      ["1 10+2.1@21", "shipping shipping 5+0.5@10"],
    ],
    ["untaxed", shipping({ shipping_tax_amount: 0 }), ["1 10+2.1@21", "shipping shipping 5+0@0"]],
    [
      "with its discount",
      shipping({
        shipping_amount: 8.26,
        shipping_discount_amount: 4,
        shipping_discount_tax_compensation_amount: 0.74,
      }),
      ["1 10+2.1@21", "shipping shipping 5+1.05@21"],
    ],
    ["none", shipping({ shipping_amount: 0, shipping_tax_amount: 0 }), ["1 10+2.1@21"]],
  ])("shipping: %s", (_, members, lines) => {
    expect(linesText(factsOf(members))).toEqual(lines);
  });

  const SURCHARGE = { code: "RE", percent: 5.2, amount: 0.52 };
  test.each([
    ["applied to the item", [{ type: "product", item_id: 1, applied_taxes: [TAX, SURCHARGE] }]],
    ["in one percent", []],
  ])("recargo de equivalencia %s", (_, item_applied_taxes) => {
    const mapped = factsOf({
      grand_total: 12.62,
      items: [{ ...ITEM, tax_percent: 26.2, tax_amount: 2.62 }],
      extension_attributes: { applied_taxes: [TAX, SURCHARGE], item_applied_taxes },
    });
    expect(linesText(mapped)).toEqual(["1 10+2.1@21+0.52@5.2"]);
    expect(taxTotalTexts(mapped)).toEqual(["21: 2.1, 5.2: 0.52"]);
  });

  test.each([["top level"], ["extension_attributes"]])("what paid before the money: %s", (place) => {
    const paid = { gift_cards_amount: 3, customer_balance_amount: -2, reward_currency_amount: "1.0000" };
    const members =
      place === "top level" ? paid : { extension_attributes: { applied_taxes: [TAX], ...paid } };
    const mapped = factsOf({ ...members, grand_total: 6.1, total_paid: 6.1 });
    expect(orderOf(mapped).discounts.map(discountText)).toEqual([
      "gift_card 3",
      "customer_credit 2",
      "loyalty 1",
    ]);
    expect(orderOf(mapped)).toMatchObject({ total: "6.1", amountPaid: "12.1" });
  });

  test("gift wrapping and fixed product taxes are unmapped totals", () => {
    const items = [{ ...ITEM, weee_tax_applied_row_amount: 0.5 }];
    const mapped = factsOf({ items, gw_price: 2, gw_tax_amount: 0.42, grand_total: 15.02 });
    expect(orderOf(mapped).unmappedTotals).toEqual([
      { code: "gw_price", value: "2.42" },
      { code: "weee_tax_applied_row_amount", value: "0.5" },
    ]);
    expect(mapped.missing).toEqual([]);
  });

  test("a surcharge of a module, with its tax and in the base currency", () => {
    const fee = { cod_fee: 2, base_cod_fee: 2, cod_tax_amount: 0.42, base_cod_tax_amount: 0.42 };
    expect(orderOf(factsOf({ ...fee, grand_total: 14.52 })).unmappedTotals).toEqual([
      { code: "cod_fee", value: "2.42" },
    ]);
    expect(orderOf(factsOf(fee)).unmappedTotals).toEqual([]);
  });

  test("NIF of the customer, then of the address", () => {
    const billing_address = { vat_id: "B12345674", street: ["Calle 1", "", "2.º"] };
    expect(orderOf(factsOf({ billing_address })).client).toMatchObject({
      vatNumber: "B12345674",
      address1: "Calle 1, 2.º",
    });
    expect(orderOf(factsOf({ billing_address, customer_taxvat: "12345678Z" })).client?.vatNumber).toBe(
      "12345678Z",
    );
    expect(orderOf(factsOf({ customer_id: 7, customer_is_guest: 1 })).client).toBeUndefined();
  });

  const assigned = (method: string) => ({
    extension_attributes: {
      shipping_assignments: [{ shipping: { method, address: { country_id: "PT", postcode: "1000" } } }],
    },
  });
  test.each([
    ["shipped", assigned("flatrate_flatrate"), { country: "PT", postcode: "1000" }],
    ["fetched", assigned("instore_pickup"), undefined],
    ["virtual", { ...assigned("flatrate_flatrate"), is_virtual: 1 }, undefined],
    ["no address", {}, undefined],
  ])("delivery: %s", (_, members, delivery) => {
    expect(orderOf(factsOf(members)).delivery).toEqual(delivery);
  });

  test("a deleted order, and one without a state", () => {
    expect(orderOf(told({ order: anOrder(), isDeleted: true })).status).toBe("deleted");
    expect(orderOf(factsOf({ state: null, status: "processing" })).status).toBe("processing");
  });
});

describe("credit memos", () => {
  const memoOf = (members: object) => ({
    entity_id: 70,
    order_id: 5,
    created_at: "2026-11-05 10:00:00",
    grand_total: 12.1,
    items: [],
    ...members,
  });
  const item = { order_item_id: 1, qty: 1, row_total: 10, tax_amount: 2.1 };
  const refunded = (members: object, order: object = {}) => {
    const mapped = told({ order: anOrder(order), creditmemos: { items: [memoOf(members)] } });
    return [...mapped.events.map(eventText), ...mapped.missing.map(missingText)];
  };
  const SHIPPED = { shipping_amount: 5, shipping_tax_amount: 1.05, grand_total: 18.15 };

  test.each([
    ["an item", { items: [item] }, {}, ["70 -12.1: 1 -10+-2.1@21 x-1"]],
    ["items of nothing", { grand_total: 0, items: [{ ...item, row_total: 0, tax_amount: 0 }] }, {}, []],
    [
      "shipping only",
      { grand_total: 6.05, shipping_amount: 5, shipping_tax_amount: 1.05 },
      SHIPPED,
      ["70 -6.05: shipping -5+-1.05@21"],
    ],
    [
      "shipping with its discount",
      {
        grand_total: 6.05,
        shipping_amount: 8.26,
        discount_amount: -4,
        shipping_discount_tax_compensation_amount: 0.74,
        shipping_tax_amount: 1.05,
      },
      SHIPPED,
      ["70 -6.05: shipping -5+-1.05@21"],
    ],
    [
      "more money at the only rate",
      { grand_total: 12.1, adjustment_positive: 12.1 },
      {},
      ["70 -12.1: undefined -10+-2.1@21"],
    ],
    [
      "more money at one of two rates",
      { adjustment_positive: 12.1 },
      { ...SHIPPED, shipping_tax_amount: 0 },
      ["70 -12.1"],
    ],
    [
      "a fee that is kept",
      { grand_total: 6.05, adjustment_negative: 6.05, items: [item] },
      {},
      ["70 -6.05: 1 -5+-1.05@21 x-1"],
    ],
    [
      "money that went back to a gift card",
      { grand_total: 2.1, gift_cards_amount: 10, items: [item] },
      {},
      ["70 -12.1: 1 -10+-2.1@21 x-1"],
    ],
    [
      "an amount with a comma",
      { grand_total: "12,10", items: [item] },
      {},
      ["70 0: 1 -10+-2.1@21 x-1", "amount 70"],
    ],
  ])("%s", (_, members, order, expected) => {
    expect(refunded(members, order)).toEqual(expected);
  });

  test("of a line with recargo: rate and tax with the recargo", () => {
    const order = {
      grand_total: 12.62,
      items: [{ ...ITEM, tax_percent: 26.2, tax_amount: 2.62 }],
      extension_attributes: { applied_taxes: [TAX, { code: "RE", percent: 5.2, amount: 0.52 }] },
    };
    expect(refunded({ grand_total: 12.62, items: [{ ...item, tax_amount: 2.62 }] }, order)).toEqual([
      "70 -12.62: 1 -10+-2.62@26.2 x-1",
    ]);
  });

  test("one without an id is told", () => {
    expect(told({ creditmemos: [{ grand_total: 1 }] }).missing.map(missingText)).toEqual(["id 0"]);
  });
});
