import type { OrderWrite, StoredInvoice, StoredOrder } from "../../db/ledger-state.ts";
import type { UsedSetting } from "../../db/orders/remembered-answer.ts";
import { stemIn, stemOf } from "../../domain/billing/series.ts";
import { quotedOn, rateOn } from "../../domain/exchange/reference-rate.ts";
import type { Warning } from "../../domain/invoice/document.ts";
import { type Refusal, refuse } from "../../domain/invoice/refusal.ts";
import type { Installation } from "../../domain/invoice/settings.ts";
import type { MailSwitch } from "../../domain/mailing/mail-switch.ts";
import type { CurrentOrder } from "../../domain/order/answers/answer.ts";
import type {
  ActedEvent,
  IssuedForOrder,
  OrderContext,
  OrderHistory,
  OwnerAnswers,
} from "../../domain/order/context.ts";
import { operationDateOf, orderDateOf } from "../../domain/order/dates.ts";
import { decideOrder } from "../../domain/order/decide-order.ts";
import type { OrderDecision, OrderEffect } from "../../domain/order/decision.ts";
import type { OrderFacts } from "../../domain/order/facts.ts";
import { openGeneration } from "../../domain/order/generation.ts";
import { type EffectOrigin, originText } from "../../domain/order/order-origin.ts";
import type { OrderWarning } from "../../domain/order/reasons.ts";
import { settingsUsed } from "../../domain/order/remembered.ts";
import { withEnteredRates } from "../../domain/order/shop-facts.ts";
import { isSameValue } from "../../domain/shared/hash.ts";
import { invariant, ok, type Result } from "../../domain/shared/result.ts";
import { copyOf, type LedgerDraft } from "../core/ledger-draft.ts";
import { annulInvoice, type DecisionDeps, numberInvoice } from "../issue/draft-records.ts";
import { storable } from "../issue/judge-invoice.ts";
import { type AnswerOutcome, rateKeyOf, type UnknownOrder } from "./order-outcomes.ts";

/** The data of an order before it is decided. */
export interface Undecided {
  readonly stored: StoredOrder | undefined;
  readonly facts: OrderFacts;
  readonly answers: OwnerAnswers;
  readonly sentSha256: string;
  /** The body, if it differs from the stored one. */
  readonly sent?: string;
  /** Warnings of the payload itself: kept until the next payload. */
  readonly payloadWarnings: readonly OrderWarning[];
  readonly requestId: string;
  /** It came from a search for earlier orders. */
  readonly isBackfilled?: true | undefined;
}

interface Decided {
  readonly order: StoredOrder;
  /** A copy of the books with the effects and the row of the order. */
  readonly working: LedgerDraft;
}

type Done = Pick<StoredOrder, "acted" | "soldFingerprint" | "answers" | "reasons">;

/** A decision may require another at once: the maximum per order. */
const TURNS = 5;

/** Repeats until nothing follows: a full invoice cites corrections that must be numbered before. */
export function decideAndKeep(
  undecided: Undecided,
  before: LedgerDraft,
  deps: DecisionDeps,
): Result<Decided, Refusal<"document_too_large">> {
  const working = copyOf(before);
  const { facts, answers, stored, requestId } = undecided;
  let done: Done = { ...(stored ?? NOTHING_DONE), answers };
  for (let turn = 0; turn < TURNS; turn += 1) {
    const context = contextOf(facts, done, working);
    const decision = decideOrder(context);
    const isMailed = !isUnmailed(undecided, decision);
    const applied = applyEffects(decision, {
      ...{ idExternal: facts.idExternal, requestId, working, deps, isMailed },
    });
    if (!applied.ok) return applied;
    working.usedSettings.push(...usedBy(decision, context));
    done = withEffects(done, decision);
    if (!decision.redecide) return keep(undecided, decision, done, working);
  }
  throw new Error("the decision on an order never comes to an end");
}

/** The settings that decided the order's first invoice: each order counts once. */
function usedBy({ effects }: OrderDecision, context: OrderContext): UsedSetting[] {
  if (!context.settings.remembers || context.history.generation > 1) return [];
  return effects.flatMap((effect) => {
    if (effect.effect !== "issue" || effect.origin.of !== "order") return [];
    const { profileId, settings } = settingsUsed(effect.draft, effect.stem, context);
    return settings.map((setting) => ({ profileId, setting }));
  });
}

