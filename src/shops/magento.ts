import { instantFrom } from "../domain/order/sent-order.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { Native } from "../domain/shop/native.ts";
import {
  type OpenedShop,
  ORDERS_OF_PAGE,
  type ShopAnswer,
  type ShopApi,
  type ShopTest,
} from "../platform/shop-api.ts";
import { type Ask, answerWith, given, goneIf, type Told, UNEXPECTED } from "./ask.ts";
import { pageFrom, placeFrom } from "./search-place.ts";

const PER_SECOND = 4;
const API = "/rest/V1";
/** Pages of the credit memos of one order. */
const MOST_PAGES = 20;

/** Magento 2, REST. */
export function magento(ask: Ask): ShopApi {
  const get = ({ url, credentials }: OpenedShop, path: string): Promise<ShopAnswer<Told>> =>
    ask({
      ...{ shopUrl: url, perSecond: PER_SECOND, path: `${API}${path}` },
      headers: { Authorization: `Bearer ${credentials.token ?? ""}` },
    });
  return {
    async readOrder(shop, nativeId) {
      const ask = (path: string) => get(shop, path);
      const id = await orderIdOf(nativeId, ask);
      if (id.answer !== "given") return id;
      const found = await ask(`/orders/${encodeURIComponent(id.value)}`);
      const order = await goneIf(found, async () => {
        const filter = search([["entity_id", id.value, "eq"]], { page: 1, only: "entity_id" });
        return given(await ask(`/orders?${filter}`), ({ json }) => isEmptyList(json));
      });
      if (order.answer !== "given") return order;
      const { json } = order.value;
      if (json.at("entity_id").id() !== id.value) return UNEXPECTED;
      const memos = await memosOf(id.value, ask);
      return given(memos, (creditmemos) => answerWith({ order: json.value, creditmemos }));
    },
    async listOrders(shop, { by, since, page }) {
      const member = by === "modified" ? "updated_at" : "created_at";
      const place = placeFrom(page, since);
      const filter = search([[member, timeOf(place.since), "gteq"]], {
        ...{ sortedBy: member, page: place.page, only: "entity_id,updated_at,created_at" },
      });
      const listed = await get(shop, `/orders?${filter}`);
      return given(listed, ({ json, headers }) => {
        const total = totalIn(json);
        const entries = json.at("items").items();
        if (!json.at("items").isList && total === undefined) return UNEXPECTED;
        const orders = entries.flatMap((order) => {
          const nativeId = order.at("entity_id").id();
          const modifiedAt = timeIn(order.at("updated_at"));
          return nativeId ? [{ nativeId, ...(modifiedAt === undefined ? {} : { modifiedAt }) }] : [];
        });
        // A page number beyond the end gets the last page again.
        const isLast = total === undefined ? undefined : place.page * ORDERS_OF_PAGE >= total;
        const lastAt = timeIn(entries.at(-1)?.at(member));
        return answerWith(pageFrom(place, { orders, entries: entries.length, lastAt, isLast, headers }));
      });
    },
    async readTables(shop) {
      const stores = await get(shop, "/store/storeConfigs");
      return given(stores, ({ json }) => {
        const [config] = json.isList ? json.items() : [];
        if (!config) return UNEXPECTED;
        const timeZone = config.at("timezone").text(60);
        return answerWith(timeZone === undefined ? {} : { timeZone });
      });
    },
    test: (shop) => test((path) => get(shop, path)),
  };
}

/** All memos of an order, or a failure: a missing memo would be a lost refund. */
async function memosOf(
  id: string,
  get: (path: string) => Promise<ShopAnswer<Told>>,
): Promise<ShopAnswer<readonly unknown[]>> {
  const memos: unknown[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const told = await get(
      `/creditmemos?${search([["order_id", id, "eq"]], { sortedBy: "entity_id", page })}`,
    );
    if (told.answer !== "given") return told;
    const { json } = told.value;
    const total = totalIn(json);
    const items = json.at("items").items();
    if (total === undefined && !json.at("items").isList) return UNEXPECTED;
    memos.push(...items.map(({ value }) => value));
    const isLast = total === undefined ? items.length < ORDERS_OF_PAGE : page * ORDERS_OF_PAGE >= total;
    if (!isLast) continue;
    return total === undefined || memos.length === total ? answerWith(memos) : UNEXPECTED;
  }
  return UNEXPECTED;
}

