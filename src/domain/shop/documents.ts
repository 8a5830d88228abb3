import { JsonNumber } from "../shared/exact-json.ts";
import type { DeliveryTopic } from "./delivery.ts";
import { documentIn, refundMember, refundsIn } from "./envelopes.ts";
import type { MappedOrder } from "./mapped.ts";
import { Native, readJson } from "./native.ts";
import type { ShopPlatform } from "./presets.ts";
import { readXml } from "./prestashop/xml.ts";
import { NO_TABLES, type ShopTables } from "./tables.ts";

/** Native documents of one order, each under its name, with the digits of their numbers. */
export type ShopDocuments = Readonly<Record<string, unknown>>;

type Mapper = (documents: ShopDocuments, tables: ShopTables) => MappedOrder;

/** The mappers of this deployment; a platform without one is unreadable. */
export type Mappers = Readonly<Partial<Record<ShopPlatform, Mapper>>>;

const NOTHING_MAPPED: MappedOrder = { events: [], missing: [{ what: "order" }] };

export function mapDocuments(
  mappers: Mappers,
  platform: ShopPlatform,
  documents: ShopDocuments,
  tables: ShopTables,
): MappedOrder {
  return mappers[platform]?.(documents, tables) ?? NOTHING_MAPPED;
}

export function tablesFrom(json: string | undefined): ShopTables {
  return json === undefined ? NO_TABLES : JSON.parse(json);
}

/** What a delivery is about. */
export interface DeliveredDocuments {
  /** As the shop's API calls what is to be fetched. */
  readonly nativeId: string;
  /** The order, if the delivery names it. */
  readonly orderId?: string;
  /** Absent if it is only a hint. */
  readonly documents?: ShopDocuments;
}

/** Where a refund names its order. */
const ORDER_OF_REFUND: Readonly<Record<ShopPlatform, string>> = {
  woocommerce: "parent_id",
  shopify: "order_id",
  prestashop: "id_order",
  magento: "order_id",
};

const ID: Readonly<Record<ShopPlatform, string>> = {
  woocommerce: "id",
  shopify: "id",
  prestashop: "id",
  magento: "entity_id",
};

/** The body of a delivery; undefined for anything that names no order and no refund of the platform. */
export function readDelivered(
  platform: ShopPlatform,
  topic: DeliveryTopic,
  bytes: Uint8Array,
): DeliveredDocuments | undefined {
  const text = textIn(bytes);
  const isXml = platform === "prestashop" && text !== undefined && /^\uFEFF?\s*</.test(text);
  const body = text === undefined ? undefined : isXml ? treeOf(text) : readJson(text);
  if (!body?.isObject) return undefined;
  if (platform === "woocommerce" || platform === "shopify") return ofWebhook(platform, topic, body);
  // The root of XML has the documents as its children.
  const inside = body.at("documents");
  const documents = isXml && !inside.isObject && body.at("resource").isEmpty ? body : inside;
  return documents.isObject ? ofModule(platform, documents) : hintIn(platform, body);
}

/** Modules of PrestaShop may send XML, as its webservice answers. */
function treeOf(text: string): Native | undefined {
  const tree = readXml(text.trim());
  return tree && new Native(tree);
}

function ofWebhook(
  platform: ShopPlatform,
  topic: DeliveryTopic,
  body: Native,
): DeliveredDocuments | undefined {
  const orderId = idIn(body.at(topic === "refund" ? ORDER_OF_REFUND[platform] : ID[platform]));
  if (orderId === undefined) return undefined;
  const named = { nativeId: orderId, orderId };
  if (topic === "deleted") return named;
  const documents = topic === "order" ? { order: body.value } : { [refundMember(platform)]: [body.value] };
  return { ...named, documents };
}

/** Of our own modules: documents under their names. */
function ofModule(platform: ShopPlatform, documents: Native): DeliveredDocuments | undefined {
  const [refund] = refundsIn(platform, documents);
  const orderId =
    idIn(documentIn(documents.at("order"), "order", "orders").at(ID[platform])) ??
    (refund && idIn(refund.at(ORDER_OF_REFUND[platform])));
  if (orderId === undefined) return undefined;
  return { nativeId: orderId, orderId, documents: ownMembers(documents.value) };
}

/** The other resource that a module's hint may name. */
const REFUND_RESOURCE: Readonly<Partial<Record<ShopPlatform, string>>> = {
  prestashop: "order_slip",
  magento: "creditmemo",
};

/** `{ "resource": "order", "id": "9004" }`: only an order is called by its own id. */
function hintIn(platform: ShopPlatform, body: Native): DeliveredDocuments | undefined {
  const [resource, id] = [body.at("resource").text(40), idIn(body.at("id"))];
  if (resource === undefined || id === undefined) return undefined;
  if (resource === "order") return { nativeId: id, orderId: id };
  return resource === REFUND_RESOURCE[platform] ? { nativeId: `${resource}:${id}` } : undefined;
}

/**
 * All four platforms count their orders: what else stands in the place of an id would change the path of a
 * call.
 */
function idIn(place: Native): string | undefined {
  const id = place.id();
  return id !== undefined && /^\d{1,20}$/.test(id) ? id : undefined;
}

/** The delivered documents over those that are stored; refunds of both count, each once. */
export function withStored(
  platform: ShopPlatform,
  delivered: ShopDocuments | undefined,
  storedText: string | undefined,
): ShopDocuments {
  const stored = storedText === undefined ? {} : ownMembers(readJson(storedText)?.value);
  const name = refundMember(platform);
  const both = [stored, delivered ?? {}].flatMap((from) => refundsIn(platform, from));
  const refunds = refundsIn(platform, { [name]: both.map(({ value }) => value) });
  const all = refunds.length > 0 ? { [name]: refunds.map(({ value }) => value) } : {};
  // A document that comes after a deletion says that the order is there again.
  const { isDeleted: _, ...kept } = stored;
  return { ...kept, ...delivered, ...all };
}

/** JSON with every digit of its numbers. */
export function textOfDocuments(documents: ShopDocuments): string {
  return JSON.stringify(documents, (_, value) =>
    value instanceof JsonNumber ? JSON.rawJSON(value.source) : value,
  );
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

function ownMembers(value: unknown): ShopDocuments {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
