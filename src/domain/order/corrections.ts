import { type Balance, balancesOf } from "../invoice/balance.ts";
import type { IssueDraft } from "../invoice/decide-issue.ts";
import { familyOf, type RectifiableInvoice } from "../invoice/rectifiable.ts";
import { referencesOf } from "../invoice/request.ts";
import { amountsToEur } from "../invoice/tax-groups.ts";
import { isZero, negate } from "../shared/decimal.ts";
import type { Result } from "../shared/result.ts";
import { nifFrom, type TaxIdentifier, taxIdentifierFrom } from "../shared/tax-identifier.ts";
import type { ActedEvent, IssuedForOrder, OrderContext } from "./context.ts";
import type { OrderEffect } from "./decision.ts";
import { printable, scaleIn } from "./fact-text.ts";
import { type CorrectionEvent, type EventType, isOfFiscalEvent, isOfOtherGeneration } from "./facts.ts";
import { descriptionOf, lineOf } from "./first-invoice.ts";
import { isOver } from "./generation.ts";
import { aboutEvent, actedNow, type Claim, type EventCourse, judgeEvent } from "./judge-event.ts";
import { citation, type DraftLine, draftOf } from "./order-draft.ts";
import { isOfConsole, originText } from "./order-origin.ts";
import { salesOfStem } from "./profile.ts";
import { because, type Reason } from "./reasons.ts";
import { clientOf, recipientLater } from "./recipient.ts";
import { soldLines } from "./sold-lines.ts";
import { readVouchers } from "./sold-order.ts";
import { afterTaking, balanceAt, differenceGroups, ratesTaken, type Taking } from "./take-back.ts";

/** The result of the events of an invoiced order. */
export interface Corrected {
  readonly balances: readonly Balance[];
  readonly effects: readonly OrderEffect[];
  readonly reasons: readonly Reason[];
  readonly handled: readonly ActedEvent[];
  readonly isAnnulled: boolean;
}

/**
 * Each event acts once and separately: a waiting event stops no other. An event that waits is judged again
 * after a later one has taken its amounts, so that the same payload, sent twice, issues nothing the second
 * time. An owner's act is alone: it issues what the owner has seen, and a refund that the shop told before
 * may be the same one, which the next decision finds by the number of the owner's rectification.
 */
export function correct(context: OrderContext, target: IssuedForOrder): Corrected {
  let corrected: Corrected = {
    balances: balancesOf(target.rectifiable),
    ...{ effects: [], reasons: [], handled: [], isAnnulled: false },
  };
  for (;;) {
    const next = judgeEvents(context, target, corrected);
    const acted = next.effects.slice(corrected.effects.length).flatMap((effect) => effect.acted);
    const isOwners = acted.some(({ id }) => isOfConsole(id));
    if (next.isAnnulled || acted.length === 0 || isOwners || next.reasons.length === 0) return next;
    corrected = next;
  }
}

