import { type Balance, balancesOf, remainingIn, remainingTotal } from "../invoice/balance.ts";
import { differencesOf, replacementOf } from "../invoice/rectifiable.ts";
import { grossOf } from "../invoice/tax-groups.ts";
import { add, type Decimal, isNegative, isPositive, isZero, ZERO } from "../shared/decimal.ts";
import { collectedWarnings } from "./collected.ts";
import type { ActedEvent, IssuedForOrder, OrderContext, RateAmount } from "./context.ts";
import { type Corrected, correct, identifierIn } from "./corrections.ts";
import { dueDateOf, operationDateOf } from "./dates.ts";
import { decideFirst } from "./decide-first.ts";
import type { OrderDecision, OrderEffect, OrderState } from "./decision.ts";
import { amountOf } from "./fact-text.ts";
import { fiscalFingerprint, isAsSold } from "./facts.ts";
import { draftFullInvoice, followUps, wantsFullInvoice } from "./follow-up.ts";
import { cancelledStatus } from "./gates.ts";
import { aboutReactivation, actedIn, generationIn, isReactivated, openGeneration } from "./generation.ts";
import { readTotals, taxWarnings } from "./order-totals.ts";
import { salesOfStem } from "./profile.ts";
import { because, type Facts, inLadderOrder, type OrderWarning, type Reason } from "./reasons.ts";
import { shopFactReasons, withEnteredRates } from "./shop-facts.ts";
import { readSoldOrder } from "./sold-order.ts";
import { byRate, changedRates, grossIn, ofRate } from "./take-back.ts";
import { ignoredWarnings } from "./trade.ts";

/** Decides an order from its facts, the owner's settings and its history. */
export function decideOrder(given: OrderContext): OrderDecision {
  const context = withEnteredRates(openGeneration(given));
  const { invoice } = context.history;
  const decision = invoice ? decideAfter(context, invoice) : decideFirst(context);
  const ignored = ignoredWarnings(context.facts.trade?.ignored ?? []);
  return ignored.length > 0 ? { ...decision, warnings: [...decision.warnings, ...ignored] } : decision;
}

/** An order with an invoice: corrections, changed facts, a full invoice later; never a second first one. */
function decideAfter(context: OrderContext, invoice: IssuedForOrder): OrderDecision {
  const target = targetOf(context, invoice);
  if (target.rectifiable.cancelled) return concluded(context, "cancelled", { reasons: [] });
  const reactivated = reactivatedReasons(context, target);
  if (reactivated.length > 0) {
    const { reasons, handled } = correct(context, target);
    return concluded(context, "rectified", { reasons: [...reactivated, ...reasons], handled });
  }
  const contradictions = [...shopFactReasons(context), ...contradictionReasons(context, target)];
  if (contradictions.length > 0) return contradicted(context, target, contradictions);
  const corrected = correct(context, target);
  if (corrected.isAnnulled) return withConsent(context, "cancelled", corrected);
  const full = fullInvoice(context, target, corrected);
  const followed = followedUp(context, target, corrected);
  const reasons = [
    ...statusReasons(context, target, corrected),
    ...changeReasons(context, target, corrected.balances),
    ...corrected.reasons,
    ...full.reasons,
    ...followed.reasons,
  ];
  const effects = [...corrected.effects, ...full.effects, ...followed.effects];
  const redecide = full.redecide || followed.redecide;
  const state = stateOf(context, corrected.balances);
  return withConsent(context, state, { effects, reasons, handled: corrected.handled, redecide });
}

/** Reasons about its facts concern the new invoice, so they appear once the owner wants one. */
function reactivatedReasons(context: OrderContext, target: IssuedForOrder): Reason[] {
  if (!isReactivated(context, balancesOf(target.rectifiable))) return [];
  const { total, currency } = context.facts;
  const facts = { number: target.rectifiable.number, order_total: amountOf(total, currency) };
  return [because("reactivated", facts, aboutReactivation(context))];
}

