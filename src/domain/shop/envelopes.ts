import { Native } from "./native.ts";
import type { ShopPlatform } from "./presets.ts";

/** Members of which a document of any platform has one; an envelope has none. */
const IDS = ["id", "entity_id", "order_id", "increment_id", "creditmemo_id", "id_order", "legacyResourceId"];

/** No API puts a list into more envelopes. */
const MOST_ENVELOPES = 5;

/**
 * The documents of a list, however it comes: `[{}, {}]`, `{ "slips": [{}] }`, `{ "slips": { "slip": {} } }`,
 * `{}` alone, or in the numbered members that PHP writes. The names are those of the envelopes.
 */
export function entriesIn(
  document: unknown,
  names: readonly string[],
  within: readonly string[] = [],
): readonly Native[] {
  const place = document instanceof Native ? document : new Native(document);
  const known = [...within, place.where];
  if (place.isList) {
    const inner = (item: Native) => known.length <= MOST_ENVELOPES && envelopeOf(item, names) !== undefined;
    return place.items().flatMap((item) => (inner(item) ? entriesIn(item, names, known) : [item]));
  }
  const name = envelopeOf(place, names);
  if (name !== undefined) return known.length > MOST_ENVELOPES ? [] : entriesIn(place.at(name), names, known);
  const numbered = place.items();
  if (numbered.length > 0) return numbered;
  return isEmptyObject(place) ? [] : [place];
}

function envelopeOf(place: Native, names: readonly string[]): string | undefined {
  if (!place.isObject || !place.first(...IDS).isEmpty) return undefined;
  return names.find((name) => place.at(name).value !== undefined);
}

function isEmptyObject({ value, isObject }: Native): boolean {
  return !isObject || Object.keys(Object(value)).length === 0;
}

/** A single document out of its envelopes; its places are named from its own top. */
export function documentIn(document: unknown, ...names: readonly string[]): Native {
  const [first] = entriesIn(document, names);
  return new Native(first?.value);
}

interface Refunds {
  /** Members of a shop's documents that have the refunds of an order; ours is the first. */
  readonly members: readonly [string, string];
  /** Names of the envelopes in which the platform's API and its webhooks put them. */
  readonly names: readonly string[];
}

const REFUNDS: Readonly<Record<ShopPlatform, Refunds>> = {
  woocommerce: { members: ["refunds", "refund"], names: ["refunds", "refund", "data"] },
  shopify: { members: ["refunds", "refund"], names: ["refunds", "refund", "data", "nodes"] },
  prestashop: { members: ["order_slips", "order_slip"], names: ["order_slips", "order_slip"] },
  magento: {
    members: ["creditmemos", "creditmemo"],
    names: ["items", "creditmemos", "creditmemo", "data"],
  },
};

export function refundMember(platform: ShopPlatform): string {
  return REFUNDS[platform].members[0];
}

/** The refunds among the documents of an order, each once: of two with one id the later one counts. */
export function refundsIn(platform: ShopPlatform, documents: unknown): readonly Native[] {
  const { members, names } = REFUNDS[platform];
  const place = documents instanceof Native ? documents : new Native(documents);
  const refunds = members.flatMap((member) => entriesIn(ownDocument(place, member), names));
  const ids = refunds.map((refund, index) => refundId(refund) ?? `${index} without an id`);
  return refunds.filter((_, index) => ids.lastIndexOf(ids[index] ?? "") === index);
}

/** Documents may be read already. */
function ownDocument(documents: Native, name: string): Native {
  const { value } = documents.at(name);
  return value instanceof Native ? value : new Native(value);
}

/** REST has the number of `gid://shopify/Refund/1`. */
function refundId(refund: Native): string | undefined {
  const id = refund.first("legacyResourceId", "id", "entity_id", "creditmemo_id", "increment_id").id(200);
  return id?.startsWith("gid://") ? (/\/(\d+)(?:\?.*)?$/.exec(id)?.[1] ?? id) : id;
}
