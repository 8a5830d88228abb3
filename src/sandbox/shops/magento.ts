/** A Magento 2 shop: REST V1 of orders, credit memos and store configurations. */
import { type Doc, isDoc, textOf, Unusable, unwrapped, withId } from "./documents.ts";
import { type Call, compare, json, pageOf, type Shop, type ShopDeps } from "./shop.ts";
import { laterOf, SHOP_ZONE, spaced, utcOf } from "./times.ts";

/** With a store view or without one. */
const PATH = /^\/rest\/(?:[a-z_]+\/)?V1\/([a-zA-Z]+)(?:\/([^/]+))?\/?$/;
const TOPICS = ["order", "creditmemo"] as const;

export function magento(deps: ShopDeps): Shop {
  const { store, now } = deps;
  const stamped = (doc: Doc): Doc => ({
    ...doc,
    updated_at: laterOf(doc.updated_at, spaced(utcOf(now()))),
  });
  const touch = (memo: Doc | undefined) => {
    const id = textOf(memo?.order_id) ?? "";
    const order = store.get("orders", id);
    if (order) store.put("orders", id, stamped(order));
  };
  const memosOf = (id: string) => store.list("creditmemos").filter((memo) => textOf(memo.order_id) === id);
  return {
    answer: (call) => answer(call, deps),
    topics: TOPICS,
    resources: {
      orders: {
        put(id, sent) {
          const order = unwrapped(sent, "order", "data", "entity");
          if (!isDoc(order)) throw new Unusable("Send the order as GET /V1/orders/{id} answers it.");
          store.put("orders", id, stamped(withId(asOfMagento2(order), id, "entity_id")));
        },
        remove: (id) => store.remove("orders", id),
      },
      creditmemos: {
        put(id, sent) {
          const memo = unwrapped(sent, "creditmemo", "data", "entity");
          if (!isDoc(memo) || textOf(memo.order_id) === undefined) {
            throw new Unusable("Send the credit memo with the order_id of its order.");
          }
          store.put("creditmemos", id, stamped(withId(memo, id, "entity_id")));
          touch(memo);
        },
        remove(id) {
          const memo = store.get("creditmemos", id);
          touch(memo);
          return store.remove("creditmemos", id);
        },
      },
    },
    bodyOf(topic, id, sends) {
      const memo = topic === "creditmemo" ? store.get("creditmemos", id) : undefined;
      const orderId = topic === "creditmemo" ? textOf(memo?.order_id) : id;
      const order = orderId === undefined ? undefined : store.get("orders", orderId);
      if (topic === "creditmemo" ? !memo : !order) return undefined;
      if (sends === "hint") return { resource: topic, id };
      const creditmemos = memosOf(orderId ?? "");
      return {
        documents: { ...(order ? { order } : {}), ...(creditmemos.length > 0 ? { creditmemos } : {}) },
      };
    },
    webhooksOf: () => [],
    giveUp: () => undefined,
  };
}

/** An order of Magento 1 has its id as `order_id`, which in Magento 2 only its invoices and memos have. */
function asOfMagento2(order: Doc): Doc {
  const { order_id: id, ...others } = order;
  return id === undefined || "entity_id" in order ? order : { entity_id: id, ...others };
}

function refused(status: number, message: string, parameters?: Doc): Response {
  return json(parameters ? { message, parameters } : { message }, status);
}

const NO_ENTITY = "The entity that was requested doesn't exist. Verify the entity and try again.";

function answer({ method, path, query, headers }: Call, { store, credentials, url }: ShopDeps): Response {
  const [, resource = "", id] = PATH.exec(path) ?? [];
  if (headers.get("Authorization") !== `Bearer ${credentials.token}`) {
    const resources = "Magento_Sales::sales";
    return refused(401, "The consumer isn't authorized to access %resources.", { resources });
  }
  if (method !== "GET" || resource === "") return refused(404, "Request does not match any route.");
  if (resource === "store" && id === "storeConfigs") return json([storeConfig(url)]);
  if (id === undefined && (resource === "orders" || resource === "creditmemos")) {
    return searched(store.list(resource), query);
  }
  const table = { orders: "orders", creditmemo: "creditmemos" }[resource];
  if (table === undefined || id === undefined) return refused(404, "Request does not match any route.");
  const found = store.get(table, decodeURIComponent(id));
  return found ? json(found) : refused(404, NO_ENTITY);
}

