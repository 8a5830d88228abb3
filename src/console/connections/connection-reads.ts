import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import {
  addressFrom,
  reportedFrom,
  selectRegistered,
  selectReportedOrigins,
} from "../../db/access/access-reads.ts";
import { named, selectSeriesHeads } from "../../db/book-reads.ts";
import type { Database } from "../../db/database.ts";
import { customerAccess } from "../../db/schema/access.ts";
import { apiKey, connection, consent, installation, series } from "../../db/schema/ledger.ts";
import { profile, shopCallback } from "../../db/schema/orders.ts";
import { shopInventory, shopModule, shopSetup, shopStore } from "../../db/schema/shop.ts";
import { type CivilDate, civilDate } from "../../domain/shared/civil-date.ts";
import { lastNumber, lastOrderAt, numbersBefore, ordersSince } from "./activity-counts.ts";
import type { ConnectionReads, Month } from "./connection-ports.ts";
import { cardFrom, readingFrom } from "./connection-rows.ts";

export function connectionReads(db: Database): ConnectionReads {
  return {
    async list(accountId, month) {
      const [rows, numbered] = await db.batch([
        selectCards(db, accountId, month),
        selectNumbered(db, eq(series.accountId, accountId), month),
      ]);
      return rows.map((row) => cardFrom(row, numbered));
    },
    async read(accountId, connectionId, month) {
      const ours = and(eq(series.accountId, accountId), eq(series.connectionId, connectionId));
      const [[row], stores, [agreed], keys, [callback], stems, heads, numbered] = await db.batch([
        selectOne(db, { accountId, connectionId }, month),
        selectStores(db, connectionId),
        selectConsent(db, connectionId),
        selectKeys(db, { accountId, connectionId }),
        db.select().from(shopCallback).where(eq(shopCallback.connectionId, connectionId)),
        db.select({ stem: profile.stem }).from(profile).where(eq(profile.connectionId, connectionId)),
        selectSeriesHeads(db, connectionId),
        selectNumbered(db, ours, month),
      ]);
      // What the others brought is of this account only if the first row is.
      return row && readingFrom(row, { stores, agreed, keys, callback, stems, heads, numbered });
    },
    async origins(accountId, connectionId) {
      const [[owner], registered, kept, stores] = await db.batch([
        db
          .select({ accountId: connection.accountId })
          .from(connection)
          .where(eq(connection.id, connectionId)),
        selectRegistered(db, connectionId),
        selectReportedOrigins(db, connectionId),
        selectAddresses(db, connectionId),
      ]);
      if (owner?.accountId !== accountId) return { registered: [], kept: [], stores: [] };
      return { registered, kept: kept.map(reportedFrom), stores: stores.map(namedAddress) };
    },
    async keysOf(accountId, connectionId) {
      const rows = await selectKeys(db, { accountId, connectionId });
      return rows.map(({ tail, ...key }) => ({ ...key, ...(tail === null ? {} : { tail }) }));
    },
  };
}

interface Owned {
  readonly accountId: string;
  readonly connectionId: string;
}

/** Whole names: in a subquery a bare `id` would be another table's. */
const CONNECTION = sql.raw('"connection"."id"');

function selectCards(db: Database, accountId: string, month: Month) {
  const alive = (what: SQL) => sql`(SELECT ${what} FROM ${apiKey}
    WHERE ${apiKey.connectionId} = ${CONNECTION} AND ${apiKey.revokedAt} IS NULL)`;
  return db
    .select({
      id: connection.id,
      kind: connection.kind,
      name: named(connection.name, "connection_name"),
      platform: shopModule.platform,
      setupState: named(shopSetup.state, "setup_state"),
      storeIds: shopSetup.storeIds,
      consent: sql<string | null>`(SELECT iif(${consent.withdrawnAt} IS NULL, 'given', 'withdrawn')
        FROM ${consent} WHERE ${consent.connectionId} = ${CONNECTION}
        ORDER BY ${consent.grantedAt} DESC LIMIT 1)`.as("consent_state"),
      keys: alive(sql`count(*)`).mapWith(Number).as("keys_alive"),
      newestKeyAt: sql<number | null>`${alive(sql`max(${apiKey.createdAt})`)}`.as("newest_key_at"),
      lastOrderAt: lastOrderAt(CONNECTION).as("last_order_at"),
      orders: ordersSince(CONNECTION, month).as("orders_counted"),
    })
    .from(connection)
    .leftJoin(shopModule, eq(shopModule.connectionId, connection.id))
    .leftJoin(shopSetup, eq(shopSetup.connectionId, connection.id))
    .where(eq(connection.accountId, accountId))
    .orderBy(asc(connection.ordinal));
}

