import type { OrderAnswer, OrderAsItStands } from "./answer.ts";
import { withAnswer } from "./answer.ts";
import type { AnswerRefusal } from "./answer-refusal.ts";
import type { OwnerAnswers } from "./context.ts";
import { decideOrder } from "./decide-order.ts";
import { openGeneration } from "./generation.ts";

/** What an owner says of an order in one breath, and which of it does not fit. */
export interface AnsweredTogether {
  /** All that the owner has said of the order, with what fits of this. */
  readonly answers: OwnerAnswers;
  /** Of those given, the ones that say something new. */
  readonly news: readonly OrderAnswer[];
  readonly refusals: readonly RefusedAnswer[];
}

export interface RefusedAnswer {
  /** Place among those given. */
  readonly index: number;
  readonly refusal: AnswerRefusal;
}

/**
 * Several answers of one moment, each judged by the order as it stands: nothing is issued between two of
 * them, although the first may already settle all that it waits for. After the word for a new invoice it
 * stands as that one comes to.
 */
export function withAnswers(given: readonly OrderAnswer[], order: OrderAsItStands): AnsweredTogether {
  let standing = order;
  const news: PlacedAnswer[] = [];
  const refusals: RefusedAnswer[] = [];
  for (const { answer, index } of inTheirOrder(given)) {
    const answered = withAnswer(answer, asAnswered(answer, standing));
    if (!answered.ok) refusals.push({ index, refusal: answered.error });
    else if (!answered.value.isRepeat) {
      const next = { ...standing, answers: answered.value.answers };
      standing = answer.answer === "issue" ? standingAnew(next) : next;
      news.push({ index, answer });
    }
  }
  const { answers } = standing;
  return {
    answers,
    news: news.toSorted(asGiven).map(({ answer }) => answer),
    refusals: refusals.toSorted((a, b) => a.index - b.index),
  };
}

/** How a sale is invoiced comes first: only then is it asked which of its rates are unknown. */
function asAnswered({ answer }: OrderAnswer, order: OrderAsItStands): OrderAsItStands {
  return answer === "keep_oss_rate" ? { ...order, reasons: decideOrder(order).reasons } : order;
}

function standingAnew(order: OrderAsItStands): OrderAsItStands {
  const { state, reasons } = decideOrder(order);
  return { ...openGeneration(order), state, reasons };
}

interface PlacedAnswer {
  readonly answer: OrderAnswer;
  readonly index: number;
}

/** Who buys makes the destination that a sale is declared of. */
function inTheirOrder(given: readonly OrderAnswer[]): readonly PlacedAnswer[] {
  const placed = given.map((answer, index) => ({ answer, index }));
  const rank = ({ answer: { answer } }: PlacedAnswer) => (answer === "enter_recipient" ? 0 : 1);
  return placed.toSorted((a, b) => rankOf(a) - rankOf(b) || rank(a) - rank(b));
}

/** A new invoice is what the others are about; whoever approves has seen what they make of it. */
function asGiven(a: PlacedAnswer, b: PlacedAnswer): number {
  return rankOf(a) - rankOf(b) || a.index - b.index;
}

function rankOf({ answer: { answer } }: PlacedAnswer): number {
  return answer === "issue" ? 0 : answer === "approve" ? 2 : 1;
}
