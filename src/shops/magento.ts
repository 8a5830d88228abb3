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
import { type Ask, answerWith, given, type Told } from "./ask.ts";

const PER_SECOND = 4;
const API = "/rest/V1";

/** Magento 2, REST. */
export function magento(ask: Ask): ShopApi {
  const get = ({ url, credentials }: OpenedShop, path: string): Promise<ShopAnswer<Told>> =>
    ask({
      ...{ shopUrl: url, perSecond: PER_SECOND, path: `${API}${path}` },
      headers: { Authorization: `Bearer ${credentials.token ?? ""}` },
    });
  return {
    async readOrder(shop, nativeId) {
      const id = await orderIdOf(nativeId, (path) => get(shop, path));
      if (id.answer !== "given") return id;
      const order = await get(shop, `/orders/${encodeURIComponent(id.value)}`);
      if (order.answer !== "given") return order;
      const { json } = order.value;
      if (json.at("entity_id").id() !== id.value) return UNEXPECTED;
      const memos = await get(shop, `/creditmemos?${search([["order_id", id.value, "eq"]])}`);
      if (memos.answer === "gone") return UNEXPECTED;
      return given(memos, (told) =>
        answerWith({
          order: json.value,
          creditmemos: told.json
            .at("items")
            .items()
            .map(({ value }) => value),
        }),
      );
    },
    async listOrders(shop, { by, since, page }) {
      const member = by === "modified" ? "updated_at" : "created_at";
      const place = placeFrom(page) ?? { since, page: 1 };
      const filter = search([[member, timeOf(place.since), "gteq"]], { sortedBy: member, page: place.page });
      const listed = await get(shop, `/orders?${filter}`);
      return given(listed, ({ json }) => {
        const items = json.at("items");
        if (!items.isList && json.at("total_count").amount() === undefined) return UNEXPECTED;
        const orders = items.items().flatMap((order) => {
          const nativeId = order.at("entity_id").id();
          const modifiedAt = timeIn(order.at("updated_at"));
          return nativeId ? [{ nativeId, ...(modifiedAt === undefined ? {} : { modifiedAt }) }] : [];
        });
        // Behind its last page a shop answers the last page again, so only the count says the end.
        const count = Number(json.at("total_count").amount() ?? Infinity);
        const isLast = items.items().length < ORDERS_OF_PAGE || place.page * ORDERS_OF_PAGE >= count;
        if (isLast) return answerWith({ orders });
        const last = timeIn(items.items().at(-1)?.at(member));
        const next =
          last !== undefined && last > place.since
            ? { since: last, page: 1 }
            : { ...place, page: place.page + 1 };
        return answerWith({ orders, next: `${next.since}.${next.page}` });
      });
    },
    async readTables(shop) {
      const stores = await get(shop, "/store/storeConfigs");
      return given(stores, ({ json }) => {
        const timeZone = json.items()[0]?.at("timezone").text(60);
        return answerWith(timeZone === undefined ? {} : { timeZone });
      });
    },
    test: (shop) => test((path) => get(shop, path)),
  };
}

const UNEXPECTED: ShopAnswer<never> = { answer: "failed", cause: "unexpected" };

async function test(get: (path: string) => Promise<ShopAnswer<Told>>): Promise<ShopAnswer<ShopTest>> {
  const stores = await get("/store/storeConfigs");
  const orders = await get(`/orders?${search([], { sortedBy: "created_at", page: 1, newest: true })}`);
  if (orders.answer !== "given") return orders;
  const config = stores.answer === "given" ? stores.value.json.items()[0] : undefined;
  const [currency, timeZone] = [config?.at("base_currency_code").text(3), config?.at("timezone").text(60)];
  const lastOrder = orders.value.json.at("items").items()[0]?.first("increment_id", "entity_id").text(40);
  const memos = await get(`/creditmemos?${search([], { page: 1 })}`);
  return answerWith({
    ...(currency === undefined ? {} : { currency }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(lastOrder === undefined ? {} : { lastOrder }),
    scopes: memos.answer === "given" ? ["orders", "creditmemos"] : ["orders"],
    lacking: memos.answer === "refused" ? ["creditmemos"] : [],
  });
}

/** A hint may name a credit memo, which names its order. */
async function orderIdOf(
  nativeId: string,
  get: (path: string) => Promise<ShopAnswer<Told>>,
): Promise<ShopAnswer<string>> {
  const [, memo] = /^creditmemo:(.+)$/.exec(nativeId) ?? [];
  if (memo === undefined) return answerWith(nativeId);
  const found = await get(`/creditmemo/${encodeURIComponent(memo)}`);
  return given(found, ({ json }) => {
    const id = json.at("order_id").id();
    return id === undefined ? UNEXPECTED : answerWith(id);
  });
}

type Filter = readonly [member: string, value: string, condition: "eq" | "gteq"];

function search(
  filters: readonly Filter[],
  paging: { readonly sortedBy?: string; readonly page?: number; readonly newest?: boolean } = {},
): string {
  const { sortedBy, page = 1, newest = false } = paging;
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
  return [...named, ...sorted, ...paged]
    .map(([name = "", value = ""]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
}

interface Place {
  readonly since: Instant;
  readonly page: number;
}

function placeFrom(page: string | undefined): Place | undefined {
  const [, since, number] = /^(\d{1,15})\.(\d{1,6})$/.exec(page ?? "") ?? [];
  return since && number ? { since: Number(since), page: Number(number) } : undefined;
}

/** Its times are UTC, with a space. */
function timeIn(native: Native | undefined): Instant | undefined {
  const text = native?.text(40);
  return text === undefined ? undefined : instantFrom(`${text}Z`);
}

function timeOf(at: Instant): string {
  return new Date(Math.max(0, at)).toISOString().slice(0, 19).replace("T", " ");
}
