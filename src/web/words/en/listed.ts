import type { listed as spanish } from "../es/listed.ts";

export const listed: Record<keyof typeof spanish, string> = {
  "invoices.state": "State",
  "invoices.connection": "Connection",
  "invoices.connection.all": "All connections",
  "invoices.column.number": "Number",
  "invoices.column.issued": "Issued",
  "invoices.column.customer": "Customer",
  "invoices.column.origin": "Origin",
  "invoices.column.total": "Total",
  "invoices.column.state": "State at the AEAT",
  "invoices.unidentified": "Unidentified",
  "invoices.of_order": "Order {order}",
  "invoices.rectifies": "Corrects {number}",
  "invoices.replaces": "Replaces {number}",
  "invoices.sum.note": "Replacements are not counted twice.",
  "record.hash": "Hash",
  "record.previous": "Previous hash",
  "record.first": "It is the first record of the chain",
};
