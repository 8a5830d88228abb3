import { and, asc, eq, lt, lte, sql } from "drizzle-orm";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Backfill } from "../../domain/shop/backfill.ts";
import type { ConnectedShop } from "../../domain/shop/connected-shop.ts";
import { type Database, databaseOn, excluded, rowParameters } from "../database.ts";
import { account, connection } from "../schema/ledger.ts";
import { shop, shopDocument, shopFetch } from "../schema/shops.ts";
import { backfillFrom, selectBackfill } from "./backfill-store.ts";
import { BECAUSE } from "./delivery-writes.ts";
import { connectedShop, selectShop } from "./shop-row.ts";
import type { FetchBecause } from "./shop-write.ts";

export interface DueFetch {
  readonly nativeId: string;
  readonly because: FetchBecause;
  readonly hints: number;
  readonly attempts: number;
}

/** What the object's alarm finds to do for the connection's shop. */
export interface ShopWork {
  readonly shop: ConnectedShop;
  /** ShopTables as JSON. */
  readonly tables?: string;
  readonly tablesAt?: Instant;
  readonly credentialsRefused: boolean;
  readonly seenUntil?: Instant;
  readonly reconciledAt?: Instant;
  readonly reconcileFailures: number;
  readonly createdAt: Instant;
  readonly dueAt?: Instant;
  readonly due: readonly DueFetch[];
  /** When the next fetch is due, also of those that are due now. */
  readonly nextFetchAt?: Instant;
  /** Orders whose documents were mapped under older settings. */
  readonly outdated: readonly string[];
  /** The search for earlier orders. */
  readonly backfill?: Backfill;
  readonly isFrozen: boolean;
}

export interface FailedFetch {
  readonly nativeId: string;
  readonly hints: number;
  readonly failure: string;
  readonly at: Instant;
  readonly nextAt: Instant;
}

/** Found orders with the time that they were changed. */
export interface FoundOrder {
  readonly nativeId: string;
  readonly modifiedAt?: Instant;
}

interface EndedReconcile {
  readonly at: Instant;
  readonly nextAt: Instant;
  readonly seenUntil?: Instant;
}

/** The work of one connection's shop, outside the fence. Every method is one D1 round trip. */
export interface ShopWorkStore {
  /** Undefined if the connection has no shop. */
  readWork(at: Instant, limit: number): Promise<ShopWork | undefined>;
  fail(failed: FailedFetch): Promise<void>;
  /** The order is gone at the shop, and not known here: nothing is left to do. */
  drop(nativeId: string, hints: number): Promise<void>;
  refuseCredentials(at: Instant): Promise<void>;
  keepTables(tables: string, at: Instant): Promise<void>;
  /** Hints for the orders that were changed since they were fetched last, and how far the search has come. */
  foundChanges(found: readonly FoundOrder[], at: Instant): Promise<void>;
  endReconcile(ended: EndedReconcile): Promise<void>;
  failReconcile(failed: { readonly failure: string; readonly nextAt: Instant }): Promise<void>;
  settleDue(nextAt: Instant | undefined): Promise<void>;
  /** The document was mapped again and nothing came of it. */
  markMapped(idExternal: string, settingsVersion: number): Promise<void>;
}

export function shopWorkStore(binding: D1Database, connectionId: string): ShopWorkStore {
  const db = databaseOn(binding);
  return {
    readWork: (at, limit) => readWork(db, connectionId, at, limit),
    ...fetchWrites(db, connectionId),
    foundChanges: (found, at) => foundChanges(db, connectionId, found, at),
    ...shopWrites(db, connectionId),
  };
}

async function readWork(
  db: Database,
  connectionId: string,
  at: Instant,
  limit: number,
): Promise<ShopWork | undefined> {
  const [[row], due, [next], outdated, [status], [backfill]] = await db.batch([
    selectShop(db, connectionId),
    db
      .select()
      .from(shopFetch)
      .where(and(eq(shopFetch.connectionId, connectionId), lte(shopFetch.dueAt, at)))
      .orderBy(asc(shopFetch.dueAt))
      .limit(limit),
    db
      .select({ at: sql<number | null>`min(${shopFetch.dueAt})`.as("at") })
      .from(shopFetch)
      .where(eq(shopFetch.connectionId, connectionId)),
    db
      .select({ id: shopDocument.idExternal })
      .from(shopDocument)
      .where(
        and(
          eq(shopDocument.connectionId, connectionId),
          lt(
            shopDocument.settingsVersion,
            sql`coalesce((SELECT ${shop.settingsVersion} FROM ${shop}
              WHERE ${shop.connectionId} = ${connectionId}), 0)`,
          ),
        ),
      )
      .orderBy(asc(shopDocument.settingsVersion), asc(shopDocument.idExternal))
      .limit(limit),
    db
      .select({ frozen: account.frozen })
      .from(connection)
      .innerJoin(account, eq(account.id, connection.accountId))
      .where(eq(connection.id, connectionId)),
    selectBackfill(db, connectionId),
  ]);
  if (!row) return undefined;
  return {
    shop: connectedShop(row),
    ...(row.tables === null ? {} : { tables: row.tables }),
    ...(row.tablesAt === null ? {} : { tablesAt: row.tablesAt }),
    ...(row.seenUntil === null ? {} : { seenUntil: row.seenUntil }),
    ...(row.reconciledAt === null ? {} : { reconciledAt: row.reconciledAt }),
    ...(row.dueAt === null ? {} : { dueAt: row.dueAt }),
    ...(next?.at === null || next?.at === undefined ? {} : { nextFetchAt: next.at }),
    ...(backfill ? { backfill: backfillFrom(backfill) } : {}),
    credentialsRefused: row.credentialsRefusedAt !== null,
    reconcileFailures: row.reconcileFailures,
    createdAt: row.createdAt,
    // The schema checks nothing here: only this service writes the word.
    due: due.map(({ nativeId, because, hints, attempts }) => ({
      ...{ nativeId, hints, attempts },
      because: because as FetchBecause,
    })),
    outdated: outdated.map(({ id }) => id),
    isFrozen: Boolean(status?.frozen),
  };
}

