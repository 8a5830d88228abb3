/** REST resources of Shopify as the nodes that its GraphQL would answer to our queries. */
import type { Native } from "../../../src/domain/shop/native.ts";

type Node = Record<string, unknown>;

const connection = (nodes: readonly unknown[]) => ({
  nodes,
  pageInfo: { hasNextPage: false, endCursor: null },
});
const gid = (kind: string, id: Native) => `gid://shopify/${kind}/${id.text()}`;
const list = <Entry>(place: Native, name: string, read: (entry: Native) => Entry) =>
  place.at(name).items().map(read);

function bag(place: Native, name: string, currency: string): Node | null {
  const amount = place.first(`${name}_set.shop_money.amount`, name);
  return amount.isEmpty ? null : { shopMoney: { amount: amount.text(), currencyCode: currency } };
}

export function orderNode(order: Native): Node {
  const currency = order.at("currency").text() ?? "";
  const taxLines = (place: Native) =>
    list(place, "tax_lines", (tax) => ({
      title: tax.at("title").value,
      rate: tax.at("rate").value,
      ratePercentage: null,
      priceSet: bag(tax, "price", currency),
    }));
  const allocations = (place: Native) =>
    list(place, "discount_allocations", (entry) => ({
      allocatedAmountSet: bag(entry, "amount", currency),
      discountApplication: { index: entry.at("discount_application_index").value },
    }));
  return {
    id: gid("Order", order.at("id")),
    legacyResourceId: order.at("id").text(),
    name: order.at("name").value,
    createdAt: order.at("created_at").value,
    updatedAt: order.at("updated_at").value,
    cancelledAt: order.at("cancelled_at").value,
    test: order.at("test").value,
    currencyCode: currency,
    taxesIncluded: order.at("taxes_included").value,
    dutiesIncluded: order.at("duties_included").value ?? false,
    displayFinancialStatus: order.at("financial_status").text()?.toUpperCase(),
    sourceName: order.at("source_name").value,
    tags: order.at("tags").text()?.split(", ") ?? [],
    paymentGatewayNames: order.at("payment_gateway_names").value,
    email: order.at("email").value,
    phone: order.at("phone").value,
    retailLocation: order.at("location_id").isEmpty
      ? null
      : { legacyResourceId: order.at("location_id").text() },
    customer: order.at("customer").isObject
      ? {
          legacyResourceId: order.at("customer", "id").text(),
          firstName: order.at("customer", "first_name").value,
          lastName: order.at("customer", "last_name").value,
        }
      : null,
    billingAddress: addressNode(order.at("billing_address")),
    shippingAddress: addressNode(order.at("shipping_address")),
    customAttributes: list(order, "note_attributes", (entry) => ({
      key: entry.at("name").value,
      value: entry.at("value").value,
    })),
    localizedFields: connection([]),
    totalPriceSet: bag(order, "total_price", currency),
    totalTaxSet: bag(order, "total_tax", currency),
    totalDiscountsSet: bag(order, "total_discounts", currency),
    totalTipReceivedSet: bag(order, "total_tip_received", currency),
    currentTotalPriceSet: bag(order, "current_total_price", currency),
    originalTotalDutiesSet: bag(order, "original_total_duties", currency),
    originalTotalAdditionalFeesSet: bag(order, "original_total_additional_fees", currency),
    taxLines: taxLines(order),
    discountApplications: connection(
      list(order, "discount_applications", (entry) => entry).map((entry, index) => ({
        index,
        ...(entry.at("code").isEmpty ? {} : { code: entry.at("code").value }),
        title: entry.first("title", "description").value,
      })),
    ),
    lineItems: connection(
      list(order, "line_items", (line) => ({
        id: gid("LineItem", line.at("id")),
        name: line.at("name").value,
        quantity: line.at("quantity").value,
        isGiftCard: line.at("gift_card").value,
        requiresShipping: line.at("requires_shipping").value,
        product: line.at("product_id").isEmpty ? null : { legacyResourceId: line.at("product_id").text() },
        originalUnitPriceSet: bag(line, "price", currency),
        discountAllocations: allocations(line),
        taxLines: taxLines(line),
      })),
    ),
    shippingLines: connection(
      list(order, "shipping_lines", (line) => ({
        id: gid("ShippingLine", line.at("id")),
        title: line.at("title").value,
        isRemoved: line.at("is_removed").value ?? false,
        originalPriceSet: bag(line, "price", currency),
        discountAllocations: allocations(line),
        taxLines: taxLines(line),
      })),
    ),
    transactions: list(order, "transactions", (entry) => transactionNode(entry, currency)),
    refunds: list(order, "refunds", (refund) => refundNode(refund, currency)),
  };
}

export function refundNode(refund: Native, currency: string): Node {
  return {
    id: gid("Refund", refund.at("id")),
    legacyResourceId: refund.at("id").text(),
    createdAt: refund.at("created_at").value,
    note: refund.at("note").value,
    refundLineItems: connection(
      list(refund, "refund_line_items", (line) => ({
        quantity: line.at("quantity").value,
        lineItem: { id: gid("LineItem", line.at("line_item_id")) },
        subtotalSet: bag(line, "subtotal", currency),
        totalTaxSet: bag(line, "total_tax", currency),
      })),
    ),
    refundShippingLines: connection(
      list(refund, "refund_shipping_lines", (line) => ({
        shippingLine: { id: gid("ShippingLine", line.at("shipping_line", "id")) },
        subtotalAmountSet: bag(line, "subtotal_amount", currency),
        taxAmountSet: bag(line, "tax_amount", currency),
      })),
    ),
    orderAdjustments: connection(
      list(refund, "order_adjustments", (entry) => ({
        reason: entry.at("kind").text()?.toUpperCase(),
        amountSet: bag(entry, "amount", currency),
        taxAmountSet: bag(entry, "tax_amount", currency),
      })),
    ),
    transactions: connection(list(refund, "transactions", (entry) => transactionNode(entry, currency))),
  };
}

function transactionNode(entry: Native, currency: string): Node {
  return {
    id: gid("OrderTransaction", entry.at("id")),
    kind: entry.at("kind").text()?.toUpperCase(),
    status: entry.at("status").text()?.toUpperCase(),
    gateway: entry.at("gateway").value,
    test: entry.at("test").value,
    processedAt: entry.at("processed_at").value,
    createdAt: entry.at("created_at").value,
    amountSet: bag(entry, "amount", currency),
  };
}

function addressNode(address: Native): Node | null {
  if (!address.isObject) return null;
  return {
    firstName: address.at("first_name").value,
    lastName: address.at("last_name").value,
    company: address.at("company").value,
    address1: address.at("address1").value,
    address2: address.at("address2").value,
    city: address.at("city").value,
    zip: address.at("zip").value,
    countryCodeV2: address.at("country_code").value,
    phone: address.at("phone").value,
  };
}
