import { and, asc, eq, gt, sql } from "drizzle-orm";
import { type Database, fromOwnJson } from "../../db/database.ts";
import { shop, shopBackfill, shopBackfillOrder, shopCount, shopFetch } from "../../db/schema/shops.ts";
import { backfillFrom } from "../../db/shops/backfill-store.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Backfill, BackfillOutlook, BackfillWould } from "../../domain/shop/backfill.ts";

/** The search for earlier orders with its figures. */
export interface BackfillReading {
  readonly backfill: Backfill;
  /** Orders by what they would become; the empty name is of those that nobody has looked at. */
  readonly counts: readonly BackfillCount[];
  /** Confirmed orders that the shop fails to give. */
  readonly failing: number;
  /** Confirmed orders that no order came of, and the first of them. */
  readonly givenUp: { readonly count: number; readonly first: readonly GivenUp[] };
}

interface GivenUp {
  readonly orderId: string;
  readonly failure: string;
}

interface BackfillCount {
  readonly would: string;
  readonly found: number;
  readonly confirmed: number;
  readonly decided: number;
}

export interface Candidate {
  readonly orderId: string;
  readonly place: number;
  /** Null until it is looked at. */
  readonly would: BackfillWould | null;
  readonly outlook: BackfillOutlook | undefined;
  readonly confirmed: boolean;
  readonly decidedAt: Instant | null;
  /** Why its fetch fails. */
  readonly failure: string | null;
}

interface CandidatesQuery {
  readonly limit: number;
  readonly after?: number;
  readonly would?: BackfillWould;
}

/** All counts of the connection: of its backfill, and of the statuses of its documents. */
export function selectCounts(db: Database, connectionId: string) {
  return db
    .select({ kind: shopCount.kind, name: shopCount.name, count: shopCount.count })
    .from(shopCount)
    .where(and(eq(shopCount.connectionId, connectionId), gt(shopCount.count, 0)))
    .orderBy(asc(shopCount.kind), asc(shopCount.name));
}

export type CountRow = Awaited<ReturnType<typeof selectCounts>>[number];

export function selectFailing(db: Database, connectionId: string) {
  return db
    .select({ count: sql<number>`count(*)`.as("failing") })
    .from(shopBackfillOrder)
    .innerJoin(shopFetch, isFetchOf())
    .where(
      and(
        eq(shopBackfillOrder.connectionId, connectionId),
        sql`${shopBackfillOrder.handedAt} IS NOT NULL AND ${shopBackfillOrder.decidedAt} IS NULL`,
        sql`${shopFetch.failingSince} IS NOT NULL`,
      ),
    );
}

/** A page names so many; the list has the others. */
const NAMED = 20;

export function selectGivenUp(db: Database, connectionId: string) {
  const { outlook, nativeId } = shopBackfillOrder;
  return db
    .select({
      orderId: sql<string>`coalesce(${outlook} ->> '$.reference', ${nativeId})`.as("given_up_id"),
      failure: sql<string>`${outlook} ->> '$.failure'`.as("given_up_failure"),
    })
    .from(shopBackfillOrder)
    .where(and(eq(shopBackfillOrder.connectionId, connectionId), sql`given_up = 1`))
    .orderBy(asc(shopBackfillOrder.place))
    .limit(NAMED);
}

function isFetchOf() {
  return and(
    eq(shopFetch.connectionId, shopBackfillOrder.connectionId),
    eq(shopFetch.nativeId, shopBackfillOrder.nativeId),
  );
}

export function backfillReading(
  row: typeof shopBackfill.$inferSelect | undefined,
  counts: readonly CountRow[],
  { failing, givenUp }: { readonly failing: number; readonly givenUp: readonly GivenUp[] },
): BackfillReading | undefined {
  if (!row) return undefined;
  const of = (kind: string, would: string) =>
    counts.find((one) => one.kind === kind && one.name === would)?.count ?? 0;
  const found = counts.filter(({ kind }) => kind === "found");
  return {
    backfill: backfillFrom(row),
    counts: found.map(({ name, count }) => ({
      ...{ would: name, found: count },
      ...{ confirmed: of("confirmed", name), decided: of("decided", name) },
    })),
    failing,
    givenUp: { count: sumOf(counts, "given_up"), first: givenUp },
  };
}

function sumOf(counts: readonly CountRow[], kind: string): number {
  return counts.reduce((sum, one) => (one.kind === kind ? sum + one.count : sum), 0);
}

/** The list in the order in which the shop has it, a page at a time. */
export function backfillReads(db: Database): BackfillReads {
  return {
    async list(accountId, connectionId, { limit, after = 0, would }) {
      const isOfShop = and(eq(shop.connectionId, connectionId), eq(shop.accountId, accountId));
      const [[row], counts, [failing], givenUp, rows] = await db.batch([
        db
          .select({ of: shopBackfill })
          .from(shopBackfill)
          .innerJoin(shop, and(eq(shop.connectionId, shopBackfill.connectionId), isOfShop)),
        selectCounts(db, connectionId),
        selectFailing(db, connectionId),
        selectGivenUp(db, connectionId),
        db
          .select({
            orderId: shopBackfillOrder.nativeId,
            place: shopBackfillOrder.place,
            would: shopBackfillOrder.would,
            outlook: shopBackfillOrder.outlook,
            confirmed: shopBackfillOrder.confirmed,
            decidedAt: shopBackfillOrder.decidedAt,
            failure: shopFetch.failure,
          })
          .from(shopBackfillOrder)
          .leftJoin(shopFetch, isFetchOf())
          .where(
            and(
              eq(shopBackfillOrder.connectionId, connectionId),
              gt(shopBackfillOrder.place, after),
              would === undefined ? undefined : eq(shopBackfillOrder.would, would),
            ),
          )
          .orderBy(asc(shopBackfillOrder.place))
          .limit(limit + 1),
      ]);
      const reading = backfillReading(row?.of, counts, { failing: failing?.count ?? 0, givenUp });
      if (!reading) return undefined;
      return { ...reading, rows: rows.slice(0, limit).map(candidateFrom), hasMore: rows.length > limit };
    },
  };
}

interface CandidateRow extends Omit<Candidate, "would" | "outlook"> {
  readonly would: string | null;
  readonly outlook: string | null;
}

function candidateFrom({ would, outlook, ...row }: CandidateRow): Candidate {
  return {
    ...row,
    // Only this service writes the word.
    would: would as BackfillWould | null,
    outlook: outlook === null ? undefined : fromOwnJson<BackfillOutlook>(outlook),
  };
}

export interface BackfillReads {
  /** Undefined if there is none. */
  list(
    accountId: string,
    connectionId: string,
    query: CandidatesQuery,
  ): Promise<
    (BackfillReading & { readonly rows: readonly Candidate[]; readonly hasMore: boolean }) | undefined
  >;
}
