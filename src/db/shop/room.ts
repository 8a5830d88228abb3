/** Rows of which a connection has only so many: the statement that writes them sees to it. */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";

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
export function withRoom(json: string, bounded: BoundedTable, connectionId: string): SQL {
  const rows = counted(sql`json_each(${json})`, bounded, connectionId);
  return sql`(SELECT key, value FROM ${rows} WHERE is_known OR ${fits(bounded, connectionId)})`;
}

/** The new rows that fit, of rows with a key and a value; connection and id come first in the key. */
export function newWithRoom(rows: SQL, bounded: BoundedTable, connectionId: string): SQL {
  const seen = counted(rows, bounded, connectionId);
  return sql`(SELECT key, value FROM ${seen} WHERE NOT is_known AND ${fits(bounded, connectionId)})`;
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
