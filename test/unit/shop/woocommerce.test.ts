import { describe, expect, test } from "vitest";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { isInTable, pathsOf } from "../../../src/domain/shop/native-paths.ts";
import { NO_TABLES, type ShopTables } from "../../../src/domain/shop/tables.ts";
import { ORDER_PATHS, REFUND_PATHS } from "../../../src/domain/shop/woocommerce/paths.ts";
import { mapOrder } from "../../../src/domain/shop/woocommerce/woocommerce.ts";
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

const told = (order: unknown, refunds?: unknown, tables: ShopTables = NO_TABLES) =>
  mapOrder({ order, ...(refunds === undefined ? {} : { refunds }) }, tables);

describe.skipIf(!hasPayloads)("payloads", () => {
  test("01: coupon in the lines, fee and shipping beside a total that has neither", () => {
    const mapped = told(payload("woo_01"));
    expect(linesText(mapped)).toEqual([
      "890 30+1.2@4 x2",
      "891 0+0@0 x1.5",
      "shipping 123 133+0@0",
      "fee 60 125.5+0@0",
    ]);
    expect(taxTotalTexts(mapped)).toEqual(["4.5: 7.71"]);
    expect(mapped.missing.map(missingText)).toEqual(["tax_rate 890", "tax_rate 891", "tax_rate 123"]);
    expect(orderOf(mapped)).toMatchObject({
      idExternal: "963",
      reference: "963",
      total: "31.2",
      currency: "USD",
      status: "processing",
      orderDate: { instant: Date.parse("2018-04-03T23:05:12Z") },
      updatedAt: Date.parse("2018-04-03T23:05:14Z"),
      paidAt: Date.parse("2018-04-03T23:05:14Z"),
      client: { idExternal: "11", country: "US" },
      delivery: { country: "US", postcode: "00000" },
    });
    expect(orderOf(mapped).discounts.map(discountText)).toEqual(["30$off 31.2 included"]);
    expect(orderOf(mapped).client).not.toHaveProperty("company");
  });

  test("02: gift cards", () => {
    const mapped = told(payload("woo_02"));
    expect(linesText(mapped)).toEqual(["921 18+0@0", "shipping 923 10+0@0"]);
    expect(orderOf(mapped).discounts.map(discountText)).toEqual(["gift_card 20", "gift_card 4"]);
    expect(orderOf(mapped)).toMatchObject({ total: "4", delivery: { country: "BB" } });
    expect(mapped.missing).toEqual([]);
  });

  test("03: refunds by amount only", () => {
    const mapped = told(payload("woo_03"));
    expect(orderOf(mapped).breakdown).toHaveLength(9);
    expect(linesText(mapped)[8]).toBe("shipping 46 54.25+0@0");
    expect(mapped.events.map(eventText)).toEqual(["547 -8.1", "549 -16.2"]);
    expect(orderOf(mapped).events).toEqual(mapped.events);
    expect(mapped.missing).toEqual([]);
  });

  test("04: a refund of more than its money, alone", () => {
    const mapped = told(undefined, payload("woo_04"));
    expect(mapped.order).toBeUndefined();
    expect(mapped.events.map(eventText)).toEqual(["562 -27: 65 -27+0@0 x-1, undefined -7+-0.62@8.86"]);
  });

  test("06: untaxed fees and shipping, cash on delivery, a free line", () => {
    const mapped = told(payload("woo_06"));
    expect(linesText(mapped)).toEqual([
      "411 0+0@7",
      "412 544.5+38.12@7 x33",
      "413 1006.5+70.46@7 x61",
      "shipping 416 58.73+0@0",
      "fee 414 5+0@0",
      "fee 415 5+0@0",
    ]);
    expect(orderOf(mapped)).not.toHaveProperty("paidAt");
    expect(orderOf(mapped).breakdown[3]?.name).toBe("Ground Advantage™");
    expect(taxTotalTexts(mapped)).toEqual(["7: 108.58"]);
    expect(mapped.missing).toEqual([]);
  });

  test("08 and 09: an order with the documents of its refunds", () => {
    const mapped = told(payload("woo_08"), payload("woo_09"));
    expect(mapped.events.map(eventText)).toEqual([
      "562 -27: 65 -27+0@0 x-1",
      "590 -18: 60 -18+0@0 x-1",
      "1025 -117: 59 -31.5+0@0 x-1, 63 -31.5+0@0 x-1, 65 -54+0@0 x-2",
      "1172 -63: 64 -63+0@0 x-2",
    ]);
    expect(mapped.events[0]).toMatchObject({
      type: "refund",
      occurredAt: Date.parse("2019-10-01T19:33:46Z"),
      reason: expect.stringContaining("hamster"),
    });
    expect(orderOf(mapped)).toMatchObject({ total: "1198.5", client: { company: "Empresa Ejemplo SL" } });
    expect(mapped.missing).toEqual([]);
  });

  test("08 with one document: the others by their amount", () => {
    const [, , , first] = payload("woo_09").items();
    const mapped = told(payload("woo_08"), [first?.value]);
    expect(mapped.events.map(eventText)).toEqual([
      "562 -27: 65 -27+0@0 x-1",
      "590 -18",
      "1025 -117",
      "1172 -63",
    ]);
  });

  test("12: a renewal with free shipping", () => {
    expect(linesText(told(payload("woo_12")))).toEqual(["1052 14.5+0@0", "shipping 1053 0+0@0"]);
  });

  test("13: a rate that only the amounts prove", () => {
    const mapped = told(payload("woo_13"));
    expect(linesText(mapped)).toEqual(["315 6+0.45@7.5 x2", "316 12+0.9@7.5", "shipping 317 10+0@0"]);
    expect(taxTotalTexts(mapped)).toEqual(["7.5: 1.35"]);
    expect(orderOf(mapped).breakdown[1]?.name).toBe("Ship Your Idea – Color: Black, Size: M Test");
    expect(orderOf(mapped).client).not.toHaveProperty("idExternal");
    expect(mapped.missing).toEqual([]);
  });

  test("three rates with tax, coupon, shipping, fee for cash on delivery", () => {
    const mapped = told(payload("woo_es"));
    expect(linesText(mapped)).toEqual([
      "1 17.22+0.69@4 x2",
      "2 8.1+0.81@10 x3",
      "3 9.3+1.95@21",
      "shipping 30 4.09+0.86@21",
      "fee 31 2.48+0.52@21",
    ]);
    expect(orderOf(mapped).discounts.map(discountText)).toEqual(["diez 4.23 included"]);
    expect(taxTotalTexts(mapped)).toEqual(["21: 3.33", "10: 0.81", "4: 0.69"]);
    expect(orderOf(mapped).client).toMatchObject({ vatNumber: "B12345674", company: "Empresa Ejemplo SL" });
    expect(mapped.missing).toEqual([]);
  });

  test.each(["01", "02", "03", "06", "08", "12", "13", "es"])("%s: every member is known", (name) => {
    const unknown = [...pathsOf(bare(payload(`woo_${name}`)).value).keys()];
    expect(unknown.filter((path) => !isInTable(path, ORDER_PATHS))).toEqual([]);
  });

  test.each(["04", "09"])("refund %s: every member is known", (name) => {
    const paths = [...pathsOf(bare(payload(`woo_${name}`)).value).keys()];
    const unknown = paths.map((path) => path.replace(/^\[\]\./, ""));
    expect(unknown.filter((path) => !isInTable(path, REFUND_PATHS))).toEqual([]);
  });
});

