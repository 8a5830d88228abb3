import type { OrderAnswer } from "../../domain/order/answers/table.ts";
import type { Question } from "../../domain/order/question.ts";
import type { Reason } from "../../domain/order/reasons.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** The result for one order when all orders of a question got one answer. */
export type QuestionOutcomeCode =
  | "issued"
  /** Decided without an invoice, such as a dismissed order. */
  | "settled"
  /** It has the answer and waits for another reason. */
  | "waiting"
  | "refused"
  /** It changed, or no longer asked: nothing was answered. */
  | "changed"
  /** Left out by the owner. */
  | "apart"
  | "failed";

export interface QuestionOutcome {
  readonly jobId: string;
  readonly idExternal: string;
  readonly outcome: QuestionOutcomeCode;
  /** The number of the invoice, the code of the next reason or of the refusal, or the state. */
  readonly detail?: string;
  readonly profileId?: string;
}

/** Orders that one answer is given to at most; the oldest are taken. */
export const MOST_ANSWERED = 1_000;

/** The answer of an owner to all orders that ask a question. */
export interface QuestionJob {
  readonly id: string;
  readonly userId: string;
  readonly question: Question;
  readonly answer: OrderAnswer;
  readonly remember: boolean;
}

/** With the reason of the oldest order, which names the question; jobs of earlier versions have none. */
export interface QuestionJobRow extends QuestionJob {
  readonly reason?: Reason;
}

export interface NewQuestionJob extends QuestionJob {
  /** Orders that the owner left out. */
  readonly except: readonly string[];
  /** When the owner saw the orders: later ones are left alone, and those changed later are not decided. */
  readonly asOf: Instant;
}

/** One order of a job whose turn is still to come. */
export interface JobOrder {
  readonly idExternal: string;
  readonly apart: boolean;
  readonly changedAt: Instant;
}

/** The oldest job that has not ended, with the next of its orders. */
export interface OpenJob {
  readonly job: QuestionJobRow;
  readonly orders: readonly JobOrder[];
}
