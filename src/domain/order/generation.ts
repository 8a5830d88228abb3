import { type Balance, remainingTotal } from "../invoice/balance.ts";
import { isPositive } from "../shared/decimal.ts";
import type { ActedEvent, OrderContext, OrderHistory, Reissue } from "./context.ts";
import { type CorrectionEvent, fiscalFingerprint, isOfFiscalEvent } from "./facts.ts";
import { asksForInvoice, cancelledStatus } from "./gates.ts";

/**
 * A cancelled order that returned and that its owner invoices again is decided like one without an invoice.
 * Earlier invoices stay. It waits while its newest facts request no invoice.
 */
export function openGeneration<Context extends OrderContext>(context: Context): Context {
  const { answers, history } = context;
  const isAsked = answers.reissue?.generation === history.generation + 1;
  if (!isAsked || !history.invoice || !isWanted(context)) return context;
  return { ...context, history: nextGeneration(history) };
}

export function nextGeneration({ generation, acted, invoice }: OrderHistory): OrderHistory {
  return {
    generation: generation + 1,
    rectifications: [],
    acted,
    ...(invoice ? { earlier: invoice } : {}),
  };
}

export function isReissue({ history }: OrderContext): boolean {
  return history.generation > 1;
}

/** As origins and events that acted have it, where it is not the first. */
export function generationIn({ generation }: OrderHistory): { readonly generation?: number } {
  return generation === 1 ? {} : { generation };
}

export function actedIn({ acted, generation }: OrderHistory): readonly ActedEvent[] {
  return acted.filter((event) => (event.generation ?? 1) === generation);
}

/** A cancellation, or a void, of an invoice before this one. */
export function isOver({ answers, history }: OrderContext, { id }: Pick<CorrectionEvent, "id">): boolean {
  const { reissue } = answers;
  return reissue !== undefined && reissue.generation <= history.generation && reissue.over.includes(id);
}

/** The shop cancelled the order, its invoice was taken back whole, and now it asks for an invoice again. */
export function isReactivated(context: OrderContext, balances: readonly Balance[]): boolean {
  const { answers, history } = context;
  if (!actedIn(history).some(isOfFiscalEvent) || isPositive(remainingTotal(balances))) return false;
  if (!asksAgain(context)) return false;
  return !answers.dismissals.some(({ about }) => about === aboutReactivation(context));
}

/** The subject of its reason: these facts came back. Subjects of events contain a space, so they differ. */
export function aboutReactivation({ facts, history }: OrderContext): string {
  return `reactivated:${history.generation}:${fiscalFingerprint(facts).slice(0, 16)}`;
}

/** The owner's request for a new invoice: earlier cancellations do not act on it. */
export function reissueOf({ facts, answers, history }: OrderContext): Reissue {
  const cancellations = [...facts.events, ...answers.events].filter(isCancellation).map(({ id }) => id);
  const over = [...new Set([...(answers.reissue?.over ?? []), ...cancellations])];
  return { generation: history.generation + 1, over };
}

function isWanted(context: OrderContext): boolean {
  const { facts, answers, history } = context;
  const gone = new Set([...(answers.reissue?.over ?? []), ...history.acted.map(({ id }) => id)]);
  return asksAgain(context) && !facts.events.some((event) => isCancellation(event) && !gone.has(event.id));
}

function asksAgain(context: OrderContext): boolean {
  const { facts } = context;
  return asksForInvoice(facts) && !facts.isCancelled && cancelledStatus(context) === undefined;
}

function isCancellation({ type }: CorrectionEvent): boolean {
  return type === "cancellation" || type === "void";
}
