import { present } from "../../shared/present.ts";
import type { Findings } from "../mapped.ts";
import { Native } from "../native.ts";

/** Whether a document is a node of GraphQL and not a resource of REST. */
export function isNode(document: Native): boolean {
  const isGlobal = document.at("id").text()?.startsWith("gid://") === true;
  return isGlobal || !document.at("legacyResourceId").isEmpty;
}

/** The `order` node of our query as the REST resource, so that one mapper reads both. */
export function restOrder(order: Native, findings: Findings): Native {
  tellPages(order, ["lineItems", "shippingLines", "discountApplications"], findings);
  const { value: transactions } = new Native(listOf(order, "transactions", transactionOf));
  return new Native(
    present({
      id: idOf(order),
      ...renamed(order, {
        name: "name",
        created_at: "createdAt",
        updated_at: "updatedAt",
        cancelled_at: "cancelledAt",
        test: "test",
        currency: "currencyCode",
        taxes_included: "taxesIncluded",
        duties_included: "dutiesIncluded",
        source_name: "sourceName",
        tags: "tags",
        payment_gateway_names: "paymentGatewayNames",
        email: "email",
        phone: "phone",
      }),
      financial_status: order.at("displayFinancialStatus").text(),
      location_id: idOf(order.at("retailLocation")),
      customer: present({
        id: idOf(order.at("customer")),
        ...renamed(order.at("customer"), { first_name: "firstName", last_name: "lastName" }),
      }),
      billing_address: addressOf(order.at("billingAddress")),
      shipping_address: addressOf(order.at("shippingAddress")),
      note_attributes: listOf(order, "customAttributes", (entry) =>
        renamed(entry, { name: "key", value: "value" }),
      ),
      localized_fields: listOf(order, "localizedFields", (entry) =>
        renamed(entry, { key: "key", value: "value" }),
      ),
      ...moneyOf(order, {
        total_price: "totalPriceSet",
        total_tax: "totalTaxSet",
        total_discounts: "totalDiscountsSet",
        total_tip_received: "totalTipReceivedSet",
        current_total_price: "currentTotalPriceSet",
        original_total_duties: "originalTotalDutiesSet",
        original_total_additional_fees: "originalTotalAdditionalFeesSet",
      }),
      tax_lines: listOf(order, "taxLines", taxLineOf),
      discount_applications: applicationsOf(order),
      line_items: listOf(order, "lineItems", (line) => ({
        ...renamed(line, {
          name: "name",
          quantity: "quantity",
          gift_card: "isGiftCard",
          requires_shipping: "requiresShipping",
        }),
        id: idOf(line),
        product_id: idOf(line.at("product")),
        ...moneyOf(line, { price: "originalUnitPriceSet" }),
        ...allocationsAndTaxes(line),
      })),
      shipping_lines: listOf(order, "shippingLines", (line) => ({
        ...renamed(line, { title: "title", is_removed: "isRemoved", delivery_category: "deliveryCategory" }),
        id: idOf(line),
        ...moneyOf(line, { price: "originalPriceSet" }),
        ...allocationsAndTaxes(line),
      })),
      transactions,
      refunds: listOf(order, "refunds", (refund) => restRefund(refund, findings).value),
    }),
  );
}

/** A `refund` node as the REST resource. */
export function restRefund(refund: Native, findings: Findings): Native {
  const id = idOf(refund);
  if (!refund.at("refundLineItems").isObject) findings.add("pages", id ?? refund.where);
  tellPages(refund, ["refundLineItems", "refundShippingLines", "orderAdjustments", "transactions"], findings);
  return new Native(
    present({
      id,
      ...renamed(refund, { created_at: "createdAt", note: "note" }),
      refund_line_items: listOf(refund, "refundLineItems", (line) => ({
        ...renamed(line, { quantity: "quantity" }),
        line_item_id: idOf(line.at("lineItem")),
        ...moneyOf(line, { subtotal: "subtotalSet", total_tax: "totalTaxSet" }),
      })),
      refund_shipping_lines: listOf(refund, "refundShippingLines", (line) => ({
        shipping_line_id: idOf(line.at("shippingLine")),
        ...moneyOf(line, { subtotal_amount: "subtotalAmountSet", tax_amount: "taxAmountSet" }),
      })),
      order_adjustments: listOf(refund, "orderAdjustments", (entry) => ({
        kind: entry.at("reason").text()?.toLowerCase(),
        ...moneyOf(entry, { amount: "amountSet", tax_amount: "taxAmountSet" }),
      })),
      transactions: listOf(refund, "transactions", transactionOf),
    }),
  );
}

