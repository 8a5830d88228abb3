import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { LEFT_BEHIND } from "../../domain/limits.ts";
import type { ReportedOrigin, StoreAddress } from "../../domain/viewer/origin.ts";
import { named } from "../book-reads.ts";
import type { Database } from "../database.ts";
import { isOfEvent } from "../invoices/invoice-reads.ts";
import type { Bound } from "../kept-reads.ts";
import type { Shopfront } from "../ledger-state.ts";
import { theseOrders } from "../orders/order-reads.ts";
import { invoice } from "../schema/ledger.ts";
import { allowedOrigin, shopStore, storeOrigin } from "../schema/shop.ts";

const issued = alias(invoice, "issued");
const every = alias(storeOrigin, "every");

export function selectOrigins(db: Database, connectionId: string) {
  return db
    .select({ origin: allowedOrigin.origin })
    .from(allowedOrigin)
    .where(eq(allowedOrigin.connectionId, connectionId))
    .orderBy(asc(allowedOrigin.origin));
}

/** With when it was. */
export function selectRegistered(db: Database, connectionId: string) {
  const { origin, addedAt } = allowedOrigin;
  return db
    .select({ origin, addedAt })
    .from(allowedOrigin)
    .where(eq(allowedOrigin.connectionId, connectionId));
}

export function selectReportedOrigins(db: Database, connectionId: string) {
  const { origin, storeId, seenAt, refusedAt } = storeOrigin;
  return db
    .select({ origin, storeId, seenAt, refusedAt })
    .from(storeOrigin)
    .where(eq(storeOrigin.connectionId, connectionId));
}

export function reportedFrom({
  refusedAt,
  ...row
}: Awaited<ReturnType<typeof selectReportedOrigins>>[number]): ReportedOrigin {
  return { ...row, ...(refusedAt === null ? {} : { refusedAt }) };
}

export function addressFrom(row: {
  readonly id: string;
  readonly url: string | null;
  readonly seenAt: number | null;
}): StoreAddress {
  const { id, url, seenAt } = row;
  return { id, ...(url === null ? {} : { url }), ...(seenAt === null ? {} : { seenAt }) };
}

/** The orders of a JSON list with an issued invoice: lookups in the index on origins, without documents. */
export function selectIssued(db: Database, connectionId: Bound, ids: Bound) {
  const isThere = (origin: SQL) => sql`EXISTS (SELECT 1 FROM ${invoice} AS ${sql.identifier("issued")}
    WHERE ${issued.connectionId} = ${connectionId} AND ${origin})`;
  const ofOrder = sql`${issued.origin} IN ('order:' || wanted.id, 'replacement:' || wanted.id,
    'reissue:2:' || wanted.id)`;
  return db
    .select({ id: sql<string>`wanted.id`.as("issued_of") })
    .from(sql`(${theseOrders(ids)}) AS wanted`)
    .where(sql`${isThere(ofOrder)} OR ${isThere(isOfEvent(issued.origin, "event"))}`);
}

/** Wanted (1) or not (0), the same statements: a batch has one form. */
export function selectShopfront(db: Database, connectionId: Bound, isWanted: Bound<number>) {
  const condition = sql`${isWanted} = 1`;
  return [
    db
      .select({ origin: allowedOrigin.origin })
      .from(allowedOrigin)
      .where(and(condition, eq(allowedOrigin.connectionId, connectionId))),
    selectStoreOrigins(db, connectionId, condition),
    db
      .select({ id: shopStore.storeId, name: shopStore.name, url: shopStore.url })
      .from(shopStore)
      .where(and(condition, eq(shopStore.connectionId, connectionId)))
      .orderBy(asc(shopStore.ordinal)),
  ] as const;
}

/** The store origins that matter for a decision: only refused ones while there is room for more, else all. */
function selectStoreOrigins(db: Database, connectionId: Bound, condition: SQL) {
  const isFull = sql`(SELECT count(*) FROM ${storeOrigin} AS ${sql.identifier("every")}
    WHERE ${every.connectionId} = ${connectionId}) >= ${sql.raw(String(LEFT_BEHIND.origins))}`;
  return db
    .select({ origin: named(storeOrigin.origin, "store_origin"), refusedAt: storeOrigin.refusedAt })
    .from(storeOrigin)
    .where(
      and(
        condition,
        eq(storeOrigin.connectionId, connectionId),
        sql`(${storeOrigin.refusedAt} IS NOT NULL OR ${isFull})`,
      ),
    );
}

export function shopfrontFrom(
  origins: readonly { readonly origin: string }[],
  ofStores: readonly { readonly origin: string | null; readonly refusedAt: number | null }[],
  stores: readonly { readonly id: string; readonly name: string | null; readonly url: string | null }[],
): Shopfront {
  return {
    registered: origins.map(({ origin }) => origin),
    storeOrigins: ofStores.map(({ origin, refusedAt }) => ({
      origin: origin ?? "",
      isRefused: refusedAt !== null,
    })),
    stores: stores.map(({ id, name, url }) => ({
      id,
      ...(name === null ? {} : { name }),
      ...(url === null ? {} : { url }),
    })),
  };
}
