import { plainReads, rowsAs, written } from "../../db/database.ts";
import { customerWordsOf, isFoundBy, type SearchTerm, wordsOf } from "../../domain/invoice/invoice-entry.ts";
import type { ListedInvoice } from "../invoices/list-invoices.ts";
import {
  type EntryRow,
  enteredInvoice,
  selectPage,
  selectTail,
  type TailRow,
  tailFrom,
} from "../invoices/queries.ts";

/** The newest invoices that a search looks at: the shown ones and the customers are among them. */
const LOOKED_AT = 10;

export interface FoundCustomer {
  readonly name: string;
  readonly taxNumber?: string;
}

export interface InvoicesFound {
  /** Newest first. */
  readonly invoices: readonly ListedInvoice[];
  /** Recipients, or else customers of orders, whose name or NIF has every word; of the newest invoices. */
  readonly customers: readonly FoundCustomer[];
}

export interface FindReads {
  /** One D1 trip; its rows do not grow with the account. */
  findInvoices(accountId: string, terms: readonly SearchTerm[], limit: number): Promise<InvoicesFound>;
}

export function findReads(binding: D1Database): FindReads {
  const reads = plainReads(binding);
  return {
    async findInvoices(accountId, terms, limit) {
      if (terms.length === 0) return { invoices: [], customers: [] };
      const query = { filter: { terms }, limit: LOOKED_AT, found: LOOKED_AT };
      const [tail, page] = await reads.batch(
        [selectTail(accountId), selectPage(accountId, query)].map(written),
      );
      const newest = tailFrom(rowsAs<TailRow>(tail)).filter((one) => isFoundBy(wordsOf(one), terms));
      const found = [...newest, ...rowsAs<EntryRow>(page).map(enteredInvoice)].toSorted((a, b) =>
        a.place < b.place ? 1 : -1,
      );
      return {
        invoices: found.slice(0, limit),
        customers: customersIn(found, terms).slice(0, limit),
      };
    },
  };
}

/** One person may be written in several ways: the newest counts, by NIF where there is one. */
function customersIn(
  found: readonly ListedInvoice[],
  terms: readonly SearchTerm[],
): readonly FoundCustomer[] {
  const byKey = new Map<string, FoundCustomer>();
  for (const invoice of found) {
    const { taxNumber, customer: name = invoice.orderCustomer } = invoice;
    const key = taxNumber ?? name;
    if (key === undefined || byKey.has(key) || !isFoundBy(customerWordsOf(invoice), terms)) continue;
    byKey.set(key, { name: name ?? key, ...(taxNumber === undefined ? {} : { taxNumber }) });
  }
  return [...byKey.values()];
}
