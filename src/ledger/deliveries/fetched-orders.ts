import type { StoredDocument } from "../../db/shops/delivery-store.ts";
import type { DocumentRow, EndedFetch, KeptBody, ShopWrite } from "../../db/shops/shop-write.ts";
import type { ShopWork } from "../../db/shops/work-store.ts";
import { timely, Unavailable } from "../../db/store-calls.ts";
import { instantIn, type SentOrder } from "../../domain/order/sent-order.ts";
import { parseExactly } from "../../domain/shared/exact-json.ts";
import { sha256OfBytes } from "../../domain/shared/hash.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { NO_OUTLOOK } from "../../domain/shop/backfill.ts";
import { type ShopDocuments, textOfDocuments } from "../../domain/shop/documents.ts";
import { namedFault } from "../../platform/log.ts";
import type { Fetched, Previewed, ShopDecision, ShopOrders } from "../../work/shops/shop-orders.ts";
import type { LedgerCore } from "../core/core.ts";
import { previewShopOrder } from "./preview-shop-order.ts";
import type { ShopDeps } from "./shop-deps.ts";
import {
  documentsOf,
  isOfEarlierShop,
  isShopChanged,
  keptBody,
  mapShopOrder,
  submitShopOrder,
} from "./submit-shop-order.ts";

/** The id of the requests that the service makes itself. */
const REQUEST_ID = "shop";

/** Fetched and stored documents become orders in the queue, as a delivery's do. */
export function shopOrders(core: LedgerCore, deps: ShopDeps): ShopOrders {
  // A database that does not answer says nothing about the document: the order stays due.
  const shops: ShopDeps = { ...deps, deliveries: timely(deps.deliveries, core.deps) };
  return {
    decideFetched: (fetched, work) =>
      orLater(() => decideFetched(fetched, work, core, shops), core, "unreadable"),
    preview: (documents, work) =>
      orLater(() => previewShopOrder(documents, work, core, shops), core, UNREADABLE),
    decideStored: (idExternal, work) =>
      orLater(() => decideStored(idExternal, work, core, shops), core, "unreadable"),
  };
}

const UNREADABLE: Previewed = { would: "unreadable", outlook: NO_OUTLOOK };

async function decideStored(
  idExternal: string,
  work: ShopWork,
  core: LedgerCore,
  shops: ShopDeps,
): Promise<ShopDecision> {
  const before = await shops.deliveries.readDocument(idExternal);
  if (!before) return "nothing";
  const documents = await parsed(before, shops);
  return documents ? decide({ documents, at: before.receivedAt, before }, work, core, shops) : "lost";
}

/** If ledger or store do not answer, the work stays due. A fault of ours in one order stops no other. */
async function orLater<Outcome>(
  decide: () => Promise<Outcome>,
  { deps }: LedgerCore,
  broken: Outcome,
): Promise<Outcome | "later"> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof Unavailable) return "later";
    deps.alertOperator("shop_order_broken", namedFault(error));
    return broken;
  }
}

async function decideFetched(
  { documents, nativeId, hints, at, hidesOlderThanMs, isBackfilled }: Fetched,
  work: ShopWork,
  core: LedgerCore,
  shops: ShopDeps,
): Promise<ShopDecision> {
  const fetched = { nativeId, hints, at };
  const backfilled = isBackfilled ? { isBackfilled } : {};
  if (documents) return decide({ documents, at, fetched, ...backfilled }, work, core, shops);
  const stored = await shops.deliveries.readDocument(nativeId);
  const before = stored && (await parsed(stored, shops));
  if (!before) return "unknown";
  const gone = { ...before, isDeleted: true };
  return decide({ documents: gone, at, fetched, isDeleted: true, hidesOlderThanMs }, work, core, shops);
}

interface Native {
  readonly documents: ShopDocuments;
  readonly at: Instant;
  readonly fetched?: EndedFetch;
  /** The stored documents that are mapped again. */
  readonly before?: StoredDocument;
  readonly isDeleted?: boolean;
  readonly hidesOlderThanMs?: number | undefined;
  readonly isBackfilled?: true;
}

async function decide(
  native: Native,
  work: ShopWork,
  core: LedgerCore,
  shops: ShopDeps,
): Promise<ShopDecision> {
  const { documents, at, fetched, before, isDeleted = documents.isDeleted === true } = native;
  const { shop, tables } = work;
  const platform = shop.platform;
  const ofShop = { mappers: shops.mappers, platform, shop, tables };
  const mapped = mapShopOrder({ ...ofShop, documents, isDeleted });
  const { order } = mapped;
  if (!order) return "unreadable";
  if (fetched && (await isOfEarlierShop(order, ofShop, shops))) return "unreadable";
  if (isHidden(order, native)) return "nothing";
  const { idExternal, status, updatedAt } = order;
  const { sha256, kept } = before ? storedBody(before) : await newBody(documents, idExternal, core, shops);
  const modifiedAt = updatedAt ?? before?.modifiedAt;
  const document: DocumentRow = {
    ...{ idExternal, sha256, kept, receivedAt: at, settingsVersion: shop.settingsVersion },
    source: before?.source ?? "fetched",
    ...(status === undefined ? {} : { status }),
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
    missing: JSON.stringify(mapped.missing),
    ...(before ? { isMappedAgain: true } : {}),
  };
  const write: ShopWrite = { access: shop.access, document, ...(fetched ? { fetched } : {}) };
  const { isBackfilled } = native;
  const backfilled = isBackfilled ? { isBackfilled } : {};
  const submitted = { requestId: REQUEST_ID, source: platform, isUnawaited: true, ...backfilled };
  const outcome = await submitShopOrder(core, order, submitted, write);
  if (outcome.outcome === "taken") return "decided";
  if (outcome.outcome === "failed") return "unreadable";
  if (isShopChanged(outcome) || outcome.outcome !== "refused") return "later";
  // An erased order stays erased, whatever its shop still says.
  return outcome.refusal.code === "order_erased" ? "nothing" : "unreadable";
}

/** Of an order that is so old the shop's "not found" says nothing. */
function isHidden({ orderDate }: SentOrder, { at, hidesOlderThanMs }: Native): boolean {
  if (hidesOlderThanMs === undefined || orderDate === undefined) return false;
  return instantIn(orderDate, "UTC") < at - hidesOlderThanMs;
}

function storedBody({ sha256, documents, bodyKey }: StoredDocument): {
  readonly sha256: string;
  readonly kept: KeptBody;
} {
  return { sha256, kept: bodyKey === undefined ? { body: documents ?? "" } : { bodyKey } };
}

async function newBody(documents: ShopDocuments, id: string, core: LedgerCore, shops: ShopDeps) {
  const bytes = new TextEncoder().encode(textOfDocuments(documents));
  return { sha256: sha256OfBytes(bytes), kept: await keptBody({ of: "orders", id, bytes }, core, shops) };
}

/** Documents of our own row: their form was checked when they were stored. */
async function parsed(stored: StoredDocument, shops: ShopDeps): Promise<ShopDocuments | undefined> {
  const text = await documentsOf(stored, shops);
  return text === undefined ? undefined : (parseExactly(text) as ShopDocuments);
}
