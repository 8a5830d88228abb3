import type { Context } from "hono";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import type { OrderInvoice, OrderView } from "../../domain/order/order-view.ts";
import { assertNever } from "../../domain/shared/result.ts";
import type { AnswerOutcome } from "../../ledger/orders/order-outcomes.ts";
import { type ErrorCode, errorSentence, type Language } from "../../words/words.ts";
import type { ConsoleEnv } from "../deps.ts";
import { refuseByRule, refuseUnavailable } from "../refuse.ts";
import { shownReason } from "./shown-reason.ts";

/** What became of one order after an answer. */
export function answeredOrder(c: Context<ConsoleEnv>, outcome: AnswerOutcome) {
  switch (outcome.outcome) {
    case "taken":
      return shownAnswered(outcome.order, c.var.language);
    case "refused":
      return refuseByRule(c, outcome.refusal);
    case "unauthorized":
    case "rate_limited":
      // The object asks neither of an owner.
      return refuseUnavailable(c, { cause: outcome.outcome });
    case "unavailable":
    case "failed":
      return refuseUnavailable(c, outcome);
    default:
      return assertNever(outcome);
  }
}

function shownAnswered(order: OrderView, language: Language) {
  return {
    state: order.state,
    reasons: order.reasons.map((reason) => shownReason(reason, language)),
    documents: order.invoices.flatMap(documentOf),
  };
}

function documentOf({ kind, invoiceType, currency, totals, issued }: OrderInvoice) {
  if (!issued) return [];
  const { invoiceId: id, fullNumber, state } = issued;
  return [{ kind, invoiceType, currency, total: totals.total, id, fullNumber, state }];
}

/** Of one order among many: a refusal of it is no error of the call. */
export function toldOutcome(outcome: AnswerOutcome, language: Language) {
  const nothing = { state: "", message: "", fullNumber: "", total: "", currency: "" };
  switch (outcome.outcome) {
    case "taken": {
      const { state, reasons, invoices } = outcome.order;
      const last = invoices.at(-1);
      const issued = { fullNumber: last?.issued?.fullNumber ?? "", total: last?.totals.total ?? "" };
      const [reason] = reasons;
      const message = reason ? shownReason(reason, language).title : "";
      return {
        outcome: "done" as const,
        ...nothing,
        state,
        message,
        ...issued,
        currency: last?.currency ?? "",
      };
    }
    case "refused":
      return { outcome: "refused" as const, ...nothing, message: sentenceOf(outcome.refusal, language) };
    default:
      return { outcome: "failed" as const, ...nothing, message: notNow(language) };
  }
}

function sentenceOf({ code, facts }: Refusal<ErrorCode>, language: Language): string {
  return errorSentence(code, facts, language);
}

function notNow(language: Language): string {
  return errorSentence("temporarily_unavailable", { seconds: { amount: "5" } }, language);
}
