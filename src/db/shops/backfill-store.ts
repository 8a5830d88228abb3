import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../domain/shared/instant.ts";
import {
  type Backfill,
  type BackfillOutlook,
  type BackfillState,
  type BackfillWould,
  CONFIRMABLE,
  type Confirmed,
  GIVEN_UP,
  MOST_FAILING,
  type RunningBackfill,
  UNDER_WAY,
} from "../../domain/shop/backfill.ts";
import { type Database, databaseOn, excluded, rowParameters } from "../database.ts";
import type { Bound } from "../kept-reads.ts";
import { shopOrder } from "../schema/orders.ts";
import { shop, shopBackfill, shopBackfillOrder, shopCount, shopFetch } from "../schema/shops.ts";

export interface ListedPage {
  readonly nativeIds: readonly string[];
  /** Where the next page begins; absent behind the last one. */
  readonly next?: string;
  /** No further page is asked for, though there is one. */
  readonly isFull: boolean;
}

/** What became of the look at one order. */
export type SeenOrder =
  | {
      readonly nativeId: string;
      readonly would: BackfillWould;
      readonly outlook: BackfillOutlook;
    }
  /** The connection has the order by now: it is no candidate. */
  | { readonly nativeId: string; readonly would: "known" };

export interface HandOver {
  /** Fetches that were answered, and those that were asked for. */
  readonly settled: number;
  readonly handed: number;
  /** A confirmed order is not decided yet. */
  readonly isOpen: boolean;
}

/**
 * The backfill of one connection's shop, outside the fence. Every method is one D1 round trip, and writes
 * only to the search and under the access that its step began with.
 */
export interface BackfillStore {
  /** The candidates on the list, up to the bound of a list. */
  countListed(): Promise<number>;
  keepPage(backfill: RunningBackfill, page: ListedPage, at: Instant): Promise<void>;
  /** The next orders that nobody has looked at. */
  unseen(limit: number): Promise<readonly string[]>;
  /** `isWhole`: no look of the step has failed. */
  keepSeen(
    backfill: RunningBackfill,
    looks: { readonly seen: readonly SeenOrder[]; readonly isWhole: boolean },
  ): Promise<void>;
  /** The whole list is looked at: it waits for its owner. */
  endListing(backfill: RunningBackfill): Promise<void>;
  fail(
    backfill: RunningBackfill,
    failed: { readonly failure: string; readonly nextAt: Instant },
  ): Promise<void>;
  /** Ends what was fetched, and asks for the next confirmed orders. */
  handOver(backfill: RunningBackfill, at: Instant): Promise<HandOver>;
  wait(backfill: RunningBackfill, nextAt: Instant): Promise<void>;
  end(backfill: RunningBackfill): Promise<void>;
  /** How many orders it would confirm, and how many of its ids cannot be. */
  countSelected(selected: Confirmed): Promise<{ readonly orders: number; readonly unknown: number }>;
}

export function backfillStore(binding: D1Database, connectionId: string): BackfillStore {
  const db = databaseOn(binding);
  const isOurs = eq(shopBackfillOrder.connectionId, connectionId);
  return {
    ...listing(db, connectionId),
    ...handingOver(db, connectionId),
    async wait(backfill, nextAt) {
      await db.update(shopBackfill).set({ dueAt: nextAt }).where(isSearch(connectionId, backfill));
    },
    async end(backfill) {
      await db
        .update(shopBackfill)
        .set({ state: "done", dueAt: null, failure: null })
        .where(isSearch(connectionId, backfill));
    },
    async countSelected(selected) {
      const [row] = await db
        .select({
          found: sql<number>`count(*)`.as("found"),
          orders: sql<number>`coalesce(sum(1 - ${shopBackfillOrder.confirmed}), 0)`.as("unconfirmed"),
        })
        .from(shopBackfillOrder)
        .where(and(isOurs, isSelected(selected)));
      const { found = 0, orders = 0 } = row ?? {};
      return { orders, unknown: "orders" in selected ? new Set(selected.orders).size - found : 0 };
    },
  };
}

type Listing = Pick<
  BackfillStore,
  "countListed" | "keepPage" | "unseen" | "keepSeen" | "endListing" | "fail"
>;

