import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { fromOwnJson } from "../../db/database.ts";
import { isInForce } from "../../db/invoices/invoice-reads.ts";
import { orderOfOrigin } from "../../db/orders/order-reads.ts";
import { entryCursor, invoiceEntry } from "../../db/schema/invoice-entry.ts";
import {
  connection,
  installation,
  invoice,
  invoiceDocument,
  invoiceLink,
  record,
} from "../../db/schema/ledger.ts";
import { shopOrder } from "../../db/schema/orders.ts";
import { centsOf, placeText } from "../../domain/invoice/invoice-entry.ts";
import type { RecordState } from "../../domain/invoice/invoice-view.ts";
import { externalIdOf } from "../../domain/invoice/origin.ts";
import { type ActingInvoice, documentStatus } from "../../domain/invoice/rectifiable.ts";
import { decimal, ZERO } from "../../domain/shared/decimal.ts";
import { instantOf } from "../../domain/shared/instant.ts";
import type { ListedInvoice, TailInvoice } from "./list-invoices.ts";

const acting = alias(invoice, "acting");

/** The listed columns of an invoice, from `invoice` joined to its document. */
export function shownColumns(): SQL {
  const document = (path: string) => sql`${invoiceDocument.document} ->> ${sql.raw(`'${path}'`)}`;
  const part = (path: string) => sql`${invoiceDocument.document} -> ${sql.raw(`'${path}'`)}`;
  const orderId = orderOfOrigin(invoice.origin);
  return sql`${invoice.id} AS id, ${invoice.connectionId} AS connection_id, ${invoice.series} AS series,
    ${invoice.number} AS number, ${invoice.fullNumber} AS full_number, ${invoice.invoiceType} AS invoice_type,
    ${invoice.issueDate} AS issue_date, ${invoice.origin} AS origin,
    ${document("$.request.recipient.company")} AS customer,
    ${document("$.request.recipient.vatNumber")} AS tax_number, ${document("$.request.currency")} AS currency,
    ${document("$.totals.total")} AS document_total, ${document("$.test")} AS test,
    ${part("$.groups")} AS groups,
    ${part("$.cited")} AS cited, ${orderId} AS order_id,
    (SELECT ${shopOrder.facts} ->> '$.reference' FROM ${shopOrder}
      WHERE ${shopOrder.connectionId} = ${invoice.connectionId}
        AND ${shopOrder.idExternal} = ${orderId}) AS order_reference,
    ${actingOn()} AS acting`;
}

/** Invoices that rectify or replace this one, and if each is still in force. */
function actingOn(): SQL {
  return sql`(SELECT json_group_array(json_object('kind', ${invoiceLink.kind}, 'taken',
    json(${invoiceLink.taken}),
      'number', ${acting.fullNumber}, 'in_force', ${isInForce(acting, invoiceLink.kind)}))
    FROM ${invoiceLink} JOIN ${invoice} AS ${sql.identifier("acting")}
      ON ${acting.id} = ${invoiceLink.invoiceId}
    WHERE ${invoiceLink.targetId} = ${invoice.id})`;
}

export interface ShownRow {
  readonly id: string;
  readonly connection_id: string;
  readonly series: string;
  readonly number: number;
  readonly full_number: string;
  readonly invoice_type: string;
  readonly issue_date: string;
  readonly origin: string;
  readonly customer: string | null;
  readonly tax_number: string | null;
  readonly currency: string | null;
  readonly document_total: string | null;
  readonly test: number | null;
  readonly groups: string | null;
  readonly cited: string | null;
  readonly order_id: string | null;
  readonly order_reference: string | null;
  readonly acting: string;
}

interface ActingJson extends Pick<ActingInvoice, "kind" | "taken" | "number"> {
  readonly in_force: 0 | 1;
}

/** List members that do not come from the invoice row. */
interface Entered extends Pick<ListedInvoice, "place" | "state" | "amounts"> {
  readonly cancelled: boolean;
}

export function listedInvoice(row: ShownRow, { place, state, amounts, cancelled }: Entered): ListedInvoice {
  const externalId = externalIdOf(row.origin);
  const actedOnBy = fromOwnJson<readonly ActingJson[]>(row.acting).map(({ in_force, ...link }) => ({
    ...link,
    ...{ invoiceId: "", externalId: "", inForce: in_force === 1, actedOnBy: [] },
  }));
  const groups = row.groups === null ? [] : fromOwnJson<ActingInvoice["taken"]>(row.groups);
  const cited = row.cited === null ? [] : fromOwnJson<readonly { readonly number: string }[]>(row.cited);
  return {
    ...{ id: row.id, place, state, amounts, connectionId: row.connection_id },
    ...{ series: row.series, number: row.number, fullNumber: row.full_number },
    invoiceType: row.invoice_type,
    rectifying: row.invoice_type.startsWith("R"),
    standing: documentStatus({ invoiceType: row.invoice_type, cancelled, groups, actedOnBy }),
    ...(row.test === 1 ? { test: true } : {}),
    cites: cited.map(({ number }) => number),
    currency: row.currency ?? "EUR",
    total: row.document_total === null ? ZERO : decimal(row.document_total),
    ...(row.customer === null ? {} : { customer: row.customer }),
    ...(row.tax_number === null ? {} : { taxNumber: row.tax_number }),
    ...(externalId === "" ? {} : { externalId }),
    ...(row.order_id === null ? {} : { orderId: row.order_id }),
    ...(row.order_reference === null ? {} : { orderReference: row.order_reference }),
  };
}

