import { instantIn, momentFrom } from "../domain/order/sent-order.ts";
import { localTime } from "../domain/shared/instant.ts";
import { present } from "../domain/shared/present.ts";
import type { ShopDocuments } from "../domain/shop/documents.ts";
import type { Native } from "../domain/shop/native.ts";
import { NEEDED_RESOURCES } from "../domain/shop/prestashop/resources.ts";
import {
  type OpenedShop,
  ORDERS_OF_PAGE,
  type OrderPage,
  type ShopAnswer,
  type ShopApi,
} from "../platform/shop-api.ts";
import { type Ask, answerWith, basic, given, goneIf, type Told, UNEXPECTED } from "./ask.ts";
import { pageFrom, placeFrom } from "./search-place.ts";

const PER_SECOND = 2;
/** Pages of the details or slips of one order, and pages of a table. */
const MOST = 500;
const MOST_OF_TABLE = 5_000;

type Get = (resource: string, query?: string) => Promise<ShopAnswer<Told>>;

/** PrestaShop's webservice, as JSON. */
export function prestaShop(ask: Ask): ShopApi {
  const getOf =
    ({ url, credentials }: OpenedShop): Get =>
    (resource, query = "") =>
      ask({
        ...{ shopUrl: url, perSecond: PER_SECOND },
        path: `/api/${resource}?output_format=JSON${query}`,
        headers: { Authorization: basic(credentials.key ?? "", "") },
      });
  return {
    readOrder: (shop, nativeId) => readOrder(getOf(shop), nativeId),
    listOrders: (shop, query) => listOrders(getOf(shop), query),
    readTables: (shop) => readTables(getOf(shop)),
    async test(shop) {
      const get = getOf(shop);
      const orders = await get("orders", "&display=[id,reference]&sort=[id_DESC]&limit=1");
      if (orders.answer !== "given") return orders;
      const [granted, lacking]: [string[], string[]] = [["orders"], []];
      for (const resource of NEEDED_RESOURCES) {
        const read = await get(resource, "&display=[id]&limit=1");
        if (read.answer === "failed") return read;
        (read.answer === "refused" ? lacking : granted).push(resource);
      }
      const [version, timeZone, currency] = [
        await configured(get, "PS_VERSION_DB"),
        await configured(get, "PS_TIMEZONE"),
        await defaultCurrency(get),
      ];
      const lastOrder = orders.value.json.at("orders").items()[0]?.first("reference", "id").text(40);
      return answerWith({
        ...(version.answer === "given" && version.value !== undefined ? { version: version.value } : {}),
        ...(timeZone.answer === "given" && timeZone.value !== undefined ? { timeZone: timeZone.value } : {}),
        ...(currency === undefined ? {} : { currency }),
        ...(lastOrder === undefined ? {} : { lastOrder }),
        ...{ scopes: granted, lacking },
      });
    },
  };
}

async function readOrder(get: Get, nativeId: string): Promise<ShopAnswer<ShopDocuments>> {
  const named = await orderIdOf(get, nativeId);
  if (named.answer !== "given") return named;
  const id = encodeURIComponent(named.value);
  const found = await goneIf(await get(`orders/${id}`), async () =>
    given(await get("orders", `&display=[id]&filter[id]=[${id}]`), ({ json }) => {
      const orders = entriesIn(json, "orders");
      return orders ? answerWith(orders.length === 0) : UNEXPECTED;
    }),
  );
  if (found.answer !== "given") return found;
  const order = found.value.json.at("order");
  if (order.at("id").id() !== named.value) return UNEXPECTED;
  const documents: Record<string, unknown> = { order: order.value };
  const ofOrder = `&display=full&filter[id_order]=[${id}]&limit=${MOST}`;
  const reference = encodeURIComponent(order.at("reference").text(60) ?? "");
  const lists = [
    ...(["order_details", "order_cart_rules"] as const).map((name) => [name, name, ofOrder] as const),
    ["order_slip", "order_slips", ofOrder] as const,
    [
      ...(["order_payments", "order_payments"] as const),
      `&display=full&filter[order_reference]=[${reference}]&limit=${MOST}`,
    ] as const,
  ];
  for (const [resource, name, query] of lists) {
    const read = await get(resource, query);
    if (read.answer !== "given") return read;
    const entries = entriesIn(read.value.json, name);
    // A list that is cut would lose lines or refunds.
    if (!entries || entries.length >= MOST) return UNEXPECTED;
    documents[name] = entries.map(({ value }) => value);
  }
  return withSingles(get, order, documents);
}

/** PrestaShop writes an empty list as `[]` without its name. Undefined for anything that is no list. */
function entriesIn(json: Native, name: string): readonly Native[] | undefined {
  if (json.isList) return json.items().length === 0 ? [] : undefined;
  return json.at(name).isList ? json.at(name).items() : undefined;
}

/** The documents that an order names by their ids. */
async function withSingles(
  get: Get,
  order: Native,
  documents: Record<string, unknown>,
): Promise<ShopAnswer<ShopDocuments>> {
  const singles = [
    ["address_invoice", "addresses", "address", order.at("id_address_invoice").id()],
    ["address_delivery", "addresses", "address", order.at("id_address_delivery").id()],
    ["currency", "currencies", "currency", order.at("id_currency").id()],
    ["order_state", "order_states", "order_state", order.at("current_state").id()],
  ] as const;
  for (const [name, resource, member, id] of singles) {
    if (id === undefined) continue;
    const read = await get(`${resource}/${encodeURIComponent(id)}`);
    // A document that the shop no longer has stays absent, and the order is held for it.
    if (read.answer === "failed" && read.cause === "not_found") continue;
    if (read.answer !== "given") return read;
    documents[name] = read.value.json.at(member).value;
  }
  return answerWith(documents);
}

