import { instantFrom } from "../domain/order/sent-order.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { Native } from "../domain/shop/native.ts";
import type { ShopWebhook } from "../domain/shop/webhooks.ts";
import {
  type OpenedShop,
  ORDERS_OF_PAGE,
  type OrderPage,
  type OrdersSince,
  type ShopAnswer,
  type ShopApi,
  type WebhookApi,
  type WebhookTarget,
} from "../platform/shop-api.ts";
import { type Ask, answerWith, basic, given, type ShopCall, type Told, UNEXPECTED } from "./ask.ts";
import { pageFrom, placeFrom } from "./search-place.ts";

const PER_SECOND = 4;
const API = "/wp-json/wc/v3";
/** The entries of a page of refunds or taxes, and the most pages that are read. */
const MOST = 100;
const MOST_PAGES = 50;

/** WooCommerce, REST v3. */
export function wooCommerce(ask: Ask): ShopApi {
  const get = (
    { url, credentials }: OpenedShop,
    path: string,
    change: Pick<ShopCall, "method" | "body" | "isGone"> = {},
  ): Promise<ShopAnswer<Told>> =>
    ask({
      ...{ shopUrl: url, perSecond: PER_SECOND, path, ...change },
      headers: { Authorization: basic(credentials.consumer_key ?? "", credentials.consumer_secret ?? "") },
    });
  return {
    webhooks: webhooksBy(get),
    async readOrder(shop, nativeId) {
      const id = encodeURIComponent(nativeId);
      const order = await get(shop, `${API}/orders/${id}?dp=6`, NO_ORDER);
      if (order.answer !== "given") return order;
      const { json } = order.value;
      if (json.at("id").id() !== nativeId) return UNEXPECTED;
      if (json.at("refunds").items().length === 0) return answerWith({ order: json.value });
      const refunds = await readAll((page) => get(shop, `${API}/orders/${id}/refunds?dp=6&${page}`));
      return given(refunds, (list) =>
        answerWith({ order: json.value, refunds: list.map(({ value }) => value) }),
      );
    },
    listOrders: (shop, query) => listOrders((path) => get(shop, path), query),
    async readTables(shop) {
      const taxes = await readAll((page) => get(shop, `${API}/taxes?_fields=id,rate&${page}`));
      return given(taxes, (list) => {
        const rates = list.map((tax) => [tax.at("id").id(), tax.at("rate").amount()] as const);
        const known = rates.filter(([id, rate]) => id !== undefined && rate !== undefined);
        return answerWith({ taxRates: Object.fromEntries(known) });
      });
    },
    async test(shop) {
      const status = await get(shop, `${API}/system_status?_fields=environment,settings`);
      const orders = await get(shop, `${API}/orders?per_page=1&orderby=date&order=desc&_fields=id,number`);
      if (orders.answer !== "given") return orders;
      // A key that may read orders may still lack the right to read the system status.
      const state = status.answer === "given" ? status.value.json : undefined;
      const [version, currency, timeZone] = [
        state?.at("environment", "version").text(40),
        state?.at("settings", "currency").text(3),
        state?.at("environment", "default_timezone").text(60),
      ];
      const lastOrder = orders.value.json.items()[0]?.first("number", "id").text(40);
      return answerWith({
        ...(version === undefined ? {} : { version }),
        ...(currency === undefined ? {} : { currency }),
        ...(timeZone === undefined ? {} : { timeZone }),
        ...(lastOrder === undefined ? {} : { lastOrder }),
        ...{ scopes: [], lacking: [] },
      });
    },
  };
}

type Call = (
  shop: OpenedShop,
  path: string,
  change?: Pick<ShopCall, "method" | "body" | "isGone">,
) => Promise<ShopAnswer<Told>>;