/** Documents issued before stay; the events of a payload that contradicts itself wait with it. */
function contradicted(
  context: OrderContext,
  target: IssuedForOrder,
  contradictions: readonly Reason[],
): OrderDecision {
  const balances = balancesOf(target.rectifiable);
  const reasons = [...contradictions, ...changeReasons(context, target, balances)];
  return concluded(context, stateOf(context, balances), { reasons });
}

/**
 * The target of corrections: the first invoice, even after its full replacement. If the full invoice itself
 * was corrected, further corrections act on it: the ticket does not know its amounts.
 */
function targetOf(context: OrderContext, invoice: IssuedForOrder): IssuedForOrder {
  const inForce = inForceOf(context, invoice);
  return differencesOf(inForce.rectifiable).length > 0 ? inForce : invoice;
}

/** The full replacement of the simplified invoice, unless it was annulled. */
function inForceOf({ history }: OrderContext, invoice: IssuedForOrder): IssuedForOrder {
  const { replacement } = history;
  return replacement && !replacement.rectifiable.cancelled ? replacement : invoice;
}

/** The invoice that corrections act on. */
export function correctedInvoice(context: OrderContext): IssuedForOrder | undefined {
  const { invoice } = context.history;
  return invoice && targetOf(context, invoice);
}

/** The invoice that the customer has; annulled, if there is no other. */
export function invoiceInForce(context: OrderContext): IssuedForOrder | undefined {
  const { invoice } = context.history;
  return invoice && inForceOf(context, invoice);
}

/** The order as its documents say. */
function stateOf({ history }: OrderContext, balances: readonly Balance[]): OrderState {
  const isLeft = balances.some((balance) => !isZero(grossOf(remainingIn(balance))));
  if (!isLeft) return "rectified";
  const isTouched = balances.some(({ taken }) => !isZero(grossOf(taken)));
  const wasTouched = history.rectifications.some(({ rectifiable }) => !rectifiable.cancelled);
  return isTouched || wasTouched ? "partially_rectified" : "invoiced";
}

/**
 * A status has no amounts: an event of the shop or the owner must state the returned ones. A refund from
 * before the status says nothing of the rest.
 */
function statusReasons(context: OrderContext, target: IssuedForOrder, corrected: Corrected): Reason[] {
  const status = cancelledStatus(context);
  const { facts, history, answers } = context;
  if (status === undefined) return [];
  const isUnderIt = (event: ActedEvent) =>
    event.how === "rectified" && event.cancelledStatus === facts.status;
  const hasActed = corrected.effects.length > 0 || actedIn(history).some(isUnderIt);
  const isDismissed = answers.dismissals.some(({ code }) => code === "status_cancelled");
  const remaining = remainingTotal(corrected.balances);
  if (hasActed || isDismissed || !isPositive(remaining)) return [];
  const { number, currency } = target.rectifiable;
  return [because("status_cancelled", { status, number, remaining: amountOf(remaining, currency) }, status)];
}

interface FullInvoice {
  readonly effects: readonly OrderEffect[];
  readonly reasons: readonly Reason[];
  readonly redecide: boolean;
}

/** It cites the corrections before it: those of this decision have no number yet. */
function fullInvoice(context: OrderContext, target: IssuedForOrder, corrected: Corrected): FullInvoice {
  const nothing = { effects: [], reasons: [], redecide: false };
  const isLeft = !isNegative(remainingTotal(corrected.balances)) && corrected.balances.some(hasSomethingLeft);
  if (!wantsFullInvoice(context) || !isLeft) return nothing;
  if (corrected.effects.length > 0) return { ...nothing, redecide: true };
  const draft = draftFullInvoice(context, target);
  if (!draft.ok) return { ...nothing, reasons: [draft.error] };
  const effect = {
    effect: "issue",
    origin: { of: "replacement", ...generationIn(context.history) },
    stem: target.stem,
    draft: draft.value,
    payments: [],
    acted: [],
  } as const;
  return { effects: [effect], reasons: [], redecide: false };
}