export type CardRow = Awaited<ReturnType<typeof selectCards>>[number];

function selectOne(db: Database, { accountId, connectionId }: Owned, month: Month) {
  return db
    .select({
      id: connection.id,
      kind: connection.kind,
      name: named(connection.name, "connection_name"),
      ordinal: named(connection.ordinal, "connection_ordinal"),
      openedAt: named(connection.openedAt, "opened"),
      installationOrdinal: named(installation.ordinal, "installation_ordinal"),
      trial: installation.trial,
      platform: shopModule.platform,
      moduleVersion: shopModule.moduleVersion,
      contractVersion: shopModule.contractVersion,
      moduleSeenAt: named(shopModule.seenAt, "module_seen_at"),
      setupState: named(shopSetup.state, "setup_state"),
      storeIds: shopSetup.storeIds,
      chosenAt: shopSetup.chosenAt,
      orderStem: shopSetup.orderStem,
      ordersTotal: shopInventory.ordersTotal,
      inventoryAt: named(shopInventory.receivedAt, "inventory_at"),
      accessIsOn: named(customerAccess.isOn, "access_is_on"),
      switchedAt: customerAccess.switchedAt,
      lastOrderAt: lastOrderAt(CONNECTION).as("last_order_at"),
      orders: ordersSince(CONNECTION, month).as("orders_counted"),
    })
    .from(connection)
    .leftJoin(installation, and(eq(installation.connectionId, connection.id), isNull(installation.closedAt)))
    .leftJoin(shopModule, eq(shopModule.connectionId, connection.id))
    .leftJoin(shopSetup, eq(shopSetup.connectionId, connection.id))
    .leftJoin(shopInventory, eq(shopInventory.connectionId, connection.id))
    .leftJoin(customerAccess, eq(customerAccess.connectionId, connection.id))
    .where(and(eq(connection.id, connectionId), eq(connection.accountId, accountId)));
}

export type ConnectionRow = Awaited<ReturnType<typeof selectOne>>[number];

function selectStores(db: Database, connectionId: string) {
  return db
    .select({
      id: shopStore.storeId,
      name: shopStore.name,
      orders: shopStore.ordersCount,
      seenAt: shopStore.seenAt,
    })
    .from(shopStore)
    .where(eq(shopStore.connectionId, connectionId))
    .orderBy(asc(shopStore.ordinal));
}

export type StoreRow = Awaited<ReturnType<typeof selectStores>>[number];

function selectAddresses(db: Database, connectionId: string) {
  const { storeId: id, name, url, seenAt } = shopStore;
  return db.select({ id, name, url, seenAt }).from(shopStore).where(eq(shopStore.connectionId, connectionId));
}

function namedAddress({ name, ...row }: Awaited<ReturnType<typeof selectAddresses>>[number]) {
  return { ...addressFrom(row), ...(name === null ? {} : { name }) };
}

/** The newest counts. */
function selectConsent(db: Database, connectionId: string) {
  return db
    .select({
      givenBy: consent.grantedBy,
      givenAt: consent.grantedAt,
      textVersion: consent.textVersion,
      cutoffDate: sql<CivilDate>`${consent.cutoffDate}`.mapWith(civilDate).as("cutoff"),
      withdrawnAt: consent.withdrawnAt,
    })
    .from(consent)
    .where(eq(consent.connectionId, connectionId))
    .orderBy(desc(consent.grantedAt))
    .limit(1);
}

export type ConsentRow = Awaited<ReturnType<typeof selectConsent>>[number];

function selectKeys(db: Database, { accountId, connectionId }: Owned) {
  const { id, hash, createdAt, tail } = apiKey;
  return db
    .select({ id: sql<string>`${id}`.as("key_id"), hash, createdAt, tail })
    .from(apiKey)
    .innerJoin(connection, eq(connection.id, apiKey.connectionId))
    .where(
      and(
        eq(apiKey.connectionId, connectionId),
        eq(connection.accountId, accountId),
        isNull(apiKey.revokedAt),
      ),
    )
    .orderBy(asc(createdAt), asc(id));
}

export type KeyRow = Awaited<ReturnType<typeof selectKeys>>[number];

/** Series of the month's year: how far each has come, and how far it had come before the month. */
function selectNumbered(db: Database, which: SQL | undefined, month: Month) {
  const year = month.firstDay.slice(0, "YYYY".length);
  return db
    .select({
      connectionId: series.connectionId,
      last: lastNumber().as("last_number"),
      before: numbersBefore(month).as("numbers_before"),
    })
    .from(series)
    .where(and(which, sql`substr(${series.code}, -4) = ${year}`));
}

export type NumberedRow = Awaited<ReturnType<typeof selectNumbered>>[number];