/** The order of a hint that names a slip. If the shop no longer has the slip, no order is fetched. */
async function orderIdOf(get: Get, nativeId: string): Promise<ShopAnswer<string>> {
  const [, slip] = /^order_slip:(.+)$/.exec(nativeId) ?? [];
  if (slip === undefined) return answerWith(nativeId);
  const filter = `&display=[id,id_order]&filter[id]=[${encodeURIComponent(slip)}]`;
  return given(await get("order_slip", filter), ({ json }) => {
    const slips = entriesIn(json, "order_slips");
    if (slips?.length === 0) return { answer: "gone" };
    const id = slips?.[0]?.at("id").id() === slip ? slips[0].at("id_order").id() : undefined;
    return id === undefined ? UNEXPECTED : answerWith(id);
  });
}

type Query = Parameters<ShopApi["listOrders"]>[1];

/** The zone that is assumed for a shop whose key may not read its configuration. */
const SUPPOSED_ZONE = "Europe/Madrid";
/** A shop on the Canary Islands is an hour behind it. */
const SUPPOSED_OFF_MS = 3_600_000;

async function listOrders(get: Get, { by, since, page }: Query): Promise<ShopAnswer<OrderPage>> {
  const member = by === "modified" ? "date_upd" : "date_add";
  const said = await zoneOf(get);
  if (said.answer !== "given") return said;
  const zone = said.value ?? SUPPOSED_ZONE;
  const place = placeFrom(page, said.value === undefined ? since - SUPPOSED_OFF_MS : since);
  const from = localTime(Math.max(0, place.since), zone).timestamp.slice(0, 19).replace("T", " ");
  const dates = encodeURIComponent(`[${from},9999-12-31 23:59:59]`);
  const paging = `&sort=[${member}_ASC,id_ASC]&limit=${(place.page - 1) * ORDERS_OF_PAGE},${ORDERS_OF_PAGE}`;
  const query = `&display=[id,date_add,date_upd]&date=1&filter[${member}]=${dates}${paging}`;
  return given(await get("orders", query), ({ json, headers }) => {
    const entries = entriesIn(json, "orders");
    if (!entries) return UNEXPECTED;
    const timeIn = (native: Native | undefined) => {
      const moment = momentFrom(native?.text(40) ?? "");
      return moment && instantIn(moment, zone);
    };
    const orders = entries.flatMap((order) => {
      const nativeId = order.at("id").id();
      const modifiedAt = timeIn(order.at("date_upd"));
      return nativeId ? [{ nativeId, ...(modifiedAt === undefined ? {} : { modifiedAt }) }] : [];
    });
    const lastAt = timeIn(entries.at(-1)?.at(member));
    return answerWith(
      pageFrom(place, { orders, entries: entries.length, lastAt, isLast: undefined, headers }),
    );
  });
}

function zoneOf(get: Get): Promise<ShopAnswer<string | undefined>> {
  return configured(get, "PS_TIMEZONE");
}

/** The code of the shop's own currency; undefined where the key may not read it. */
async function defaultCurrency(get: Get): Promise<string | undefined> {
  const id = await configured(get, "PS_CURRENCY_DEFAULT");
  if (id.answer !== "given" || id.value === undefined) return undefined;
  const found = await get(`currencies/${encodeURIComponent(id.value)}`);
  return found.answer === "given" ? found.value.json.at("currency", "iso_code").text(3) : undefined;
}

async function configured(get: Get, name: string): Promise<ShopAnswer<string | undefined>> {
  const found = await get("configurations", `&display=[name,value]&filter[name]=[${name}]`);
  if (found.answer === "refused") return answerWith(undefined);
  return given(found, ({ json }) => answerWith(json.at("configurations").items()[0]?.at("value").text(60)));
}

async function readTables(get: Get): Promise<ShopAnswer<Readonly<Record<string, unknown>>>> {
  const lists = [
    ["currencies", "[id,iso_code]"],
    ["countries", "[id,iso_code]"],
    ["taxes", "[id,rate]"],
    ["order_states", "[id,paid,template,name]"],
  ] as const;
  const read = new Map<string, readonly Native[]>();
  for (const [resource, members] of lists) {
    const answered = await get(resource, `&display=${members}&limit=${MOST_OF_TABLE}`);
    // The key may lack the right to one table; without any, the credentials are refused.
    if (answered.answer === "refused") continue;
    if (answered.answer !== "given") return answered;
    const entries = entriesIn(answered.value.json, resource);
    if (!entries || entries.length >= MOST_OF_TABLE) return UNEXPECTED;
    read.set(resource, entries);
  }
  if (read.size === 0) return { answer: "refused" };
  const zone = await zoneOf(get);
  if (zone.answer !== "given") return zone;
  const by = (resource: string, value: (row: Native) => unknown) =>
    Object.fromEntries((read.get(resource) ?? []).map((row) => [row.at("id").id() ?? "", value(row)]));
  return answerWith({
    ...(zone.value === undefined ? {} : { timeZone: zone.value }),
    currencies: by("currencies", (row) => row.at("iso_code").text(3)),
    countries: by("countries", (row) => row.at("iso_code").text(2)),
    taxRates: by("taxes", (row) => row.at("rate").amount()),
    orderStates: by("order_states", (row) => ({
      paid: row.at("paid").flag() ?? false,
      ...present({ template: inAnyLanguage(row.at("template")), name: inAnyLanguage(row.at("name")) }),
    })),
  });
}

/** A text that the shop has in several languages: the first one is taken. */
function inAnyLanguage(place: Native): string | undefined {
  return place.text(60) ?? place.items()[0]?.at("value").text(60);
}
