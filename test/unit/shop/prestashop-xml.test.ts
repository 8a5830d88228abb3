/** Documents of PrestaShop as XML: the same facts as those of the same documents as JSON. */
import { describe, expect, test } from "vitest";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { readDelivered } from "../../../src/domain/shop/documents.ts";
import { mapOrder } from "../../../src/domain/shop/prestashop/prestashop.ts";
import { readXml } from "../../../src/domain/shop/prestashop/xml.ts";
import type { ShopTables } from "../../../src/domain/shop/tables.ts";
import { hasPayloads, payload, payloadText } from "../../support/builders/shop-payloads.ts";

const TABLES: ShopTables = {
  timeZone: "Europe/Madrid",
  currencies: { "1": "EUR" },
  countries: { "6": "ES" },
  taxRates: { "1": decimal("21"), "2": decimal("10") },
};

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
const SINGULAR: Readonly<Record<string, string>> = {
  ...{ order_details: "order_detail", order_slips: "order_slip", order_cart_rules: "order_cart_rule" },
  ...{ taxes: "tax", order_rows: "order_row", order_slip_details: "order_slip_detail" },
};

/** As the webservice writes it: references, node types, character data, languages. */
function xmlOf(name: string, value: unknown): string {
  if (Array.isArray(value)) {
    const isTranslated = value.every((one) => typeof one === "object" && one !== null && "language" in one);
    const entries = value.map((one) =>
      isTranslated
        ? `<language id="1" xlink:href="https://t.es/api/languages/1"><![CDATA[${one.language}]]></language>`
        : xmlOf(SINGULAR[name] ?? "entry", one),
    );
    return `<${name} nodeType="${SINGULAR[name]}" api="x">${entries.join("\n")}</${name}>`;
  }
  if (typeof value === "object" && value !== null) {
    const inner = Object.entries(value).map(([member, one]) => xmlOf(member, one));
    return `<${name}>\n${inner.join("\n")}\n</${name}>`;
  }
  const reference = name.startsWith("id_") ? ` xlink:href="https://t.es/api/${name}/${value}"` : "";
  return `<${name}${reference}><![CDATA[${value}]]></${name}>`;
}

function prestashop(documents: object): string {
  const inner = Object.entries(documents).map(([name, value]) => xmlOf(name, value));
  return `${HEAD}<prestashop xmlns:xlink="http://www.w3.org/1999/xlink">${inner.join("")}</prestashop>`;
}

const DETAIL = {
  ...{ id: "1", product_id: "5", product_quantity: "2", product_name: "Té & más <b>" },
  ...{ total_price_tax_excl: "20.000000", total_price_tax_incl: "24.200000" },
  associations: { taxes: [{ id: "1" }] },
};
const ORDER = {
  ...{ id: "9004", reference: "XKBK", id_currency: "1", current_state: "2", id_customer: "9" },
  ...{ id_address_invoice: "3", date_add: "2026-11-02 13:00:00", date_upd: "2026-11-02 13:00:10" },
  ...{ total_paid_tax_incl: "24.200000", total_paid_real: "24.200000", id_shop: "1" },
};
const ADDRESS = { id: "3", firstname: "Ana", lastname: "Pérez", dni: "12345678Z", id_country: "6" };
const TAXES = [{ id: "1", rate: "21.000" }];
const WHOLE = { order: ORDER, order_details: [DETAIL], taxes: TAXES, address_invoice: ADDRESS };
const SLIP = {
  ...{ id: "7", id_order: "9004", date_add: "2026-11-03 10:00:00", amount: "12.10" },
  associations: {
    order_slip_details: [
      {
        ...{ id: "1", id_order_detail: "1", product_quantity: "1" },
        ...{ amount_tax_excl: "10.000000", amount_tax_incl: "12.100000" },
      },
    ],
  },
};

