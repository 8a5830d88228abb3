import { balancesOf, remainingIn } from "../../invoice/balance.ts";
import { familyOf } from "../../invoice/rectifiable.ts";
import { type Refusal, refuse } from "../../invoice/refusal.ts";
import { isNothing } from "../../invoice/tax-groups.ts";
import { isCountry } from "../../shared/country.ts";
import { ok, type Result } from "../../shared/result.ts";
import { masked } from "../../shared/shown-text.ts";
import { hasInk, isPlainText, normalizeText } from "../../shared/text.ts";
import type { Dismissal, IssuedForOrder, OrderContext, OwnerAnswers } from "../context.ts";
import { correctedInvoice, decideOrder, invoiceInForce } from "../decide-order.ts";
import { printable } from "../fact-text.ts";
import type { ClientFacts, CorrectionEvent } from "../facts.ts";
import { isAboutFullInvoice, wantsFullInvoice } from "../follow-up.ts";
import { aboutReactivation, isOver, isReissue, reissueOf } from "../generation.ts";
import { canonicalEventId } from "../order-origin.ts";
import { holds } from "../reasons.ts";
import { clientOf, incompleteReason, type Party, partyOf } from "../recipient.ts";
import {
  type AuditFacts,
  answer,
  type Checked,
  type CurrentOrder,
  checkWaiting,
  isAskedFor,
} from "./answer.ts";

const RECIPIENT_MEMBERS = [
  "firstName",
  "lastName",
  "company",
  "vatNumber",
  "idType",
  "country",
  "address1",
  "postcode",
  "city",
] as const satisfies readonly (keyof ClientFacts)[];

/** Members that replace the client's; an empty text removes one. */
export type EnteredRecipient = Pick<ClientFacts, (typeof RECIPIENT_MEMBERS)[number]>;

/** For the first invoice, or for a full invoice that is requested later. */
export const enter_recipient = answer<{ readonly recipient: EnteredRecipient }>({
  apply: (answers, { recipient }, order) => ({ ...answers, recipient: recipientFor(order, recipient) }),
  check(_, order, after) {
    const isForFullInvoice = wantsFullInvoice(order);
    const waiting = isForFullInvoice ? ok(undefined) : checkWaiting(order);
    if (!waiting.ok) return waiting;
    if (Object.keys(after.answers.recipient ?? {}).length === 0) return refuse("nothing_declared");
    const party = checkParty(after);
    return party.ok ? ok(undefined) : party;
  },
  facts: ({ recipient }) => recipientFacts(recipient),
});

export const ask_full_invoice = answer<{ readonly recipient?: EnteredRecipient }>({
  apply: (answers, { recipient }, order) => ({
    ...answers,
    fullInvoice: true,
    ...(recipient ? { recipient: recipientFor(order, recipient) } : {}),
    dismissals: answers.dismissals.filter(({ about }) => !isAboutFullInvoice(about)),
  }),
  check(_, order, after) {
    const { invoice, replacement } = order.history;
    if (!invoice) return refuse("order_not_invoiced");
    const { rectifiable } = invoice;
    const { number } = rectifiable;
    if (replacement) {
      return refuse("invoice_already_replaced", { number, successor: replacement.rectifiable.number });
    }
    if (rectifiable.cancelled) return refuse("invoice_annulled", { number });
    if (familyOf(rectifiable) !== "simplified") return refuse("no_simplified_invoice", { number });
    if (!isSomethingLeft(invoice)) return refuse("nothing_left", { number });
    const party = checkParty(after);
    if (!party.ok) return party;
    if (party.value.is === "complete") return ok(undefined);
    return refuse("recipient_incomplete", incompleteReason(party.value.missing).facts, "recipient");
  },
  facts: ({ recipient }) => (recipient ? recipientFacts(recipient) : {}),
});

/** An identifier is entered with its type: the type of the shop's number does not apply to another number. */
function recipientFor({ facts }: CurrentOrder, entered: EnteredRecipient): EnteredRecipient {
  const stated = statedRecipient(entered);
  const isOthers = stated.vatNumber !== undefined && stated.idType === undefined;
  return isOthers && facts.client?.idType !== undefined ? { ...stated, idType: "" } : stated;
}

