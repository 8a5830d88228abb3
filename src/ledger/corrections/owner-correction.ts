import type { StoredInvoice } from "../../db/ledger-state.ts";
import type { AmendmentRequest, Remedy } from "../../domain/invoice/decide-amendment.ts";
import {
  type CorrectionRecord,
  type InvoiceView,
  newestRegistration,
  recordStatusesOf,
} from "../../domain/invoice/invoice-view.ts";
import type { RecordedInvoice } from "../../domain/invoice/recorded-invoice.ts";
import type { RecordRefusal } from "../../domain/invoice/refusal.ts";
import { civilDate } from "../../domain/shared/civil-date.ts";
import type { GateRefusal } from "../core/outcomes.ts";

/** A correction by an owner of the records of one invoice. Plain values, because they cross RPC. */
export interface OwnerCorrecting {
  readonly userId: string;
  /** The id of one change: it identifies a repeat. */
  readonly requestId: string;
  readonly invoiceId: string;
  readonly correction: OwnerCorrection;
}

export type OwnerCorrection =
  /** Without a change the values are submitted as they were, where the AEAT wants them again. */
  | { readonly correction: "amend"; readonly change: AmendmentRequest }
  | { readonly correction: "remedy"; readonly remedy: Remedy["remedy"] }
  | { readonly correction: "annul"; readonly reason: string };

export type CorrectOutcome =
  | { readonly outcome: "corrected"; readonly invoice: InvoiceView }
  | { readonly outcome: "replayed"; readonly invoice: InvoiceView }
  | { readonly outcome: "refused"; readonly refusal: RecordRefusal }
  | GateRefusal;

/** The record that this same request has made. */
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
    records: recordStatusesOf(view),
  };
}
