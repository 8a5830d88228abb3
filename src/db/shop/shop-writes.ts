import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { UNDECLARED } from "../../domain/billing/sales-settings.ts";
import { SETUP_BEGINS } from "../../domain/connection/setup.ts";
import { LEFT_BEHIND } from "../../domain/limits.ts";
import { type Database, excluded, rowParameters, rowsOf } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import type { AuditEntry, ShopBatch } from "../ledger-state.ts";
import {
  auditLog,
  shopClient,
  shopInventory,
  shopModule,
  shopSetup,
  shopStatus,
  shopStore,
} from "../schema/shop.ts";

export interface ShopOwner {
  readonly accountId: string;
  readonly connectionId: string;
}

/** The row of a guided setup, with its connection or not at all; connections without one are configured. */
export function beginSetupOf(db: Database, connectionId: string) {
  const sales = JSON.stringify(UNDECLARED);
  return db.insert(shopSetup).select(sql`SELECT id, account_id, ${SETUP_BEGINS}, NULL, ${sales}, NULL, NULL
    FROM connection WHERE id = ${connectionId}`);
}

/** The line of the opening, likewise. */
export function insertAuditOf(
  db: Database,
  connectionId: string,
  { id, userId, at, verb, facts }: AuditEntry,
) {
  return db.insert(auditLog).select(sql`SELECT ${id}, account_id, id, ${userId}, ${at}, ${verb},
    ${JSON.stringify(facts)} FROM connection WHERE id = ${connectionId}`);
}

/** An unchanged report writes no row. */
export function upsertClients(db: Database, connectionId: string, batch: ShopBatch): FencedStatement[] {
  const rows = batch.clients.map((client) => [
    connectionId,
    client.idExternal,
    JSON.stringify(client),
    batch.at,
  ]);
  const { facts, receivedAt } = shopClient;
  return rowParameters(rows).map((json) =>
    db
      .insert(shopClient)
      .select(rowsOf(json, 4))
      .onConflictDoUpdate({
        target: [shopClient.connectionId, shopClient.idExternal],
        set: { facts: excluded(facts), receivedAt: excluded(receivedAt) },
        setWhere: differs(facts),
      }),
  );
}

export const STATUSES: BoundedTable = {
  table: shopStatus,
  connectionId: shopStatus.connectionId,
  id: shopStatus.idExternal,
  most: LEFT_BEHIND.statuses,
};

export const STORES: BoundedTable = {
  table: shopStore,
  connectionId: shopStore.connectionId,
  id: shopStore.storeId,
  most: LEFT_BEHIND.stores,
};

export function upsertStatuses(db: Database, connectionId: string, batch: ShopBatch): FencedStatement[] {
  const rows = batch.statuses.map((status) => [
    connectionId,
    status.idExternal,
    status.name,
    Number(status.paid),
    Number(status.cancelled),
  ]);
  const { name, paid, cancelled } = shopStatus;
  return rowParameters(rows).map((json) =>
    db
      .insert(shopStatus)
      .select(
        sql`SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
          FROM ${withRoom(json, STATUSES, connectionId)} ORDER BY key`,
      )
      .onConflictDoUpdate({
        target: [shopStatus.connectionId, shopStatus.idExternal],
        set: { name: excluded(name), paid: excluded(paid), cancelled: excluded(cancelled) },
        setWhere: differs(name, paid, cancelled),
      }),
  );
}

/** A store keeps the place in which it was first reported: an inventory may come in parts. */
export function upsertStores(db: Database, connectionId: string, batch: ShopBatch): FencedStatement[] {
  const rows = batch.stores.map((store) => [
    connectionId,
    store.id,
    store.name ?? null,
    store.url ?? null,
    store.ordersCount ?? null,
  ]);
  const { name, url, ordersCount } = shopStore;
  return rowParameters(rows).map((json) =>
    db
      .insert(shopStore)
      .select(storesBehind(json, { connectionId, at: batch.at }))
      .onConflictDoUpdate({
        target: [shopStore.connectionId, shopStore.storeId],
        set: { name: excluded(name), url: excluded(url), ordersCount: excluded(ordersCount) },
        setWhere: differs(name, url, ordersCount),
      }),
  );
}

