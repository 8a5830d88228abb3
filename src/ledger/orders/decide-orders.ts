import type { ErasedOrder, StoredOrder } from "../../db/ledger-state.ts";
import { unavailable } from "../../db/store-calls.ts";
import { newId } from "../../domain/connection/ids.ts";
import { answerFacts, type RefusedAnswer, withAnswers } from "../../domain/order/answers/table.ts";
import { NO_ANSWERS } from "../../domain/order/context.ts";
import { staleWarning } from "../../domain/order/dates.ts";
import { newestFacts, type SoFar, withLaterEvents } from "../../domain/order/facts.ts";
import { normalizeEvents } from "../../domain/order/normalize-order.ts";
import type { OrderWarning } from "../../domain/order/reasons.ts";
import type { KeptRate } from "../../domain/place/vat-rates.ts";
import { isSameValue } from "../../domain/shared/hash.ts";
import { localTime } from "../../domain/shared/instant.ts";
import { assertNever } from "../../domain/shared/result.ts";
import { copyOf, type LedgerDraft } from "../core/ledger-draft.ts";
import type { DecisionDeps } from "../issue/draft-records.ts";
import { answerOfQuestion } from "./answer-question.ts";
import {
  currentOrderOf,
  decideAndKeep,
  type OrderResult,
  payloadWarningsOf,
  type Undecided,
  unchanged,
  unknownOrder,
} from "./decide-order.ts";
import {
  type DecidedOrder,
  type EventSubmission,
  type EventsOutcome,
  type OrderInstruction,
  type OrderOutcome,
  type OrderSubmission,
  readSubmission,
} from "./order-outcomes.ts";
import { previewOrder } from "./preview-order.ts";
import { rectifyOrder } from "./rectify-order.ts";
import { previewOf, viewOrder } from "./view-order.ts";

/** Decides one instruction on a copy of the books. */
export function decideInstruction(
  instruction: OrderInstruction,
  working: LedgerDraft,
  deps: DecisionDeps,
): DecidedOrder & Pick<OrderResult, "working"> {
  const { kind } = instruction;
  switch (kind) {
    case "submit":
      return { kind, ...fromShop(instruction, working, deps) };
    case "events":
      return { kind, ...submitEvents(instruction.submission, instruction.requestId, working, deps) };
    case "again":
      return { kind, ...redecide(instruction, working, deps) };
    case "answer":
      return { kind, ...answer(instruction, working, deps) };
    case "together":
      return { kind, ...answerOfQuestion(instruction, working, deps, { answer, decided }) };
    case "preview":
      return { kind, ...previewOrder(instruction, working, deps) };
    case "rectify":
      return { kind, ...rectifyOrder(instruction, working, deps) };
    default:
      return assertNever(instruction);
  }
}

type Submitting = Extract<OrderInstruction, { readonly kind: "submit" }>;

/** Another shop was connected meanwhile, or other credentials: the documents are none of it. */
export const SHOP_CHANGED = "shop_changed";

/** A refused order leaves no trace, so the delivery that brought it is kept apart. */
function fromShop(
  { submission, requestId, shopWrite, isBackfilled }: Submitting,
  before: LedgerDraft,
  deps: DecisionDeps,
): OrderResult<OrderOutcome> {
  if (shopWrite && shopWrite.access !== before.shopAccess) {
    return { outcome: unavailable(SHOP_CHANGED), working: before };
  }
  const decided = submit(submission, { requestId, isBackfilled }, before, deps);
  if (!shopWrite || decided.outcome.outcome !== "taken") return decided;
  const working = copyOf(decided.working);
  working.shopWrites.push(shopWrite);
  return { ...decided, working };
}

function submit(
  submission: OrderSubmission,
  request: Pick<Undecided, "requestId" | "isBackfilled">,
  working: LedgerDraft,
  deps: DecisionDeps,
): OrderResult<OrderOutcome> {
  const { timeZone } = working.settings;
  const read = readSubmission(submission, timeZone);
  const stored = working.orders.get(read.facts.idExternal);
  const erased = working.erased.get(read.facts.idExternal);
  if (erased) return gone(erased, working);
  if (stored && stored.sentSha256 === read.sentSha256 && !stored.undecided) return asStored(stored, working);
  const { facts, stale } = newestFacts(stored?.facts, read.facts, stored && soFar(stored));
  const isKept = stored !== undefined && (stale !== undefined || stored.sentSha256 === read.sentSha256);
  const undecided: Undecided = {
    stored,
    facts,
    answers: stored?.answers ?? NO_ANSWERS,
    sentSha256: isKept ? stored.sentSha256 : read.sentSha256,
    ...(isKept ? {} : { sent: read.sent }),
    payloadWarnings: isKept ? payloadWarningsOf(stored) : read.warnings.map(beyondContract),
    ...request,
  };
  const result = decided(undecided, working, deps);
  if (result.outcome.outcome !== "taken") return result;
  const outcome = stale ? withWarning(result.outcome, staleWarning(stale, timeZone)) : result.outcome;
  if (!submission.preview) return { ...result, outcome };
  return { outcome: { ...outcome, order: previewOf(outcome.order, working) }, working };
}

