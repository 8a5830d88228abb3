import { documentKey } from "../../db/shops/body-store.ts";
import type { DocumentRow, EndedFetch, ShopWrite } from "../../db/shops/shop-write.ts";
import type { ShopWork } from "../../db/shops/work-store.ts";
import { Unavailable } from "../../db/store-calls.ts";
import { parseExactly } from "../../domain/shared/exact-json.ts";
import { sha256OfBytes } from "../../domain/shared/hash.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type ShopDocuments, textOfDocuments } from "../../domain/shop/documents.ts";
import type { Fetched, ShopDecision, ShopOrders } from "../../work/shops/shop-orders.ts";
import type { LedgerCore } from "../core/core.ts";
import { previewShopOrder } from "./preview-shop-order.ts";
import type { ShopDeps } from "./shop-deps.ts";
import { documentsOf, keptBody, mapShopOrder, submitShopOrder } from "./submit-shop-order.ts";

/** The id of the requests that the service makes itself. */
const REQUEST_ID = "shop";

/** Fetched and stored documents become orders in the queue, as a delivery's do. */
export function shopOrders(core: LedgerCore, shops: ShopDeps): ShopOrders {
  return {
    decideFetched: (fetched, work) => orLater(() => decideFetched(fetched, work, core, shops)),
    preview: (documents, work) => orLater(() => previewShopOrder(documents, work, core, shops)),
    decideStored: (idExternal, work) =>
      orLater(async () => {
        const stored = await storedDocuments(idExternal, shops);
        if (!stored) return "nothing";
        const { documents, modifiedAt } = stored;
        return decide({ documents, source: "posted", at: core.deps.now(), modifiedAt }, work, core, shops);
      }),
  };
}

/** A ledger or a store that does not answer: the work stays due. */
async function orLater<Outcome>(decide: () => Promise<Outcome>): Promise<Outcome | "later"> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof Unavailable) return "later";
    throw error;
  }
}

async function decideFetched(
  { documents, nativeId, hints, at }: Fetched,
  work: ShopWork,
  core: LedgerCore,
  shops: ShopDeps,
): Promise<ShopDecision> {
  const fetched = { nativeId, hints, at };
  if (documents) return decide({ documents, source: "fetched", at, fetched }, work, core, shops);
  const stored = await storedDocuments(nativeId, shops);
  if (!stored) return "nothing";
  const gone = { ...stored.documents, isDeleted: true };
  return decide({ documents: gone, source: "fetched", at, fetched, isDeleted: true }, work, core, shops);
}

interface Native {
  readonly documents: ShopDocuments;
  readonly source: DocumentRow["source"];
  readonly at: Instant;
  readonly fetched?: EndedFetch;
  readonly isDeleted?: boolean;
  readonly modifiedAt?: Instant | undefined;
}

async function decide(
  native: Native,
  work: ShopWork,
  core: LedgerCore,
  shops: ShopDeps,
): Promise<ShopDecision> {
  const { documents, source, at, fetched, isDeleted = documents.isDeleted === true } = native;
  const { shop, tables } = work;
  const { mappers, platform } = { mappers: shops.mappers, platform: shop.platform };
  const mapped = mapShopOrder({ mappers, platform, documents, isDeleted, shop, tables });
  if (!mapped.order) return "unreadable";
  const { idExternal, status, updatedAt } = mapped.order;
  const bytes = new TextEncoder().encode(textOfDocuments(documents));
  const sha256 = sha256OfBytes(bytes);
  const { connectionId } = core.deps;
  const modifiedAt = updatedAt ?? native.modifiedAt;
  const document: DocumentRow = {
    ...{ idExternal, sha256, source, receivedAt: at, settingsVersion: shop.settingsVersion },
    ...(status === undefined ? {} : { status }),
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
    kept: await keptBody(bytes, documentKey(connectionId, idExternal, sha256), shops),
    missing: JSON.stringify(mapped.missing),
  };
  const write: ShopWrite = { document, ...(fetched ? { fetched } : {}) };
  const outcome = await submitShopOrder(
    core,
    mapped.order,
    { requestId: REQUEST_ID, source: platform },
    write,
  );
  if (outcome.outcome === "taken") return "decided";
  // An erased order stays erased, whatever its shop still says.
  if (outcome.outcome === "refused")
    return outcome.refusal.code === "order_erased" ? "nothing" : "unreadable";
  return "later";
}

async function storedDocuments(idExternal: string, shops: ShopDeps) {
  const stored = await shops.deliveries.readDocument(idExternal);
  if (!stored) return undefined;
  // Documents of our own row: their form was checked when they were stored.
  const documents = parseExactly(await documentsOf(stored, shops)) as ShopDocuments;
  return { documents, modifiedAt: stored.modifiedAt };
}
