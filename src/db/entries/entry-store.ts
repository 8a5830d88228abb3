import { type SQL, sql } from "drizzle-orm";
import type { Rectified } from "../../domain/invoice/document.ts";
import {
  centsOf,
  type EntryAmounts,
  effectOf,
  type SearchableInvoice,
} from "../../domain/invoice/invoice-entry.ts";
import { externalIdOf } from "../../domain/invoice/origin.ts";
import type { InvoiceType } from "../../domain/invoice/request.ts";
import { ZERO } from "../../domain/shared/decimal.ts";
import { type Instant, instantOf } from "../../domain/shared/instant.ts";
import { fromOwnJson, type PlainReads, plainReads, rowParameters, written } from "../database.ts";
import { orderOfOrigin } from "../orders/order-reads.ts";
import { entryCursor, invoiceEntry } from "../schema/invoice-entry.ts";
import { account, connection, installation, invoice, invoiceDocument, record } from "../schema/ledger.ts";
import { shopOrder } from "../schema/orders.ts";

/** A record of the connection that has no part in the entries yet. */
type PassedRecord = IssuedRecord | CorrectingRecord;

interface InChain {
  readonly installationId: string;
  readonly position: number;
  readonly invoiceId: string;
}

/** The record with which its invoice was issued. */
export interface IssuedRecord extends InChain {
  readonly of: "issue";
  readonly accountId: string;
  readonly connectionOrdinal: number;
  readonly installationOrdinal: number;
  readonly issuedAt: Instant;
  readonly issueDate: string;
  readonly series: string;
  readonly number: number;
  readonly fullNumber: string;
  readonly rectifying: boolean;
  readonly replacing: boolean;
  readonly amounts: EntryAmounts;
  /** The amounts that the sums add for this invoice; absent if they add its own. */
  readonly effect?: EntryAmounts;
  /** A test is no invoice: sums exclude it. */
  readonly test: boolean;
  readonly externalId?: string;
  readonly orderId?: string;
  readonly orderReference?: string;
  readonly orderCustomer?: string;
  readonly taxNumber?: string;
  readonly customer?: string;
}

/** A record that amends or annuls an earlier one of its invoice. */
export interface CorrectingRecord extends InChain {
  readonly of: "correction";
  readonly cancels: boolean;
}

export interface EntryPage {
  /** In the order of the chains, and in each in its own. */
  readonly records: readonly PassedRecord[];
  /** The cursor of each chain among them. */
  readonly from: ReadonlyMap<string, number>;
}

/** Entries of some records of one chain, and the step of its cursor over them. */
export interface EntryWrite {
  readonly installationId: string;
  /** The write happens only if the cursor is still here. */
  readonly from: number;
  readonly to: number;
  readonly entries: readonly NewEntry[];
  readonly corrections: readonly CorrectingRecord[];
}

export interface NewEntry extends InChain {
  readonly accountId: string;
  readonly place: string;
  readonly series: string;
  readonly rectifying: boolean;
  readonly replacing: boolean;
  readonly amounts: EntryAmounts;
  readonly effect?: EntryAmounts;
  /** A test is no invoice: sums exclude it. */
  readonly test: boolean;
  readonly orderCustomer?: string;
  readonly words: readonly string[];
}

/**
 * Entries of one connection's invoices, outside the books and their fence. Every method is one D1 round trip.
 */
export interface EntryStore {
  /** The oldest records after the cursors; none of a frozen account. */
  readPage(limit: number): Promise<EntryPage>;
  write(writes: readonly EntryWrite[]): Promise<void>;
}

/** Entries of the invoices of one connection; see `schema/invoice-entry.ts`. */
export function entryStore(binding: D1Database, connectionId: string): EntryStore {
  const reads = plainReads(binding);
  return {
    readPage: async (limit) => pageOf(await reads.rows<PassedRow>(selectPassed(connectionId, limit))),
    write: (writes) => write(reads, connectionId, writes),
  };
}