/** The stored order with these events. Its body stays the last one that was sent whole. */
function submitEvents(
  { sent, preview }: EventSubmission,
  requestId: string,
  working: LedgerDraft,
  deps: DecisionDeps,
): OrderResult<EventsOutcome> {
  const { idExternal, updatedAt } = sent;
  const { timeZone } = working.settings;
  const erased = working.erased.get(idExternal);
  if (erased) return gone(erased, working);
  const stored = working.orders.get(idExternal);
  if (!stored) return unknownOrder(idExternal, working);
  const { events, warnings } = normalizeEvents(sent, timeZone);
  const { facts, stale } = withLaterEvents(stored.facts, { events, updatedAt });
  const isKnown = isSameValue(facts, stored.facts) && !stored.undecided;
  const result = isKnown
    ? asStored(stored, working)
    : decided({ ...unchanged(stored, requestId), facts }, working, deps);
  if (result.outcome.outcome !== "taken") return result;
  const ofCall = [...warnings.map(beyondContract), ...(stale ? [staleWarning(stale, timeZone)] : [])];
  const outcome = ofCall.reduce(withWarning, result.outcome);
  if (!preview) return { ...result, outcome };
  return { outcome: { ...outcome, order: previewOf(outcome.order, working) }, working };
}

/** Facts that an invoice was made from are kept from the first one on. */
function soFar({ acted, soldFingerprint, answers }: StoredOrder): SoFar {
  const generation = answers.reissue?.generation ?? 1;
  return { acted, isInvoiced: soldFingerprint !== undefined, generation };
}

/** The same payload again changes and issues nothing, even if declarations have changed. */
function asStored(stored: StoredOrder, working: LedgerDraft): OrderResult<OrderOutcome> {
  return { outcome: { outcome: "taken", order: viewOrder(stored, working), created: false }, working };
}

/** Nothing of the payload is kept: it would be a copy of erased data. */
function gone({ idExternal, because, at }: ErasedOrder, working: LedgerDraft): OrderResult<OrderOutcome> {
  const { date } = localTime(at, working.settings.timeZone);
  const facts = { order_id: idExternal, date: { date }, why: { phrase: `order_${because}` } } as const;
  return { outcome: { outcome: "refused", refusal: { code: "order_erased", facts } }, working };
}

type Redeciding = Extract<OrderInstruction, { readonly kind: "again" }>;

function redecide(
  { idExternal, requestId, userId }: Redeciding,
  working: LedgerDraft,
  deps: DecisionDeps,
): OrderResult {
  const stored = working.orders.get(idExternal);
  if (!stored) return unknownOrder(idExternal, working);
  const result = decided(unchanged(stored, requestId), working, deps);
  if (userId !== undefined && result.working.writes.has(idExternal)) {
    note({ userId, verb: "decide_again", facts: { order: idExternal } }, result.working, deps);
  }
  return result;
}

type Answering = Extract<OrderInstruction, { readonly kind: "answer" | "together" }>;

function answer(answering: Answering, working: LedgerDraft, deps: DecisionDeps): OrderResult {
  const { idExternal, userId, requestId } = answering;
  const stored = working.orders.get(idExternal);
  if (!stored) return unknownOrder(idExternal, working);
  const given = answering.kind === "answer" ? [answering.answer] : answering.answers;
  const { answers, effective: added, refusals } = withAnswers(given, currentOrderOf(stored, working));
  const [refused] = refusals;
  if (refused) return { outcome: { outcome: "refused", refusal: placed(refused, answering) }, working };
  if (added.length === 0) return asStored(stored, working);
  const result = decided({ ...unchanged(stored, requestId), answers }, working, deps);
  if (result.outcome.outcome !== "taken") return result;
  const { keptRates: before = [] } = stored.answers;
  const kept = (answers.keptRates ?? []).filter((rate) => !before.includes(rate));
  for (const each of added) {
    const facts = { order: idExternal, ...answerFacts(each, kept) };
    note({ userId, verb: "answer_order", facts }, result.working, deps);
  }
  return kept.length === 0 ? result : { ...result, working: keepingRates(kept, result.working) };
}

/** A declared rate holds for every order of the account, also for later ones of this group. */
function keepingRates(kept: readonly KeptRate[], working: LedgerDraft): LedgerDraft {
  for (const [id, write] of working.writes) {
    if (!write.order.reasons.some(({ code }) => code === "oss_rate_unknown")) continue;
    const order = { ...write.order, undecided: true };
    working.writes.set(id, { ...write, order });
    working.orders.set(id, order);
  }
  const keptAt = working.now;
  working.keptRates.push(...kept.map((rate) => ({ ...rate, keptAt })));
  const { selling } = working;
  return { ...working, selling: { ...selling, keptRates: [...selling.keptRates, ...kept] } };
}

/** Several answers may be given: the refusal names the one that does not fit. */
function placed({ index, refusal }: RefusedAnswer, { kind }: Answering): RefusedAnswer["refusal"] {
  if (kind === "answer") return refusal;
  const path = refusal.path === undefined ? `answers.${index}` : `answers.${index}.${refusal.path}`;
  return { ...refusal, path };
}

interface AuditedAction {
  readonly userId: string;
  readonly verb: string;
  readonly facts: Readonly<Record<string, string>>;
}

function note(action: AuditedAction, working: LedgerDraft, deps: DecisionDeps): void {
  working.audits.push({ id: newId("al", deps.ledger, deps.random), at: working.now, ...action });
}

function decided(undecided: Undecided, before: LedgerDraft, deps: DecisionDeps): OrderResult<OrderOutcome> {
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

function beyondContract({
  code,
  ...facts
}: ReturnType<typeof readSubmission>["warnings"][number]): OrderWarning {
  return { code, facts };
}
