import { newId } from "../domain/connection/ids.ts";
import { type Refusal, refuse } from "../domain/invoice/refusal.ts";
import { type Answered, type OrderAnswer, withAnswer } from "../domain/order/answer.ts";
import { answerFacts } from "../domain/order/answer-facts.ts";
import type { AnswerRefusal } from "../domain/order/answer-refusal.ts";
import { NO_ANSWERS } from "../domain/order/context.ts";
import { staleWarning } from "../domain/order/dates.ts";
import { decideOrder } from "../domain/order/decide-order.ts";
import { newestFacts } from "../domain/order/newest-facts.ts";
import type { OrderWarning } from "../domain/order/reasons.ts";
import type { Result } from "../domain/shared/result.ts";
import { assertNever } from "../domain/shared/result.ts";
import { contextOf, decideAndKeep, type Undecided } from "./decide-order.ts";
import type { DecisionDeps } from "./number-invoice.ts";
import { type OrderInstruction, type OwnerAnswering, readSubmission } from "./order-instruction.ts";
import type { AnswerOutcome, OrderOutcome, OrderSubmission } from "./order-outcomes.ts";
import type { StoredOrder } from "./order-ports.ts";
import { previewOf, viewOrder } from "./view-order.ts";
import type { WorkingBooks } from "./working-books.ts";

/** What became of an instruction, and the books to go on with. */
export interface Told<Outcome = AnswerOutcome> {
  readonly outcome: Outcome;
  /** With what was decided; those of before where nothing was, or it was only looked at. */
  readonly working: WorkingBooks;
}

/** Decides one instruction on a copy of the books. */
export function decideInstruction(
  instruction: OrderInstruction,
  working: WorkingBooks,
  deps: DecisionDeps,
): Told {
  switch (instruction.kind) {
    case "submit":
      return submit(instruction.submission, instruction.requestId, working, deps);
    case "again":
      return again(instruction, working, deps);
    case "answer":
      return answer(instruction, working, deps);
    default:
      return assertNever(instruction);
  }
}

function submit(
  submission: OrderSubmission,
  requestId: string,
  working: WorkingBooks,
  deps: DecisionDeps,
): Told<OrderOutcome> {
  const { timeZone } = working.settings;
  const read = readSubmission(submission, timeZone);
  const stored = working.orders.get(read.facts.idExternal);
  if (stored && stored.sentSha256 === read.sentSha256 && !stored.undecided) return asStored(stored, working);
  const { facts, stale } = newestFacts(stored?.facts, read.facts);
  const isKept = stored !== undefined && (stale !== undefined || stored.sentSha256 === read.sentSha256);
  const undecided: Undecided = {
    stored,
    facts,
    answers: stored?.answers ?? NO_ANSWERS,
    sentSha256: isKept ? stored.sentSha256 : read.sentSha256,
    ...(isKept ? {} : { sent: read.sent }),
    payloadWarnings: isKept ? payloadWarningsOf(stored) : read.warnings.map(beyondContract),
    requestId,
  };
  const told = decided(undecided, working, deps);
  if (told.outcome.outcome !== "taken") return told;
  const outcome = stale ? withWarning(told.outcome, staleWarning(stale, timeZone)) : told.outcome;
  if (!submission.preview) return { ...told, outcome };
  return { outcome: { ...outcome, order: previewOf(outcome.order, working) }, working };
}

/** The same again changes nothing and issues nothing, whatever was declared meanwhile. */
function asStored(stored: StoredOrder, working: WorkingBooks): Told<OrderOutcome> {
  return { outcome: { outcome: "taken", order: viewOrder(stored, working), created: false }, working };
}

type Again = Extract<OrderInstruction, { readonly kind: "again" }>;

function again({ idExternal, requestId, userId }: Again, working: WorkingBooks, deps: DecisionDeps): Told {
  const stored = working.orders.get(idExternal);
  if (!stored) return unknown(idExternal, working);
  const told = decided(unchanged(stored, requestId), working, deps);
  if (userId !== undefined && told.working.writes.has(idExternal)) {
    note({ userId, verb: "decide_again", facts: { order: idExternal } }, told.working, deps);
  }
  return told;
}

function answer(answering: OwnerAnswering, working: WorkingBooks, deps: DecisionDeps): Told {
  const { idExternal, userId, requestId } = answering;
  const stored = working.orders.get(idExternal);
  if (!stored) return unknown(idExternal, working);
  const answered = answeredNow(answering.answer, stored, working);
  if (!answered.ok) return { outcome: { outcome: "refused", refusal: answered.error }, working };
  const { answers, isRepeat } = answered.value;
  if (isRepeat) return asStored(stored, working);
  const told = decided({ ...unchanged(stored, requestId), answers }, working, deps);
  if (told.outcome.outcome !== "taken") return told;
  const facts = { order: idExternal, ...answerFacts(answering.answer) };
  note({ userId, verb: "answer_order", facts }, told.working, deps);
  return told;
}

/** The answer is judged by what the order comes to today. */
function answeredNow(
  given: OrderAnswer,
  stored: StoredOrder,
  working: WorkingBooks,
): Result<Answered, AnswerRefusal> {
  const context = contextOf(stored.facts, stored, working);
  const { state, reasons } = decideOrder(context);
  return withAnswer(given, { ...context, state, reasons });
}

function unknown(
  idExternal: string,
  working: WorkingBooks,
): Told<{ readonly outcome: "refused"; readonly refusal: Refusal<"order_not_found"> }> {
  const refused = refuse("order_not_found", { order_id: idExternal });
  return { outcome: { outcome: "refused", refusal: refused.error }, working };
}

interface Deed {
  readonly userId: string;
  readonly verb: string;
  readonly facts: Readonly<Record<string, string>>;
}

function note(deed: Deed, working: WorkingBooks, deps: DecisionDeps): void {
  working.audits.push({ id: newId("al", deps.ledger, deps.random), at: working.now, ...deed });
}

function unchanged(stored: StoredOrder, requestId: string): Undecided {
  const { facts, answers, sentSha256 } = stored;
  return { stored, facts, answers, sentSha256, payloadWarnings: payloadWarningsOf(stored), requestId };
}

function decided(undecided: Undecided, before: WorkingBooks, deps: DecisionDeps): Told<OrderOutcome> {
  const kept = decideAndKeep(undecided, before, deps);
  if (!kept.ok) return { outcome: { outcome: "refused", refusal: kept.error }, working: before };
  const { order, working } = kept.value;
  const created = undecided.stored === undefined;
  return { outcome: { outcome: "taken", order: viewOrder(order, working), created }, working };
}

type Taken = Extract<OrderOutcome, { readonly outcome: "taken" }>;

function withWarning(taken: Taken, warning: OrderWarning): Taken {
  return { ...taken, order: { ...taken.order, warnings: [...taken.order.warnings, warning] } };
}

function payloadWarningsOf({ warnings }: StoredOrder): OrderWarning[] {
  return warnings.filter(({ code }) => code === "field_beyond_contract");
}

function beyondContract({
  code,
  ...facts
}: ReturnType<typeof readSubmission>["warnings"][number]): OrderWarning {
  return { code, facts };
}
