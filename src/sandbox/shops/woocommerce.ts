/** A WooCommerce shop: REST v3 of orders, refunds, taxes, webhooks and the state of the system. */
import { type Doc, docsOf, isDoc, numberOf, textOf, Unusable, unwrapped, withId } from "./documents.ts";
import { basicOf, type Call, json, pageOf, Refusal, type Shop, type ShopDeps, type Webhook } from "./shop.ts";
import { laterOf, localOf, SHOP_ZONE, utcOf } from "./times.ts";

export const WOOCOMMERCE_VERSION = "9.9.5";
const API = "/wp-json/wc/v3";
const TOPICS = ["order.created", "order.updated", "order.deleted", "order.restored"] as const;
const MOST_PER_PAGE = 100;

export function wooCommerce(deps: ShopDeps): Shop {
  const { store, now } = deps;
  const stamped = (order: Doc): Doc => ({
    ...order,
    date_modified: laterOf(order.date_modified, localOf(now())),
    date_modified_gmt: laterOf(order.date_modified_gmt, utcOf(now())),
  });
  const touch = (id: string) => {
    const order = store.get("orders", id);
    if (order) store.put("orders", id, stamped(order));
  };
  return {
    answer: (call) => answer(call, deps),
    topics: TOPICS,
    resources: {
      orders: {
        put(id, sent) {
          const order = unwrapped(sent, "data", "order");
          if (!isDoc(order)) throw new Unusable("Send the order as REST v3 answers it.");
          store.put("orders", id, stamped(withId(order, id)));
        },
        remove: (id) => store.remove("orders", id),
      },
      refunds: {
        put(id, sent) {
          store.put("refunds", id, { refunds: refundsAfter(store.get("refunds", id), sent) });
          touch(id);
        },
        remove(id) {
          const isThere = store.remove("refunds", id);
          if (isThere) touch(id);
          return isThere;
        },
      },
      taxes: {
        put(id, sent) {
          const tax = unwrapped(sent, "data");
          if (!isDoc(tax) || textOf(tax.rate) === undefined) {
            throw new Unusable('Send a tax rate, such as { "rate": "21.0000", "country": "ES" }.');
          }
          store.put("taxes", id, withId(tax, id));
        },
        remove: (id) => store.remove("taxes", id),
      },
    },
    bodyOf(topic, id) {
      if (topic === "order.deleted") return { id: numberOf(id) };
      const order = store.get("orders", id);
      return order && served(order, deps);
    },
    webhooksOf: (topic) =>
      store
        .list("webhooks")
        .filter((webhook) => webhook.topic === topic && webhook.status === "active")
        .map(webhookOf),
    giveUp({ id }) {
      const webhook = store.get("webhooks", id);
      if (webhook) store.put("webhooks", id, { ...webhook, status: "disabled" });
    },
  };
}

/** A list replaces the refunds of an order; one refund joins them. */
function refundsAfter(before: Doc | undefined, sent: unknown): readonly Doc[] {
  const given = unwrapped(sent, "data", "refund", "refunds");
  const refunds = isDoc(given) ? [given] : docsOf(given);
  if (refunds.length === 0 || refunds.some((refund) => textOf(refund.id) === undefined)) {
    throw new Unusable("Send one refund with its id, or the list of all refunds of the order.");
  }
  const ids = new Set(refunds.map((refund) => textOf(refund.id)));
  const kept = docsOf(before?.refunds).filter((refund) => !ids.has(textOf(refund.id)));
  return Array.isArray(given) ? refunds : [...kept, ...refunds];
}

/** The order with the short form of each of its refunds. */
function served(order: Doc, { store }: Pick<ShopDeps, "store">): Doc {
  const put = docsOf(store.get("refunds", textOf(order.id) ?? "")?.refunds);
  if (put.length === 0) return order;
  const ids = new Set(put.map((refund) => textOf(refund.id)));
  const others = docsOf(order.refunds).filter((refund) => !ids.has(textOf(refund.id)));
  const short = put.map(({ id, reason, amount }) => ({
    id,
    reason: reason ?? "",
    total: `-${textOf(amount)}`,
  }));
  return { ...order, refunds: [...others, ...short] };
}

