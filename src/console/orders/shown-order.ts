import { clientOf } from "../../domain/order/recipient.ts";
import { viewOrder } from "../../ledger/orders/view-order.ts";
import type { Language } from "../../words/words.ts";
import type { OrderRead } from "./order-detail-ports.ts";
import type { OrderListed } from "./order-list-ports.ts";
import { addsUp, type OrderStep, storyOf } from "./order-story.ts";
import { shownReason, shownWarning } from "./shown-reason.ts";

export function shownListed(listed: OrderListed, language: Language) {
  const { reason, orderedAt, connectionId, idExternal, ...row } = listed;
  return {
    ...row,
    connectionId,
    orderId: idExternal,
    orderedAt: asMoment(orderedAt),
    reason: reason ? shortReason(reason, language) : null,
  };
}

function shortReason(reason: NonNullable<OrderListed["reason"]>, language: Language) {
  const { code, title } = shownReason(reason, language);
  return { code, title };
}

/** One order whole: what the shop sent, what was decided of it, and what came of that. */
export function shownOrder(read: OrderRead, names: ReadonlyMap<string, string>, language: Language) {
  const { order, invoices } = read;
  const { facts, answers } = order;
  const byOrigin = new Map(invoices.map((invoice) => [invoice.view.origin, invoice]));
  const view = viewOrder(order, { invoices: byOrigin });
  const isTest = (invoiceId: string | undefined) =>
    invoices.some((one) => one.view.invoiceId === invoiceId && one.view.document.test);
  return {
    orderId: order.idExternal,
    connection: read.connection,
    store: read.store ?? null,
    state: order.state,
    reasons: order.reasons.map((reason) => shownReason(reason, language)),
    warnings: view.warnings.map((warning) => shownWarning(warning, language)),
    orderedAt: asMoment(facts.orderedAt),
    orderDay: order.orderDay,
    dueDate: order.dueDate,
    facts,
    customer: clientOf({ facts, answers }),
    addsUp: addsUp(order),
    documents: view.invoices.map(({ kind, invoiceType, issueDate, currency, totals, issued }) => ({
      kind,
      invoiceType,
      issueDate,
      currency,
      total: totals.total,
      id: issued?.invoiceId ?? "",
      fullNumber: issued?.fullNumber ?? "",
      state: issued?.state ?? "pending_submission",
      ...(isTest(issued?.invoiceId) ? { test: true as const } : {}),
    })),
    story: storyOf(read).map((step) => shownStep(step, names)),
    hasMoreDeeds: read.hasMoreDeeds,
  };
}

function shownStep(step: OrderStep, names: ReadonlyMap<string, string>) {
  const at = asMoment(step.at);
  const nothing = { who: "", answer: "", why: "", invoiceId: "", fullNumber: "", invoiceType: "" };
  switch (step.step) {
    case "issued":
    case "annulled": {
      const { invoiceId, fullNumber, invoiceType } = step;
      return { at, step: step.step, ...nothing, invoiceId, fullNumber, invoiceType };
    }
    case "deed": {
      const { userId, verb, facts } = step.deed;
      const who = names.get(userId) ?? "";
      return { at, step: step.step, ...nothing, who, answer: facts.answer ?? verb, why: facts.why ?? "" };
    }
    default:
      return { at, step: step.step, ...nothing };
  }
}

/** An instant as every answer of the console writes it. */
export function asMoment(at: number): string {
  return new Date(at).toISOString();
}
