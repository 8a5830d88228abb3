import type { OrderWrite, StoredOrder } from "../../db/order-state.ts";
import { quotedOn, rateOn } from "../../domain/exchange/ecb-currencies.ts";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import type { OrderContext, OwnerAnswers } from "../../domain/order/context.ts";
import { operationDateOf, orderDateOf } from "../../domain/order/dates.ts";
import { decideOrder } from "../../domain/order/decide-order.ts";
import type { OrderDecision } from "../../domain/order/decision.ts";
import type { OrderFacts } from "../../domain/order/facts.ts";
import { openGeneration } from "../../domain/order/generation.ts";
import type { OrderWarning } from "../../domain/order/reasons.ts";
import { ok, type Result } from "../../domain/shared/result.ts";
import { isSameValue } from "../../domain/shared/same-value.ts";
import { copyOf, type LedgerDraft } from "../core/ledger-draft.ts";
import { storable } from "../issue/issue-invoice.ts";
import type { DecisionDeps } from "../issue/number-invoice.ts";
import { applyEffects } from "./apply-effects.ts";
import { historyOf, withActed } from "./order-history.ts";
import { rateKeyOf } from "./order-instruction.ts";

/** What is known of an order before it is decided. */
export interface Undecided {
  readonly stored: StoredOrder | undefined;
  readonly facts: OrderFacts;
  readonly answers: OwnerAnswers;
  readonly sentSha256: string;
  /** The body, where it is another than the one that is kept. */
  readonly sent?: string;
  /** Of the payload itself: kept until another one comes. */
  readonly payloadWarnings: readonly OrderWarning[];
  readonly requestId: string;
}

export interface Decided {
  readonly order: StoredOrder;
  /** A copy of the books with the effects and the row of the order. */
  readonly working: LedgerDraft;
}

type Done = Pick<StoredOrder, "acted" | "soldFingerprint" | "answers" | "reasons">;

/** A decision may ask for another at once: so often at most. */
const TURNS = 5;

/** Until nothing more follows of it: a full invoice cites corrections that have to be numbered before. */
export function decideAndKeep(
  undecided: Undecided,
  before: LedgerDraft,
  deps: DecisionDeps,
): Result<Decided, Refusal<"document_too_large">> {
  const working = copyOf(before);
  const { facts, answers, stored, requestId } = undecided;
  let done: Done = { ...(stored ?? NOTHING_DONE), answers };
  for (let turn = 0; turn < TURNS; turn += 1) {
    const decision = decideOrder(contextOf(facts, done, working));
    const carried = applyEffects(decision, { idExternal: facts.idExternal, requestId, working, deps });
    if (!carried.ok) return carried;
    done = withEffects(done, decision);
    if (!decision.again) return keep(undecided, decision, done, working);
  }
  throw new Error("the decision on an order never comes to an end");
}

const NOTHING_DONE = { acted: [], reasons: [] } as const;

function withEffects(done: Done, { effects, spent }: OrderDecision): Done {
  let { soldFingerprint } = done;
  let acted = withActed(done.acted, spent);
  for (const effect of effects) {
    acted = withActed(acted, effect.acted);
    if (effect.effect === "issue") soldFingerprint = effect.soldFingerprint ?? soldFingerprint;
  }
  return { ...done, acted, ...(soldFingerprint === undefined ? {} : { soldFingerprint }) };
}

/** What an order is decided from; without an open installation nothing could be issued. */
export function contextOf(facts: OrderFacts, done: Done, working: LedgerDraft): OrderContext {
  const { settings, selling, statuses, rates, today } = working;
  const consented = settings.consented && settings.installation !== undefined;
  return openGeneration({
    facts,
    answers: done.answers,
    history: historyOf(facts.idExternal, done, working),
    issuer: { ...settings, consented },
    settings: { ...selling, statuses },
    rateOn: (day, currency) => rateOn(day, currency, rates, quotedOn(day)),
    today,
  });
}

function keep(
  undecided: Undecided,
  decision: OrderDecision,
  done: Done,
  working: LedgerDraft,
): Result<Decided, Refusal<"document_too_large">> {
  const { stored, facts, answers, sentSha256, payloadWarnings, sent, requestId } = undecided;
  // What was issued late is said by the invoice itself.
  const warnings = decision.warnings.filter(({ code }) => code !== "issued_late");
  const order: StoredOrder = {
    idExternal: facts.idExternal,
    state: decision.state,
    facts,
    sentSha256,
    reasons: decision.reasons,
    warnings: [...warnings, ...payloadWarnings],
    answers,
    acted: done.acted,
    ...(done.soldFingerprint === undefined ? {} : { soldFingerprint: done.soldFingerprint }),
    waitsForRate: decision.waitsForRate !== undefined,
    ...dayToDecideOn(decision, { facts, issuer: working.settings, today: working.today }),
    undecided: false,
    orderDay: orderDateOf({ facts, issuer: working.settings, today: working.today }),
    dueDate: decision.dueDate,
  };
  if (stored && isSameValue(stored, order) && sent === undefined) return ok({ order: stored, working });
  // Events are never forgotten: an order that is told of ever more outgrows its row at last.
  const row = storable(order);
  if (!row.ok) return row;
  const rate = rateKeyOf(facts);
  const write: OrderWrite = {
    order,
    ...(sent === undefined ? bodyBefore(facts.idExternal, working) : { sent }),
    ...(rate ? { rate } : {}),
    ...broughtIn({ stored, order }, working),
    at: working.now,
    requestId,
  };
  working.orders.set(order.idExternal, order);
  working.writes.set(order.idExternal, write);
  return ok({ order, working });
}

/** An order of a day that lies ahead is decided again when the day has come. */
function dayToDecideOn(
  { reasons }: OrderDecision,
  dated: Parameters<typeof operationDateOf>[0],
): Pick<StoredOrder, "decideFrom"> {
  const isAhead = reasons.some(({ code }) => code === "order_date_in_future");
  return isAhead ? { decideFrom: operationDateOf(dated) } : {};
}

/** Of two decisions of one group the first knows what the order was. */
function broughtIn(
  { stored, order }: { readonly stored: StoredOrder | undefined; readonly order: StoredOrder },
  working: LedgerDraft,
): Pick<OrderWrite, "isBroughtIn"> {
  const isOut = stored?.state === "before_cutoff" && order.state !== "before_cutoff";
  return isOut || working.writes.get(order.idExternal)?.isBroughtIn ? { isBroughtIn: true } : {};
}

/** Of two payloads of one group the body of the first must not get lost with its row. */
function bodyBefore(idExternal: string, working: LedgerDraft): Pick<OrderWrite, "sent"> {
  const sent = working.writes.get(idExternal)?.sent;
  return sent === undefined ? {} : { sent };
}
