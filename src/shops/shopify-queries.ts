/** The queries of Shopify's Admin API about the shop; those about one order are next to its mapper. */

export const ORDERS_QUERY = `query CuadreOrders(
  $first: Int!, $after: String, $query: String!, $sortKey: OrderSortKeys!) {
  orders(first: $first, after: $after, query: $query, sortKey: $sortKey) {
    nodes { legacyResourceId updatedAt } pageInfo { hasNextPage endCursor } } }`;

export const SHOP_QUERY = `query CuadreShop {
  shop { name ianaTimezone currencyCode taxesIncluded }
  currentAppInstallation { accessScopes { handle } }
  orders(first: 1, sortKey: CREATED_AT, reverse: true) { nodes { name } } }`;

export const WEBHOOKS_QUERY = `query CuadreWebhooks($after: String) {
  webhookSubscriptions(first: 100, after: $after) {
    nodes { id topic uri } pageInfo { hasNextPage endCursor } } }`;

export const WEBHOOK_CREATE = `mutation CuadreWebhookCreate(
  $topic: WebhookSubscriptionTopic!, $webhook: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhook) {
    webhookSubscription { id } userErrors { message } } }`;

export const WEBHOOK_UPDATE = `mutation CuadreWebhookUpdate($id: ID!, $webhook: WebhookSubscriptionInput!) {
  webhookSubscriptionUpdate(id: $id, webhookSubscription: $webhook) {
    webhookSubscription { id } userErrors { message } } }`;

export const WEBHOOK_DELETE = `mutation CuadreWebhookDelete($id: ID!) {
  webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { message } } }`;
export const SCOPES_QUERY = `query CuadreScopes { currentAppInstallation { accessScopes { handle } } }`;