interface PassedRow extends SearchedRow {
  readonly installation_id: string;
  readonly position: number;
  readonly cursor: number;
  readonly kind: string;
  readonly invoice_id: string;
  readonly is_issue: number;
  readonly generated_at: string;
  readonly account_id: string;
  readonly connection_ordinal: number;
  readonly installation_ordinal: number;
  readonly series: string;
  readonly issue_date: string;
  readonly invoice_type: InvoiceType;
  readonly totals_eur: string | null;
  readonly rectified: string | null;
  readonly test: number | null;
}

/** Chain by chain: a correction never comes before its invoice. */
function selectPassed(connectionId: string, limit: number): SQL {
  return sql`SELECT ${record.installationId} AS installation_id, ${record.position} AS position,
      coalesce(${entryCursor.position}, 0) AS cursor, ${record.kind} AS kind,
      ${record.invoiceId} AS invoice_id, ${record.origin} = ${invoice.origin} AS is_issue,
      ${record.content} ->> '$.generatedAt' AS generated_at, ${record.accountId} AS account_id,
      ${connection.ordinal} AS connection_ordinal, ${installation.ordinal} AS installation_ordinal,
      ${invoice.series} AS series, ${invoice.issueDate} AS issue_date,
      ${invoice.invoiceType} AS invoice_type, ${invoiceDocument.document} -> '$.totalsEur' AS totals_eur,
      ${invoiceDocument.document} -> '$.rectified' AS rectified,
      ${invoiceDocument.document} ->> '$.test' AS test,
      ${searchedColumns()}
    FROM ${connection} CROSS JOIN ${installation} ON ${installation.connectionId} = ${connection.id}
    LEFT JOIN ${entryCursor} ON ${entryCursor.installationId} = ${installation.id}
    CROSS JOIN ${record} ON ${record.installationId} = ${installation.id}
      AND ${record.position} > coalesce(${entryCursor.position}, 0)
    JOIN ${invoice} ON ${invoice.id} = ${record.invoiceId}
    JOIN ${invoiceDocument} ON ${invoiceDocument.invoiceId} = ${invoice.id}
    WHERE ${connection.id} = ${connectionId}
      AND (SELECT ${account.frozen} FROM ${account} WHERE ${account.id} = ${connection.accountId}) = 0
    ORDER BY ${installation.ordinal}, ${record.position} LIMIT ${limit}`;
}

/** An unreadable document must not block the others; verification reports it. */
const NO_AMOUNTS = { base: ZERO, tax: ZERO, total: ZERO };

function pageOf(rows: readonly PassedRow[]): EntryPage {
  return {
    records: rows.map(passedRecord),
    from: new Map(rows.map(({ installation_id: id, cursor }) => [id, cursor])),
  };
}

function passedRecord(row: PassedRow): PassedRecord {
  const { installation_id: installationId, position, invoice_id: invoiceId } = row;
  const at = { installationId, position, invoiceId };
  if (row.is_issue === 0) return { of: "correction", ...at, cancels: row.kind === "ANULACION" };
  return {
    of: "issue",
    ...at,
    ...searchableInvoice(row),
    accountId: row.account_id,
    connectionOrdinal: row.connection_ordinal,
    installationOrdinal: row.installation_ordinal,
    issuedAt: instantOf(row.generated_at),
    issueDate: row.issue_date,
    series: row.series,
    rectifying: row.invoice_type.startsWith("R"),
    replacing: row.invoice_type === "F3",
    ...statedAmounts(row),
    test: row.test === 1,
  };
}

interface AmountsRow {
  readonly invoice_type: InvoiceType;
  readonly totals_eur: string | null;
  readonly rectified: string | null;
}

