import { and, desc, eq } from "drizzle-orm";
import { Hono } from "hono";
import { type Database, fromOwnJson } from "../../db/database.ts";
import { connection } from "../../db/schema/ledger.ts";
import { shop, shopDelivery, shopDocument, shopFetch } from "../../db/schema/shops.ts";
import type { MissingFact } from "../../domain/order/facts.ts";
import { bytesOf } from "../../domain/shared/base64.ts";
import { type Instant, isoInstant, withIso } from "../../domain/shared/instant.ts";

import type { ConsoleEnv } from "../deps.ts";
import { refuse, refuseUnavailable } from "../refuse.ts";

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

/** The native document of an order, with every digit that the shop wrote. */
export const documentRoutes = new Hono<ConsoleEnv>().get("/shop/orders/:order/document", async (c) => {
  const { account, connection: of, reads, deps } = c.var;
  const orderId = c.req.param("order");
  const found = await reads.document.read(account.accountId, of.id, orderId);
  if (!found) return refuse(c, "not_found");
  const { documents, bodyKey, deliveries, fetch, modifiedAt, receivedAt, ...document } = found;
  const bytes =
    documents === null
      ? await deps.shopBodies.read(bodyKey ?? "").catch(() => undefined)
      : bytesOf(documents);
  // Written before its row, and erased after it.
  if (!bytes) return refuseUnavailable(c, { cause: "bodies", retryAfterSeconds: 2 });
  return c.json({
    success: true as const,
    data: {
      ...{ orderId, ...document },
      receivedAt: isoInstant(receivedAt),
      modifiedAt: modifiedAt === null ? null : isoInstant(modifiedAt),
      sizeBytes: bytes.length,
      text: new TextDecoder().decode(bytes),
      deliveries: deliveries.map((delivery) => withIso(delivery, "receivedAt")),
      fetch: fetch ? withIso(fetch, "dueAt") : null,
    },
  });
});
