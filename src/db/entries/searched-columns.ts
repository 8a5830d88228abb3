import { type SQL, sql } from "drizzle-orm";
import { externalIdOf } from "../../domain/invoice/origin.ts";
import type { SearchableInvoice } from "../../domain/invoice/search-words.ts";
import { orderOfOrigin } from "../orders/order-of-origin.ts";
import { invoice, invoiceDocument } from "../schema/ledger.ts";
import { shopOrder } from "../schema/orders.ts";

/** The searchable columns of an invoice, from `invoice` joined to its document. */
export function searchedColumns(): SQL {
  const orderId = orderOfOrigin(invoice.origin);
  return sql`${invoice.number} AS number, ${invoice.fullNumber} AS full_number, ${invoice.origin} AS origin,
    ${invoiceDocument.document} ->> '$.request.recipient.vatNumber' AS tax_number,
    ${invoiceDocument.document} ->> '$.request.recipient.company' AS customer, ${orderId} AS order_id,
    (SELECT ${shopOrder.facts} ->> '$.reference' FROM ${shopOrder}
      WHERE ${shopOrder.connectionId} = ${invoice.connectionId}
        AND ${shopOrder.idExternal} = ${orderId}) AS order_reference`;
}

export interface SearchedRow {
  readonly number: number;
  readonly full_number: string;
  readonly origin: string;
  readonly tax_number: string | null;
  readonly customer: string | null;
  readonly order_id: string | null;
  readonly order_reference: string | null;
}

export function searchableInvoice(row: SearchedRow): SearchableInvoice {
  const externalId = externalIdOf(row.origin);
  return {
    number: row.number,
    fullNumber: row.full_number,
    ...(externalId === "" ? {} : { externalId }),
    ...(row.order_id === null ? {} : { orderId: row.order_id }),
    ...(row.order_reference === null ? {} : { orderReference: row.order_reference }),
    ...(row.tax_number === null ? {} : { taxNumber: row.tax_number }),
    ...(row.customer === null ? {} : { customer: row.customer }),
  };
}
