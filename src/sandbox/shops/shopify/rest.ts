/** Nodes of Shopify's GraphQL as the resources that its webhooks send. */
import { type Doc, docsOf, isDoc, listOf, member, numberOf, present, textOf } from "../documents.ts";

/** The number at the end of `gid://shopify/Order/1`. */
export function idOf(node: unknown): string | undefined {
  const legacy = textOf(member(node, "legacyResourceId"));
  return legacy ?? /\/(\d+)(?:\?.*)?$/.exec(textOf(member(node, "id")) ?? "")?.[1];
}

/** A connection of nodes or of edges, or a list. */
export function nodesIn(value: unknown): readonly Doc[] {
  if (Array.isArray(value)) return docsOf(value);
  const edges = docsOf(member(value, "edges")).map((edge) => edge.node);
  return docsOf(member(value, "nodes") ?? edges);
}

const CONNECTIONS = {
  order: ["lineItems", "shippingLines", "discountApplications", "localizedFields", "refunds", "transactions"],
  refund: ["refundLineItems", "refundShippingLines", "orderAdjustments", "transactions"],
} as const;

/** A node as it was put, with its connections as lists. */
export function plainNode(kind: keyof typeof CONNECTIONS, node: Doc): Doc {
  const lists = CONNECTIONS[kind].map((name) => [name, nodesIn(node[name])] as const);
  const plain: Doc = { ...node, ...Object.fromEntries(lists) };
  if (kind === "refund") return plain;
  return {
    ...plain,
    refunds: docsOf(plain.refunds).map((refund) => plainNode("refund", refund)),
    discountApplications: docsOf(plain.discountApplications).map((entry, index) => ({
      __typename: textOf(entry.code) === undefined ? "ManualDiscountApplication" : "DiscountCodeApplication",
      index,
      ...entry,
    })),
  };
}

export function restOrder(node: Doc): Doc {
  const id = idOf(node);
  return present({
    id: id === undefined ? undefined : numberOf(id),
    admin_graphql_api_id: node.id,
    name: node.name,
    created_at: node.createdAt,
    processed_at: node.processedAt,
    updated_at: node.updatedAt,
    cancelled_at: node.cancelledAt,
    test: node.test,
    currency: node.currencyCode,
    presentment_currency: node.presentmentCurrencyCode,
    taxes_included: node.taxesIncluded,
    duties_included: node.dutiesIncluded,
    financial_status: textOf(node.displayFinancialStatus)?.toLowerCase(),
    source_name: node.sourceName,
    tags: listOf(node.tags).map(textOf).join(", "),
    payment_gateway_names: node.paymentGatewayNames,
    email: node.email,
    phone: node.phone,
    note: node.note,
    location_id: numberIn(node.retailLocation),
    customer: customerOf(node.customer),
    billing_address: addressOf(node.billingAddress),
    shipping_address: addressOf(node.shippingAddress),
    note_attributes: docsOf(node.customAttributes).map(({ key, value }) => ({ name: key, value })),
    localized_fields: docsOf(node.localizedFields).map(({ key, value }) => ({ key, value })),
    ...moneyOf("total_price", node.totalPriceSet),
    ...moneyOf("total_tax", node.totalTaxSet),
    ...moneyOf("total_discounts", node.totalDiscountsSet),
    ...moneyOf("total_tip_received", node.totalTipReceivedSet),
    ...moneyOf("current_total_price", node.currentTotalPriceSet),
    ...moneyOf("original_total_duties", node.originalTotalDutiesSet),
    ...moneyOf("original_total_additional_fees", node.originalTotalAdditionalFeesSet),
    tax_lines: taxLinesOf(node),
    discount_applications: docsOf(node.discountApplications).map(({ code, title, __typename: type }) =>
      present({ type: type === "DiscountCodeApplication" ? "discount_code" : "manual", code, title }),
    ),
    line_items: docsOf(node.lineItems).map((line) => ({
      ...present({
        id: numberIn(line),
        name: line.name,
        title: line.title ?? line.name,
        quantity: line.quantity,
        gift_card: line.isGiftCard,
        requires_shipping: line.requiresShipping,
        product_id: numberIn(line.product),
        ...moneyOf("price", line.originalUnitPriceSet),
      }),
      ...allocationsAndTaxes(line),
    })),
    shipping_lines: docsOf(node.shippingLines).map((line) => ({
      ...present({
        id: numberIn(line),
        title: line.title,
        is_removed: line.isRemoved,
        delivery_category: line.deliveryCategory,
        ...moneyOf("price", line.originalPriceSet),
      }),
      ...allocationsAndTaxes(line),
    })),
    refunds: docsOf(node.refunds).map((refund) => restRefund(refund, id)),
  });
}

