import { and, desc, eq, lt, or, sql } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import { shop, shopDelivery, shopDocument, shopFetch } from "../../db/schema/shops.ts";
import { connectedShop, type ShopRow, selectShop } from "../../db/shops/shop-row.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { ConnectedShop } from "../../domain/shop/connected-shop.ts";

/** Statuses and waiting fetches that the page counts. */
const MOST = 200;

export function shopReads(db: Database): ShopReads {
  return {
    async read(accountId, connectionId) {
      const [[row], statuses, [waiting]] = await db.batch([
        selectShop(db, connectionId),
        db
          .select({ status: shopDocument.status, count: sql<number>`count(*)`.as("count") })
          .from(shopDocument)
          .where(eq(shopDocument.connectionId, connectionId))
          .groupBy(shopDocument.status)
          .orderBy(shopDocument.status)
          .limit(MOST),
        db
          .select({
            count: sql<number>`count(*)`.as("count"),
            failing: sql<number>`count(failing_since)`.as("failing"),
          })
          .from(shopFetch)
          .where(eq(shopFetch.connectionId, connectionId)),
      ]);
      if (!row || row.accountId !== accountId) return undefined;
      const counted = statuses.flatMap(({ status, count }) => (status === null ? [] : [{ status, count }]));
      return {
        shop: connectedShop(row),
        health: healthOf(row),
        statuses: counted,
        waiting: waiting?.count ?? 0,
        failing: waiting?.failing ?? 0,
      };
    },
    async deliveries(accountId, connectionId, { limit, after }) {
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
        })
        .from(shopDelivery)
        .innerJoin(shop, and(eq(shop.connectionId, shopDelivery.connectionId), eq(shop.accountId, accountId)))
        .where(and(eq(shopDelivery.connectionId, connectionId), isAfter))
        .orderBy(desc(shopDelivery.receivedAt), desc(shopDelivery.deliveryId))
        .limit(limit + 1);
      return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
    },
  };
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

export interface ShopReading {
  readonly shop: ConnectedShop;
  readonly health: ShopHealth;
  /** Orders by the shop's own status. */
  readonly statuses: readonly { readonly status: string; readonly count: number }[];
  /** Orders that are to be fetched, and those of them that have failed. */
  readonly waiting: number;
  readonly failing: number;
}

export interface DeliveryPlace {
  readonly receivedAt: Instant;
  readonly deliveryId: string;
}

export interface ListedDelivery extends DeliveryPlace {
  readonly topic: string;
  readonly outcome: string;
  /** JSON. */
  readonly why: string | null;
  readonly orderId: string | null;
  readonly sizeBytes: number;
  readonly repeats: number;
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
