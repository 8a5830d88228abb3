import { and, eq, exists, notExists, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { DELIVERIES } from "../../domain/limits.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { dayOf } from "../../domain/shop/delivery.ts";
import { type Database, excluded } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import { erasedOrder } from "../schema/retention.ts";
import { shop, shopDelivery, shopDocument, shopDroppedBody, shopFetch } from "../schema/shops.ts";
import { ANSWERED, OF_EARLIER_SHOP } from "./shop-row.ts";
import type { DeliveryRow, DocumentRow, EndedFetch, FetchHint, KeptBody, ShopWrite } from "./shop-write.ts";

export function writeOfShop(db: Database, connectionId: string, write: ShopWrite): FencedStatement[] {
  const { delivery, document, fetched } = write;
  return [
    ...(delivery ? keepDelivery(db, connectionId, delivery, BY_THE_FENCE) : []),
    ...(document ? keepDocument(db, connectionId, document) : []),
    ...(fetched ? endFetch(db, connectionId, fetched) : []),
  ];
}

/** The fence of the batch proves the access. */
const BY_THE_FENCE = sql`1`;

/**
 * With the count of its day. The note in `shop_dropped_body` goes, because this row names the body now.
 * Nothing is kept where `isCurrent` does not hold: the delivery is judged anew.
 */
export function keepDelivery(
  db: Database,
  connectionId: string,
  row: DeliveryRow,
  isCurrent: SQL,
): [FencedStatement, ...FencedStatement[]] {
  const { bodyKey } = columnsOf(row.kept);
  const isIt = and(eq(shopDelivery.connectionId, connectionId), eq(shopDelivery.deliveryId, row.deliveryId));
  return [
    insertDelivery(db, connectionId, row, isCurrent),
    delivered(db, connectionId, row, isCurrent),
    ...(bodyKey === null ? [] : [claimBody(db, bodyKey, shopDelivery, isIt)]),
  ];
}

function keepDocument(db: Database, connectionId: string, row: DocumentRow): FencedStatement[] {
  const isIt = and(eq(shopDocument.connectionId, connectionId), eq(shopDocument.idExternal, row.idExternal));
  if (row.isMappedAgain) {
    const { status, modifiedAt, settingsVersion, missing, sha256 } = row;
    const mapped = { status: status ?? null, modifiedAt: modifiedAt ?? null, settingsVersion, missing };
    return [
      db
        .update(shopDocument)
        .set(mapped)
        .where(and(isIt, eq(shopDocument.sha256, sha256))),
    ];
  }
  const { bodyKey } = columnsOf(row.kept);
  return [
    upsertDocument(db, connectionId, row),
    ...(bodyKey === null ? [] : [claimBody(db, bodyKey, shopDocument, isIt)]),
  ];
}

/** Unless the row names another body, because an equal delivery or newer documents came first. */
function claimBody(
  db: Database,
  key: string,
  table: typeof shopDelivery | typeof shopDocument,
  isIt: SQL | undefined,
): FencedStatement {
  const names = db
    .select({ found: sql`1` })
    .from(table)
    .where(and(isIt, eq(table.bodyKey, key)));
  return db.delete(shopDroppedBody).where(and(eq(shopDroppedBody.key, key), exists(names)));
}

/** A body that is about to be stored is noted first: if no row comes to name it, it is erased. */
export function noteBody(db: Database, key: string, dueAt: Instant) {
  return db.insert(shopDroppedBody).values({ key, dueAt });
}

/** The first row of an id stays: a repeat changes nothing, whatever its body. */
function insertDelivery(
  db: Database,
  connectionId: string,
  row: DeliveryRow,
  isCurrent: SQL,
): FencedStatement {
  const { deliveryId, topic, sha256, sizeBytes, outcome, why, orderId, kept, receivedAt } = row;
  const { body, bodyKey } = columnsOf(kept);
  const isErased = sql`EXISTS (SELECT 1 FROM ${erasedOrder}
    WHERE ${erasedOrder.connectionId} = ${connectionId} AND ${erasedOrder.idExternal} = ${orderId ?? null})`;
  // Of an erased order nothing is kept. Where orders are fetched, its refusal comes later, with the fetch.
  const unlessErased = (value: string | null) =>
    value === null ? sql`NULL` : sql`iif(${isErased}, NULL, ${value})`;
  return db
    .insert(shopDelivery)
    .select(
      sql`SELECT ${connectionId}, ${deliveryId}, ${topic}, ${sha256}, ${sizeBytes}, ${outcome},
        ${why ?? null}, ${orderId ?? null}, ${unlessErased(body)}, ${unlessErased(bodyKey)}, ${receivedAt}, 0
        WHERE ${isCurrent}`,
    )
    .onConflictDoNothing();
}

function delivered(db: Database, connectionId: string, row: DeliveryRow, isCurrent: SQL) {
  const { receivedAt, kept, outcome, sizeBytes } = row;
  const day = dayOf(receivedAt);
  const counted = (column: SQLiteColumn, more: number) =>
    sql`${more} + iif(${shop.countedDay} = ${day}, ${column}, 0)`;
  return db
    .update(shop)
    .set({
      deliveredAt: receivedAt,
      countedDay: day,
      dayDeliveries: counted(shop.dayDeliveries, 1),
      dayBytes: counted(shop.dayBytes, kept && outcome !== "decided" ? sizeBytes : 0),
    })
    .where(and(eq(shop.connectionId, connectionId), isCurrent));
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
        OR ${excluded(shopDocument.modifiedAt)} >= ${shopDocument.modifiedAt}
        OR ${shopDocument.settingsVersion} = ${OF_EARLIER_SHOP}`,
    });
}

/** The access is that of the batch, whose fence proves it. A newer hint begins without failures. */
export function endFetch(db: Database, connectionId: string, fetched: EndedFetch): FencedStatement[] {
  const isIt = and(eq(shopFetch.connectionId, connectionId), eq(shopFetch.nativeId, fetched.nativeId));
  return [
    db.delete(shopFetch).where(and(isIt, eq(shopFetch.hints, fetched.hints))),
    db.update(shopFetch).set({ attempts: 0, failure: null, failingSince: null }).where(isIt),
    db
      .update(shop)
      .set({ fetchedAt: fetched.at, ...ANSWERED })
      .where(eq(shop.connectionId, connectionId)),
  ];
}

/** The owner's wish outranks every hint, and the end of a backfill takes no other hint with it. */
export const BECAUSE = sql`iif(${excluded(shopFetch.because)} = 'owner' OR ${shopFetch.because} = 'backfill',
  ${excluded(shopFetch.because)}, ${shopFetch.because})`;

/** True while the shop has this access: another connection, address or key gives the shop another one. */
export function hasAccess(db: Database, connectionId: string, access: string): SQL {
  const isShop = and(eq(shop.connectionId, connectionId), eq(shop.access, access));
  return exists(db.select({ found: sql`1` }).from(shop).where(isShop));
}

/**
 * Hints gather in one row: the earliest time counts. The first number of a row is its time, so that no fetch
 * of an earlier row ends it. A hint beyond the limit is left to the next search, which begins at once.
 */
export function hintFetch(
  db: Database,
  connectionId: string,
  { access, nativeId, because, dueAt }: FetchHint,
): FencedStatement[] {
  const isShop = and(eq(shop.connectionId, connectionId), eq(shop.access, access));
  const isIt = and(eq(shopFetch.connectionId, connectionId), eq(shopFetch.nativeId, nativeId));
  const waiting = sql`(SELECT count(*) FROM (SELECT 1 FROM ${shopFetch}
    WHERE ${shopFetch.connectionId} = ${connectionId} LIMIT ${DELIVERIES.waiting}))`;
  const hasRoom = or(
    exists(db.select({ found: sql`1` }).from(shopFetch).where(isIt)),
    sql`${waiting} < ${DELIVERIES.waiting}`,
  );
  const added = db
    .insert(shopFetch)
    .select(
      sql`SELECT ${connectionId}, ${nativeId}, ${because}, ${dueAt}, ${dueAt}, 0, NULL, NULL
        WHERE ${hasAccess(db, connectionId, access)} AND ${hasRoom}`,
    )
    .onConflictDoUpdate({
      target: [shopFetch.connectionId, shopFetch.nativeId],
      set: {
        hints: sql`${shopFetch.hints} + 1`,
        because: BECAUSE,
        dueAt: sql`min(${shopFetch.dueAt}, ${excluded(shopFetch.dueAt)})`,
      },
    });
  const isLeftOut = notExists(db.select({ found: sql`1` }).from(shopFetch).where(isIt));
  const searched = db
    .update(shop)
    .set({ dueAt: sql`min(coalesce(${shop.dueAt}, ${dueAt}), ${dueAt})` })
    .where(and(isShop, isLeftOut));
  return [added, searched];
}

function columnsOf(kept: KeptBody | undefined) {
  return {
    body: kept && "body" in kept ? kept.body : null,
    bodyKey: kept && "bodyKey" in kept ? kept.bodyKey : null,
  };
}
