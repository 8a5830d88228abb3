/** Rows travel to D1 as JSON: one parameter for any number of them, because D1 takes 100 parameters. */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** D1 takes 2,000,000 bytes a parameter; ours stay well below, because the local one checks nothing. */
const PARAMETER_LIMIT_BYTES = 1_800_000;

export type JsonRow = readonly (string | number | null)[];

/** Rows as JSON arrays, split so that no parameter outgrows its limit; no row can do so alone. */
export function rowParameters(rows: readonly JsonRow[]): string[] {
  const parameters: string[] = [];
  let open: string[] = [];
  let sizeBytes = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    const rowBytes = utf8Bytes(text) + 1;
    if (open.length > 0 && sizeBytes + rowBytes > PARAMETER_LIMIT_BYTES) {
      parameters.push(`[${open.join(",")}]`);
      open = [];
      sizeBytes = 0;
    }
    open.push(text);
    sizeBytes += rowBytes;
  }
  if (open.length > 0) parameters.push(`[${open.join(",")}]`);
  return parameters;
}

/** All rows of a parameter in their order. */
export function rowsOf(json: string, columnCount: number): SQL {
  const columns = Array.from({ length: columnCount }, (_, index) => `value ->> ${index}`);
  return sql`SELECT ${sql.raw(columns.join(", "))} FROM json_each(${json}) ORDER BY key`;
}

/** Larger rows travel alone: inside JSON their quotes would be escaped a second time. */
const LARGE_ROW_BYTES = 500_000;

/** Rows to insert from: small ones together, each large one with its values as parameters of their own. */
export function rowSelects(rows: readonly JsonRow[]): SQL[] {
  const small: JsonRow[] = [];
  const large: JsonRow[] = [];
  for (const row of rows) (utf8Bytes(JSON.stringify(row)) < LARGE_ROW_BYTES ? small : large).push(row);
  const width = rows[0]?.length ?? 0;
  return [
    ...rowParameters(small).map((json) => rowsOf(json, width)),
    ...large.map((row) => sql`SELECT ${sql.join([...row].map(asParameter), sql`, `)} WHERE true`),
  ];
}

/** The row that an upsert would have inserted. */
export function excluded(column: SQLiteColumn): SQL {
  return sql.raw(`excluded.${column.name}`);
}

function asParameter(value: JsonRow[number]): SQL {
  return sql`${value}`;
}

const encoder = new TextEncoder();

export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}
