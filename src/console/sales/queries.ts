import { and, asc, eq, isNull, sql } from "drizzle-orm";
import {
  lastOf,
  named,
  type ProfileRow,
  profileFrom,
  salesFrom,
  selectProfiles,
  selectSeriesHeads,
  selectTagRules,
  setupOf,
} from "../../db/book-reads.ts";
import { type Database, fromOwnJson } from "../../db/database.ts";
import type { SeriesHead } from "../../db/ledger-state.ts";
import { numberedCodes, selectNumberedCodes, selectTakenStems, takenStem } from "../../db/owner-store.ts";
import { connection, installation, series } from "../../db/schema/ledger.ts";
import { profile, shopOrder, tagRule } from "../../db/schema/orders.ts";
import { shopSetup, shopStore } from "../../db/schema/shop.ts";
import type { Profile, SalesSettings } from "../../domain/billing/sales-settings.ts";
import type { TakenStem } from "../../domain/billing/series.ts";
import type { Setup } from "../../domain/connection/setup.ts";
import type { OwnerAnswers, TagRule } from "../../domain/order/context.ts";
import { shownStore } from "../../domain/shared/shown-text.ts";
import { type HeadRow, headsFrom, present } from "../connections/queries.ts";

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
        mailing: profile.mailing,
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
  // Without this row the connection belongs to another account, and the other rows must not be used.
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

type SellingRow = Awaited<ReturnType<typeof selectSelling>>[number];

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

interface RelatedRows {
  readonly stores: readonly { readonly id: string; readonly name: string | null }[];
  readonly profiles: readonly ProfileRow[];
  readonly tagRules: readonly { readonly tag: string; readonly action: string }[];
  readonly heads: readonly HeadRow[];
}

function sellingFrom(row: SellingRow, related: RelatedRows): SellingReading {
  const { connectionId, kind, name, ordinal, installationOrdinal, sales, orderStem } = row;
  return {
    connectionId,
    kind,
    name: name ?? "",
    ordinal: ordinal ?? 0,
    installationOrdinal: installationOrdinal ?? 1,
    trial: row.trial === true,
    setup: setupOf(row),
    stores: related.stores.map(({ id, name: called }) => shownStore({ id, ...present({ name: called }) })),
    sales: salesFrom(sales),
    ...present({ orderStem }),
    profiles: related.profiles.map((one) => profileFrom(one)),
    // The schema checks this column's values.
    tagRules: related.tagRules.map(({ tag, action }) => ({ tag, action: action as TagRule["action"] })),
    series: headsFrom(related.heads),
  };
}

function matchedFrom(row: {
  readonly channel: string | null;
  readonly storeId: string | null;
  readonly answers: OwnerAnswers;
}): OrderMatched {
  const { channel: sourceChannel, storeId, answers } = row;
  const assigned = answers.profileId === undefined ? {} : { profileId: answers.profileId };
  return { ...present({ sourceChannel, storeId }), ...assigned };
}

/** How one connection selects, treats and numbers its orders. */
export interface SellingReading {
  readonly connectionId: string;
  readonly kind: string;
  readonly name: string;
  readonly ordinal: number;
  readonly installationOrdinal: number;
  /** True for a production connection opened while the company was unverified: its numbers are tests. */
  readonly trial: boolean;
  readonly setup: Setup;
  /** In inventory order. */
  readonly stores: readonly { readonly id: string; readonly name?: string }[];
  /** Declarations for orders without a profile. */
  readonly sales: SalesSettings;
  readonly orderStem?: string;
  /** Oldest first, with stems as declared. */
  readonly profiles: readonly Profile[];
  readonly tagRules: readonly TagRule[];
  readonly series: readonly SeriesHead[];
}

/** Adds the data for checking a stem while the user types it. */
export interface StemReading extends SellingReading {
  /** Stems of the whole account. */
  readonly taken: readonly TakenStem[];
  /** Codes without year of the account's series that have numbers. */
  readonly numberedCodes: readonly string[];
}

/** The members of an order that select its profile. */
export interface OrderMatched {
  readonly sourceChannel?: string;
  readonly storeId?: string;
  /** Assigned by the owner; it overrides channel and store. */
  readonly profileId?: string;
}

/** Every method is one D1 round trip. */
export interface SellingReads {
  /** All connections of the account, in opening order. */
  list(accountId: string): Promise<readonly SellingReading[]>;
  /** Undefined if the account has no such connection. */
  read(accountId: string, connectionId: string): Promise<StemReading | undefined>;
  readOrder(accountId: string, connectionId: string, idExternal: string): Promise<OrderMatched | undefined>;
}
