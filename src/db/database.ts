import { type SQL, sql } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { SQLiteAsyncDialect, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { InvoiceDocument, TaxGroup } from "../domain/invoice/document.ts";
import type { AuthorityStatus } from "../domain/invoice/invoice-view.ts";
import { STATEMENT } from "../domain/limits.ts";
import { invariant } from "../domain/shared/result.ts";
import type { RecordContent } from "../domain/verifactu/record.ts";

export type Database = DrizzleD1Database & { readonly $client: D1Database };

export function databaseOn(binding: D1Database): Database {
  return drizzle(boundedBinding(binding));
}

/** A statement of text that is there already, measured as all others. */
export function preparedOn({ $client }: Database, text: string): D1PreparedStatement {
  return $client.prepare(text);
}

// Rows travel to D1 as JSON: one parameter for any number of them, because D1 takes 100 parameters.

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

function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}

/** Statements written as SQL: Drizzle takes those into no batch. */
export interface PlainReads {
  rows<Row>(statement: SQL): Promise<readonly Row[]>;
  /** One round trip, one transaction. */
  batch(statements: readonly Written[]): Promise<readonly (readonly unknown[])[]>;
}

/** Text and values, as Drizzle's builders produce them. */
export interface Written {
  readonly sql: string;
  readonly params: readonly unknown[];
}

const dialect = new SQLiteAsyncDialect();

export function written(statement: SQL): Written {
  const { sql, params } = dialect.sqlToQuery(statement);
  return { sql, params };
}

export function plainReads(binding: D1Database): PlainReads {
  const bounded = boundedBinding(binding);
  const prepared = ({ sql, params }: Written) => bounded.prepare(sql).bind(...params);
  return {
    async rows<Row>(statement: SQL) {
      return (await prepared(written(statement)).all<Row>()).results;
    },
    async batch(statements) {
      const answers = await bounded.batch(statements.map(prepared));
      return answers.map(({ results }) => results);
    },
  };
}

/** Types the rows of a statement with named columns. */
export function rowsAs<Row>(rows: readonly unknown[] | undefined): readonly Row[] {
  return (rows ?? []) as readonly Row[];
}

/**
 * JSON that this service wrote into its own append-only rows. The database refuses changes, so the written
 * shape is kept. Golden files keep a sample of each version readable.
 */
export function documentFromJson(text: string): InvoiceDocument {
  return fromOwnJson(text);
}

export function recordFromJson(text: string): RecordContent {
  return fromOwnJson(text);
}

/** The answer of the authority to a record; empty for a record without one. */
export function authorityStatusFromJson(text: string | null): { readonly standing?: AuthorityStatus } {
  return text === null ? {} : { standing: fromOwnJson(text) };
}

export function takenFromJson(text: string): readonly TaxGroup[] {
  return fromOwnJson(text);
}

export function fromOwnJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

/**
 * The same text again. All composed SQL passes here, and text that D1 would refuse is refused before it is
 * sent. Rows and lists travel as one parameter of JSON, or by a working table.
 */
export function boundedSql(text: string, parameters = 0): string {
  const isWithin = fitsInBytes(text, STATEMENT.bytes) && parameters <= STATEMENT.parameters;
  invariant(isWithin, "a statement is one that D1 takes");
  return text;
}

/** As much of a binding as statements need, each of them measured. */
export function boundedBinding(binding: D1Database): D1Database {
  const measured = {
    prepare(sql: string) {
      const prepared = binding.prepare(boundedSql(sql));
      return {
        bind(...values: unknown[]) {
          boundedSql(sql, values.length);
          return prepared.bind(...values);
        },
      };
    },
    batch: (statements: D1PreparedStatement[]) => binding.batch(statements),
  };
  // Drizzle and the plain reads bind every statement, and ask for nothing else.
  return measured as unknown as D1Database;
}
/** The UTF-8 bytes of one code unit. */
const MOST_BYTES = 3;

function fitsInBytes(text: string, most: number): boolean {
  return text.length * MOST_BYTES <= most || (text.length <= most && encoder.encode(text).length <= most);
}

/** A D1 binding that counts its statements, for jobs with a query budget. */
export function countedBinding(binding: D1Database, count: () => void): D1Database {
  const counted = {
    prepare(sql: string) {
      const prepared = binding.prepare(sql);
      return {
        bind(...values: unknown[]) {
          count();
          return prepared.bind(...values);
        },
      };
    },
    batch: (statements: D1PreparedStatement[]) => binding.batch(statements),
  };
  // Every statement is bound first and runs once.
  return counted as unknown as D1Database;
}
