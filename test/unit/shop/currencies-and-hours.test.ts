/** One small sale as each platform writes it: in currencies of every size, at hours that a clock changes. */
import { describe, expect, test } from "vitest";
import { mapOrder as magento } from "../../../src/domain/shop/magento/magento.ts";
import type { MappedOrder } from "../../../src/domain/shop/mapped.ts";
import { mapOrder as prestashop } from "../../../src/domain/shop/prestashop/prestashop.ts";
import { mapOrder as shopify } from "../../../src/domain/shop/shopify/shopify.ts";
import { mapOrder as woocommerce } from "../../../src/domain/shop/woocommerce/woocommerce.ts";
import { linesText, missingText, orderOf, parsed } from "../../support/builders/shop-payloads.ts";

interface Priced {
  readonly base: string;
  readonly tax: string;
  readonly percent: string;
}

interface Sale {
  readonly currency: string;
  readonly product: Priced;
  /** Each under its own rate. */
  readonly shipping: readonly Priced[];
  readonly total: string;
  readonly tax: string;
  /** In the shop's zone, and in UTC. */
  readonly local: string;
  readonly utc: string;
}

const json = (document: object) => parsed(JSON.stringify(document));
const ZONE = { timeZone: "Europe/Madrid" } as const;

function ofWoo({ currency, product, shipping, total, tax, utc }: Sale): MappedOrder {
  const line = ({ base, tax, percent }: Priced, id: number) => ({
    ...{ id, name: "Vino", method_title: "Envío", quantity: 1, total: base, total_tax: tax },
    ...{ subtotal: base, subtotal_tax: tax, taxes: [{ id: Number(percent), total: tax, subtotal: tax }] },
  });
  const rates = [...new Set([product, ...shipping].map(({ percent }) => Number(percent)))];
  const order = {
    ...{ id: 5, number: "5", status: "processing", currency, total, total_tax: tax },
    ...{ date_created_gmt: utc, date_modified_gmt: utc, line_items: [line(product, 1)] },
    shipping_lines: shipping.map((each, index) => line(each, index + 7)),
    tax_lines: rates.map((rate) => ({ rate_id: rate, rate_percent: rate })),
  };
  return woocommerce({ order: json(order) }, ZONE);
}

function ofShopify({ currency, product, shipping, total, tax, utc }: Sale): MappedOrder {
  const taxes = ({ tax, percent }: Priced) => [{ title: "IVA", rate: Number(percent) / 100, price: tax }];
  const order = {
    ...{
      id: 5,
      name: "#5",
      currency,
      created_at: `${utc}Z`,
      updated_at: `${utc}Z`,
      financial_status: "paid",
    },
    ...{ taxes_included: false, total_price: total, total_tax: tax },
    line_items: [
      { ...{ id: 1, title: "Vino", quantity: 1, price: product.base }, tax_lines: taxes(product) },
    ],
    shipping_lines: shipping.map((each, index) => ({
      ...{ id: index + 7, price: each.base, tax_lines: taxes(each) },
    })),
  };
  return shopify({ order: json(order) }, ZONE);
}

/** The sum of one shipping only: the platform keeps no more of it. */
function ofPrestashop({ currency, product, shipping, total, local }: Sale): MappedOrder {
  const whole = ({ base, tax }: Priced) => (Number(base) + Number(tax)).toFixed(6);
  const [sent] = shipping;
  const order = {
    ...{ id: "5", id_currency: "1", current_state: "2", date_add: local.replace("T", " ") },
    ...{ date_upd: local.replace("T", " "), total_paid_tax_incl: total },
    ...(sent
      ? {
          ...{ total_shipping_tax_excl: sent.base, total_shipping_tax_incl: whole(sent) },
          carrier_tax_rate: sent.percent,
        }
      : {}),
  };
  const detail = {
    ...{ id: "1", product_name: "Vino", product_quantity: "1" },
    ...{ total_price_tax_excl: product.base, total_price_tax_incl: whole(product) },
    associations: { taxes: [{ id: "1" }] },
  };
  const taxes = [{ id: "1", rate: product.percent }];
  const documents = { order, order_details: [detail], taxes };
  return prestashop(documents, { ...ZONE, currencies: { "1": currency } });
}

