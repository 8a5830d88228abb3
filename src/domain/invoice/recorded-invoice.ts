import { issuesDirectly } from "../connection/kind.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import { type Decimal, isNegative, isPositive, ZERO } from "../shared/decimal.ts";
import type { Facts } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { hasInk, isPlainText, normalizeText } from "../shared/text.ts";
import type { RegistrationContent } from "../verifactu/record.ts";
import {
  type AllowedCorrections,
  allowedCorrections,
  annulmentOf,
  type Correction,
  type RecordStatus,
} from "../verifactu/submission/corrections.ts";
import type { Amounts, InvoiceDocument } from "./document.ts";
import {
  type ActingInvoice,
  differencesOf,
  type FurtherInvoice,
  isUndoing,
  type RectifiableInvoice,
  remainingOf,
  successorOf,
  takenOverBy,
  undoneBy,
} from "./rectifiable.ts";
import type { FindInvoice } from "./references.ts";
import { type CancellationRefusal, type RecordRefusal, type Refusal, refuse } from "./refusal.ts";
import type { IssuingSettings } from "./settings.ts";
import { keyText, subtractAmounts } from "./tax-groups.ts";

/** An invoice with all its records and the authority's answers. */
export interface RecordedInvoice {
  readonly number: string;
  readonly issueDate: CivilDate;
  readonly document: InvoiceDocument;
  /** Issued for an order, which decides if there was a sale. */
  readonly isOfOrder: boolean;
  readonly rectifiable: RectifiableInvoice;
  /** The content of the newest registration. */
  readonly content: RegistrationContent;
  /** All of its records in the order of the chain. */
  readonly records: readonly RecordStatus[];
}

type Offer = Result<Correction, RecordRefusal>;

/** The corrections that an owner may make, and the refusals of the others. */
interface Offers {
  /** `required` if the authority's rules demand a correction. */
  readonly need: AllowedCorrections["need"];
  readonly amend: Offer;
  readonly annul: Offer;
}

export function offersFor(invoice: RecordedInvoice): Offers {
  const allowed = allowedCorrections(invoice.records);
  return {
    need: allowed.need,
    amend: offerAmendment(invoice, allowed),
    annul: offerAnnulment(invoice, allowed),
  };
}

/**
 * The authority would let an amendment restore an annulled invoice. Our books keep it cancelled, because
 * later documents may rely on the cancellation.
 */
function offerAmendment(invoice: RecordedInvoice, { because, allowed }: AllowedCorrections): Offer {
  const { number } = invoice;
  if (invoice.rectifiable.cancelled) return refuse("amendment_of_cancelled", { number });
  if (because === "not_final") return refuse("correction_awaits_answer", { number });
  if (because) return blocked(invoice, because);
  return offered(allowed.find(({ correction }) => correction === "amend"));
}

/** The first annulment cancels the invoice at any time; another is allowed only after a failed one. */
function offerAnnulment(invoice: RecordedInvoice, { because, need }: AllowedCorrections): Offer {
  const { number, rectifiable, records, isOfOrder } = invoice;
  // Our books can cancel an invoice with a number that another system has used at the authority.
  const isOpen = because === "not_final" || (because === "number_taken" && !rectifiable.cancelled);
  if (because && !isOpen) return blocked(invoice, because);
  if (rectifiable.cancelled) {
    if (because) return refuse("correction_awaits_answer", { number });
    if (need === "none") return refuse("invoice_already_cancelled", { number });
    return ok(annulmentOf(records));
  }
  if (isOfOrder) return refuse("annulment_through_order", { number });
  const acting = actingRefusal(rectifiable);
  return acting ? { ok: false, error: acting } : ok(annulmentOf(records));
}

type Blocking = Exclude<NonNullable<AllowedCorrections["because"]>, "not_final">;

function blocked({ number }: RecordedInvoice, because: Blocking): Result<never, RecordRefusal> {
  switch (because) {
    case "foreign_duplicate":
      return refuse("duplicate_of_another", { number });
    case "number_taken":
      return refuse("number_taken", { number });
    case "made_by_form":
      return refuse("registered_by_form", { number });
  }
}

function offered(correction: Correction | undefined): Offer {
  if (!correction) throw new Error("what nothing stands against is allowed");
  return ok(correction);
}

interface CancellationContext {
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
  if (!issuesDirectly(settings.connectionKind)) {
    return refuse("direct_invoicing_not_supported_by_connection", { kind: settings.connectionKind });
  }
  if (!settings.consented) return refuse("invoicing_not_enabled");
  if (!invoice) return refuse("invoice_not_found", { external_id: externalId });
  const refusal = actingRefusal(invoice) ?? givingBackRefusal(invoice, find);
  return refusal ? { ok: false, error: refusal } : ok(invoice);
}

type ActingRefusal = Refusal<"cancellation_not_allowed" | "cancellation_undoes" | "cancellation_exceeds">;

/** Another invoice in force acts on it, or it undoes another, which it cannot bring back. */
function actingRefusal(invoice: RectifiableInvoice): ActingRefusal | undefined {
  const { number } = invoice;
  // A substituted invoice belongs to its successor: cancelling its corrections cannot restore it.
  const acting = successorOf(invoice) ?? differencesOf(invoice)[0];
  if (acting) return refuse("cancellation_not_allowed", { number, ...actedOn(invoice, acting) }).error;
  if (!isUndoing(invoice)) return undefined;
  return refuse("cancellation_undoes", { number }).error;
}

/** Refuses if the amounts given back were drawn on, or if a dependent invoice would lose its counterpart. */
function givingBackRefusal(invoice: RectifiableInvoice, find: FindInvoice): ActingRefusal | undefined {
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

interface AnnulmentContext {
  readonly consented: boolean;
  /** Finds the targets of a rectification by difference. */
  readonly find: FindInvoice;
}

const REASON_LENGTH = 500;

/**
 * Decides if the owner may annul the invoice. The first annulment cancels it and needs consent. A repeat
 * after a refusal by the authority only completes the earlier decision.
 */
export function decideAnnulment(
  reason: string,
  invoice: RecordedInvoice,
  { consented, find }: AnnulmentContext,
): Result<string, RecordRefusal> {
  const isFirst = !invoice.rectifiable.cancelled;
  if (isFirst && !consented) return refuse("invoicing_not_enabled");
  const { annul } = offersFor(invoice);
  if (!annul.ok) return annul;
  const overdrawn = isFirst ? givingBackRefusal(invoice.rectifiable, find) : undefined;
  if (overdrawn) return { ok: false, error: overdrawn };
  if (!isReason(reason)) return refuse("cancellation_without_reason", {}, "reason");
  return ok(normalizeText(reason));
}

/** A plain, visible text of limited length. */
export function isReason(reason: string): boolean {
  const text = normalizeText(reason);
  return isPlainText(text) && hasInk(text) && [...text].length <= REASON_LENGTH;
}
