/**
 * The part of the Admin API's schema (2025-10) that the shop knows: types of fields by name. `""` is a leaf,
 * `[T]` a list, `T*` a connection of pages.
 */
export type TypeFields = Readonly<Record<string, string>>;

const leaves = (...names: readonly string[]): TypeFields =>
  Object.fromEntries(names.map((name) => [name, ""]));
const bags = (...names: readonly string[]): TypeFields =>
  Object.fromEntries(names.map((name) => [name, "MoneyBag"]));
const APPLICATION = leaves("index", "allocationMethod", "targetSelection", "targetType");

export const SCHEMA: Readonly<Record<string, TypeFields>> = {
  QueryRoot: {
    order: "Order",
    orders: "Order*",
    refund: "Refund",
    shop: "Shop",
    currentAppInstallation: "AppInstallation",
    webhookSubscription: "WebhookSubscription",
    webhookSubscriptions: "WebhookSubscription*",
  },
  Mutation: {
    webhookSubscriptionCreate: "WebhookPayload",
    webhookSubscriptionUpdate: "WebhookPayload",
    webhookSubscriptionDelete: "WebhookDeletePayload",
  },
  WebhookPayload: { webhookSubscription: "WebhookSubscription", userErrors: "[UserError]" },
  WebhookDeletePayload: { deletedWebhookSubscriptionId: "", userErrors: "[UserError]" },
  UserError: leaves("field", "message"),
  WebhookSubscription: {
    ...leaves("id", "legacyResourceId", "topic", "uri", "format", "createdAt", "updatedAt"),
    endpoint: "WebhookEndpoint",
  },
  WebhookEndpoint: leaves("__typename"),
  WebhookHttpEndpoint: leaves("callbackUrl"),
  Shop: {
    ...leaves("id", "name", "email", "myshopifyDomain", "currencyCode", "ianaTimezone", "timezoneOffset"),
    ...leaves("taxesIncluded", "taxShipping"),
    plan: "ShopPlan",
  },
  ShopPlan: leaves("publicDisplayName", "shopifyPlus", "partnerDevelopment"),
  AppInstallation: { ...leaves("id"), accessScopes: "[AccessScope]", app: "App" },
  App: leaves("id", "title", "apiKey"),
  AccessScope: leaves("handle", "description"),
  Order: {
    ...leaves(
      "id",
      "legacyResourceId",
      "name",
      "createdAt",
      "processedAt",
      "updatedAt",
      "cancelledAt",
      "test",
    ),
    ...leaves("currencyCode", "presentmentCurrencyCode", "taxesIncluded", "dutiesIncluded", "taxExempt"),
    ...leaves("displayFinancialStatus", "displayFulfillmentStatus", "sourceName", "tags", "note"),
    ...leaves("paymentGatewayNames", "email", "phone"),
    ...bags("totalPriceSet", "totalTaxSet", "subtotalPriceSet", "totalDiscountsSet", "totalTipReceivedSet"),
    ...bags("totalShippingPriceSet", "currentTotalPriceSet", "originalTotalDutiesSet"),
    ...bags("originalTotalAdditionalFeesSet"),
    retailLocation: "Location",
    customer: "Customer",
    billingAddress: "MailingAddress",
    shippingAddress: "MailingAddress",
    customAttributes: "[Attribute]",
    localizedFields: "LocalizedField*",
    taxLines: "[TaxLine]",
    discountApplications: "DiscountApplication*",
    lineItems: "LineItem*",
    shippingLines: "ShippingLine*",
    transactions: "[OrderTransaction]",
    refunds: "[Refund]",
  },
  Refund: {
    ...leaves("id", "legacyResourceId", "createdAt", "updatedAt", "note"),
    refundLineItems: "RefundLineItem*",
    refundShippingLines: "RefundShippingLine*",
    orderAdjustments: "OrderAdjustment*",
    transactions: "OrderTransaction*",
    order: "Order",
  },
  RefundLineItem: {
    ...leaves("id", "quantity"),
    lineItem: "LineItem",
    ...bags("subtotalSet", "totalTaxSet", "priceSet"),
  },
  RefundShippingLine: {
    ...leaves("id"),
    shippingLine: "ShippingLine",
    ...bags("subtotalAmountSet", "taxAmountSet"),
  },
  OrderAdjustment: { ...leaves("id", "reason"), ...bags("amountSet", "taxAmountSet") },
  OrderTransaction: {
    ...leaves("id", "kind", "status", "gateway", "test", "processedAt", "createdAt"),
    ...bags("amountSet"),
  },
  LineItem: {
    ...leaves("id", "name", "title", "sku", "quantity", "isGiftCard", "requiresShipping", "taxable"),
    product: "Product",
    ...bags("originalUnitPriceSet"),
    discountAllocations: "[DiscountAllocation]",
    taxLines: "[TaxLine]",
  },
  ShippingLine: {
    ...leaves("id", "title", "code", "isRemoved", "deliveryCategory"),
    ...bags("originalPriceSet"),
    discountAllocations: "[DiscountAllocation]",
    taxLines: "[TaxLine]",
  },
  DiscountAllocation: { ...bags("allocatedAmountSet"), discountApplication: "DiscountApplication" },
  DiscountApplication: APPLICATION,
  DiscountCodeApplication: { ...APPLICATION, ...leaves("code") },
  ManualDiscountApplication: { ...APPLICATION, ...leaves("title", "description") },
  AutomaticDiscountApplication: { ...APPLICATION, ...leaves("title") },
  ScriptDiscountApplication: { ...APPLICATION, ...leaves("title") },
  TaxLine: { ...leaves("title", "rate", "ratePercentage", "channelLiable"), ...bags("priceSet") },
  MoneyBag: { shopMoney: "MoneyV2", presentmentMoney: "MoneyV2" },
  MoneyV2: leaves("amount", "currencyCode"),
  MailingAddress: {
    ...leaves("firstName", "lastName", "name", "company", "address1", "address2", "city", "province", "zip"),
    ...leaves("country", "countryCodeV2", "phone"),
  },
  Customer: leaves("id", "legacyResourceId", "firstName", "lastName"),
  Location: leaves("id", "legacyResourceId", "name"),
  Product: leaves("id", "legacyResourceId", "title"),
  Attribute: leaves("key", "value"),
  LocalizedField: leaves("key", "value", "title", "purpose", "countryCode"),
};