/** Its customer bought long ago, or was mailed before a restore. */
function isUnmailed({ stored, isBackfilled }: Undecided, { state }: OrderDecision): boolean {
  const isReleased = stored?.state === "before_cutoff" && state !== "before_cutoff";
  return isReleased || isBackfilled === true || stored?.unmailed !== undefined;
}

/** It stays until the invoice is issued, because an order that is brought in may be held first. */
function unmailedOf(
  undecided: Undecided,
  decision: OrderDecision,
  done: Done,
): Pick<StoredOrder, "unmailed"> {
  const { stored } = undecided;
  const isForOnce = stored?.unmailed === "once" && !undecided.isBackfilled;
  if (isForOnce || done.soldFingerprint !== undefined || !isUnmailed(undecided, decision)) return {};
  return { unmailed: "until_issued" };
}

const NOTHING_DONE = { acted: [], reasons: [] } as const;

function withEffects(done: Done, { effects, handled: spent }: OrderDecision): Done {
  let { soldFingerprint } = done;
  let acted = withActed(done.acted, spent);
  for (const effect of effects) {
    acted = withActed(acted, effect.acted);
    if (effect.effect === "issue") soldFingerprint = effect.soldFingerprint ?? soldFingerprint;
  }
  return { ...done, acted, ...(soldFingerprint === undefined ? {} : { soldFingerprint }) };
}

/** The input of a decision; without an open installation nothing can be issued. */
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
  // The invoice itself shows that it was issued late.
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
    ...unmailedOf(undecided, decision, done),
  };
  if (stored && isSameOrder(stored, order) && sent === undefined) return ok({ order: stored, working });
  // Events are never forgotten: with more and more events an order finally outgrows its row.
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

/** True if the row says the same as the order that is to be written, which has no time yet. */
export function isSameOrder({ changedAt: _, ...stored }: StoredOrder, order: StoredOrder): boolean {
  return isSameValue(stored, order);
}

/** An order with a future date is decided again on that day. */
function dayToDecideOn(
  { reasons }: OrderDecision,
  dated: Parameters<typeof operationDateOf>[0],
): Pick<StoredOrder, "decideFrom"> {
  const isAhead = reasons.some(({ code }) => code === "order_date_in_future");
  return isAhead ? { decideFrom: operationDateOf(dated) } : {};
}

/** If a group decides an order twice, only the first decision knows its earlier state. */
function broughtIn(
  { stored, order }: { readonly stored: StoredOrder | undefined; readonly order: StoredOrder },
  working: LedgerDraft,
): Pick<OrderWrite, "isBroughtIn"> {
  const isOut = stored?.state === "before_cutoff" && order.state !== "before_cutoff";
  return isOut || working.writes.get(order.idExternal)?.isBroughtIn ? { isBroughtIn: true } : {};
}

/** If a group has two payloads of an order, the first body must not get lost with its row. */
function bodyBefore(idExternal: string, working: LedgerDraft): Pick<OrderWrite, "sent"> {
  const sent = working.writes.get(idExternal)?.sent;
  return sent === undefined ? {} : { sent };
}

/** An invoice of an order and its role. */
interface OrderDocument {
  readonly kind: "invoice" | "replacement" | "rectification";
  readonly of: EffectOrigin["of"];
  /** Absent for an event: the list of acted events gives its generation. */
  readonly generation?: number;
  readonly stored: StoredInvoice;
}

type Invoices = Pick<LedgerDraft, "invoices">;

/** Every invoice that was issued for an order, oldest first. */
export function documentsOf(idExternal: string, { invoices }: Invoices): readonly OrderDocument[] {
  return [...generationsOf(idExternal, { invoices }), ...ofEvents(idExternal, { invoices })].toSorted(
    (a, b) => positionOf(a.stored) - positionOf(b.stored),
  );
}

