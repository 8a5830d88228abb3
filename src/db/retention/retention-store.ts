import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { OPERATOR } from "../../domain/connection/activity-areas.ts";
import type { SearchableInvoice } from "../../domain/invoice/invoice-entry.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import {
  type Database,
  databaseOn,
  type PlainReads,
  plainReads,
  rowsAs,
  type Written,
  written,
} from "../database.ts";
import { type SearchedRow, searchableInvoice, searchedColumns } from "../entries/entry-store.ts";
import { maskAddresses } from "../mailing/mailing-writes.ts";
import { eraseOrders, isAmong, orderOfOrigin } from "../orders/order-reads.ts";
import { invoiceDraft } from "../schema/drafts.ts";
import { entryCursor, invoiceEntry } from "../schema/invoice-entry.ts";
import {
  account,
  connection,
  invoice,
  invoiceDocument,
  invoiceLink,
  record,
  series,
} from "../schema/ledger.ts";
import { shopOrder } from "../schema/orders.ts";
import { chainStart, retentionRun, spentOrigin } from "../schema/retention.ts";
import { auditLog, shopClient } from "../schema/shop.ts";
import { shopDelivery, shopDroppedBody } from "../schema/shops.ts";
import { submissionAttempt } from "../schema/submission.ts";

/** Years that are retired from a ledger; see `schema/retention.ts`. */
export function retentionStore(binding: D1Database): RetentionStore {
  const reads = plainReads(binding);
  const db = databaseOn(binding);
  return {
    readOpen: () => reads.rows<OpenRun>(selectOpen()),
    async readInvoices(run, limit) {
      return (await reads.rows<RetiringRow>(selectInvoices(run, limit))).map(retiringInvoice);
    },
    async hasInvoices(run) {
      return (await reads.rows(sql`SELECT 1 ${invoicesOf(run)} LIMIT 1`)).length > 0;
    },
    readWords: (searched) => readWords(reads, searched),
    async leaveInvoices(run, invoices, at) {
      await reads.batch(invoiceStatements(db, run, { invoices, at }));
    },
    leaveRecords: (run, limit) =>
      leave(reads, run, { from: record, counted: "records" }, recordsOf(run, limit)),
    readAttempts: (run, limit) =>
      reads.rows(sql`SELECT ${submissionAttempt.id} AS id, ${submissionAttempt.accountId} AS "accountId",
        ${submissionAttempt.installationId} AS "installationId" ${attemptsOf(run)} LIMIT ${limit}`),
    async leaveAttempts(run, ids) {
      const these = sql`SELECT value FROM json_each(${JSON.stringify(ids)})`;
      const rows = sql`SELECT ${submissionAttempt}.rowid FROM ${submissionAttempt}
        WHERE ${submissionAttempt.id} IN (${these})`;
      await leave(reads, run, { from: submissionAttempt, counted: "attempts" }, rows);
    },
    leaveAuditLines(run, limit) {
      const rows = sql`SELECT ${auditLog}.rowid ${auditLinesOf(run)} LIMIT ${limit}`;
      return leave(reads, run, { from: auditLog, counted: "auditLines" }, rows);
    },
    async end(run, at) {
      await reads.batch(endStatements(db, run, at));
    },
  };
}

function selectOpen(): SQL {
  return sql`SELECT ${retentionRun.id} AS id, ${retentionRun.accountId} AS "accountId",
      ${retentionRun.year} AS year
    FROM ${retentionRun} JOIN ${account} ON ${account.id} = ${retentionRun.accountId}
    WHERE ${retentionRun.endedAt} IS NULL AND ${account.frozen} = 0`;
}

interface RetiringRow extends SearchedRow {
  readonly id: string;
  readonly indexed_customer: string | null;
  readonly description: string | null;
}

function selectInvoices(run: OpenRun, limit: number): SQL {
  const documents = sql`LEFT JOIN ${invoiceDocument} ON ${invoiceDocument.invoiceId} = ${invoice.id}`;
  return sql`SELECT ${invoice.id} AS id, ${searchedColumns()},
      ${invoiceDocument.document} ->> '$.request.description' AS description,
      (SELECT ${invoiceEntry.orderCustomer} FROM ${invoiceEntry}
        WHERE ${invoiceEntry.invoiceId} = ${invoice.id}) AS indexed_customer
    ${invoicesOf(run, documents)} AND NOT ${isBeingCorrected()} LIMIT ${limit}`;
}

