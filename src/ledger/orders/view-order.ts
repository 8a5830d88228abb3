import type { OrdersRead, StoredInvoice, StoredOrder } from "../../db/ledger-state.ts";
import { newestRegistration } from "../../domain/invoice/invoice-view.ts";
import { orderIdOf } from "../../domain/order/order-origin.ts";
import type { OrderWarning } from "../../domain/order/reasons.ts";
import type { LedgerDraft } from "../core/ledger-draft.ts";
import type { PrintedOrder } from "../core/outcomes.ts";
import { documentsOf } from "./decide-order.ts";
import type { OrderInvoice, OrderView, ReadOrderOutcome } from "./order-outcomes.ts";

/** An order with its documents as the books have them. */
export function viewOrder(order: StoredOrder, working: Pick<LedgerDraft, "invoices">): OrderView {
  const documents = documentsOf(order.idExternal, working);
  const first = documents.findLast(({ kind }) => kind === "invoice");
  const tests = documents.flatMap(({ stored }) => stored.view.document.test ?? []);
  const late = first?.stored.view.document.warnings.flatMap(({ code, facts = {} }) =>
    code === "issued_late" ? [{ code, facts }] : [],
  );
  return {
    idExternal: order.idExternal,
    state: order.state,
    reasons: order.reasons,
    ...(tests.length > 0 ? { test: true } : {}),
    warnings: [...testWarnings(documents), ...(late ?? []), ...order.warnings],
    contractVersion: order.facts.contractVersion,
    invoices: documents.map(({ kind, stored }) => invoiceOf(kind, stored)),
  };
}

export function printedOrder({ facts, answers }: StoredOrder): PrintedOrder {
  return {
    orderReference: facts.reference ?? facts.idExternal,
    isEcbRate: answers.exchangeRate === undefined,
  };
}

/** Why its documents are not invoices, each reason once. */
function testWarnings(documents: ReturnType<typeof documentsOf>): OrderWarning[] {
  const codes = documents.flatMap(({ stored }) => stored.view.document.warnings.map(({ code }) => code));
  const ofTests = ["company_unverified", "connection_for_tests"] as const;
  return ofTests.filter((code) => codes.includes(code)).map((code) => ({ code, facts: {} }));
}

/** An order read outside the queue. */
export function viewRead(found: OrdersRead, idExternal: string): OrderReadOutcome {
  const [order] = viewAll(found, [idExternal]);
  return order ? { outcome: "found", order } : { outcome: "unknown" };
}

/** The orders found with these ids, in their order. */
export function viewAll({ orders, invoices }: OrdersRead, ids: readonly string[]): readonly OrderView[] {
  const byId = new Map(orders.map((order) => [order.idExternal, order]));
  const byOrder = Map.groupBy(invoices, ({ view }) => orderIdOf(view.origin));
  return ids.flatMap((id) => {
    const order = byId.get(id);
    const own = byOrder.get(id) ?? [];
    const byOrigin = new Map(own.map((invoice) => [invoice.view.origin, invoice]));
    return order ? [viewOrder(order, { invoices: byOrigin })] : [];
  });
}

type OrderReadOutcome = Extract<ReadOrderOutcome, { readonly outcome: "found" | "unknown" }>;

/** The same for a preview: an invoice that is not in the books has no number. */
export function previewOf(view: OrderView, before: Pick<LedgerDraft, "invoices">): OrderView {
  const known = new Set([...before.invoices.values()].map(({ view: { invoiceId } }) => invoiceId));
  return {
    ...view,
    invoices: view.invoices.map((invoice) => {
      if (invoice.issued && known.has(invoice.issued.invoiceId)) return invoice;
      const { issued: _, ...rest } = invoice;
      return rest;
    }),
  };
}

function invoiceOf(kind: OrderInvoice["kind"], { view }: StoredInvoice): OrderInvoice {
  const { document, invoiceId, number, fullNumber, series, issueDate } = view;
  return {
    kind,
    invoiceType: document.request.invoiceType,
    series,
    issueDate,
    currency: document.request.currency,
    groups: document.groups,
    totals: document.totals,
    issued: {
      invoiceId,
      number,
      fullNumber,
      state: view.cancellation ? "cancelled" : newestRegistration(view).state,
    },
  };
}
