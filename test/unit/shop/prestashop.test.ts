import { describe, expect, test } from "vitest";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { isInTable, pathsOf } from "../../../src/domain/shop/native-paths.ts";
import { ORDER_PATHS } from "../../../src/domain/shop/prestashop/paths.ts";
import { mapOrder, type PrestashopDocuments } from "../../../src/domain/shop/prestashop/prestashop.ts";
import { readXml } from "../../../src/domain/shop/prestashop/xml.ts";
import type { ShopTables } from "../../../src/domain/shop/tables.ts";
import {
  discountText,
  eventText,
  hasPayloads,
  linesText,
  missingText,
  orderOf,
  payload,
  payloadText,
} from "../../support/builders/shop-payloads.ts";

const TABLES: ShopTables = {
  timeZone: "Europe/Madrid",
  currencies: { "1": "EUR" },
  countries: { "6": "ES" },
  taxRates: { "1": decimal("21"), "2": decimal("10"), "3": decimal("5.2") },
};
const told = (documents: PrestashopDocuments, tables = TABLES) => mapOrder(documents, tables);
const documentsOf = (name: string) => payload(name).value as PrestashopDocuments;

const orderOfXml = (text: string) => readXml(text.trim())?.order;

describe.skipIf(!hasPayloads)("payloads", () => {
  test("01: XML, zero dates, ids for currency and country", () => {
    const mapped = told({ order: orderOfXml(payloadText("prestashop_01")) });
    expect(linesText(mapped)).toEqual(["13 16.51+0@0", "14 27+0@0", "15 26+0@0", "shipping shipping 2+0@0"]);
    expect(orderOf(mapped)).toMatchObject({
      idExternal: "5",
      reference: "KHWLILZLL",
      total: "71.51",
      amountPaid: "0",
      currency: "EUR",
      status: "10",
      storeId: "1",
      orderDate: { instant: Date.parse("2019-01-30T00:02:12Z") },
    });
    expect(mapped.missing).toEqual([]);
  });

  test("02: a module's export is no order", () => {
    expect(told({}).order).toBeUndefined();
    expect(told({}).missing).toEqual([{ what: "order" }]);
  });

  test("03: rows in six decimals, a currency that no table has", () => {
    const documents = documentsOf("prestashop_03");
    expect(told(documents).missing.map(missingText)).toEqual(["currency id_currency"]);
    const mapped = told(documents, { ...TABLES, currencies: { "3": "XOF" } });
    const lines = orderOf(mapped).breakdown;
    expect(linesText(mapped)).toEqual([
      "165 6282.051279+1067.948718@17 x3",
      "166 29905.982906+5084.017094@17",
    ]);
    expect(lines.map(({ base }) => Number(base)).reduce((a, b) => a + b)).toBeCloseTo(36188.034185, 6);
    expect(orderOf(mapped)).toMatchObject({ total: "42340", currency: "XOF", status: "0" });
    expect(mapped.missing).toEqual([]);
  });

  test("es: a voucher over two rates, shipping, dni", () => {
    const mapped = told(documentsOf("prestashop_es"));
    expect(linesText(mapped)).toEqual(["1 20+4.2@21 x2", "2 5+0.5@10", "shipping shipping 4+0.84@21"]);
    expect(orderOf(mapped).discounts.map(discountText)).toEqual(["DIEZ 2.97"]);
    expect(orderOf(mapped)).toMatchObject({
      total: "31.57",
      amountPaid: "31.57",
      client: { vatNumber: "12345678Z", firstName: "Ana", country: "ES", idExternal: "9" },
      orderDate: { instant: Date.parse("2026-11-02T12:00:00Z") },
      updatedAt: Date.parse("2026-11-02T12:00:10Z"),
    });
    expect(mapped.missing).toEqual([]);
  });

  test.each(["03", "es"])("%s: every member is known", (name) => {
    const unknown = [...pathsOf(payload(`prestashop_${name}`).at("order").value).keys()];
    expect(unknown.filter((path) => !isInTable(path, ORDER_PATHS))).toEqual([]);
  });

  test("01: every member is known", () => {
    const unknown = [...pathsOf(orderOfXml(payloadText("prestashop_01"))).keys()];
    expect(unknown.filter((path) => !isInTable(path, ORDER_PATHS))).toEqual([]);
  });
});

