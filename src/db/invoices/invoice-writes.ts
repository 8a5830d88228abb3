import type { Database } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import { rowParameters, rowSelects, rowsOf } from "../json-rows.ts";
import type { NewInvoice, NewRecord } from "../ledger-state.ts";
import { invoice, invoiceDocument, invoiceLink, record, series } from "../schema/ledger.ts";

export interface Owner {
  readonly accountId: string;
  readonly connectionId: string;
  readonly installationId: string;
}

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
    view.origin,
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
  const rows = invoices.map(({ view, document }) => [view.invoiceId, document]);
  return rowSelects(rows).map((select) => db.insert(invoiceDocument).select(select));
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
      null,
      null,
    ];
  });
  return rowParameters(rows).map((json) => db.insert(record).select(rowsOf(json, 15)));
}
