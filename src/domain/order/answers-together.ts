import type { OrderAnswer, OrderAsItStands } from "./answer.ts";
import { withAnswer } from "./answer.ts";
import type { AnswerRefusal } from "./answer-refusal.ts";
import type { OwnerAnswers } from "./context.ts";

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
 * them, although the first may already settle all that it waits for.
 */
export function withAnswers(given: readonly OrderAnswer[], order: OrderAsItStands): AnsweredTogether {
  let { answers } = order;
  const news: OrderAnswer[] = [];
  const refusals: RefusedAnswer[] = [];
  for (const { answer, index } of approvalLast(given)) {
    const answered = withAnswer(answer, { ...order, answers });
    if (!answered.ok) refusals.push({ index, refusal: answered.error });
    else if (!answered.value.isRepeat) {
      answers = answered.value.answers;
      news.push(answer);
    }
  }
  return { answers, news, refusals: refusals.toSorted((a, b) => a.index - b.index) };
}

/** Whoever approves has seen what the other answers make of the order. */
function approvalLast(given: readonly OrderAnswer[]) {
  const placed = given.map((answer, index) => ({ answer, index }));
  const isLast = ({ answer }: { readonly answer: OrderAnswer }) => answer.answer === "approve";
  return [...placed.filter((each) => !isLast(each)), ...placed.filter(isLast)];
}
