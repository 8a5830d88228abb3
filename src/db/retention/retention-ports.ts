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
  /** From the document: it names the order as it was called at issue. */
  readonly description?: string;
}

/** The search words of an invoice, each prefixed with the id of its account. */
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
 * Deletes a retired year in steps. Every method is one D1 round trip and can be repeated. The triggers decide
 * which rows may go.
 */
export interface RetentionStore {
  /** Nothing of a frozen account. */
  readOpen(): Promise<readonly OpenRun[]>;
  /** But those of which a correction is under way. */
  readInvoices(run: OpenRun, limit: number): Promise<readonly LeavingInvoice[]>;
  areInvoicesLeft(run: OpenRun): Promise<boolean>;
  /** The given words that are in the index: deleting others would corrupt it. */
  readWords(sought: readonly SearchedBy[]): Promise<readonly SearchedBy[]>;
  /** With documents, links, entries and words, and with the orders that they were issued for. */
  leaveInvoices(run: OpenRun, invoices: readonly SearchedBy[], at: Instant): Promise<void>;
  /** The number of records deleted. */
  leaveRecords(run: OpenRun, limit: number): Promise<number>;
  /** Attempts with all records to be deleted. */
  readAttempts(run: OpenRun, limit: number): Promise<readonly LeavingAttempt[]>;
  leaveAttempts(run: OpenRun, ids: readonly string[]): Promise<void>;
  leaveAuditLines(run: OpenRun, limit: number): Promise<number>;
  /** With its line in the audit log. */
  end(run: OpenRun, at: Instant): Promise<void>;
}

/** Rows of a ledger that were unused for long. Each method answers the number deleted, up to the limit. */
export interface AgedStore {
  /** Orders that came to no invoice, and were not touched since. */
  forgetOrders(asked: Aged): Promise<number>;
  /** Customer data from a shop. It affects no invoice, and the shop sends it again if needed. */
  forgetClients(asked: Aged): Promise<number>;
}

export interface Aged {
  readonly before: Instant;
  readonly at: Instant;
  readonly limit: number;
}
