import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { everyRow } from "./rows.ts";

/** SQL sent without the product: only the triggers protect the books. */

const database = env.LEDGER_000;

/** All of them or none, as one batch. */
export async function run(...statements: readonly string[]): Promise<void> {
  await database.batch(statements.map((sql) => database.prepare(sql)));
}

/** With that complaint, and no row of any table is another. */
export async function expectRefused(text: string, ...statements: readonly string[]): Promise<void> {
  const before = await everyRow(database);
  await expect(run(...statements)).rejects.toThrow(text);
  expect(await everyRow(database)).toEqual(before);
}

/** A change by a person with the database in hand: triggers removed, rows changed, triggers restored. */

const TABLES = ["record", "invoice", "invoice_document", "invoice_link", "series"];

export async function tamper(...statements: readonly string[]): Promise<void> {
  const { results: triggers } = await env.LEDGER_000.prepare(
    `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (${TABLES.map(() => "?").join()})`,
  )
    .bind(...TABLES)
    .all<{ name: string; sql: string }>();
  const run = (sql: string) => env.LEDGER_000.prepare(sql);
  await env.LEDGER_000.batch([
    ...triggers.map(({ name }) => run(`DROP TRIGGER ${name}`)),
    ...statements.map(run),
    ...triggers.map(({ sql }) => run(sql)),
  ]);
}
