import { instantFrom } from "../domain/order/sent-order.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { ShopDocuments } from "../domain/shop/documents.ts";
import { Native } from "../domain/shop/native.ts";
import { ORDER_QUERY, REFUND_QUERY, SHOPIFY_API_VERSION } from "../domain/shop/shopify/query.ts";
import {
  type OpenedShop,
  ORDERS_OF_PAGE,
  type ShopAnswer,
  type ShopApi,
  type ShopTest,
} from "../platform/shop-api.ts";
import { type Ask, answerWith, given, UNEXPECTED } from "./ask.ts";
import { ORDERS_QUERY, SCOPES_QUERY, SHOP_QUERY } from "./shopify-queries.ts";
import { webhooksBy } from "./shopify-webhooks.ts";

const PER_SECOND = 4;

interface Token {
  readonly token: string;
  readonly until: Instant;
}

/** A token is renewed so long before it ends. */
const TOKEN_SPARE_MS = 300_000;

/** Shopify's Admin API: one GraphQL query reads an order whole. */
export function shopify(ask: Ask, now: () => Instant): ShopApi {
  /** Tokens by shop and client, in memory only. */
  const tokens = new Map<string, Token>();
  const query = async (shop: OpenedShop, text: string, variables: object): Promise<ShopAnswer<Native>> => {
    const isKept = tokens.has(keyOf(shop));
    const token = await tokenOf(shop, ask, tokens, now);
    if (token.answer !== "given") return token;
    const told = await ask({
      ...{ shopUrl: shop.url, perSecond: PER_SECOND, path: `/admin/api/${SHOPIFY_API_VERSION}/graphql.json` },
      headers: { "X-Shopify-Access-Token": token.value },
      body: JSON.stringify({ query: text, variables }),
    });
    if (told.answer !== "refused") return given(told, ({ json }) => dataOf(json));
    tokens.delete(keyOf(shop));
    // Shopify may end a token early, so credentials count as refused only if a new token is refused too.
    return isKept ? query(shop, text, variables) : told;
  };
  return {
    webhooks: webhooksBy(query),
    readOrder: (shop, nativeId) => readOrder(nativeId, (text, variables) => query(shop, text, variables)),
    async listOrders(shop, { by, since, page }) {
      const member = by === "modified" ? "updated_at" : "created_at";
      const variables = {
        first: ORDERS_OF_PAGE,
        after: page ?? null,
        query: `${member}:>='${new Date(Math.max(0, since)).toISOString()}'`,
        sortKey: by === "modified" ? "UPDATED_AT" : "CREATED_AT",
      };
      const found = await query(shop, ORDERS_QUERY, variables);
      return given(found, (data) => {
        const list = data.at("orders");
        if (!list.at("nodes").isList) return UNEXPECTED;
        const orders = list
          .at("nodes")
          .items()
          .flatMap((order) => {
            const nativeId = order.at("legacyResourceId").id();
            const modifiedAt = instantFrom(order.at("updatedAt").text(40) ?? "");
            return nativeId ? [{ nativeId, ...(modifiedAt === undefined ? {} : { modifiedAt }) }] : [];
          });
        const { hasNext, cursor } = {
          hasNext: list.at("pageInfo", "hasNextPage").flag() ?? false,
          cursor: list.at("pageInfo", "endCursor").text(500),
        };
        return answerWith({
          orders,
          ...(hasNext && cursor !== undefined && cursor !== page ? { next: cursor } : {}),
        });
      });
    },
    async readTables(shop) {
      return given(await query(shop, SHOP_QUERY, {}), (data) =>
        data.at("shop").isObject ? answerWith(tablesIn(data)) : UNEXPECTED,
      );
    },
    async test(shop) {
      return given(await query(shop, SHOP_QUERY, {}), (data) => answerWith(testIn(data)));
    },
  };
}

type Query = (text: string, variables: object) => Promise<ShopAnswer<Native>>;

/** The order with the lines of all pages and each refund in place of its id. */
async function readOrder(nativeId: string, query: Query): Promise<ShopAnswer<ShopDocuments>> {
  const order = await readPages(query, {
    ...{ text: ORDER_QUERY, id: `gid://shopify/Order/${nativeId}` },
    ...{ member: "order", list: "lineItems" },
  });
  if (order.answer === "gone") return goneOrHidden(query);
  if (order.answer !== "given") return order;
  if (order.value.at("legacyResourceId").id() !== nativeId) return UNEXPECTED;
  const refunds: unknown[] = [];
  for (const named of order.value.at("refunds").items()) {
    const id = named.at("id").text(200);
    const parts = { text: REFUND_QUERY, id: id ?? "", member: "refund", list: "refundLineItems" };
    const refund = await readPages(query, parts);
    // The refund was removed during the fetch: the order has changed and is fetched again.
    if (refund.answer === "gone") return CHANGED;
    if (refund.answer !== "given") return refund;
    refunds.push(refund.value.value);
  }
  return answerWith({ order: { ...membersOf(order.value), refunds } });
}

/** Without the right to all orders an app sees those of the last sixty days. */
const SEEN_FOR_MS = 60 * 86_400_000;

async function goneOrHidden(query: Query): Promise<ShopAnswer<never>> {
  const scopes = await query(SCOPES_QUERY, {});
  if (scopes.answer !== "given") return scopes;
  const granted = scopesIn(scopes.value);
  if (!granted) return UNEXPECTED;
  return granted.has("read_all_orders")
    ? { answer: "gone" }
    : { answer: "gone", hidesOlderThanMs: SEEN_FOR_MS };
}

