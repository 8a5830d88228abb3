import { civilDate } from "../shared/civil-date.ts";
import { invariant } from "../shared/result.ts";
import type { RegistrationContent, SealedRecord } from "../verifactu/record.ts";
import type { RecordStatus } from "../verifactu/submission/corrections.ts";
import type { RecordChange } from "../verifactu/submission/settle.ts";
import { operationOf } from "../verifactu/submission/state.ts";
import { identifierIn } from "./decide-amendment.ts";
import type { InvoiceDocument } from "./document.ts";
import { identifierOf } from "./prepare.ts";
import { type ActingInvoice, isUndoing, type RectifiableInvoice } from "./rectifiable.ts";
import { limitOf } from "./simplified.ts";

export const RECORD_STATES = [
  ...(["pending_submission", "submitted"] as const),
  ...(["accepted", "accepted_with_errors", "rejected"] as const),
  "not_submitted",
] as const;

export type RecordState = (typeof RECORD_STATES)[number];

/** The authority's answer to a record, and its consequences. */
export type AuthorityStatus = Omit<RecordChange, "position" | "state">;

export interface StoredRecord {
  readonly recordId: string;
  readonly record: SealedRecord;
  readonly state: RecordState;
  /** Absent before an answer. */
  readonly standing?: AuthorityStatus;
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

type Recorded = Pick<InvoiceView, "alta" | "corrections">;

/** All records of an invoice in the order of the chain. */
export function recordsOf({ alta, corrections }: Recorded): readonly StoredRecord[] {
  return [alta, ...corrections];
}

/** The same as the rules of corrections see them. */
export function recordStatusesOf(invoice: Recorded): readonly RecordStatus[] {
  return recordsOf(invoice).map(({ record, state, standing }) => ({
    operation: operationOf(record.content),
    state,
    ...(standing?.code === undefined ? {} : { code: standing.code }),
    ...(standing?.hold === undefined ? {} : { hold: standing.hold }),
    ...(standing?.found === undefined ? {} : { found: standing.found }),
  }));
}

/** The latest version of the invoice at the authority: its registration, or its newest amendment. */
export function newestRegistration(
  invoice: Recorded,
): StoredRecord & { readonly content: RegistrationContent } {
  for (const stored of recordsOf(invoice).toReversed()) {
    const { content } = stored.record;
    if (content.kind === "ALTA") return { ...stored, content };
  }
  invariant(false, "an invoice is registered by an ALTA record");
}

export function amendmentsOf({ corrections }: Pick<InvoiceView, "corrections">): readonly StoredRecord[] {
  return corrections.filter(({ record }) => record.content.kind === "ALTA");
}

export function annulmentsOf({ corrections }: Pick<InvoiceView, "corrections">): InvoiceView["corrections"] {
  return corrections.filter(({ record }) => record.content.kind === "ANULACION");
}

/** An invoice as stored, with the authority's answers to its records. */
export interface InvoiceSheet {
  readonly series: string;
  readonly number: number;
  readonly fullNumber: string;
  readonly issueDate: string;
  readonly origin: string;
  /** JSON of the immutable document. */
  readonly document: string;
  /** The answer to the registration, or to its newest amendment. */
  readonly registered: AuthorityResponse;
  /** The answer to the newest annulment. */
  readonly annulled?: AuthorityResponse;
}

export interface AuthorityResponse {
  readonly state: string;
  readonly code?: number;
}

/** An issued invoice as later rectifications, replacements and cancellations judge it. */
export function rectifiableOf(
  view: InvoiceView,
  actsOn: RectifiableInvoice["actsOn"],
  actedOnBy: readonly ActingInvoice[],
): RectifiableInvoice {
  const { request, defaults, groups, operationDate, cited, test } = view.document;
  const { invoiceType, recipient } = request;
  const { content } = newestRegistration(view);
  const identifiers = [identifierOf(recipient), identifierIn(content)].filter((one) => one !== undefined);
  const limitEur = limitOf(view.document, content.agreementNumber);
  const isLinked = (id: string) => actsOn.some(({ invoiceId }) => invoiceId === id);
  // Issuing links it to each invoice of ours that it cites, or to the F3 of those invoices that it undoes.
  const isBereft =
    !isUndoing({ invoiceType, actsOn }) &&
    cited.some(({ invoiceId }) => invoiceId !== undefined && !isLinked(invoiceId));
  return {
    invoiceId: view.invoiceId,
    externalId: view.externalId,
    number: view.fullNumber,
    issueDate: civilDate(view.issueDate),
    ...(operationDate === undefined ? {} : { operationDate }),
    invoiceType,
    regime: request.regime,
    flags: request.flags,
    currency: request.currency,
    ...(request.exchangeRate === undefined ? {} : { exchangeRate: request.exchangeRate }),
    defaults,
    groups,
    ...(recipient === undefined ? {} : { recipient }),
    identifiers,
    ...(limitEur === undefined ? {} : { limitEur }),
    ...(cited.some(({ invoiceId }) => invoiceId === undefined) ? { citesElsewhere: true } : {}),
    cancelled: view.cancellation !== undefined,
    actsOn,
    actedOnBy,
    ...(test ? { test } : {}),
    ...(isBereft ? { isBereft } : {}),
  };
}