/** The form is complete: it replaces earlier entries. */
function statedRecipient(entered: EnteredRecipient): EnteredRecipient {
  return Object.fromEntries(
    RECIPIENT_MEMBERS.flatMap((member) => {
      const text = entered[member];
      if (text === undefined) return [];
      const kept = normalizeText(text);
      return [[member, member === "country" ? kept.toUpperCase() : kept]];
    }),
  );
}

/** The client with the entered members: the country must exist and the identifier must be valid. */
function checkParty(
  after: OrderContext,
): Result<Party, Refusal<"country_invalid" | "tax_identifier_invalid">> {
  const { country } = after.answers.recipient ?? {};
  if (country !== undefined && country !== "" && !isCountry(country)) {
    return refuse("country_invalid", { country: printable(country) }, "recipient.country");
  }
  const party = partyOf(clientOf(after));
  return party.ok ? party : refuse("tax_identifier_invalid", party.error.facts, "recipient.vat_number");
}

/** The names of the members, and the end of the identifier. */
function recipientFacts(recipient: EnteredRecipient): AuditFacts {
  const stated = statedRecipient(recipient);
  const { vatNumber } = stated;
  return {
    members: Object.keys(stated).join(", "),
    ...(vatNumber === undefined || vatNumber === "" ? {} : { identifier: masked(vatNumber) }),
  };
}

/** Rectify all that remains of the invoice, without waiting for the shop. */
export const issue_cancellation = answer({
  apply(answers, _, order) {
    const event = ownerCancellation(order);
    return event ? { ...answers, events: [...answers.events, event] } : answers;
  },
  check(_, order) {
    const [invoice, target] = [invoiceInForce(order), correctedInvoice(order)];
    if (!invoice || !target) return refuse("order_not_invoiced");
    const { number, cancelled } = invoice.rectifiable;
    if (cancelled) return refuse("invoice_annulled", { number });
    return isSomethingLeft(target) ? ok(undefined) : refuse("nothing_left", { number });
  },
  isStillAsked: () => false,
});

const OWNER_CANCELLATION = "owner:cancellation";

/**
 * The cancellation that the owner adds to the shop's events. Its own id makes it act once: a second one is
 * possible only after the rectification was annulled. Undefined if one is already requested.
 */
function ownerCancellation(order: CurrentOrder): CorrectionEvent | undefined {
  const { answers, history } = order;
  const own = answers.events.filter(({ type }) => type === "cancellation");
  const isWaiting = own.some(
    (event) => !isOver(order, event) && !history.acted.some(({ id }) => id === event.id),
  );
  const target = correctedInvoice(order);
  const isDone = own.length > 0 && (!target || !isSomethingLeft(target));
  if (isWaiting || isDone) return undefined;
  return { id: freeId(order, own.length + 1), type: "cancellation", lines: [] };
}

/** A shop may give its events any id, even one of our form. */
function freeId({ facts, history }: CurrentOrder, ordinal: number): string {
  const taken = new Set([...facts.events, ...history.acted].map(({ id }) => canonicalEventId(id)));
  const idOf = (number: number) => (number === 1 ? OWNER_CANCELLATION : `${OWNER_CANCELLATION}:${number}`);
  let free = ordinal;
  while (taken.has(idOf(free))) free += 1;
  return idOf(free);
}

function isSomethingLeft({ rectifiable }: IssuedForOrder): boolean {
  return balancesOf(rectifiable).some((balance) => !isNothing(remainingIn(balance)));
}

/** A new invoice from the order's newest facts, after the shop reactivated a cancelled order. */
export const issue = answer({
  /** Requests and dismissals about earlier invoices do not apply to the new one. */
  apply(answers, _, order) {
    if (!order.reasons.some(({ code }) => code === "reactivated")) return answers;
    const dismissals = answers.dismissals.filter(
      ({ code, about }) => code !== "status_cancelled" && !isAboutFullInvoice(about),
    );
    return { ...answers, reissue: reissueOf(order), fullInvoice: false, approved: true, dismissals };
  },
  /**
   * Reasons that hold the new invoice are given once it is requested; if none can follow, it is refused at
   * once.
   */
  check(_, order, after) {
    if (!invoiceInForce(order)) return refuse("order_not_invoiced");
    if (!order.reasons.some(({ code }) => code === "reactivated")) return refuse("order_not_reactivated");
    const { state, effects } = decideOrder(after);
    const isToCome = effects.length > 0 || state === "held" || state === "deferred";
    return isToCome ? ok(undefined) : refuse("nothing_to_issue");
  },
  isStillAsked: (_, order) => order.answers.reissue === undefined || isAskedFor("issue", order),
});

