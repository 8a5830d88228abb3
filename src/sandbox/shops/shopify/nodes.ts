/** Orders and refunds of Shopify's REST as the nodes that its GraphQL answers. */
import { type Doc, docsOf, isDoc, listOf, member, textOf } from "../documents.ts";

export function gid(kind: string, id: unknown): string | null {
  const text = textOf(id);
  return text === undefined ? null : `gid://shopify/${kind}/${text}`;
}

/** Connections are kept as lists; the query cuts them into pages. */
export function orderNode(order: Doc): Doc {
  const currency = textOf(order.currency) ?? "";
  const bag = bagsIn(currency);
  return {
    id: gid("Order", order.id),
    legacyResourceId: textOf(order.id),
    name: order.name ?? null,
    createdAt: order.created_at ?? null,
    processedAt: order.processed_at ?? order.created_at ?? null,
    updatedAt: order.updated_at ?? null,
    cancelledAt: order.cancelled_at ?? null,
    test: order.test ?? false,
    currencyCode: currency,
    presentmentCurrencyCode: order.presentment_currency ?? currency,
    taxesIncluded: order.taxes_included ?? false,
    dutiesIncluded: order.duties_included ?? false,
    taxExempt: order.tax_exempt ?? false,
    displayFinancialStatus: upper(order.financial_status),
    displayFulfillmentStatus: upper(order.fulfillment_status) ?? "UNFULFILLED",
    sourceName: order.source_name ?? null,
    tags: tagsOf(order.tags),
    paymentGatewayNames: listOf(order.payment_gateway_names),
    email: order.email ?? null,
    phone: order.phone ?? null,
    note: order.note ?? null,
    retailLocation: ofId("Location", order.location_id),
    customer: customerNode(order.customer),
    billingAddress: addressNode(order.billing_address),
    shippingAddress: addressNode(order.shipping_address),
    customAttributes: pairsOf(order.note_attributes, "name"),
    localizedFields: pairsOf(order.localized_fields, "key"),
    totalPriceSet: bag(order, "total_price"),
    totalTaxSet: bag(order, "total_tax"),
    subtotalPriceSet: bag(order, "subtotal_price"),
    totalDiscountsSet: bag(order, "total_discounts"),
    totalTipReceivedSet: bag(order, "total_tip_received"),
    totalShippingPriceSet: bag(order, "total_shipping_price"),
    currentTotalPriceSet: bag(order, "current_total_price"),
    originalTotalDutiesSet: bag(order, "original_total_duties"),
    originalTotalAdditionalFeesSet: bag(order, "original_total_additional_fees"),
    taxLines: taxLinesOf(order, currency),
    discountApplications: docsOf(order.discount_applications).map(applicationNode),
    lineItems: docsOf(order.line_items).map((line) => lineNode(line, currency)),
    shippingLines: docsOf(order.shipping_lines).map((line) => shippingNode(line, currency)),
    transactions: docsOf(order.transactions).map((entry) => transactionNode(entry, currency)),
    refunds: docsOf(order.refunds).map((refund) => refundNode(refund, currency)),
  };
}

function lineNode(line: Doc, currency: string): Doc {
  return {
    id: gid("LineItem", line.id),
    name: line.name ?? line.title ?? null,
    title: line.title ?? null,
    sku: line.sku ?? null,
    quantity: line.quantity ?? null,
    isGiftCard: line.gift_card ?? false,
    requiresShipping: line.requires_shipping ?? null,
    taxable: line.taxable ?? null,
    product: ofId("Product", line.product_id),
    originalUnitPriceSet: bagsIn(currency)(line, "price"),
    discountAllocations: allocationsOf(line, currency),
    taxLines: taxLinesOf(line, currency),
  };
}

function shippingNode(line: Doc, currency: string): Doc {
  return {
    id: gid("ShippingLine", line.id),
    title: line.title ?? null,
    code: line.code ?? null,
    isRemoved: line.is_removed ?? false,
    deliveryCategory: line.delivery_category ?? null,
    originalPriceSet: bagsIn(currency)(line, "price"),
    discountAllocations: allocationsOf(line, currency),
    taxLines: taxLinesOf(line, currency),
  };
}

export function refundNode(refund: Doc, currency: string): Doc {
  const bag = bagsIn(currency);
  return {
    id: gid("Refund", refund.id),
    legacyResourceId: textOf(refund.id),
    createdAt: refund.created_at ?? null,
    note: refund.note ?? null,
    refundLineItems: docsOf(refund.refund_line_items).map((line) => ({
      quantity: line.quantity ?? null,
      lineItem: { id: gid("LineItem", line.line_item_id ?? member(line, "line_item", "id")) },
      subtotalSet: bag(line, "subtotal") ?? moneyBag(priceOf(line), currency),
      totalTaxSet: bag(line, "total_tax"),
    })),
    refundShippingLines: docsOf(refund.refund_shipping_lines).map((line) => ({
      id: gid("RefundShippingLine", line.id),
      shippingLine: { id: gid("ShippingLine", line.shipping_line_id ?? member(line, "shipping_line", "id")) },
      subtotalAmountSet: bag(line, "subtotal_amount") ?? bag(line, "subtotal"),
      taxAmountSet: bag(line, "tax_amount") ?? bag(line, "total_tax"),
    })),
    orderAdjustments: docsOf(refund.order_adjustments).map((entry) => ({
      id: gid("OrderAdjustment", entry.id),
      reason: upper(entry.kind),
      amountSet: bag(entry, "amount"),
      taxAmountSet: bag(entry, "tax_amount"),
    })),
    transactions: docsOf(refund.transactions).map((entry) => transactionNode(entry, currency)),
  };
}

