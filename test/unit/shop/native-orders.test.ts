/** Orders as a shop's owner may have them, in the form of each platform, with outcomes computed by hand. */
import { describe, expect, test } from "vitest";
import { normalizeOrder } from "../../../src/domain/order/normalize-order.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { type MagentoDocuments, mapOrder as mapMagento } from "../../../src/domain/shop/magento/magento.ts";
import type { MappedOrder } from "../../../src/domain/shop/mapped.ts";
import { readJson } from "../../../src/domain/shop/native.ts";
import { STATUS_PRESETS, withMeaning } from "../../../src/domain/shop/presets.ts";
import {
  mapOrder as mapPrestashop,
  type PrestashopDocuments,
} from "../../../src/domain/shop/prestashop/prestashop.ts";
import { mapOrder as mapShopify, type ShopifyDocuments } from "../../../src/domain/shop/shopify/shopify.ts";
import { mapOrder as mapWoo, type WooDocuments } from "../../../src/domain/shop/woocommerce/woocommerce.ts";
import { course, groupsIn, outcomeOf, type Situation, totalsIn } from "../../support/builders/orders.ts";
import { orderOf } from "../../support/builders/shop-payloads.ts";

const EXEMPT: Situation = { sales: { zeroRateBasis: "E1" } };
const STATUSES = { ...STATUS_PRESETS, prestashop: { "2": "invoice", "6": "cancelled" } } as const;

type Outcome = readonly [outcome: string, ...documents: string[]];
type Row<Documents> = [what: string, documents: Documents, outcome: Outcome, situation?: Situation];

/** `invoiced` and each document: `12.10 [21: 10.00 / 2.10]`. */
function outcome(mapped: MappedOrder, platform: keyof typeof STATUSES, situation: Situation = {}): Outcome {
  const { missing } = mapped;
  const order = withMeaning(orderOf(mapped), STATUSES[platform]);
  const sent = missing.length > 0 ? { ...order, missing } : order;
  const life = course(normalizeOrder(sent, "Europe/Madrid").facts, situation);
  const documents = life.issued.map((issue) => {
    const total = totalsIn(issue).split(" / ")[2];
    return `${total} [${groupsIn(issue).join(", ")}]`;
  });
  return [outcomeOf(life.decision), ...documents];
}

const asSent = <Documents extends object>(documents: Documents): Documents => {
  const native = readJson(JSON.stringify(documents));
  return native?.value as Documents;
};

const tax = (id: number, total: string) => ({ id, total });
const item = (id: number, total: string, total_tax: string, taxes: object[] = [], more: object = {}) => ({
  id,
  name: `Artículo ${id}`,
  product_id: id,
  quantity: 1,
  total,
  total_tax,
  taxes,
  ...more,
});
const RATE21 = { rate_id: 1, rate_percent: 21, tax_total: "0.00", shipping_tax_total: "0.00" };
const RATE10 = { rate_id: 2, rate_percent: 10, tax_total: "0.00", shipping_tax_total: "0.00" };
const woo = (order: object, refunds?: readonly object[]): WooDocuments => ({
  order: {
    id: 1,
    number: "1",
    status: "processing",
    currency: "EUR",
    date_created_gmt: "2026-11-20T10:00:00",
    billing: { first_name: "Ana", last_name: "Ejemplo", country: "ES" },
    shipping_lines: [],
    fee_lines: [],
    tax_lines: [],
    ...order,
  },
  ...(refunds ? { refunds } : {}),
});
const WINE = item(1, "10.00", "2.10", [tax(1, "2.1")]);
const OF_WINE = [{ ...RATE21, tax_total: "2.10" }];

