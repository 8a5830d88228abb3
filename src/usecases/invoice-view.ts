import type { InvoiceDocument } from "../domain/invoice/document.ts";
import type { SealedRecord } from "../domain/verifactu/record.ts";

export type RecordState =
  | "pending_submission"
  | "submitted"
  | "accepted"
  | "accepted_with_errors"
  | "rejected";

export interface StoredRecord {
  readonly recordId: string;
  readonly record: SealedRecord;
  readonly state: RecordState;
  readonly requestId: string;
}

/** How another invoice of the connection acts on this one. */
export interface LinkedInvoice {
  readonly invoiceId: string;
  readonly externalId: string;
  readonly fullNumber: string;
  readonly invoiceType: string;
  readonly issueDate: string;
  readonly kind: "difference" | "substitution" | "replacement";
  /** A cancelled one gave back what it took. */
  readonly inForce: boolean;
}

/** An issued invoice as it is read back: immutable document, its records, and who acts on it today. */
export interface InvoiceView {
  readonly invoiceId: string;
  /** What it was made for, unique in its connection. */
  readonly origin: string;
  /** Of a direct invoice; empty for one that was issued for an order. */
  readonly externalId: string;
  readonly series: string;
  readonly number: number;
  readonly fullNumber: string;
  readonly issueDate: string;
  readonly requestId: string;
  readonly environment: "test" | "production";
  readonly document: InvoiceDocument;
  readonly alta: StoredRecord;
  readonly cancellation?: StoredRecord & { readonly reason: string };
  readonly rectifiedBy: readonly LinkedInvoice[];
}
