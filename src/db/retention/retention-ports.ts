import type { SearchableInvoice } from "../../domain/invoice/search-words.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** A year of an account that an operator has let go. */
export interface OpenRun {
  readonly id: string;
  readonly accountId: string;
  readonly year: number;
}

export interface LeavingInvoice extends SearchableInvoice {
  readonly invoiceId: string;
  /** Of the document: it names the order as it was called when the invoice was issued. */
  readonly description?: string;
}

/** By which words an invoice is found, each behind the id of its account. */
export interface SearchedBy {
  readonly invoiceId: string;
  readonly words: readonly string[];
}

export interface LeavingAttempt {
  readonly id: string;
  readonly accountId: string;
  readonly installationId: string;
}

/**
 * What leaves with a year, some of it at a time. Every method is one D1 round trip and can be repeated: what
 * has left is not there any more. The triggers decide what may go.
 */
export interface RetentionStore {
  /** Nothing of a frozen account. */
  readOpen(): Promise<readonly OpenRun[]>;
  /** But those of which a correction is under way. */
  readInvoices(run: OpenRun, limit: number): Promise<readonly LeavingInvoice[]>;
  areInvoicesLeft(run: OpenRun): Promise<boolean>;
  /** Of those words the ones that are in the index: it must be told no others when they leave. */
  readWords(sought: readonly SearchedBy[]): Promise<readonly SearchedBy[]>;
  /** With documents, links, entries and words, and with the orders that they were issued for. */
  leaveInvoices(run: OpenRun, invoices: readonly SearchedBy[], at: Instant): Promise<void>;
  /** How many have left. */
  leaveRecords(run: OpenRun, limit: number): Promise<number>;
  /** Messages of which every record leaves. */
  readAttempts(run: OpenRun, limit: number): Promise<readonly LeavingAttempt[]>;
  leaveAttempts(run: OpenRun, ids: readonly string[]): Promise<void>;
  leaveAuditLines(run: OpenRun, limit: number): Promise<number>;
  /** With its line in the audit log. */
  end(run: OpenRun, at: Instant): Promise<void>;
}

/** What of a ledger nobody has needed for long. Each method answers how many rows went, up to the limit. */
export interface AgedStore {
  /** Orders that came to no invoice, and were not touched since. */
  forgetOrders(asked: Aged): Promise<number>;
  /** What a shop told of customers. It changes nothing, and is told again where it is needed. */
  forgetClients(asked: Aged): Promise<number>;
}

export interface Aged {
  readonly before: Instant;
  readonly at: Instant;
  readonly limit: number;
}