function ofMagento({ currency, product, shipping, total, tax, utc }: Sale): MappedOrder {
  const [sent] = shipping;
  const taxOf = ({ tax, percent }: Priced) => ({
    code: `IVA ${percent}`,
    percent: Number(percent),
    amount: tax,
  });
  const order = {
    ...{ entity_id: 5, increment_id: "0005", state: "processing", order_currency_code: currency },
    ...{ created_at: utc.replace("T", " "), updated_at: utc.replace("T", " "), grand_total: total },
    tax_amount: tax,
    items: [
      {
        ...{ item_id: 1, name: "Vino", qty_ordered: 1, row_total: product.base, tax_amount: product.tax },
        tax_percent: Number(product.percent),
      },
    ],
    ...(sent ? { shipping_amount: sent.base, shipping_tax_amount: sent.tax } : {}),
    extension_attributes: {
      applied_taxes: [taxOf(product)],
      ...(sent
        ? {
            item_applied_taxes: [
              { type: "product", item_id: 1, applied_taxes: [taxOf(product)] },
              { type: "shipping", applied_taxes: [taxOf(sent)] },
            ],
          }
        : {}),
    },
  };
  return magento({ order: json(order) }, ZONE);
}

const PLATFORMS = [
  ["WooCommerce", ofWoo],
  ["Shopify", ofShopify],
  ["PrestaShop", ofPrestashop],
  ["Magento", ofMagento],
] as const;

const AT = { local: "2026-11-02T10:00:00", utc: "2026-11-02T09:00:00" } as const;
const EURO: Sale = {
  ...{ ...AT, currency: "EUR", shipping: [], total: "12.10", tax: "2.10" },
  product: { base: "10.00", tax: "2.10", percent: "21" },
};

describe.each(PLATFORMS)("%s", (_, mapped) => {
  test.each([
    [
      "yen, which have no decimals",
      "JPY",
      { base: "1010", tax: "101", percent: "10" },
      "1111",
      "1010+101@10",
    ],
    [
      "yen whose tax is rounded to a whole one",
      "JPY",
      { base: "1015", tax: "102", percent: "10" },
      "1117",
      "1015+102@10",
    ],
    [
      "dinars, which have three",
      "KWD",
      { base: "10.005", tax: "0.500", percent: "5" },
      "10.505",
      "10.005+0.5@5",
    ],
    [
      "dinars whose tax is rounded to the third",
      "TND",
      { base: "33.333", tax: "6.333", percent: "19" },
      "39.666",
      "33.333+6.333@19",
    ],
  ] as const)("%s", (_, currency, product, total, line) => {
    const sale = mapped({ ...EURO, currency, product, total, tax: product.tax });
    expect(linesText(sale)).toEqual([`1 ${line}`]);
    expect(orderOf(sale)).toMatchObject({ currency, total: String(Number(total)) });
    expect(sale.missing.map(missingText)).toEqual([]);
  });

  // In Madrid 2026-03-29 has no hour from 2 to 3, and 2026-10-25 has that hour twice.
  test.each([
    ["before the clock goes forward", "2026-03-29T01:59:59", "2026-03-29T00:59:59"],
    ["after it has gone forward", "2026-03-29T03:00:00", "2026-03-29T01:00:00"],
    ["before the clock goes back", "2026-10-25T01:59:59", "2026-10-24T23:59:59"],
    ["after it has gone back", "2026-10-25T03:00:00", "2026-10-25T02:00:00"],
    ["the last second of a year", "2026-12-31T23:59:59", "2026-12-31T22:59:59"],
  ])("%s", (_, local, utc) => {
    const sale = mapped({ ...EURO, local, utc });
    const at = Date.parse(`${utc}Z`);
    expect(orderOf(sale)).toMatchObject({ orderDate: { instant: at }, updatedAt: at });
    expect(sale.missing).toEqual([]);
  });

  test("shipping at a rate of its own, beside a product at another", () => {
    const sale = mapped({
      ...EURO,
      ...{ total: "16.46", tax: "2.46" },
      product: { base: "10.00", tax: "2.10", percent: "21" },
      shipping: [{ base: "4.00", tax: "0.36", percent: "9" }],
    });
    expect(linesText(sale).map((text) => text.replace(/^shipping \S+/, "shipping"))).toEqual([
      "1 10+2.1@21",
      "shipping 4+0.36@9",
    ]);
    expect(sale.missing.map(missingText)).toEqual([]);
  });
});

describe.each([
  ["WooCommerce", ofWoo],
  ["Shopify", ofShopify],
] as const)("%s", (_, mapped) => {
  test("several shipping lines, each at its own rate", () => {
    const sale = mapped({
      ...EURO,
      ...{ total: "21.86", tax: "2.86" },
      shipping: [
        { base: "4.00", tax: "0.40", percent: "10" },
        { base: "3.00", tax: "0.12", percent: "4" },
        { base: "2.00", tax: "0.24", percent: "12" },
      ],
    });
    expect(linesText(sale)).toEqual([
      "1 10+2.1@21",
      "shipping 7 4+0.4@10",
      "shipping 8 3+0.12@4",
      "shipping 9 2+0.24@12",
    ]);
    expect(sale.missing.map(missingText)).toEqual([]);
  });
});