/** The number of `gid://shopify/Order/1`, which is the id in REST. */
function idOf(node: Native): string | undefined {
  const number = /\/(\d+)(?:\?.*)?$/.exec(node.at("id").text() ?? "")?.[1];
  return node.at("legacyResourceId").id() ?? number ?? node.at("id").id();
}

/** The members under the names of REST; absent ones stay absent. */
function renamed(node: Native, names: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(names)
      .map(([rest, graph]) => [rest, node.at(graph).value] as const)
      .filter(([, value]) => value !== undefined),
  );
}

/** Money of the shop as `price_set` of REST. */
function moneyOf(node: Native, names: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(names)
      .map(([rest, graph]) => [rest, node.at(graph, "shopMoney")] as const)
      .filter(([, money]) => money.isObject)
      .map(([rest, money]) => [
        `${rest}_set`,
        { shop_money: { amount: money.at("amount").value, currency_code: money.at("currencyCode").value } },
      ]),
  );
}

/** A list or a connection; undefined where the answer has neither. */
function listOf<Entry>(node: Native, name: string, read: (entry: Native) => Entry): Entry[] | undefined {
  const place = node.at(name);
  if (place.isList) return place.items().map(read);
  if (place.at("nodes").isList) return place.at("nodes").items().map(read);
  if (!place.at("edges").isList) return undefined;
  return place
    .at("edges")
    .items()
    .map((edge) => read(edge.at("node")));
}

function tellPages(node: Native, connections: readonly string[], findings: Findings): void {
  for (const name of connections)
    if (node.at(name, "pageInfo", "hasNextPage").flag() === true) findings.add("pages", node.at(name).where);
}

function taxLineOf(line: Native): Record<string, unknown> {
  const percent = line.at("ratePercentage");
  const rate = percent.isEmpty ? { rate: line.at("rate").value } : { rate_percentage: percent.value };
  return { title: line.at("title").value, ...rate, ...moneyOf(line, { price: "priceSet" }) };
}

function allocationsAndTaxes(line: Native): Record<string, unknown> {
  return {
    discount_allocations: listOf(line, "discountAllocations", (allocation) => ({
      discount_application_index: allocation.at("discountApplication", "index").value,
      ...moneyOf(allocation, { amount: "allocatedAmountSet" }),
    })),
    tax_lines: listOf(line, "taxLines", taxLineOf),
  };
}

/** By their index, as allocations name them. */
function applicationsOf(order: Native): Record<string, unknown> {
  const entries = listOf(order, "discountApplications", (entry) => entry) ?? [];
  return Object.fromEntries(
    entries.map((entry, place) => [
      entry.at("index").text() ?? String(place),
      renamed(entry, { code: "code", title: "title" }),
    ]),
  );
}

function addressOf(address: Native): Record<string, unknown> | undefined {
  if (!address.isObject) return undefined;
  return renamed(address, {
    first_name: "firstName",
    last_name: "lastName",
    company: "company",
    address1: "address1",
    address2: "address2",
    city: "city",
    zip: "zip",
    country_code: "countryCodeV2",
    phone: "phone",
  });
}

function transactionOf(transaction: Native): Record<string, unknown> {
  return {
    id: idOf(transaction),
    kind: transaction.at("kind").text()?.toLowerCase(),
    status: transaction.at("status").text()?.toLowerCase(),
    ...renamed(transaction, {
      gateway: "gateway",
      test: "test",
      processed_at: "processedAt",
      created_at: "createdAt",
    }),
    ...moneyOf(transaction, { amount: "amountSet" }),
  };
}