function fetchWrites(db: Database, connectionId: string): Pick<ShopWorkStore, "fail" | "drop"> {
  const isShop = eq(shop.connectionId, connectionId);
  const isFetch = (nativeId: string) =>
    and(eq(shopFetch.connectionId, connectionId), eq(shopFetch.nativeId, nativeId));
  return {
    async fail({ nativeId, hints, failure, at, nextAt }) {
      await db.batch([
        db
          .update(shopFetch)
          .set({
            attempts: sql`${shopFetch.attempts} + 1`,
            dueAt: nextAt,
            failure,
            failingSince: sql`coalesce(${shopFetch.failingSince}, ${at})`,
          })
          .where(and(isFetch(nativeId), eq(shopFetch.hints, hints))),
        db
          .update(shop)
          .set({ failure, failingSince: sql`coalesce(${shop.failingSince}, ${at})` })
          .where(isShop),
      ]);
    },
    async drop(nativeId, hints) {
      await db.delete(shopFetch).where(and(isFetch(nativeId), eq(shopFetch.hints, hints)));
    },
  };
}

type ShopWrites = Omit<ShopWorkStore, "readWork" | "fail" | "drop" | "foundChanges">;

function shopWrites(db: Database, connectionId: string): ShopWrites {
  const isShop = eq(shop.connectionId, connectionId);
  return {
    async refuseCredentials(at) {
      await db.update(shop).set({ credentialsRefusedAt: at, dueAt: null }).where(isShop);
    },
    async keepTables(tables, at) {
      await db.update(shop).set({ tables, tablesAt: at }).where(isShop);
    },
    async endReconcile({ at, nextAt, seenUntil }) {
      const seen = seenUntil === undefined ? {} : { seenUntil };
      await db
        .update(shop)
        .set({ reconciledAt: at, reconcileFailures: 0, dueAt: nextAt, ...seen })
        .where(isShop);
    },
    async failReconcile({ failure, nextAt }) {
      await db
        .update(shop)
        .set({ reconcileFailures: sql`${shop.reconcileFailures} + 1`, failure, dueAt: nextAt })
        .where(isShop);
    },
    async settleDue(nextAt) {
      await db
        .update(shop)
        .set({ dueAt: nextAt ?? null })
        .where(isShop);
    },
    async markMapped(idExternal, settingsVersion) {
      await db
        .update(shopDocument)
        .set({ settingsVersion })
        .where(and(eq(shopDocument.connectionId, connectionId), eq(shopDocument.idExternal, idExternal)));
    },
  };
}

async function foundChanges(
  db: Database,
  connectionId: string,
  found: readonly FoundOrder[],
  at: Instant,
): Promise<void> {
  const rows = found.map(({ nativeId, modifiedAt }) => [nativeId, modifiedAt ?? null]);
  for (const json of rowParameters(rows)) {
    // An order whose newest change is stored needs no fetch.
    const isStored = sql`EXISTS (SELECT 1 FROM ${shopDocument}
      WHERE ${shopDocument.connectionId} = ${connectionId} AND ${shopDocument.idExternal} = value ->> 0
        AND ${shopDocument.source} = 'fetched' AND ${shopDocument.modifiedAt} >= value ->> 1)`;
    await db
      .insert(shopFetch)
      .select(
        sql`SELECT ${connectionId}, value ->> 0, 'reconcile', ${at}, 1, 0, NULL, NULL
          FROM json_each(${json}) WHERE NOT ${isStored} ORDER BY key`,
      )
      .onConflictDoUpdate({
        target: [shopFetch.connectionId, shopFetch.nativeId],
        set: { because: BECAUSE, dueAt: sql`min(${shopFetch.dueAt}, ${excluded(shopFetch.dueAt)})` },
      });
  }
}