describe("the facts of XML are those of JSON", () => {
  const rows: readonly (readonly [string, Record<string, unknown>])[] = [
    ["a line and a tax: lists of one", WHOLE],
    ["two lines", { ...WHOLE, order_details: [DETAIL, { ...DETAIL, id: "2" }] }],
    ["no details: rows of the order", { order: { ...ORDER, associations: { order_rows: [DETAIL] } } }],
    ["a slip", { ...WHOLE, order_slips: [SLIP] }],
    ["a slip that comes alone", { order_slips: [SLIP] }],
    [
      "a voucher",
      {
        ...WHOLE,
        order: { ...ORDER, total_paid_tax_incl: "22.20", total_discounts_tax_incl: "2.00" },
        order_cart_rules: [{ id: "4", name: "DIEZ", value: "2.00", free_shipping: "0" }],
      },
    ],
    ["empty lists", { ...WHOLE, order_slips: [], order_cart_rules: [] }],
    ["no taxes", { order: ORDER, order_details: [{ ...DETAIL, associations: { taxes: [] } }] }],
    ["zero dates", { ...WHOLE, order: { ...ORDER, date_upd: "0000-00-00 00:00:00" } }],
    [
      "a state in two languages",
      { ...WHOLE, order_state: { id: "2", template: [{ language: "payment" }, { language: "payment" }] } },
    ],
    ["another country", { ...WHOLE, country_invoice: { id: "8", iso_code: "FR" } }],
    ["its currency", { ...WHOLE, currency: { id: "1", iso_code: "USD", name: [{ language: "Dólar" }] } }],
  ];
  test.each(rows)("%s", (_, documents) => {
    const xml = readXml(prestashop(documents));
    expect(xml).toBeDefined();
    const json = JSON.parse(JSON.stringify(documents));
    expect(mapOrder(xml ?? {}, TABLES)).toEqual(mapOrder(json, TABLES));
  });

  test("and they are an order", () => {
    const { order } = mapOrder(readXml(prestashop(WHOLE)) ?? {}, TABLES);
    expect(order).toMatchObject({
      ...{ idExternal: "9004", total: "24.2", currency: "EUR", status: "2" },
      client: { firstName: "Ana", vatNumber: "12345678Z", country: "ES" },
      breakdown: [{ lineId: "1", name: "Té & más <b>", base: "20", taxRate: "21" }],
    });
  });
});

describe.skipIf(!hasPayloads)("payloads", () => {
  test("01: an order of the webservice, with rows and references", () => {
    const mapped = mapOrder(readXml(payloadText("prestashop_01")) ?? {}, TABLES);
    expect(mapped.order).toMatchObject({ idExternal: "5", reference: "KHWLILZLL", total: "71.51" });
    expect(mapped.order?.breakdown).toHaveLength(4);
    expect(mapped.missing).toEqual([]);
  });

  test("es: written as XML, it has the same facts", () => {
    const documents = payload("prestashop_es").value;
    const plain = JSON.parse(
      JSON.stringify(documents, (_, value) =>
        typeof value === "object" && value !== null && "source" in value ? value.source : value,
      ),
    );
    expect(mapOrder(readXml(prestashop(plain)) ?? {}, TABLES)).toEqual(mapOrder(plain, TABLES));
  });
});

describe("a delivery as XML", () => {
  const read = (xml: string, topic: "order" | "refund" = "order") =>
    readDelivered("prestashop", topic, bytes(xml));

  test("names its order", () => {
    expect(read(prestashop(WHOLE))).toMatchObject({ nativeId: "9004", orderId: "9004" });
    expect(read(`\uFEFF${prestashop(WHOLE)}`)).toMatchObject({ orderId: "9004" });
  });

  test("a slip alone names the order that it belongs to", () => {
    expect(read(prestashop({ order_slips: [SLIP] }), "refund")).toMatchObject({ orderId: "9004" });
  });

  test.each([
    ["no child", `${HEAD}<prestashop/>`],
    ["a document type", `${HEAD}<!DOCTYPE prestashop><prestashop><order><id>1</id></order></prestashop>`],
    [
      "an entity of its own",
      `${HEAD}<!DOCTYPE p [<!ENTITY x "1">]><prestashop><order><id>&x;</id></order></prestashop>`,
    ],
    ["an unknown entity", `${HEAD}<prestashop><order><id>&x;</id></order></prestashop>`],
    ["half a document", `${HEAD}<prestashop><order><id>1</id>`],
    ["a page", "<html><body>503</body></html>"],
    ["60 levels", `<prestashop>${"<a>".repeat(60)}${"</a>".repeat(60)}</prestashop>`],
    ["200,000 elements and no order", `<prestashop>${"<a/>".repeat(200_000)}</prestashop>`],
    ["no order", `${HEAD}<prestashop><order><id></id></order></prestashop>`],
  ])("%s is unreadable", (_, xml) => {
    expect(read(xml)).toBeUndefined();
  });

  test("an element with the name of a prototype is a member like any other", () => {
    const documents = readXml(
      "<prestashop><order><id>1</id><__proto__><id>2</id></__proto__></order></prestashop>",
    );
    expect(Object.getPrototypeOf(documents?.order)).toBe(Object.prototype);
    expect(Object.keys(documents?.order ?? {})).toEqual(["id", "__proto__"]);
  });

  test("another platform takes none", () => {
    const woo = readDelivered("woocommerce", "order", bytes(prestashop(WHOLE)));
    expect(woo).toBeUndefined();
  });
});