function generationsOf(idExternal: string, { invoices }: Invoices): OrderDocument[] {
  const found: OrderDocument[] = [];
  for (let generation = 1; ; generation += 1) {
    const first = invoices.get(originText(idExternal, { of: "order", generation }));
    const replacement = invoices.get(originText(idExternal, { of: "replacement", generation }));
    if (first) found.push({ kind: "invoice", of: "order", generation, stored: first });
    if (replacement) found.push({ kind: "replacement", of: "replacement", generation, stored: replacement });
    if (!first && !replacement) return found;
  }
}

const SORTS_OF_EVENTS = [
  { kind: "rectification", of: "event" },
  { kind: "replacement", of: "event_replacement" },
] as const;

function ofEvents(idExternal: string, { invoices }: Invoices): OrderDocument[] {
  const sorts = SORTS_OF_EVENTS.map((sort) => ({
    ...sort,
    prefix: originText(idExternal, { of: sort.of, eventId: "" }),
  }));
  return [...invoices.values()].flatMap((stored): OrderDocument[] => {
    const sort = sorts.find(({ prefix }) => stored.view.origin.startsWith(prefix));
    return sort ? [{ kind: sort.kind, of: sort.of, stored }] : [];
  });
}

function positionOf({ view }: StoredInvoice): number {
  return view.alta.record.position;
}

/** The history of an order until now. */
function historyOf(
  idExternal: string,
  before: Pick<StoredOrder, "acted" | "soldFingerprint" | "reasons">,
  working: LedgerDraft,
): OrderHistory {
  const documents = documentsOf(idExternal, working);
  // A return before a reactivation has acted twice: `rectified` for the earlier invoice, whose rectification
  // it is, and `netted` for the new one.
  const rectified = before.acted.filter(({ how }) => how === "rectified");
  const ofEvent = new Map(
    rectified.flatMap(({ id, generation = 1 }) =>
      SORTS_OF_EVENTS.map(({ of }) => [originText(idExternal, { of, eventId: id }), generation] as const),
    ),
  );
  const generationOf = ({ generation, stored }: OrderDocument) =>
    generation ?? ofEvent.get(stored.view.origin) ?? 1;
  const generation = Math.max(1, ...documents.map(generationOf));
  const its = documents.filter((document) => generationOf(document) === generation);
  const invoice = its.find(({ kind }) => kind === "invoice");
  const replacement = its.find(({ of }) => of === "replacement");
  const earlier = documents.find(
    (document) => document.kind === "invoice" && document.generation === generation - 1,
  );
  const issued = ({ stored }: OrderDocument) => issuedForOrder(stored, working);
  return {
    generation,
    ...(earlier ? { earlier: issued(earlier) } : {}),
    ...(invoice ? { invoice: issued(invoice) } : {}),
    ...(replacement ? { replacement: issued(replacement) } : {}),
    rectifications: its.filter(({ kind }) => kind === "rectification").map(issued),
    followUps: its.filter(({ of }) => of === "event_replacement").map(issued),
    acted: before.acted,
    ...(before.soldFingerprint === undefined ? {} : { soldFingerprint: before.soldFingerprint }),
    wasElsewhere: before.reasons.some(({ code }) => code === "invoiced_elsewhere"),
  };
}

/** Its corrections are numbered in the same family, under today's installation. */
function issuedForOrder({ view, rectifiable }: StoredInvoice, working: LedgerDraft): IssuedForOrder {
  const { request } = view.document;
  const { installation } = working.settings;
  return {
    rectifiable,
    document: view.document,
    stem: stemIn(stemOf(view.series, request, view.trial), {
      installationOrdinal: installation?.ordinal ?? 1,
      trial: installation?.trial ?? false,
    }),
  };
}

/** Acted events with some more; an event that annuls two invoices has acted once. */
function withActed(before: readonly ActedEvent[], more: readonly ActedEvent[]): readonly ActedEvent[] {
  const known = new Set(before.map(keyOf));
  const fresh = more.filter((event, index) => {
    const key = keyOf(event);
    return !known.has(key) && more.findIndex((other) => keyOf(other) === key) === index;
  });
  return fresh.length === 0 ? before : [...before, ...fresh];
}

function keyOf({ id, generation = 1 }: ActedEvent): string {
  return `${generation} ${id}`;
}

