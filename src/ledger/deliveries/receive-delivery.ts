import { deliveryKey, documentKey } from "../../db/shops/body-store.ts";
import type { ReceivingRead } from "../../db/shops/delivery-store.ts";
import type { DeliveryRow, KeptBody } from "../../db/shops/shop-write.ts";
import { timely, Unavailable } from "../../db/store-calls.ts";
import { sha256OfBytes } from "../../domain/shared/hash.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type ConnectedShop, livesAt, type SealedSecret } from "../../domain/shop/connected-shop.ts";
import {
  type DeliveryTopic,
  deliveryTopic,
  HINTS_TOGETHER_MS,
  isSignedBy,
  LONGEST_DELIVERY_ID,
} from "../../domain/shop/delivery.ts";
import {
  type DeliveredDocuments,
  readDelivered,
  textOfDocuments,
  withStored,
} from "../../domain/shop/documents.ts";
import type { LedgerCore } from "../core/core.ts";
import type { TripCount } from "../core/outcomes.ts";
import type { LedgerCalls } from "../rpc.ts";
import type { DeliveryOutcome, ShopDelivery } from "./delivery-outcomes.ts";
import type { ShopDeps } from "./shop-deps.ts";
import { documentsOf, keptBody, mapShopOrder, submitShopOrder } from "./submit-shop-order.ts";

type Received = Extract<DeliveryOutcome, { readonly outcome: "received" }>;

const FORGED_NOTED_MS = 60_000;

/** Deliveries of the connection's shop. */
export function deliveryCalls(core: LedgerCore): Pick<LedgerCalls, "receiveDelivery"> {
  const { deps } = core;
  const shops: ShopDeps = { ...deps.shops, deliveries: timely(deps.shops.deliveries, deps) };
  const forged = forgedCounter(shops, deps.now);
  /** A repeat that comes during the first of its id waits for it. */
  const underWay = new Map<string, Promise<unknown>>();
  return {
    async receiveDelivery(delivery): Promise<DeliveryOutcome & TripCount> {
      const id = deliveryIdOf(delivery);
      await underWay.get(id);
      const receiving = core.guarded(() => receive(delivery, id, { core, shops, forged }));
      underWay.set(id, receiving);
      try {
        return { ...(await receiving), d1Trips: 0 };
      } finally {
        if (underWay.get(id) === receiving) underWay.delete(id);
      }
    },
  };
}

/** Without an id of its own the hash of the body is the id. */
function deliveryIdOf({ deliveryId, body }: ShopDelivery): string {
  const given = deliveryId.trim();
  return given === "" || given.length > LONGEST_DELIVERY_ID ? `sha256:${sha256OfBytes(body)}` : given;
}

interface ReceivingDeps {
  readonly core: LedgerCore;
  readonly shops: ShopDeps;
  readonly forged: () => Promise<void>;
}

async function receive(
  delivery: ShopDelivery,
  deliveryId: string,
  deps: ReceivingDeps,
): Promise<DeliveryOutcome> {
  const { core, shops, forged } = deps;
  const { platform, topic } = delivery;
  const now = core.deps.now();
  const reading = await shops.deliveries.readReceiving(deliveryId);
  const { shop } = reading;
  if (!shop || shop.platform !== platform || !livesAt(delivery.nonce, shop, now)) {
    return { outcome: "unknown_address" };
  }
  if (reading.isFrozen) throw Unavailable.frozen();
  if (!(await isGenuine(delivery, shop, shops))) {
    await forged();
    return { outcome: "wrong_signature" };
  }
  const perMinute = core.cache.admission?.rateLimit ?? core.admission.defaultRateLimit;
  const taken = core.admission.bucket.take(perMinute, now);
  if (!taken.admitted) return { outcome: "rate_limited", retryAfterSeconds: taken.retryAfterSeconds };
  if (reading.isKnown) {
    await shops.deliveries.countRepeat(deliveryId);
    return { outcome: "received", deliveryId, as: "duplicate" };
  }
  const row = {
    deliveryId,
    topic: topic.slice(0, LONGEST_DELIVERY_ID),
    sha256: sha256OfBytes(delivery.body),
    sizeBytes: delivery.body.length,
    receivedAt: now,
  };
  const means = deliveryTopic(platform, topic);
  if (means === undefined) return keptAs({ ...row, outcome: "ignored" }, deps);
  return receiveKnown(delivery, { row, means, reading, shop }, deps);
}

interface Receiving {
  readonly row: Omit<DeliveryRow, "outcome">;
  readonly means: DeliveryTopic;
  readonly reading: ReceivingRead;
  readonly shop: ConnectedShop;
}