export function restRefund(node: Doc, orderId: string | undefined): Doc {
  return present({
    id: numberIn(node),
    order_id: orderId === undefined ? undefined : numberOf(orderId),
    created_at: node.createdAt,
    note: node.note,
    refund_line_items: docsOf(node.refundLineItems).map((line) =>
      present({
        quantity: line.quantity,
        line_item_id: numberIn(line.lineItem),
        ...moneyOf("subtotal", line.subtotalSet),
        ...moneyOf("total_tax", line.totalTaxSet),
      }),
    ),
    refund_shipping_lines: docsOf(node.refundShippingLines).map((line) =>
      present({
        shipping_line: present({ id: numberIn(line.shippingLine) }),
        ...moneyOf("subtotal_amount", line.subtotalAmountSet),
        ...moneyOf("tax_amount", line.taxAmountSet),
      }),
    ),
    order_adjustments: docsOf(node.orderAdjustments).map((entry) =>
      present({
        kind: textOf(entry.reason)?.toLowerCase(),
        ...moneyOf("amount", entry.amountSet),
        ...moneyOf("tax_amount", entry.taxAmountSet),
      }),
    ),
    transactions: docsOf(node.transactions).map(restTransaction),
  });
}

function restTransaction(node: Doc): Doc {
  return present({
    id: numberIn(node),
    kind: textOf(node.kind)?.toLowerCase(),
    status: textOf(node.status)?.toLowerCase(),
    gateway: node.gateway,
    test: node.test,
    processed_at: node.processedAt,
    created_at: node.createdAt,
    amount: textOf(member(node.amountSet, "shopMoney", "amount")),
    currency: member(node.amountSet, "shopMoney", "currencyCode"),
  });
}

function numberIn(node: unknown): unknown {
  const id = isDoc(node) ? idOf(node) : undefined;
  return id === undefined ? undefined : numberOf(id);
}

/** `price` and `price_set`. */
function moneyOf(name: string, set: unknown): Doc {
  const money = member(set, "shopMoney");
  if (!isDoc(money)) return {};
  const shop = { amount: textOf(money.amount), currency_code: money.currencyCode };
  const shown = member(set, "presentmentMoney");
  const presentment = isDoc(shown)
    ? { amount: textOf(shown.amount), currency_code: shown.currencyCode }
    : shop;
  return { [name]: shop.amount, [`${name}_set`]: { shop_money: shop, presentment_money: presentment } };
}

function taxLinesOf(node: Doc): readonly Doc[] {
  return docsOf(node.taxLines).map((tax) =>
    present({ title: tax.title, rate: rateOf(tax), ...moneyOf("price", tax.priceSet) }),
  );
}

/** The rate itself, or a hundredth of the percentage with its digits. */
function rateOf({ rate, ratePercentage }: Doc): unknown {
  const percent = textOf(ratePercentage);
  if (textOf(rate) !== undefined || percent === undefined) return rate;
  const [whole = "", part = ""] = percent.split(".");
  const digits = whole.padStart(3, "0");
  return JSON.rawJSON(`${Number(digits.slice(0, -2))}.${digits.slice(-2)}${part}`);
}

function allocationsAndTaxes(line: Doc): Doc {
  return {
    discount_allocations: docsOf(line.discountAllocations).map((entry) =>
      present({
        discount_application_index: member(entry, "discountApplication", "index"),
        ...moneyOf("amount", entry.allocatedAmountSet),
      }),
    ),
    tax_lines: taxLinesOf(line),
  };
}

function customerOf(node: unknown): Doc | undefined {
  if (!isDoc(node)) return undefined;
  return present({ id: numberIn(node), first_name: node.firstName, last_name: node.lastName });
}

function addressOf(node: unknown): Doc | undefined {
  if (!isDoc(node)) return undefined;
  return present({
    first_name: node.firstName,
    last_name: node.lastName,
    company: node.company,
    address1: node.address1,
    address2: node.address2,
    city: node.city,
    zip: node.zip,
    country_code: node.countryCodeV2,
    phone: node.phone,
  });
}
