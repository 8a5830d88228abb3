import type { JudgedDelivery, ReceivingRead } from "../../db/shops/delivery-store.ts";
import type { DeliveryRow, KeptBody } from "../../db/shops/shop-write.ts";
import { timely, Unavailable } from "../../db/store-calls.ts";
import { DELIVERIES } from "../../domain/limits.ts";
import { sha256OfBytes } from "../../domain/shared/hash.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type ConnectedShop, livesAt, type SealedSecret } from "../../domain/shop/connected-shop.ts";
import {
  type DeliveryTopic,
  dayOf,
  deliveryTopic,
  HINTS_TOGETHER_MS,
  LONGEST_DELIVERY_ID,
  nextDayAt,
} from "../../domain/shop/delivery.ts";
import {
  type DeliveredDocuments,
  readDelivered,
  textOfDocuments,
  withStored,
} from "../../domain/shop/documents.ts";
import { isSignedBy } from "../../platform/body-signature.ts";
import type { LedgerCore } from "../core/core.ts";
import type { TripCount } from "../core/outcomes.ts";
import type { LedgerCalls } from "../rpc.ts";
import type { DeliveryOutcome, ShopDelivery } from "./delivery-outcomes.ts";
import { type ForgedDeliveries, forgedDeliveries, type KnownShop } from "./forged-deliveries.ts";
import type { ShopDeps } from "./shop-deps.ts";
import {
  documentsOf,
  isOfEarlierShop,
  isShopChanged,
  keptBody,
  mapShopOrder,
  OF_EARLIER_SHOP_FACT,
  submitShopOrder,
} from "./submit-shop-order.ts";

type Received = Extract<DeliveryOutcome, { readonly outcome: "received" }>;

/** Deliveries of the connection's shop. */
export function deliveryCalls(core: LedgerCore): Pick<LedgerCalls, "receiveDelivery"> {
  const { deps } = core;
  const shops: ShopDeps = { ...deps.shops, deliveries: timely(deps.shops.deliveries, deps) };
  const forged = forgedDeliveries(shops);
  const [ofDelivery, ofOrder] = [oneByOne(), oneByOne()];
  return {
    async receiveDelivery(delivery): Promise<DeliveryOutcome & TripCount> {
      const id = deliveryIdOf(delivery);
      // A repeat that comes during the first of its id waits for it.
      const received = await ofDelivery(id, () =>
        core.guarded(() => receive(delivery, id, { core, shops, forged, ofOrder })),
      );
      return { ...received, d1Trips: 0 };
    },
  };
}

type OneByOne = <T>(name: string, act: () => Promise<T>) => Promise<T>;

/** Acts of one name wait for each other, in the order in which they came. */
function oneByOne(): OneByOne {
  const last = new Map<string, Promise<unknown>>();
  return async (name, act) => {
    const before = last.get(name);
    const mine = before ? before.then(act, act) : act();
    last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
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
  readonly forged: ForgedDeliveries;
  /** Two documents of one order: the second is laid over what the first has left. */
  readonly ofOrder: OneByOne;
}

/** If the shop or its access changes while a document waits to be decided, the delivery is judged anew. */
const TRIES = 3;

async function receive(
  delivery: ShopDelivery,
  deliveryId: string,
  deps: ReceivingDeps,
): Promise<DeliveryOutcome> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const outcome = await receiveOnce(delivery, deliveryId, deps);
    if (outcome !== "shop_changed") return outcome;
  }
  throw new Unavailable("contended");
}

