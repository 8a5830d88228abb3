import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { type AnySQLiteColumn, alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { partsOfNumber } from "../../domain/billing/series.ts";
import {
  annulmentsOf,
  type CorrectionRecord,
  type InvoiceView,
  type RecordState,
  rectifiableOf,
} from "../../domain/invoice/invoice-view.ts";
import { externalIdOf } from "../../domain/invoice/origin.ts";
import type { ActingInvoice } from "../../domain/invoice/rectifiable.ts";
import type { InvoiceType } from "../../domain/invoice/request.ts";
import { recordId } from "../../domain/verifactu/record.ts";
import {
  authorityStatusFromJson,
  type Database,
  documentFromJson,
  fromOwnJson,
  recordFromJson,
  takenFromJson,
} from "../database.ts";
import type { Bound } from "../kept-reads.ts";
import type { NumberedInvoice, StoredInvoice } from "../ledger-state.ts";
import { connection, installation, invoice, invoiceDocument, invoiceLink, record } from "../schema/ledger.ts";
import { retentionRun, spentOrigin } from "../schema/retention.ts";

const alta = alias(record, "alta");
const correction = alias(record, "correction");
const byId = alias(invoice, "by_id");
const other = alias(invoice, "other");
const ofEvent = alias(invoice, "of_event");
const ofAccount = alias(connection, "of_account");
const rectifying = alias(invoiceLink, "rectifying");
const replacing = alias(invoiceLink, "replacing");
const named = (name: string) => sql.identifier(name);

/** A query for origins of invoices, to be read in the middle of another. */
export type Origins = SQL;

/** A JSON list of origins is one parameter for any number of them: a D1 statement takes 100 parameters. */
export function theseOrigins(origins: Bound): Origins {
  return sql`SELECT value FROM json_each(${origins})`;
}

/** The same of invoices by their ids. */
export function originsById(connectionId: Bound, ids: Bound): Origins {
  return sql`SELECT ${byId.origin} FROM json_each(${ids}) AS needed
    CROSS JOIN ${invoice} AS ${sql.identifier("by_id")}
    ON ${byId.id} = needed.value AND ${byId.connectionId} = ${connectionId}`;
}

/** Invoices that a request cites, as `by_id` of a query. */
type Cited = SQL;

export function citedByOrigin(connectionId: Bound, origins: Bound): Cited {
  return sql`json_each(${origins}) AS needed CROSS JOIN ${invoice} AS ${named("by_id")}
    ON ${byId.connectionId} = ${connectionId} AND ${byId.origin} = needed.value`;
}

/** The invoices of this connection with the numbers of which `partsOf` made those parts. */
export function citedByNumber(connectionId: Bound, parts: Bound): Cited {
  return sql`json_each(${parts}) AS needed CROSS JOIN ${invoice} AS ${named("by_id")}
    ON ${byId.accountId} = ${accountOf(connectionId)} AND ${byId.series} = needed.value ->> 'code'
    AND ${byId.number} = needed.value ->> 'number' AND ${byId.connectionId} = ${connectionId}`;
}

export function originsOf(cited: Cited): Origins {
  return sql`SELECT ${byId.origin} FROM ${cited}`;
}

/** Related origins of the tickets and R5 that an F3 cites: the rectified tickets, and the F3 of all. */
export function originsAround(connectionId: Bound, cited: Cited): Origins {
  const rectified = sql`CROSS JOIN ${invoiceLink} AS ${named("rectifying")}
    ON ${rectifying.invoiceId} = ${byId.id} AND ${rectifying.kind} = 'difference'`;
  const replacedBy = (id: SQLiteColumn) => sql`CROSS JOIN ${invoiceLink} AS ${named("replacing")}
    ON ${replacing.targetId} = ${id} AND ${replacing.kind} = 'replacement'`;
  const originOf = (id: SQLiteColumn) => sql`CROSS JOIN ${invoice} AS ${named("other")}
    ON ${other.id} = ${id} AND ${other.connectionId} = ${connectionId}`;
  return sql`SELECT ${other.origin} FROM ${cited} ${rectified} ${originOf(rectifying.targetId)}
    UNION ALL SELECT ${other.origin} FROM ${cited} ${replacedBy(byId.id)} ${originOf(replacing.invoiceId)}
    UNION ALL SELECT ${other.origin} FROM ${cited} ${rectified} ${replacedBy(rectifying.targetId)}
      ${originOf(replacing.invoiceId)}`;
}

/** The invoices of the account with the numbers of which `partsOf` made those parts. */
export function selectNumbered(db: Database, connectionId: Bound, parts: Bound) {
  const wanted = sql`SELECT value ->> 'code', value ->> 'number' FROM json_each(${parts})`;
  return db
    .select({
      fullNumber: invoice.fullNumber,
      origin: invoice.origin,
      holderId: connection.id,
      holderName: connection.name,
    })
    .from(invoice)
    .innerJoin(connection, eq(connection.id, invoice.connectionId))
    .where(
      and(
        sql`${invoice.accountId} = ${accountOf(connectionId)}`,
        sql`(${invoice.series}, ${invoice.number}) IN (${wanted})`,
      ),
    );
}

/** JSON of series and number for the index; a number of another form belongs to no series of ours. */
export function partsOf(numbers: readonly string[]): string {
  return JSON.stringify(numbers.flatMap((number) => partsOfNumber(number) ?? []));
}

function accountOf(connectionId: Bound): SQL {
  return sql`(SELECT ${ofAccount.accountId} FROM ${connection} AS ${named("of_account")}
    WHERE ${ofAccount.id} = ${connectionId})`;
}

/**
 * All invoices of the orders in column `id` of a query: the first one, its full replacement, those of a
 * returned order, and the origins of events (domain/order/order-origin.ts).
 */
export function originsOfOrders(connectionId: Bound, ids: SQL): Origins {
  const isThere = (origin: SQL) => sql`EXISTS (SELECT 1 FROM ${invoice} AS ${named("by_id")}
    WHERE ${byId.connectionId} = ${connectionId} AND ${byId.origin} = ${origin})`;
  const next = sql`reissued.generation + 1`;
  const ofEvents = (sort: EventSort) => sql`SELECT ${ofEvent.origin} FROM wanted CROSS JOIN ${invoice}
    AS ${named("of_event")}
    ON ${ofEvent.connectionId} = ${connectionId} AND ${isOfEvent(ofEvent.origin, sort)}`;
  return sql`WITH RECURSIVE wanted AS MATERIALIZED (${ids}), reissued (id, generation) AS (
      SELECT wanted.id, 2 FROM wanted WHERE ${isThere(sql`'reissue:2:' || wanted.id`)}
      UNION ALL SELECT reissued.id, ${next} FROM reissued
        WHERE ${isThere(sql`'reissue:' || (${next}) || ':' || reissued.id`)})
    SELECT 'order:' || wanted.id FROM wanted
    UNION ALL SELECT 'replacement:' || wanted.id FROM wanted
    UNION ALL SELECT json_each.value || reissued.generation || ':' || reissued.id
      FROM reissued CROSS JOIN json_each('["reissue:","reissue_replacement:"]')
    UNION ALL ${ofEvents("event")}
    UNION ALL ${ofEvents("event_replacement")}`;
}

type EventSort = "event" | "event_replacement";

/** Whether an origin is an event of the order `wanted.id`. */
export function isOfEvent(origin: SQLiteColumn, sort: EventSort): SQL {
  const prefix = sql`${sql.raw(`'${sort}:'`)} || replace(replace(wanted.id, '%', '%25'), ':', '%3A')`;
  return sql`${origin} >= ${prefix} || ':' AND ${origin} < ${prefix} || ';'`;
}

/** The invoices of a direct read and those of orders, in one set. */
export function bothOrigins(some: Origins, others: Origins): Origins {
  return sql`SELECT * FROM (${some}) UNION ALL SELECT * FROM (${others})`;
}

/** Invoices by origin, each with document, records and environment. */
export function selectInvoices(db: Database, connectionId: Bound, origins: Origins) {
  return db
    .select({
      id: invoice.id,
      origin: invoice.origin,
      series: invoice.series,
      number: invoice.number,
      fullNumber: invoice.fullNumber,
      issueDate: invoice.issueDate,
      requestId: invoice.requestId,
      document: invoiceDocument.document,
      environment: installation.environment,
      trial: installation.trial,
      altaInstallation: alta.installationId,
      altaPosition: alta.position,
      altaHash: alta.hash,
      altaContent: alta.content,
      altaState: alta.state,
      altaStanding: alta.standing,
    })
    .from(invoice)
    .innerJoin(invoiceDocument, eq(invoiceDocument.invoiceId, invoice.id))
    .innerJoin(alta, and(eq(alta.connectionId, invoice.connectionId), eq(alta.origin, invoice.origin)))
    .innerJoin(installation, eq(installation.id, alta.installationId))
    .where(and(eq(invoice.connectionId, connectionId), originIn(origins)));
}

/** Amendments and annulments of those invoices in the order of the chain: rows are never taken away. */
export function selectCorrections(db: Database, connectionId: Bound, origins: Origins) {
  return db
    .select({
      invoiceId: invoice.id,
      installationId: correction.installationId,
      position: correction.position,
      hash: correction.hash,
      content: correction.content,
      state: correction.state,
      standing: correction.standing,
      reason: correction.reason,
      requestId: correction.requestId,
    })
    .from(invoice)
    .innerJoin(
      correction,
      and(
        eq(correction.connectionId, invoice.connectionId),
        or(isOfKind("amend", correction, invoice), isOfKind("cancel", correction, invoice)),
      ),
    )
    .where(and(eq(invoice.connectionId, connectionId), originIn(origins)))
    .orderBy(sql`${sql.identifier("correction")}.rowid`);
}

/** The invoices that rectify or replace those, if they are in force, and which invoices act on them. */
export function selectActing(db: Database, connectionId: Bound, origins: Origins) {
  return db
    .select({
      targetId: invoiceLink.targetId,
      kind: invoiceLink.kind,
      taken: invoiceLink.taken,
      invoiceId: other.id,
      origin: other.origin,
      fullNumber: other.fullNumber,
      invoiceType: other.invoiceType,
      issueDate: other.issueDate,
      inForce: isInForce(other, invoiceLink.kind),
      further: furtherInvoices(other),
    })
    .from(invoice)
    .innerJoin(invoiceLink, eq(invoiceLink.targetId, invoice.id))
    .innerJoin(other, eq(other.id, invoiceLink.invoiceId))
    .where(and(eq(invoice.connectionId, connectionId), originIn(origins)))
    .orderBy(other.issueDate, other.fullNumber);
}

/** The invoices on which those act. */
export function selectActsOn(db: Database, connectionId: Bound, origins: Origins) {
  return db
    .select({
      invoiceId: invoiceLink.invoiceId,
      targetId: invoiceLink.targetId,
      kind: invoiceLink.kind,
      origin: other.origin,
      invoiceType: other.invoiceType,
    })
    .from(invoice)
    .innerJoin(invoiceLink, eq(invoiceLink.invoiceId, invoice.id))
    .innerJoin(other, eq(other.id, invoiceLink.targetId))
    .where(and(eq(invoice.connectionId, connectionId), originIn(origins)));
}

/** The origins among them whose invoices were retired, with their year of issue. */
export function selectRetiredOrigins(db: Database, connectionId: Bound, origins: Origins) {
  return db
    .select({ origin: spentOrigin.origin, year: retentionRun.year })
    .from(spentOrigin)
    .innerJoin(retentionRun, eq(retentionRun.id, spentOrigin.runId))
    .where(and(eq(spentOrigin.connectionId, connectionId), sql`${spentOrigin.origin} IN (${origins})`));
}

type InvoiceRow = Awaited<ReturnType<typeof selectInvoices>>[number];
type CorrectionRow = Awaited<ReturnType<typeof selectCorrections>>[number];
type ActingRow = Awaited<ReturnType<typeof selectActing>>[number];
type NumberedRow = Awaited<ReturnType<typeof selectNumbered>>[number];
type ActsOnRow = Awaited<ReturnType<typeof selectActsOn>>[number];

function originIn(origins: Origins) {
  return sql`${invoice.origin} IN (${origins})`;
}

/** A range of the index on origin: `:` is followed by `;` in ASCII. */
function isOfKind(kind: "amend" | "cancel", one: typeof correction, of: typeof invoice) {
  const from = sql`${sql.raw(`'${kind}:'`)} || ${of.id} || ':'`;
  const to = sql`${sql.raw(`'${kind}:'`)} || ${of.id} || ';'`;
  return sql`(${one.origin} >= ${from} AND ${one.origin} < ${to})`;
}

/** The condition that a tax group in that JSON is of the one-stop shop, as `isOss` decides in the domain. */
export function hasOneStopShop(json: SQLiteColumn, path: "$.groups" | "$.breakdown"): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${json}, ${path})
    WHERE value ->> '$.tax' = '01' AND value ->> '$.regime' = '17')`;
}

interface InvoiceRows {
  readonly invoices: readonly InvoiceRow[];
  readonly corrections: readonly CorrectionRow[];
  readonly acting: readonly ActingRow[];
  readonly actsOn: readonly ActsOnRow[];
}

/** Rows of one read, put together per invoice. */
export function storedInvoices(rows: InvoiceRows): StoredInvoice[] {
  const corrections = Map.groupBy(rows.corrections, (row) => row.invoiceId);
  const acting = Map.groupBy(rows.acting, (row) => row.targetId);
  const actsOn = Map.groupBy(rows.actsOn, (row) => row.invoiceId);
  return rows.invoices.map((row) => {
    const actedOnBy = (acting.get(row.id) ?? []).map(actingInvoice);
    const view = viewOf(row, corrections.get(row.id) ?? [], acting.get(row.id) ?? []);
    const links = (actsOn.get(row.id) ?? []).map((link) => ({
      invoiceId: link.targetId,
      externalId: externalIdOf(link.origin),
      kind: linkKind(link.kind),
      invoiceType: invoiceType(link.invoiceType),
    }));
    return { view, rectifiable: rectifiableOf(view, links, actedOnBy) };
  });
}

export function numberedInvoice(
  { fullNumber, origin, holderId, holderName: connectionName }: NumberedRow,
  connectionId: string,
): NumberedInvoice {
  return { fullNumber, origin, isOfConnection: holderId === connectionId, connectionName };
}

function viewOf(
  row: InvoiceRow,
  correctionRows: readonly CorrectionRow[],
  acting: readonly ActingRow[],
): InvoiceView {
  const corrections = correctionRows.map(correctionRecord);
  const cancellation = annulmentsOf({ corrections }).at(-1);
  return {
    invoiceId: row.id,
    origin: row.origin,
    externalId: externalIdOf(row.origin),
    series: row.series,
    number: row.number,
    fullNumber: row.fullNumber,
    issueDate: row.issueDate,
    requestId: row.requestId,
    environment: row.environment === "production" ? "production" : "test",
    ...(row.trial ? { trial: true } : {}),
    document: documentFromJson(row.document),
    alta: {
      recordId: recordId(row.altaInstallation, row.altaPosition),
      record: { content: recordFromJson(row.altaContent), position: row.altaPosition, hash: row.altaHash },
      state: recordState(row.altaState),
      ...authorityStatusFromJson(row.altaStanding),
      requestId: row.requestId,
    },
    corrections,
    ...(cancellation ? { cancellation } : {}),
    rectifiedBy: acting.map((row) => ({
      invoiceId: row.invoiceId,
      externalId: externalIdOf(row.origin),
      fullNumber: row.fullNumber,
      invoiceType: row.invoiceType,
      issueDate: row.issueDate,
      kind: linkKind(row.kind),
      inForce: row.inForce === 1,
    })),
  };
}

function correctionRecord(row: CorrectionRow): CorrectionRecord {
  return {
    recordId: recordId(row.installationId, row.position),
    record: { content: recordFromJson(row.content), position: row.position, hash: row.hash },
    state: recordState(row.state),
    ...authorityStatusFromJson(row.standing),
    requestId: row.requestId,
    reason: row.reason,
  };
}

function actingInvoice(row: ActingRow): ActingInvoice {
  return {
    invoiceId: row.invoiceId,
    externalId: externalIdOf(row.origin),
    number: row.fullNumber,
    kind: linkKind(row.kind),
    taken: takenFromJson(row.taken),
    inForce: row.inForce === 1,
    actedOnBy: fromOwnJson(row.further),
  };
}

/** The schema checks the values of these columns. */
function linkKind(text: string): ActingInvoice["kind"] {
  return text as ActingInvoice["kind"];
}

/** Our own stored value. */
function invoiceType(text: string): InvoiceType {
  return text as InvoiceType;
}

/** The record triggers let only these states in. */
function recordState(text: string): RecordState {
  return text as RecordState;
}

const annulment = alias(record, "annulment");
const undoing = alias(invoiceLink, "undoing");
const furtherLink = alias(invoiceLink, "further_link");
const further = alias(invoice, "further");

interface Invoice {
  readonly id: AnySQLiteColumn;
  readonly connectionId: AnySQLiteColumn;
}

/** Whether an invoice that acts by this kind of link is in force. */
export function isInForce(by: Invoice, kind: AnySQLiteColumn): SQL<number> {
  return sql<number>`(NOT EXISTS (SELECT 1 FROM ${record} AS ${sql.identifier("annulment")}
      WHERE ${annulment.connectionId} = ${by.connectionId}
        AND ${annulment.origin} >= 'cancel:' || ${by.id} || ':'
        AND ${annulment.origin} < 'cancel:' || ${by.id} || ';')
    AND NOT (${kind} = 'replacement' AND EXISTS (SELECT 1 FROM ${invoiceLink} AS ${sql.identifier("undoing")}
      WHERE ${undoing.targetId} = ${by.id} AND ${undoing.kind} = 'replacement')))`;
}

/** JSON of those in force that act on an invoice which itself acts on another. Links come first. */
function furtherInvoices(of: Invoice): SQL<string> {
  return sql<string>`(SELECT json_group_array(json_object('invoiceId', ${further.id},
      'number', ${further.fullNumber}, 'kind', ${furtherLink.kind}))
    FROM ${invoiceLink} AS ${sql.identifier("further_link")}
    CROSS JOIN ${invoice} AS ${sql.identifier("further")} ON ${further.id} = ${furtherLink.invoiceId}
    WHERE ${furtherLink.targetId} = ${of.id} AND ${isInForce(further, furtherLink.kind)})`;
}