/** Refunds that the order names without a document of their own have their amount alone. */
function refundDocuments(order: Doc, { store }: ShopDeps): readonly Doc[] {
  const put = docsOf(store.get("refunds", textOf(order.id) ?? "")?.refunds);
  const ids = new Set(put.map((refund) => textOf(refund.id)));
  const named = docsOf(order.refunds).filter((refund) => !ids.has(textOf(refund.id)));
  const amounts = named.map(({ id, reason, total }) => ({
    ...{ id, reason, parent_id: order.id, amount: (textOf(total) ?? "0").replace(/^-/, "") },
    ...{ line_items: [], shipping_lines: [], fee_lines: [], tax_lines: [], meta_data: [] },
  }));
  return [...amounts, ...put];
}

function webhookOf(webhook: Doc): Webhook {
  const [id = "", name = "", url = "", secret = ""] = [
    ...[textOf(webhook.id), textOf(webhook.name), textOf(webhook.delivery_url), textOf(webhook.secret)],
  ];
  return { id, name, url, secret, sends: "documents" };
}

function refused(status: number, code: string, message: string, more: object = {}): Response {
  return json({ code, message, data: { status, ...more } }, status);
}

const INVALID_ID = () => refused(404, "woocommerce_rest_shop_order_invalid_id", "Invalid ID.");
const NO_ROUTE = () =>
  refused(404, "rest_no_route", "No route was found matching the URL and request method.");

function answer(call: Call, deps: ShopDeps): Response {
  const { method, path, query } = call;
  if (!path.startsWith(`${API}/`)) return NO_ROUTE();
  if (!isKnown(call, deps)) {
    return refused(401, "woocommerce_rest_cannot_view", "Sorry, you cannot list resources.");
  }
  const [resource = "", id, below] = path
    .slice(API.length + 1)
    .replace(/\/$/, "")
    .split("/");
  if (resource === "webhooks") return webhooks(call, id, deps);
  if (method !== "GET") return NO_ROUTE();
  if (resource === "taxes" && id === undefined) return paged(deps.store.list("taxes"), query);
  if (resource === "system_status" && id === undefined) return json(narrowed(systemStatus(deps), query));
  if (resource !== "orders") return NO_ROUTE();
  if (id === undefined) return orders(query, deps);
  const order = deps.store.get("orders", decodeURIComponent(id));
  if (!order) return INVALID_ID();
  if (below === undefined) return json(narrowed(served(order, deps), query));
  return below === "refunds" ? paged(refundDocuments(order, deps), query) : NO_ROUTE();
}

/** Consumer key and secret by HTTP Basic, or in the query as over TLS. */
function isKnown({ headers, query }: Call, { credentials }: ShopDeps): boolean {
  const [key, secret] = basicOf(headers) ?? [query.get("consumer_key"), query.get("consumer_secret")];
  return key === credentials.consumer_key && secret === credentials.consumer_secret;
}

const SORTED_BY: Readonly<Record<string, readonly string[]>> = {
  date: ["date_created_gmt", "date_created"],
  modified: ["date_modified_gmt", "date_modified"],
  id: ["id"],
};

function orders(query: URLSearchParams, deps: ShopDeps): Response {
  const suffix = query.get("dates_are_gmt") === "true" ? "_gmt" : "";
  const statuses = (query.get("status") ?? "any").split(",");
  const bounds = [
    ["after", `date_created${suffix}`, 1],
    ["before", `date_created${suffix}`, -1],
    ["modified_after", `date_modified${suffix}`, 1],
    ["modified_before", `date_modified${suffix}`, -1],
  ] as const;
  for (const [name] of bounds) {
    const given = query.get(name);
    if (given !== null && Number.isNaN(Date.parse(given))) return invalid(name);
  }
  const found = deps.store.list("orders").filter((order) => {
    const isOfStatus = statuses.includes("any") || statuses.includes(textOf(order.status) ?? "");
    // Both bounds are exclusive.
    const isWithin = bounds.every(([name, field, side]) => {
      const bound = query.get(name)?.replace(/Z$/, "");
      const time = (textOf(order[field]) ?? textOf(order[field.replace("_gmt", "")]) ?? "").replace(/Z$/, "");
      return bound === undefined || (side > 0 ? time > bound : time < bound);
    });
    return isOfStatus && isWithin;
  });
  const by = SORTED_BY[query.get("orderby") ?? "date"];
  if (!by) return invalid("orderby");
  const keyOf = (order: Doc) =>
    by.map((name) => textOf(order[name])).find((text) => text !== undefined) ?? "";
  const sign = query.get("order") === "asc" ? 1 : -1;
  const idOf = (order: Doc) => Number(textOf(order.id));
  const sorted = found.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    const byKey = by[0] === "id" || a === b ? idOf(one) - idOf(other) : a < b ? -1 : 1;
    return sign * byKey;
  });
  return paged(
    sorted.map((order) => served(order, deps)),
    query,
  );
}