async function receiveKnown(
  delivery: ShopDelivery,
  receiving: Receiving,
  deps: ReceivingDeps,
): Promise<DeliveryOutcome> {
  const { row, means, shop } = receiving;
  const { platform, body, connectionId } = delivery;
  const read = readDelivered(platform, means, body);
  const kept = await keptBody(body, deliveryKey(connectionId, row.deliveryId), deps.shops);
  const unreadable = (why: object) =>
    keptAs({ ...row, kept, outcome: "unreadable", why: JSON.stringify(why) }, deps);
  if (!read) return unreadable({ missing: [{ what: "documents" }] });
  // The fetched document is the truth: a delivery is only a hint where it can be fetched.
  if (shop.url !== undefined) {
    const ofOrder = read.orderId === undefined ? {} : { orderId: read.orderId };
    const hinted = { ...row, kept, outcome: "accepted", ...ofOrder } as const;
    const dueAt = row.receivedAt + HINTS_TOGETHER_MS;
    return keptAs(hinted, deps, { nativeId: read.nativeId, because: "delivery", dueAt });
  }
  return decide(delivery, { ...receiving, read, kept }, deps, unreadable);
}

interface Deciding extends Receiving {
  readonly read: DeliveredDocuments;
  readonly kept: KeptBody;
}

async function decide(
  { connectionId, platform, requestId }: ShopDelivery,
  { row, means, reading, shop, read, kept }: Deciding,
  deps: ReceivingDeps,
  unreadable: (why: object) => Promise<DeliveryOutcome>,
): Promise<DeliveryOutcome> {
  const { core, shops } = deps;
  if (!read.documents && means !== "deleted") return unreadable({ missing: [{ what: "documents" }] });
  const before = read.orderId === undefined ? undefined : await shops.deliveries.readDocument(read.orderId);
  if (means !== "order" && !before) {
    if (means === "deleted") return keptAs({ ...row, outcome: "ignored" }, deps);
    return unreadable({ missing: [{ what: "order", where: read.orderId }] });
  }
  const stored = before && (await documentsOf(before, shops));
  const isDeleted = means === "deleted";
  const merged = withStored(platform, read.documents, stored);
  const documents = isDeleted ? { ...merged, isDeleted: true } : merged;
  const mapped = mapShopOrder({
    ...{ mappers: shops.mappers, platform, documents, isDeleted, shop },
    tables: reading.tables,
  });
  if (!mapped.order) return unreadable({ missing: mapped.missing });
  const { idExternal } = mapped.order;
  const text = new TextEncoder().encode(textOfDocuments(documents));
  const sha256 = sha256OfBytes(text);
  const document = {
    ...({ idExternal, sha256, source: "posted", receivedAt: row.receivedAt } as const),
    ...(mapped.order.status === undefined ? {} : { status: mapped.order.status }),
    ...(mapped.order.updatedAt === undefined ? {} : { modifiedAt: mapped.order.updatedAt }),
    kept: await keptBody(text, documentKey(connectionId, idExternal, sha256), shops),
    settingsVersion: shop.settingsVersion,
    missing: JSON.stringify(mapped.missing),
  };
  const delivered: DeliveryRow = { ...row, kept, outcome: "decided", orderId: idExternal };
  const outcome = await submitShopOrder(
    core,
    mapped.order,
    { requestId, source: platform },
    {
      delivery: delivered,
      document,
    },
  );
  switch (outcome.outcome) {
    case "taken":
      return {
        ...{ outcome: "received", as: "decided", deliveryId: row.deliveryId },
        order: { idExternal, state: outcome.order.state },
      };
    case "refused":
      // Of an erased order nothing is kept, and a repeat would be refused as well.
      if (outcome.refusal.code === "order_erased") return keptAs({ ...row, outcome: "ignored" }, deps);
      return unreadable({ refused: outcome.refusal.code });
    case "rate_limited":
    case "unavailable":
      return outcome;
    default:
      throw new Unavailable("not_decided");
  }
}

async function keptAs(
  row: DeliveryRow,
  { shops, core }: ReceivingDeps,
  hint?: Parameters<ShopDeps["deliveries"]["keep"]>[1],
): Promise<Received> {
  // Set the alarm before the fetch is due, so that none is ever without an alarm.
  if (hint) await core.deps.wakeAt(hint.dueAt);
  await shops.deliveries.keep(row, hint);
  return { outcome: "received", deliveryId: row.deliveryId, as: row.outcome };
}

/** All secrets alive are tried, so that the duration does not tell which one signed. */
async function isGenuine(
  { body, signature }: ShopDelivery,
  shop: ConnectedShop,
  { vault }: ShopDeps,
): Promise<boolean> {
  const { secret, previousSecret } = shop;
  const open = (sealed: SealedSecret | undefined) => sealed && vault.open("secret", sealed);
  const opened = await Promise.all([open(secret), open(previousSecret)]);
  return isSignedBy(
    body,
    signature.trim(),
    opened.filter((text) => text !== undefined),
  );
}

/** Counts in memory and notes the sum once a minute, so that an attacker causes few writes. */
function forgedCounter({ deliveries }: ShopDeps, now: () => Instant): () => Promise<void> {
  let count = 0;
  let notedAt: Instant = 0;
  return async () => {
    count += 1;
    if (now() - notedAt < FORGED_NOTED_MS) return;
    const counted = count;
    notedAt = now();
    count = 0;
    await deliveries.countForged(counted, notedAt).catch(() => undefined);
  };
}
