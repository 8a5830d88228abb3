import {
  type ActingInvoice,
  differencesOf,
  type FurtherInvoice,
  type RectifiableInvoice,
  successorOf,
} from "./rectifiable.ts";

/**
 * Rules after an F3 (AEAT, FAQ for developers, 27). A ticket is a simplified invoice that an F3 may replace.
 * Then R5 correct it, and an F3 of each R5 takes it over. An F3 of exactly the opposite amounts undoes an F3.
 */
type Acted = Pick<RectifiableInvoice, "actedOnBy">;

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
