import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../domain/shared/instant.ts";
import type { ConnectedShop } from "../../domain/shop/connected-shop.ts";
import { databaseOn } from "../database.ts";
import { keptReads, place } from "../kept-reads.ts";
import { shop, shopDelivery, shopDocument } from "../schema/shops.ts";
import { hasAccess, hintFetch, keepDelivery, noteBody } from "./delivery-writes.ts";
import { connectedShop, OF_EARLIER_SHOP, selectFrozen, selectShop } from "./shop-row.ts";
import type { DeliveryRow, DocumentRow, FetchHint } from "./shop-write.ts";

export interface ReceivingRead {
  /** Undefined if the connection has no shop. */
  readonly shop?: ConnectedShop;
  /** ShopTables as JSON. */
  readonly tables?: string;
  readonly isKnown: boolean;
  /** What was stored on the UTC day of its number, in days since 1970. */
  readonly counted: { readonly day: number; readonly deliveries: number; readonly bytes: number };
  /** Nothing is written for a frozen account. */
  readonly isFrozen: boolean;
}

export interface StoredDocument {
  /** As a row keeps it: base64, or the key in R2. */
  readonly documents?: string;
  readonly bodyKey?: string;
  readonly sha256: string;
  readonly source: DocumentRow["source"];
  readonly receivedAt: Instant;
  readonly modifiedAt?: Instant;
}

export interface JudgedDelivery {
  /** The access of the shop by which it was judged. */
  readonly access: string;
  /** The order to be fetched. */
  readonly hint?: FetchHint;
}

/** Deliveries of one connection, outside the fence. Every method is one D1 round trip. */
export interface DeliveryStore {
  readReceiving(deliveryId: string): Promise<ReceivingRead>;
  /** Undefined also for documents of a shop that was connected before. */
  readDocument(idExternal: string): Promise<StoredDocument | undefined>;
  /** Only documents of a shop that was connected before. */
  readEarlierDocument(idExternal: string): Promise<StoredDocument | undefined>;
  /** False, and nothing is kept, if the shop has another access by now: the delivery is judged anew. */
  keep(row: DeliveryRow, judged: JudgedDelivery): Promise<boolean>;
  countRepeat(deliveryId: string): Promise<void>;
  countForged(count: number, at: Instant): Promise<void>;
  /**
   * Before a body is stored outside its row: the key may be erased from then, unless a row has come to name
   * it.
   */
  noteBody(key: string, dueAt: Instant): Promise<void>;
}

const receiving = keptReads(
  (db) =>
    [
      selectShop(db, place("connectionId")),
      db
        .select({ id: shopDelivery.deliveryId })
        .from(shopDelivery)
        .where(
          and(
            eq(shopDelivery.connectionId, place("connectionId")),
            eq(shopDelivery.deliveryId, place("deliveryId")),
          ),
        ),
      selectFrozen(db, place("connectionId")),
    ] as const,
);

export function deliveryStore(binding: D1Database, connectionId: string): DeliveryStore {
  const db = databaseOn(binding);
  const isOurs = (deliveryId: string) =>
    and(eq(shopDelivery.connectionId, connectionId), eq(shopDelivery.deliveryId, deliveryId));
  const readStored = async (idExternal: string, isOfShop: SQL): Promise<StoredDocument | undefined> => {
    const isIt = and(
      eq(shopDocument.connectionId, connectionId),
      eq(shopDocument.idExternal, idExternal),
      isOfShop,
    );
    const [row] = await db.select().from(shopDocument).where(isIt);
    if (!row) return undefined;
    const { documents, bodyKey, modifiedAt, sha256, receivedAt } = row;
    return {
      ...{ sha256, receivedAt, source: row.source === "fetched" ? "fetched" : "posted" },
      ...(documents === null ? {} : { documents }),
      ...(bodyKey === null ? {} : { bodyKey }),
      ...(modifiedAt === null ? {} : { modifiedAt }),
    };
  };
  return {
    async readReceiving(deliveryId) {
      const [[row], known, [status]] = await db.batch(receiving(db, { connectionId, deliveryId }));
      return {
        ...(row ? { shop: connectedShop(row) } : {}),
        ...(row?.tables ? { tables: row.tables } : {}),
        isKnown: known.length > 0,
        counted: {
          day: row?.countedDay ?? 0,
          deliveries: row?.dayDeliveries ?? 0,
          bytes: row?.dayBytes ?? 0,
        },
        isFrozen: Boolean(status?.frozen),
      };
    },
    readDocument: (idExternal) => readStored(idExternal, ne(shopDocument.settingsVersion, OF_EARLIER_SHOP)),
    readEarlierDocument: (idExternal) =>
      readStored(idExternal, eq(shopDocument.settingsVersion, OF_EARLIER_SHOP)),
    async keep(row, { access, hint }) {
      const isCurrent = hasAccess(db, connectionId, access);
      const [current] = await db.batch([
        db.select({ access: shop.access }).from(shop).where(eq(shop.connectionId, connectionId)),
        ...keepDelivery(db, connectionId, row, isCurrent),
        ...(hint ? hintFetch(db, connectionId, hint) : []),
      ]);
      return current[0]?.access === access;
    },
    async countRepeat(deliveryId) {
      await db
        .update(shopDelivery)
        .set({ repeats: sql`${shopDelivery.repeats} + 1` })
        .where(isOurs(deliveryId));
    },
    async noteBody(key, dueAt) {
      await noteBody(db, key, dueAt);
    },
    async countForged(count, at) {
      await db
        .update(shop)
        .set({ forged: sql`${shop.forged} + ${count}`, forgedAt: at })
        .where(eq(shop.connectionId, connectionId));
    },
  };
}
