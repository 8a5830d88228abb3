import { and, desc, eq } from "drizzle-orm";
import { type Database, fromOwnJson } from "../../db/database.ts";
import { connection } from "../../db/schema/ledger.ts";
import { shop, shopDelivery, shopDocument, shopFetch } from "../../db/schema/shops.ts";
import type { MissingFact } from "../../domain/order/facts.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** Deliveries that are named with their order. */
const MOST_DELIVERIES = 20;

export function documentReads(db: Database): DocumentReads {
  return {
    async read(accountId, connectionId, orderId) {
      const isOfOrder = and(eq(shopDelivery.connectionId, connectionId), eq(shopDelivery.orderId, orderId));
      const [[row], deliveries, [fetch]] = await db.batch([
        db
          .select({
            platform: shop.platform,
            status: shopDocument.status,
            documents: shopDocument.documents,
            bodyKey: shopDocument.bodyKey,
            source: shopDocument.source,
            modifiedAt: shopDocument.modifiedAt,
            receivedAt: shopDocument.receivedAt,
            missing: shopDocument.missing,
          })
          .from(shopDocument)
          .innerJoin(
            connection,
            and(eq(connection.id, shopDocument.connectionId), eq(connection.accountId, accountId)),
          )
          .leftJoin(shop, eq(shop.connectionId, shopDocument.connectionId))
          .where(and(eq(shopDocument.connectionId, connectionId), eq(shopDocument.idExternal, orderId))),
        db
          .select({
            deliveryId: shopDelivery.deliveryId,
            topic: shopDelivery.topic,
            outcome: shopDelivery.outcome,
            receivedAt: shopDelivery.receivedAt,
            repeats: shopDelivery.repeats,
          })
          .from(shopDelivery)
          .where(isOfOrder)
          .orderBy(desc(shopDelivery.receivedAt))
          .limit(MOST_DELIVERIES),
        db
          .select({ dueAt: shopFetch.dueAt, attempts: shopFetch.attempts, failure: shopFetch.failure })
          .from(shopFetch)
          .where(and(eq(shopFetch.connectionId, connectionId), eq(shopFetch.nativeId, orderId))),
      ]);
      if (!row) return undefined;
      return { ...row, missing: fromOwnJson(row.missing), deliveries, ...(fetch ? { fetch } : {}) };
    },
  };
}

/** An order as the shop sent it last. */
interface DocumentReading {
  /** Null if the shop is disconnected. */
  readonly platform: string | null;
  readonly status: string | null;
  /** JSON in base64; larger ones are in R2 under the key. */
  readonly documents: string | null;
  readonly bodyKey: string | null;
  readonly source: string;
  readonly modifiedAt: Instant | null;
  readonly receivedAt: Instant;
  readonly missing: readonly MissingFact[];
  /** Newest first. */
  readonly deliveries: readonly {
    readonly deliveryId: string;
    readonly topic: string;
    readonly outcome: string;
    readonly receivedAt: Instant;
    readonly repeats: number;
  }[];
  /** The order is to be fetched again. */
  readonly fetch?: { readonly dueAt: Instant; readonly attempts: number; readonly failure: string | null };
}

export interface DocumentReads {
  /** Undefined if the shop has sent no document of the order. */
  read(accountId: string, connectionId: string, orderId: string): Promise<DocumentReading | undefined>;
}