/** One pass over all events; those that acted in an earlier pass have acted. */
function judgeEvents(context: OrderContext, target: IssuedForOrder, before: Corrected): Corrected {
  const { facts, history, answers } = context;
  const effects = [...before.effects];
  const reasons: Reason[] = [];
  const handled = [...before.handled];
  const acted = [...history.acted, ...before.handled, ...before.effects.flatMap((effect) => effect.acted)];
  let { balances } = before;
  const events = [...facts.events, ...answers.events].filter(
    (event) => !(isOver(context, event) || isOfOtherGeneration(event, history.generation)),
  );
  const fixed = { ...courseOf(context, target), events };
  for (const event of events) {
    const judged = judgeEvent(event, { ...fixed, acted, balances });
    if (judged.verdict === "held") reasons.push(judged.reason);
    if (judged.verdict === "void") {
      const isUntouched = effects.length === 0 && history.rectifications.every(isOutOfForce);
      if (isUntouched && answers.confirmedVoids.includes(event.id)) return annulled(context, event, balances);
      reasons.push(because("annulment_review", { number: target.rectifiable.number }, aboutEvent(event)));
    }
    const isKnown = acted.some(({ id }) => id === event.id);
    const isEmptyCancellation =
      judged.verdict === "nothing" && event.type === "cancellation" && isOfFiscalEvent(event) && !isKnown;
    if (judged.verdict === "spent" || isEmptyCancellation) {
      const spent = actedNow(context, event, { how: "spent", taken: [] });
      handled.push(spent);
      acted.push(spent);
    }
    if (judged.verdict !== "acts") continue;
    const { taking, claim } = judged;
    const draft = draftRectification({ context, target, balances, taking, claim });
    if (!draft.ok) {
      reasons.push({ ...draft.error, about: aboutEvent(event) });
      continue;
    }
    const action = actedNow(context, event, { how: "rectified", taken: ratesTaken(balances, taking) });
    effects.push({
      effect: "issue",
      origin: { of: "event", eventId: event.id },
      stem: target.stem,
      draft: draft.value,
      acted: [action],
    });
    acted.push(action);
    balances = afterTaking(balances, taking);
  }
  return { balances, effects, reasons, handled, isAnnulled: false };
}

function courseOf(
  context: OrderContext,
  { stem, rectifiable, document }: IssuedForOrder,
): Omit<EventCourse, "acted" | "balances" | "events"> {
  const { facts, answers } = context;
  const { currency } = document.request;
  const vouchers = readVouchers(soldLines(facts), salesOfStem(context, stem).sales, currency);
  const leftOut = new Set(vouchers.leftOut.flatMap(({ ids }) => ids));
  return { answers, currency, number: rectifiable.number, leftOut, issued: issuedForEvents(context) };
}

/** Only those in force: what was annulled has given its amounts back. */
function issuedForEvents({ facts, history }: OrderContext) {
  const byOrigin = new Map(
    history.rectifications.map(({ rectifiable, document }) => [document.request.externalId, rectifiable]),
  );
  return history.acted.flatMap(({ id: eventId }) => {
    const made = byOrigin.get(originText(facts.idExternal, { of: "event", eventId }));
    return made && !made.cancelled ? [{ eventId, number: made.number, date: made.issueDate }] : [];
  });
}

/** There was no sale: every invoice of the order is annulled, the one in force first. */
function annulled(context: OrderContext, event: CorrectionEvent, balances: readonly Balance[]): Corrected {
  const { invoice, replacement } = context.history;
  const acted = [actedNow(context, event, { how: "annulled", taken: [] })];
  const effects = [replacement, invoice].flatMap((issued): OrderEffect[] =>
    !issued || isOutOfForce(issued)
      ? []
      : [{ effect: "annul", invoiceId: issued.rectifiable.invoiceId, acted }],
  );
  return { balances, effects, reasons: [], handled: [], isAnnulled: true };
}

function isOutOfForce({ rectifiable }: IssuedForOrder): boolean {
  return rectifiable.cancelled;
}

interface RectificationParts {
  readonly context: OrderContext;
  /** The invoice with everything that acted on it before. */
  readonly target: IssuedForOrder;
  readonly balances: readonly Balance[];
  readonly taking: Taking;
  readonly claim: Claim;
}

