import type { IssueDraft } from "../invoice/decide-issue.ts";
import { familyOf, partsToTakeOver, remainingOf } from "../invoice/rectifiable.ts";
import { referencesOf } from "../invoice/request.ts";
import { isNothing } from "../invoice/tax-groups.ts";
import { ZERO } from "../shared/decimal.ts";
import { canonicalJson, sha256Hex } from "../shared/hash.ts";
import { err, ok, type Result } from "../shared/result.ts";
import type { IssuedForOrder, OrderContext } from "./context.ts";
import { identifierIn, operationDateIn } from "./corrections.ts";
import type { OrderEffect } from "./decision.ts";
import { descriptionOf } from "./first-invoice.ts";
import { generationIn } from "./generation.ts";
import { citation, type DraftLine, draftOf } from "./order-draft.ts";
import { originText } from "./order-origin.ts";
import { salesOfStem, settingsOfSale } from "./profile.ts";
import type { Reason } from "./reasons.ts";
import { clientOf, incompleteReason, type Party, partyOf, recipientLater } from "./recipient.ts";
import { tradeOf } from "./trade.ts";

interface FollowUps {
  readonly effects: readonly OrderEffect[];
  readonly reasons: readonly Reason[];
}

/**
 * Returns of a ticket with a full invoice: each of its rectifications gets a full invoice too, for the same
 * recipient (AEAT, FAQ for developers, 27).
 */
export function followUps(context: OrderContext, target: IssuedForOrder): FollowUps {
  const effects: OrderEffect[] = [];
  const reasons: Reason[] = [];
  for (const { eventId, part } of openParts(context, target)) {
    const draft = draftFollowUp(context, { eventId, part });
    if (!draft.ok) reasons.push(draft.error);
    else {
      effects.push({
        effect: "issue",
        origin: { of: "event_replacement", eventId },
        stem: target.stem,
        draft: draft.value,
        acted: [],
      });
    }
  }
  return { effects, reasons };
}

interface OpenPart {
  readonly eventId: string;
  readonly part: IssuedForOrder;
}

/** Rectifications of this order's events that no full invoice has taken over. */
function openParts({ facts, history }: OrderContext, { rectifiable }: IssuedForOrder): OpenPart[] {
  const open = new Set(partsToTakeOver(rectifiable).map(({ invoiceId }) => invoiceId));
  const events = new Map(
    history.acted.map(({ id }) => [originText(facts.idExternal, { of: "event", eventId: id }), id]),
  );
  const made = new Set(history.followUps?.map(({ document }) => document.request.externalId));
  return history.rectifications.flatMap((part) => {
    const eventId = events.get(part.document.request.externalId);
    if (eventId === undefined || !open.has(part.rectifiable.invoiceId)) return [];
    // A follow-up that its owner annulled is not issued again.
    const isMade = made.has(originText(facts.idExternal, { of: "event_replacement", eventId }));
    return isMade ? [] : [{ eventId, part }];
  });
}

function draftFollowUp(context: OrderContext, { eventId, part }: OpenPart): Result<IssueDraft, Reason> {
  const { facts, history, issuer, today } = context;
  const { rectifiable, document } = part;
  const { currency, exchangeRate, exchangeRateDate, description } = document.request;
  const replaced = history.replacement?.document.request;
  const identifier = replaced && identifierIn(replaced);
  const operationDate = operationDateIn(rectifiable);
  return draftOf(
    {
      request: {
        externalId: originText(facts.idExternal, { of: "event_replacement", eventId }),
        invoiceType: "F3",
        regime: "art6_full",
        flags: [],
        description,
        currency,
        ...(exchangeRate === undefined ? {} : { exchangeRate }),
        ...(exchangeRateDate === undefined ? {} : { exchangeRateDate }),
        operationDate,
        pricesIncludeTax: false,
        ...recipientLater(replaced?.recipient, clientOf(context)),
        ...(replaced ? referencesOf(replaced) : {}),
        rectifies: [{ externalId: citation(rectifiable).externalId }],
      },
      lines: printedLines(part),
      groups: document.groups,
      ...(identifier ? { identifier } : {}),
      operationDate,
      cited: [rectifiable],
      links: [{ targetId: rectifiable.invoiceId, kind: "replacement", taken: [] }],
    },
    { settings: issuer, today },
  );
}

