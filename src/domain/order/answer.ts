import type { Destinations, ForeignSales } from "../billing/destinations.ts";
import type { SalesSettings, Treatment } from "../billing/sales-settings.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import type { Decimal } from "../shared/decimal.ts";
import { ok, type Result } from "../shared/result.ts";
import { isSameValue } from "../shared/same-value.ts";
import { applied, statedMembers } from "./answer-applied.ts";
import { checkAnswer } from "./answer-checks.ts";
import type { AnswerRefusal } from "./answer-refusal.ts";
import type { Dismissal, OrderContext, OwnerAnswers, RateAmount } from "./context.ts";
import type { OrderState } from "./decision.ts";
import type { ClientFacts } from "./facts.ts";
import { aboutEvent } from "./judge-event.ts";
import { answersTo, type Reason } from "./reasons.ts";

/** Everything that an owner can do to one order. Plain values, which JSON and RPC leave as they are. */
export type OrderAnswer =
  /** Invoice it although it is from before the cutoff, invoiced elsewhere, a test, or states other taxes. */
  | { readonly answer: "release" }
  | { readonly answer: "assign_profile"; readonly profileId: string }
  /** What an amount outside the lines is, in this order. */
  | { readonly answer: "declare_treatment"; readonly code: string; readonly treatment: OwnTreatment }
  /** What is true of this sale, whatever was declared of the others. */
  | { readonly answer: "declare_sales"; readonly sales: OwnSales }
  | { readonly answer: "enter_recipient"; readonly recipient: EnteredRecipient }
  | { readonly answer: "enter_country"; readonly country: string }
  | { readonly answer: "enter_exchange_rate"; readonly rate: Decimal; readonly date: CivilDate }
  /** The rate that a reason asks about is one of that place from a day on: for all orders of the account. */
  | { readonly answer: "keep_oss_rate"; readonly from: CivilDate }
  /** Which rate takes the cents that rounding makes of the order. */
  | { readonly answer: "rounding"; readonly rate: Decimal }
  /** Seen and good: issue it. */
  | { readonly answer: "approve" }
  | { readonly answer: "declare_discount"; readonly name: string; readonly as: "discount" | "payment" }
  /** An event that looks repeated is another one. */
  | { readonly answer: "mark_distinct"; readonly eventId: string }
  /** How much of an event without lines goes to each rate; positive. */
  | { readonly answer: "share_event"; readonly eventId: string; readonly shares: readonly RateAmount[] }
  /** There was no sale, as the shop says. */
  | { readonly answer: "confirm_annulment"; readonly eventId: string }
  /** Rectify all that remains of the invoice, without waiting for the shop. */
  | { readonly answer: "issue_cancellation" }
  /** A new invoice, of the order as it stands, after the shop took up again what it had cancelled. */
  | { readonly answer: "issue" }
  | { readonly answer: "ask_full_invoice"; readonly recipient?: EnteredRecipient }
  /** `which` settles those reasons alone; else the order, or after its invoice all that stand. */
  | { readonly answer: "dismiss"; readonly why: string; readonly which?: readonly Dismissal[] };

/** To hold it again would be no answer. */
export type OwnTreatment = Exclude<Treatment, { readonly as: "hold" }>;

/** Whether it is issued at all is said by `approve` and `dismiss`. */
export type OwnSales = Partial<
  Pick<
    SalesSettings,
    "zeroRateBasis" | "voucherKind" | "article42" | "underAuthorisation" | "discountsIncluded"
  >
> & {
  readonly customerCredit?: Exclude<SalesSettings["customerCredit"], "review">;
  readonly destinations?: Destinations;
  /** The shorthand for destinations: of those that it does not name it says nothing here. */
  readonly foreignSales?: ForeignSales;
};

/** Members in place of the client's; an empty text says that there is none. */
export type EnteredRecipient = Pick<
  ClientFacts,
  "firstName" | "lastName" | "company" | "vatNumber" | "idType" | "country" | "address1" | "postcode" | "city"
>;

/** An order with what was decided of it last. */
export interface OrderAsItStands extends OrderContext {
  readonly state: OrderState;
  readonly reasons: readonly Reason[];
}

export interface Answered {
  /** All that the owner has said of the order from now on. */
  readonly answers: OwnerAnswers;
  /** It was said before: a repeat, also of a call whose answer was lost, is no second deed. */
  readonly isRepeat: boolean;
}

/** What the owner says of an order, if it fits the order as it stands. */
export function withAnswer(answer: OrderAnswer, order: OrderAsItStands): Result<Answered, AnswerRefusal> {
  const answers = applied(answer, order);
  const isRepeat = isSameValue(answers, order.answers);
  if (isRepeat && !isOpen(answer, order)) return ok({ answers: order.answers, isRepeat });
  const checked = checkAnswer(answer, order, { ...order, answers });
  if (!checked.ok) return checked;
  return ok({ answers: isRepeat ? order.answers : answers, isRepeat });
}

/** Whether something still waits for such an answer: then the same one again must be looked at. */
function isOpen(answer: OrderAnswer, { facts, answers, reasons }: OrderAsItStands): boolean {
  if (answer.answer === "issue_cancellation") return false;
  if (answer.answer === "issue" && answers.reissue === undefined) return true;
  // What says nothing changes nothing, and is no repeat of anything.
  if (answer.answer === "dismiss") return !answers.dismissed && answers.dismissals.length === 0;
  if (answer.answer === "declare_sales" && statedMembers(answer.sales).length === 0) return true;
  // Of no rate that is asked about it says nothing, unless it was said before.
  if (answer.answer === "keep_oss_rate") {
    return !(answers.keptRates ?? []).some(({ from }) => from === answer.from);
  }
  const waiting = reasons.filter(({ code }) => answersTo(code).includes(answer.answer));
  if (!("eventId" in answer)) return waiting.length > 0;
  const abouts = facts.events.filter(({ id }) => id === answer.eventId).map(aboutEvent);
  return waiting.some(({ about }) => about !== undefined && abouts.includes(about));
}
