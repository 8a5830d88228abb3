import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isInForce } from "../../db/invoices/acting-invoices.ts";
import { orderOfOrigin } from "../../db/orders/order-of-origin.ts";
import { invoice, invoiceDocument, invoiceLink } from "../../db/schema/ledger.ts";
import { shopOrder } from "../../db/schema/orders.ts";
import { fromOwnJson } from "../../db/stored-json.ts";
import { documentStanding } from "../../domain/invoice/document-standing.ts";
import type { RecordState } from "../../domain/invoice/invoice-view.ts";
import { externalIdOf } from "../../domain/invoice/origin.ts";
import type { ActingInvoice } from "../../domain/invoice/rectifiable.ts";
import { decimal, ZERO } from "../../domain/shared/decimal.ts";
import type { ListedInvoice } from "./invoice-ports.ts";

const acting = alias(invoice, "acting");

/** What a list shows of an invoice, from `invoice` joined to its document. */
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

/** Who rectifies or replaces it, and whether that is still in force. */
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

/** What the list knows of it besides. */
export interface Entered extends Pick<ListedInvoice, "place" | "state" | "amounts"> {
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
    standing: documentStanding({ invoiceType: row.invoice_type, cancelled, groups, actedOnBy }),
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

/** The triggers of records let only these states in. */
export function stateOf(text: string): RecordState {
  return text as RecordState;
}
