import { assertNever, type Result } from "../shared/result.ts";
import type { OrderAnswer, OrderAsItStands } from "./answer.ts";
import { checkAnnulment, checkDistinct, checkShares } from "./answer-event-checks.ts";
import {
  checkCancellation,
  checkDismissal,
  checkFullInvoice,
  checkIssue,
  checkRecipient,
} from "./answer-invoice-checks.ts";
import type { AnswerRefusal } from "./answer-refusal.ts";
import {
  checkApproval,
  checkCountry,
  checkDiscount,
  checkExchangeRate,
  checkKeptRate,
  checkOwnSales,
  checkOwnTreatment,
  checkProfile,
  checkRelease,
  checkRounding,
} from "./answer-sale-checks.ts";
import type { OrderContext } from "./context.ts";

/** Whether the answer fits the order; `after` is the order with it. */
export function checkAnswer(
  answer: OrderAnswer,
  order: OrderAsItStands,
  after: OrderContext,
): Result<void, AnswerRefusal> {
  switch (answer.answer) {
    case "release":
      return checkRelease(order);
    case "assign_profile":
      return checkProfile(answer.profileId, order);
    case "declare_treatment":
      return checkOwnTreatment(answer, order);
    case "declare_sales":
      return checkOwnSales(answer.sales, order, after);
    case "enter_recipient":
      return checkRecipient(order, after);
    case "enter_country":
      return checkCountry(order, after);
    case "enter_exchange_rate":
      return checkExchangeRate(answer, order);
    case "approve":
      return checkApproval(order, after);
    case "keep_oss_rate":
      return checkKeptRate(answer.from, order);
    case "rounding":
      return checkRounding(answer.rate, order, after);
    case "declare_discount":
      return checkDiscount(answer.name, order);
    case "mark_distinct":
      return checkDistinct(answer.eventId, order);
    case "share_event":
      return checkShares(answer, order, after);
    case "confirm_annulment":
      return checkAnnulment(answer.eventId, order, after);
    case "issue_cancellation":
      return checkCancellation(order);
    case "issue":
      return checkIssue(order, after);
    case "ask_full_invoice":
      return checkFullInvoice(order, after);
    case "dismiss":
      return checkDismissal(answer, order, after);
    default:
      return assertNever(answer);
  }
}
