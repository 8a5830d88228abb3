import type { StoredInvoice } from "../../db/ledger-state.ts";
import type { AmendmentRequest } from "../../domain/invoice/decide-amendment.ts";
import {
  type CorrectionRecord,
  type InvoiceView,
  newestRegistration,
  standingsOf,
} from "../../domain/invoice/invoice-view.ts";
import type { RecordedInvoice } from "../../domain/invoice/recorded-invoice.ts";
import type { RecordRefusal } from "../../domain/invoice/refusal.ts";
import { civilDate } from "../../domain/shared/civil-date.ts";
import type { Remedy } from "../../domain/verifactu/submission/amendment.ts";
import type { GateRefusal } from "../core/outcomes.ts";

/** What an owner does about the records of one invoice. Plain values, as RPC carries them. */
export interface OwnerCorrecting {
  readonly userId: string;
  /** Of one deed: with it a repeat is known to be one. */
  readonly requestId: string;
  readonly invoiceId: string;
  readonly correction: OwnerCorrection;
}

export type OwnerCorrection =
  /** Without a change: as it was, where the authority wants it again. */
  | { readonly correction: "amend"; readonly change: AmendmentRequest }
  | { readonly correction: "remedy"; readonly remedy: Remedy["remedy"] }
  | { readonly correction: "annul"; readonly reason: string };

export type CorrectOutcome =
  | { readonly outcome: "corrected"; readonly invoice: InvoiceView }
  | { readonly outcome: "replayed"; readonly invoice: InvoiceView }
  | { readonly outcome: "refused"; readonly refusal: RecordRefusal }
  | GateRefusal;

/** The record that this very deed has made. */
export function madeBy(
  { requestId, correction }: Pick<OwnerCorrecting, "requestId" | "correction">,
  { corrections }: Pick<InvoiceView, "corrections">,
): CorrectionRecord | undefined {
  const kind = correction.correction === "annul" ? "ANULACION" : "ALTA";
  return corrections.find((made) => made.requestId === requestId && made.record.content.kind === kind);
}

/** An invoice as its corrections judge it. */
export function recordedInvoice({ view, rectifiable }: StoredInvoice): RecordedInvoice {
  return {
    number: view.fullNumber,
    issueDate: civilDate(view.issueDate),
    document: view.document,
    isOfOrder: !view.origin.startsWith("direct:"),
    rectifiable,
    content: newestRegistration(view).content,
    records: standingsOf(view),
  };
}