/** True if a full invoice is requested and a simplified one can be replaced. */
export function wantsFullInvoice(context: OrderContext): boolean {
  const { facts, answers, history } = context;
  const { invoice, replacement } = history;
  if (!facts.asksFullInvoice && !answers.fullInvoice) return false;
  if (!invoice || replacement || invoice.rectifiable.cancelled) return false;
  if (answers.dismissals.some(({ about }) => about === aboutFullInvoice(context))) return false;
  return familyOf(invoice.rectifiable) === "simplified" && leftOf(invoice).length > 0;
}

/** The subject of its reasons: the request with these data. Other data make another subject. */
function aboutFullInvoice(context: OrderContext): string {
  const { details: _, ...client } = clientOf(context);
  return `full_invoice:${sha256Hex(canonicalJson(client)).slice(0, 16)}`;
}

/** Subjects of events contain a space, so they cannot match. */
export function isAboutFullInvoice(about: string): boolean {
  return /^full_invoice:[0-9a-f]{16}$/.test(about);
}

/** F3: per rate the simplified invoice less its rectifications, for the client in the facts. */
export function draftFullInvoice(context: OrderContext, target: IssuedForOrder): Result<IssueDraft, Reason> {
  const drafted = draftFor(context, target);
  return drafted.ok ? drafted : err({ ...drafted.error, about: aboutFullInvoice(context) });
}

function draftFor(context: OrderContext, target: IssuedForOrder): Result<IssueDraft, Reason> {
  const { facts, history, issuer, today } = context;
  const groups = leftOf(target);
  const party = completeParty(context);
  if (!party.ok) return party;
  const { identifier, recipient } = party.value;
  const replaced = [target, ...partsInForce(target, history.rectifications)];
  const cited = replaced.map(({ rectifiable }) => rectifiable);
  const { currency, exchangeRate, exchangeRateDate } = target.document.request;
  return draftOf(
    {
      request: {
        externalId: originText(facts.idExternal, { of: "replacement", ...generationIn(history) }),
        invoiceType: "F3",
        regime: "art6_full",
        flags: [],
        description: descriptionOf(facts),
        currency,
        ...(exchangeRate === undefined ? {} : { exchangeRate }),
        ...(exchangeRateDate === undefined ? {} : { exchangeRateDate }),
        operationDate: operationDateIn(target.rectifiable),
        pricesIncludeTax: false,
        recipient,
        ...tradeOf(context, { isInPart: target.document.collected !== undefined }).details,
        rectifies: cited.map((invoice) => ({ externalId: citation(invoice).externalId })),
      },
      lines: replaced.flatMap(printedLines),
      groups,
      identifier,
      operationDate: operationDateIn(target.rectifiable),
      cited,
      links: cited.map(({ invoiceId }) => ({ targetId: invoiceId, kind: "replacement", taken: [] })),
    },
    { settings: settingsOfSale(issuer, salesOfStem(context, target.stem)), today },
  );
}

function leftOf({ rectifiable }: IssuedForOrder) {
  return [...remainingOf(rectifiable).values()].filter(({ amounts }) => !isNothing(amounts));
}

function partsInForce({ rectifiable }: IssuedForOrder, all: readonly IssuedForOrder[]): IssuedForOrder[] {
  const acting = new Set(
    rectifiable.actedOnBy.filter(({ inForce }) => inForce).map(({ invoiceId }) => invoiceId),
  );
  return all.filter((part) => acting.has(part.rectifiable.invoiceId));
}

/** All lines printed before, without the ids of an attestation. */
function printedLines({ document }: IssuedForOrder): DraftLine[] {
  return document.request.lines.map(({ lineId: _, ...line }, index) => ({
    line,
    amount: document.lineAmounts[index] ?? ZERO,
  }));
}

type Complete = Extract<Party, { readonly is: "complete" }>;

function completeParty(context: OrderContext): Result<Complete, Reason> {
  const party = partyOf(clientOf(context));
  if (!party.ok) return party;
  if (party.value.is === "complete") return ok(party.value);
  return err(incompleteReason(party.value.missing));
}
