/** Orders as each platform says them: one sale of two pieces at 21 %, of which one may come back. */
import type { ShopPlatform } from "../../../../src/domain/shop/presets.ts";

/** Of the sale 20.00 + 4.20; a piece is half of it. */
export const SOLD_TOTAL = "24.20";

export type NativeStatus = "waiting" | "paid" | "cancelled";

/** An order as its shop has it. */
export interface NativeOrder {
  /** Digits, at most 15, so that it is a number in JSON. */
  readonly id: string;
  readonly orderedAt: number;
  readonly modifiedAt: number;
  readonly status: NativeStatus;
  /** One of the two pieces has come back. */
  readonly isRefunded?: boolean;
}

type Doc = Readonly<Record<string, unknown>>;

/** A document to put into the stand-in under `/{resource}/{id}`. */
export interface NativePut {
  readonly resource: string;
  readonly id: string;
  readonly document: Doc;
}

interface NativeForm {
  /** The order, and what belongs to it. */
  puts(order: NativeOrder): readonly NativePut[];
  /** The body of a webhook that sends the whole document. */
  posted(order: NativeOrder): Doc;
  readonly topic: string;
}

const utc = (at: number) => new Date(at).toISOString().slice(0, 19);
const spaced = (at: number) => utc(at).replace("T", " ");
/** PrestaShop writes the time of its own zone. */
const madrid = (at: number) =>
  new Date(at).toLocaleString("sv-SE", { timeZone: "Europe/Madrid", hour12: false }).replace(",", "");
const numbered = ({ id }: NativeOrder, place: number) => Number(id) * 10 + place;

const PERSON = {
  ...{ first_name: "Ana", last_name: "Ejemplo", company: "", address_1: "Calle Mayor 1" },
  ...{ city: "Madrid", postcode: "28013", country: "ES", email: "ana@cliente.es" },
};

const WOO_STATUS = { waiting: "pending", paid: "processing", cancelled: "cancelled" } as const;

function wooOrder(order: NativeOrder): Doc {
  const { id, orderedAt, modifiedAt, status, isRefunded } = order;
  return {
    ...{ id: Number(id), number: id, status: WOO_STATUS[status], currency: "EUR", version: "9.9.5" },
    date_created_gmt: utc(orderedAt),
    date_modified_gmt: utc(modifiedAt),
    date_paid_gmt: status === "paid" ? utc(orderedAt) : null,
    ...{ discount_total: "0.00", discount_tax: "0.00", shipping_total: "0.00", shipping_tax: "0.00" },
    ...{ total: SOLD_TOTAL, total_tax: "4.20", prices_include_tax: false, customer_id: 0 },
    ...{ billing: PERSON, shipping: PERSON, meta_data: [], shipping_lines: [], fee_lines: [] },
    line_items: [
      {
        ...{ id: numbered(order, 1), name: "Café en grano", product_id: 5, quantity: 2 },
        ...{ subtotal: "20.00", subtotal_tax: "4.20", total: "20.00", total_tax: "4.20", meta_data: [] },
        taxes: [{ id: 1, total: "4.20", subtotal: "4.20" }],
      },
    ],
    tax_lines: [
      {
        ...{ id: numbered(order, 2), rate_code: "ES-IVA-1", rate_id: 1, label: "IVA", rate_percent: 21 },
        ...{ tax_total: "4.20", shipping_tax_total: "0.00" },
      },
    ],
    coupon_lines: [],
    refunds: isRefunded ? [{ id: numbered(order, 5), reason: "", total: "-12.10" }] : [],
  };
}

function wooRefund(order: NativeOrder): Doc {
  return {
    ...{ id: numbered(order, 5), reason: "", amount: "12.10", date_created_gmt: utc(order.modifiedAt) },
    line_items: [
      {
        ...{ id: numbered(order, 6), name: "Café en grano", product_id: 5, quantity: -1 },
        ...{ subtotal: "-10.00", subtotal_tax: "-2.10", total: "-10.00", total_tax: "-2.10" },
        taxes: [{ id: 1, total: "-2.10", subtotal: "-2.10" }],
        meta_data: [{ id: 1, key: "_refunded_item_id", value: String(numbered(order, 1)) }],
      },
    ],
    ...{ shipping_lines: [], tax_lines: [], fee_lines: [], meta_data: [] },
  };
}

const SHOPIFY_STATUS = { waiting: "pending", paid: "paid", cancelled: "voided" } as const;

