import type { CivilDate } from "../shared/civil-date.ts";
import { ok, type Result } from "../shared/result.ts";
import type { RegistrationContent } from "../verifactu/record.ts";
import {
  type AllowedCorrections,
  allowedCorrections,
  annulmentOf,
  type Correction,
  type RecordStatus,
} from "../verifactu/submission/corrections.ts";
import { actingRefusal } from "./decide-cancellation.ts";
import type { InvoiceDocument } from "./document.ts";
import type { RectifiableInvoice } from "./rectifiable.ts";
import { type RecordRefusal, refuse } from "./refusal.ts";

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
export interface Offers {
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
