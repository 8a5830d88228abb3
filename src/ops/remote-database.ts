/** A database that only wrangler reaches: every batch is one `wrangler d1 execute`, all of it or nothing. */

import { boundedSql } from "../db/database.ts";
import { SetupError } from "./setup.mjs";
import { runWrangler } from "./wrangler.ts";

/** Runs SQL and answers the output of `wrangler d1 execute --json`. */
export type ExecuteSql = (sql: string) => Promise<string>;

export type Value = string | number | null;
type Rows = readonly Readonly<Record<string, Value>>[];

/** As much of a D1 database as batches and reads of all rows take. */
export function remoteDatabase(execute: ExecuteSql): D1Database {
  const run = async (statements: readonly RemoteStatement[]) => {
    const answer = await execute(statements.map(({ sql }) => `${boundedSql(sql)};`).join("\n"));
    return resultsOf(answer, statements.length).map((results) => ({ success: true, results }));
  };
  const database = {
    prepare: (sql: string) => new RemoteStatement(sql, run),
    batch: (statements: RemoteStatement[]) => run(statements),
  };
  // The commands use no other method of a D1 database.
  return database as unknown as D1Database;
}

type Run = (statements: readonly RemoteStatement[]) => Promise<readonly { readonly results: Rows }[]>;

class RemoteStatement {
  readonly sql: string;
  readonly #run: Run;

  constructor(sql: string, run: Run) {
    this.sql = sql;
    this.#run = run;
  }

  bind(...values: Value[]): RemoteStatement {
    return new RemoteStatement(withValues(this.sql, values), this.#run);
  }

  async all(): Promise<{ readonly results: Rows }> {
    const [result] = await this.#run([this]);
    return result ?? { results: [] };
  }
}

/** The question marks outside of literals and names become the values, in their order. */
export function withValues(sql: string, values: readonly Value[]): string {
  let next = 0;
  const written = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (found) =>
    found === "?" ? literal(values[next++]) : found,
  );
  if (next !== values.length) throw new Error(`${values.length} values for ${next} question marks`);
  return written;
}

export function literal(value: Value | undefined): string {
  if (value === undefined || value === null) return "NULL";
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

function resultsOf(answer: string, count: number): Rows[] {
  const executed: unknown = JSON.parse(answer);
  if (!Array.isArray(executed) || executed.length !== count) {
    throw new SetupError(`wrangler did not answer ${count} results: ${answer.slice(0, 500)}`);
  }
  return executed.map(({ results }: { readonly results: Rows }) => results);
}

/** The database of that binding on Cloudflare; `flags` name the environment of the configuration. */
export function databaseOverWrangler(binding: string, flags: readonly string[]): D1Database {
  return remoteDatabase((sql) =>
    runWrangler(["d1", "execute", binding, ...flags, "--yes", "--json", "--command", sql]),
  );
}