/** The result of an instruction, and the books to continue with. */
export interface OrderResult<Outcome = AnswerOutcome> {
  readonly outcome: Outcome;
  /** With the decision applied; unchanged if nothing was decided or it was a preview. */
  readonly working: LedgerDraft;
}

/** The result of the order today: answers are judged by it, not by an older decision. */
export function currentOrderOf(stored: StoredOrder, working: LedgerDraft): CurrentOrder {
  const context = withEnteredRates(contextOf(stored.facts, stored, working));
  const { state, reasons } = decideOrder(context);
  return { ...context, state, reasons };
}

export function unchanged(stored: StoredOrder, requestId: string): Undecided {
  const { facts, answers, sentSha256 } = stored;
  return { stored, facts, answers, sentSha256, payloadWarnings: payloadWarningsOf(stored), requestId };
}

export function payloadWarningsOf({ warnings }: StoredOrder): OrderWarning[] {
  return warnings.filter(({ code }) => code === "field_beyond_contract");
}

export function unknownOrder(idExternal: string, working: LedgerDraft): OrderResult<UnknownOrder> {
  const refused = refuse("order_not_found", { order_id: idExternal });
  return { outcome: { outcome: "refused", refusal: refused.error }, working };
}

interface EffectScope {
  readonly idExternal: string;
  readonly requestId: string;
  readonly working: LedgerDraft;
  readonly deps: DecisionDeps;
  /** Its invoices may be mailed, if the owner's switch is on. */
  readonly isMailed: boolean;
}

type EffectResult = Result<void, Refusal<"document_too_large">>;

/**
 * Numbers the decided effects in their order. It stops if one cannot be kept: the draft is then discarded.
 */
function applyEffects(decision: OrderDecision, scope: EffectScope): EffectResult {
  for (const effect of decision.effects) {
    const applied = effect.effect === "annul" ? annul(effect, scope) : issue(effect, decision, scope);
    if (!applied.ok) return applied;
  }
  return ok(undefined);
}

/** Each profile has a switch of its own. */
function mailingOf(stem: string, { selling, settings }: LedgerDraft): MailSwitch | undefined {
  const profile = selling.profiles.find((one) => one.stem === stem);
  return profile ? profile.mailing : settings.mailing;
}

type Issue = Extract<OrderEffect, { readonly effect: "issue" }>;
type Annul = Extract<OrderEffect, { readonly effect: "annul" }>;

function issue(effect: Issue, decision: OrderDecision, scope: EffectScope): EffectResult {
  const { idExternal, requestId, working, deps, isMailed } = scope;
  const { collected, stem, origin } = effect;
  const late: readonly Warning[] = decision.warnings.flatMap(({ code, facts }) =>
    code === "issued_late" && origin.of === "order" ? [{ code, facts }] : [],
  );
  const draft = {
    ...effect.draft,
    document: {
      ...effect.draft.document,
      warnings: [...effect.draft.document.warnings, ...late],
      ...(collected ? { collected } : {}),
    },
  };
  const document = storable(draft.document);
  if (!document.ok) return document;
  const toNumber = {
    draft,
    document: document.value,
    origin: originText(idExternal, origin),
    stem,
    requestId,
    ...(isMailed ? { mailing: mailingOf(stem, working) } : {}),
  };
  numberInvoice(toNumber, { working, installation: installationOf(working), deps });
  return ok(undefined);
}

function annul({ invoiceId, acted }: Annul, scope: EffectScope): EffectResult {
  const { idExternal, requestId, working, deps } = scope;
  const target = [...working.invoices.values()].find(({ view }) => view.invoiceId === invoiceId);
  invariant(target, "an invoice that is annulled was read with its order");
  const events = acted.map(({ id }) => id).join(", ");
  const reason = `order ${idExternal}: ${events}`.slice(0, REASON_LENGTH);
  annulInvoice(target, { reason, requestId }, { working, installation: installationOf(working), deps });
  return ok(undefined);
}

const REASON_LENGTH = 500;

function installationOf({ settings }: LedgerDraft): Installation {
  invariant(settings.installation, "only a connection with an installation decides to issue");
  return settings.installation;
}
