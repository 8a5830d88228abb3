/** The queries of Shopify's Admin API about the shop; those about one order are next to its mapper. */

export const ORDERS_QUERY = `query CuadreOrders(
  $first: Int!, $after: String, $query: String!, $sortKey: OrderSortKeys!) {
  orders(first: $first, after: $after, query: $query, sortKey: $sortKey) {
    nodes { legacyResourceId updatedAt } pageInfo { hasNextPage endCursor } } }`;

export const SHOP_QUERY = `query CuadreShop {
  shop { name ianaTimezone currencyCode taxesIncluded }
  currentAppInstallation { accessScopes { handle } }
  orders(first: 1, sortKey: CREATED_AT, reverse: true) { nodes { name } } }`;
