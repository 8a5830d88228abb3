import { and, asc, eq, exists, lt, lte, sql } from "drizzle-orm";
import type { Instant } from "../../domain/shared/instant.ts";
import type { RunningBackfill } from "../../domain/shop/backfill.ts";
import type { ConnectedShop } from "../../domain/shop/connected-shop.ts";
import { OVERLAP_MS } from "../../domain/shop/fetching.ts";
import { type Database, databaseOn, excluded, rowParameters } from "../database.ts";
import { keptReads, place } from "../kept-reads.ts";
import { shop, shopBackfillOrder, shopDocument, shopFetch } from "../schema/shops.ts";
import { backfillFrom, selectBackfill } from "./backfill-store.ts";
import { BECAUSE } from "./delivery-writes.ts";
import { ANSWERED, connectedShop, OF_EARLIER_SHOP, selectFrozen, selectShop } from "./shop-row.ts";
import type { FetchBecause } from "./shop-write.ts";

export interface DueFetch {
  readonly nativeId: string;
  readonly because: FetchBecause;
  readonly hints: number;
  readonly attempts: number;
  /** Of the last attempt. */
  readonly failure?: string;
  /** Confirmed in a search for earlier orders, whatever else has asked for it since. */
  readonly isBackfilled: boolean;
}

/** What the object's alarm finds to do for the connection's shop. */
export interface ShopWork {
  readonly shop: ConnectedShop;
  /** ShopTables as JSON. */
  readonly tables?: string;
  /** When they are read again; undefined if at once. */
  readonly tablesDueAt?: Instant;
  /** Failed calls in a row, and until when no call is made after them. */
  readonly failures: number;
  readonly pausedUntil?: Instant;
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
  readonly backfill?: RunningBackfill;
  readonly isFrozen: boolean;
}

/** A failure, and what it means for the shop as a whole. */
interface Failed {
  readonly failure: string;
  readonly at: Instant;
  readonly nextAt: Instant;
  /** Undefined if the other calls go on. */
  readonly pausedUntil?: Instant | undefined;
}