/** The shop never answers a webhook's secret, so each change sends it again. */
function webhooksBy(call: Call): WebhookApi {
  const path = `${API}/webhooks`;
  const bodyOf = ({ topic, url, secret }: WebhookTarget) => ({
    body: JSON.stringify({ name: `Cuadre ${topic}`, topic, delivery_url: url, secret, status: "active" }),
  });
  return {
    async list(shop) {
      const all: ShopWebhook[] = [];
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const listed = await call(shop, `${path}?per_page=${MOST}&page=${page}`);
        if (listed.answer !== "given") return listed;
        const { json } = listed.value;
        if (!json.isList) return UNEXPECTED;
        all.push(...json.items().flatMap(webhookIn));
        if (json.items().length < MOST) return answerWith(all);
      }
      // A longer list may hide a webhook of ours, which would then be made a second time.
      return UNEXPECTED;
    },
    create: (shop, target) => call(shop, path, bodyOf(target)),
    change: (shop, id, target) =>
      call(shop, `${path}/${encodeURIComponent(id)}`, { method: "PUT", ...bodyOf(target), ...GONE }),
    remove: (shop, id) =>
      call(shop, `${path}/${encodeURIComponent(id)}?force=true`, { method: "DELETE", ...GONE }),
  };
}

function webhookIn(webhook: Native): readonly ShopWebhook[] {
  const [id, topic, url] = [
    webhook.at("id").id(),
    webhook.at("topic").text(60),
    webhook.at("delivery_url").text(2_000),
  ];
  return id === undefined || topic === undefined || url === undefined ? [] : [{ id, topic, url }];
}

const GONE = { isGone: says("woocommerce_rest_shop_webhook_invalid_id") };

async function listOrders(
  get: (path: string) => Promise<ShopAnswer<Told>>,
  { by, since, page }: OrdersSince,
): Promise<ShopAnswer<OrderPage>> {
  const place = placeFrom(page, since);
  // The shop's filter is exclusive and has whole seconds.
  const after = encodeURIComponent(timeOf(place.since - 1_000));
  const filter =
    by === "modified" ? `modified_after=${after}&orderby=modified` : `after=${after}&orderby=date`;
  const paging = `order=asc&per_page=${ORDERS_OF_PAGE}&page=${place.page}&_fields=${LISTED}`;
  const listed = await get(`${API}/orders?dates_are_gmt=true&status=any&${filter}&${paging}`);
  return given(listed, (told) => {
    if (!told.json.isList) return UNEXPECTED;
    const entries = told.json.items();
    const orders = entries.flatMap((order) => {
      const nativeId = order.at("id").id();
      const modifiedAt = timeIn(order.at("date_modified_gmt"));
      return nativeId ? [{ nativeId, ...(modifiedAt === undefined ? {} : { modifiedAt }) }] : [];
    });
    const lastAt = timeIn(entries.at(-1)?.at(by === "modified" ? "date_modified_gmt" : "date_created_gmt"));
    const isLast = isLastPage(told, place.page);
    return answerWith(
      pageFrom(place, { orders, entries: entries.length, lastAt, isLast, headers: told.headers }),
    );
  });
}

const NO_ORDER = { isGone: says("woocommerce_rest_shop_order_invalid_id") };

const LISTED = "id,date_modified_gmt,date_created_gmt";

/** A 404 with another code is an address without WooCommerce, or a route that is switched off. */
function says(code: string): (said: Native) => boolean {
  return (said) => said.at("code").text(60) === code;
}

/** All pages of a list, or a failure. */
async function readAll(
  get: (page: string) => Promise<ShopAnswer<Told>>,
): Promise<ShopAnswer<readonly Native[]>> {
  const all: Native[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const told = await get(`per_page=${MOST}&page=${page}`);
    if (told.answer !== "given") return told;
    if (!told.value.json.isList) return UNEXPECTED;
    const items = told.value.json.items();
    all.push(...items);
    if (items.length < MOST || isLastPage(told.value, page)) return answerWith(all);
  }
  return UNEXPECTED;
}

function isLastPage({ headers }: Told, page: number): boolean | undefined {
  const pages = headers.get("X-WP-TotalPages");
  return pages !== null && /^\d{1,9}$/.test(pages) ? page >= Number(pages) : undefined;
}

/** WooCommerce writes GMT members without an offset. */
function timeIn(native: Native | undefined): Instant | undefined {
  const text = native?.text(40);
  return text === undefined ? undefined : instantFrom(`${text.replace(/Z$/, "")}Z`);
}

function timeOf(at: Instant): string {
  return new Date(Math.max(0, at)).toISOString().slice(0, 19);
}
