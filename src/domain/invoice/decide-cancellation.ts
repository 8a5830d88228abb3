import { type Decimal, isNegative, isPositive, ZERO } from "../shared/decimal.ts";
import type { Facts } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import type { Amounts } from "./document.ts";
import {
  type ActingInvoice,
  differencesOf,
  type FurtherInvoice,
  type RectifiableInvoice,
  remainingOf,
  successorOf,
} from "./rectifiable.ts";
import type { FindInvoice } from "./references.ts";
import { type CancellationRefusal, type Refusal, refuse } from "./refusal.ts";
import { isUndoing, takenOverBy, undoneBy } from "./replaced-ticket.ts";
import type { IssuingSettings } from "./settings.ts";
import { keyText, subtractAmounts } from "./tax-groups.ts";

export interface CancellationContext {
  readonly settings: IssuingSettings;
  /** Finds the targets of a rectification by difference. */
  readonly find: FindInvoice;
}

/** The invoice of an ANULACION: no other invoice in force may act on it. Replays are known before. */
export function decideCancellation(
  externalId: string,
  invoice: RectifiableInvoice | undefined,
  { settings, find }: CancellationContext,
): Result<RectifiableInvoice, CancellationRefusal> {
  if (settings.connectionKind !== "api") {
    return refuse("direct_invoicing_not_supported_by_connection", { kind: settings.connectionKind });
  }
  if (!settings.consented) return refuse("invoicing_not_enabled");
  if (!invoice) return refuse("invoice_not_found", { external_id: externalId });
  const refusal = actingRefusal(invoice) ?? givingBackRefusal(invoice, find);
  return refusal ? { ok: false, error: refusal } : ok(invoice);
}

type ActingRefusal = Refusal<"cancellation_not_allowed" | "cancellation_undoes" | "cancellation_exceeds">;

/** Another invoice in force acts on it, or it undoes another, which it cannot bring back. */
export function actingRefusal(invoice: RectifiableInvoice): ActingRefusal | undefined {
  const { number } = invoice;
  // A substituted invoice belongs to its successor: cancelling its corrections cannot restore it.
  const acting = successorOf(invoice) ?? differencesOf(invoice)[0];
  if (acting) return refuse("cancellation_not_allowed", { number, ...actedOn(invoice, acting) }).error;
  if (!isUndoing(invoice)) return undefined;
  return refuse("cancellation_undoes", { number }).error;
}

/** Refuses if the amounts given back were drawn on, or if a dependent invoice would lose its counterpart. */
export function givingBackRefusal(invoice: RectifiableInvoice, find: FindInvoice): ActingRefusal | undefined {
  const { number } = invoice;
  const targets = targetsOf(invoice, find);
  const overdrawn = targets.find((target) => wouldOverdraw(target, invoice));
  if (overdrawn) return refuse("cancellation_exceeds", { number, reference: overdrawn.number }).error;
  if (invoice.invoiceType !== "F3") return undefined;
  const [follower] = targets.flatMap((ticket) => followersOf(ticket, invoice));
  if (!follower) return undefined;
  const facts = { state: { phrase: "followed" }, successor: follower.number } as const;
  const fix = { phrase: "undo_both", successor: follower.number } as const;
  return refuse("cancellation_not_allowed", { number, ...facts, fix }).error;
}

/** Other F3 that took over an R5 of the ticket. */
function followersOf(ticket: RectifiableInvoice, f3: RectifiableInvoice): FurtherInvoice[] {
  const followers = differencesOf(ticket).flatMap((part) => takenOverBy(part) ?? []);
  return followers.filter(({ invoiceId }) => invoiceId !== f3.invoiceId);
}

function actedOn(invoice: RectifiableInvoice, acting: ActingInvoice): Facts {
  const { kind, number: successor } = acting;
  if (undoneBy(invoice)) return { state: { phrase: "undone" }, successor, fix: { phrase: "replace_again" } };
  const fix = kind === "difference" ? "correct_rest_or_cancel" : "act_on_successor";
  if (kind === "replacement") {
    return { state: { phrase: "replaced" }, successor, fix: { phrase: "follow_or_undo", successor } };
  }
  return { state: { phrase: STATES[kind] }, successor, fix: { phrase: fix, successor } };
}

const STATES = { difference: "corrected", substitution: "substituted" } as const;

/** The invoices that a cancellation restores: the target of a difference, the tickets of an F3. */
export function givenBackTo(invoice: RectifiableInvoice): string[] {
  const kind = invoice.invoiceType === "F3" ? "replacement" : "difference";
  return invoice.actsOn.filter((link) => link.kind === kind).map((link) => link.externalId);
}

function targetsOf(invoice: RectifiableInvoice, find: FindInvoice): RectifiableInvoice[] {
  return givenBackTo(invoice).flatMap((externalId) => find(externalId) ?? []);
}

/** Taxed and untaxed part of a price are drawn on apart. */
const TAKEN_APART: readonly ((of: Amounts) => Decimal)[] = [
  ({ base }) => base,
  ({ outsideMargin = ZERO }) => outsideMargin,
];

/** An increase that later refunds have drawn on cannot be taken away: a group would fall below zero. */
function wouldOverdraw(target: RectifiableInvoice, part: RectifiableInvoice): boolean {
  const taken = target.actedOnBy.find((acting) => acting.invoiceId === part.invoiceId)?.taken ?? [];
  const remaining = remainingOf(target);
  return taken.some((group) => {
    const now = remaining.get(keyText(group))?.amounts;
    if (!now) return false;
    const without = subtractAmounts(now, group.amounts);
    return TAKEN_APART.some((part) => isPositive(part(group.amounts)) && isNegative(part(without)));
  });
}
