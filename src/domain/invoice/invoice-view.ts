import type { SealedRecord } from "../verifactu/record.ts";
import type { RecordChange } from "../verifactu/submission/record-change.ts";
import type { InvoiceDocument } from "./document.ts";

export const RECORD_STATES = [
  ...(["pending_submission", "submitted"] as const),
  ...(["accepted", "accepted_with_errors", "rejected"] as const),
  "not_submitted",
] as const;

export type RecordState = (typeof RECORD_STATES)[number];

/** The authority's answer to a record, and its consequences. */
export type Standing = Omit<RecordChange, "position" | "state">;

export interface StoredRecord {
  readonly recordId: string;
  readonly record: SealedRecord;
  readonly state: RecordState;
  /** Absent before an answer. */
  readonly standing?: Standing;
  readonly requestId: string;
}

/** An amendment, or an annulment with its reason. */
export type CorrectionRecord = StoredRecord & { readonly reason: string };

export interface LinkedInvoice {
  readonly invoiceId: string;
  readonly externalId: string;
  readonly fullNumber: string;
  readonly invoiceType: string;
  readonly issueDate: string;
  readonly kind: "difference" | "substitution" | "replacement";
  /** False after a cancellation, which restores the amounts taken. */
  readonly inForce: boolean;
}

/** An invoice as it would be issued now: it has no number, no id and no record. */
export type InvoicePreview = Pick<
  InvoiceView,
  "externalId" | "series" | "issueDate" | "document" | "requestId"
>;

/** An issued invoice as stored: immutable document, records, and the invoices that act on it today. */
export interface InvoiceView {
  readonly invoiceId: string;
  /** The id of the instruction that issued it, unique in its connection. */
  readonly origin: string;
  /** The id of a direct invoice; empty for an invoice of an order. */
  readonly externalId: string;
  readonly series: string;
  readonly number: number;
  readonly fullNumber: string;
  readonly issueDate: string;
  readonly requestId: string;
  readonly environment: "test" | "production";
  /** Issued by a test connection: no QR, and its record is never submitted. */
  readonly trial?: true;
  readonly document: InvoiceDocument;
  readonly alta: StoredRecord;
  /** Amendments, and then annulments, in the order of the chain. */
  readonly corrections: readonly CorrectionRecord[];
  /** The last annulment: with the first one the invoice was cancelled. */
  readonly cancellation?: CorrectionRecord;
  readonly rectifiedBy: readonly LinkedInvoice[];
}
