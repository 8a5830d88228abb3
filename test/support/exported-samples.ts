/** Invoices of every kind as they are exported. */
import type { ExportedInvoice } from "../../src/domain/export/invoice-csv.ts";
import type { InvoiceView } from "../../src/domain/invoice/invoice-view.ts";

export function exportedOf(view: InvoiceView, change: Partial<ExportedInvoice> = {}): ExportedInvoice {
  const { series, number, fullNumber, issueDate, origin, document, cancellation } = view;
  return {
    ...{ series, number, fullNumber, issueDate, origin, document },
    registered: { state: "accepted" },
    ...(cancellation ? { annulled: { state: "pending_submission" } } : {}),
    ...change,
  };
}
