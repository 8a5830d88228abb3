import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { lastOf, named, selectProfiles, selectSeriesHeads, selectTagRules } from "../../db/book-reads.ts";
import type { Database } from "../../db/database.ts";
import { numberedCodes, selectNumberedCodes, selectTakenStems, takenStem } from "../../db/owner-store.ts";
import { connection, installation, series } from "../../db/schema/ledger.ts";
import { profile, shopOrder, tagRule } from "../../db/schema/orders.ts";
import { shopSetup, shopStore } from "../../db/schema/shop.ts";
import { fromOwnJson } from "../../db/stored-json.ts";
import type { SellingReading, SellingReads, StemReading } from "./selling-ports.ts";
import { matchedFrom, sellingFrom } from "./selling-rows.ts";

export function sellingReads(db: Database): SellingReads {
  return {
    list: (accountId) => list(db, accountId),
    read: (accountId, connectionId) => read(db, accountId, connectionId),
    async readOrder(accountId, connectionId, idExternal) {
      const [row] = await db
        .select({
          channel: sql<string | null>`${shopOrder.facts} ->> '$.sourceChannel'`.as("source_channel"),
          storeId: sql<string | null>`${shopOrder.facts} ->> '$.storeId'`.as("of_store"),
          answers: shopOrder.answers,
        })
        .from(shopOrder)
        .innerJoin(connection, eq(connection.id, shopOrder.connectionId))
        .where(
          and(
            eq(shopOrder.connectionId, connectionId),
            eq(shopOrder.idExternal, idExternal),
            eq(connection.accountId, accountId),
          ),
        );
      return row && matchedFrom({ ...row, answers: fromOwnJson(row.answers) });
    },
  };
}

async function list(db: Database, accountId: string): Promise<readonly SellingReading[]> {
  const ofAccount = eq(connection.accountId, accountId);
  const [rows, stores, profiles, tagRules, heads] = await db.batch([
    selectSelling(db).where(ofAccount).orderBy(asc(connection.ordinal)),
    selectStores(db).where(ofAccount).orderBy(asc(shopStore.ordinal)),
    db
      .select({
        id: sql<string>`${profile.id}`.as("profile_id"),
        connectionId: profile.connectionId,
        name: sql<string>`${profile.name}`.as("profile_name"),
        channel: profile.channel,
        storeId: profile.storeId,
        stem: profile.stem,
        sales: profile.sales,
      })
      .from(connection)
      .innerJoin(profile, eq(profile.connectionId, connection.id))
      .where(ofAccount)
      .orderBy(asc(profile.createdAt), asc(profile.id)),
    db
      .select({ connectionId: tagRule.connectionId, tag: tagRule.tag, action: tagRule.action })
      .from(connection)
      .innerJoin(tagRule, eq(tagRule.connectionId, connection.id))
      .where(ofAccount)
      .orderBy(asc(tagRule.tag)),
    db
      .select({ connectionId: series.connectionId, code: series.code, ...lastOf() })
      .from(series)
      .where(eq(series.accountId, accountId)),
  ]);
  return rows.map((row) => {
    const isOf = (one: { readonly connectionId: string }) => one.connectionId === row.connectionId;
    return sellingFrom(row, {
      stores: stores.filter(isOf),
      profiles: profiles.filter(isOf),
      tagRules: tagRules.filter(isOf),
      heads: heads.filter(isOf),
    });
  });
}

async function read(db: Database, accountId: string, connectionId: string): Promise<StemReading | undefined> {
  const isOurs = and(eq(connection.id, connectionId), eq(connection.accountId, accountId));
  const [[row], stores, profiles, tagRules, heads, taken, codes] = await db.batch([
    selectSelling(db).where(isOurs),
    selectStores(db).where(isOurs).orderBy(asc(shopStore.ordinal)),
    selectProfiles(db, connectionId),
    selectTagRules(db, connectionId),
    selectSeriesHeads(db, connectionId),
    selectTakenStems(db, connectionId),
    selectNumberedCodes(db, connectionId),
  ]);
  // What the others brought is of this account only if the first row is.
  if (!row) return undefined;
  return {
    ...sellingFrom(row, { stores, profiles, tagRules, heads }),
    taken: taken.map(takenStem),
    numberedCodes: numberedCodes(codes),
  };
}

function selectSelling(db: Database) {
  return db
    .select({
      connectionId: sql<string>`${connection.id}`.as("of_connection"),
      kind: connection.kind,
      name: named(connection.name, "connection_name"),
      ordinal: named(connection.ordinal, "connection_ordinal"),
      installationOrdinal: named(installation.ordinal, "installation_ordinal"),
      trial: installation.trial,
      setupState: named(shopSetup.state, "setup_state"),
      storeIds: shopSetup.storeIds,
      sales: named(shopSetup.sales, "sales"),
      orderStem: shopSetup.orderStem,
    })
    .from(connection)
    .leftJoin(installation, and(eq(installation.connectionId, connection.id), isNull(installation.closedAt)))
    .leftJoin(shopSetup, eq(shopSetup.connectionId, connection.id))
    .$dynamic();
}

export type SellingRow = Awaited<ReturnType<typeof selectSelling>>[number];

function selectStores(db: Database) {
  return db
    .select({
      connectionId: shopStore.connectionId,
      id: shopStore.storeId,
      name: sql<string | null>`${shopStore.name}`.as("store_name"),
    })
    .from(connection)
    .innerJoin(shopStore, eq(shopStore.connectionId, connection.id))
    .$dynamic();
}
