import type { IssueDraft } from "../invoice/decide-issue.ts";
import { familyOf, remainingOf } from "../invoice/rectifiable.ts";
import { isNothing } from "../invoice/tax-groups.ts";
import { canonicalJson } from "../shared/canonical-json.ts";
import { ZERO } from "../shared/decimal.ts";
import { err, ok, type Result } from "../shared/result.ts";
import { sha256Hex } from "../shared/sha256.ts";
import type { IssuedForOrder, OrderContext } from "./context.ts";
import { operationDateIn } from "./corrections.ts";
import { descriptionOf } from "./first-invoice.ts";
import { generationIn } from "./generation.ts";
import { citation, type DraftLine, draftOf } from "./order-draft.ts";
import { originText } from "./order-origin.ts";
import type { Reason } from "./reasons.ts";
import { clientOf, incompleteReason, type Party, partyOf } from "./recipient.ts";

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
  return `full_invoice:${sha256Hex(canonicalJson({ ...clientOf(context) })).slice(0, 16)}`;
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
        rectifies: cited.map((invoice) => ({ externalId: citation(invoice).externalId })),
      },
      lines: replaced.flatMap(printedLines),
      groups,
      identifier,
      operationDate: operationDateIn(target.rectifiable),
      cited,
      links: cited.map(({ invoiceId }) => ({ targetId: invoiceId, kind: "replacement", taken: [] })),
    },
    { settings: issuer, today },
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
export function printedLines({ document }: IssuedForOrder): DraftLine[] {
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