function shopifyOrder(order: NativeOrder): Doc {
  const { id, orderedAt, modifiedAt, status, isRefunded } = order;
  const address = {
    ...{ first_name: "Ana", last_name: "Ejemplo", address1: "Calle Mayor 1", city: "Madrid" },
    ...{ zip: "28013", country_code: "ES" },
  };
  const tax = { title: "IVA", rate: 0.21, price: "4.20" };
  return {
    ...{ id: Number(id), name: `#${id}`, currency: "EUR", taxes_included: false, test: false },
    ...{ created_at: `${utc(orderedAt)}Z`, updated_at: `${utc(modifiedAt)}Z`, source_name: "web" },
    financial_status: isRefunded ? "partially_refunded" : SHOPIFY_STATUS[status],
    cancelled_at: status === "cancelled" ? `${utc(modifiedAt)}Z` : null,
    ...{ total_price: SOLD_TOTAL, total_tax: "4.20", total_discounts: "0.00", tags: "" },
    ...{ billing_address: address, shipping_address: address, payment_gateway_names: ["card"] },
    line_items: [
      {
        ...{ id: numbered(order, 1), title: "Café en grano", name: "Café en grano", quantity: 2 },
        ...{ price: "10.00", gift_card: false, requires_shipping: true, discount_allocations: [] },
        tax_lines: [tax],
      },
    ],
    ...{ tax_lines: [tax], shipping_lines: [], discount_applications: [], note_attributes: [] },
    refunds: isRefunded ? [shopifyRefund(order)] : [],
  };
}

function shopifyRefund(order: NativeOrder): Doc {
  const at = `${utc(order.modifiedAt)}Z`;
  return {
    ...{ id: numbered(order, 5), order_id: Number(order.id), created_at: at, note: "" },
    refund_line_items: [
      {
        ...{ id: numbered(order, 6), line_item_id: numbered(order, 1), quantity: 1 },
        ...{ subtotal: "10.00", total_tax: "2.10" },
      },
    ],
    ...{ refund_shipping_lines: [], order_adjustments: [] },
    transactions: [
      {
        ...{ id: numbered(order, 7), kind: "refund", status: "success", gateway: "card" },
        ...{ amount: "12.10", currency: "EUR", created_at: at, processed_at: at },
      },
    ],
  };
}

const PRESTASHOP_STATE = { waiting: "10", paid: "2", cancelled: "6" } as const;

function prestashopOrder(order: NativeOrder): Doc {
  const { id, orderedAt, modifiedAt, status } = order;
  return {
    ...{ id: Number(id), reference: `P${id}`, id_customer: "0", id_currency: "1", id_lang: "1" },
    ...{
      id_shop: "1",
      id_address_invoice: String(numbered(order, 3)),
      current_state: PRESTASHOP_STATE[status],
    },
    id_address_delivery: String(numbered(order, 3)),
    ...{ date_add: madrid(orderedAt), date_upd: madrid(modifiedAt), valid: status === "paid" ? "1" : "0" },
    ...{ total_products: "20.000000", total_products_wt: "24.200000", conversion_rate: "1.000000" },
    ...{ total_discounts_tax_incl: "0.000000", total_discounts_tax_excl: "0.000000" },
    ...{
      total_shipping_tax_incl: "0.000000",
      total_shipping_tax_excl: "0.000000",
      carrier_tax_rate: "0.000",
    },
    ...{ total_wrapping_tax_incl: "0.000000", total_wrapping_tax_excl: "0.000000" },
    ...{ total_paid_tax_incl: "24.200000", total_paid_tax_excl: "20.000000" },
    total_paid_real: status === "paid" ? "24.200000" : "0.000000",
    associations: {
      order_rows: [
        {
          ...{ id: String(numbered(order, 1)), product_id: "5", product_name: "Café en grano" },
          ...{ product_quantity: "2", product_price: "10.000000" },
          ...{ unit_price_tax_excl: "10.000000", unit_price_tax_incl: "12.100000" },
        },
      ],
    },
  };
}

function prestashopAddress(order: NativeOrder): Doc {
  return {
    ...{ id: String(numbered(order, 3)), firstname: "Ana", lastname: "Ejemplo", company: "" },
    ...{ address1: "Calle Mayor 1", postcode: "28013", city: "Madrid", id_country: "6" },
    ...{ dni: "", vat_number: "" },
  };
}

function prestashopSlip(order: NativeOrder): Doc {
  const at = madrid(order.modifiedAt);
  return {
    ...{ id: String(numbered(order, 5)), id_order: order.id, date_add: at, date_upd: at },
    ...{ amount: "12.100000", shipping_cost: "0", shipping_cost_amount: "0.000000" },
    ...{ total_products_tax_excl: "10.000000", total_products_tax_incl: "12.100000" },
    ...{ total_shipping_tax_excl: "0.000000", total_shipping_tax_incl: "0.000000" },
    associations: {
      order_slip_details: [
        {
          ...{ id: "1", id_order_detail: String(numbered(order, 1)), product_quantity: "1" },
          ...{ amount_tax_excl: "10.000000", amount_tax_incl: "12.100000" },
        },
      ],
    },
  };
}

