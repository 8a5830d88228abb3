import { decideCancellation } from "../domain/invoice/decide-cancellation.ts";
import { cancellationOf } from "../domain/invoice/invoice-record.ts";
import { cancelOrigin } from "../domain/invoice/origin.ts";
import { headOf } from "../domain/verifactu/chain.ts";
import { seal } from "../domain/verifactu/record-hash.ts";
import type { Instruction } from "./instruction.ts";
import type { InvoiceView } from "./invoice-view.ts";
import type { DecisionDeps } from "./issue-invoice.ts";
import type { CancelOutcome } from "./outcomes.ts";
import type { StoredInvoice } from "./ports.ts";
import { nextPlace, type WorkingBooks } from "./working-books.ts";

type Cancellation = Extract<Instruction, { readonly kind: "cancel" }>;

/** An ANULACION record for an invoice that should never have existed; every repeat is a replay. */
export function cancelInvoice(
  cancellation: Cancellation,
  working: WorkingBooks,
  deps: DecisionDeps,
): CancelOutcome {
  const { externalId } = cancellation;
  const target = working.invoices.get(externalId);
  if (target?.view.cancellation) {
    const ours = deps.made.has(target.view.cancellation.record.hash);
    return { outcome: ours ? "cancelled" : "replayed", invoice: target.view };
  }
  const decision = decideCancellation(externalId, target?.rectifiable, {
    settings: working.settings,
    find: (cited) => working.invoices.get(cited)?.rectifiable,
  });
  if (!decision.ok) return { outcome: "refused", refusal: decision.error };
  const { installation } = working.settings;
  if (!target || !installation) {
    return { outcome: "refused", refusal: { code: "invoicing_not_enabled", facts: {} } };
  }
  const place = nextPlace(working, installation, deps.software);
  const { position, ...at } = place;
  const record = seal(cancellationOf(target.view.alta.record.content.key, at), position);
  const stored = {
    recordId: place.reference,
    record,
    state: "pending_submission",
    requestId: cancellation.requestId,
  } as const;
  const view: InvoiceView = { ...target.view, cancellation: { ...stored, reason: cancellation.reason } };
  working.newRecords.push({
    invoiceId: view.invoiceId,
    origin: cancelOrigin(view.invoiceId, 1),
    stored,
    reason: cancellation.reason,
  });
  working.chain = headOf(record);
  deps.made.add(record.hash);
  enter({ view, rectifiable: { ...target.rectifiable, cancelled: true } }, working);
  return { outcome: "cancelled", invoice: view };
}

/** A cancelled rectification gives back what it took: whoever it acted on sees it out of force. */
function enter(cancelled: StoredInvoice, working: WorkingBooks): void {
  working.invoices.set(cancelled.view.externalId, cancelled);
  for (const [externalId, other] of working.invoices) {
    const isActing = other.rectifiable.actedOnBy.some(
      (acting) => acting.invoiceId === cancelled.view.invoiceId,
    );
    if (isActing) working.invoices.set(externalId, withoutForce(other, cancelled.view.invoiceId));
  }
}

function withoutForce(target: StoredInvoice, actingId: string): StoredInvoice {
  const out = <T extends { readonly invoiceId: string }>(acting: T) =>
    acting.invoiceId === actingId ? { ...acting, inForce: false } : acting;
  return {
    view: { ...target.view, rectifiedBy: target.view.rectifiedBy.map(out) },
    rectifiable: { ...target.rectifiable, actedOnBy: target.rectifiable.actedOnBy.map(out) },
  };
}