function totalIn(json: Native): number | undefined {
  const total = json.at("total_count").amount();
  return total === undefined ? undefined : Number(total);
}

function isEmptyList(json: Native): ShopAnswer<boolean> {
  const total = totalIn(json);
  return total === undefined ? UNEXPECTED : answerWith(total === 0);
}

const NEWEST = { sortedBy: "created_at", newest: true, only: "entity_id,increment_id" } as const;

async function test(get: (path: string) => Promise<ShopAnswer<Told>>): Promise<ShopAnswer<ShopTest>> {
  const stores = await get("/store/storeConfigs");
  const orders = await get(`/orders?${search([], NEWEST)}`);
  if (orders.answer !== "given") return orders;
  const config = stores.answer === "given" ? stores.value.json.items()[0] : undefined;
  const [currency, timeZone] = [config?.at("base_currency_code").text(3), config?.at("timezone").text(60)];
  const lastOrder = orders.value.json.at("items").items()[0]?.first("increment_id", "entity_id").text(40);
  const memos = await get(`/creditmemos?${search([], { ...NEWEST, only: "entity_id" })}`);
  return answerWith({
    ...(currency === undefined ? {} : { currency }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(lastOrder === undefined ? {} : { lastOrder }),
    scopes: memos.answer === "given" ? ["orders", "creditmemos"] : ["orders"],
    lacking: memos.answer === "refused" ? ["creditmemos"] : [],
  });
}

/** The order of a hint that names a credit memo. If the shop no longer has the memo, no order is fetched. */
async function orderIdOf(
  nativeId: string,
  get: (path: string) => Promise<ShopAnswer<Told>>,
): Promise<ShopAnswer<string>> {
  const [, memo] = /^creditmemo:(.+)$/.exec(nativeId) ?? [];
  if (memo === undefined) return answerWith(nativeId);
  const filter = search([["entity_id", memo, "eq"]], { page: 1, only: "entity_id,order_id" });
  return given(await get(`/creditmemos?${filter}`), ({ json }) => {
    if (totalIn(json) === 0) return { answer: "gone" };
    const [found] = json.at("items").items();
    const id = found?.at("entity_id").id() === memo ? found.at("order_id").id() : undefined;
    return id === undefined ? UNEXPECTED : answerWith(id);
  });
}

type Filter = readonly [member: string, value: string, condition: "eq" | "gteq"];

interface Paging {
  readonly sortedBy?: string;
  readonly page?: number;
  readonly newest?: boolean;
  /** The members of each entry to answer; without it Magento answers whole entries. */
  readonly only?: string;
}

function search(filters: readonly Filter[], paging: Paging = {}): string {
  const { sortedBy, page = 1, newest = false, only } = paging;
  const named = filters.flatMap(([member, value, condition], group) => {
    const at = `searchCriteria[filterGroups][${group}][filters][0]`;
    return [[`${at}[field]`, member] as const, [`${at}[value]`, value], [`${at}[conditionType]`, condition]];
  });
  const sorted = sortedBy
    ? [
        ["searchCriteria[sortOrders][0][field]", sortedBy],
        ["searchCriteria[sortOrders][0][direction]", newest ? "DESC" : "ASC"],
      ]
    : [];
  const size = newest ? 1 : ORDERS_OF_PAGE;
  const paged = [
    ["searchCriteria[pageSize]", String(size)],
    ["searchCriteria[currentPage]", String(page)],
  ];
  const narrowed = only === undefined ? [] : [["fields", `items[${only}],total_count`]];
  return [...named, ...sorted, ...paged, ...narrowed]
    .map(([name = "", value = ""]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
}

/** Magento writes times in UTC with a space between date and time. */
function timeIn(native: Native | undefined): Instant | undefined {
  const text = native?.text(40);
  return text === undefined ? undefined : instantFrom(`${text}Z`);
}

function timeOf(at: Instant): string {
  return new Date(Math.max(0, at)).toISOString().slice(0, 19).replace("T", " ");
}
