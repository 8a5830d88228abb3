import { type SQL, sql } from "drizzle-orm";
import { directOrigin } from "../domain/invoice/origin.ts";
import type { NewInvoice, NewRecord } from "../usecases/ports.ts";
import type { Database } from "./database.ts";
import type { FencedStatement } from "./fence.ts";
import { invoice, invoiceDocument, invoiceLink, record, series } from "./schema/ledger.ts";

export interface Owner {
  readonly accountId: string;
  readonly connectionId: string;
  readonly installationId: string;
}

/** D1 takes 2,000,000 bytes a parameter; ours stay well below, because the local one checks nothing. */
const PARAMETER_LIMIT_BYTES = 1_800_000;

type Row = readonly (string | number)[];

export function insertSeries(db: Database, owner: Owner, codes: readonly string[]): FencedStatement[] {
  return rowStatements(codes.map((code) => [code])).map((rows) =>
    db.run(sql`
      INSERT INTO ${series} (account_id, code, connection_id, installation_id)
      SELECT ${owner.accountId}, value ->> 0, ${owner.connectionId}, ${owner.installationId}
      FROM json_each(${rows}) ORDER BY key`),
  );
}

export function insertInvoices(db: Database, owner: Owner, invoices: readonly NewInvoice[]): FencedStatement[] {
  const rows = invoices.map(({ view, totalEur, documentSha256 }) => [
    view.invoiceId,
    directOrigin(view.externalId),
    view.series,
    view.number,
    view.fullNumber,
    view.issueDate,
    view.document.request.invoiceType,
    totalEur,
    documentSha256,
    view.requestId,
  ]);
  return rowStatements(rows).map((json) =>
    db.run(sql`
      INSERT INTO ${invoice} (id, origin, series, number, full_number, issue_date, invoice_type, total_eur,
        document_sha256, request_id, account_id, connection_id)
      SELECT ${columns(10)}, ${owner.accountId}, ${owner.connectionId} FROM json_each(${json}) ORDER BY key`),
  );
}

export function insertDocuments(db: Database, invoices: readonly NewInvoice[]): FencedStatement[] {
  return rowStatements(invoices.map(({ view, document }) => [view.invoiceId, document])).map((json) =>
    db.run(sql`
      INSERT INTO ${invoiceDocument} (invoice_id, document)
      SELECT ${columns(2)} FROM json_each(${json}) ORDER BY key`),
  );
}

export function insertLinks(db: Database, invoices: readonly NewInvoice[]): FencedStatement[] {
  const rows = invoices.flatMap(({ view, links }) =>
    links.map((link) => [view.invoiceId, link.targetId, link.kind, JSON.stringify(link.taken)]),
  );
  return rowStatements(rows).map((json) =>
    db.run(sql`
      INSERT INTO ${invoiceLink} (invoice_id, target_id, kind, taken)
      SELECT ${columns(4)} FROM json_each(${json}) ORDER BY key`),
  );
}

export function insertRecords(db: Database, owner: Owner, records: readonly NewRecord[]): FencedStatement[] {
  const rows = records.map(({ invoiceId, origin, stored, reason }) => {
    const { content, position, hash } = stored.record;
    const previousHash = content.chain.first ? "" : content.chain.hash;
    return [position, origin, invoiceId, content.kind, previousHash, hash, JSON.stringify(content), reason, stored.requestId];
  });
  return rowStatements(rows).map((json) =>
    db.run(sql`
      INSERT INTO ${record} (position, origin, invoice_id, kind, previous_hash, hash, content, reason, request_id,
        installation_id, connection_id, account_id)
      SELECT ${columns(9)}, ${owner.installationId}, ${owner.connectionId}, ${owner.accountId}
      FROM json_each(${json}) ORDER BY key`),
  );
}

/** Rows as JSON arrays, split so that no parameter outgrows its limit. One row alone may be as large as D1 allows. */
function rowStatements(rows: readonly Row[]): string[] {
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

function columns(count: number): SQL {
  return sql.raw(Array.from({ length: count }, (_, index) => `value ->> ${index}`).join(", "));
}

const encoder = new TextEncoder();

function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}