function listing(db: Database, connectionId: string): Listing {
  const isOurs = eq(shopBackfillOrder.connectionId, connectionId);
  return {
    async countListed() {
      const [row] = await db
        .select({ listed: sql<number>`coalesce(sum(${shopCount.count}), 0)`.as("listed") })
        .from(shopCount)
        .where(and(eq(shopCount.connectionId, connectionId), eq(shopCount.kind, "found")));
      return row?.listed ?? 0;
    },
    async keepPage(backfill, { nativeIds, next, isFull }, at) {
      const [json = "[]"] = rowParameters(nativeIds.map((id) => [id]));
      const last = sql`(SELECT coalesce(max(${shopBackfillOrder.place}), 0) FROM ${shopBackfillOrder}
        WHERE ${shopBackfillOrder.connectionId} = ${connectionId})`;
      const isKnown = sql`EXISTS (SELECT 1 FROM ${shopOrder}
        WHERE ${shopOrder.connectionId} = ${connectionId} AND ${shopOrder.idExternal} = value ->> 0)`;
      await db.batch([
        db
          .insert(shopBackfillOrder)
          .select(
            sql`SELECT ${connectionId}, value ->> 0, ${last} + key + 1, NULL, NULL, 0, NULL, NULL, 0
              FROM json_each(${json}) WHERE NOT ${isKnown} AND ${isCurrent(connectionId, backfill)}
              ORDER BY key`,
          )
          .onConflictDoNothing(),
        db
          .update(shopBackfill)
          .set({
            ...{ page: next ?? null, isListed: next === undefined || isFull, hasMore: isFull },
            ...{ attempts: 0, failure: null, dueAt: at },
          })
          .where(isSearch(connectionId, backfill)),
      ]);
    },
    async unseen(limit) {
      const rows = await db
        .select({ nativeId: shopBackfillOrder.nativeId })
        .from(shopBackfillOrder)
        .where(and(isOurs, isNull(shopBackfillOrder.outlook)))
        .orderBy(asc(shopBackfillOrder.place))
        .limit(limit);
      return rows.map(({ nativeId }) => nativeId);
    },
    keepSeen: (backfill, looks) => keepSeen(db, connectionId, backfill, looks),
    async endListing(backfill) {
      await db
        .update(shopBackfill)
        .set({ state: "listed", dueAt: null, attempts: 0, failure: null })
        .where(isSearch(connectionId, backfill));
    },
    async fail(backfill, { failure, nextAt }) {
      await db
        .update(shopBackfill)
        .set({ attempts: backfill.attempts + 1, failure, dueAt: nextAt })
        .where(isSearch(connectionId, backfill));
    },
  };
}

async function keepSeen(
  db: Database,
  connectionId: string,
  backfill: RunningBackfill,
  { seen, isWhole }: Parameters<BackfillStore["keepSeen"]>[1],
): Promise<void> {
  const isOurs = eq(shopBackfillOrder.connectionId, connectionId);
  const known = seen.filter(({ would }) => would === "known").map(({ nativeId }) => nativeId);
  const rows = seen.flatMap((one) =>
    one.would === "known" ? [] : [[one.nativeId, one.would, JSON.stringify(one.outlook)]],
  );
  const [json = "[]"] = rowParameters(rows);
  const isIn = (ids: string) =>
    and(isOurs, sql`${shopBackfillOrder.nativeId} IN (SELECT value FROM json_each(${ids}))`);
  const of = (place: number) => sql`(SELECT value ->> ${sql.raw(String(place))} FROM json_each(${json})
    WHERE value ->> 0 = ${shopBackfillOrder.nativeId})`;
  await db.batch([
    db
      .update(shopBackfillOrder)
      .set({ would: of(1), outlook: of(2) })
      .where(
        and(
          isIn(JSON.stringify(rows.map(([id]) => id))),
          isCurrent(connectionId, backfill),
          // An order that was looked at twice keeps the first look, as its confirmation does.
          isNull(shopBackfillOrder.outlook),
        ),
      ),
    db.delete(shopBackfillOrder).where(and(isIn(JSON.stringify(known)), isCurrent(connectionId, backfill))),
    db
      .update(shopBackfill)
      .set({ attempts: 0, failure: null })
      .where(and(isSearch(connectionId, backfill), sql`${isWhole ? 1 : 0} = 1`)),
  ]);
}

// Constants, because an index over some of the rows serves no parameter.
const IS_CONFIRMED = sql`confirmed = 1 AND handed_at IS NULL`;
const IS_HANDED = sql`handed_at IS NOT NULL AND decided_at IS NULL`;