const ROW = {
  id: "1",
  product_id: "5",
  product_quantity: "1",
  product_name: "Vino",
  unit_price_tax_excl: "10.000000",
  unit_price_tax_incl: "12.100000",
};
const ORDER = {
  id: 5,
  id_currency: "1",
  current_state: "2",
  date_add: "2026-11-02 10:00:00",
  total_paid_tax_incl: "12.100000",
  associations: { order_rows: [ROW] },
};
const factsOf = (members: object = {}, documents: object = {}, tables = TABLES) =>
  told({ order: { ...ORDER, ...members }, ...documents }, tables);
const rowsOf = (...rows: object[]) => ({ associations: { order_rows: rows } });

describe("what makes an order", () => {
  test.each([
    ["id", { id: "0" }, ["id"]],
    ["date", { date_add: "0000-00-00 00:00:00" }, ["order_date date_add"]],
    ["total", { total_paid_tax_incl: "12,10" }, ["total total_paid_tax_incl"]],
    ["currency", { id_currency: "9" }, ["currency id_currency"]],
  ])("without %s there is none", (_, members, missing) => {
    expect(factsOf(members).order).toBeUndefined();
    expect(factsOf(members).missing.map(missingText)).toEqual(missing);
  });

  test.each([
    ["no rows", { associations: {} }, ["lines associations.order_rows"]],
    ["a price with a comma", rowsOf({ ...ROW, unit_price_tax_excl: "10,00" }), ["amount 1", "tax_rate 1"]],
    ["a row without pieces", rowsOf({ ...ROW, product_quantity: "" }), ["amount 1"]],
  ])("%s", (_, members, missing) => {
    expect(factsOf(members).missing.map(missingText)).toEqual(missing);
  });

  test("a local time needs the shop's zone", () => {
    const { timeZone: _, ...tables } = TABLES;
    expect(factsOf({}, {}, tables).missing.map(missingText)).toEqual(["time_zone date_add"]);
  });

  test("currency and country of their own documents", () => {
    const documents = {
      currency: { iso_code: "EUR" },
      address_invoice: { id_country: "99" },
      country_invoice: { iso_code: "PT" },
      address_delivery: { id_country: "6", postcode: "35001" },
    };
    const mapped = factsOf({ id_currency: "77" }, documents);
    expect(orderOf(mapped)).toMatchObject({
      client: { country: "PT" },
      delivery: { country: "ES", postcode: "35001" },
    });
    const unknown = factsOf({}, { address_invoice: { id_country: "99" } });
    expect(unknown.missing.map(missingText)).toEqual(["country address_invoice.id_country"]);
  });
});

