import type { CivilDate } from "../shared/civil-date.ts";
import type { Decimal } from "../shared/decimal.ts";
import type { TaxIdentifier } from "../shared/tax-identifier.ts";
import type { Amounts, InvoiceDocument, Rectified, TaxGroup } from "./document.ts";
import type { DocumentaryFlag, DocumentaryRegime, InvoiceType, Recipient } from "./request.ts";
import { addAmounts, isNothing, keyText, recordableEur, sumAmounts } from "./tax-groups.ts";

export type LinkKind = "difference" | "substitution" | "replacement";

/** An invoice in force that acts on an acting invoice. */
export interface FurtherInvoice {
  readonly invoiceId: string;
  readonly number: string;
  readonly kind: LinkKind;
}

/** Another invoice that acts on this one. */
export interface ActingInvoice {
  readonly invoiceId: string;
  readonly externalId: string;
  readonly number: string;
  readonly kind: LinkKind;
  /** The amounts taken per group (negative for a refund); empty unless by difference. */
  readonly taken: readonly TaxGroup[];
  /** Neither cancelled, which restores the amounts taken, nor an undone F3. */
  readonly inForce: boolean;
  /** The F3 that took a part over, the F3 that undid an F3, an older correction of an F3. */
  readonly actedOnBy: readonly FurtherInvoice[];
}

/** An invoice that this one acts on. */
export interface TargetInvoice {
  readonly invoiceId: string;
  readonly externalId: string;
  readonly kind: LinkKind;
  readonly invoiceType: InvoiceType;
}

/** An invoice of this connection as rectifications, replacements and cancellations see it. */
export interface RectifiableInvoice {
  readonly invoiceId: string;
  readonly externalId: string;
  readonly number: string;
  readonly issueDate: CivilDate;
  readonly operationDate?: CivilDate;
  readonly invoiceType: InvoiceType;
  readonly regime: DocumentaryRegime;
  readonly flags: readonly DocumentaryFlag[];
  readonly currency: string;
  readonly exchangeRate?: Decimal;
  /** Tax and regime that its lines without their own were given. */
  readonly defaults: InvoiceDocument["defaults"];
  readonly groups: readonly TaxGroup[];
  readonly recipient?: Recipient;
  /** The recipients' identifiers, as printed and as in the newest registration; empty without a recipient. */
  readonly identifiers: readonly TaxIdentifier[];
  /** The maximum total in EUR by the basis of an unqualified simplified invoice, if known. */
  readonly limitEur?: Decimal;
  /** It acts on an external invoice, of which only its own statements are known. */
  readonly citesElsewhere?: true;
  readonly cancelled: boolean;
  /** The invoices on which this one acts. */
  readonly actsOn: readonly TargetInvoice[];
  readonly actedOnBy: readonly ActingInvoice[];
  /** A test is no invoice, and neither is its correction. */
  readonly test?: true;
  /** One of its targets was deleted with its retired year, so the target's remaining amounts are unknown. */
  readonly isBereft?: true;
}

type Acted = Pick<RectifiableInvoice, "actedOnBy">;

/** Full, qualified simplified, simplified, or full without recipient: a rectification stays in the family. */
export type DocumentFamily = "full" | "qualified" | "simplified" | "without_recipient";

export function familyOf(invoice: { readonly invoiceType: InvoiceType; readonly regime: DocumentaryRegime }) {
  const identified = invoice.invoiceType !== "F2" && invoice.invoiceType !== "R5";
  const simplified = invoice.regime === "art7_simplified";
  const family: DocumentFamily = identified
    ? simplified
      ? "qualified"
      : "full"
    : simplified
      ? "simplified"
      : "without_recipient";
  return family;
}

/** The invoice that took its place, by substitution or as a full invoice for a simplified one. */
export function successorOf(invoice: Acted): ActingInvoice | undefined {
  return invoice.actedOnBy.find((acting) => acting.inForce && acting.kind !== "difference");
}

export function differencesOf(invoice: Acted): readonly ActingInvoice[] {
  return invoice.actedOnBy.filter((acting) => acting.inForce && acting.kind === "difference");
}

/**
 * A rectification by difference is a part of the invoice that it corrects, not an invoice to be corrected.
 */
export function isPart(invoice: RectifiableInvoice): boolean {
  return invoice.actsOn.some((link) => link.kind === "difference");
}

/** The remaining amounts per group: invoiced, less the rectifications by difference. */
export function remainingOf(
  invoice: Pick<RectifiableInvoice, "groups" | "actedOnBy">,
): ReadonlyMap<string, TaxGroup> {
  return mergeGroups([...invoice.groups, ...differencesOf(invoice).flatMap((acting) => acting.taken)]);
}