function handingOver(db: Database, connectionId: string): Pick<BackfillStore, "handOver"> {
  const isOurs = eq(shopBackfillOrder.connectionId, connectionId);
  const isHanded = and(isOurs, IS_HANDED);
  const fetchOf = sql`SELECT 1 FROM ${shopFetch} WHERE ${shopFetch.connectionId} = ${connectionId}
    AND ${shopFetch.nativeId} = ${shopBackfillOrder.nativeId}`;
  const handed = sql`SELECT count(*) FROM ${shopBackfillOrder} WHERE ${isHanded}`;
  const isFailing = sql`EXISTS (${fetchOf} AND ${shopFetch.failingSince} IS NOT NULL)`;
  const room = sql`iif((${handed} AND ${isFailing}) >= ${MOST_FAILING}, 0,
    max(0, ${UNDER_WAY} - (${handed} AND NOT ${isFailing})))`;
  const hopeless = JSON.stringify(GIVEN_UP);
  const bound = sql`(SELECT json_extract(${hopeless}, '$.' || ${shopFetch.failure}))`;
  const isHopeless = sql`${shopFetch.attempts} >= ${bound}`;
  const failureOf = sql`(SELECT ${shopFetch.failure} FROM ${shopFetch}
    WHERE ${shopFetch.connectionId} = ${connectionId}
      AND ${shopFetch.nativeId} = ${shopBackfillOrder.nativeId})`;
  const outlookWith = (failure: SQL) => sql`json_set(${shopBackfillOrder.outlook}, '$.failure', ${failure})`;
  const isStored = sql`EXISTS (SELECT 1 FROM ${shopOrder} WHERE ${shopOrder.connectionId} = ${connectionId}
    AND ${shopOrder.idExternal} = ${shopBackfillOrder.nativeId})`;
  return {
    async handOver(backfill, at) {
      const isNow = isCurrent(connectionId, backfill);
      // With `native_id IN (...) ORDER BY place` SQLite would walk the index of all places: the whole list.
      const next = sql`FROM ${shopBackfillOrder} WHERE ${isOurs} AND ${IS_CONFIRMED} AND ${isNow}
        ORDER BY ${shopBackfillOrder.place} LIMIT ${room}`;
      const [givenUp, , settled, , asked, open] = await db.batch([
        db
          .update(shopBackfillOrder)
          .set({ decidedAt: at, givenUp: true, outlook: outlookWith(failureOf) })
          .where(and(isHanded, isNow, sql`EXISTS (${fetchOf} AND ${isHopeless})`))
          .returning({ id: shopBackfillOrder.nativeId }),
        // A hint of another kind goes on: only the backfill gives the order up.
        db.delete(shopFetch).where(
          and(
            eq(shopFetch.connectionId, connectionId),
            sql`${shopFetch.because} = 'backfill' AND ${isHopeless} AND ${isNow}`,
            sql`${shopFetch.nativeId} IN (SELECT ${shopBackfillOrder.nativeId} FROM ${shopBackfillOrder}
                WHERE ${isOurs} AND given_up = 1)`,
          ),
        ),
        db
          .update(shopBackfillOrder)
          .set({
            decidedAt: at,
            givenUp: sql`NOT ${isStored}`,
            outlook: sql`iif(${isStored}, ${shopBackfillOrder.outlook}, ${outlookWith(sql`'gone'`)})`,
          })
          .where(and(isHanded, isNow, sql`NOT EXISTS (${fetchOf})`))
          .returning({ id: shopBackfillOrder.nativeId }),
        db
          .insert(shopFetch)
          .select(sql`SELECT ${connectionId}, native_id, 'backfill', ${at}, ${at}, 0, NULL, NULL ${next}`)
          // An order that waits after failed fetches is confirmed, so it waits no longer.
          .onConflictDoUpdate({
            target: [shopFetch.connectionId, shopFetch.nativeId],
            set: { dueAt: sql`min(${shopFetch.dueAt}, ${excluded(shopFetch.dueAt)})` },
          }),
        db
          .update(shopBackfillOrder)
          .set({ handedAt: at })
          .where(and(isOurs, sql`native_id IN (SELECT native_id ${next})`))
          .returning({ id: shopBackfillOrder.nativeId }),
        db
          .select({ place: shopBackfillOrder.place })
          .from(shopBackfillOrder)
          .where(sql`${isOurs} AND ${IS_HANDED} OR ${isOurs} AND ${IS_CONFIRMED}`)
          .limit(1),
      ]);
      return { settled: givenUp.length + settled.length, handed: asked.length, isOpen: open.length > 0 };
    },
  };
}

/**
 * The row of the search, if neither another search nor another access has begun since the step, and no other
 * run has brought it on: a late failure would give a finished search a time at which nothing can be done.
 */
function isSearch(connectionId: string, { begunAt, access, state }: RunningBackfill) {
  return and(
    eq(shopBackfill.connectionId, connectionId),
    eq(shopBackfill.begunAt, begunAt),
    eq(shopBackfill.state, state),
    sql`EXISTS (SELECT 1 FROM ${shop}
      WHERE ${shop.connectionId} = ${connectionId} AND ${shop.access} = ${access})`,
  );
}

function isCurrent(connectionId: string, backfill: RunningBackfill) {
  return sql`EXISTS (SELECT 1 FROM ${shopBackfill} WHERE ${isSearch(connectionId, backfill)})`;
}

/** Orders of the list that the selection has and that can be confirmed. */
export function isSelected(selected: Confirmed) {
  const would = "would" in selected ? selected.would : CONFIRMABLE;
  const states = JSON.stringify(would);
  const isOfState = sql`${shopBackfillOrder.would} IN (SELECT value FROM json_each(${states}))`;
  if (!("orders" in selected)) return isOfState;
  const ids = JSON.stringify([...new Set(selected.orders)]);
  return and(isOfState, sql`${shopBackfillOrder.nativeId} IN (SELECT value FROM json_each(${ids}))`);
}

export function selectBackfill(db: Database, connectionId: Bound) {
  return db.select().from(shopBackfill).where(eq(shopBackfill.connectionId, connectionId));
}

export function backfillFrom(row: typeof shopBackfill.$inferSelect): Backfill {
  const { since, page, isListed, hasMore, begunAt, dueAt, failure, attempts } = row;
  return {
    // The schema checks the values of this column.
    state: row.state as BackfillState,
    ...{ since, isListed, hasMore, begunAt, attempts },
    ...(page === null ? {} : { page }),
    ...(dueAt === null ? {} : { dueAt }),
    ...(failure === null ? {} : { failure }),
  };
}
