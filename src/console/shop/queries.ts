import { and, desc, eq, lt, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Database, fromOwnJson } from "../../db/database.ts";
import { shopOrder } from "../../db/schema/orders.ts";
import { erasedOrder } from "../../db/schema/retention.ts";
import { shop, shopDelivery, shopDocument, shopFetch, shopWebhookTask } from "../../db/schema/shops.ts";
import { selectBackfill } from "../../db/shops/backfill-store.ts";
import { connectedShop, type ShopRow, type ShopTested, selectShop } from "../../db/shops/shop-row.ts";
import type { MissingFact } from "../../domain/order/facts.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { present } from "../../domain/shared/present.ts";
import type { ConnectedShop } from "../../domain/shop/connected-shop.ts";
import { tablesFrom } from "../../domain/shop/documents.ts";
import {
  type BackfillReading,
  backfillReading,
  selectCounts,
  selectFailing,
  selectGivenUp,
} from "./backfill-queries.ts";

/** The newest orders that lack something: what they lack is counted. */
export const MOST_LACKING = 200;

export function shopReads(db: Database): ShopReads {
  return {
    async read(accountId, connectionId) {
      const [[row], counts, [waiting], lacking, [webhooks], [backfill], [failing], givenUp] = await db.batch([
        selectShop(db, connectionId),
        selectCounts(db, connectionId),
        db
          .select({
            count: sql<number>`count(*)`.as("count"),
            failing: sql<number>`count(failing_since)`.as("failing"),
          })
          .from(shopFetch)
          .where(eq(shopFetch.connectionId, connectionId)),
        selectLacking(db, connectionId),
        selectWebhooks(db, connectionId),
        selectBackfill(db, connectionId),
        selectFailing(db, connectionId),
        selectGivenUp(db, connectionId),
      ]);
      if (!row || row.accountId !== accountId) return undefined;
      return {
        shop: connectedShop(row),
        health: healthOf(row),
        statuses: counts.flatMap(({ kind, name, count }) =>
          kind === "status" ? [{ status: name, count }] : [],
        ),
        statusNames: namesIn(row.tables),
        missing: lacking.map(({ missing }) => fromOwnJson<readonly MissingFact[]>(missing)),
        ...(row.tested && row.testedAt !== null
          ? { tested: { ...fromOwnJson<ShopTested>(row.tested), at: row.testedAt } }
          : {}),
        ...(webhooks ? { webhooks } : {}),
        ...present({
          backfill: backfillReading(backfill, counts, { failing: failing?.count ?? 0, givenUp }),
        }),
        waiting: waiting?.count ?? 0,
        failing: waiting?.failing ?? 0,
      };
    },
    deliveries: (accountId, connectionId, query) => listDeliveries(db, { accountId, connectionId }, query),
  };
}

async function listDeliveries(
  db: Database,
  { accountId, connectionId }: { readonly accountId: string; readonly connectionId: string },
  { limit, after }: DeliveriesQuery,
) {
  const isAfter = after
    ? or(
        lt(shopDelivery.receivedAt, after.receivedAt),
        and(eq(shopDelivery.receivedAt, after.receivedAt), lt(shopDelivery.deliveryId, after.deliveryId)),
      )
    : undefined;
  const rows = await db
    .select({
      deliveryId: shopDelivery.deliveryId,
      topic: shopDelivery.topic,
      outcome: shopDelivery.outcome,
      why: shopDelivery.why,
      orderId: shopDelivery.orderId,
      sizeBytes: shopDelivery.sizeBytes,
      repeats: shopDelivery.repeats,
      receivedAt: shopDelivery.receivedAt,
      isStopped: sql<number>`${shop.credentialsRefusedAt} IS NOT NULL`.as("is_stopped"),
      readAt: sql<number | null>`${shopDocument.receivedAt}`.as("read_at"),
      orderState: shopOrder.state,
      fetchDueAt: shopFetch.dueAt,
      fetchFailure: sql<string | null>`${shopFetch.failure}`.as("fetch_failure"),
      erasedAt: erasedOrder.erasedAt,
    })
    .from(shopDelivery)
    .innerJoin(shop, and(eq(shop.connectionId, shopDelivery.connectionId), eq(shop.accountId, accountId)))
    // One step into the key of each: the page stays as many lookups as it has lines.
    .leftJoin(shopDocument, isOfDelivery(shopDocument.connectionId, shopDocument.idExternal))
    .leftJoin(shopOrder, isOfDelivery(shopOrder.connectionId, shopOrder.idExternal))
    .leftJoin(shopFetch, isOfDelivery(shopFetch.connectionId, shopFetch.nativeId))
    .leftJoin(erasedOrder, isOfDelivery(erasedOrder.connectionId, erasedOrder.idExternal))
    .where(and(eq(shopDelivery.connectionId, connectionId), isAfter))
    .orderBy(desc(shopDelivery.receivedAt), desc(shopDelivery.deliveryId))
    .limit(limit + 1);
  return { rows: rows.slice(0, limit).map(listedDelivery), hasMore: rows.length > limit };
}

function isOfDelivery(connectionId: SQLiteColumn, orderId: SQLiteColumn): SQL | undefined {
  return and(eq(connectionId, shopDelivery.connectionId), eq(orderId, shopDelivery.orderId));
}

interface DeliveryRow extends Omit<ListedDelivery, "came"> {
  readonly isStopped: number;
  readonly readAt: Instant | null;
  readonly orderState: string | null;
  readonly fetchDueAt: Instant | null;
  readonly fetchFailure: string | null;
  readonly erasedAt: Instant | null;
}

