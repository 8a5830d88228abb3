import { familyOf } from "../invoice/rectifiable.ts";
import { type Refusal, refuse } from "../invoice/refusal.ts";
import { isCountry } from "../shared/country.ts";
import { ok, type Result } from "../shared/result.ts";
import { hasInk, isPlainText, normalizeText } from "../shared/text.ts";
import type { OrderAsItStands } from "./answer.ts";
import { dismissedBy, isAmong } from "./answer-applied.ts";
import { correctedInvoice, invoiceInForce, isSomethingLeft } from "./answer-cancellation.ts";
import type { AnswerRefusal } from "./answer-refusal.ts";
import { checkWaiting } from "./answer-sale-checks.ts";
import type { Dismissal, OrderContext } from "./context.ts";
import { decideOrder } from "./decide-order.ts";
import { printable } from "./fact-text.ts";
import { wantsFullInvoice } from "./full-invoice.ts";
import { holds } from "./reasons.ts";
import { clientOf, incompleteReason, type Party, partyOf } from "./recipient.ts";

type Checked = Result<void, AnswerRefusal>;

/** For the first invoice, or for the full one that is asked for later. */
export function checkRecipient(order: OrderAsItStands, after: OrderContext): Checked {
  const isForFullInvoice = wantsFullInvoice(order);
  const waiting = isForFullInvoice ? ok(undefined) : checkWaiting(order);
  if (!waiting.ok) return waiting;
  if (Object.keys(after.answers.recipient ?? {}).length === 0) return refuse("nothing_declared");
  const party = checkParty(after);
  return party.ok ? ok(undefined) : party;
}

export function checkFullInvoice(order: OrderAsItStands, after: OrderContext): Checked {
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
}

/** The client with what was entered: a country that exists, and an identifier that is one. */
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

/** Whatever remains of the invoice goes back: nothing to wait for, and once it is done nothing to repeat. */
export function checkCancellation(order: OrderAsItStands): Checked {
  const [invoice, target] = [invoiceInForce(order), correctedInvoice(order)];
  if (!invoice || !target) return refuse("order_not_invoiced");
  const { number, cancelled } = invoice.rectifiable;
  if (cancelled) return refuse("invoice_annulled", { number });
  return isSomethingLeft(target) ? ok(undefined) : refuse("nothing_left", { number });
}

/** What still holds the new invoice is said of it once it is wanted; that there is none is said at once. */
export function checkIssue(order: OrderAsItStands, after: OrderContext): Checked {
  if (!invoiceInForce(order)) return refuse("order_not_invoiced");
  if (!order.reasons.some(({ code }) => code === "reactivated")) return refuse("order_not_reactivated");
  const { state, effects } = decideOrder(after);
  const isToCome = effects.length > 0 || state === "held" || state === "deferred";
  return isToCome ? ok(undefined) : refuse("nothing_to_issue");
}

const WHY_LENGTH = 500;

export function checkDismissal(
  { why, which }: { readonly why: string; readonly which?: readonly Dismissal[] },
  order: OrderAsItStands,
  after: OrderContext,
): Checked {
  const text = normalizeText(why);
  const isSaid = isPlainText(text) && hasInk(text) && [...text].length <= WHY_LENGTH;
  if (!isSaid) return refuse("dismissal_without_reason", {}, "why");
  const dismissed = dismissedBy(order, which);
  const isWhole = !order.history.invoice && which === undefined;
  if (isWhole) return order.state === "cancelled" ? refuse("nothing_to_dismiss") : ok(undefined);
  if (dismissed.length === 0) return refuse("nothing_to_dismiss");
  const standing = order.reasons.filter(holds).map(({ code, about = "" }) => ({ code, about }));
  const gone = dismissed.filter((dismissal) => !isAmong(standing, dismissal));
  if (gone.length > 0) return refuse("reason_not_standing", codesIn(gone), "which");
  const left = decideOrder(after).reasons.map(({ code, about = "" }) => ({ code, about }));
  const stubborn = dismissed.filter((dismissal) => isAmong(left, dismissal));
  return stubborn.length > 0 ? refuse("reason_not_dismissible", codesIn(stubborn), "which") : ok(undefined);
}

function codesIn(dismissals: readonly Dismissal[]) {
  return { reasons: { all: [...new Set(dismissals.map(({ code }) => code))] } };
}
