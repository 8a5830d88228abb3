/** Thousands of invoices in the books of a shop, written straight into its database. */
import { env } from "cloudflare:workers";
import type { Shop } from "./shop.ts";

/**
 * Fills the series of the last simplified invoice until there are `total` invoices in all, of its day, chained, each
 * with a document and a record. As if the alarm had been there: it has nothing to enter of them.
 */
export async function fillUp(shop: Shop, total: number): Promise<void> {
  const { accountId, connectionId } = shop;
  const find = (sql: string) => env.LEDGER_000.prepare(sql).bind(connectionId).first<string | number>("v");
  const last = await env.LEDGER_000.prepare(
    `SELECT series, issue_date AS day FROM invoice WHERE connection_id = ? AND invoice_type = 'F2'
      ORDER BY rowid DESC LIMIT 1`,
  )
    .bind(connectionId)
    .first<{ readonly series: string; readonly day: string }>();
  if (!last) throw new Error("there is no simplified invoice to follow");
  const { series, day } = last;
  const installation = await find("SELECT id AS v FROM installation WHERE connection_id = ?");
  const stored = Number(await find("SELECT count(*) AS v FROM invoice WHERE connection_id = ?"));
  const position = Number(await find("SELECT max(position) AS v FROM record WHERE connection_id = ?"));
  const inSeries = Number(
    await find(`SELECT count(*) AS v FROM invoice WHERE series = '${series}' AND connection_id = ?`),
  );
  const count = total - stored;
  const numbers = `WITH RECURSIVE counted(n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})`;
  const number = `n + ${inSeries}`;
  const id = `'in000' || printf('%016d', ${number})`;
  const hash = `printf('%064X', n + ${position})`;
  const newest = `FROM record WHERE connection_id = '${connectionId}' AND position = ${position}`;
  const content = `(SELECT content ${newest})`;
  await env.LEDGER_000.batch(
    [
      `${numbers} INSERT INTO invoice SELECT ${id}, '${accountId}', '${connectionId}', 'direct:n' || (${number}),
        '${series}', ${number}, '${series}-' || printf('%06d', ${number}), '${day}', 'F2', '12.10', '', ''
        FROM counted`,
      `${numbers} INSERT INTO invoice_document SELECT ${id}, '{}' FROM counted`,
      `${numbers} INSERT INTO record SELECT '${installation}', n + ${position}, '${connectionId}', '${accountId}',
        'direct:n' || (${number}), ${id}, 'ALTA',
        CASE n WHEN 1 THEN (SELECT hash ${newest}) ELSE printf('%064X', n + ${position} - 1) END,
        ${hash}, ${content}, '', '', 'pending_submission', NULL, NULL FROM counted`,
      `INSERT INTO entry_cursor SELECT '${installation}', max(position) FROM record
        WHERE installation_id = '${installation}' ON CONFLICT DO UPDATE SET position = excluded.position`,
    ].map((sql) => env.LEDGER_000.prepare(sql)),
  );
}

/** Copies of a stored order, with its body, until there are `total` of that state more. */
export async function fillUpOrders(
  { connectionId }: Shop,
  change: {
    readonly of: string;
    readonly named: string;
    readonly total: number;
    readonly set?: Readonly<Record<string, string>>;
  },
): Promise<void> {
  const { of, named, total, set = {} } = change;
  const stored = await env.LEDGER_000.prepare(
    "SELECT count(*) AS v FROM shop_order WHERE connection_id = ? AND id_external >= ? AND id_external < ?",
  )
    .bind(connectionId, `${named}-`, `${named}.`)
    .first<number>("v");
  const counted = `WITH RECURSIVE counted(n) AS (SELECT ${(stored ?? 0) + 1}
    UNION ALL SELECT n + 1 FROM counted WHERE n < ${total})`;
  const id = `'${named}-' || printf('%08d', n)`;
  const { results } = await env.LEDGER_000.prepare("SELECT name FROM pragma_table_info('shop_order')").all<{
    name: string;
  }>();
  const replaced: Readonly<Record<string, string>> = { id_external: id, ...set };
  const columns = results.map(({ name }) => replaced[name] ?? name);
  const one = `FROM counted CROSS JOIN (SELECT * FROM TABLE
    WHERE connection_id = '${connectionId}' AND id_external = '${of}')`;
  await env.LEDGER_000.batch(
    [
      `${counted} INSERT INTO shop_order SELECT ${columns.join(", ")} ${one.replace("TABLE", "shop_order")}`,
      `${counted} INSERT INTO shop_order_sent SELECT connection_id, ${id}, sent
        ${one.replace("TABLE", "shop_order_sent")}`,
    ].map((sql) => env.LEDGER_000.prepare(sql)),
  );
}