const TAXED = { id: 1, name: "Vino", product_id: 9, quantity: 1, total: "10.00", total_tax: "2.10" };
const LINE = { ...TAXED, taxes: [{ id: 1, total: "2.1" }] };
const TAX = { rate_id: 1, rate_percent: 21, tax_total: "2.10", shipping_tax_total: "0.00" };
const ORDER = {
  id: 5,
  number: "A-5",
  status: "processing",
  currency: "EUR",
  date_created_gmt: "2026-11-02T09:00:00",
  date_modified_gmt: "2026-11-02T09:05:00",
  total: "12.10",
  total_tax: "2.10",
  line_items: [LINE],
  tax_lines: [TAX],
};
/** A small order with other members, through its text, as it comes. */
const anOrder = (members: object = {}) => parsed(JSON.stringify({ ...ORDER, ...members }));
const factsOf = (members: object, tables: ShopTables = NO_TABLES) =>
  told(anOrder(members), undefined, tables);

describe("what makes an order", () => {
  test("it adds up and lacks nothing", () => {
    const mapped = factsOf({});
    expect(linesText(mapped)).toEqual(["1 10+2.1@21"]);
    expect(mapped).toMatchObject({
      idExternal: "5",
      missing: [],
      updatedAt: Date.parse("2026-11-02T09:05:00Z"),
    });
    expect(orderOf(mapped)).toMatchObject({ reference: "A-5", contractVersion: "1.9", totalTax: "2.1" });
  });

  test.each([
    ["id", { id: null }, ["id"]],
    ["id of nothing", { id: 0 }, ["id"]],
    ["date", { date_created_gmt: null }, ["order_date date_created_gmt"]],
    ["zero date", { date_created_gmt: "0000-00-00 00:00:00" }, ["order_date date_created_gmt"]],
    ["total", { total: undefined }, ["total total"]],
    ["total with a comma", { total: "12,10" }, ["total total"]],
    ["total of another type", { total: {} }, ["total total"]],
    ["currency", { currency: "" }, ["currency currency"]],
    ["currency of nowhere", { currency: "XXX" }, ["currency currency"]],
  ])("without %s there is none", (_, members, missing) => {
    const mapped = factsOf(members);
    expect(mapped.order).toBeUndefined();
    expect(mapped.missing.map(missingText)).toEqual(missing);
  });

  test.each([
    ["no list of lines", { line_items: undefined }, ["lines line_items"]],
    ["a line without its amount", { line_items: [{ ...LINE, total: undefined }] }, ["amount 1"]],
    ["a line with a comma", { line_items: [{ ...LINE, total: "10,00" }] }, ["amount 1"]],
    ["a line without its tax", { line_items: [{ ...LINE, total_tax: null }] }, ["amount 1"]],
    ["a tax without its id", { line_items: [{ ...LINE, taxes: [] }] }, ["tax_rate 1"]],
    ["a coupon with a comma", { coupon_lines: [{ discount: "1,5" }] }, ["amount coupon_lines.0.discount"]],
    ["a country in words", { billing: { country: "Spain" } }, ["country billing.country"]],
    [
      "a rate that no amount proves",
      { tax_lines: [], line_items: [LINE, { ...LINE, id: 2, total: "20" }] },
      ["tax_rate 1", "tax_rate 2"],
    ],
  ])("%s is missing", (_, members, missing) => {
    expect(factsOf(members).missing.map(missingText)).toEqual(missing);
  });

  test("a local time needs the shop's zone", () => {
    const local = { date_created_gmt: null, date_created: "2026-11-02T10:00:00" };
    expect(factsOf(local).missing.map(missingText)).toEqual(["time_zone date_created"]);
    const known = factsOf(local, { timeZone: "Europe/Madrid" });
    expect(orderOf(known).orderDate).toEqual({ instant: Date.parse("2026-11-02T09:00:00Z") });
    expect(known.missing).toEqual([]);
    const paid = { date_paid: "2026-11-02T10:00:00" };
    expect(factsOf(paid).missing).toEqual([]);
    expect(factsOf({ ...paid, currency: "USD" }).missing.map(missingText)).toEqual(["time_zone date_paid"]);
  });
});