/** They cite corrections as well. */
function followedUp(context: OrderContext, target: IssuedForOrder, corrected: Corrected): FullInvoice {
  const isReplaced = replacementOf(target.rectifiable) !== undefined;
  if (isReplaced && corrected.effects.length > 0) return { effects: [], reasons: [], redecide: true };
  return { ...followUps(context, target), redecide: false };
}

function hasSomethingLeft(balance: Balance): boolean {
  return !isZero(grossOf(remainingIn(balance)));
}

interface Outcome {
  readonly effects?: readonly OrderEffect[];
  readonly reasons: readonly Reason[];
  readonly handled?: readonly ActedEvent[];
  readonly redecide?: boolean;
}

/** Without consent nothing is issued or annulled: due effects wait. */
function withConsent(context: OrderContext, state: OrderState, outcome: Outcome): OrderDecision {
  const { issuer, settings } = context;
  const isDue = (outcome.effects ?? []).length > 0;
  if (issuer.consented || !isDue) return concluded(context, state, outcome);
  const reason = because("deferred", { connection: settings.connectionName });
  return concluded(context, "deferred", { reasons: [reason, ...outcome.reasons] });
}

/** The warnings of the invoice, for the current facts. */
function totalsWarnings(context: OrderContext): readonly OrderWarning[] {
  const { invoice } = context.history;
  return invoice ? readTotals(context, salesOfStem(context, invoice.stem).sales).warnings : [];
}

/** By the invoice and everything that was taken back of it before this decision. */
function paidWarnings({ facts, history }: OrderContext): readonly OrderWarning[] {
  const { invoice } = history;
  if (!invoice || invoice.rectifiable.cancelled) return [];
  const { payments = [], totals } = invoice.document;
  const balances = balancesOf(invoice.rectifiable);
  return collectedWarnings(facts, { payments, balances, invoiced: totals.total });
}

function concluded(context: OrderContext, state: OrderState, outcome: Outcome): OrderDecision {
  const { reasons, effects = [], handled = [], redecide = false } = outcome;
  const isHeld = state !== "deferred" && reasons.length > 0;
  const document = context.history.invoice?.document;
  const isIdentified = document?.request.recipient?.vatNumber !== undefined;
  const invoicedTax = document && add(document.totals.tax, document.totals.surcharge);
  return {
    state: isHeld ? "held" : state,
    reasons: inLadderOrder(reasons),
    warnings: [
      ...taxWarnings(context.facts, invoicedTax),
      ...totalsWarnings(context),
      ...paidWarnings(context),
    ],
    effects,
    handled,
    dueDate: dueDateOf(operationDateOf(context), isIdentified),
    redecide,
  };
}

/**
 * Facts that changed after the invoice are accepted with equal amounts per rate, or with those less returns:
 * some shops send orders net of refunds. Otherwise the order waits.
 */
function changeReasons(
  context: OrderContext,
  invoice: IssuedForOrder,
  balances: readonly Balance[],
): Reason[] {
  const { facts, history, answers } = context;
  const fingerprint = fiscalFingerprint(facts);
  if (history.soldFingerprint === undefined || isAsSold(history.soldFingerprint, facts)) return [];
  const isDismissed = answers.dismissals.some(
    ({ code, about }) =>
      (code === "changed_after_invoice" && about === fingerprint) || about === aboutReactivation(context),
  );
  if (isDismissed || isAccountedFor(context, invoice, balances)) return [];
  return [because("changed_after_invoice", changeFacts(context, invoice, balances), fingerprint)];
}