function storesBehind(
  json: string,
  { connectionId, at }: { readonly connectionId: string; readonly at: number },
): SQL {
  const last = sql`(SELECT coalesce(max(${shopStore.ordinal}), 0) FROM ${shopStore}
    WHERE ${shopStore.connectionId} = ${connectionId})`;
  return sql`SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, ${last} + 1 + key,
    ${at} FROM ${withRoom(json, STORES, connectionId)} ORDER BY key`;
}

export function upsertInventory(db: Database, connectionId: string, batch: ShopBatch): FencedStatement[] {
  if (!batch.inventory) return [];
  const reported = { ordersTotal: batch.inventory.ordersTotal ?? null, receivedAt: batch.at };
  const upsert = { target: shopInventory.connectionId, set: reported };
  return [
    db
      .insert(shopInventory)
      .values({ connectionId, ...reported })
      .onConflictDoUpdate(upsert),
  ];
}

/** Members missing in this report keep their earlier value. */
export function upsertModule(db: Database, connectionId: string, batch: ShopBatch): FencedStatement[] {
  if (!batch.module) return [];
  const reported = { ...batch.module, seenAt: batch.at };
  const upsert = { target: shopModule.connectionId, set: reported };
  return [
    db
      .insert(shopModule)
      .values({ connectionId, ...reported })
      .onConflictDoUpdate(upsert),
  ];
}

/** Without a connection it is a line of the whole account. */
export function insertAudit(
  db: Database,
  owner: Pick<ShopOwner, "accountId"> & { readonly connectionId: string | null },
  entry: AuditEntry,
) {
  return db.insert(auditLog).values({ ...owner, ...entry, facts: JSON.stringify(entry.facts) });
}

function differs(...columns: readonly SQLiteColumn[]): SQL {
  return sql.join(
    columns.map((column) => sql`${column} IS NOT ${excluded(column)}`),
    sql` OR `,
  );
}

/** True if reported after the owner's last choice of stores; the query must have both tables. */
export function isNewStore(): SQL<number> {
  return sql<number>`(${shopStore.seenAt} > coalesce(${shopSetup.chosenAt}, 0))`;
}

/** Rows of which a connection has only so many: the statement that writes them sees to it. */

export interface BoundedTable {
  readonly table: SQLiteTable;
  readonly connectionId: SQLiteColumn;
  readonly id: SQLiteColumn;
  readonly most: number;
}

/** The number of rows of the connection, counted up to the limit. */
function countOf({ table, connectionId: column, most }: BoundedTable, connectionId: string): SQL {
  return sql`(SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${column} = ${connectionId} LIMIT ${most}))`;
}

/** The same where one of the ids is new; otherwise nothing is counted. */
export function countIfNew(bounded: BoundedTable, connectionId: string, ids: readonly string[]): SQL {
  const { table, connectionId: column, id } = bounded;
  const isKnown = sql`EXISTS (SELECT 1 FROM ${table} WHERE ${column} = ${connectionId} AND ${id} = value)`;
  const isNew = sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(ids)}) WHERE NOT ${isKnown})`;
  return sql`CASE WHEN ${isNew} THEN ${countOf(bounded, connectionId)} ELSE 0 END`;
}

/**
 * Key and value of each row of a parameter, connection and id first in it, that is known or still fits: the
 * first of the new ones.
 */
function withRoom(json: string, bounded: BoundedTable, connectionId: string): SQL {
  const rows = counted(sql`json_each(${json})`, bounded, connectionId);
  return sql`(SELECT key, value FROM ${rows} WHERE is_known OR ${fits(bounded, connectionId)})`;
}

/** The new rows that fit, of rows with a key and a value; connection and id come first in the key. */
export function newWithRoom(rows: SQL, bounded: BoundedTable, connectionId: string): SQL {
  const countedRows = counted(rows, bounded, connectionId);
  return sql`(SELECT key, value FROM ${countedRows} WHERE NOT is_known AND ${fits(bounded, connectionId)})`;
}

function counted(rows: SQL, { table, connectionId: column, id }: BoundedTable, connectionId: string): SQL {
  const known = sql`EXISTS (SELECT 1 FROM ${table}
    WHERE ${column} = ${connectionId} AND ${id} = value ->> 1)`;
  return sql`(SELECT key, value, is_known, sum(1 - is_known) OVER (ORDER BY key) AS new_ones
    FROM (SELECT key, value, ${known} AS is_known FROM ${rows}))`;
}

function fits(bounded: BoundedTable, connectionId: string): SQL {
  return sql`new_ones + ${countOf(bounded, connectionId)} <= ${bounded.most}`;
}