function listedDelivery(row: DeliveryRow): ListedDelivery {
  const { isStopped, readAt, orderState, fetchDueAt, fetchFailure, erasedAt, ...delivery } = row;
  return { ...delivery, came: cameOf(row) };
}

const OF_STATE: Readonly<Record<string, DeliveryEnd>> = {
  ...({ invoiced: "invoice", partially_rectified: "invoice", rectified: "invoice" } as const),
  ...({ held: "held", deferred: "waiting", before_cutoff: "waiting" } as const),
  ...({ stored: "nothing", store_not_selected: "nothing", cancelled: "nothing" } as const),
};

/** A fetch that is left may be of a newer hint; a document that came after the delivery was read for it. */
function cameOf(row: DeliveryRow): DeliveryEnd | null {
  const { outcome, orderId, receivedAt, readAt, orderState, fetchDueAt, fetchFailure, isStopped } = row;
  if (orderId === null || (outcome !== "accepted" && outcome !== "decided")) return null;
  if (row.erasedAt !== null) return "erased";
  const isRead = outcome === "decided" || (readAt !== null && readAt >= receivedAt);
  if (fetchDueAt !== null && !isRead) {
    if (fetchFailure === "unreadable") return "unreadable";
    return fetchFailure !== null || isStopped === 1 ? "failing" : "reading";
  }
  if (orderState !== null) return OF_STATE[orderState] ?? null;
  return outcome === "accepted" ? "unknown" : null;
}

function selectLacking(db: Database, connectionId: string) {
  return db
    .select({ missing: shopDocument.missing })
    .from(shopDocument)
    .where(and(eq(shopDocument.connectionId, connectionId), sql`${shopDocument.missing} <> '[]'`))
    .orderBy(desc(shopDocument.receivedAt))
    .limit(MOST_LACKING);
}

/** The task that keeps the webhooks of the connected shop. */
function selectWebhooks(db: Database, connectionId: string) {
  return db
    .select({
      dueAt: shopWebhookTask.dueAt,
      madeAt: shopWebhookTask.madeAt,
      failure: shopWebhookTask.failure,
    })
    .from(shopWebhookTask)
    .where(and(eq(shopWebhookTask.connectionId, connectionId), eq(shopWebhookTask.nonce, "")));
}

/** As PrestaShop calls its states; other platforms have words for them. */
function namesIn(tables: string | null): Readonly<Record<string, string>> {
  const { orderStates = {} } = tablesFrom(tables ?? undefined);
  const named = Object.entries(orderStates).flatMap(([id, { name }]) =>
    name === undefined ? [] : [[id, name] as const],
  );
  return Object.fromEntries(named);
}

function healthOf(row: ShopRow): ShopHealth {
  const { deliveredAt, fetchedAt, reconciledAt, failingSince, failure, forged, forgedAt, testedAt } = row;
  const { credentialsRefusedAt } = row;
  return {
    ...{ deliveredAt, fetchedAt, reconciledAt, failingSince, failure, forged, forgedAt },
    ...{ credentialsRefusedAt, testedAt },
  };
}

/** The last times of deliveries, fetches and reconciles, and their failures; null where there was none. */
export interface ShopHealth {
  readonly deliveredAt: Instant | null;
  readonly fetchedAt: Instant | null;
  readonly reconciledAt: Instant | null;
  readonly failingSince: Instant | null;
  readonly failure: string | null;
  readonly credentialsRefusedAt: Instant | null;
  /** Deliveries with a wrong signature. */
  readonly forged: number;
  readonly forgedAt: Instant | null;
  readonly testedAt: Instant | null;
}

/** Webhooks that the service makes. */
export interface WebhooksReading {
  /** Null when all are made, or only the owner can end the failure. */
  readonly dueAt: Instant | null;
  readonly madeAt: Instant | null;
  readonly failure: string | null;
}

export interface ShopReading {
  readonly shop: ConnectedShop;
  readonly health: ShopHealth;
  /** Orders by the shop's own status. */
  readonly statuses: readonly { readonly status: string; readonly count: number }[];
  readonly statusNames: Readonly<Record<string, string>>;
  /** What each of the newest orders that lack something lacks. */
  readonly missing: readonly (readonly MissingFact[])[];
  /** The last test of its credentials. */
  readonly tested?: ShopTested & { readonly at: Instant };
  readonly webhooks?: WebhooksReading;
  readonly backfill?: BackfillReading;
  /** Orders that are to be fetched, and those of them that have failed. */
  readonly waiting: number;
  readonly failing: number;
}

export interface DeliveryPlace {
  readonly receivedAt: Instant;
  readonly deliveryId: string;
}

/** The outcome of a delivery: that of its fetch, or the present state of its order. */
export type DeliveryEnd =
  | ("reading" | "failing" | "unreadable")
  | ("invoice" | "held" | "waiting" | "nothing" | "erased")
  /** The shop does not have the order. */
  | "unknown";

export interface ListedDelivery extends DeliveryPlace {
  readonly topic: string;
  readonly outcome: string;
  /** JSON. */
  readonly why: string | null;
  readonly orderId: string | null;
  readonly sizeBytes: number;
  readonly repeats: number;
  /** Null for a delivery that is no order's, and where nothing but its outcome is known. */
  readonly came: DeliveryEnd | null;
}

interface DeliveriesQuery {
  readonly limit: number;
  readonly after?: DeliveryPlace;
}

export interface ShopReads {
  /** Undefined if the connection has no shop. */
  read(accountId: string, connectionId: string): Promise<ShopReading | undefined>;
  /** Newest first. */
  deliveries(
    accountId: string,
    connectionId: string,
    query: DeliveriesQuery,
  ): Promise<{ readonly rows: readonly ListedDelivery[]; readonly hasMore: boolean }>;
}
