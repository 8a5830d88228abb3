import type { StoredInvoice } from "../../db/ledger-state.ts";
import type { AttemptLine } from "../../db/submission/submission-standing.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** One invoice with all that is known of it. */
export interface InvoiceRead {
  readonly stored: StoredInvoice;
  readonly connection: { readonly id: string; readonly name: string };
  readonly issuer: { readonly name: string; readonly nif: string };
  readonly order?: { readonly id: string; readonly reference?: string; readonly isEcbRate: boolean };
  /** What it acts on itself, by number. */
  readonly actsOn: readonly { readonly invoiceId: string; readonly fullNumber: string }[];
  /** Messages that held one of its records, by the record's id, oldest first. */
  readonly attempts: ReadonlyMap<string, readonly AttemptLine[]>;
  /** Who made a correction, by the record's id. */
  readonly madeBy: ReadonlyMap<string, { readonly userId: string; readonly at: Instant }>;
  /** Number of the installation, by the record's id. */
  readonly installations: ReadonlyMap<string, string>;
}

export interface InvoiceDetailReads {
  /** Undefined where the account has no such invoice. */
  findConnection(accountId: string, invoiceId: string): Promise<string | undefined>;
  readInvoice(accountId: string, invoiceId: string): Promise<InvoiceRead | undefined>;
}
