import { stemIn, stemOf } from "../domain/billing/series.ts";
import type { ActedEvent, IssuedForOrder, OrderHistory } from "../domain/order/context.ts";
import { originText } from "../domain/order/decision.ts";
import type { StoredOrder } from "./order-ports.ts";
import type { StoredInvoice } from "./ports.ts";
import type { WorkingBooks } from "./working-books.ts";

/** Every invoice that was issued for an order. */
export interface OrderInvoices {
  readonly first?: StoredInvoice;
  readonly replacement?: StoredInvoice;
  /** Oldest first. */
  readonly rectifications: readonly StoredInvoice[];
}

export function invoicesOf(idExternal: string, working: Pick<WorkingBooks, "invoices">): OrderInvoices {
  const first = working.invoices.get(originText(idExternal, { of: "order" }));
  const replacement = working.invoices.get(originText(idExternal, { of: "replacement" }));
  const prefix = originText(idExternal, { of: "event", eventId: "" });
  const rectifications = [...working.invoices.values()].filter(({ view }) => view.origin.startsWith(prefix));
  return {
    ...(first ? { first } : {}),
    ...(replacement ? { replacement } : {}),
    rectifications: rectifications.toSorted((a, b) => positionOf(a) - positionOf(b)),
  };
}

export function positionOf({ view }: StoredInvoice): number {
  return view.alta.record.position;
}

/** What has happened to an order so far. */
export function historyOf(
  idExternal: string,
  before: Pick<StoredOrder, "acted" | "soldFingerprint" | "reasons">,
  working: WorkingBooks,
): OrderHistory {
  const { first, replacement, rectifications } = invoicesOf(idExternal, working);
  const issued = (invoice: StoredInvoice) => issuedForOrder(invoice, working);
  return {
    ...(first ? { invoice: issued(first) } : {}),
    ...(replacement ? { replacement: issued(replacement) } : {}),
    rectifications: rectifications.map(issued),
    acted: before.acted,
    ...(before.soldFingerprint === undefined ? {} : { soldFingerprint: before.soldFingerprint }),
    wasElsewhere: before.reasons.some(({ code }) => code === "invoiced_elsewhere"),
  };
}

/** Its corrections are numbered in the same family, under the installation of today. */
function issuedForOrder({ view, rectifiable }: StoredInvoice, working: WorkingBooks): IssuedForOrder {
  const { request } = view.document;
  const { installation } = working.settings;
  return {
    rectifiable,
    document: view.document,
    stem: stemIn(stemOf(view.series, request), installation?.ordinal ?? 1),
  };
}

/** Acted events with some more; one that annuls two invoices has acted once. */
export function withActed(before: readonly ActedEvent[], more: readonly ActedEvent[]): readonly ActedEvent[] {
  const known = new Set(before.map(({ id }) => id));
  const fresh = more.filter(({ id }, index) => {
    return !known.has(id) && more.findIndex((other) => other.id === id) === index;
  });
  return fresh.length === 0 ? before : [...before, ...fresh];
}
