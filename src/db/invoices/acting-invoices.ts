import { type SQL, sql } from "drizzle-orm";
import { type AnySQLiteColumn, alias } from "drizzle-orm/sqlite-core";
import { invoice, invoiceLink, record } from "../schema/ledger.ts";

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
export function furtherInvoices(of: Invoice): SQL<string> {
  return sql<string>`(SELECT json_group_array(json_object('invoiceId', ${further.id},
      'number', ${further.fullNumber}, 'kind', ${furtherLink.kind}))
    FROM ${invoiceLink} AS ${sql.identifier("further_link")}
    CROSS JOIN ${invoice} AS ${sql.identifier("further")} ON ${further.id} = ${furtherLink.invoiceId}
    WHERE ${furtherLink.targetId} = ${of.id} AND ${isInForce(further, furtherLink.kind)})`;
}
