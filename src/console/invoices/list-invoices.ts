import type { DocumentStatus } from "../../domain/invoice/document-standing.ts";
import type { EntryAmounts } from "../../domain/invoice/invoice-entry.ts";
import type { RecordState } from "../../domain/invoice/invoice-view.ts";
import { isFoundBy, type SearchTerm, wordsOf } from "../../domain/invoice/search-words.ts";
import { add, type Decimal, subtract, ZERO } from "../../domain/shared/decimal.ts";

export interface InvoicePageQuery {
  readonly filter: InvoiceFilter;
  readonly from?: PlaceQuery;
  readonly size: number;
}

export interface InvoicePage {
  /** Newest first. */
  readonly items: readonly ListedInvoice[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  readonly sums: ListSums;
  readonly isWhole: boolean;
}

/**
 * Entries and sums, and what is not among them yet: the newest records of each chain, which are read from the
 * chain itself, so that a list and its sums are those of the moment.
 */
export async function listInvoices(
  reads: InvoiceReads,
  accountId: string,
  { filter, from, size }: InvoicePageQuery,
): Promise<InvoicePage> {
  const read = await reads.listInvoices(accountId, {
    filter,
    limit: size + 1,
    ...(from ? { from } : {}),
  });
  const towards = from?.towards ?? "older";
  const tail = read.tail.filter(
    (invoice) => matches(invoice, filter, invoice.state) && isBehind(invoice, from),
  );
  const sign = towards === "older" ? -1 : 1;
  const inOrder = [...read.page, ...tail].toSorted((a, b) => sign * compareText(a.place, b.place));
  const shown = inOrder.slice(0, size);
  const hasMore = inOrder.length > size;
  return {
    items: towards === "older" ? shown : shown.toReversed(),
    hasOlder: towards === "older" ? hasMore : true,
    hasNewer: towards === "newer" ? hasMore : from !== undefined,
    sums: sumsOf(read, filter),
    isWhole: read.isWhole,
  };
}

function isBehind({ place }: ListedInvoice, from: PlaceQuery | undefined): boolean {
  if (!from) return true;
  return from.towards === "older" ? place < from.place : place > from.place;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function matches(invoice: ListedInvoice, filter: InvoiceFilter, state: string): boolean {
  const { month, series, connectionId, terms } = filter;
  return (
    (filter.state === undefined || state === filter.state) &&
    (month === undefined || invoice.place.startsWith(month)) &&
    (series === undefined || invoice.series === series) &&
    (connectionId === undefined || invoice.connectionId === connectionId) &&
    (terms.length === 0 || isFoundBy(wordsOf(invoice), terms))
  );
}

/** As it was counted it comes out, as it stands it goes in. */
function sumsOf({ sums, tail }: InvoiceListRead, filter: InvoiceFilter): ListSums {
  return tail.reduce((before, invoice) => {
    const without = isCounted(invoice, filter) ? withoutCounted(before, invoice) : before;
    return matches(invoice, filter, invoice.state) ? withInvoice(without, invoice) : without;
  }, sums);
}

function isCounted(invoice: TailInvoice, filter: InvoiceFilter): boolean {
  return invoice.counted !== undefined && matches(invoice, filter, invoice.counted.state);
}

function withoutCounted(sums: ListSums, { counted, amounts, test }: TailInvoice): ListSums {
  if (test) return { ...sums, tests: sums.tests - 1 };
  const isCancelled = counted?.cancelled === true;
  return {
    ...sums,
    invoices: sums.invoices - 1,
    cancelled: sums.cancelled - (isCancelled ? 1 : 0),
    amounts: isCancelled ? sums.amounts : combined(subtract, sums.amounts, amounts),
  };
}

function withInvoice(
  sums: ListSums,
  { standing, amounts, test }: Pick<ListedInvoice, "standing" | "amounts" | "test">,
): ListSums {
  if (test) return { ...sums, tests: sums.tests + 1 };
  const isCancelled = standing.is === "cancelled";
  return {
    ...sums,
    invoices: sums.invoices + 1,
    cancelled: sums.cancelled + (isCancelled ? 1 : 0),
    amounts: isCancelled ? sums.amounts : combined(add, sums.amounts, amounts),
  };
}

export function combined(how: typeof add, a: EntryAmounts, b: EntryAmounts): EntryAmounts {
  return { base: how(a.base, b.base), tax: how(a.tax, b.tax), total: how(a.total, b.total) };
}

export const NOTHING_COUNTED: InvoiceSums = {
  invoices: 0,
  cancelled: 0,
  amounts: { base: ZERO, tax: ZERO, total: ZERO },
};

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
export interface PlaceQuery {
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
  readonly standing: DocumentStatus;
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

export interface InvoiceListQuery {
  readonly filter: InvoiceFilter;
  readonly from?: PlaceQuery;
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
  listInvoices(accountId: string, asked: InvoiceListQuery): Promise<InvoiceListRead>;
  readChoices(accountId: string): Promise<InvoiceChoices>;
}
