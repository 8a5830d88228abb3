/** SQL that puts rows back, as text: wrangler takes no values, and D1 no statement above 100 kB. */

import { boundedSql } from "../../db/database.ts";
import { STATEMENT } from "../../domain/limits.ts";
import { literal, type Value } from "../remote-database.ts";
import { ofAccount, type Table } from "./tables.ts";

export type Row = Readonly<Record<string, Value>>;

/** The bytes for rows or ids of a statement; the rest is for names and conditions. */
const STATEMENT_BYTES = STATEMENT.bytes - 10_000;
/** A value above this is brought in pieces. */
const VALUE_BYTES = 8_000;
/** Code units; at most three bytes each. */
const PIECE_UNITS = 20_000;

/**
 * Long values lie in `restore_text`, piece by piece, until the row that they belong to is written; ids and
 * keys that stay in `restore_kept`, until all others are taken away.
 */
export const BEGIN_TEXTS = [
  "DROP TABLE IF EXISTS restore_text",
  "DROP TABLE IF EXISTS restore_kept",
  "CREATE TABLE restore_kept (id TEXT PRIMARY KEY)",
  `CREATE TABLE restore_text (id INTEGER NOT NULL, piece INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (id, piece))`,
];
export const END_TEXTS = ["DROP TABLE IF EXISTS restore_text", "DROP TABLE IF EXISTS restore_kept"];

/** Inserts only a missing row: the triggers refuse an insert that meets its own row. */
export function insertAbsent(table: Table, row: Row): string[] {
  return withValuesOf(table, row, table.columns, (given) => insertFrom(table, given));
}

/** The same of many, in their order, as many at once as a statement takes. */
export function insertAllAbsent(table: Table, rows: readonly Row[]): Generator<string> {
  return withRowsOf(table, rows, table.columns, (given) => insertFrom(table, given));
}

/** Updates only differing rows, so that no trigger runs where nothing was lost. */
export function updateDifferent(table: Table, row: Row, columns: readonly string[]): string[] {
  const changing = changingOf(table, columns);
  if (changing.length === 0) return [];
  return withValuesOf(table, row, [...table.key, ...changing], (given) => updateFrom(table, given, changing));
}

/** The same of many, as many at once as a statement takes. */
export function* updateAllDifferent(
  table: Table,
  rows: readonly Row[],
  columns: readonly string[],
): Generator<string> {
  const changing = changingOf(table, columns);
  if (changing.length === 0) return;
  const write = (given: string) => updateFrom(table, given, changing);
  yield* withRowsOf(table, rows, [...table.key, ...changing], write);
}

/** Rows of the account that had been taken away: the keys of all others are noted first. */
export function* deleteStale(table: Table, accountId: string, rows: readonly Row[]): Generator<string> {
  const { name, key } = table;
  const its = ofAccount(table).replace("?", literal(accountId));
  yield FORGET_KEPT;
  const noted = `json_array(${key.map((_, index) => `value ->> ${index}`).join(", ")})`;
  const keys = rows.map((row) => JSON.stringify(key.map((column) => row[column] ?? null)));
  for (const some of chunksOf(keys)) {
    yield boundedSql(`INSERT INTO restore_kept SELECT ${noted} FROM json_each(${some})`);
  }
  yield boundedSql(`DELETE FROM ${name} WHERE ${its}
    AND json_array(${key.join(", ")}) NOT IN (SELECT id FROM restore_kept)`);
}

const FORGET_KEPT = "DELETE FROM restore_kept";

/** Deletes the rows of a connection except the ids to keep, and `more`. */
export async function* keepOnly(
  { name }: Table,
  connectionId: string,
  { pages, more }: { readonly pages: AsyncIterable<readonly string[]>; readonly more: string },
): AsyncGenerator<string> {
  yield FORGET_KEPT;
  for await (const ids of pages) {
    for (const some of chunksOf(ids.map((id) => JSON.stringify(id)))) {
      yield boundedSql(`INSERT INTO restore_kept SELECT value FROM json_each(${some})`);
    }
  }
  yield boundedSql(`DELETE FROM ${name} WHERE connection_id = ${literal(connectionId)}
    AND id_external NOT IN (SELECT id FROM restore_kept) AND ${more}`);
}

