import type { AreaRate } from "../../place/kept-rates.ts";
import { ok, type Result } from "../../shared/result.ts";
import { isSameValue } from "../../shared/same-value.ts";
import type { OwnerAnswers } from "../context.ts";
import { decideOrder } from "../decide-order.ts";
import { openGeneration } from "../generation.ts";
import type { AnswerKind } from "../reasons.ts";
import { type AnswerRow, type AuditFacts, type CurrentOrder, isAskedFor } from "./answer.ts";
import { confirm_annulment, mark_distinct, share_event } from "./event.ts";
import { ask_full_invoice, dismiss, enter_recipient, issue, issue_cancellation } from "./invoice.ts";
import type { AnswerRefusal } from "./refusals.ts";
import {
  approve,
  assign_profile,
  declare_discount,
  declare_sales,
  declare_treatment,
  enter_country,
  enter_exchange_rate,
  keep_oss_rate,
  release,
  rounding,
} from "./sale.ts";

/** Everything that an owner can do to one order. */
const ANSWERS = {
  ...{ release, assign_profile, declare_treatment, declare_sales, declare_discount, rounding },
  ...{ enter_country, enter_exchange_rate, keep_oss_rate, approve },
  ...{ mark_distinct, share_event, confirm_annulment },
  ...{ enter_recipient, ask_full_invoice, issue_cancellation, issue, dismiss },
} satisfies Readonly<Record<AnswerKind, AnswerRow<never>>>;

type GivenIn<Row> = Row extends AnswerRow<infer Given> ? Given : never;
type Flat<Members> = { [Name in keyof Members]: Members[Name] };

/** An answer of one kind, with what it says. */
export type OrderAnswer = {
  [Kind in AnswerKind]: Flat<{ readonly answer: Kind } & GivenIn<(typeof ANSWERS)[Kind]>>;
}[AnswerKind];

/** Each row takes the answers of its own kind. The compiler cannot see that the kind chose the row. */
function rowOf({ answer }: OrderAnswer): AnswerRow<OrderAnswer> {
  const row: AnswerRow<never> = ANSWERS[answer];
  return row as AnswerRow<OrderAnswer>;
}

export interface Answered {
  /** All that the owner has said of the order from now on. */
  readonly answers: OwnerAnswers;
  /** It was said before: a retry, also of a call whose result was lost, writes nothing. */
  readonly isRepeat: boolean;
}

/** The owner's answers with this one, if it fits the order. */
export function withAnswer(given: OrderAnswer, order: CurrentOrder): Result<Answered, AnswerRefusal> {
  const { apply, check, isStillAsked } = rowOf(given);
  const answers = apply(order.answers, given, order);
  const isRepeat = isSameValue(answers, order.answers);
  const isAsked = isStillAsked ?? (() => isAskedFor(given.answer, order));
  if (isRepeat && !isAsked(given, order)) return ok({ answers: order.answers, isRepeat });
  const checked = check(given, order, { ...order, answers });
  if (!checked.ok) return checked;
  return ok({ answers: isRepeat ? order.answers : answers, isRepeat });
}

/** What the audit log keeps of an answer, and of the rate that it added to those of the account. */
export function answerFacts(given: OrderAnswer, [kept]: readonly AreaRate[] = []): AuditFacts {
  return { answer: given.answer, ...rowOf(given).facts?.(given, kept) };
}

/** The outcome of several answers to one order. */
export interface AnsweredTogether {
  /** All that the owner has said of the order, with those of these answers that fit. */
  readonly answers: OwnerAnswers;
  /** Those of these answers that say something new. */
  readonly news: readonly OrderAnswer[];
  readonly refusals: readonly RefusedAnswer[];
}

export interface RefusedAnswer {
  /** Place among those given. */
  readonly index: number;
  readonly refusal: AnswerRefusal;
}

/**
 * Several answers of one moment, each judged by the order as it is: nothing is issued between two of them,
 * although the first may already settle every reason. After `issue` the order is that of the new invoice.
 */
export function withAnswers(given: readonly OrderAnswer[], order: CurrentOrder): AnsweredTogether {
  let current = order;
  const news: PlacedAnswer[] = [];
  const refusals: RefusedAnswer[] = [];
  for (const { answer, index } of inTheirOrder(given)) {
    const answered = withAnswer(answer, asAnswered(answer, current));
    if (!answered.ok) refusals.push({ index, refusal: answered.error });
    else if (!answered.value.isRepeat) {
      const next = { ...current, answers: answered.value.answers };
      current = answer.answer === "issue" ? issuedAnew(next) : next;
      news.push({ index, answer });
    }
  }
  return {
    answers: current.answers,
    news: news.toSorted(asGiven).map(({ answer }) => answer),
    refusals: refusals.toSorted((a, b) => a.index - b.index),
  };
}

/** Which rates are unknown depends on how the sale is invoiced, which an answer before may have declared. */
function asAnswered({ answer }: OrderAnswer, order: CurrentOrder): CurrentOrder {
  return answer === "keep_oss_rate" ? { ...order, reasons: decideOrder(order).reasons } : order;
}

function issuedAnew(order: CurrentOrder): CurrentOrder {
  const { state, reasons } = decideOrder(order);
  return { ...openGeneration(order), state, reasons };
}

interface PlacedAnswer {
  readonly answer: OrderAnswer;
  readonly index: number;
}

/** The buyer decides the destination that a sale is declared of. */
function inTheirOrder(given: readonly OrderAnswer[]): readonly PlacedAnswer[] {
  const placed = given.map((answer, index) => ({ answer, index }));
  const rank = ({ answer: { answer } }: PlacedAnswer) => (answer === "enter_recipient" ? 0 : 1);
  return placed.toSorted((a, b) => rankOf(a) - rankOf(b) || rank(a) - rank(b));
}

/** The other answers are about the new invoice; an approval is of what they make of it. */
function asGiven(a: PlacedAnswer, b: PlacedAnswer): number {
  return rankOf(a) - rankOf(b) || a.index - b.index;
}

function rankOf({ answer: { answer } }: PlacedAnswer): number {
  return answer === "issue" ? 0 : answer === "approve" ? 2 : 1;
}
