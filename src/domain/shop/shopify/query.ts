/**
 * The queries for one order of Shopify's Admin API (GraphQL). There are two, because lines and refunds cost
 * more than the 1,000 points of one query. The fetcher makes one `order` node of their answers.
 *
 * `lineItems.nodes` has the lines of all pages. Each entry of `refunds` is the answer of `REFUND_QUERY`. A
 * page or a refund that is left out is told as missing.
 */
export const SHOPIFY_API_VERSION = "2025-10";

const MONEY = "{ shopMoney { amount currencyCode } }";
const TAX_LINES = `taxLines { title rate ratePercentage priceSet ${MONEY} }`;
const ALLOCATIONS = `discountAllocations { allocatedAmountSet ${MONEY} discountApplication { index } }`;
const TRANSACTION = `id kind status gateway test processedAt createdAt amountSet ${MONEY}`;
const ADDRESS = "firstName lastName company address1 address2 city zip countryCodeV2 phone";

/** Variables: `id` of an order (`gid://shopify/Order/1`), and `lines`, the cursor of a page or null. */
export const ORDER_QUERY = `query Order($id: ID!, $lines: String) {
  order(id: $id) {
    id legacyResourceId name createdAt updatedAt cancelledAt test
    currencyCode taxesIncluded dutiesIncluded displayFinancialStatus sourceName tags paymentGatewayNames
    email phone
    retailLocation { legacyResourceId }
    customer { legacyResourceId firstName lastName }
    billingAddress { ${ADDRESS} }
    shippingAddress { ${ADDRESS} }
    customAttributes { key value }
    localizedFields(first: 10) { nodes { key value } }
    totalPriceSet ${MONEY}
    totalTaxSet ${MONEY}
    totalDiscountsSet ${MONEY}
    totalTipReceivedSet ${MONEY}
    currentTotalPriceSet ${MONEY}
    originalTotalDutiesSet ${MONEY}
    originalTotalAdditionalFeesSet ${MONEY}
    ${TAX_LINES}
    discountApplications(first: 20) {
      nodes {
        index
        ... on DiscountCodeApplication { code }
        ... on ManualDiscountApplication { title }
        ... on AutomaticDiscountApplication { title }
        ... on ScriptDiscountApplication { title }
      }
      pageInfo { hasNextPage endCursor }
    }
    lineItems(first: 25, after: $lines) {
      nodes {
        id name quantity isGiftCard requiresShipping
        product { legacyResourceId }
        originalUnitPriceSet ${MONEY}
        ${ALLOCATIONS}
        ${TAX_LINES}
      }
      pageInfo { hasNextPage endCursor }
    }
    shippingLines(first: 10, includeRemovals: true) {
      nodes { id title isRemoved deliveryCategory originalPriceSet ${MONEY} ${ALLOCATIONS} ${TAX_LINES} }
      pageInfo { hasNextPage endCursor }
    }
    transactions(first: 50) { ${TRANSACTION} }
    refunds(first: 100) { id }
  }
}`;

/** Variables: `id` of a refund (`gid://shopify/Refund/1`), and `lines` as above. */
export const REFUND_QUERY = `query Refund($id: ID!, $lines: String) {
  refund(id: $id) {
    id legacyResourceId createdAt note
    refundLineItems(first: 25, after: $lines) {
      nodes {
        quantity
        lineItem { id }
        subtotalSet ${MONEY}
        totalTaxSet ${MONEY}
      }
      pageInfo { hasNextPage endCursor }
    }
    refundShippingLines(first: 10) {
      nodes { shippingLine { id } subtotalAmountSet ${MONEY} taxAmountSet ${MONEY} }
      pageInfo { hasNextPage endCursor }
    }
    orderAdjustments(first: 20) {
      nodes { reason amountSet ${MONEY} taxAmountSet ${MONEY} }
      pageInfo { hasNextPage endCursor }
    }
    transactions(first: 20) {
      nodes { ${TRANSACTION} }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;
