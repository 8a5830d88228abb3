import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { fromOwnJson } from "../../db/database.ts";
import { namesOfOrder, orderNames } from "../../db/entries/entry-store.ts";
import { isInForce } from "../../db/invoices/invoice-reads.ts";
import { orderOfOrigin } from "../../db/orders/order-reads.ts";
import { invoice, invoiceDocument, invoiceLink } from "../../db/schema/ledger.ts";
import type { RecordState } from "../../domain/invoice/invoice-view.ts";
import { externalIdOf } from "../../domain/invoice/origin.ts";
import { type ActingInvoice, documentStatus } from "../../domain/invoice/rectifiable.ts";
import type { DocumentaryFlag, InvoiceType } from "../../domain/invoice/request.ts";
import { decimal, ZERO } from "../../domain/shared/decimal.ts";
import type { ListedInvoice } from "./list-invoices.ts";

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
    ${part("$.groups")} AS groups, ${document("$.request.flags")} AS flags,
    ${part("$.cited")} AS cited, ${orderId} AS order_id, ${namesOfOrder(orderId)} AS order_names,
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
  readonly invoice_type: InvoiceType;
  readonly issue_date: string;
  readonly origin: string;
  readonly customer: string | null;
  readonly tax_number: string | null;
  readonly currency: string | null;
  readonly document_total: string | null;
  readonly test: number | null;
  readonly groups: string | null;
  /** The documentary flags as a JSON list. */
  readonly flags: string | null;
  readonly cited: string | null;
  readonly order_id: string | null;
  readonly order_names: string | null;
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
  const flags = row.flags === null ? [] : fromOwnJson<readonly DocumentaryFlag[]>(row.flags);
  const cited = row.cited === null ? [] : fromOwnJson<readonly { readonly number: string }[]>(row.cited);
  return {
    ...{ id: row.id, place, state, amounts, connectionId: row.connection_id },
    ...{ series: row.series, number: row.number, fullNumber: row.full_number },
    invoiceType: row.invoice_type,
    rectifying: row.invoice_type.startsWith("R"),
    standing: documentStatus({ invoiceType: row.invoice_type, cancelled, groups, actedOnBy }),
    ...(row.test === 1 ? { test: true } : {}),
    ...(flags.includes("no_recipient_article_6_1_d") ? { unnamed: true } : {}),
    cites: cited.map(({ number }) => number),
    currency: row.currency ?? "EUR",
    total: row.document_total === null ? ZERO : decimal(row.document_total),
    ...(row.customer === null ? {} : { customer: row.customer }),
    ...(row.tax_number === null ? {} : { taxNumber: row.tax_number }),
    ...(externalId === "" ? {} : { externalId }),
    ...(row.order_id === null ? {} : { orderId: row.order_id }),
    ...orderNames(row.order_names),
  };
}

/** The triggers of records allow only these states. */
export function stateOf(text: string): RecordState {
  return text as RecordState;
}
