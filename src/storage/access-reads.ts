import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Shopfront } from "../usecases/order-ports.ts";
import type { Database } from "./database.ts";
import { isOfEvent } from "./invoice-reads.ts";
import { theseOrders } from "./order-reads.ts";
import { allowedOrigin } from "./schema/access.ts";
import { invoice } from "./schema/ledger.ts";
import { shopStore } from "./schema/shop.ts";

const issued = alias(invoice, "issued");

export function selectOrigins(db: Database, connectionId: string) {
  return db
    .select({ origin: allowedOrigin.origin })
    .from(allowedOrigin)
    .where(eq(allowedOrigin.connectionId, connectionId))
    .orderBy(asc(allowedOrigin.origin));
}

/** Those of the orders for which anything was issued: steps into the index on origins, no document. */
export function selectIssued(db: Database, connectionId: string, ids: readonly string[]) {
  const isThere = (origin: SQL) => sql`EXISTS (SELECT 1 FROM ${invoice} AS ${sql.identifier("issued")}
    WHERE ${issued.connectionId} = ${connectionId} AND ${origin})`;
  const ofOrder = sql`${issued.origin} IN ('order:' || wanted.id, 'replacement:' || wanted.id,
    'reissue:2:' || wanted.id)`;
  return db
    .select({ id: sql<string>`wanted.id`.as("issued_of") })
    .from(sql`(${theseOrders(ids)}) AS wanted`)
    .where(sql`${isThere(ofOrder)} OR ${isThere(isOfEvent(issued.origin, "event"))}`);
}

/** Asked for or not, the same statements: a batch has one form. */
export function selectShopfront(db: Database, connectionId: string, isWanted: boolean) {
  const wanted = sql`${Number(isWanted)} = 1`;
  return [
    db
      .select({ origin: allowedOrigin.origin })
      .from(allowedOrigin)
      .where(and(wanted, eq(allowedOrigin.connectionId, connectionId))),
    db
      .select({ id: shopStore.storeId, name: shopStore.name, url: shopStore.url })
      .from(shopStore)
      .where(and(wanted, eq(shopStore.connectionId, connectionId)))
      .orderBy(asc(shopStore.ordinal)),
  ] as const;
}

export function shopfrontFrom(
  origins: readonly { readonly origin: string }[],
  stores: readonly { readonly id: string; readonly name: string | null; readonly url: string | null }[],
): Shopfront {
  return {
    registered: origins.map(({ origin }) => origin),
    stores: stores.map(({ id, name, url }) => ({
      id,
      ...(name === null ? {} : { name }),
      ...(url === null ? {} : { url }),
    })),
  };
}
