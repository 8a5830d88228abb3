import type { RecordState } from "../../domain/invoice/invoice-view.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Finding } from "../../domain/verifactu/submission/meaning.ts";
import type { InvoiceSums, ListedInvoice, TailInvoice } from "../invoices/invoice-ports.ts";

export interface OverviewAsked {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly connectionId?: string;
  /** How many of the latest invoices. */
  readonly latest: number;
}

/** Invoices of one day in one state; rectifying ones apart. */
export interface DayCount extends InvoiceSums {
  readonly day: string;
  readonly state: RecordState;
  readonly rectifying: boolean;
}

export interface OverviewRead {
  readonly days: readonly DayCount[];
  readonly latest: readonly ListedInvoice[];
  readonly tail: readonly TailInvoice[];
}

/** What waits for a decision of the owner. */
export interface AttentionRead {
  readonly held: { readonly orders: number; readonly oldestDue?: string };
  /** Newest first, and no more than are looked at. */
  readonly declined: readonly DeclinedInvoice[];
  readonly newStores: readonly NewStore[];
  readonly twoKeys: readonly {
    readonly connectionId: string;
    readonly name: string;
    readonly since: Instant;
  }[];
}

export interface DeclinedInvoice {
  readonly id: string;
  readonly connectionId: string;
  readonly fullNumber: string;
  readonly state: "rejected" | "accepted_with_errors";
  readonly code?: number;
  readonly text?: string;
  /** The AEAT has another record under its number: what its owner has found about that. */
  readonly duplicate?: "undecided" | Finding;
}

/** A shop that was reported after its owner had chosen others. */
export interface NewStore {
  readonly connectionId: string;
  readonly platform?: string;
  readonly name: string;
  readonly orders?: number;
}

export interface OverviewReads {
  readOverview(accountId: string, asked: OverviewAsked): Promise<OverviewRead>;
  readAttention(accountId: string): Promise<AttentionRead>;
}