/** The triggers of records allow only these states. */
export function stateOf(text: string): RecordState {
  return text as RecordState;
}

/** Limit per chain. More records wait only after a long failure of the alarm; then the newest are read. */
const BEHIND = 1_000;

/** The account's records that are not yet in entries and sums. */
export function behind(accountId: string): SQL {
  const from = sql`coalesce(${entryCursor.position}, 0)`;
  const last = sql`coalesce((SELECT max(${record.position}) FROM ${record}
    WHERE ${record.installationId} = ${installation.id}), 0)`;
  return sql`behind AS MATERIALIZED (
    SELECT ${record.installationId} AS installation_id, ${record.position} AS position,
      ${record.invoiceId} AS invoice_id, ${last} - ${from} > ${BEHIND} AS is_cut
    FROM ${connection} CROSS JOIN ${installation} ON ${installation.connectionId} = ${connection.id}
    LEFT JOIN ${entryCursor} ON ${entryCursor.installationId} = ${installation.id}
    CROSS JOIN ${record} ON ${record.installationId} = ${installation.id}
      AND ${record.position} > max(${from}, ${last} - ${BEHIND})
    WHERE ${connection.accountId} = ${accountId})`;
}

const issue = alias(record, "issue");
const issuedIn = alias(installation, "issued_in");

/** Each of these records with its invoice, in chain order. */
export function selectTail(accountId: string): SQL {
  const [issued, chain] = [sql.identifier("issue"), sql.identifier("issued_in")];
  return sql`WITH ${behind(accountId)}
    SELECT ${shownColumns()}, ${record.state} AS state, ${record.kind} AS kind, behind.is_cut AS is_cut,
      ${invoiceDocument.document} -> '$.totalsEur' AS totals_eur,
      ${issue.content} ->> '$.generatedAt' AS issued_at, ${issue.position} AS issue_position,
      ${issuedIn.ordinal} AS installation_ordinal, ${connection.ordinal} AS connection_ordinal,
      ${invoiceEntry.place} AS place, ${invoiceEntry.state} AS counted_state,
      ${invoiceEntry.cancelled} AS counted_cancelled
    FROM behind CROSS JOIN ${record} ON ${record.installationId} = behind.installation_id
      AND ${record.position} = behind.position
    JOIN ${installation} ON ${installation.id} = ${record.installationId}
    JOIN ${invoice} ON ${invoice.id} = behind.invoice_id
    JOIN ${connection} ON ${connection.id} = ${invoice.connectionId}
    JOIN ${invoiceDocument} ON ${invoiceDocument.invoiceId} = ${invoice.id}
    JOIN ${record} AS ${issued} ON ${issue.connectionId} = ${invoice.connectionId}
      AND ${issue.origin} = ${invoice.origin}
    JOIN ${installation} AS ${chain} ON ${issuedIn.id} = ${issue.installationId}
    LEFT JOIN ${invoiceEntry} ON ${invoiceEntry.invoiceId} = ${invoice.id}
    ORDER BY ${connection.ordinal}, ${installation.ordinal}, ${record.position}`;
}

export interface TailRow extends ShownRow {
  readonly state: string;
  readonly kind: string;
  readonly is_cut: number;
  readonly totals_eur: string | null;
  readonly issued_at: string;
  readonly issue_position: number;
  readonly installation_ordinal: number;
  readonly connection_ordinal: number;
  readonly place: string | null;
  readonly counted_state: string | null;
  readonly counted_cancelled: number | null;
}

const NO_AMOUNTS = { base: ZERO, tax: ZERO, total: ZERO };

/** One row per invoice, in the state of its newest record. */
export function tailFrom(rows: readonly TailRow[]): readonly TailInvoice[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((ofInvoice) => {
    const row = ofInvoice.at(-1);
    if (!row) return [];
    const cancelled = row.counted_cancelled === 1 || ofInvoice.some(({ kind }) => kind === "ANULACION");
    const place = row.place ?? placeOf(row);
    const amounts = row.totals_eur === null ? NO_AMOUNTS : centsOf(fromOwnJson(row.totals_eur));
    const shown = listedInvoice(row, { place, amounts, cancelled, state: stateOf(row.state) });
    const { counted_state: counted } = row;
    if (counted === null) return [shown];
    return [{ ...shown, counted: { state: stateOf(counted), cancelled: row.counted_cancelled === 1 } }];
  });
}

function placeOf(row: TailRow): string {
  return placeText({
    issueDate: row.issue_date,
    issuedAt: instantOf(row.issued_at),
    connectionOrdinal: row.connection_ordinal,
    installationOrdinal: row.installation_ordinal,
    position: row.issue_position,
  });
}
