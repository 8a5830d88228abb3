/** SQL that puts a row back, as text: wrangler takes no values, and D1 no statement above 100 kB. */
import { literal, type Value } from "../remote-database.ts";
import { ofAccount, type Table } from "./tables.ts";

export type Row = Readonly<Record<string, Value>>;

/** Bytes of a statement, well below the 100,000 that D1 takes. */
const STATEMENT_BYTES = 80_000;
/** A value above this is brought in pieces. */
const VALUE_BYTES = 8_000;
/** Code units; at most three bytes each. */
const PIECE_UNITS = 20_000;

/**
 * Long values lie in `restore_text`, piece by piece, until the row that they belong to is written; ids that
 * stay in `restore_kept`, until all others are taken away.
 */
export const BEGIN_TEXTS = [
  "DROP TABLE IF EXISTS restore_text",
  "DROP TABLE IF EXISTS restore_kept",
  "CREATE TABLE restore_kept (id TEXT PRIMARY KEY)",
  `CREATE TABLE restore_text (id INTEGER NOT NULL, piece INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (id, piece))`,
];
export const END_TEXTS = ["DROP TABLE IF EXISTS restore_text", "DROP TABLE IF EXISTS restore_kept"];

/** Where it is not there yet: an insert that would meet its own row is refused by the triggers. */
export function insertAbsent(table: Table, row: Row): string[] {
  const { name, columns } = table;
  return withValuesOf(table, row, columns, (given) => {
    const isThere = `SELECT 1 FROM ${name} WHERE ${sameKey(table)}`;
    return `${given} INSERT INTO ${name} (${columns.join(", ")})
      SELECT * FROM given WHERE NOT EXISTS (${isThere})`;
  });
}

/** Only what differs is written, so that nothing moves where nothing was lost. */
export function updateDifferent(table: Table, row: Row, columns: readonly string[]): string[] {
  const { name, key } = table;
  const changing = columns.filter((column) => !key.includes(column));
  if (changing.length === 0) return [];
  return withValuesOf(table, row, [...key, ...changing], (given) => {
    const assignments = changing.map((column) => `${column} = given.${column}`);
    const differences = changing.map((column) => `${name}.${column} IS NOT given.${column}`);
    return `${given} UPDATE ${name} SET ${assignments.join(", ")} FROM given
      WHERE ${sameKey(table)} AND (${differences.join(" OR ")})`;
  });
}

/** Rows of the account that had been taken away. */
export function deleteStale(table: Table, accountId: string, rows: readonly Row[]): string {
  const { name, key } = table;
  const its = ofAccount(table).replace("?", literal(accountId));
  const keys = rows.map((row) => `(${key.map((column) => literal(row[column])).join(", ")})`);
  const kept = keys.length > 0 ? ` AND (${key.join(", ")}) NOT IN (VALUES ${keys.join(", ")})` : "";
  return `DELETE FROM ${name} WHERE ${its}${kept}`;
}

/** What a statement takes of the ids that stay; `keepOnly` follows when all of them are noted. */
export function* noteKept(ids: readonly string[]): Generator<string> {
  let some: string[] = [];
  let sizeBytes = 0;
  for (const id of ids) {
    // Quotes are doubled, and JSON escapes them besides.
    const idBytes = 2 * bytesOf(JSON.stringify(id)) + 1;
    if (sizeBytes + idBytes > STATEMENT_BYTES) {
      yield noteSome(some);
      some = [];
      sizeBytes = 0;
    }
    some.push(id);
    sizeBytes += idBytes;
  }
  if (some.length > 0) yield noteSome(some);
}

function noteSome(ids: readonly string[]): string {
  return `INSERT INTO restore_kept SELECT value FROM json_each(${literal(JSON.stringify(ids))})`;
}

/** Of a connection, in a table whose rows it names itself. */
export function keepOnly({ name }: Table, connectionId: string): string {
  return `DELETE FROM ${name} WHERE connection_id = ${literal(connectionId)}
    AND id_external NOT IN (SELECT id FROM restore_kept)`;
}

/** Up to the number that was reached, step by step, as the triggers demand; `told` in its place. */
export function stepUp(table: Table, row: Row, told: Readonly<Record<string, string>> = {}): string {
  const { name, key, columns } = table;
  const goal = literal(row.seq ?? 0);
  const its = key.map((column) => `${column} = ${literal(row[column])}`).join(" AND ");
  const selected = columns.map((column) =>
    column === "seq" ? "seq" : (told[column] ?? literal(row[column])),
  );
  const changed = columns.filter((column) => !key.includes(column));
  const assignments = changed.map((column) => `${column} = excluded.${column}`);
  return `INSERT INTO ${name} (${columns.join(", ")})
    WITH RECURSIVE steps(seq) AS (SELECT 1 + coalesce((SELECT seq FROM ${name} WHERE ${its}), 0)
      UNION ALL SELECT 1 + seq FROM steps WHERE seq < ${goal})
    SELECT ${selected.join(", ")} FROM steps WHERE seq <= ${goal}
    ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${assignments.join(", ")}`;
}

function sameKey({ name, key }: Table): string {
  return key.map((column) => `${name}.${column} = given.${column}`).join(" AND ");
}

/** The pieces of what is long, and then the statement over one row named `given`. */
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
  if (bytesOf(statement) > STATEMENT_BYTES) throw new Error(`a row of ${name} is too wide to be put back`);
  // What an interrupted run has left of another row would mix with it.
  return pieces.length === 0 ? [statement] : ["DELETE FROM restore_text", ...pieces, statement];
}

function piecesOf(id: number, text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE_UNITS;
    // Half a character is not text.
    const isCut = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
    const piece = text.slice(start, isCut ? end - 1 : end);
    pieces.push(`INSERT INTO restore_text VALUES (${id}, ${pieces.length + 1}, ${literal(piece)})`);
    start += piece.length;
  }
  return pieces;
}

const encoder = new TextEncoder();

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