async function receiveOnce(
  delivery: ShopDelivery,
  deliveryId: string,
  deps: ReceivingDeps,
): Promise<DeliveryOutcome | "shop_changed"> {
  const { core, shops, forged } = deps;
  const now = core.deps.now();
  const remembered = forged.remembered(now);
  const early = remembered && (await refusalOf(delivery, remembered, deps));
  if (early) return early;
  const reading = await shops.deliveries.readReceiving(deliveryId);
  const known = { shop: reading.shop, secrets: await secretsOf(reading.shop, shops) };
  forged.remember(known, now);
  const refusal = await refusalOf(delivery, known, deps);
  const { shop } = reading;
  if (refusal || !shop) return refusal ?? { outcome: "unknown_address" };
  if (reading.isFrozen) throw Unavailable.frozen();
  await forged.settle(now);
  const limited = limitedBy(reading, core, now);
  if (limited) return limited;
  if (reading.isKnown) {
    await shops.deliveries.countRepeat(deliveryId);
    return { outcome: "received", deliveryId, as: "duplicate" };
  }
  const { platform, topic } = delivery;
  const row = {
    deliveryId,
    topic: topic.slice(0, LONGEST_DELIVERY_ID),
    sha256: sha256OfBytes(delivery.body),
    sizeBytes: delivery.body.length,
    receivedAt: now,
  };
  const means = deliveryTopic(platform, topic);
  if (means === undefined) return keptAs({ ...row, outcome: "ignored" }, deps, shop);
  return receiveKnown(delivery, { row, means, reading, shop }, deps);
}

/** Address and signature. */
async function refusalOf(
  { platform, nonce, body, signature }: ShopDelivery,
  { shop, secrets }: KnownShop,
  { core, forged }: ReceivingDeps,
): Promise<DeliveryOutcome | undefined> {
  const now = core.deps.now();
  if (!shop || shop.platform !== platform || !livesAt(nonce, shop, now)) {
    forged.countUnknown(now);
    return { outcome: "unknown_address" };
  }
  if (await isSignedBy(body, signature.trim(), secrets)) return undefined;
  await forged.count(now);
  return { outcome: "wrong_signature" };
}

async function secretsOf(shop: ConnectedShop | undefined, { vault }: ShopDeps): Promise<readonly string[]> {
  const open = (sealed: SealedSecret | undefined) => sealed && vault.open("secret", sealed);
  const opened = await Promise.all([open(shop?.secret), open(shop?.previousSecret)]);
  return opened.filter((text) => text !== undefined);
}

const LONGEST_WAIT_SECONDS = 3_600;

/** The rate of the connection, and the deliveries that one shop may leave in a day. */
function limitedBy(
  { counted, isKnown }: ReceivingRead,
  core: LedgerCore,
  now: Instant,
): Extract<DeliveryOutcome, { readonly outcome: "rate_limited" }> | undefined {
  const perMinute = core.cache.admission?.rateLimit ?? core.admission.defaultRateLimit;
  const taken = core.admission.bucket.take(perMinute, now);
  if (!taken.admitted) return { outcome: "rate_limited", retryAfterSeconds: taken.retryAfterSeconds };
  if (isKnown || counted.day !== dayOf(now) || counted.deliveries < DELIVERIES.perDay) return undefined;
  const left = Math.ceil((nextDayAt(now) - now) / 1_000);
  return { outcome: "rate_limited", retryAfterSeconds: Math.min(left, LONGEST_WAIT_SECONDS) };
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
): Promise<DeliveryOutcome | "shop_changed"> {
  const { row, means, shop } = receiving;
  const { platform, body } = delivery;
  const read = readDelivered(platform, means, body);
  const ofOrder = read?.orderId === undefined ? {} : { orderId: read.orderId };
  const unreadable = async (why: object) => {
    const kept = await bodyOfNoOrder(delivery, receiving, deps);
    const unread = { ...row, ...kept, ...ofOrder, why: JSON.stringify(why) };
    return keptAs({ ...unread, outcome: "unreadable" }, deps, shop);
  };
  if (!read) return unreadable({ missing: [{ what: "documents" }] });
  // The fetched document is the truth: a delivery is only a hint where it can be fetched.
  if (shop.url !== undefined) {
    const kept = await bodyOfNoOrder(delivery, receiving, deps);
    const dueAt = row.receivedAt + HINTS_TOGETHER_MS;
    const hint = { access: shop.access, nativeId: read.nativeId, because: "delivery", dueAt } as const;
    return keptAs({ ...row, ...kept, ...ofOrder, outcome: "accepted" }, deps, { access: shop.access, hint });
  }
  const decided = () => decide(delivery, { ...receiving, read }, deps, unreadable);
  return deps.ofOrder(read.nativeId, decided);
}