/** The amounts taken by the rectifications in force, per group. */
export function takenFrom(invoice: RectifiableInvoice): ReadonlyMap<string, TaxGroup> {
  return mergeGroups(differencesOf(invoice).flatMap((acting) => acting.taken));
}

/** Groups of one key added up, in the order of their first appearance. */
export function mergeGroups(groups: Iterable<TaxGroup>): ReadonlyMap<string, TaxGroup> {
  const merged = new Map<string, TaxGroup>();
  for (const group of groups) {
    const known = merged.get(keyText(group));
    const sum = known
      ? { ...known, amounts: addAmounts(known.amounts, group.amounts), eur: addAmounts(known.eur, group.eur) }
      : group;
    merged.set(keyText(group), sum);
  }
  return merged;
}

/** The effect of a new invoice on a cited one. */
export interface Link {
  readonly targetId: string;
  readonly kind: LinkKind;
  readonly taken: readonly TaxGroup[];
}

export interface Rectification {
  /** The groups of the new invoice, with the cents of a part that takes all that remains. */
  readonly groups: readonly TaxGroup[];
  readonly links: readonly Link[];
  /** Only by substitution. */
  readonly rectified?: Rectified;
}

/** ImporteRectificacion: the amounts in the records of those invoices. */
export function rectifiedInRecord({ groups, elsewhere }: Rectified): Amounts {
  return sumAmounts([...groups.map(recordableEur), ...(elsewhere ? [elsewhere.eur] : [])]);
}

/** Substitution and F3 act on whole invoices: nothing is taken by group. */
export function linkWhole(invoices: readonly RectifiableInvoice[], kind: LinkKind): Link[] {
  return invoices.map((invoice) => ({ targetId: invoice.invoiceId, kind, taken: [] }));
}

/** The state of an invoice today, independent of the authority's answers. */
export type DocumentStatus =
  | { readonly is: "issued" | "partially_rectified" | "rectified" | "cancelled" }
  /** Undone: a later F3 has reversed this one, and its tickets are free again. */
  | { readonly is: "replaced" | "undone"; readonly by: string };

export function documentStatus(
  invoice: Pick<RectifiableInvoice, "cancelled" | "groups" | "actedOnBy"> & { readonly invoiceType: string },
): DocumentStatus {
  if (invoice.cancelled) return { is: "cancelled" };
  const successor = successorOf(invoice);
  if (successor) {
    const isUndone = invoice.invoiceType === "F3" && successor.kind === "replacement";
    return { is: isUndone ? "undone" : "replaced", by: successor.number };
  }
  if (differencesOf(invoice).length === 0) return { is: "issued" };
  const isNothingLeft = [...remainingOf(invoice).values()].every(({ amounts }) => isNothing(amounts));
  return { is: isNothingLeft ? "rectified" : "partially_rectified" };
}

// Rules after an F3 (AEAT, FAQ for developers, 27). A ticket is a simplified invoice that an F3 may replace.
// Then R5 correct it, and an F3 of each R5 takes it over. An F3 of exactly the opposite amounts undoes an F3.

/** The F3 in force that replaces a ticket, or a rectification of a ticket. */
export function replacementOf(invoice: Acted): ActingInvoice | undefined {
  const successor = successorOf(invoice);
  return successor?.kind === "replacement" ? successor : undefined;
}

/**
 * True if R5 still correct a replaced ticket. If the F3 itself was rectified, further rectifications act on
 * the F3: the ticket does not know its amounts.
 */
export function isFollowedByR5({ kind, actedOnBy }: ActingInvoice): boolean {
  return kind === "replacement" && actedOnBy.every((further) => further.kind === "replacement");
}

/** The F3 in force that took over a rectification of a ticket. */
export function takenOverBy(part: Pick<ActingInvoice, "actedOnBy">): FurtherInvoice | undefined {
  return part.actedOnBy.find(({ kind }) => kind === "replacement");
}

/** R5 in force of a replaced ticket that no F3 has taken over yet. */
export function partsToTakeOver(ticket: Acted): readonly ActingInvoice[] {
  if (!replacementOf(ticket)) return [];
  return differencesOf(ticket).filter((part) => !takenOverBy(part));
}

/** The F3 of exactly the opposite amounts; after it neither of the two is in force. */
export function undoneBy(
  f3: Pick<RectifiableInvoice, "invoiceType" | "actedOnBy">,
): ActingInvoice | undefined {
  return f3.invoiceType === "F3" ? replacementOf(f3) : undefined;
}

export function isUndoing({
  invoiceType,
  actsOn,
}: Pick<RectifiableInvoice, "invoiceType" | "actsOn">): boolean {
  return invoiceType === "F3" && actsOn.some((target) => target.invoiceType === "F3");
}