const WOO: readonly Row<WooDocuments>[] = [
  [
    "three bottles of 10.00 with tax, fetched with six decimals",
    woo({
      total: "30.00",
      line_items: [1, 2, 3].map((id) => item(id, "8.264463", "1.740000", [tax(1, "1.735537")])),
      tax_lines: [{ ...RATE21, tax_total: "5.220000" }],
    }),
    ["invoiced", "30.00 [21: 24.78 / 5.22]"],
  ],
  [
    "the same, of which one goes back, refunded in the shop's form",
    woo(
      {
        total: "30.00",
        line_items: [1, 2, 3].map((id) => item(id, "8.264463", "1.740000", [tax(1, "1.735537")])),
        tax_lines: [{ ...RATE21, tax_total: "5.220000" }],
        refunds: [{ id: 9, total: "-20.00" }],
      },
      [
        {
          id: 9,
          amount: "20.00",
          line_items: [1, 2].map((id) => ({
            ...item(20 + id, "-8.264463", "-1.740000", [tax(1, "-1.735537")], { quantity: -1 }),
            meta_data: [{ key: "_refunded_item_id", value: String(id) }],
          })),
        },
      ],
    ),
    ["invoiced", "10.00 [21: 8.26 / 1.74]"],
  ],
  [
    "1.5 kg and a discount as a negative fee",
    woo({
      total: "10.89",
      line_items: [{ ...WINE, quantity: 1.5 }],
      fee_lines: [item(5, "-1.00", "-0.21", [tax(1, "-0.21")])],
      tax_lines: [{ ...RATE21, tax_total: "1.89" }],
    }),
    ["invoiced", "10.89 [21: 9.00 / 1.89]"],
  ],
  [
    "an untaxed book beside wine, without its ground",
    woo({ total: "22.10", line_items: [WINE, item(2, "10.00", "0.00")], tax_lines: OF_WINE }),
    ["held zero_rate_basis_missing"],
  ],
  [
    "the same with its ground",
    woo({ total: "22.10", line_items: [WINE, item(2, "10.00", "0.00")], tax_lines: OF_WINE }),
    ["invoiced", "22.10 [21: 10.00 / 2.10, 0: 10.00 / 0.00]"],
    EXEMPT,
  ],
  [
    "two rates, delivery at 21 %",
    woo({
      total: "28.05",
      line_items: [WINE, item(2, "10.00", "1.00", [tax(2, "1")])],
      shipping_lines: [{ ...item(3, "4.09", "0.86", [tax(1, "0.8589")]), method_id: "flat_rate" }],
      tax_lines: [
        { ...RATE21, tax_total: "2.10", shipping_tax_total: "0.86" },
        { ...RATE10, tax_total: "1.00" },
      ],
    }),
    ["invoiced", "28.05 [21: 14.09 / 2.96, 10: 10.00 / 1.00]"],
  ],
  [
    "free by a coupon",
    woo({
      total: "0.00",
      line_items: [item(1, "0.00", "0.00")],
      coupon_lines: [{ code: "todo", discount: "10.00", discount_tax: "2.10" }],
    }),
    ["stored zero_total"],
  ],
  [
    "paid whole by a gift card",
    woo({ total: "0.00", line_items: [WINE], tax_lines: OF_WINE, gift_cards: [{ amount: "12.10" }] }),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
  [
    "cancelled before it was paid",
    woo({ status: "cancelled", total: "12.10", line_items: [WINE], tax_lines: OF_WINE }),
    ["stored not_a_candidate"],
  ],
  [
    "a draft of the checkout",
    woo({ status: "checkout-draft", total: "12.10", line_items: [WINE], tax_lines: OF_WINE }),
    ["stored not_a_candidate"],
  ],
  [
    "refunded whole, by its amount alone",
    woo({
      status: "refunded",
      total: "12.10",
      line_items: [WINE],
      tax_lines: OF_WINE,
      refunds: [{ id: 9, total: "-12.10" }],
    }),
    ["cancelled cancelled_before_invoice"],
  ],
  [
    "a refund above the order",
    woo({
      total: "12.10",
      line_items: [WINE],
      tax_lines: OF_WINE,
      refunds: [{ id: 9, total: "-20.00" }],
    }),
    ["held over_refund"],
  ],
];

const set = (amount: string) => ({ shop_money: { amount, currency_code: "EUR" } });
const taxLine = (rate: number, price: string) => ({ title: "IVA", rate, price });
const line = (id: number, price: string, tax_lines: object[], more: object = {}) => ({
  id,
  title: `Artículo ${id}`,
  quantity: 1,
  price,
  tax_lines,
  ...more,
});
const shopify = (order: object, more: ShopifyDocuments = {}): ShopifyDocuments => ({
  order: {
    id: 1,
    name: "#1",
    currency: "EUR",
    created_at: "2026-11-20T10:00:00Z",
    financial_status: "paid",
    taxes_included: true,
    test: false,
    billing_address: { first_name: "Ana", last_name: "Ejemplo", country_code: "ES" },
    shipping_lines: [],
    ...order,
  },
  ...more,
});
const SHIRT = line(1, "12.10", [taxLine(0.21, "2.10")]);

const SHOPIFY: readonly Row<ShopifyDocuments>[] = [
  [
    "prices with tax",
    shopify({ total_price: "12.10", line_items: [SHIRT] }),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
  [
    "the customer paid in dollars",
    shopify({
      total_price: "13.31",
      total_price_set: { ...set("12.10"), presentment_money: { amount: "13.31", currency_code: "USD" } },
      line_items: [
        line(1, "13.31", [{ ...taxLine(0.21, "2.31"), price_set: set("2.10") }], { price_set: set("12.10") }),
      ],
    }),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
  [
    "a delivery that was removed",
    shopify({
      total_price: "12.10",
      line_items: [SHIRT],
      shipping_lines: [
        { id: 9, title: "Envío", price: "5.00", is_removed: true, tax_lines: [taxLine(0.21, "0.87")] },
      ],
    }),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
  [
    "a tip, and nothing declared about it",
    shopify({ total_price: "14.10", total_tip_received: "2.00", line_items: [SHIRT] }),
    ["held untreated_total"],
  ],
  [
    "the same, treated as not taxable",
    shopify({ total_price: "14.10", total_tip_received: "2.00", line_items: [SHIRT] }),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
    { sales: { treatments: { tip: { as: "ignore_non_taxable" } } } },
  ],
  [
    "a gift card among the goods",
    shopify({ total_price: "62.10", line_items: [SHIRT, line(2, "50.00", [], { gift_card: true })] }),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
  [
    "paid in part by a gift card",
    shopify({
      total_price: "12.10",
      line_items: [SHIRT],
      payment_gateway_names: ["gift_card", "bogus"],
      transactions: [
        { id: 1, kind: "sale", status: "success", gateway: "gift_card", amount: "5.00", currency: "EUR" },
        { id: 2, kind: "sale", status: "success", gateway: "bogus", amount: "7.10", currency: "EUR" },
      ],
    }),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
  [
    "an exempt customer, without the ground",
    shopify({
      total_price: "10.00",
      taxes_included: false,
      tax_exempt: true,
      line_items: [line(1, "10.00", [])],
    }),
    ["held zero_rate_basis_missing"],
  ],
  [
    "one of two goes back before the invoice",
    shopify({
      financial_status: "partially_refunded",
      total_price: "24.20",
      line_items: [line(1, "12.10", [taxLine(0.21, "4.20")], { quantity: 2 })],
      refunds: [
        {
          id: 7,
          refund_line_items: [{ line_item_id: 1, quantity: 1, subtotal: "12.10", total_tax: "2.10" }],
          transactions: [{ id: 3, kind: "refund", status: "success", amount: "12.10", currency: "EUR" }],
        },
      ],
    }),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
  [
    "the same refund in the order and alone, in REST and as a node",
    shopify(
      {
        total_price: "24.20",
        line_items: [line(1, "12.10", [taxLine(0.21, "4.20")], { quantity: 2 })],
        refunds: [
          {
            id: 7,
            refund_line_items: [{ line_item_id: 1, quantity: 1, subtotal: "12.10", total_tax: "2.10" }],
            transactions: [{ id: 3, kind: "refund", status: "success", amount: "12.10", currency: "EUR" }],
          },
        ],
      },
      {
        refunds: [
          {
            id: "gid://shopify/Refund/7",
            refundLineItems: {
              nodes: [
                {
                  quantity: 1,
                  lineItem: { id: "gid://shopify/LineItem/1" },
                  subtotalSet: { shopMoney: { amount: "12.10", currencyCode: "EUR" } },
                  totalTaxSet: { shopMoney: { amount: "2.10", currencyCode: "EUR" } },
                },
              ],
            },
            transactions: {
              nodes: [
                {
                  kind: "REFUND",
                  status: "SUCCESS",
                  amountSet: { shopMoney: { amount: "12.10", currencyCode: "EUR" } },
                },
              ],
            },
          },
        ],
      },
    ),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
  [
    "cancelled and not paid",
    shopify({
      cancelled_at: "2026-11-20T11:00:00Z",
      financial_status: "voided",
      total_price: "12.10",
      line_items: [SHIRT],
    }),
    ["stored not_a_candidate"],
  ],
  ["a test order", shopify({ test: true, total_price: "12.10", line_items: [SHIRT] }), ["stored test_order"]],
];

const magentoItem = (id: number, row_total: string, tax_amount: string, more: object = {}) => ({
  item_id: id,
  name: `Artículo ${id}`,
  qty_ordered: 1,
  row_total,
  tax_amount,
  tax_percent: 21,
  discount_amount: 0,
  ...more,
});
const applied = (amount: string, percent = 21) => ({ code: `IVA ${percent}`, percent, amount });
const magento = (order: object, creditmemos?: unknown): MagentoDocuments => ({
  order: {
    entity_id: 1,
    increment_id: "000000001",
    state: "processing",
    order_currency_code: "EUR",
    created_at: "2026-11-20 10:00:00",
    billing_address: { firstname: "Ana", lastname: "Ejemplo", country_id: "ES" },
    items: [magentoItem(1, "10.00", "2.10")],
    extension_attributes: { applied_taxes: [applied("2.10")] },
    ...order,
  },
  ...(creditmemos ? { creditmemos } : {}),
});
const memo = (more: object) => ({ entity_id: 5, order_id: 1, grand_total: "12.10", items: [], ...more });
const FEE: Situation = { sales: { treatments: { payment_fee: { as: "fee", rate: decimal("21") } } } };
const WITH_FEE = {
  grand_total: "14.52",
  payment_fee: "2.00",
  payment_fee_tax: "0.42",
  base_payment_fee: "2.00",
  extension_attributes: { applied_taxes: [applied("2.52")] },
};

const MAGENTO: readonly Row<MagentoDocuments>[] = [
  ["prices without tax", magento({ grand_total: "12.10" }), ["invoiced", "12.10 [21: 10.00 / 2.10]"]],
  ["a payment fee, not declared", magento(WITH_FEE), ["held untreated_total"]],
  ["a payment fee, declared at 21 %", magento(WITH_FEE), ["invoiced", "14.52 [21: 12.00 / 2.52]"], FEE],
  [
    "delivery at another rate than the goods",
    magento({
      grand_total: "16.05",
      items: [magentoItem(1, "10.00", "1.00", { tax_percent: 10 })],
      shipping_amount: "4.17",
      shipping_tax_amount: "0.88",
      extension_attributes: {
        applied_taxes: [applied("1.00", 10), applied("0.88")],
        item_applied_taxes: [
          { type: "product", item_id: 1, applied_taxes: [applied("1.00", 10)] },
          { type: "shipping", applied_taxes: [applied("0.88")] },
        ],
      },
    }),
    ["invoiced", "16.05 [10: 10.00 / 1.00, 21: 4.17 / 0.88]"],
  ],
  [
    "a configurable product, whose child has no money",
    magento({
      grand_total: "12.10",
      items: [
        magentoItem(1, "10.00", "2.10"),
        magentoItem(2, "0.00", "0.00", { parent_item_id: 1, tax_percent: 0 }),
      ],
    }),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
  [
    "balance of the customer paid in part",
    magento({ grand_total: "7.10", customer_balance_amount: "5.00" }),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
    { sales: { customerCredit: "payment" } },
  ],
  [
    "a credit memo in the list of the API",
    magento(
      {
        grand_total: "24.20",
        items: [magentoItem(1, "20.00", "4.20", { qty_ordered: 2 })],
        extension_attributes: {},
      },
      {
        items: [memo({ items: [{ order_item_id: 1, qty: 1, row_total: "10.00", tax_amount: "2.10" }] })],
        total_count: 1,
      },
    ),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
  [
    "a credit memo alone",
    magento(
      {
        grand_total: "24.20",
        items: [magentoItem(1, "20.00", "4.20", { qty_ordered: 2 })],
        extension_attributes: {},
      },
      memo({ items: [{ order_item_id: 1, qty: 1, row_total: "10.00", tax_amount: "2.10" }] }),
    ),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
  [
    "an adjustment at the only rate",
    magento({ grand_total: "12.10" }, [memo({ grand_total: "2.42", adjustment_positive: "2.42" })]),
    ["invoiced", "9.68 [21: 8.00 / 1.68]"],
  ],
  [
    "delivery only goes back",
    magento(
      {
        grand_total: "18.15",
        shipping_amount: "5.00",
        shipping_tax_amount: "1.05",
        extension_attributes: { applied_taxes: [applied("3.15")] },
      },
      [memo({ grand_total: "6.05", shipping_amount: "5.00", shipping_tax_amount: "1.05" })],
    ),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
  ["not paid yet", magento({ state: "new", grand_total: "12.10" }), ["stored not_a_candidate"]],
  [
    "free",
    magento({
      grand_total: "0.00",
      items: [magentoItem(1, "10.00", "0.00", { discount_amount: "10.00" })],
      discount_amount: "-10.00",
      extension_attributes: {},
    }),
    ["stored zero_total"],
  ],
];

const TABLES = {
  timeZone: "Europe/Madrid",
  currencies: { "1": "EUR" },
  countries: { "6": "ES" },
  taxRates: { "1": decimal("21"), "2": decimal("10") },
};
const detail = (id: number, without: string, within: string, rate = 1, more: object = {}) => ({
  id: `${id}`,
  product_name: `Artículo ${id}`,
  product_quantity: "1",
  total_price_tax_excl: without,
  total_price_tax_incl: within,
  associations: { taxes: [{ id: `${rate}` }] },
  ...more,
});
const ONE = [detail(1, "10.000000", "12.100000")];
const presta = (order: object, documents: object = {}) => ({
  order: {
    id: "1",
    reference: "ABC",
    id_currency: "1",
    current_state: "2",
    date_add: "2026-11-20 10:00:00",
    total_paid_tax_incl: "12.100000",
    ...order,
  },
  order_details: ONE,
  address_invoice: { firstname: "Ana", lastname: "Ejemplo", id_country: "6" },
  ...documents,
});
const SHIPPING = {
  total_shipping_tax_excl: "4.00",
  total_shipping_tax_incl: "4.84",
  carrier_tax_rate: "21.000",
};
const slip = (more: object, details: readonly object[] = []) => ({
  id: "70",
  id_order: "1",
  date_add: "2026-11-21 10:00:00",
  ...more,
  associations: { order_slip_details: details },
});
const PIECE = {
  id_order_detail: "1",
  product_quantity: "1",
  amount_tax_excl: "10.00",
  amount_tax_incl: "12.10",
};

const PRESTASHOP: readonly Row<PrestashopDocuments>[] = [
  ["one product", presta({}), ["invoiced", "12.10 [21: 10.00 / 2.10]"]],
  [
    "cents, whose prices say another percent than the tax",
    presta({ total_paid_tax_incl: "0.12" }, { order_details: [detail(1, "0.10", "0.12")] }),
    ["invoiced", "0.12 [21: 0.10 / 0.02]"],
  ],
  [
    "two rates and a free delivery by a voucher",
    presta(
      { ...SHIPPING, total_discounts_tax_incl: "4.84", total_paid_tax_incl: "23.10" },
      {
        order_details: [...ONE, detail(2, "10.00", "11.00", 2)],
        order_cart_rules: [{ name: "ENVIO", value: "4.84", free_shipping: "1" }],
      },
    ),
    ["invoiced", "23.10 [21: 10.00 / 2.10, 10: 10.00 / 1.00]"],
  ],
  [
    "the same, of which a product goes back whole",
    presta(
      { ...SHIPPING, total_discounts_tax_incl: "4.84", total_paid_tax_incl: "23.10" },
      {
        order_details: [...ONE, detail(2, "10.00", "11.00", 2)],
        order_cart_rules: { order_cart_rules: [{ name: "ENVIO", value: "4.84", free_shipping: "1" }] },
        order_slips: { order_slip: slip({ amount: "12.10" }, [PIECE]) },
      },
    ),
    ["invoiced", "11.00 [10: 10.00 / 1.00]"],
  ],
  [
    "wrapping at the rate that its amounts prove",
    presta({
      total_wrapping_tax_excl: "2.00",
      total_wrapping_tax_incl: "2.42",
      total_paid_tax_incl: "14.52",
    }),
    ["invoiced", "14.52 [21: 12.00 / 2.52]"],
  ],
  [
    "shipping only goes back",
    presta(
      { ...SHIPPING, total_paid_tax_incl: "16.94" },
      {
        order_slips: [
          slip({ amount: "0", total_shipping_tax_excl: "4.00", total_shipping_tax_incl: "4.84" }),
        ],
      },
    ),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
  [
    "a product and the shipping go back, of a group that sees prices without tax",
    presta(
      { ...SHIPPING, total_paid_tax_incl: "27.94" },
      {
        order_details: [...ONE, detail(2, "10.00", "11.00", 2)],
        order_slips: [
          slip({ amount: "10.00", total_shipping_tax_excl: "4.00", total_shipping_tax_incl: "4.84" }, [
            PIECE,
          ]),
        ],
      },
    ),
    ["invoiced", "11.00 [10: 10.00 / 1.00]"],
  ],
  [
    "a slip without lines, of one rate",
    presta({}, { order_slips: [slip({ amount: "6.05" })] }),
    ["invoiced", "6.05 [21: 5.00 / 1.05]"],
  ],
  [
    "more goes back than was paid",
    presta(
      {},
      {
        order_slips: [
          slip({ amount: "20.00" }, [{ ...PIECE, amount_tax_excl: "16.53", amount_tax_incl: "20.00" }]),
        ],
      },
    ),
    ["held shop_facts_contradict over_refund"],
  ],
  ["not paid", presta({ current_state: "10" }), ["stored not_a_candidate"]],
  [
    "rows of the order alone",
    presta(
      {
        associations: {
          order_rows: {
            order_row: {
              id: "1",
              product_quantity: "2",
              product_name: "Vino",
              unit_price_tax_excl: "5.000000",
              unit_price_tax_incl: "6.050000",
            },
          },
        },
      },
      { order_details: "" },
    ),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
  [
    "details in the envelope of the webservice",
    presta({}, { order_details: { order_details: ONE } }),
    ["invoiced", "12.10 [21: 10.00 / 2.10]"],
  ],
];

describe("WooCommerce", () => {
  test.each<Row<WooDocuments>>([...WOO])("%s", (_, documents, expected, situation = {}) => {
    expect(outcome(mapWoo(asSent(documents), {}), "woocommerce", situation)).toEqual(expected);
  });
});

describe("Shopify", () => {
  test.each<Row<ShopifyDocuments>>([...SHOPIFY])("%s", (_, documents, expected, situation = {}) => {
    expect(outcome(mapShopify(asSent(documents), {}), "shopify", situation)).toEqual(expected);
  });
});

describe("Magento", () => {
  test.each<Row<MagentoDocuments>>([...MAGENTO])("%s", (_, documents, expected, situation = {}) => {
    expect(outcome(mapMagento(asSent(documents), {}), "magento", situation)).toEqual(expected);
  });
});

describe("PrestaShop", () => {
  test.each<Row<PrestashopDocuments>>([...PRESTASHOP])("%s", (_, documents, expected, situation = {}) => {
    expect(outcome(mapPrestashop(asSent(documents), TABLES), "prestashop", situation)).toEqual(expected);
  });
});