export function transactionNode(entry: Doc, currency: string): Doc {
  return {
    id: gid("OrderTransaction", entry.id),
    kind: upper(entry.kind),
    status: upper(entry.status),
    gateway: entry.gateway ?? null,
    test: entry.test ?? false,
    processedAt: entry.processed_at ?? null,
    createdAt: entry.created_at ?? null,
    amountSet: bagsIn(textOf(entry.currency) ?? currency)(entry, "amount"),
  };
}

/** Documents of old versions have no subtotal: the price of the line times its quantity. */
function priceOf(line: Doc): string | undefined {
  const price = textOf(member(line, "line_item", "price"));
  const quantity = textOf(line.quantity);
  if (price === undefined || quantity === undefined || !/^-?\d+(\.\d+)?$/.test(price)) return undefined;
  const [whole = "0", part = ""] = price.split(".");
  const product = String(BigInt(whole + part) * BigInt(quantity)).padStart(part.length + 1, "0");
  const end = product.length - part.length;
  return part === "" ? product : `${product.slice(0, end)}.${product.slice(end)}`;
}

function moneyBag(amount: string | undefined, currencyCode: string): Doc | null {
  return amount === undefined ? null : { shopMoney: { amount, currencyCode } };
}

/** `price_set` with the shop's money, else `price`. */
function bagsIn(currency: string): (place: Doc, name: string) => Doc | null {
  return (place, name) => {
    const set = place[`${name}_set`];
    const amount = textOf(member(set, "shop_money", "amount")) ?? textOf(place[name]);
    const bag = moneyBag(amount, textOf(member(set, "shop_money", "currency_code")) ?? currency);
    const presentment = member(set, "presentment_money");
    if (!bag || !isDoc(presentment)) return bag;
    const { amount: shown, currency_code: currencyCode } = presentment;
    return { ...bag, presentmentMoney: { amount: textOf(shown), currencyCode } };
  };
}

function taxLinesOf(place: Doc, currency: string): readonly Doc[] {
  return docsOf(place.tax_lines).map((tax) => ({
    title: tax.title ?? null,
    rate: tax.rate ?? null,
    ratePercentage: percentOf(tax.rate),
    channelLiable: tax.channel_liable ?? null,
    priceSet: bagsIn(currency)(tax, "price"),
  }));
}

/** A hundred times the rate, with its digits. */
function percentOf(rate: unknown): unknown {
  const [, whole = "", part = ""] = /^(\d*)(?:\.(\d+))?$/.exec(textOf(rate) ?? "-") ?? [];
  if (whole + part === "") return null;
  const digits = part.padEnd(2, "0");
  const number = `${whole}${digits.slice(0, 2)}.${digits.slice(2)}`.replace(/\.?0*$/, (end) =>
    end.includes(".") ? "" : end,
  );
  return JSON.rawJSON(number.replace(/^0+(?=\d)/, ""));
}

function allocationsOf(line: Doc, currency: string): readonly Doc[] {
  return docsOf(line.discount_allocations).map((entry) => ({
    allocatedAmountSet: bagsIn(currency)(entry, "amount"),
    discountApplication: { index: entry.discount_application_index ?? 0 },
  }));
}

const APPLICATIONS: Readonly<Record<string, string>> = {
  discount_code: "DiscountCodeApplication",
  manual: "ManualDiscountApplication",
  automatic: "AutomaticDiscountApplication",
  script: "ScriptDiscountApplication",
};

function applicationNode(entry: Doc, index: number): Doc {
  const kind = textOf(entry.type) ?? (textOf(entry.code) === undefined ? "manual" : "discount_code");
  return {
    __typename: APPLICATIONS[kind] ?? "ManualDiscountApplication",
    index,
    code: entry.code ?? null,
    title: entry.title ?? entry.description ?? null,
    description: entry.description ?? null,
  };
}

function customerNode(customer: unknown): Doc | null {
  if (!isDoc(customer) || textOf(customer.id) === undefined) return null;
  return {
    id: gid("Customer", customer.id),
    legacyResourceId: textOf(customer.id),
    firstName: customer.first_name ?? null,
    lastName: customer.last_name ?? null,
  };
}

function addressNode(address: unknown): Doc | null {
  if (!isDoc(address)) return null;
  return {
    firstName: address.first_name ?? null,
    lastName: address.last_name ?? null,
    name: address.name ?? null,
    company: address.company ?? null,
    address1: address.address1 ?? null,
    address2: address.address2 ?? null,
    city: address.city ?? null,
    province: address.province ?? null,
    zip: address.zip ?? null,
    country: address.country ?? null,
    countryCodeV2: address.country_code ?? null,
    phone: address.phone ?? null,
  };
}

function ofId(kind: string, id: unknown): Doc | null {
  return textOf(id) === undefined ? null : { id: gid(kind, id), legacyResourceId: textOf(id) };
}

function pairsOf(entries: unknown, name: string): readonly Doc[] {
  return docsOf(entries).map((entry) => ({ key: entry[name] ?? null, value: entry.value ?? null }));
}

function tagsOf(tags: unknown): readonly unknown[] {
  if (Array.isArray(tags)) return tags;
  return (textOf(tags) ?? "")
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

function upper(value: unknown): string | null {
  return textOf(value)?.toUpperCase() ?? null;
}
