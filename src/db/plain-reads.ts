import type { SQL } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { boundedBinding } from "./bounded-sql.ts";

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
