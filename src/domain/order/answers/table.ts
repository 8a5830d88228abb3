import type { AreaRate } from "../../place/vat-rates.ts";
import { isSameValue } from "../../shared/hash.ts";
import { ok, type Result } from "../../shared/result.ts";
import type { OwnerAnswers } from "../context.ts";
import { decideOrder } from "../decide-order.ts";
import { openGeneration } from "../generation.ts";
import type { AnswerKind } from "../reasons.ts";
import {
  type AnswerRefusal,
  type AnswerRow,
  type AuditFacts,
  type CurrentOrder,
  isAskedFor,
} from "./answer.ts";
import { confirm_annulment, mark_distinct, share_event } from "./event.ts";
import { ask_full_invoice, dismiss, enter_recipient, issue, issue_cancellation } from "./invoice.ts";
import {
  approve,
  assign_profile,
  declare_discount,
  declare_sales,
  declare_treatment,
  enter_country,
  enter_exchange_rate,
  enter_tax_rate,
  keep_oss_rate,
  release,
  rounding,
} from "./sale.ts";

/** Every answer that an owner can give about one order. */
const ANSWERS = {
  ...{ release, assign_profile, declare_treatment, declare_sales, declare_discount, rounding },
  ...{ enter_country, enter_tax_rate, enter_exchange_rate, keep_oss_rate, approve },
  ...{ mark_distinct, share_event, confirm_annulment },
  ...{ enter_recipient, ask_full_invoice, issue_cancellation, issue, dismiss },
} satisfies Readonly<Record<AnswerKind, AnswerRow<never>>>;

type GivenIn<Row> = Row extends AnswerRow<infer Given> ? Given : never;
type Flat<Members> = { [Name in keyof Members]: Members[Name] };

/** An answer of one kind, with its content. */
export type OrderAnswer = {
  [Kind in AnswerKind]: Flat<{ readonly answer: Kind } & GivenIn<(typeof ANSWERS)[Kind]>>;
}[AnswerKind];

/** Each row takes the answers of its own kind. The compiler cannot see that the kind chose the row. */
function rowOf({ answer }: OrderAnswer): AnswerRow<OrderAnswer> {
  const row: AnswerRow<never> = ANSWERS[answer];
  return row as AnswerRow<OrderAnswer>;
}

export interface Answered {
  /** All answers of the owner about the order from now on. */
  readonly answers: OwnerAnswers;
  /** Given before: a retry, even after a lost result, writes nothing. */
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

/** The audit log's facts of an answer, and of the rate that it added to the account. */
export function answerFacts(given: OrderAnswer, [kept]: readonly AreaRate[] = []): AuditFacts {
  return { answer: given.answer, ...rowOf(given).facts?.(given, kept) };
}

/** The outcome of several answers to one order. */
export interface AnsweredTogether {
  /** All answers of the owner about the order, with the fitting new ones. */
  readonly answers: OwnerAnswers;
  /** The new answers that changed something. */
  readonly effective: readonly OrderAnswer[];
  readonly refusals: readonly RefusedAnswer[];
}

export interface RefusedAnswer {
  /** Index among the given answers. */
  readonly index: number;
  readonly refusal: AnswerRefusal;
}

/**
 * Several simultaneous answers, each judged by the order as it is: no invoice is issued between them, even if
 * the first settles every reason. After `issue` the order is that of the new invoice.
 */
export function withAnswers(given: readonly OrderAnswer[], order: CurrentOrder): AnsweredTogether {
  let current = order;
  const effective: PlacedAnswer[] = [];
  const refusals: RefusedAnswer[] = [];
  for (const { answer, index } of inTheirOrder(given)) {
    const answered = withAnswer(answer, asAnswered(answer, current));
    if (!answered.ok) refusals.push({ index, refusal: answered.error });
    else if (!answered.value.isRepeat) {
      const next = { ...current, answers: answered.value.answers };
      current = answer.answer === "issue" ? issuedAnew(next) : next;
      effective.push({ index, answer });
    }
  }
  return {
    answers: current.answers,
    effective: effective.toSorted(asGiven).map(({ answer }) => answer),
    refusals: refusals.toSorted((a, b) => a.index - b.index),
  };
}

/** The unknown rates depend on how the sale is invoiced, which an earlier answer may have declared. */
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

/** The recipient comes first, because the buyer decides the destination of the declared sale. */
function inTheirOrder(given: readonly OrderAnswer[]): readonly PlacedAnswer[] {
  const placed = given.map((answer, index) => ({ answer, index }));
  const rank = ({ answer: { answer } }: PlacedAnswer) => (answer === "enter_recipient" ? 0 : 1);
  return placed.toSorted((a, b) => rankOf(a) - rankOf(b) || rank(a) - rank(b));
}

/** Other answers refer to the new invoice; an approval comes last, because it covers their result. */
function asGiven(a: PlacedAnswer, b: PlacedAnswer): number {
  return rankOf(a) - rankOf(b) || a.index - b.index;
}

function rankOf({ answer: { answer } }: PlacedAnswer): number {
  return answer === "issue" ? 0 : answer === "approve" ? 2 : 1;
}