function invalid(name: string): Response {
  return refused(400, "rest_invalid_param", `Invalid parameter(s): ${name}`, { params: { [name]: name } });
}

function paged(all: readonly Doc[], query: URLSearchParams): Response {
  const [size, page] = [Number(query.get("per_page") ?? 10), Number(query.get("page") ?? 1)];
  if (!Number.isInteger(size) || size < 1 || size > MOST_PER_PAGE) return invalid("per_page");
  if (!Number.isInteger(page) || page < 1) return invalid("page");
  return json(
    pageOf(all, page, size).map((entry) => narrowed(entry, query)),
    200,
    { "X-WP-Total": String(all.length), "X-WP-TotalPages": String(Math.ceil(all.length / size)) },
  );
}

/** `_fields=id,environment.version`: only these members. */
function narrowed(doc: Doc, query: URLSearchParams): Doc {
  const fields = query
    .get("_fields")
    ?.split(",")
    .map((field) => field.trim().split("."));
  if (!fields) return doc;
  const narrow = (value: unknown, paths: readonly (readonly string[])[]): unknown => {
    if (!isDoc(value) || paths.some((path) => path.length === 0)) return value;
    const names = [...new Set(paths.map(([name = ""]) => name))].filter((name) => Object.hasOwn(value, name));
    return Object.fromEntries(
      names.map((name) => {
        const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
        return [name, narrow(value[name], below)];
      }),
    );
  };
  return { ...Object(narrow(doc, fields)) };
}

function systemStatus({ url }: ShopDeps): Doc {
  return {
    environment: {
      ...{
        home_url: url,
        site_url: url,
        version: WOOCOMMERCE_VERSION,
        wp_version: "6.8.2",
        php_version: "8.2.28",
      },
      default_timezone: SHOP_ZONE,
    },
    settings: { api_enabled: true, currency: "EUR", currency_symbol: "€", number_of_decimals: 2 },
  };
}

function webhooks(call: Call, id: string | undefined, { store, now, ping }: ShopDeps): Response {
  const { method, query } = call;
  const known = id === undefined ? undefined : store.get("webhooks", id);
  if (id !== undefined && !known)
    return refused(404, "woocommerce_rest_shop_webhook_invalid_id", "Invalid ID.");
  if (method === "GET") return known ? json(shown(known)) : paged(store.list("webhooks").map(shown), query);
  if (method === "DELETE" && id !== undefined && known) {
    if (query.get("force") !== "true") {
      return refused(501, "woocommerce_rest_trash_not_supported", "Webhooks do not support trashing.");
    }
    store.remove("webhooks", id);
    return json(shown(known));
  }
  if (method !== "PUT" && method !== "POST") return NO_ROUTE();
  const sent = bodyOf(call);
  const topic = textOf(sent.topic) ?? textOf(known?.topic);
  const url = textOf(sent.delivery_url) ?? textOf(known?.delivery_url);
  if (!TOPICS.some((each) => each === topic)) {
    const message = "Webhook topic is required and must be valid.";
    return refused(400, "woocommerce_rest_invalid_webhook_topic", message);
  }
  if (url === undefined || !/^https?:\/\//.test(url)) {
    const message = "Webhook delivery URL must be a valid URL starting with http:// or https://.";
    return refused(400, "woocommerce_rest_invalid_webhook_delivery_url", message);
  }
  const [resource, event] = (topic ?? "").split(".");
  const number = id ?? String(1 + Math.max(0, ...store.list("webhooks").map((each) => Number(each.id))));
  const webhook = {
    ...{ id: Number(number), name: `Webhook ${number}`, status: "active", date_created_gmt: utcOf(now()) },
    ...known,
    ...sent,
    ...{ id: Number(number), topic, resource, event, delivery_url: url, date_modified_gmt: utcOf(now()) },
  };
  store.put("webhooks", number, webhook);
  if (webhook.status === "active") ping(url, `webhook_id=${number}`);
  return json(shown(webhook), id === undefined ? 201 : 200);
}

function bodyOf({ text }: Call): Doc {
  try {
    const sent: unknown = JSON.parse(text);
    if (isDoc(sent)) return sent;
  } catch {
    // Answered below, like a list or a number.
  }
  throw new Refusal(refused(400, "rest_invalid_json", "Invalid JSON body passed."));
}

/** The secret is never shown again. */
function shown({ secret: _, ...webhook }: Doc): Doc {
  return webhook;
}
