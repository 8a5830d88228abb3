import { and, desc, eq, lt, or, sql } from "drizzle-orm";
import { type Database, fromOwnJson } from "../../db/database.ts";
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
