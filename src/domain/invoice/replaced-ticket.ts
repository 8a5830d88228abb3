import {
  type ActingInvoice,
  differencesOf,
  type FurtherInvoice,
  type RectifiableInvoice,
  successorOf,
} from "./rectifiable.ts";

/**
 * What follows an F3 (AEAT, FAQ for developers, 27). A ticket is a simplified invoice that an F3 may replace.
 * Once replaced it is corrected by R5, and an F3 of that R5 takes each over. An F3 of exactly minus the
 * amounts of another undoes that one.
 */
type Acted = Pick<RectifiableInvoice, "actedOnBy">;

/** The F3 in force that stands for a ticket, or for a rectification of a ticket. */
export function replacementOf(invoice: Acted): ActingInvoice | undefined {
  const successor = successorOf(invoice);
  return successor?.kind === "replacement" ? successor : undefined;
}

/**
 * Whether the R5 of a ticket goes on behind its F3. An F3 that was rectified itself goes on being rectified:
 * the ticket does not know what was taken back of it there.
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

/** The F3 of exactly minus the amounts of this one: nothing acts on either any more. */
export function undoneBy(
  f3: Pick<RectifiableInvoice, "invoiceType" | "actedOnBy">,
): ActingInvoice | undefined {
  return f3.invoiceType === "F3" ? replacementOf(f3) : undefined;
}

/** Whether this F3 undoes others. */
export function isUndoing({
  invoiceType,
  actsOn,
}: Pick<RectifiableInvoice, "invoiceType" | "actsOn">): boolean {
  return invoiceType === "F3" && actsOn.some((target) => target.invoiceType === "F3");
}
