import type { StoredInvoice } from "../../db/ledger-state.ts";
import { cancellationOf } from "../../domain/invoice/invoice-record.ts";
import { annulmentsOf, type InvoiceView, standingsOf } from "../../domain/invoice/invoice-view.ts";
import { cancelOrigin } from "../../domain/invoice/origin.ts";
import { headOf } from "../../domain/verifactu/chain.ts";
import { seal } from "../../domain/verifactu/record-hash.ts";
import { annulmentFlags } from "../../domain/verifactu/submission/corrections.ts";
import { firstState } from "../../domain/verifactu/submission/state.ts";
import { nextPlace } from "../core/ledger-draft.ts";
import { letGo } from "./acting-in-books.ts";
import type { Numbering } from "./number-invoice.ts";

/** Adds an ANULACION record to an invoice that may be annulled; afterwards the draft contains it. */
export function annulInvoice(
  target: StoredInvoice,
  { reason, requestId }: { readonly reason: string; readonly requestId: string },
  { working, installation, deps }: Numbering,
): InvoiceView {
  const { position, ...place } = nextPlace(working, installation, deps.software);
  const { key } = target.view.alta.record.content;
  // The flags depend on the status of its records, also after a failed annulment.
  const flags = annulmentFlags(standingsOf(target.view));
  const record = seal(cancellationOf(key, place, flags), position);
  const stored = { recordId: place.reference, record, state: firstState(installation), requestId };
  const cancellation = { ...stored, reason };
  const corrections = [...target.view.corrections, cancellation];
  const view: InvoiceView = { ...target.view, corrections, cancellation };
  working.newRecords.push({
    invoiceId: view.invoiceId,
    origin: cancelOrigin(view.invoiceId, annulmentsOf(view).length),
    stored,
    reason,
  });
  working.chain = headOf(record);
  deps.createdInGroup.add(record.hash);
  working.invoices.set(view.origin, { view, rectifiable: { ...target.rectifiable, cancelled: true } });
  letGo(view.invoiceId, working);
  return view;
}
