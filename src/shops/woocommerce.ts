import { instantFrom } from "../domain/order/sent-order.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { Native } from "../domain/shop/native.ts";
import type { ShopWebhook } from "../domain/shop/webhooks.ts";
import {
  type OpenedShop,
  ORDERS_OF_PAGE,
  type OrderPage,
  type ShopAnswer,
  type ShopApi,
  type WebhookApi,
  type WebhookTarget,
} from "../platform/shop-api.ts";
import { type Ask, answerWith, basic, given, type ShopCall, type Told } from "./ask.ts";

const PER_SECOND = 4;
const API = "/wp-json/wc/v3";
/** The most that a page of refunds or taxes has. */
const MOST = 100;

/** WooCommerce, REST v3. */
export function wooCommerce(ask: Ask): ShopApi {
  const call = (
    { url, credentials }: OpenedShop,
    path: string,
    change: Pick<ShopCall, "method" | "body"> = {},
  ): Promise<ShopAnswer<Told>> =>
    ask({
      ...{ shopUrl: url, perSecond: PER_SECOND, path, ...change },
      headers: { Authorization: basic(credentials.consumer_key ?? "", credentials.consumer_secret ?? "") },
    });
  const get = (shop: OpenedShop, path: string) => call(shop, path);
  return {
    webhooks: webhooksBy(call),
    async readOrder(shop, nativeId) {
      const id = encodeURIComponent(nativeId);
      const order = await get(shop, `${API}/orders/${id}?dp=6`);
      if (order.answer !== "given") return order;
      const { json } = order.value;
      if (json.at("id").id() !== nativeId) return { answer: "failed", cause: "unexpected" };
      if (json.at("refunds").items().length === 0) return answerWith({ order: json.value });
      const refunds = await get(shop, `${API}/orders/${id}/refunds?dp=6&per_page=${MOST}`);
      // Gone meanwhile: the order has changed, and is fetched again.
      if (refunds.answer === "gone") return { answer: "failed", cause: "unexpected" };
      return given(refunds, (told) => answerWith({ order: json.value, refunds: told.json.value }));
    },
    async listOrders(shop, { by, since, page }) {
      const from = placeFrom(page) ?? { since, page: 1 };
      // Exclusive at the shop, which has no part of a second.
      const after = encodeURIComponent(timeOf(from.since - 1_000));
      const filter =
        by === "modified" ? `modified_after=${after}&orderby=modified` : `after=${after}&orderby=date`;
      const paging = `order=asc&per_page=${ORDERS_OF_PAGE}&page=${from.page}`;
      const listed = await get(shop, `${API}/orders?dates_are_gmt=true&status=any&dp=6&${filter}&${paging}`);
      return given(listed, ({ json }) => (json.isList ? answerWith(pageOf(json, by, from)) : NOT_A_LIST));
    },
    async readTables(shop) {
      const taxes = await get(shop, `${API}/taxes?per_page=${MOST}`);
      return given(taxes, ({ json }) => {
        const rates = json.items().map((tax) => [tax.at("id").id(), tax.at("rate").amount()] as const);
        const known = rates.filter(([id, rate]) => id !== undefined && rate !== undefined);
        return answerWith({ taxRates: Object.fromEntries(known) });
      });
    },
    async test(shop) {
      const status = await get(shop, `${API}/system_status?_fields=environment,settings`);
      const orders = await get(shop, `${API}/orders?per_page=1&orderby=date&order=desc&_fields=id,number`);
      if (orders.answer !== "given") return orders;
      // The rights to read the state of the system may be missing while orders can be read.
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
  change?: Pick<ShopCall, "method" | "body">,
) => Promise<ShopAnswer<Told>>;

const MOST_PAGES = 20;

/** The shop lists no secret, so that each change writes it again. */
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
        if (!json.isList) return NOT_A_LIST;
        all.push(...json.items().flatMap(webhookIn));
        if (json.items().length < MOST) return answerWith(all);
      }
      // Behind so many, one of ours may be left that would be made a second time.
      return NOT_A_LIST;
    },
    create: (shop, target) => call(shop, path, bodyOf(target)),
    change: (shop, id, target) =>
      call(shop, `${path}/${encodeURIComponent(id)}`, { method: "PUT", ...bodyOf(target) }),
    remove: (shop, id) => call(shop, `${path}/${encodeURIComponent(id)}?force=true`, { method: "DELETE" }),
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

const NOT_A_LIST: ShopAnswer<never> = { answer: "failed", cause: "unexpected" };

interface Place {
  readonly since: Instant;
  readonly page: number;
}

/**
 * The next page begins at the last time seen, because pages move when orders change meanwhile. The number of
 * the page counts only within one second.
 */
function pageOf(json: Native, by: "modified" | "created", from: Place): OrderPage {
  const orders = json.items().flatMap((order) => {
    const nativeId = order.at("id").id();
    const modifiedAt = timeIn(order.at("date_modified_gmt"));
    return nativeId === undefined ? [] : [{ nativeId, ...(modifiedAt === undefined ? {} : { modifiedAt }) }];
  });
  if (json.items().length < ORDERS_OF_PAGE) return { orders };
  const last = timeIn(
    json
      .items()
      .at(-1)
      ?.at(by === "modified" ? "date_modified_gmt" : "date_created_gmt"),
  );
  const next =
    last !== undefined && last > from.since ? { since: last, page: 1 } : { ...from, page: from.page + 1 };
  return { orders, next: `${next.since}.${next.page}` };
}

function placeFrom(page: string | undefined): Place | undefined {
  const [, since, number] = /^(\d{1,15})\.(\d{1,6})$/.exec(page ?? "") ?? [];
  return since && number ? { since: Number(since), page: Number(number) } : undefined;
}

/** Without an offset, in UTC. */
function timeIn(native: Native | undefined): Instant | undefined {
  const text = native?.text(40);
  return text === undefined ? undefined : instantFrom(`${text.replace(/Z$/, "")}Z`);
}

function timeOf(at: Instant): string {
  return new Date(Math.max(0, at)).toISOString().slice(0, 19);
}