function storeConfig(url: string): Doc {
  return {
    ...{ id: 1, code: "default", website_id: 1, locale: "es_ES", timezone: SHOP_ZONE, weight_unit: "kgs" },
    ...{ base_currency_code: "EUR", default_display_currency_code: "EUR" },
    ...{ base_url: `${url}/`, secure_base_url: `${url}/` },
  };
}

interface Condition {
  readonly field: string;
  readonly value: string;
  readonly type: string;
}

type Matches = (own: string, value: string) => boolean;

const CONDITIONS: Readonly<Record<string, Matches>> = {
  eq: (own, value) => own === value,
  neq: (own, value) => own !== value,
  gt: (own, value) => compare(own, value) > 0,
  gteq: (own, value) => compare(own, value) >= 0,
  from: (own, value) => compare(own, value) >= 0,
  lt: (own, value) => compare(own, value) < 0,
  lteq: (own, value) => compare(own, value) <= 0,
  to: (own, value) => compare(own, value) <= 0,
  in: (own, value) => value.split(",").includes(own),
  nin: (own, value) => !value.split(",").includes(own),
};

/** Groups are joined by AND, the filters of a group by OR. */
function searched(all: readonly Doc[], query: URLSearchParams): Response {
  const groups = groupsOf(query);
  const unknown = groups.flat().find(({ type }) => !CONDITIONS[type]);
  if (unknown) return refused(400, "The condition type is not supported.", { condition: unknown.type });
  const found = all.filter((doc) =>
    groups.every((group) =>
      group.some(({ field, value, type }) => CONDITIONS[type]?.(textOf(doc[field]) ?? "", value)),
    ),
  );
  const sorted = sortedBy(found, query);
  const given = query.get("searchCriteria[pageSize]");
  const size = given === null ? Math.max(1, sorted.length) : Number(given);
  if (!Number.isInteger(size) || size < 1) return refused(400, "The page size must be above 0.");
  // A page behind the last one is the last one once more.
  const last = Math.max(1, Math.ceil(sorted.length / size));
  const page = Math.min(last, Math.max(1, Number(query.get("searchCriteria[currentPage]") ?? 1)));
  return json({
    items: pageOf(sorted, page, size),
    search_criteria: {
      filter_groups: groups.map((filters) => ({
        filters: filters.map(({ field, value, type }) => ({ field, value, condition_type: type })),
      })),
      ...{ page_size: size, current_page: page },
    },
    total_count: sorted.length,
  });
}

const FILTER = /^searchCriteria\[filter_?[gG]roups\]\[(\d+)\]\[filters\]\[(\d+)\]\[(\w+)\]$/;

function groupsOf(query: URLSearchParams): readonly (readonly Condition[])[] {
  const filters = new Map<string, Record<string, string>>();
  for (const [name, text] of query) {
    const [, group, place, part] = FILTER.exec(name) ?? [];
    if (group === undefined || part === undefined) continue;
    const key = `${group} ${place}`;
    filters.set(key, { ...filters.get(key), [part.replace("condition_type", "conditionType")]: text });
  }
  const groups = new Map<string, Condition[]>();
  for (const [key, { field = "", value = "", conditionType: type = "eq" }] of filters) {
    const [group = ""] = key.split(" ");
    groups.set(group, [...(groups.get(group) ?? []), { field, value, type }]);
  }
  return [...groups.values()];
}

const SORT = /^searchCriteria\[(?:sortOrders|sort_orders)\]\[(\d+)\]\[(field|direction)\]$/;

function sortedBy(found: readonly Doc[], query: URLSearchParams): readonly Doc[] {
  const orders: Record<string, Record<string, string>> = {};
  for (const [name, text] of query) {
    const [, place, part] = SORT.exec(name) ?? [];
    if (place !== undefined && part !== undefined) orders[place] = { ...orders[place], [part]: text };
  }
  return found.toSorted((one, other) => {
    for (const { field = "entity_id", direction = "DESC" } of Object.values(orders)) {
      const order = compare(textOf(one[field]), textOf(other[field]));
      if (order !== 0) return direction.toUpperCase() === "ASC" ? order : -order;
    }
    return compare(textOf(one.entity_id), textOf(other.entity_id));
  });
}
