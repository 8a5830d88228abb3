/** What somebody with the database in hand could do to it: triggers away, rows changed, triggers back. */
import { env } from "cloudflare:workers";

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
