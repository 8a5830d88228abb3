import { and, eq, sql } from "drizzle-orm";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Confirmed } from "../../domain/shop/backfill.ts";
import type { Database } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import { shopBackfill, shopBackfillOrder, shopFetch } from "../schema/shops.ts";
import { isSelected } from "./backfill-store.ts";

export interface BegunBackfill {
  /** A civil day in the issuer's zone. */
  readonly since: string;
  /** Where the list before ended, to go on from there. */
  readonly page?: string;
  readonly begunAt: Instant;
}

/** A new list in place of the one before. */
export function beginBackfill(
  db: Database,
  connectionId: string,
  { since, page, begunAt }: BegunBackfill,
): FencedStatement[] {
  const set = {
    ...{ state: "listing", since, page: page ?? null, isListed: false, hasMore: false, begunAt },
    ...{ dueAt: begunAt, confirmedAt: null, failure: null, attempts: 0 },
  };
  return [...endBackfill(db, connectionId), db.insert(shopBackfill).values({ connectionId, ...set })];
}

/** Confirmed orders are asked for by the alarm, a few at a time. */
export function confirmBackfill(
  db: Database,
  connectionId: string,
  selected: Confirmed,
  at: Instant,
): FencedStatement[] {
  return [
    db
      .update(shopBackfillOrder)
      .set({ confirmed: true })
      .where(
        and(
          eq(shopBackfillOrder.connectionId, connectionId),
          eq(shopBackfillOrder.confirmed, false),
          isSelected(selected),
        ),
      ),
    db
      .update(shopBackfill)
      .set({ state: "confirmed", confirmedAt: at, dueAt: at, attempts: 0, failure: null })
      .where(eq(shopBackfill.connectionId, connectionId)),
  ];
}

/** Decided orders stay; those that were only confirmed are not asked for any more. */
export function endBackfill(db: Database, connectionId: string): FencedStatement[] {
  return [
    db
      .delete(shopFetch)
      .where(and(eq(shopFetch.connectionId, connectionId), sql`${shopFetch.because} = 'backfill'`)),
    db.delete(shopBackfillOrder).where(eq(shopBackfillOrder.connectionId, connectionId)),
    db.delete(shopBackfill).where(eq(shopBackfill.connectionId, connectionId)),
  ];
}
