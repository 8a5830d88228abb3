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

/** From here on a document is a parameter of its own: in JSON its quotes would be escaped a second time. */
const LARGE_DOCUMENT_BYTES = 500_000;

type Row = readonly (string | number)[];

/** Values of a row in the order of its table's columns, which an INSERT from a SELECT follows. */
export function insertSeries(db: Database, owner: Owner, codes: readonly string[]): FencedStatement[] {
  const { accountId, connectionId, installationId } = owner;
  const rows = codes.map((code) => [accountId, code, connectionId, installationId]);
  return rowParameters(rows).map((json) => db.insert(series).select(rowsOf(json, 4)));
}

export function insertInvoices(
  db: Database,
  owner: Owner,
  invoices: readonly NewInvoice[],
): FencedStatement[] {
  const rows = invoices.map(({ view, totalEur, documentSha256 }) => [
    view.invoiceId,
    owner.accountId,
    owner.connectionId,
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
  return rowParameters(rows).map((json) => db.insert(invoice).select(rowsOf(json, 12)));
}

export function insertDocuments(db: Database, invoices: readonly NewInvoice[]): FencedStatement[] {
  const isLarge = ({ document }: NewInvoice) => utf8Bytes(document) >= LARGE_DOCUMENT_BYTES;
  const rows = invoices
    .filter((one) => !isLarge(one))
    .map(({ view, document }) => [view.invoiceId, document]);
  const alone = invoices
    .filter(isLarge)
    .map(({ view, document }) => db.insert(invoiceDocument).values({ invoiceId: view.invoiceId, document }));
  return [...rowParameters(rows).map((json) => db.insert(invoiceDocument).select(rowsOf(json, 2))), ...alone];
}

export function insertLinks(db: Database, invoices: readonly NewInvoice[]): FencedStatement[] {
  const rows = invoices.flatMap(({ view, links }) =>
    links.map((link) => [view.invoiceId, link.targetId, link.kind, JSON.stringify(link.taken)]),
  );
  return rowParameters(rows).map((json) => db.insert(invoiceLink).select(rowsOf(json, 4)));
}

export function insertRecords(db: Database, owner: Owner, records: readonly NewRecord[]): FencedStatement[] {
  const rows = records.map(({ invoiceId, origin, stored, reason }) => {
    const { content, position, hash } = stored.record;
    return [
      owner.installationId,
      position,
      owner.connectionId,
      owner.accountId,
      origin,
      invoiceId,
      content.kind,
      content.chain.first ? "" : content.chain.hash,
      hash,
      JSON.stringify(content),
      reason,
      stored.requestId,
      stored.state,
    ];
  });
  return rowParameters(rows).map((json) => db.insert(record).select(rowsOf(json, 13)));
}

/** Rows as JSON arrays, split so that no parameter outgrows its limit; no row can do so alone. */
function rowParameters(rows: readonly Row[]): string[] {
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

/** All rows of a parameter in their order: one parameter for any number of rows (D1 takes 100 parameters). */
function rowsOf(json: string, columnCount: number): SQL {
  const columns = Array.from({ length: columnCount }, (_, index) => `value ->> ${index}`);
  return sql`SELECT ${sql.raw(columns.join(", "))} FROM json_each(${json}) ORDER BY key`;
}

const encoder = new TextEncoder();

function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}