/** Amounts of an invoice, and what the sums count of it if that is something else. */
export function statedAmounts(row: AmountsRow): Pick<IssuedRecord, "amounts" | "effect"> {
  const amounts = row.totals_eur === null ? NO_AMOUNTS : centsOf(fromOwnJson(row.totals_eur));
  const rectified = row.rectified === null ? undefined : fromOwnJson<Rectified>(row.rectified);
  const effect = effectOf(row.invoice_type, amounts, rectified);
  return { amounts, ...(effect === undefined ? {} : { effect }) };
}

async function write(reads: PlainReads, connectionId: string, writes: readonly EntryWrite[]): Promise<void> {
  const statements = writes.flatMap((one) => statementsOf(connectionId, one));
  await reads.batch(statements.map(written));
}

/** The cursor moves last: until then every statement of the batch sees its old place. */
function statementsOf(connectionId: string, one: EntryWrite): SQL[] {
  const condition = isAtCursor(connectionId, one);
  return [
    ...insertEntries(connectionId, one.entries, condition),
    ...insertWords(one.entries, condition),
    ...updateCorrected(connectionId, one, condition),
    sql`INSERT INTO ${entryCursor} SELECT ${one.installationId}, ${one.to} WHERE ${condition}
      ON CONFLICT (${sql.identifier(entryCursor.installationId.name)})
      DO UPDATE SET position = excluded.position`,
  ];
}

/** For this connection, at the place that was read, and only if the account is not frozen now. */
function isAtCursor(connectionId: string, { installationId, from }: EntryWrite): SQL {
  return sql`EXISTS (SELECT 1 FROM ${installation}
      JOIN ${account} ON ${account.id} = ${installation.accountId}
      WHERE ${installation.id} = ${installationId} AND ${installation.connectionId} = ${connectionId}
        AND ${account.frozen} = 0)
    AND coalesce((SELECT ${entryCursor.position} FROM ${entryCursor}
      WHERE ${entryCursor.installationId} = ${installationId}), 0) = ${from}`;
}

/** The state is that of the moment of writing: from then on a trigger keeps it. */
function insertEntries(connectionId: string, entries: readonly NewEntry[], condition: SQL): SQL[] {
  const rows = entries.map(({ accountId, invoiceId, place, series, rectifying, amounts, ...at }) => [
    ...[
      accountId,
      connectionId,
      invoiceId,
      place,
      series,
      rectifying ? 1 : 0,
      at.installationId,
      at.position,
    ],
    ...[amounts.base, amounts.tax, amounts.total, at.test ? 1 : 0, at.replacing ? 1 : 0],
    ...[at.effect?.base ?? null, at.effect?.tax ?? null, at.effect?.total ?? null],
    at.orderCustomer ?? null,
  ]);
  const member = (index: number) => sql.raw(`json_each.value ->> ${index}`);
  const cents = (index: number) => sql`CAST(${member(index)} AS INTEGER)`;
  return rowParameters(rows).map(
    (json) => sql`INSERT INTO ${invoiceEntry} SELECT NULL, ${member(0)}, ${member(1)}, ${member(2)},
        ${member(3)}, ${member(4)}, ${member(5)}, 0, ${stateAt(member(6), member(7))}, ${member(6)},
          ${member(7)},
        ${cents(8)}, ${cents(9)}, ${cents(10)}, ${member(11)}, ${member(12)},
        ${cents(13)}, ${cents(14)}, ${cents(15)}, ${member(16)}
      FROM json_each(${json}) WHERE ${condition} ORDER BY json_each.key`,
  );
}

function stateAt(installationId: SQL, position: SQL): SQL {
  return sql`(SELECT ${record.state} FROM ${record}
    WHERE ${record.installationId} = ${installationId} AND ${record.position} = ${position})`;
}