describe("rows of the table", () => {
  test("rates of the shop's own table", () => {
    const lines = {
      tax_lines: [],
      line_items: [
        { ...LINE, quantity: 0, total: "0.10", total_tax: "0.03", taxes: [{ id: 1, total: "0.03" }] },
      ],
    };
    expect(linesText(factsOf(lines, { taxRates: { "1": decimal("21") } }))).toEqual(["1 0.1+0.03@21 x0"]);
  });

  test("recargo de equivalencia has its own amounts, and its total the rate", () => {
    const taxes = [
      { id: 1, total: "2.1" },
      { id: 2, total: "0.52" },
    ];
    const mapped = factsOf({
      total: "12.62",
      line_items: [{ ...LINE, total_tax: "2.62", taxes }],
      tax_lines: [TAX, { rate_id: 2, rate_percent: "5.2", tax_total: "0.52", shipping_tax_total: "0" }],
    });
    expect(linesText(mapped)).toEqual(["1 10+2.1@21+0.52@5.2"]);
    expect(taxTotalTexts(mapped)).toEqual(["21: 2.1, 5.2: 0.52"]);
  });

  test("a negative fee is a line, half pieces too", () => {
    const fee = {
      id: 7,
      name: "Descuento",
      total: "-1.00",
      total_tax: "-0.21",
      taxes: [{ id: 1, total: "-0.21" }],
    };
    const mapped = factsOf({ total: "10.89", line_items: [{ ...LINE, quantity: 1.5 }], fee_lines: [fee] });
    expect(linesText(mapped)).toEqual(["1 10+2.1@21 x1.5", "fee 7 -1+-0.21@21"]);
    expect(mapped.missing).toEqual([]);
  });

  test("bundles: each line as it is", () => {
    const child = { ...LINE, id: 2, total: "0.00", total_tax: "0.00", taxes: [], bundled_by: 1 };
    expect(linesText(factsOf({ line_items: [LINE, child] }))).toEqual(["1 10+2.1@21", "2 0+0@0"]);
  });

  test("credit under the owner's keys", () => {
    const meta_data = [{ key: "_credit_used", value: "-5.00" }];
    const mapped = factsOf({ total: "7.10", meta_data }, { creditKeys: ["_credit_used", "other"] });
    expect(orderOf(mapped).discounts.map(discountText)).toEqual(["customer_credit 5"]);
  });

  test.each([
    ["_billing_nif", "B12345674"],
    ["billing_nif", "B12345674"],
    ["_billing_cif", "B12345674"],
    ["_billing_nie", "B12345674"],
    ["_billing_dni", "B12345674"],
    ["_billing_vat", "B12345674"],
    ["_billing_vat_number", "B12345674"],
    ["_vat_number", "B12345674"],
    ["vat_number", "B12345674"],
    ["_billing_eu_vat_number", "B12345674"],
    ["_billing_eu_vat", "B12345674"],
  ])("the NIF in %s", (key, value) => {
    const meta_data = [
      { key: "_billing_eu_vat", value: "N/A" },
      { key, value: " - " },
      { key, value },
    ];
    expect(orderOf(factsOf({ meta_data })).client?.vatNumber).toBe(value);
  });

  test("NIFs by the order of their keys, the owner's first", () => {
    const meta_data = [
      { key: "_billing_eu_vat", value: "ESB12345674" },
      { key: "_billing_nif", value: "B12345674" },
      { key: "mi_nif", value: "12345678Z" },
    ];
    expect(orderOf(factsOf({ meta_data })).client?.vatNumber).toBe("B12345674");
    expect(orderOf(factsOf({ meta_data }, { nifKey: "mi_nif" })).client?.vatNumber).toBe("12345678Z");
    expect(orderOf(factsOf({ customer_id: 0 })).client).toBeUndefined();
  });

  const shipping = { country: "PT", postcode: "1000" };
  test.each([
    ["shipped", [{ method_id: "flat_rate" }], { country: "PT", postcode: "1000" }],
    ["fetched by the customer", [{ method_id: "local_pickup" }], undefined],
    ["fetched at a place", [{ method_id: "pickup_location" }], undefined],
    [
      "in part fetched",
      [{ method_id: "local_pickup" }, { method_id: "free_shipping" }],
      { country: "PT", postcode: "1000" },
    ],
    ["virtual", [], undefined],
  ])("delivery: %s", (_, methods, delivery) => {
    const shipping_lines = methods.map((method) => ({ ...method, total: "0", total_tax: "0", taxes: [] }));
    expect(orderOf(factsOf({ shipping, shipping_lines })).delivery).toEqual(delivery);
  });

  test("a deleted order has the status deleted", () => {
    expect(orderOf(mapOrder({ order: anOrder(), isDeleted: true }, NO_TABLES)).status).toBe("deleted");
    expect(orderOf(factsOf({ status: "wc-on-hold" })).status).toBe("on-hold");
  });

  test("PHP's lists with gaps and empty objects", () => {
    const mapped = factsOf({ line_items: { "3": LINE }, billing: [], shipping: [], meta_data: {} });
    expect(mapped.missing.map(missingText)).toEqual(["lines line_items"]);
    expect(linesText(mapped)).toEqual(["1 10+2.1@21"]);
  });
});

