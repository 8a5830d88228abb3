import { env } from "cloudflare:workers";
import { fullNumber } from "../../../src/domain/billing/series.ts";
import { headOf } from "../../../src/domain/verifactu/chain.ts";
import { linkTo, type RegistrationContent, recordId } from "../../../src/domain/verifactu/record.ts";
import { seal } from "../../../src/domain/verifactu/record-hash.ts";
import type { Shop } from "./shop.ts";

/** Thousands of invoices in the books of a shop, written straight into its database. */

/**
 * Fills the series of the last simplified invoice until there are `total` invoices in all, of its day,
 * chained, each with a document and a record. The alarm then has nothing to enter for them.
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

/** Thousands of genuine invoices, sealed and chained, written straight into the database of a shop. */

interface Last {
  readonly installation_id: string;
  readonly position: number;
  readonly hash: string;
  readonly content: string;
  readonly series: string;
  readonly number: number;
  readonly invoice_id: string;
}

const ROWS = 500;

/** Copies of the newest invoice, which must be the chain's last record, each with its own number and seal. */
export async function sealMore({ connectionId }: Shop, count: number): Promise<void> {
  const last = await env.LEDGER_000.prepare(
    `SELECT record.*, invoice.series, invoice.number FROM record JOIN invoice ON invoice.id = record.invoice_id
      WHERE record.connection_id = ? ORDER BY position DESC LIMIT 1`,
  )
    .bind(connectionId)
    .first<Last>();
  if (!last) throw new Error("the shop has issued something");
  const content: RegistrationContent = JSON.parse(last.content);
  let record = seal(content, last.position);
  for (let from = 1; from <= count; from += ROWS) {
    const rows: (string | number)[][] = [];
    for (let n = from; n < Math.min(from + ROWS, count + 1); n++) {
      const [position, number] = [last.position + n, last.number + n];
      const next: RegistrationContent = {
        ...content,
        reference: recordId(last.installation_id, position),
        key: { ...content.key, number: fullNumber(last.series, number) },
        chain: linkTo(headOf(record)),
      };
      const before = record.hash;
      record = seal(next, position);
      rows.push([position, number, next.key.number, before, record.hash, JSON.stringify(next)]);
    }
    await write(JSON.stringify(rows), last.invoice_id);
  }
}

async function write(rows: string, like: string): Promise<void> {
  const id = `old.id || '-' || (value ->> 1)`;
  const from = `FROM json_each(?1) CROSS JOIN invoice AS old ON old.id = ?2`;
  await env.LEDGER_000.batch(
    [
      `INSERT INTO invoice SELECT ${id}, old.account_id, old.connection_id, 'direct:sealed' || (value ->> 1),
        old.series, value ->> 1, value ->> 2, old.issue_date, old.invoice_type, old.total_eur,
        old.document_sha256, '' ${from} ORDER BY key`,
      `INSERT INTO invoice_document SELECT ${id}, document ${from} JOIN invoice_document ON invoice_id = old.id`,
      `INSERT INTO record SELECT installation_id, value ->> 0, old.connection_id, old.account_id,
        'direct:sealed' || (value ->> 1), ${id}, 'ALTA', value ->> 3, value ->> 4, value ->> 5, '', '',
        'pending_submission', NULL, NULL ${from} JOIN record ON record.connection_id = old.connection_id
        AND record.origin = old.origin ORDER BY key`,
    ].map((sql) => env.LEDGER_000.prepare(sql).bind(rows, like)),
  );
}
