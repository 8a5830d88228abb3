import type { EntryAmounts } from "../../domain/invoice/invoice-entry.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** A record of the connection that has no part in the entries yet. */
export type PassedRecord = IssuedRecord | CorrectingRecord;

interface InChain {
  readonly installationId: string;
  readonly position: number;
  readonly invoiceId: string;
}

/** It issued its invoice. */
export interface IssuedRecord extends InChain {
  readonly of: "issue";
  readonly accountId: string;
  readonly connectionOrdinal: number;
  readonly installationOrdinal: number;
  readonly issuedAt: Instant;
  readonly issueDate: string;
  readonly series: string;
  readonly number: number;
  readonly fullNumber: string;
  readonly rectifying: boolean;
  readonly amounts: EntryAmounts;
  /** A test is no invoice: sums exclude it. */
  readonly test: boolean;
  readonly externalId?: string;
  readonly orderId?: string;
  readonly orderReference?: string;
  readonly taxNumber?: string;
  readonly customer?: string;
}

/** It amends or annuls an earlier record of its invoice. */
export interface CorrectingRecord extends InChain {
  readonly of: "correction";
  readonly cancels: boolean;
}

export interface EntryPage {
  /** In the order of the chains, and in each in its own. */
  readonly records: readonly PassedRecord[];
  /** The cursor of each chain among them. */
  readonly from: ReadonlyMap<string, number>;
}

/** Entries of some records of one chain, and the step of its cursor over them. */
export interface EntryWrite {
  readonly installationId: string;
  /** The write happens only if the cursor is still here. */
  readonly from: number;
  readonly to: number;
  readonly entries: readonly NewEntry[];
  readonly corrections: readonly CorrectingRecord[];
}

export interface NewEntry extends InChain {
  readonly accountId: string;
  readonly place: string;
  readonly series: string;
  readonly rectifying: boolean;
  readonly amounts: EntryAmounts;
  /** A test is no invoice: sums exclude it. */
  readonly test: boolean;
  readonly words: readonly string[];
}

/**
 * Entries of one connection's invoices, outside the books and their fence. Every method is one D1 round trip.
 */
export interface EntryStore {
  /** The oldest records after the cursors; none of a frozen account. */
  readPage(limit: number): Promise<EntryPage>;
  write(writes: readonly EntryWrite[]): Promise<void>;
}
