import type { StoredOrder } from "../../db/ledger-state.ts";
import type { QuestionOutcome } from "../../db/orders/question-job.ts";
import { matchProfile } from "../../domain/billing/sales-settings.ts";
import type { OrderAnswer } from "../../domain/order/answers/table.ts";
import { type Question, questionOfOrder } from "../../domain/order/question.ts";
import { copyOf, type LedgerDraft } from "../core/ledger-draft.ts";
import type { DecisionDeps } from "../issue/draft-records.ts";
import { type OrderResult, type Undecided, unchanged } from "./decide-order.ts";
import type { OfQuestion, OrderInstruction } from "./order-outcomes.ts";

type Together = Extract<OrderInstruction, { readonly kind: "together" }>;

/** The ways of `decide-orders.ts` to answer an order and to decide it again. */
interface Deciding {
  readonly answer: (answering: Together, working: LedgerDraft, deps: DecisionDeps) => OrderResult;
  readonly decided: (undecided: Undecided, working: LedgerDraft, deps: DecisionDeps) => OrderResult;
}

/** An answer to one order; if several orders get it together, its outcome is part of the same batch. */
export function answerOfQuestion(
  answering: Together,
  before: LedgerDraft,
  deps: DecisionDeps,
  { answer, decided }: Deciding,
): OrderResult {
  const { ofQuestion, idExternal } = answering;
  if (!ofQuestion) return answer(answering, before, deps);
  const stored = before.orders.get(idExternal);
  const keepOutcome = (result: OrderResult, outcome: Pick<QuestionOutcome, "outcome" | "detail">) => {
    const working = copyOf(result.working);
    const profile = stored && profileIdOf(stored, working);
    working.questionOutcomes.push({
      ...{ jobId: ofQuestion.jobId, idExternal, ...outcome },
      ...(profile === undefined ? {} : { profileId: profile }),
    });
    return { ...result, working };
  };
  if (!stored || !isAsAsked(stored, ofQuestion)) {
    // The answer adds nothing, so that the caller gets the order as it is now.
    return keepOutcome(answer({ ...answering, answers: [] }, before, deps), { outcome: "changed" });
  }
  if (ofQuestion.apart) {
    const { answers } = withApart(stored, ofQuestion.question);
    const aside = { ...unchanged(stored, answering.requestId), answers };
    return keepOutcome(decided(aside, before, deps), { outcome: "apart" });
  }
  const answers = answering.answers.map((one) => aboutItsReason(one, stored));
  const result = answer({ ...answering, answers }, before, deps);
  return keepOutcome(result, outcomeOf(result));
}

/** Still the order that the owner saw, and still with this question. */
function isAsAsked(stored: StoredOrder, { question, changedAt }: OfQuestion): boolean {
  const asked = stored.state === "held" ? questionOfOrder(stored.reasons, stored.facts) : undefined;
  return asked === question && stored.changedAt === changedAt;
}

/** After the invoice only the reason of the question is dismissed, not all that hold the order. */
export function aboutItsReason(
  given: OrderAnswer,
  { soldFingerprint, reasons: [first] }: StoredOrder,
): OrderAnswer {
  if (given.answer !== "dismiss" || soldFingerprint === undefined || !first) return given;
  return { ...given, which: [{ code: first.code, about: first.about ?? "" }] };
}

function withApart(stored: StoredOrder, question: Question): StoredOrder {
  const { apart = [] } = stored.answers;
  const others = apart.filter((one) => one !== question);
  return { ...stored, answers: { ...stored.answers, apart: [...others, question] } };
}

function outcomeOf({ outcome }: OrderResult): Pick<QuestionOutcome, "outcome" | "detail"> {
  if (outcome.outcome === "refused") return { outcome: "refused", detail: outcome.refusal.code };
  if (outcome.outcome !== "taken") return { outcome: "failed" };
  const { state, reasons, invoices } = outcome.order;
  if (state === "held") {
    const [next] = reasons;
    return { outcome: "waiting", ...(next ? { detail: next.code } : {}) };
  }
  const number = invoices.at(-1)?.issued?.fullNumber;
  return state === "invoiced" && number !== undefined
    ? { outcome: "issued", detail: number }
    : { outcome: "settled", detail: state };
}

/** Undefined for the sales of the connection, and where no profile takes the order. */
function profileIdOf({ answers, facts }: StoredOrder, { selling }: LedgerDraft): string | undefined {
  const { profiles } = selling;
  if (profiles.some(({ id }) => id === answers.profileId)) return answers.profileId;
  const found = matchProfile(facts, profiles);
  return found.match === "one" ? found.profile.id : undefined;
}