export interface FailedFetch extends Failed {
  readonly nativeId: string;
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

/**
 * The work of one connection's shop, outside the fence. Every method is one D1 round trip. Writes name the
 * access that their work began under: under another one they change nothing.
 */
export interface ShopWorkStore {
  /** Undefined if the connection has no shop. */
  readWork(at: Instant, limit: number): Promise<ShopWork | undefined>;
  /** Also if a newer hint came: the shop is left alone as long. */
  fail(access: string, failed: FailedFetch): Promise<void>;
  /** Nothing is left to do for the hints of an order; the shop has answered. */
  drop(access: string, nativeId: string, hints: number): Promise<void>;
  refuseCredentials(access: string, at: Instant): Promise<void>;
  /** If the tables have changed, documents that lacked facts are mapped again. */
  keepTables(access: string, tables: string, read: TablesRead): Promise<void>;
  failTables(access: string, failed: Failed): Promise<void>;
  /** Hints for the orders that were changed since they were fetched last. */
  foundChanges(access: string, found: readonly FoundOrder[], at: Instant): Promise<void>;
  endReconcile(access: string, ended: EndedReconcile): Promise<void>;
  failReconcile(access: string, failed: Failed): Promise<void>;
  settleDue(access: string, nextAt: Instant | undefined): Promise<void>;
  /** The document was mapped again and nothing came of it. */
  markMapped(access: string, idExternal: string, settingsVersion: number): Promise<void>;
}

interface TablesRead {
  readonly at: Instant;
  readonly nextAt: Instant;
}

export function shopWorkStore(binding: D1Database, connectionId: string): ShopWorkStore {
  const db = databaseOn(binding);
  return {
    readWork: (at, limit) => readWork(db, connectionId, at, limit),
    ...fetchWrites(db, connectionId),
    foundChanges: (access, found, at) => foundChanges(db, connectionId, { access, found, at }),
    ...shopWrites(db, connectionId),
  };
}

/**
 * Of the fetch in the query around it. Drizzle writes columns of a query with one table without the table's
 * name, and within the subquery such a name would be a column of the inner table.
 */
const IS_BACKFILLED = sql<number>`EXISTS (SELECT 1 FROM ${shopBackfillOrder}
  WHERE ${shopBackfillOrder}.connection_id = ${shopFetch}.connection_id
    AND ${shopBackfillOrder}.native_id = ${shopFetch}.native_id AND ${shopBackfillOrder}.confirmed = 1)`;

const FETCH_COLUMNS = {
  nativeId: shopFetch.nativeId,
  because: shopFetch.because,
  hints: shopFetch.hints,
  attempts: shopFetch.attempts,
  failure: shopFetch.failure,
  isBackfilled: IS_BACKFILLED.as("is_backfilled"),
};

async function readWork(
  db: Database,
  connectionId: string,
  at: Instant,
  limit: number,
): Promise<ShopWork | undefined> {
  const [[row], due, [next], outdated, [status], [backfill]] = await db.batch(
    readingWork(db, { connectionId, at, limit }),
  );
  if (!row) return undefined;
  return {
    shop: connectedShop(row),
    ...(row.tables === null ? {} : { tables: row.tables }),
    ...(row.tablesDueAt === null ? {} : { tablesDueAt: row.tablesDueAt }),
    ...(row.pausedUntil === null ? {} : { pausedUntil: row.pausedUntil }),
    failures: row.failures,
    ...(row.seenUntil === null ? {} : { seenUntil: row.seenUntil }),
    ...(row.reconciledAt === null ? {} : { reconciledAt: row.reconciledAt }),
    ...(row.dueAt === null ? {} : { dueAt: row.dueAt }),
    ...(next?.at === null || next?.at === undefined ? {} : { nextFetchAt: next.at }),
    ...(backfill ? { backfill: { ...backfillFrom(backfill), access: row.access } } : {}),
    credentialsRefused: row.credentialsRefusedAt !== null,
    reconcileFailures: row.reconcileFailures,
    createdAt: row.createdAt,
    // The schema checks nothing here: only this service writes the word.
    due: due.map(({ nativeId, because, hints, attempts, failure, isBackfilled }) => ({
      ...{ nativeId, hints, attempts, isBackfilled: isBackfilled === 1 },
      ...(failure === null ? {} : { failure }),
      because: because as FetchBecause,
    })),
    outdated: outdated.map(({ id }) => id),
    isFrozen: Boolean(status?.frozen),
  };
}

const CONNECTION = place("connectionId");

const readingWork = keptReads(
  (db) =>
    [
      selectShop(db, CONNECTION),
      db
        .select(FETCH_COLUMNS)
        .from(shopFetch)
        .where(and(eq(shopFetch.connectionId, CONNECTION), lte(shopFetch.dueAt, place("at"))))
        .orderBy(asc(shopFetch.dueAt))
        .limit(place("limit")),
      db
        .select({ at: sql<number | null>`min(${shopFetch.dueAt})`.as("at") })
        .from(shopFetch)
        .where(eq(shopFetch.connectionId, CONNECTION)),
      db
        .select({ id: shopDocument.idExternal })
        .from(shopDocument)
        .where(
          and(
            eq(shopDocument.connectionId, CONNECTION),
            lt(
              shopDocument.settingsVersion,
              sql`coalesce((SELECT ${shop.settingsVersion} FROM ${shop}
              WHERE ${shop.connectionId} = ${CONNECTION}), 0)`,
            ),
          ),
        )
        .orderBy(asc(shopDocument.settingsVersion), asc(shopDocument.idExternal))
        .limit(place("limit")),
      selectFrozen(db, CONNECTION),
      selectBackfill(db, CONNECTION),
    ] as const,
);

type FetchWrites = Pick<ShopWorkStore, "fail" | "drop">;

function fetchWrites(db: Database, connectionId: string): FetchWrites {
  const { isShop, isCurrent } = accessOf(db, connectionId);
  const isFetch = (access: string, nativeId: string) =>
    and(eq(shopFetch.connectionId, connectionId), eq(shopFetch.nativeId, nativeId), isCurrent(access));
  return {
    async fail(access, { nativeId, ...failed }) {
      const { failure, at, nextAt, pausedUntil } = failed;
      const ofOrder = db
        .update(shopFetch)
        .set({
          attempts: sql`${shopFetch.attempts} + 1`,
          dueAt: nextAt,
          failure,
          failingSince: sql`coalesce(${shopFetch.failingSince}, ${at})`,
        })
        .where(isFetch(access, nativeId));
      const ofShop = db.update(shop).set(failedShop(failed)).where(isShop(access));
      // The failure of one document says nothing of the shop.
      await db.batch([ofOrder, ...(pausedUntil === undefined ? [] : [ofShop])]);
    },
    async drop(access, nativeId, hints) {
      await db.batch([
        db.delete(shopFetch).where(and(isFetch(access, nativeId), eq(shopFetch.hints, hints))),
        db.update(shop).set(ANSWERED).where(isShop(access)),
      ]);
    },
  };
}

/** The shop of a connection while its access is the given one. */
export function accessOf(db: Database, connectionId: string) {
  const isShop = (access: string) => and(eq(shop.connectionId, connectionId), eq(shop.access, access));
  const isCurrent = (access: string) => exists(db.select({ found: sql`1` }).from(shop).where(isShop(access)));
  return { isShop, isCurrent };
}

function failedShop({ failure, at, pausedUntil }: Failed) {
  return {
    failure,
    failingSince: sql`coalesce(${shop.failingSince}, ${at})`,
    ...(pausedUntil === undefined
      ? {}
      : {
          failures: sql`${shop.failures} + 1`,
          pausedUntil: sql`max(coalesce(${shop.pausedUntil}, 0), ${pausedUntil})`,
        }),
  };
}

type ShopWrites = Omit<ShopWorkStore, "readWork" | "foundChanges" | keyof FetchWrites>;

function shopWrites(db: Database, connectionId: string): ShopWrites {
  const { isShop, isCurrent } = accessOf(db, connectionId);
  const isOurs = eq(shopDocument.connectionId, connectionId);
  return {
    async refuseCredentials(access, at) {
      await db.update(shop).set({ credentialsRefusedAt: at, dueAt: null }).where(isShop(access));
    },
    async keepTables(access, tables, { at, nextAt }) {
      const areOthers = exists(
        db
          .select({ found: sql`1` })
          .from(shop)
          .where(and(isShop(access), sql`${shop.tables} IS NOT ${tables}`)),
      );
      const lacks = sql`${shopDocument.missing} <> '[]'
        AND ${shopDocument.settingsVersion} <> ${OF_EARLIER_SHOP}`;
      await db.batch([
        db
          .update(shopDocument)
          .set({ settingsVersion: 0 })
          .where(and(isOurs, lacks, areOthers)),
        db
          .update(shop)
          .set({ tables, tablesAt: at, tablesDueAt: nextAt, ...ANSWERED })
          .where(isShop(access)),
      ]);
    },
    async failTables(access, failed) {
      await db
        .update(shop)
        .set({ ...failedShop(failed), tablesDueAt: failed.nextAt })
        .where(isShop(access));
    },
    async endReconcile(access, { at, nextAt, seenUntil }) {
      const seen = seenUntil === undefined ? {} : { seenUntil };
      await db
        .update(shop)
        .set({ reconciledAt: at, reconcileFailures: 0, dueAt: nextAt, ...seen, ...ANSWERED })
        .where(isShop(access));
    },
    async failReconcile(access, failed) {
      const reconcileFailures = sql`${shop.reconcileFailures} + 1`;
      await db
        .update(shop)
        .set({ ...failedShop(failed), reconcileFailures, dueAt: failed.nextAt })
        .where(isShop(access));
    },
    async settleDue(access, nextAt) {
      await db
        .update(shop)
        .set({ dueAt: nextAt ?? null })
        .where(isShop(access));
    },
    async markMapped(access, idExternal, settingsVersion) {
      await db
        .update(shopDocument)
        .set({ settingsVersion })
        .where(and(isOurs, eq(shopDocument.idExternal, idExternal), isCurrent(access)));
    },
  };
}

interface Found {
  readonly access: string;
  readonly found: readonly FoundOrder[];
  readonly at: Instant;
}

async function foundChanges(db: Database, connectionId: string, { access, found, at }: Found): Promise<void> {
  const { isCurrent } = accessOf(db, connectionId);
  const rows = found.map(({ nativeId, modifiedAt }) => [nativeId, modifiedAt ?? null]);
  for (const json of rowParameters(rows)) {
    // An order whose newest change is stored needs no fetch. Without a date of the shop, our own must be
    // later by the overlap of searches.
    const isStored = sql`EXISTS (SELECT 1 FROM ${shopDocument}
      WHERE ${shopDocument.connectionId} = ${connectionId} AND ${shopDocument.idExternal} = value ->> 0
        AND ${shopDocument.source} = 'fetched' AND ${shopDocument.settingsVersion} <> ${OF_EARLIER_SHOP}
        AND coalesce(${shopDocument.modifiedAt}, ${shopDocument.receivedAt} - ${OVERLAP_MS}) >= value ->> 1)`;
    await db
      .insert(shopFetch)
      .select(
        sql`SELECT ${connectionId}, value ->> 0, 'reconcile', ${at}, ${at}, 0, NULL, NULL
          FROM json_each(${json}) WHERE NOT ${isStored} AND ${isCurrent(access)} ORDER BY key`,
      )
      .onConflictDoUpdate({
        target: [shopFetch.connectionId, shopFetch.nativeId],
        set: {
          because: BECAUSE,
          hints: sql`${shopFetch.hints} + 1`,
          // What failed waits for its next attempt: to be found again is no news.
          dueAt: sql`iif(${shopFetch.attempts} > 0, ${shopFetch.dueAt},
            min(${shopFetch.dueAt}, ${excluded(shopFetch.dueAt)}))`,
        },
      });
  }
}
