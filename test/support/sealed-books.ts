/** Thousands of genuine invoices, sealed and chained, written straight into the database of a shop. */
import { env } from "cloudflare:workers";
import { fullNumber } from "../../src/domain/billing/series.ts";
import { headOf } from "../../src/domain/verifactu/chain.ts";
import { linkTo, type RegistrationContent, recordId } from "../../src/domain/verifactu/record.ts";
import { seal } from "../../src/domain/verifactu/record-hash.ts";
import type { Shop } from "./shop.ts";

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