describe("rows of the table", () => {
  const detail = (members: object) => ({
    order_details: [{ ...ROW, total_price_tax_excl: "10.00", total_price_tax_incl: "12.10", ...members }],
  });
  const taxed = (...ids: number[]) => ({ associations: { taxes: ids.map((id) => ({ id })) } });

  test("details before rows, with the rates of their taxes", () => {
    const small = { total_price_tax_excl: "0.10", total_price_tax_incl: "0.12", ...taxed(1) };
    expect(linesText(factsOf({}, detail(small)))).toEqual(["1 0.1+0.02@21"]);
    const own = { ...detail({ ...taxed(7) }), taxes: [{ id: 7, rate: "21.000" }] };
    expect(linesText(factsOf({}, own))).toEqual(["1 10+2.1@21"]);
    expect(factsOf({}, own).missing).toEqual([]);
  });

  test("recargo de equivalencia", () => {
    const members = { total_price_tax_incl: "12.62", ...taxed(1, 3) };
    expect(linesText(factsOf({ total_paid_tax_incl: "12.62" }, detail(members)))).toEqual([
      "1 10+2.1@21+0.52@5.2",
    ]);
  });

  test("a stated rate that the prices do not have", () => {
    const mapped = factsOf(
      {},
      detail({ total_price_tax_excl: "100", total_price_tax_incl: "110", ...taxed(1) }),
    );
    expect(mapped.missing.map(missingText)).toEqual(["tax_rate 1 21 / 10"]);
  });

  test("wrapping and a payment fee", () => {
    const mapped = factsOf({
      total_wrapping_tax_excl: "1.00",
      total_wrapping_tax_incl: "1.21",
      fees: { amount: "2.00", tax_rate: "21.000" },
      total_paid_tax_incl: "15.73",
    });
    expect(linesText(mapped)).toEqual(["1 10+2.1@21", "fee wrapping 1+0.21@21", "fee payment_fee 2+0.42@21"]);
  });

  test("vouchers: free shipping is limited to it", () => {
    const mapped = factsOf(
      { total_discounts_tax_incl: "3.42" },
      {
        order_cart_rules: [
          { name: "A", value: "1.00" },
          { name: "B", value: "2.42", free_shipping: "1" },
        ],
      },
    );
    expect(orderOf(mapped).discounts).toEqual([
      { name: "A", amount: "1", lines: [] },
      { name: "B", amount: "2.42", lines: ["shipping"] },
    ]);
    expect(mapped.missing).toEqual([]);
  });

  test("vouchers that are not the order's contradict it; without their documents one rate is enough", () => {
    const rules = { order_cart_rules: [{ name: "A", value: "1.00" }] };
    expect(factsOf({ total_discounts_tax_incl: "5.00" }, rules).missing.map(missingText)).toEqual([
      "discounts total_discounts_tax_incl 5 / 1",
    ]);
    const one = factsOf({ total_discounts_tax_incl: "5.00" });
    expect(orderOf(one).discounts.map(discountText)).toEqual(["5"]);
    expect(one.missing).toEqual([]);
    const other = { ...ROW, id: "2", unit_price_tax_incl: "11.00" };
    const two = factsOf({ total_discounts_tax_incl: "5.00", ...rowsOf(ROW, other) });
    expect(two.missing.map(missingText)).toEqual(["discounts order_cart_rules"]);
  });

  test("a deleted order", () => {
    expect(orderOf(factsOf({}, { isDeleted: true })).status).toBe("deleted");
  });
});