const MAGENTO_STATE = { waiting: "new", paid: "processing", cancelled: "canceled" } as const;

function magentoOrder(order: NativeOrder): Doc {
  const { id, orderedAt, modifiedAt, status } = order;
  return {
    ...{ entity_id: Number(id), increment_id: `M${id}`, store_id: 1, order_currency_code: "EUR" },
    ...{ state: MAGENTO_STATE[status], status: MAGENTO_STATE[status], base_currency_code: "EUR" },
    ...{ created_at: spaced(orderedAt), updated_at: spaced(modifiedAt), customer_is_guest: 1 },
    ...{ subtotal: 20, discount_amount: 0, discount_tax_compensation_amount: 0, shipping_amount: 0 },
    ...{ shipping_tax_amount: 0, tax_amount: 4.2, grand_total: 24.2 },
    ...(status === "paid" ? { total_paid: 24.2 } : {}),
    items: [
      {
        ...{ item_id: numbered(order, 1), product_type: "simple", sku: "CAF", name: "Café en grano" },
        ...{ qty_ordered: 2, price: 10, price_incl_tax: 12.1, row_total: 20, row_total_incl_tax: 24.2 },
        ...{ tax_percent: 21, tax_amount: 4.2, discount_amount: 0, discount_tax_compensation_amount: 0 },
      },
    ],
    billing_address: {
      ...{ firstname: "Ana", lastname: "Ejemplo", street: ["Calle Mayor 1"], city: "Madrid" },
      ...{ postcode: "28013", country_id: "ES" },
    },
    extension_attributes: {
      applied_taxes: [{ code: "IVA 21", title: "IVA", percent: 21, amount: 4.2, base_amount: 4.2 }],
    },
  };
}

function magentoMemo(order: NativeOrder): Doc {
  return {
    ...{ entity_id: numbered(order, 5), increment_id: `C${order.id}`, order_id: Number(order.id) },
    ...{ order_currency_code: "EUR", created_at: spaced(order.modifiedAt), shipping_amount: 0 },
    ...{ subtotal: 10, discount_amount: 0, discount_tax_compensation_amount: 0, tax_amount: 2.1 },
    ...{ adjustment: 0, adjustment_positive: 0, adjustment_negative: 0, grand_total: 12.1 },
    items: [
      {
        ...{ entity_id: numbered(order, 6), order_item_id: numbered(order, 1), sku: "CAF", qty: 1 },
        ...{ price: 10, price_incl_tax: 12.1, row_total: 10, row_total_incl_tax: 12.1, tax_amount: 2.1 },
        ...{ discount_amount: 0, discount_tax_compensation_amount: 0 },
      },
    ],
  };
}

function whole(resource: string, order: NativeOrder, document: Doc): NativePut {
  return { resource, id: order.id, document };
}

function also(order: NativeOrder, refund: () => NativePut): readonly NativePut[] {
  return order.isRefunded ? [refund()] : [];
}

export const NATIVE_FORMS: Readonly<Record<ShopPlatform, NativeForm>> = {
  woocommerce: {
    topic: "order.updated",
    // The refund first: the order that names it is then never without its document.
    puts: (order) => [
      ...also(order, () => ({ resource: "refunds", id: order.id, document: wooRefund(order) })),
      whole("orders", order, wooOrder({ ...order, isRefunded: false })),
    ],
    posted: wooOrder,
  },
  shopify: {
    topic: "orders/updated",
    puts: (order) => [whole("orders", order, shopifyOrder(order))],
    posted: shopifyOrder,
  },
  prestashop: {
    topic: "order",
    puts: (order) => [
      whole("orders", order, { order: prestashopOrder(order), address_invoice: prestashopAddress(order) }),
      ...also(order, () => {
        const slip = prestashopSlip(order);
        return { resource: "order_slip", id: String(slip.id), document: slip };
      }),
    ],
    posted: (order) => ({
      documents: {
        ...{ order: prestashopOrder(order), address_invoice: prestashopAddress(order) },
        ...(order.isRefunded ? { order_slips: [prestashopSlip(order)] } : {}),
      },
    }),
  },
  magento: {
    topic: "order",
    puts: (order) => [
      whole("orders", order, magentoOrder(order)),
      ...also(order, () => {
        const memo = magentoMemo(order);
        return { resource: "creditmemos", id: String(memo.entity_id), document: memo };
      }),
    ],
    posted: (order) => ({
      documents: {
        order: magentoOrder(order),
        ...(order.isRefunded ? { creditmemos: [magentoMemo(order)] } : {}),
      },
    }),
  },
};