/** Only so many bytes a day are kept that decide nothing. */
async function bodyOfNoOrder(
  { body: bytes }: ShopDelivery,
  { row, reading: { counted } }: Receiving,
  { core, shops }: ReceivingDeps,
): Promise<{ readonly kept?: KeptBody }> {
  const today = counted.day === dayOf(row.receivedAt) ? counted.bytes : 0;
  if (today + bytes.length > DELIVERIES.keptBytesPerDay) return {};
  return { kept: await keptBody({ of: "deliveries", id: row.deliveryId, bytes }, core, shops) };
}

interface Deciding extends Receiving {
  readonly read: DeliveredDocuments;
}

async function decide(
  { platform, requestId, body }: ShopDelivery,
  { row, means, reading, shop, read }: Deciding,
  deps: ReceivingDeps,
  unreadable: (why: object) => Promise<DeliveryOutcome | "shop_changed">,
): Promise<DeliveryOutcome | "shop_changed"> {
  const { core, shops } = deps;
  if (!read.documents && means !== "deleted") return unreadable({ missing: [{ what: "documents" }] });
  const before = read.orderId === undefined ? undefined : await shops.deliveries.readDocument(read.orderId);
  if (!before && means === "deleted") return keptAs({ ...row, outcome: "ignored" }, deps, shop);
  const stored = before && (await documentsOf(before, shops));
  if (means !== "order" && stored === undefined) {
    return unreadable({ missing: [{ what: "order", where: read.orderId }] });
  }
  const isDeleted = means === "deleted";
  const merged = withStored(platform, read.documents, stored);
  const documents = isDeleted ? { ...merged, isDeleted: true } : merged;
  const native = { mappers: shops.mappers, platform, shop, tables: reading.tables };
  const mapped = mapShopOrder({ ...native, documents, isDeleted });
  if (!mapped.order) return unreadable({ missing: mapped.missing });
  if (!before && (await isOfEarlierShop(mapped.order, native, shops))) {
    return unreadable({ missing: [{ what: OF_EARLIER_SHOP_FACT, where: mapped.order.idExternal }] });
  }
  const { idExternal } = mapped.order;
  const bytes = new TextEncoder().encode(textOfDocuments(documents));
  const document = {
    ...({ idExternal, source: "posted", receivedAt: row.receivedAt } as const),
    sha256: sha256OfBytes(bytes),
    ...(mapped.order.status === undefined ? {} : { status: mapped.order.status }),
    ...(mapped.order.updatedAt === undefined ? {} : { modifiedAt: mapped.order.updatedAt }),
    kept: await keptBody({ of: "orders", id: idExternal, bytes }, core, shops),
    settingsVersion: shop.settingsVersion,
    missing: JSON.stringify(mapped.missing),
  };
  const kept = await keptBody({ of: "deliveries", id: row.deliveryId, bytes: body }, core, shops);
  const delivered: DeliveryRow = { ...row, kept, outcome: "decided", orderId: idExternal };
  const write = { access: shop.access, delivery: delivered, document };
  const outcome = await submitShopOrder(core, mapped.order, { requestId, source: platform }, write);
  if (isShopChanged(outcome)) return "shop_changed";
  switch (outcome.outcome) {
    case "taken":
      return {
        ...{ outcome: "received", as: "decided", deliveryId: row.deliveryId },
        order: { idExternal, state: outcome.order.state },
      };
    case "refused":
      // Of an erased order nothing is kept, and a repeat would be refused as well.
      if (outcome.refusal.code === "order_erased") return keptAs({ ...row, outcome: "ignored" }, deps, shop);
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
  judged: JudgedDelivery,
): Promise<Received | "shop_changed"> {
  const { hint } = judged;
  // Set the alarm before the fetch is due, so that none is ever without an alarm.
  if (hint) await core.deps.wakeAt(hint.dueAt);
  const isKept = await shops.deliveries.keep(row, judged);
  return isKept ? { outcome: "received", deliveryId: row.deliveryId, as: row.outcome } : "shop_changed";
}
