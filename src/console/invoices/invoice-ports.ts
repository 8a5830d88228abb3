import type { DocumentStanding } from "../../domain/invoice/document-standing.ts";
import type { EntryAmounts } from "../../domain/invoice/invoice-entry.ts";
import type { RecordState } from "../../domain/invoice/invoice-view.ts";
import type { SearchTerm } from "../../domain/invoice/search-words.ts";
import type { Decimal } from "../../domain/shared/decimal.ts";

/** What of an account's invoices is asked for; all of it must hold. */
export interface InvoiceFilter {
  /** `YYYY-MM` of the issue. */
  readonly month?: string;
  /** Of the newest record. */
  readonly state?: RecordState;
  readonly series?: string;
  readonly connectionId?: string;
  readonly terms: readonly SearchTerm[];
}

/** A page goes on from an invoice, which is no part of it: to older ones or to newer ones. */
export interface PlaceAsked {
  readonly towards: "older" | "newer";
  readonly place: string;
}

/** An invoice as a list shows it. */
export interface ListedInvoice {
  readonly id: string;
  readonly place: string;
  readonly connectionId: string;
  readonly series: string;
  readonly number: number;
  readonly fullNumber: string;
  readonly invoiceType: string;
  readonly rectifying: boolean;
  /** Of its newest record. */
  readonly state: RecordState;
  readonly standing: DocumentStanding;
  /** It is no invoice: it is shown, and no sum has it. */
  readonly test?: true;
  /** What it rectifies or replaces. */
  readonly cites: readonly string[];
  readonly customer?: string;
  readonly taxNumber?: string;
  readonly externalId?: string;
  readonly orderId?: string;
  readonly orderReference?: string;
  readonly currency: string;
  /** In its currency. */
  readonly total: Decimal;
  /** Cents of euros. */
  readonly amounts: EntryAmounts;
}

/** One with records that are no part of entries and sums yet. */
export interface TailInvoice extends ListedInvoice {
  /** As the sums that were read count it; absent where they do not. */
  readonly counted?: { readonly state: RecordState; readonly cancelled: boolean };
}

/** Cancelled ones are counted, but not added up; tests are neither. */
export interface InvoiceSums {
  readonly invoices: number;
  readonly cancelled: number;
  /** Cents of euros. */
  readonly amounts: EntryAmounts;
}

/** Of a list, which shows tests as well. */
export interface ListSums extends InvoiceSums {
  readonly tests: number;
}

export interface InvoiceListRead {
  /** Nearest first: in the order in which the page goes on. None of the tail is among them. */
  readonly page: readonly ListedInvoice[];
  readonly tail: readonly TailInvoice[];
  readonly sums: ListSums;
  /** False where more is found, or waits to be entered, than is read. */
  readonly isWhole: boolean;
}

export interface InvoiceListAsked {
  readonly filter: InvoiceFilter;
  readonly from?: PlaceAsked;
  /** Read of entries; one more than is shown tells whether there are more. */
  readonly limit: number;
}

/** What a filter can choose from. */
export interface InvoiceChoices {
  readonly connections: readonly { readonly id: string; readonly name: string; readonly kind: string }[];
  readonly series: readonly { readonly code: string; readonly connectionId: string }[];
  /** `YYYY-MM` of the first and the last invoice; absent where there is none. */
  readonly months?: { readonly first: string; readonly last: string };
}

/** Invoices of one account. Every method is exactly one D1 round trip. */
export interface InvoiceReads {
  listInvoices(accountId: string, asked: InvoiceListAsked): Promise<InvoiceListRead>;
  readChoices(accountId: string): Promise<InvoiceChoices>;
}
