/** The fields of Shopify's query and mutation roots. */
import { type Doc, isDoc, textOf } from "../documents.ts";
import type { ShopDeps } from "../shop.ts";
import { SHOP_ZONE } from "../times.ts";
import type { Root } from "./execute.ts";
import type { Orders } from "./orders.ts";
import { idOf } from "./rest.ts";

interface OrderDeps {
  readonly orders: Orders;
}

export function orderRoot({ orders }: OrderDeps): Root {
  return {
    order: ({ id }) => orders.nodeOf(numberIn(id)),
    refund: ({ id }) => orders.refundNodeOf(numberIn(id)),
    orders({ query, sortKey, reverse }) {
      const matches = matching(textOf(query) ?? "");
      const sorted = orders
        .all()
        .filter(matches)
        .toSorted((one, other) => {
          const [a, b] = [sortValue(one, sortKey), sortValue(other, sortKey)];
          return a - b || Number(idOf(one)) - Number(idOf(other));
        });
      return reverse === true ? sorted.toReversed() : sorted;
    },
  };
}

function numberIn(id: unknown): string {
  return /\/(\d+)(?:\?.*)?$/.exec(textOf(id) ?? "")?.[1] ?? "";
}

const SORTED_BY: Readonly<Record<string, string>> = {
  CREATED_AT: "createdAt",
  UPDATED_AT: "updatedAt",
  PROCESSED_AT: "processedAt",
};

function sortValue(order: Doc, key: unknown): number {
  const member = SORTED_BY[textOf(key) ?? "PROCESSED_AT"];
  return member === undefined ? Number(idOf(order)) : timeIn(order[member]);
}

function timeIn(value: unknown): number {
  return Date.parse(textOf(value) ?? "") || 0;
}

const TERM = /(\w+):(>=|<=|>|<)?(?:'([^']*)'|"([^"]*)"|(\S+))/g;
const TIMES: Readonly<Record<string, string>> = {
  created_at: "createdAt",
  updated_at: "updatedAt",
  processed_at: "processedAt",
};

/** `updated_at:>='2026-11-20T12:00:00Z' name:#1001`; a term of another field filters nothing. */
function matching(query: string): (order: Doc) => boolean {
  const terms = [...query.matchAll(TERM)].map(([, field = "", sign = "", one, two, three]) => ({
    ...{ field, sign, value: one ?? two ?? three ?? "" },
  }));
  return (order) =>
    terms.every(({ field, sign, value }) => {
      const member = TIMES[field];
      if (member === undefined) return isMatch(order, field, value);
      const [own, wanted] = [timeIn(order[member]), Date.parse(value)];
      if (sign === ">=") return own >= wanted;
      if (sign === "<=") return own <= wanted;
      if (sign === ">") return own > wanted;
      return sign === "<" ? own < wanted : own === wanted;
    });
}

function isMatch(order: Doc, field: string, value: string): boolean {
  if (field === "name") return textOf(order.name) === value;
  if (field === "id") return idOf(order) === value;
  if (field !== "financial_status") return true;
  return textOf(order.displayFinancialStatus)?.toLowerCase() === value.toLowerCase();
}

export function shopRoot({ url }: ShopDeps): Root {
  return {
    shop: () => ({
      ...{ id: "gid://shopify/Shop/1", name: "Tienda de pruebas", email: "tienda@example.com" },
      ...{ myshopifyDomain: new URL(url).host, currencyCode: "EUR", ianaTimezone: SHOP_ZONE },
      ...{ timezoneOffset: "+0100", taxesIncluded: true, taxShipping: false },
      plan: { publicDisplayName: "Basic", shopifyPlus: false, partnerDevelopment: true },
    }),
    currentAppInstallation: () => ({
      id: "gid://shopify/AppInstallation/1",
      accessScopes: [{ handle: "read_orders", description: "Read orders" }],
      app: { id: "gid://shopify/App/1", title: "Cuadre" },
    }),
  };
}

export function webhookRoot({ store, now }: ShopDeps): Root {
  const userError = (field: string, message: string) => ({
    ...{ webhookSubscription: null, deletedWebhookSubscriptionId: null },
    userErrors: [{ field: [field], message }],
  });
  const keep = (id: string, kept: Doc) => {
    const { uri } = kept;
    const endpoint = { __typename: "WebhookHttpEndpoint", callbackUrl: uri };
    const webhookSubscription = { ...kept, endpoint, updatedAt: new Date(now()).toISOString() };
    store.put("webhooks", id, webhookSubscription);
    return { webhookSubscription, userErrors: [] };
  };
  const uriIn = (input: unknown): string | undefined =>
    isDoc(input) ? (textOf(input.uri) ?? textOf(input.callbackUrl)) : undefined;
  return {
    webhookSubscription: ({ id }) => store.get("webhooks", numberIn(id)),
    webhookSubscriptions: () => store.list("webhooks"),
    webhookSubscriptionCreate({ topic, webhookSubscription: input }) {
      const uri = uriIn(input);
      if (uri === undefined) return userError("uri", "Address can't be blank");
      const isTaken = store.list("webhooks").some((one) => one.topic === topic && one.uri === uri);
      if (isTaken) return userError("uri", "Address for this topic has already been taken");
      const number = String(1 + Math.max(1_000, ...store.list("webhooks").map((one) => Number(idOf(one)))));
      return keep(number, {
        ...{ id: `gid://shopify/WebhookSubscription/${number}`, legacyResourceId: number, topic, uri },
        ...{ format: "JSON", createdAt: new Date(now()).toISOString() },
      });
    },
    webhookSubscriptionUpdate({ id, webhookSubscription: input }) {
      const known = store.get("webhooks", numberIn(id));
      if (!known) return userError("id", "Webhook subscription does not exist");
      return keep(numberIn(id), { ...known, uri: uriIn(input) ?? known.uri });
    },
    webhookSubscriptionDelete({ id }) {
      if (!store.remove("webhooks", numberIn(id)))
        return userError("id", "Webhook subscription does not exist");
      return { deletedWebhookSubscriptionId: id, userErrors: [] };
    },
  };
}