/** Each word is prefixed with the id of its account. */
function insertWords(entries: readonly NewEntry[], condition: SQL): SQL[] {
  const rows = entries.map(({ invoiceId, accountId, words }) => [
    invoiceId,
    words.map((word) => accountId + word).join(" "),
  ]);
  return rowParameters(rows).map(
    (json) => sql`INSERT INTO invoice_search (rowid, words)
      SELECT ${invoiceEntry.id}, json_each.value ->> 1 FROM json_each(${json})
      CROSS JOIN ${invoiceEntry} ON ${invoiceEntry.invoiceId} = json_each.value ->> 0
      WHERE ${condition} ORDER BY ${invoiceEntry.id}`,
  );
}

function updateCorrected(connectionId: string, { corrections }: EntryWrite, condition: SQL): SQL[] {
  const rows = corrections.map(({ invoiceId, installationId, position, cancels }) => [
    ...[invoiceId, installationId, position, cancels ? 1 : 0],
  ]);
  const member = (index: number) => sql.raw(`json_each.value ->> ${index}`);
  const column = (of: { readonly name: string }) => sql.identifier(of.name);
  return rowParameters(rows).map(
    (json) => sql`UPDATE ${invoiceEntry} SET ${column(invoiceEntry.installationId)} = ${member(1)},
        ${column(invoiceEntry.position)} = ${member(2)},
        ${column(invoiceEntry.cancelled)} = max(${invoiceEntry.cancelled}, ${member(3)}),
        ${column(invoiceEntry.state)} = ${stateAt(member(1), member(2))}
      FROM json_each(${json}) WHERE ${invoiceEntry.invoiceId} = json_each.value ->> 0
        AND ${invoiceEntry.connectionId} = ${connectionId} AND ${condition}`,
  );
}

/** The searchable columns of an invoice, from `invoice` joined to its document. */
export function searchedColumns(): SQL {
  const orderId = orderOfOrigin(invoice.origin);
  return sql`${invoice.number} AS number, ${invoice.fullNumber} AS full_number, ${invoice.origin} AS origin,
    ${invoiceDocument.document} ->> '$.request.recipient.vatNumber' AS tax_number,
    ${invoiceDocument.document} ->> '$.request.recipient.company' AS customer, ${orderId} AS order_id,
    ${namesOfOrder(orderId)} AS order_names`;
}

/** Reference and customer of the order of an invoice, in one row read. */
export function namesOfOrder(orderId: SQL): SQL {
  const fact = (path: string) => sql`${shopOrder.facts} ->> ${sql.raw(`'$.${path}'`)}`;
  return sql`(SELECT json_array(${fact("reference")}, ${fact("client.company")}, ${fact("client.firstName")},
      ${fact("client.lastName")}) FROM ${shopOrder} WHERE ${shopOrder.connectionId} = ${invoice.connectionId}
        AND ${shopOrder.idExternal} = ${orderId})`;
}

/** Undefined where there is no order any more, or where it has none. */
export function orderNames(json: string | null): Pick<SearchableInvoice, "orderReference" | "orderCustomer"> {
  if (json === null) return {};
  const [reference, company, first, last] = fromOwnJson<readonly (string | null)[]>(json);
  const customer = (company ?? "").trim() || `${first ?? ""} ${last ?? ""}`.trim();
  return {
    ...(reference ? { orderReference: reference } : {}),
    ...(customer === "" ? {} : { orderCustomer: customer }),
  };
}

export interface SearchedRow {
  readonly number: number;
  readonly full_number: string;
  readonly origin: string;
  readonly tax_number: string | null;
  readonly customer: string | null;
  readonly order_id: string | null;
  readonly order_names: string | null;
}

export function searchableInvoice(row: SearchedRow): SearchableInvoice {
  const externalId = externalIdOf(row.origin);
  return {
    number: row.number,
    fullNumber: row.full_number,
    ...(externalId === "" ? {} : { externalId }),
    ...(row.order_id === null ? {} : { orderId: row.order_id }),
    ...orderNames(row.order_names),
    ...(row.tax_number === null ? {} : { taxNumber: row.tax_number }),
    ...(row.customer === null ? {} : { customer: row.customer }),
  };
}