/** Undefined if the shop's answer has none. */
function scopesIn(data: Native): ReadonlySet<string | undefined> | undefined {
  const scopes = data.at("currentAppInstallation", "accessScopes");
  return scopes.isList ? new Set(scopes.items().map((scope) => scope.at("handle").text(60))) : undefined;
}

interface Paged {
  readonly text: string;
  readonly id: string;
  /** The node, and the list in it that has pages. */
  readonly member: string;
  readonly list: string;
}

const CHANGED = UNEXPECTED;
const MOST_PAGES = 250;

async function readPages(query: Query, { text, id, member, list }: Paged): Promise<ShopAnswer<Native>> {
  const nodes: unknown[] = [];
  let lines: string | null = null;
  let updatedAt: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const answer: ShopAnswer<Native> = await query(text, { id, lines });
    if (answer.answer !== "given") return answer;
    const node = answer.value.at(member);
    if (!node.isObject) return node.value === null ? { answer: "gone" } : UNEXPECTED;
    const changed = node.at("updatedAt").text(40);
    // The order changed between two pages, so that together they are no state of it.
    if (pages > 0 && changed !== updatedAt) return CHANGED;
    updatedAt = changed;
    nodes.push(
      ...node
        .at(list, "nodes")
        .items()
        .map(({ value }) => value),
    );
    const cursor = node.at(list, "pageInfo", "endCursor").text(500);
    if (!node.at(list, "pageInfo", "hasNextPage").flag()) {
      return answerWith(new Native({ ...membersOf(node), [list]: { nodes } }));
    }
    if (cursor === undefined || cursor === lines) return CHANGED;
    lines = cursor;
  }
  return CHANGED;
}

function membersOf({ value }: Native): object {
  return typeof value === "object" && value !== null ? value : {};
}

function tablesIn(data: Native): Readonly<Record<string, unknown>> {
  const timeZone = data.at("shop", "ianaTimezone").text(60);
  const taxesIncluded = data.at("shop", "taxesIncluded").flag();
  return {
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(taxesIncluded === undefined ? {} : { taxesIncluded }),
  };
}

function testIn(data: Native): ShopTest {
  const granted = scopesIn(data) ?? new Set();
  const timeZone = data.at("shop", "ianaTimezone").text(60);
  const currency = data.at("shop", "currencyCode").text(3);
  const lastOrder = data.at("orders", "nodes").items()[0]?.at("name").text(40);
  return {
    version: SHOPIFY_API_VERSION,
    ...(currency === undefined ? {} : { currency }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(lastOrder === undefined ? {} : { lastOrder }),
    scopes: [...granted].filter((scope) => scope !== undefined),
    lacking: granted.has("read_orders") || granted.has("write_orders") ? [] : ["read_orders"],
  };
}

/** The key of a token contains the secret, so that other credentials never use an older token. */
function keyOf({ url, credentials }: OpenedShop): string {
  return `${url} ${credentials.client_id ?? ""} ${credentials.secret ?? ""}`;
}

/** A token of its own, or one by the client's credentials for a day. */
async function tokenOf(
  shop: OpenedShop,
  ask: Ask,
  tokens: Map<string, Token>,
  now: () => Instant,
): Promise<ShopAnswer<string>> {
  const { token, client_id, secret } = shop.credentials;
  if (token !== undefined) return answerWith(token);
  const kept = tokens.get(keyOf(shop));
  if (kept && kept.until - TOKEN_SPARE_MS > now()) return answerWith(kept.token);
  const told = await ask({
    ...{ shopUrl: shop.url, perSecond: PER_SECOND, path: "/admin/oauth/access_token", headers: {} },
    body: JSON.stringify({ client_id, client_secret: secret, grant_type: "client_credentials" }),
  });
  // Shopify answers 400 to an unknown client.
  if (told.answer === "failed" && told.cause === "client_error") return { answer: "refused" };
  return given(told, ({ json }) => {
    const fresh = json.at("access_token").text(500);
    if (fresh === undefined) return { answer: "failed", cause: "unexpected" };
    const seconds = Number(json.at("expires_in").text(12) ?? 0);
    tokens.set(keyOf(shop), { token: fresh, until: now() + seconds * 1_000 });
    return answerWith(fresh);
  });
}

const THROTTLED_WAIT_MS = 1_000;

/** GraphQL answers 200 to every query, so the errors of the body stand for the status. */
function dataOf(json: Native): ShopAnswer<Native> {
  const codes = json
    .at("errors")
    .items()
    .map((error) => error.at("extensions", "code").text(60));
  if (codes.includes("THROTTLED")) {
    const cost = json.at("extensions", "cost");
    const status = cost.at("throttleStatus");
    const missing = numberIn(cost.at("requestedQueryCost")) - numberIn(status.at("currentlyAvailable"));
    const perSecond = Math.max(1, numberIn(status.at("restoreRate")));
    const waitMs = Math.max(THROTTLED_WAIT_MS, Math.ceil((missing / perSecond) * 1_000));
    return { answer: "failed", cause: "rate_limited", waitMs };
  }
  if (codes.includes("ACCESS_DENIED")) return { answer: "refused" };
  const data = json.at("data");
  return codes.length > 0 || !data.isObject ? { answer: "failed", cause: "unexpected" } : answerWith(data);
}

function numberIn(native: Native): number {
  return Number(native.amount() ?? 0);
}