/** For the rate that changed, or for all. */
function changeFacts(context: OrderContext, invoice: IssuedForOrder, balances: readonly Balance[]): Facts {
  const { facts } = context;
  const { currency } = invoice.document.request;
  const number = invoice.rectifiable.number;
  const invoiced = balances.map((balance) => ofRate(balance.key, balance.invoiced));
  const now = soldNow(context, invoice);
  const rate = now && rateThatChanged(now, invoiced, versionsOf(context, invoice, balances));
  if (now === undefined || rate === undefined) {
    const all = amountOf(grossIn(invoiced), currency);
    return { order_total: amountOf(facts.total, facts.currency), number, invoiced: all };
  }
  const at = (amounts: readonly RateAmount[]) => amountOf(byRate(amounts).get(rate) ?? ZERO, currency);
  return { rate: { percent: rate }, order_total: at(now), number, invoiced: at(invoiced) };
}

/** The one rate that differs from the expectation; with several, the first if the totals do not say. */
function rateThatChanged(
  now: readonly RateAmount[],
  invoiced: readonly RateAmount[],
  versions: readonly (readonly RateAmount[])[],
): Decimal | undefined {
  const changes = versions.map((version) => changedRates(now, version));
  const alone = changes.find(({ length }) => length === 1);
  if (alone) return alone[0];
  return grossIn(now) === grossIn(invoiced) ? changedRates(now, invoiced)[0] : undefined;
}

/**
 * Changed facts that contradict themselves: nothing acts on the invoice until the shop corrects them or the
 * owner decides.
 */
function contradictionReasons(context: OrderContext, invoice: IssuedForOrder): Reason[] {
  const { facts, history, answers } = context;
  const fingerprint = fiscalFingerprint(facts);
  if (history.soldFingerprint === undefined || isAsSold(history.soldFingerprint, facts)) return [];
  const isDismissed = answers.dismissals.some(
    ({ code, about }) => code === "tax_totals_mismatch" && about === fingerprint,
  );
  if (isDismissed) return [];
  return readTotals(context, salesOfStem(context, invoice.stem).sales)
    .reasons.filter(({ code }) => code === "tax_totals_mismatch")
    .map((reason) => ({ ...reason, about: fingerprint }));
}

/** Compared by the tax totals and by the lines: an order that adds tax totals later is the same sale. */
function isAccountedFor(
  context: OrderContext,
  invoice: IssuedForOrder,
  balances: readonly Balance[],
): boolean {
  const { taxTotals, ...byLines } = context.facts;
  const versions = taxTotals === undefined ? [context] : [context, { ...context, facts: byLines }];
  return versions.some((version) => isSameSale(version, invoice, balances));
}

function isSameSale(context: OrderContext, invoice: IssuedForOrder, balances: readonly Balance[]): boolean {
  const now = soldNow(context, invoice);
  if (!now) return false;
  return versionsOf(context, invoice, balances).some((version) => changedRates(now, version).length === 0);
}

/** The sold amounts per rate by the new facts; undefined if they cannot be compared with the invoice. */
function soldNow(context: OrderContext, invoice: IssuedForOrder): readonly RateAmount[] | undefined {
  const { request } = invoice.document;
  if (context.facts.currency !== request.currency) return undefined;
  const sold = readSoldOrder(context, salesOfStem(context, invoice.stem), identifierIn(request));
  if (sold.reasons.length > 0) return undefined;
  return sold.groups.map(({ key, amounts }) => ofRate(key, amounts));
}

/** The order as sold, as invoiced, and net of returns. */
function versionsOf(
  { history }: OrderContext,
  invoice: IssuedForOrder,
  balances: readonly Balance[],
): readonly (readonly RateAmount[])[] {
  const invoiced = balances.map((balance) => ofRate(balance.key, balance.invoiced));
  const left = balances.map((balance) => ofRate(balance.key, remainingIn(balance)));
  const netted = actedIn(history)
    .filter(({ how }) => how === "netted")
    .flatMap(({ taken }) => taken);
  // After an earlier return a later full invoice has smaller amounts than the sale.
  const first = (history.invoice ?? invoice).rectifiable.groups.map((group) => ofRate(group, group.amounts));
  return [[...first, ...netted], first, invoiced, left];
}
