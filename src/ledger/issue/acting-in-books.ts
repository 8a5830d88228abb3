import type { StoredInvoice } from "../../db/ledger-state.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import type { Link } from "../../domain/invoice/rectification.ts";
import type { LedgerDraft } from "../core/ledger-draft.ts";

/** Updates all invoices of the draft with the new one, as the next read would show them. */
export function letAct(view: InvoiceView, links: readonly Link[], working: LedgerDraft): void {
  for (const link of links) {
    for (const [origin, known] of working.invoices) {
      const next = actedOn(actedOnAfar(known, view, link), view, link);
      if (next !== known) working.invoices.set(origin, next);
    }
  }
}

/** A cancelled invoice no longer acts on others: a rectification gives back what it took. */
export function letGo(cancelledId: string, working: LedgerDraft): void {
  for (const [origin, known] of working.invoices) {
    const next = withoutFurther(withoutForce(known, cancelledId), cancelledId);
    if (next !== known) working.invoices.set(origin, next);
  }
}

function actedOn(target: StoredInvoice, view: InvoiceView, { targetId, kind, taken }: Link): StoredInvoice {
  if (target.view.invoiceId !== targetId) return target;
  const { invoiceId, externalId, fullNumber, issueDate, document } = view;
  const { invoiceType } = document.request;
  const shown = { invoiceId, externalId, fullNumber, invoiceType, issueDate, kind, inForce: true };
  const acting = { invoiceId, externalId, number: fullNumber, kind, taken, inForce: true, actedOnBy: [] };
  return {
    view: { ...target.view, rectifiedBy: [...target.view.rectifiedBy, shown] },
    rectifiable: { ...target.rectifiable, actedOnBy: [...target.rectifiable.actedOnBy, acting] },
  };
}

/**
 * What an acting invoice is subject to itself: a ticket knows the F3 of its R5, and that its own F3 was
 * undone.
 */
function actedOnAfar(known: StoredInvoice, view: InvoiceView, { targetId, kind }: Link): StoredInvoice {
  const near = known.rectifiable.actedOnBy.find(({ invoiceId }) => invoiceId === targetId);
  // Only the F3 that undoes it replaces an F3: it has then taken over no part of the ticket.
  if (near?.kind === "replacement" && kind === "replacement") {
    return withoutFurther(withoutForce(known, targetId), targetId);
  }
  const by = { invoiceId: view.invoiceId, number: view.fullNumber, kind };
  const actedOnBy = known.rectifiable.actedOnBy.map((acting) =>
    acting === near ? { ...acting, actedOnBy: [...acting.actedOnBy, by] } : acting,
  );
  const next = near ? { ...known, rectifiable: { ...known.rectifiable, actedOnBy } } : known;
  return kind === "replacement" ? withoutFurther(next, targetId) : next;
}

function withoutForce(known: StoredInvoice, actingId: string): StoredInvoice {
  const { view, rectifiable } = known;
  if (!rectifiable.actedOnBy.some(({ invoiceId }) => invoiceId === actingId)) return known;
  const out = <T extends { readonly invoiceId: string }>(acting: T) =>
    acting.invoiceId === actingId ? { ...acting, inForce: false } : acting;
  return {
    view: { ...view, rectifiedBy: view.rectifiedBy.map(out) },
    rectifiable: { ...rectifiable, actedOnBy: rectifiable.actedOnBy.map(out) },
  };
}

/** Removes the cancelled invoice from those that act on it indirectly. */
function withoutFurther(known: StoredInvoice, furtherId: string): StoredInvoice {
  const isFurther = ({ invoiceId }: { readonly invoiceId: string }) => invoiceId === furtherId;
  const { rectifiable } = known;
  if (!rectifiable.actedOnBy.some(({ actedOnBy }) => actedOnBy.some(isFurther))) return known;
  const actedOnBy = rectifiable.actedOnBy.map((acting) => ({
    ...acting,
    actedOnBy: acting.actedOnBy.filter((further) => !isFurther(further)),
  }));
  return { ...known, rectifiable: { ...rectifiable, actedOnBy } };
}
