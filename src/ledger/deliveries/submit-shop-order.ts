import { newBodyKey, UNNAMED_BODY_MS } from "../../db/shops/body-store.ts";
import type { StoredDocument } from "../../db/shops/delivery-store.ts";
import type { KeptBody, ShopWrite } from "../../db/shops/shop-write.ts";
import { Unavailable } from "../../db/store-calls.ts";
import type { SentOrder } from "../../domain/order/sent-order.ts";
import { base64Of, bytesOf } from "../../domain/shared/base64.ts";
import { parseExactly } from "../../domain/shared/exact-json.ts";
import { isSameValue } from "../../domain/shared/hash.ts";
import { invariant } from "../../domain/shared/result.ts";
import type { ConnectedShop } from "../../domain/shop/connected-shop.ts";
import { BODY_IN_ROW_BYTES } from "../../domain/shop/delivery.ts";
import { type Mappers, mapDocuments, type ShopDocuments, tablesFrom } from "../../domain/shop/documents.ts";
import type { MappedOrder } from "../../domain/shop/mapped.ts";
import { type ShopPlatform, withMeaning } from "../../domain/shop/presets.ts";
import { type LedgerCore, sizeOf } from "../core/core.ts";
import type { QueuedCall } from "../core/settle.ts";
import { SHOP_CHANGED } from "../orders/decide-orders.ts";
import type { DecidedOrder, OrderInstruction, OrderOutcome } from "../orders/order-outcomes.ts";
import type { ShopDeps } from "./shop-deps.ts";

interface NativeOrder {
  readonly mappers: Mappers;
  readonly platform: ShopPlatform;
  readonly documents: ShopDocuments;
  readonly isDeleted: boolean;
  readonly shop: ConnectedShop;
  /** ShopTables as JSON. */
  readonly tables: string | undefined;
}

/** The native status of an order that the shop has deleted. */
const DELETED = "deleted";

/** The order as the decision takes it: mapped, with what is missing and with the meaning of its status. */
export function mapShopOrder(native: NativeOrder): MappedOrder {
  const { mappers, platform, documents, isDeleted, shop, tables } = native;
  const { settings } = shop;
  const mapped = mapDocuments(mappers, platform, documents, { ...tablesFrom(tables), ...settings });
  if (!mapped.order) return mapped;
  const { missing } = mapped;
  const order: SentOrder = {
    ...mapped.order,
    ...(isDeleted ? { status: DELETED } : {}),
    ...(missing.length > 0 ? { missing } : {}),
  };
  return { ...mapped, order: withMeaning(order, settings.statuses) };
}

/**
 * Whether the connection has another order under this id, of a shop that was connected before: every platform
 * counts its orders from 1. The same shop may be connected again, and its orders keep their date.
 */
export async function isOfEarlierShop(
  { idExternal, orderDate }: SentOrder,
  native: Omit<NativeOrder, "documents" | "isDeleted">,
  shops: ShopDeps,
): Promise<boolean> {
  const earlier = await shops.deliveries.readEarlierDocument(idExternal);
  const text = earlier && (await documentsOf(earlier, shops));
  if (text === undefined) return false;
  // Documents of our own row: their form was checked when they were stored.
  const documents = parseExactly(text) as ShopDocuments;
  const { order: before } = mapShopOrder({ ...native, documents, isDeleted: false });
  return before === undefined || !isSameValue(before.orderDate, orderDate);
}

/** What a delivery or a fetch lacks whose id is that of an order of another shop. */
export const OF_EARLIER_SHOP_FACT = "earlier_shop";

/** Bodies of a company that is not proven are bounded, as those with a key are; each counts once. */
function refusedAsTest(
  { admission, deps }: LedgerCore,
  sizeBytes: number,
): QueuedCall<OrderInstruction, DecidedOrder>["refusedBy"] {
  let isCounted = false;
  return (facts) => {
    if (isCounted || !facts?.sendsTests) return undefined;
    const taken = admission.sentTests.take(sizeBytes, deps.now());
    isCounted = taken.admitted;
    if (taken.admitted) return undefined;
    return { outcome: "rate_limited", retryAfterSeconds: taken.retryAfterSeconds };
  };
}

interface Submitted {
  readonly requestId: string;
  readonly source: string;
  readonly isBackfilled?: true;
  /** No caller waits for it, so callers go first. */
  readonly isUnawaited?: boolean;
}

/**
 * Decides the order in the lane of orders, with its delivery and documents in the same batch. The kept body
 * names the meaning of the status, so that a changed map makes another body.
 */
export async function submitShopOrder(
  core: LedgerCore,
  sent: SentOrder,
  { requestId, source, isUnawaited = false, ...backfilled }: Submitted,
  shopWrite: ShopWrite,
): Promise<OrderOutcome> {
  const asSent = JSON.stringify({ source, order: sent });
  const submission = { sent, asSent, preview: false };
  const item = { kind: "submit", submission, requestId, shopWrite, ...backfilled } as const;
  const sizeBytes = sizeOf(item);
  const settleOne = isUnawaited ? core.settleUnawaitedOrder : core.settleOrder;
  const reply = await settleOne({ item, refusedBy: refusedAsTest(core, sizeBytes) }, sizeBytes);
  if (!("kind" in reply)) return reply;
  invariant(reply.kind === "submit", "an instruction has an outcome of its own kind");
  const { outcome } = reply;
  // The memory may be the older one, if another instance has changed the shop.
  if (isShopChanged(outcome)) await core.runExclusive(async () => ({ forgotten: core.cache.forget() }));
  return outcome;
}

/** The shop or its access changed while the order waited. */
export function isShopChanged(outcome: OrderOutcome): boolean {
  return outcome.outcome === "unavailable" && outcome.cause === SHOP_CHANGED;
}

interface Body {
  readonly of: "deliveries" | "orders";
  /** Of the delivery or of the order. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * In R2 first: a row never names a body that is not there. What no row comes to name is erased by its note.
 */
export async function keptBody(
  { bytes, ...place }: Body,
  { deps }: LedgerCore,
  { bodies, deliveries }: ShopDeps,
): Promise<KeptBody> {
  if (bytes.length <= BODY_IN_ROW_BYTES) return { body: base64Of(bytes) };
  const key = newBodyKey(deps.connectionId, place, deps.random);
  await deliveries.noteBody(key, deps.now() + UNNAMED_BODY_MS);
  try {
    await bodies.keep(key, bytes);
  } catch {
    throw new Unavailable("bodies");
  }
  return { bodyKey: key };
}

/**
 * Undefined if the stored body is lost, as after a restore of the database to a moment before its erasure.
 */
export async function documentsOf(
  { documents, bodyKey }: StoredDocument,
  { bodies }: ShopDeps,
): Promise<string | undefined> {
  if (documents !== undefined) return new TextDecoder().decode(bytesOf(documents));
  if (bodyKey === undefined) return undefined;
  const bytes = await bodies.read(bodyKey).catch(() => {
    throw new Unavailable("bodies");
  });
  return bytes && new TextDecoder().decode(bytes);
}
