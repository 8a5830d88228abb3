import type { NewQuestionJob } from "../../db/orders/question-job.ts";
import { beginJob } from "../../db/orders/question-store.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { answerFacts } from "../../domain/order/answers/table.ts";
import { questionParts } from "../../domain/order/question.ts";
import { checkTogether, rememberedChange } from "../../domain/order/together.ts";
import { refused, verb, write } from "./verb.ts";

type AnswerQuestion = Omit<NewQuestionJob, "userId">;

/**
 * One answer to the orders that ask a question now. The verb keeps the answer with the list of these orders;
 * the object's alarm gives it to one after the other.
 */
export const answer_question = verb<AnswerQuestion, AnswerQuestion>({
  area: "orders",
  wakesObject: true,
  onceBy: ({ id }) => id,
  fieldOf: { answer_not_together: "answer", answer_not_remembered: "remember" },
  decide(request) {
    const { question, answer, remember } = request;
    const parts = questionParts(question);
    if (!parts) return refused(refuse("question_settled", {}, "question").error);
    const fits = checkTogether(parts, answer);
    if (!fits.ok) return refused(fits.error);
    if (remember && !rememberedChange(answer)) return refused(refuse("answer_not_remembered").error);
    return write(request, { ...answerFacts(answer) });
  },
  write: (db, owner, request, { userId, at }) => beginJob(db, owner, { ...request, userId }, at),
});
