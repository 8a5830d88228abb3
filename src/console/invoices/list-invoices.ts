import type { EntryAmounts } from "../../domain/invoice/invoice-entry.ts";
import { isFoundBy, wordsOf } from "../../domain/invoice/search-words.ts";
import { add, subtract, ZERO } from "../../domain/shared/decimal.ts";
import type {
  InvoiceFilter,
  InvoiceListRead,
  InvoiceReads,
  InvoiceSums,
  ListedInvoice,
  ListSums,
  PlaceAsked,
  TailInvoice,
} from "./invoice-ports.ts";

export interface InvoicePageAsked {
  readonly filter: InvoiceFilter;
  readonly from?: PlaceAsked;
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
  { filter, from, size }: InvoicePageAsked,
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

function isBehind({ place }: ListedInvoice, from: PlaceAsked | undefined): boolean {
  if (!from) return true;
  return from.towards === "older" ? place < from.place : place > from.place;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function matches(invoice: ListedInvoice, filter: InvoiceFilter, state: string): boolean {
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
