import { and, eq, sql } from "drizzle-orm";
import { type Database, excluded } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import { shop, shopDelivery, shopDocument, shopFetch } from "../schema/shops.ts";
import type { DeliveryRow, DocumentRow, EndedFetch, FetchHint, KeptBody, ShopWrite } from "./shop-write.ts";

export function writeOfShop(db: Database, connectionId: string, write: ShopWrite): FencedStatement[] {
  const { delivery, document, fetched } = write;
  return [
    ...(delivery ? [insertDelivery(db, connectionId, delivery), delivered(db, connectionId, delivery)] : []),
    ...(document ? [upsertDocument(db, connectionId, document)] : []),
    ...(fetched ? endFetch(db, connectionId, fetched) : []),
  ];
}

/** The first row of an id stays: a repeat changes nothing, whatever its body. */
export function insertDelivery(db: Database, connectionId: string, row: DeliveryRow): FencedStatement {
  const { kept, orderId, why, ...values } = row;
  const columns = { why: why ?? null, orderId: orderId ?? null, ...columnsOf(kept), repeats: 0 };
  return db
    .insert(shopDelivery)
    .values({ connectionId, ...values, ...columns })
    .onConflictDoNothing();
}

export function delivered(db: Database, connectionId: string, row: DeliveryRow): FencedStatement {
  return db.update(shop).set({ deliveredAt: row.receivedAt }).where(eq(shop.connectionId, connectionId));
}

/** Documents that are older than the stored ones replace nothing. */
function upsertDocument(db: Database, connectionId: string, row: DocumentRow): FencedStatement {
  const { kept, status, modifiedAt, ...values } = row;
  const { body, bodyKey } = columnsOf(kept);
  const replaced = {
    ...{ status: shopDocument.status, documents: shopDocument.documents, bodyKey: shopDocument.bodyKey },
    ...{ sha256: shopDocument.sha256, source: shopDocument.source, modifiedAt: shopDocument.modifiedAt },
    ...{ receivedAt: shopDocument.receivedAt, settingsVersion: shopDocument.settingsVersion },
    missing: shopDocument.missing,
  };
  const set = Object.fromEntries(Object.entries(replaced).map(([name, column]) => [name, excluded(column)]));
  const columns = { status: status ?? null, documents: body, bodyKey, modifiedAt: modifiedAt ?? null };
  return db
    .insert(shopDocument)
    .values({ connectionId, ...values, ...columns })
    .onConflictDoUpdate({
      target: [shopDocument.connectionId, shopDocument.idExternal],
      set,
      setWhere: sql`${shopDocument.modifiedAt} IS NULL OR ${excluded(shopDocument.modifiedAt)} IS NULL
        OR ${excluded(shopDocument.modifiedAt)} >= ${shopDocument.modifiedAt}`,
    });
}

export function endFetch(db: Database, connectionId: string, fetched: EndedFetch): FencedStatement[] {
  const isIt = and(eq(shopFetch.connectionId, connectionId), eq(shopFetch.nativeId, fetched.nativeId));
  return [
    db.delete(shopFetch).where(and(isIt, eq(shopFetch.hints, fetched.hints))),
    db
      .update(shop)
      .set({ fetchedAt: fetched.at, failingSince: null, failure: null })
      .where(eq(shop.connectionId, connectionId)),
  ];
}

/** The owner's wish outranks every hint, and the end of a backfill takes no other hint with it. */
export const BECAUSE = sql`iif(${excluded(shopFetch.because)} = 'owner' OR ${shopFetch.because} = 'backfill',
  ${excluded(shopFetch.because)}, ${shopFetch.because})`;

/** Hints gather in one row: the earliest time counts, and a failure before is over. */
export function hintFetch(db: Database, connectionId: string, hint: FetchHint): FencedStatement {
  const row = { connectionId, ...hint, hints: 1, attempts: 0 };
  return db
    .insert(shopFetch)
    .values(row)
    .onConflictDoUpdate({
      target: [shopFetch.connectionId, shopFetch.nativeId],
      set: {
        hints: sql`${shopFetch.hints} + 1`,
        because: BECAUSE,
        dueAt: sql`min(${shopFetch.dueAt}, ${excluded(shopFetch.dueAt)})`,
      },
    });
}

function columnsOf(kept: KeptBody | undefined) {
  return {
    body: kept && "body" in kept ? kept.body : null,
    bodyKey: kept && "bodyKey" in kept ? kept.bodyKey : null,
  };
}
