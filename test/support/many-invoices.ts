/** Thousands of invoices in the books of a shop, written straight into its database. */
import { env } from "cloudflare:workers";
import type { Shop } from "./shop.ts";

const SERIES = "API-1S-2026";

/** Fills one series until there are `total` invoices in all, chained, each with a document and a record. */
export async function fillUp(shop: Shop, total: number): Promise<void> {
  const { accountId, connectionId } = shop;
  const find = (sql: string) => env.LEDGER_000.prepare(sql).bind(connectionId).first<string | number>("v");
  const installation = await find("SELECT id AS v FROM installation WHERE connection_id = ?");
  const stored = Number(await find("SELECT count(*) AS v FROM invoice WHERE connection_id = ?"));
  const position = Number(await find("SELECT max(position) AS v FROM record WHERE connection_id = ?"));
  const inSeries = Number(
    await find(`SELECT count(*) AS v FROM invoice WHERE series = '${SERIES}' AND connection_id = ?`),
  );
  const count = total - stored;
  const numbers = `WITH RECURSIVE counted(n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})`;
  const number = `n + ${inSeries}`;
  const id = `'in000' || printf('%016d', ${number})`;
  const hash = `printf('%064X', n + ${position})`;
  const last = `FROM record WHERE connection_id = '${connectionId}' AND position = ${position}`;
  const content = `(SELECT content ${last})`;
  await env.LEDGER_000.batch(
    [
      `${numbers} INSERT INTO invoice SELECT ${id}, '${accountId}', '${connectionId}', 'direct:n' || (${number}),
        '${SERIES}', ${number}, '${SERIES}-' || printf('%06d', ${number}), '2026-11-28', 'F2', '12.10', '', ''
        FROM counted`,
      `${numbers} INSERT INTO invoice_document SELECT ${id}, '{}' FROM counted`,
      `${numbers} INSERT INTO record SELECT '${installation}', n + ${position}, '${connectionId}', '${accountId}',
        'direct:n' || (${number}), ${id}, 'ALTA',
        CASE n WHEN 1 THEN (SELECT hash ${last}) ELSE printf('%064X', n + ${position} - 1) END,
        ${hash}, ${content}, '', '', 'pending_submission' FROM counted`,
    ].map((sql) => env.LEDGER_000.prepare(sql)),
  );
}