/** Raises a counter step by step, as the triggers require; `replaced` has other values for some columns. */
export function stepUp(table: Table, row: Row, replaced: Readonly<Record<string, string>> = {}): string {
  const { name, key, columns } = table;
  const goal = literal(row.seq ?? 0);
  const its = key.map((column) => `${column} = ${literal(row[column])}`).join(" AND ");
  const selected = columns.map((column) =>
    column === "seq" ? "seq" : (replaced[column] ?? literal(row[column])),
  );
  const changed = columns.filter((column) => !key.includes(column));
  const assignments = changed.map((column) => `${column} = excluded.${column}`);
  return boundedSql(`INSERT INTO ${name} (${columns.join(", ")})
    WITH RECURSIVE steps(seq) AS (SELECT 1 + coalesce((SELECT seq FROM ${name} WHERE ${its}), 0)
      UNION ALL SELECT 1 + seq FROM steps WHERE seq < ${goal})
    SELECT ${selected.join(", ")} FROM steps WHERE seq <= ${goal}
    ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${assignments.join(", ")}`);
}

function insertFrom(table: Table, given: string): string {
  const { name, columns } = table;
  return `${given} INSERT INTO ${name} (${columns.join(", ")})
    SELECT * FROM given WHERE NOT EXISTS (SELECT 1 FROM ${name} WHERE ${sameKey(table)})`;
}

function updateFrom(table: Table, given: string, changing: readonly string[]): string {
  const { name } = table;
  const assignments = changing.map((column) => `${column} = given.${column}`);
  const differences = changing.map((column) => `${name}.${column} IS NOT given.${column}`);
  return `${given} UPDATE ${name} SET ${assignments.join(", ")} FROM given
    WHERE ${sameKey(table)} AND (${differences.join(" OR ")})`;
}

function changingOf({ key }: Table, columns: readonly string[]): readonly string[] {
  return columns.filter((column) => !key.includes(column));
}

function sameKey({ name, key }: Table): string {
  return key.map((column) => `${name}.${column} = given.${column}`).join(" AND ");
}

/** Statements over rows named `given`; a long row goes alone. */
function* withRowsOf(
  table: Table,
  rows: readonly Row[],
  columns: readonly string[],
  write: (given: string) => string,
): Generator<string> {
  const values = columns.map((_, index) => `value ->> ${index}`);
  const asJson = (row: Row) => JSON.stringify(columns.map((column) => row[column] ?? null));
  function* together(short: readonly Row[]): Generator<string> {
    for (const some of chunksOf(short.map(asJson))) {
      const given = `SELECT ${values.join(", ")} FROM json_each(${some}) ORDER BY key`;
      yield boundedSql(write(`WITH given(${columns.join(", ")}) AS (${given})`));
    }
  }
  let short: Row[] = [];
  for (const row of rows) {
    if (bytesOf(asJson(row)) <= VALUE_BYTES) {
      short.push(row);
      continue;
    }
    yield* together(short);
    short = [];
    yield* withValuesOf(table, row, columns, write);
  }
  yield* together(short);
}

/** Texts of JSON as literals of arrays, each of which a statement takes. */
function* chunksOf(texts: readonly string[]): Generator<string> {
  let some: string[] = [];
  let sizeBytes = 0;
  for (const text of texts) {
    const textBytes = bytesOf(literal(text)) + 1;
    if (some.length > 0 && sizeBytes + textBytes > STATEMENT_BYTES) {
      yield literal(`[${some.join(",")}]`);
      some = [];
      sizeBytes = 0;
    }
    some.push(text);
    sizeBytes += textBytes;
  }
  if (some.length > 0) yield literal(`[${some.join(",")}]`);
}

/** The pieces of a long value, then the statement over one row named `given`. */
function withValuesOf(
  { name }: Table,
  row: Row,
  columns: readonly string[],
  write: (given: string) => string,
): string[] {
  const pieces: string[] = [];
  let long = 0;
  const values = columns.map((column) => {
    const value = row[column];
    if (typeof value !== "string" || bytesOf(value) <= VALUE_BYTES) return literal(value);
    long += 1;
    pieces.push(...piecesOf(long, value));
    return `(SELECT group_concat(text, '') FROM
      (SELECT text FROM restore_text WHERE id = ${long} ORDER BY piece))`;
  });
  const statement = write(`WITH given(${columns.join(", ")}) AS (VALUES (${values.join(", ")}))`);
  if (bytesOf(statement) > STATEMENT.bytes) throw new Error(`a row of ${name} is too wide to be put back`);
  // Remains of an interrupted run would mix with this row.
  return pieces.length === 0 ? [statement] : ["DELETE FROM restore_text", ...pieces, statement];
}

function piecesOf(id: number, text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE_UNITS;
    // Half a character is not text.
    const isCut = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
    const piece = text.slice(start, isCut ? end - 1 : end);
    pieces.push(
      boundedSql(`INSERT INTO restore_text VALUES (${id}, ${pieces.length + 1}, ${literal(piece)})`),
    );
    start += piece.length;
  }
  return pieces;
}

const encoder = new TextEncoder();

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
