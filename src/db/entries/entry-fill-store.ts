import { type SQL, sql } from "drizzle-orm";
import type { EntryAmounts, SearchableInvoice } from "../../domain/invoice/invoice-entry.ts";
import { RECORD_STATES } from "../../domain/invoice/invoice-view.ts";
import type { InvoiceType } from "../../domain/invoice/request.ts";
import { plainReads, rowParameters, written } from "../database.ts";
import { entryFill, invoiceEntry } from "../schema/invoice-entry.ts";
import { account, invoice, invoiceDocument } from "../schema/ledger.ts";
import { type SearchedRow, searchableInvoice, searchedColumns, statedAmounts } from "./entry-store.ts";

/** Where the fill of an account is: entries of places before this one lack what the fill adds. */
export interface FillPlace {
  readonly accountId: string;
  readonly place: string;
}

export interface UnfilledEntry {
  readonly id: number;
  readonly place: string;
  readonly searchable: SearchableInvoice;
  readonly effect?: EntryAmounts;
}

export interface EntryFilling {
  readonly id: number;
  readonly words: readonly string[];
  readonly orderCustomer?: string;
  readonly effect?: EntryAmounts;
}

/** Adds to entries of an earlier version what later ones are made with. Every method is one D1 round trip. */
export interface EntryFillStore {
  /** An account that is not filled; a frozen one waits. */
  readOpen(): Promise<FillPlace | undefined>;
  /** The newest entries before the place. */
  readPage(at: FillPlace, limit: number): Promise<readonly UnfilledEntry[]>;
  /** Writes nothing if the fill is elsewhere by now; without a next place the account is filled. */
  write(at: FillPlace, fillings: readonly EntryFilling[], next: string | undefined): Promise<void>;
}

export function entryFillStore(binding: D1Database): EntryFillStore {
  const reads = plainReads(binding);
  return {
    async readOpen() {
      const [open] = await reads.rows<FillPlace>(selectOpen());
      return open;
    },
    async readPage(at, limit) {
      return (await reads.rows<UnfilledRow>(selectPage(at, limit))).map(unfilledEntry);
    },
    async write(at, fillings, next) {
      const moved =
        next === undefined
          ? sql`DELETE FROM ${entryFill} WHERE ${isAt(at)}`
          : sql`UPDATE ${entryFill} SET place = ${next} WHERE ${isAt(at)}`;
      await reads.batch([...updateEntries(at, fillings), ...insertWords(at, fillings), moved].map(written));
    },
  };
}

function selectOpen(): SQL {
  return sql`SELECT ${entryFill.accountId} AS "accountId", ${entryFill.place} AS place FROM ${entryFill}
    JOIN ${account} ON ${account.id} = ${entryFill.accountId} WHERE ${account.frozen} = 0 LIMIT 1`;
}

interface UnfilledRow extends SearchedRow {
  readonly id: number;
  readonly place: string;
  readonly invoice_type: InvoiceType;
  readonly totals_eur: string | null;
  readonly rectified: string | null;
}

/** One stretch of the index for each state. */
function selectPage({ accountId, place }: FillPlace, limit: number): SQL {
  const stretch = sql`SELECT one.id FROM ${invoiceEntry} AS one WHERE one.account_id = ${accountId}
    AND one.state = wanted.value AND one.place < ${place} ORDER BY one.place DESC LIMIT ${limit}`;
  return sql`WITH page AS MATERIALIZED (SELECT ${invoiceEntry.id} AS id, ${invoiceEntry.place} AS place,
      ${invoiceEntry.invoiceId} AS invoice_id FROM json_each(${JSON.stringify(RECORD_STATES)}) AS wanted
      CROSS JOIN ${invoiceEntry} ON ${invoiceEntry.id} IN (${stretch})
      ORDER BY ${invoiceEntry.place} DESC LIMIT ${limit})
    SELECT page.id AS id, page.place AS place, ${invoice.invoiceType} AS invoice_type,
      ${invoiceDocument.document} -> '$.totalsEur' AS totals_eur,
      ${invoiceDocument.document} -> '$.rectified' AS rectified, ${searchedColumns()}
    FROM page CROSS JOIN ${invoice} ON ${invoice.id} = page.invoice_id
    JOIN ${invoiceDocument} ON ${invoiceDocument.invoiceId} = page.invoice_id
    ORDER BY page.place DESC`;
}

function unfilledEntry(row: UnfilledRow): UnfilledEntry {
  const { effect } = statedAmounts(row);
  const searchable = searchableInvoice(row);
  return { id: row.id, place: row.place, searchable, ...(effect === undefined ? {} : { effect }) };
}

function isAt({ accountId, place }: FillPlace): SQL {
  return sql`${entryFill.accountId} = ${accountId} AND ${entryFill.place} = ${place}
    AND (SELECT ${account.frozen} FROM ${account} WHERE ${account.id} = ${accountId}) = 0`;
}

function isOpen(at: FillPlace): SQL {
  return sql`EXISTS (SELECT 1 FROM ${entryFill} WHERE ${isAt(at)})`;
}

function updateEntries(at: FillPlace, fillings: readonly EntryFilling[]): SQL[] {
  const rows = fillings
    .filter(({ effect, orderCustomer }) => effect !== undefined || orderCustomer !== undefined)
    .map(({ id, effect, orderCustomer = null }) => [
      ...[id, effect?.base ?? null, effect?.tax ?? null, effect?.total ?? null, orderCustomer],
    ]);
  const member = (index: number) => sql.raw(`json_each.value ->> ${index}`);
  const cents = (index: number) => sql`CAST(${member(index)} AS INTEGER)`;
  const column = (of: { readonly name: string }) => sql.identifier(of.name);
  return rowParameters(rows).map(
    (json) => sql`UPDATE ${invoiceEntry} SET ${column(invoiceEntry.countedBase)} = ${cents(1)},
        ${column(invoiceEntry.countedTax)} = ${cents(2)}, ${column(invoiceEntry.countedTotal)} = ${cents(3)},
        ${column(invoiceEntry.orderCustomer)} = coalesce(${invoiceEntry.orderCustomer}, ${member(4)})
      FROM json_each(${json}) WHERE ${invoiceEntry.id} = ${member(0)}
        AND ${invoiceEntry.accountId} = ${at.accountId} AND ${isOpen(at)}`,
  );
}

/** Words that an entry has already are indexed once, however often they are added. */
function insertWords(at: FillPlace, fillings: readonly EntryFilling[]): SQL[] {
  const rows = fillings.map(({ id, words }) => [id, words.map((word) => at.accountId + word).join(" ")]);
  return rowParameters(rows).map(
    (json) => sql`INSERT INTO invoice_search (rowid, words)
      SELECT ${invoiceEntry.id}, json_each.value ->> 1 FROM json_each(${json})
      CROSS JOIN ${invoiceEntry} ON ${invoiceEntry.id} = json_each.value ->> 0
      WHERE ${invoiceEntry.accountId} = ${at.accountId} AND ${isOpen(at)} ORDER BY ${invoiceEntry.id}`,
  );
}