const WHY_LENGTH = 500;

interface DismissedWith {
  readonly why: string;
  /** Only these reasons; by default the order, or after its invoice all reasons that hold it. */
  readonly which?: readonly Dismissal[];
}

export const dismiss = answer<DismissedWith>({
  apply(answers, { which }, order) {
    const added = dismissedBy(order, which).filter((dismissal) => !isAmong(answers.dismissals, dismissal));
    const dismissals = [...answers.dismissals, ...added];
    const isWhole = !order.history.invoice && which === undefined;
    if (isWhole && isReissue(order)) return withoutReissue(answers, order);
    // The owner withdraws their own request. The shop's request can come again with other data.
    const fullInvoice = answers.fullInvoice && !added.some(({ about }) => isAboutFullInvoice(about));
    return { ...answers, dismissals, fullInvoice, ...(isWhole ? { dismissed: true } : {}) };
  },
  check({ why, which }, order, after) {
    const text = normalizeText(why);
    const isSaid = isPlainText(text) && hasInk(text) && [...text].length <= WHY_LENGTH;
    if (!isSaid) return refuse("dismissal_without_reason", {}, "why");
    const dismissed = dismissedBy(order, which);
    const isWhole = !order.history.invoice && which === undefined;
    if (isWhole) return order.state === "cancelled" ? refuse("nothing_to_dismiss") : ok(undefined);
    return checkDismissed(dismissed, order, after);
  },
  facts: ({ why, which }) => ({
    why: normalizeText(why),
    ...(which === undefined ? {} : { which: which.map(({ code }) => code).join(", ") }),
  }),
  /** An answer without a change is a repeat only if something was dismissed before. */
  isStillAsked: (_, { answers }) => !answers.dismissed && answers.dismissals.length === 0,
});

/** Before an invoice the order itself is dismissed, after it the reasons that hold it. */
function dismissedBy(order: CurrentOrder, which?: readonly Dismissal[]): readonly Dismissal[] {
  if (which) return which.map(({ code, about }) => ({ code, about }));
  return order.history.invoice ? holdingReasons(order) : [];
}

function checkDismissed(dismissed: readonly Dismissal[], order: CurrentOrder, after: OrderContext): Checked {
  if (dismissed.length === 0) return refuse("nothing_to_dismiss");
  const holding = holdingReasons(order);
  const gone = dismissed.filter((dismissal) => !isAmong(holding, dismissal));
  if (gone.length > 0) return refuse("reason_not_standing", codesIn(gone), "which");
  const left = decideOrder(after).reasons.map(({ code, about = "" }) => ({ code, about }));
  const stubborn = dismissed.filter((dismissal) => isAmong(left, dismissal));
  return stubborn.length > 0 ? refuse("reason_not_dismissible", codesIn(stubborn), "which") : ok(undefined);
}

function holdingReasons({ reasons }: CurrentOrder): readonly Dismissal[] {
  return reasons.filter(holds).map(({ code, about = "" }) => ({ code, about }));
}

function isAmong(dismissals: readonly Dismissal[], { code, about }: Dismissal): boolean {
  return dismissals.some((other) => other.code === code && other.about === about);
}

/** Takes the reissue back: the order stays cancelled as before. */
function withoutReissue(answers: OwnerAnswers, { history, ...order }: CurrentOrder): OwnerAnswers {
  const before = { ...order, answers, history: { ...history, generation: history.generation - 1 } };
  const dismissal = { code: "reactivated", about: aboutReactivation(before) } as const;
  return {
    ...answers,
    reissue: { generation: history.generation - 1, over: answers.reissue?.over ?? [] },
    dismissals: [...answers.dismissals, dismissal],
  };
}

function codesIn(dismissals: readonly Dismissal[]) {
  return { reasons: { all: [...new Set(dismissals.map(({ code }) => code))] } };
}
