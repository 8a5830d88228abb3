import {
  type DocumentKind,
  documentKindOf,
  type EntryAmounts,
  isFoundBy,
  issueDateOf,
  type SearchTerm,
  wordsOf,
} from "../../domain/invoice/invoice-entry.ts";
import type { RecordState } from "../../domain/invoice/invoice-view.ts";
import type { DocumentStatus } from "../../domain/invoice/rectifiable.ts";
import type { InvoiceType } from "../../domain/invoice/request.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
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
 * A page of entries with their sums, corrected by the tail: the newest records, read from each chain. Entries
 * lag; with the tail, list and sums are current.
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
    (invoice) => matches(invoice, filter, now(invoice)) && isBehind(invoice, from),
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

interface Counted {
  readonly state: RecordState;
  readonly cancelled: boolean;
}

function now({ state, standing }: ListedInvoice): Counted {
  return { state, cancelled: standing.is === "cancelled" };
}

function matches(invoice: ListedInvoice, filter: InvoiceFilter, { state, cancelled }: Counted): boolean {
  const { document, series, connectionId, terms } = filter;
  return (
    (filter.state === undefined || state === filter.state) &&
    (document === undefined || documentKindOf(invoice.invoiceType, cancelled) === document) &&
    isWithin(issueDateOf(invoice.place), filter) &&
    (series === undefined || invoice.series === series) &&
    (connectionId === undefined || invoice.connectionId === connectionId) &&
    (terms.length === 0 || isFoundBy(wordsOf(invoice), terms))
  );
}

function isWithin(day: CivilDate, { month, firstDay, lastDay }: InvoiceFilter): boolean {
  return (
    (month === undefined || day.startsWith(month)) &&
    (firstDay === undefined || day >= firstDay) &&
    (lastDay === undefined || day <= lastDay)
  );
}

/** Subtracts each tail invoice as the sums count it and adds it in its current state. */
function sumsOf({ sums, tail }: InvoiceListRead, filter: InvoiceFilter): ListSums {
  return tail.reduce((before, invoice) => {
    const without = isCounted(invoice, filter) ? withoutCounted(before, invoice) : before;
    return matches(invoice, filter, now(invoice)) ? withInvoice(without, invoice) : without;
  }, sums);
}

function isCounted(invoice: TailInvoice, filter: InvoiceFilter): boolean {
  return invoice.counted !== undefined && matches(invoice, filter, invoice.counted);
}

function withoutCounted(sums: ListSums, { counted, effect, test }: TailInvoice): ListSums {
  if (test) return { ...sums, tests: sums.tests - 1 };
  const isCancelled = counted?.cancelled === true;
  return {
    ...sums,
    invoices: sums.invoices - 1,
    cancelled: sums.cancelled - (isCancelled ? 1 : 0),
    amounts: isCancelled ? sums.amounts : combined(subtract, sums.amounts, effect),
  };
}

function withInvoice(
  sums: ListSums,
  { standing, effect, test }: Pick<TailInvoice, "standing" | "effect" | "test">,
): ListSums {
  if (test) return { ...sums, tests: sums.tests + 1 };
  const isCancelled = standing.is === "cancelled";
  return {
    ...sums,
    invoices: sums.invoices + 1,
    cancelled: sums.cancelled + (isCancelled ? 1 : 0),
    amounts: isCancelled ? sums.amounts : combined(add, sums.amounts, effect),
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

/** Filter of an account's invoices; all conditions must hold. */
export interface InvoiceFilter {
  /** Month of issue, `YYYY-MM`. */
  readonly month?: string;
  /** First and last day of issue. */
  readonly firstDay?: CivilDate;
  readonly lastDay?: CivilDate;
  readonly document?: DocumentKind;
  /** State of the newest record. */
  readonly state?: RecordState;
  readonly series?: string;
  readonly connectionId?: string;
  readonly terms: readonly SearchTerm[];
}

/** A page continues from an invoice, which it excludes, to older or newer ones. */
export interface PlaceQuery {
  readonly towards: "older" | "newer";
  readonly place: string;
}

export interface ListedInvoice {
  readonly id: string;
  readonly place: string;
  readonly connectionId: string;
  readonly series: string;
  readonly number: number;
  readonly fullNumber: string;
  readonly invoiceType: InvoiceType;
  readonly rectifying: boolean;
  /** State of the newest record. */
  readonly state: RecordState;
  readonly standing: DocumentStatus;
  /** A test is not an invoice: lists show it, sums exclude it. */
  readonly test?: true;
  /** A full invoice without a recipient (article 6.1.d RD 1619/2012). */
  readonly unnamed?: true;
  /** Invoices that it rectifies or replaces. */
  readonly cites: readonly string[];
  readonly customer?: string;
  readonly taxNumber?: string;
  readonly externalId?: string;
  readonly orderId?: string;
  readonly orderReference?: string;
  readonly orderCustomer?: string;
  readonly currency: string;
  /** In the invoice's currency. */
  readonly total: Decimal;
  /** Cents of euros. */
  readonly amounts: EntryAmounts;
}

/** An invoice with records that are not yet in entries and sums. */
export interface TailInvoice extends ListedInvoice {
  /** Cents of euros that the sums count of it, unless it is cancelled. */
  readonly effect: EntryAmounts;
  /** The state in which the sums count it; absent if they do not. */
  readonly counted?: Counted;
}

/**
 * Cancelled invoices are counted but not summed; tests are neither counted nor summed. Of an invoice in the
 * place of others only its effect is summed (`effectOf`).
 */
export interface InvoiceSums {
  readonly invoices: number;
  readonly cancelled: number;
  /** Cents of euros. */
  readonly amounts: EntryAmounts;
}

/** Sums of a list, which also shows tests. */
export interface ListSums extends InvoiceSums {
  readonly tests: number;
}

export interface InvoiceListRead {
  /** In paging direction, nearest first, without invoices of the tail. */
  readonly page: readonly ListedInvoice[];
  readonly tail: readonly TailInvoice[];
  readonly sums: ListSums;
  /** False if a search or the tail exceeds its limit. */
  readonly isWhole: boolean;
}

export interface InvoiceListQuery {
  readonly filter: InvoiceFilter;
  readonly from?: PlaceQuery;
  /** One more than the page shows, to detect that others exist. */
  readonly limit: number;
  /** The newest results that a search looks at, if fewer than its own limit. */
  readonly found?: number;
}

/** Choices of the filters. */
export interface InvoiceChoices {
  readonly connections: readonly { readonly id: string; readonly name: string; readonly kind: string }[];
  readonly series: readonly { readonly code: string; readonly connectionId: string }[];
  /** Months of the first and the last invoice, `YYYY-MM`; absent without invoices. */
  readonly months?: { readonly first: string; readonly last: string };
}

/** Invoices of one account. Every method is exactly one D1 round trip. */
export interface InvoiceReads {
  listInvoices(accountId: string, query: InvoiceListQuery): Promise<InvoiceListRead>;
  readChoices(accountId: string): Promise<InvoiceChoices>;
}