describe("refunds", () => {
  const refundOf = (members: object) => parsed(JSON.stringify([{ id: 70, amount: "12.10", ...members }]));
  const item = (members: object = {}) => ({
    ...LINE,
    id: 71,
    quantity: -1,
    total: "-10.00",
    total_tax: "-2.10",
    taxes: [{ id: 1, total: "-2.1" }],
    ...members,
  });
  const refunded = (members: object, order: object = {}) => {
    const mapped = told(anOrder(order), refundOf(members));
    return [...mapped.events.map(eventText), ...mapped.missing.map(missingText)];
  };

  test.each([
    ["a line of its product", { line_items: [item()] }, ["70 -12.1: 1 -10+-2.1@21 x-1"]],
    [
      "the line that it names",
      { line_items: [item({ product_id: 4, meta_data: [{ key: "_refunded_item_id", value: 1 }] })] },
      ["70 -12.1: 1 -10+-2.1@21 x-1"],
    ],
    [
      "a part without pieces",
      { amount: "6.05", line_items: [item({ quantity: 0, total: "-5", total_tax: "-1.05" })] },
      ["70 -6.05: 1 -5+-1.05@21"],
    ],
    [
      "a product that the order does not have",
      { line_items: [item({ product_id: 4 })] },
      ["70 -12.1: undefined -10+-2.1@21 x-1"],
    ],
    ["lines of nothing", { amount: "1.00", line_items: [item({ total: "0", total_tax: "0" })] }, ["70 -1"]],
    ["no amount and no line", { amount: null }, ["70 undefined", "amount 70"]],
    ["lines without an amount", { amount: "", line_items: [item()] }, ["70 undefined: 1 -10+-2.1@21 x-1"]],
    ["an amount with a comma", { amount: "12,10" }, ["70 0", "amount 70"]],
  ])("%s", (_, members, expected) => {
    expect(refunded(members)).toEqual(expected);
  });

  test("of shipping only, and of a fee", () => {
    const shipping = {
      id: 8,
      method_id: "flat_rate",
      total: "5.00",
      total_tax: "1.05",
      taxes: [{ id: 1, total: "1.05" }],
    };
    const fee = { id: 9, name: "COD", total: "2.00", total_tax: "0.42", taxes: [{ id: 1, total: "0.42" }] };
    const order = { total: "20.57", shipping_lines: [shipping], fee_lines: [fee] };
    const negative = (line: typeof shipping | typeof fee, id: number) => ({
      ...line,
      id,
      total: `-${line.total}`,
      total_tax: `-${line.total_tax}`,
      taxes: [],
    });
    expect(refunded({ amount: "6.05", shipping_lines: [negative(shipping, 80)] }, order)).toEqual([
      "70 -6.05: 8 -5+-1.05@21",
    ]);
    expect(refunded({ amount: "2.42", fee_lines: [negative(fee, 81)] }, order)).toEqual([
      "70 -2.42: 9 -2+-0.42@21",
    ]);
  });

  test("of a line with recargo: rate and tax with the recargo", () => {
    const taxes = [
      { id: 1, total: "2.1" },
      { id: 2, total: "0.52" },
    ];
    const order = {
      total: "12.62",
      line_items: [{ ...LINE, total_tax: "2.62", taxes }],
      tax_lines: [TAX, { rate_id: 2, rate_percent: 5.2 }],
    };
    expect(refunded({ amount: "12.62", line_items: [item({ total_tax: "-2.62" })] }, order)).toEqual([
      "70 -12.62: 1 -10+-2.62@26.2 x-1",
    ]);
  });

  test("one without an id is told", () => {
    expect(told(anOrder(), parsed('[{"amount":"1"}]')).missing.map(missingText)).toEqual(["id 0"]);
  });
});

describe("members that this version does not know", () => {
  test("an order that adds up needs none of them", () => {
    const mapped = factsOf({ store_credit_total: "3.00", loyalty: { points_amount: 5 } });
    expect(orderOf(mapped).unmappedTotals).toEqual([]);
    expect(mapped.missing).toEqual([]);
  });

  test("one that is exactly the difference is an unmapped total", () => {
    const mapped = factsOf({
      total: "15.10",
      deposit_lines: [
        { id: 4, total: "1.00" },
        { id: 5, total: "2.00" },
      ],
    });
    expect(orderOf(mapped).unmappedTotals).toEqual([{ code: "deposit_lines_total", value: "3" }]);
    expect(mapped.missing).toEqual([]);
    const less = factsOf({ total: "9.10", wallet_total: "3.00" });
    expect(orderOf(less).unmappedTotals).toEqual([{ code: "wallet_total", value: "-3" }]);
  });

  test("otherwise they are told", () => {
    const mapped = factsOf({ total: "20.00", wallet_total: "3.00", eco_fee: 4 });
    expect(mapped.missing.map(missingText)).toEqual([
      "unmapped_total wallet_total 3",
      "unmapped_total eco_fee 4",
    ]);
  });
});