/** A correction of it is on its way to the authority, or to the lists: both read the invoice for that. */
function isBeingCorrected(): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each('["amend:","cancel:"]') AS sort CROSS JOIN ${record}
    ON ${record.connectionId} = ${invoice.connectionId}
      AND ${record.origin} >= sort.value || ${invoice.id} || ':'
      AND ${record.origin} < sort.value || ${invoice.id} || ';'
    WHERE ${record.state} IN ('pending_submission', 'submitted')
      OR ${record.position} > coalesce((SELECT ${entryCursor.position} FROM ${entryCursor}
        WHERE ${entryCursor.installationId} = ${record.installationId}), 0))`;
}

function retiringInvoice(row: RetiringRow): RetiringInvoice {
  const { id: invoiceId, description, indexed_customer: customer } = row;
  return {
    invoiceId,
    ...searchableInvoice(row),
    ...(customer === null ? {} : { orderCustomer: customer }),
    ...(description === null ? {} : { description }),
  };
}

/** The words contain letters and digits only. */
async function readWords(reads: PlainReads, searched: readonly SearchedBy[]): Promise<readonly SearchedBy[]> {
  const rows = await reads.rows<{ readonly invoice_id: string; readonly word: string }>(
    sql`SELECT ${invoiceEntry.invoiceId} AS invoice_id, word.value AS word
      FROM json_each(${wordRows(searched)}) AS sought
      CROSS JOIN ${invoiceEntry} ON ${invoiceEntry.invoiceId} = sought.value ->> 0
      CROSS JOIN json_each(sought.value, '$[1]') AS word
      WHERE EXISTS (SELECT 1 FROM invoice_search
        WHERE invoice_search MATCH '"' || word.value || '"' AND rowid = ${invoiceEntry.id})`,
  );
  const found = Map.groupBy(rows, (row) => row.invoice_id);
  return [...found].map(([invoiceId, ofInvoice]) => ({
    invoiceId,
    words: ofInvoice.map(({ word }) => word),
  }));
}

function wordRows(searched: readonly SearchedBy[]): string {
  return JSON.stringify(searched.map(({ invoiceId, words }) => [invoiceId, words]));
}

/** The traces of the invoices are written before they are deleted, and dependent rows go first. */
function invoiceStatements(
  db: Database,
  run: OpenRun,
  { invoices, at }: { readonly invoices: readonly SearchedBy[]; readonly at: Instant },
): Written[] {
  const ids = JSON.stringify(invoices.map(({ invoiceId }) => invoiceId));
  const these = sql`(SELECT value FROM json_each(${ids}))`;
  const orders = sql`SELECT DISTINCT connection_id, id_external FROM (SELECT
      ${invoice.connectionId} AS connection_id, ${orderOfOrigin(invoice.origin)} AS id_external
    FROM ${invoice} WHERE ${invoice.id} IN ${these}) WHERE id_external IS NOT NULL`;
  const before = [
    forgetWords(invoices),
    sql`DELETE FROM ${invoiceEntry} WHERE ${invoiceEntry.invoiceId} IN ${these}`,
    sql`INSERT INTO ${spentOrigin} SELECT ${invoice.connectionId}, ${invoice.origin}, ${run.id}
      FROM ${invoice} WHERE ${invoice.id} IN ${these}
        AND ${invoice.origin} >= 'direct:' AND ${invoice.origin} < 'direct;'`,
    count(run, "orders", sql`SELECT 1 FROM ${shopOrder} WHERE ${isAmong(shopOrder, orders)}`),
  ];
  const after = [
    sql`DELETE FROM ${invoiceLink} WHERE ${invoiceLink.targetId} IN ${these}`,
    sql`DELETE FROM ${invoiceLink} WHERE ${invoiceLink.invoiceId} IN ${these}`,
    count(run, "invoices", sql`SELECT 1 FROM ${invoice} WHERE ${invoice.id} IN ${these}`),
    sql`DELETE FROM ${invoiceDocument} WHERE ${invoiceDocument.invoiceId} IN ${these}`,
    sql`DELETE FROM ${invoice} WHERE ${invoice.id} IN ${these}`,
  ];
  const masked = maskAddresses(db, sql`SELECT value AS id FROM json_each(${ids})`, {
    because: "invoice_retired",
    at,
  });
  const erased = eraseOrders(db, orders, { because: "retention", at }).map((statement) => statement.toSQL());
  return [...before.map(written), ...erased, masked.toSQL(), ...after.map(written)];
}

/**
 * In the form that the full-text table needs, which stores no text itself. An invoice without an entry was
 * retired.
 */
function forgetWords(invoices: readonly SearchedBy[]): SQL {
  const rows = JSON.stringify(
    invoices.flatMap(({ invoiceId, words }) => (words.length > 0 ? [[invoiceId, words.join(" ")]] : [])),
  );
  return sql`INSERT INTO invoice_search (invoice_search, rowid, words)
    SELECT 'delete', ${invoiceEntry.id}, found.value ->> 1 FROM json_each(${rows}) AS found
    CROSS JOIN ${invoiceEntry} ON ${invoiceEntry.invoiceId} = found.value ->> 0`;
}

function recordsOf({ id }: OpenRun, limit: number): SQL {
  return sql`SELECT ${record}.rowid FROM ${chainStart} CROSS JOIN ${record}
      ON ${record.installationId} = ${chainStart.installationId}
      AND ${record.position} <= ${chainStart.position}
    WHERE ${chainStart.runId} = ${id} LIMIT ${limit}`;
}

function attemptsOf({ id }: OpenRun): SQL {
  return sql`FROM ${chainStart} ${attemptsUpTo(chainStart)} WHERE ${chainStart.runId} = ${id}`;
}

type Counted = "invoices" | "records" | "orders" | "attempts" | "auditLines";

function count({ id }: OpenRun, what: Counted, rows: SQL): SQL {
  const column = sql.identifier(retentionRun[what].name);
  return sql`UPDATE ${retentionRun} SET ${column} = ${column} + (SELECT count(*) FROM (${rows}))
    WHERE ${retentionRun.id} = ${id}`;
}

/** Counts the rows and removes them, in one transaction; how many they were. */
async function leave(
  reads: PlainReads,
  run: OpenRun,
  { from, counted }: { readonly from: SQLiteTable; readonly counted: Counted },
  rows: SQL,
): Promise<number> {
  const [many] = await reads.batch(
    [
      sql`SELECT count(*) AS many FROM (${rows})`,
      count(run, counted, rows),
      sql`DELETE FROM ${from} WHERE ${from}.rowid IN (${rows})`,
    ].map(written),
  );
  return rowsAs<{ readonly many: number }>(many)[0]?.many ?? 0;
}

/** The second call finds the run ended. After a restore the same run may end twice, with two audit lines. */
function endStatements(db: Database, { id, accountId, year }: OpenRun, at: Instant): Written[] {
  const counts = sql`json_object('year', ${String(year)}, ${sql.join(
    (["invoices", "records", "orders", "attempts"] as const).map(
      (what) => sql`${what}, CAST(${retentionRun[what]} AS TEXT)`,
    ),
    sql`, `,
  )})`;
  const isOpen = sql`${retentionRun.id} = ${id} AND ${retentionRun.endedAt} IS NULL`;
  const line = sql`SELECT ${`end_retention:${id}:${at}`}, ${accountId}, NULL, ${OPERATOR}, ${at},
    'end_retention', ${counts} FROM ${retentionRun} WHERE ${isOpen}`;
  return [
    db.insert(auditLog).select(line).toSQL(),
    db.update(retentionRun).set({ endedAt: at }).where(isOpen).toSQL(),
  ];
}

// The rows that are deleted with a year; the plan counts the same ones.

export interface RetiringYear {
  readonly accountId: string;
  readonly year: number;
}

/** Every series belongs to one year, which its code contains. */
export function invoicesOf({ accountId, year }: RetiringYear, joined: SQL = sql``): SQL {
  return sql`FROM ${series} CROSS JOIN ${invoice} ON ${invoice.accountId} = ${series.accountId}
      AND ${invoice.series} = ${series.code} ${joined}
    WHERE ${series.accountId} = ${accountId} AND substr(${series.code}, -4) = ${String(year)}`;
}

/** The last record to delete of a chain, in a table or a query. */
interface Cut {
  readonly installationId: SQLWrapper;
  readonly position: SQLWrapper;
}

/** Joined to cuts: attempts with all records before the cut. */
export function attemptsUpTo(cut: Cut): SQL {
  return sql`CROSS JOIN ${submissionAttempt} ON ${submissionAttempt.installationId} = ${cut.installationId}
    AND ${submissionAttempt.fromPosition} <= ${cut.position}
    AND ${submissionAttempt.toPosition} <= ${cut.position}`;
}

export function auditLinesOf({ accountId, year }: RetiringYear): SQL {
  return sql`FROM ${auditLog} WHERE ${auditLog.accountId} = ${accountId}
    AND ${auditLog.at} < ${Date.UTC(year + 1, 0, 1)}`;
}

/** A year of an account that an operator has let go. */
export interface OpenRun {
  readonly id: string;
  readonly accountId: string;
  readonly year: number;
}

export interface RetiringInvoice extends SearchableInvoice {
  readonly invoiceId: string;
  /** From the document: it names the order as it was called at issue. */
  readonly description?: string;
}

/** The search words of an invoice, each prefixed with the id of its account. */
export interface SearchedBy {
  readonly invoiceId: string;
  readonly words: readonly string[];
}

interface RetiringAttempt {
  readonly id: string;
  readonly accountId: string;
  readonly installationId: string;
}

/**
 * Deletes a retired year in steps. Every method is one D1 round trip and can be repeated. The triggers decide
 * which rows may go.
 */
export interface RetentionStore {
  /** Nothing of a frozen account. */
  readOpen(): Promise<readonly OpenRun[]>;
  /** But those of which a correction is under way. */
  readInvoices(run: OpenRun, limit: number): Promise<readonly RetiringInvoice[]>;
  hasInvoices(run: OpenRun): Promise<boolean>;
  /** The given words that are in the index: deleting others would corrupt it. */
  readWords(searched: readonly SearchedBy[]): Promise<readonly SearchedBy[]>;
  /** With documents, links, entries and words, and with the orders that they were issued for. */
  leaveInvoices(run: OpenRun, invoices: readonly SearchedBy[], at: Instant): Promise<void>;
  /** The number of records deleted. */
  leaveRecords(run: OpenRun, limit: number): Promise<number>;
  /** Attempts with all records to be deleted. */
  readAttempts(run: OpenRun, limit: number): Promise<readonly RetiringAttempt[]>;
  leaveAttempts(run: OpenRun, ids: readonly string[]): Promise<void>;
  leaveAuditLines(run: OpenRun, limit: number): Promise<number>;
  /** With its line in the audit log. */
  end(run: OpenRun, at: Instant): Promise<void>;
}

/** Rows of a ledger that were unused for long. Each method answers the number deleted, up to the limit. */
export interface AgedStore {
  /** Orders that came to no invoice, and were not touched since. */
  forgetOrders(aged: Aged): Promise<number>;
  /** Customer data from a shop. It affects no invoice, and the shop sends it again if needed. */
  forgetClients(aged: Aged): Promise<number>;
  /** Bodies of a shop's deliveries that decided no order. */
  forgetBodies(aged: Aged): Promise<number>;
  forgetDeliveries(aged: Aged): Promise<number>;
  /** Removes drafts that nobody has edited for long: they name customers, and no law asks to keep them. */
  forgetDrafts(aged: Aged): Promise<number>;
  /** Keys of bodies in R2 that no row names, or no longer. */
  droppedBodies(at: Instant, limit: number): Promise<readonly string[]>;
  /** Their objects are erased. */
  endDroppedBodies(keys: readonly string[]): Promise<void>;
}

interface Aged {
  readonly before: Instant;
  readonly at: Instant;
  readonly limit: number;
}

/** Finds rows by age through their own indexes. Frozen accounts are skipped. */
export function agedStore(binding: D1Database): AgedStore {
  const reads = plainReads(binding);
  const db = databaseOn(binding);
  const counted = async (count: SQL, ...statements: readonly Written[]) => {
    const [many] = await reads.batch([written(count), ...statements]);
    return rowsAs<{ readonly many: number }>(many)[0]?.many ?? 0;
  };
  return {
    forgetOrders(aged) {
      const orders = agedOrders(aged);
      return counted(
        sql`SELECT count(*) AS many FROM (${orders})`,
        ...eraseOrders(db, orders, { because: "aged", at: aged.at }).map((statement) => statement.toSQL()),
      );
    },
    forgetClients(aged) {
      const clients = sql`SELECT ${shopClient}.rowid AS client FROM ${shopClient}
        WHERE ${shopClient.receivedAt} < ${aged.before} AND ${isThawed(sql`${shopClient.connectionId}`)}
        ORDER BY ${shopClient.receivedAt} LIMIT ${aged.limit}`;
      return counted(
        sql`SELECT count(*) AS many FROM (${clients})`,
        written(sql`DELETE FROM ${shopClient} WHERE ${shopClient}.rowid IN (${clients})`),
      );
    },
    forgetBodies(aged) {
      const bodies = agedDeliveries(aged, IS_BODY_OF_NO_ORDER);
      return counted(
        sql`SELECT count(*) AS many FROM (${bodies})`,
        written(sql`UPDATE ${shopDelivery} SET body = NULL, body_key = NULL
          WHERE ${shopDelivery}.rowid IN (${bodies})`),
      );
    },
    forgetDeliveries(aged) {
      const deliveries = agedDeliveries(aged);
      return counted(
        sql`SELECT count(*) AS many FROM (${deliveries})`,
        written(sql`DELETE FROM ${shopDelivery} WHERE ${shopDelivery}.rowid IN (${deliveries})`),
      );
    },
    forgetDrafts(aged) {
      const drafts = sql`SELECT ${invoiceDraft.id} AS id FROM ${invoiceDraft}
        WHERE ${invoiceDraft.savedAt} < ${aged.before}
          AND (SELECT frozen FROM account WHERE account.id = ${invoiceDraft.accountId}) = 0
        ORDER BY ${invoiceDraft.savedAt} LIMIT ${aged.limit}`;
      return counted(
        sql`SELECT count(*) AS many FROM (${drafts})`,
        written(sql`DELETE FROM ${invoiceDraft} WHERE ${invoiceDraft.id} IN (${drafts})`),
      );
    },
    async droppedBodies(at, limit) {
      const rows = await reads.rows<{ readonly key: string }>(
        sql`SELECT ${shopDroppedBody.key} AS key FROM ${shopDroppedBody}
          WHERE ${shopDroppedBody.dueAt} <= ${at} LIMIT ${limit}`,
      );
      return rows.map(({ key }) => key);
    },
    async endDroppedBodies(keys) {
      await reads.batch([
        written(sql`DELETE FROM ${shopDroppedBody}
          WHERE ${shopDroppedBody.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`),
      ]);
    },
  };
}

/** The condition of the partial index. */
const IS_BODY_OF_NO_ORDER = sql`AND ${shopDelivery.outcome} <> 'decided'
  AND (${shopDelivery.body} IS NOT NULL OR ${shopDelivery.bodyKey} IS NOT NULL)`;

function agedDeliveries({ before, limit }: Aged, condition = sql``): SQL {
  return sql`SELECT ${shopDelivery}.rowid AS delivery FROM ${shopDelivery}
    WHERE ${shopDelivery.receivedAt} < ${before} ${condition}
      AND ${isThawed(sql`${shopDelivery.connectionId}`)}
    ORDER BY ${shopDelivery.receivedAt} LIMIT ${limit}`;
}

/** The condition of the partial index. Orders that wait for their owner or a new decision are kept. */
function agedOrders({ before, limit }: Aged): SQL {
  return sql`SELECT ${shopOrder.connectionId} AS connection_id, ${shopOrder.idExternal} AS id_external
    FROM ${shopOrder}
    WHERE ${shopOrder.state} IN ('stored', 'before_cutoff', 'store_not_selected', 'cancelled')
      AND ${shopOrder.soldFingerprint} IS NULL AND ${shopOrder.changedAt} < ${before}
      AND ${shopOrder.undecided} = 0 AND ${isThawed(sql`${shopOrder.connectionId}`)}
    ORDER BY ${shopOrder.changedAt} LIMIT ${limit}`;
}

function isThawed(connectionId: SQL): SQL {
  return sql`(SELECT ${account.frozen} FROM ${connection}
    JOIN ${account} ON ${account.id} = ${connection.accountId} WHERE ${connection.id} = ${connectionId}) = 0`;
}