/** R1 of full invoices, R5 of simplified ones and of those without recipient: by difference, negative. */
function draftRectification(parts: RectificationParts): Result<IssueDraft, Reason> {
  const { context, target, balances, taking, claim } = parts;
  const { rectifiable, document } = target;
  const { currency, exchangeRate, exchangeRateDate, recipient, regime, flags } = document.request;
  const rectificationReason = reasonOf(claim.event, context);
  const groups = differenceGroups(balances, taking, (amounts) => amountsToEur(amounts, exchangeRate));
  const family = familyOf(rectifiable);
  const operationDate = operationDateIn(rectifiable);
  const identifier = identifierIn(document.request);
  return draftOf(
    {
      request: {
        externalId: originText(context.facts.idExternal, { of: "event", eventId: claim.event.id }),
        invoiceType: family === "full" || family === "qualified" ? "R1" : "R5",
        regime,
        flags,
        description: causeOf(claim.event, context),
        currency,
        ...(exchangeRate === undefined ? {} : { exchangeRate }),
        ...(exchangeRateDate === undefined ? {} : { exchangeRateDate }),
        operationDate,
        pricesIncludeTax: false,
        ...recipientLater(recipient, clientOf(context)),
        ...referencesOf(document.request),
        ...(rectificationReason === undefined ? {} : { rectificationReason }),
        rectifies: [{ externalId: citation(rectifiable).externalId }],
        rectificationMethod: "difference",
      },
      lines: linesOf(parts),
      groups,
      ...(identifier ? { identifier } : {}),
      operationDate,
      cited: [rectifiable],
      ...(document.consumedIn === undefined ? {} : { consumedIn: document.consumedIn }),
      links: [{ targetId: rectifiable.invoiceId, kind: "difference", taken: groups }],
    },
    { settings: context.issuer, today: context.today },
  );
}

/** A correction dates from the sale that it corrects. */
export function operationDateIn({ operationDate, issueDate }: RectifiableInvoice) {
  return operationDate ?? issueDate;
}

/** The identifier that the record of an issued invoice carries. */
export function identifierIn({ recipient }: IssueDraft["document"]["request"]): TaxIdentifier | undefined {
  if (recipient?.vatNumber === undefined) return undefined;
  const stated = taxIdentifierFrom({ ...recipient, vatNumber: recipient.vatNumber });
  if (stated.ok) return stated.value;
  // The canonical form of a NIF has no prefix, also for a holder abroad.
  const nif = taxIdentifierFrom({ vatNumber: nifFrom(recipient.vatNumber) ?? "" });
  return nif.ok ? nif.value : undefined;
}

const CAUSES: Readonly<Record<EventType, string>> = {
  refund: "Reembolso",
  return: "Devolución",
  price_reduction: "Rebaja del precio",
  cancellation: "Cancelación",
  void: "Anulación",
  unknown: "Corrección",
};

/** ReasonCode of Facturae: a lower price after the sale. */
const PRICE_REDUCED = "83";

/** The order's own, else what the type of the event says for certain. */
function reasonOf({ type }: CorrectionEvent, { facts: { trade = {} } }: OrderContext): string | undefined {
  return trade.rectificationReason ?? (type === "price_reduction" ? PRICE_REDUCED : undefined);
}

const REASON_LIMIT = 500;

/** Article 15 RD 1619/2012: a rectification states its cause. */
function causeOf({ type, reason }: CorrectionEvent, { facts }: OrderContext): string {
  const detail = printable(printable(reason ?? "").slice(0, REASON_LIMIT));
  return `${CAUSES[type]}. ${descriptionOf(facts)}${detail === "" ? "" : `. ${detail}`}`;
}

/** The event's own lines, else one per rate. */
function linesOf({ balances, taking, claim, target }: RectificationParts): DraftLine[] {
  const scale = scaleIn(target.document.request.currency);
  const own = claim.event.type === "cancellation" ? [] : claim.lines;
  const printed = own.flatMap((line) => {
    const key = balanceAt(balances, line.taxRate)?.key;
    if (!key || isZero(line.baseDelta)) return [];
    const { quantityDelta } = line;
    const name = printable(line.name ?? "") || CAUSES[claim.event.type];
    const quantity = quantityDelta === undefined ? {} : { quantity: quantityDelta };
    return [lineOf({ name, ...quantity, base: line.baseDelta, key }, scale)];
  });
  if (printed.length > 0) return printed;
  return balances.flatMap(({ key }, index) => {
    const base = taking[index]?.base;
    if (base === undefined || isZero(base)) return [];
    return [lineOf({ name: CAUSES[claim.event.type], base: negate(base), key }, scale)];
  });
}
