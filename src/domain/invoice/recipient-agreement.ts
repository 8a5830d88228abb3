import { invariant, ok, type Result } from "../shared/result.ts";
import { identifierOf } from "./prepare.ts";
import type { RectifiableInvoice } from "./rectifiable.ts";
import type { References } from "./references.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import { replacementOf } from "./replaced-ticket.ts";
import type { InvoiceRequest } from "./request.ts";
import { isSamePerson } from "./same-person.ts";
import type { FindById } from "./undoing.ts";

/**
 * A difference goes to the original recipient. A wrong recipient is corrected by substitution, or by an F3
 * that undoes another.
 */
export function checkSameRecipient(
  request: InvoiceRequest,
  references: References,
  findById: FindById,
): Result<void, IssueRefusal> {
  const identifier = identifierOf(request.recipient);
  if (!identifier) return ok(undefined);
  const other = issuedToOne(request, references, findById).find(
    ({ identifiers }) => identifiers.length > 0 && !identifiers.some((one) => isSamePerson(one, identifier)),
  );
  if (!other) return ok(undefined);
  const { vatNumber } = request.recipient ?? {};
  invariant(vatNumber !== undefined, "an identifier was stated");
  const fix = request.invoiceType === "F3" ? "send_its_recipient" : "send_its_recipient_or_substitute";
  const facts = { reference: other.number, identifier: vatNumber, fix: { phrase: fix } } as const;
  return refuse("recipient_differs", facts, "recipient.vat_number");
}

/** The invoices with which it must share the recipient: differences act on them, or an F3 follows them. */
function issuedToOne(
  { invoiceType, rectificationMethod }: InvoiceRequest,
  { own, undone }: References,
  findById: FindById,
): readonly RectifiableInvoice[] {
  if (rectificationMethod === "difference") return own;
  if (invoiceType !== "F3") return [];
  const tickets = own.flatMap(({ actsOn }) => actsOn.filter(({ kind }) => kind === "difference"));
  const followed = tickets.flatMap(({ invoiceId }) => {
    const ticket = findById(invoiceId);
    const f3 = ticket && replacementOf(ticket);
    return (f3 && findById(f3.invoiceId)) ?? [];
  });
  return undone.length > 0 ? undone : followed;
}