describe("credit slips", () => {
  const slip = (members: object, ...details: object[]) => ({
    order_slips: [
      {
        id: "70",
        id_order: "5",
        date_add: "2026-11-05 10:00:00",
        ...members,
        associations: { order_slip_details: details },
      },
    ],
  });
  const back = (members: object = {}) => ({
    id_order_detail: "1",
    product_quantity: "1",
    amount_tax_excl: "10.00",
    amount_tax_incl: "12.10",
    ...members,
  });
  const refunded = (documents: object, order: object = {}) => {
    const mapped = factsOf(order, documents);
    return [...mapped.events.map(eventText), ...mapped.missing.map(missingText)];
  };
  const SHIPPED = {
    total_shipping_tax_excl: "4.00",
    total_shipping_tax_incl: "4.84",
    carrier_tax_rate: "21.000",
  };

  test.each([
    ["a row", slip({ amount: "12.10" }, back()), {}, ["70 -12.1: 1 -10+-2.1@21 x-1"]],
    [
      "shipping beside the amount",
      slip({ amount: "12.10", total_shipping_tax_excl: "4", total_shipping_tax_incl: "4.84" }, back()),
      SHIPPED,
      ["70 -16.94: 1 -10+-2.1@21 x-1, shipping -4+-0.84@21"],
    ],
    [
      "shipping only, within the amount",
      slip({ amount: "4.84", total_shipping_tax_excl: "4", total_shipping_tax_incl: "4.84" }),
      SHIPPED,
      ["70 -4.84: shipping -4+-0.84@21"],
    ],
    ["money only", slip({ amount: "3.00" }), {}, ["70 -3"]],
    ["nothing", slip({ amount: "0.00" }), {}, []],
  ])("%s", (_, documents, order, expected) => {
    expect(refunded(documents, order)).toEqual(expected);
  });

  test("more than was paid, less the voucher's share", () => {
    const rules = { order_cart_rules: [{ name: "A", value: "1.21" }] };
    const order = { total_discounts_tax_incl: "1.21", total_paid_tax_incl: "10.89" };
    expect(refunded({ ...rules, ...slip({ amount: "12.10" }, back()) }, order)).toEqual([
      "70 -12.1: 1 -10+-2.1@21 x-1",
      "refund_above_paid 1 12.1 / 10.89",
    ]);
    const fair = slip({ amount: "10.89" }, back({ amount_tax_excl: "9.00", amount_tax_incl: "10.89" }));
    expect(refunded({ ...rules, ...fair }, order)).toEqual(["70 -10.89: 1 -9+-1.89@21 x-1"]);
  });

  test("a voucher for the shipping takes nothing of the products, what exceeds it does", () => {
    const order = { total_discounts_tax_incl: "4.84", ...SHIPPED, total_paid_tax_incl: "12.10" };
    const back1210 = slip({ amount: "12.10" }, back());
    const free = (value: string) => ({ order_cart_rules: [{ name: "B", value, free_shipping: "1" }] });
    expect(refunded({ ...free("4.84"), ...back1210 }, order)).toEqual(["70 -12.1: 1 -10+-2.1@21 x-1"]);
    const more = { ...order, total_discounts_tax_incl: "6.05", total_paid_tax_incl: "10.89" };
    expect(refunded({ ...free("6.05"), ...back1210 }, more)).toContain("refund_above_paid 1 12.1 / 10.89");
    // Without its rules the voucher may be the shipping's.
    expect(refunded(back1210, order)).toEqual(["70 -12.1: 1 -10+-2.1@21 x-1"]);
  });

  test("the amount of a group that sees prices without tax, and shipping alone", () => {
    const beside = { total_shipping_tax_excl: "4", total_shipping_tax_incl: "4.84" };
    expect(refunded(slip({ amount: "10.00", ...beside }, back()), SHIPPED)).toEqual([
      "70 -16.94: 1 -10+-2.1@21 x-1, shipping -4+-0.84@21",
    ]);
    expect(refunded(slip({ amount: "0.00", ...beside }), SHIPPED)).toEqual([
      "70 -4.84: shipping -4+-0.84@21",
    ]);
  });

  test.each([
    ["yen have no decimals", "JPY", ["5000", "5500.4"], "5500", "70 -5500.4: 1 -5000+-500.4@10.01 x-1"],
    [
      "dinars have three, so that half a cent is another amount",
      ...(["KWD", ["10.000", "11.001"], "11.004", "70 -11.004: 1 -10+-1.001@10.01 x-1"] as const),
    ],
    [
      "and the same amount in three",
      "KWD",
      ["10.000", "11.0014"],
      "11.001",
      "70 -11.0014: 1 -10+-1.0014@10.01 x-1",
    ],
  ] as const)("%s", (_, currency, [excl, incl], amount, expected) => {
    const row = back({ amount_tax_excl: excl, amount_tax_incl: incl });
    const events = told(
      { order: { id_currency: "9" }, ...slip({ amount }, row) },
      {
        ...TABLES,
        currencies: { "9": currency },
      },
    ).events.map(eventText);
    expect(events).toEqual([expected]);
  });

  test("a slip without its products is its money, with the shipping beside it", () => {
    const members = { amount: "12.10", total_products_tax_incl: "12.10", total_products_tax_excl: "10" };
    const beside = { total_shipping_tax_excl: "4", total_shipping_tax_incl: "4.84" };
    expect(refunded(slip({ ...members, ...beside }), SHIPPED)).toEqual(["70 -16.94"]);
  });

  test("one that comes alone names its order", () => {
    const alone = told(slip({ amount: "12.10" }, back()));
    expect(alone).toMatchObject({ idExternal: "5", missing: [] });
    expect(alone.events.map(eventText)).toEqual(["70 -12.1: 1 -10+-2.1@21 x-1"]);
  });
});
