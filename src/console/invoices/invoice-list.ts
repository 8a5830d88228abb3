import { type SQL, sql } from "drizzle-orm";
import { type PlainReads, plainReads, rowsAs, written } from "../../db/database.ts";
import { invoiceEntry, invoiceTotal } from "../../db/schema/invoice-entry.ts";
import { connection, invoice, invoiceDocument, series } from "../../db/schema/ledger.ts";
import type { SearchTerm } from "../../domain/invoice/invoice-entry.ts";
import { RECORD_STATES } from "../../domain/invoice/invoice-view.ts";
import { decimal } from "../../domain/shared/decimal.ts";
import {
  behind,
  listedInvoice,
  type ShownRow,
  selectTail,
  shownColumns,
  stateOf,
  type TailRow,
  tailFrom,
} from "./invoice-rows.ts";
import type {
  InvoiceChoices,
  InvoiceFilter,
  InvoiceListQuery,
  InvoiceListRead,
  InvoiceReads,
  ListedInvoice,
  ListSums,
} from "./list-invoices.ts";

/** Limit of search results: the newest ones. */
const FOUND = 1_000;

/**
 * Invoices of one account. Queries read ranges of indexes, so that their cost does not grow with the account.
 */
export function invoiceReads(binding: D1Database): InvoiceReads {
  const reads = plainReads(binding);
  return {
    listInvoices: (accountId, asked) => listInvoices(reads, accountId, asked),
    readChoices: (accountId) => readChoices(reads, accountId),
  };
}

async function listInvoices(
  reads: PlainReads,
  accountId: string,
  asked: InvoiceListQuery,
): Promise<InvoiceListRead> {
  const { filter } = asked;
  const isSearch = filter.terms.length > 0;
  const [tailRows, page, [sums]] = await reads
    .batch(
      [
        selectTail(accountId),
        selectPage(accountId, asked),
        isSearch ? sumsOfFound(accountId, filter) : sumsOfTotals(accountId, filter),
      ].map(written),
    )
    .then(
      ([tail, rows, summed]) =>
        [rowsAs<TailRow>(tail), rowsAs<EntryRow>(rows), rowsAs<SumsRow>(summed)] as const,
    );
  const tail = tailFrom(tailRows);
  return {
    page: page.map(enteredInvoice),
    // The sums of a search exclude the tail's invoices, so none of them is subtracted.
    tail: isSearch ? tail.map(({ counted: _, ...invoice }) => invoice) : tail,
    sums: sumsFrom(sums),
    isWhole: tailRows.every(({ is_cut }) => is_cut === 0) && (sums?.found ?? 0) <= FOUND,
  };
}

export interface EntryRow extends ShownRow {
  readonly place: string;
  readonly state: string;
  readonly cancelled: number;
  readonly base: string;
  readonly tax: string;
  readonly total: string;
}

export function enteredInvoice(row: EntryRow): ListedInvoice {
  const { place, state, cancelled, base, tax, total } = row;
  const amounts = { base: decimal(base), tax: decimal(tax), total: decimal(total) };
  return listedInvoice(row, { place, amounts, state: stateOf(state), cancelled: cancelled === 1 });
}

/** Selects the page's rows first and joins the shown columns for those rows only. */
export function selectPage(accountId: string, { filter, from, limit }: InvoiceListQuery): SQL {
  const order = from?.towards === "newer" ? sql`ASC` : sql`DESC`;
  const condition = sql.join([...placeConditions(filter, from), IS_ENTERED], sql` AND `);
  const rows =
    filter.terms.length > 0
      ? sql`SELECT found_entry.* FROM (SELECT ${ENTRY} FROM found CROSS JOIN ${invoiceEntry}
          ON ${invoiceEntry.id} = found.id WHERE ${ofFound(accountId, filter)}
            AND ${condition}) AS found_entry`
      : stretches(
          accountId,
          filter,
          sql`AND ${condition} ORDER BY ${invoiceEntry.place} ${order} LIMIT ${limit}`,
        );
  const found = filter.terms.length > 0 ? sql`, ${foundBy(accountId, filter.terms)}` : sql``;
  return sql`WITH ${behind(accountId)}${found},
    page AS MATERIALIZED (SELECT * FROM (${rows}) ORDER BY place ${order} LIMIT ${limit})
    SELECT ${shownColumns()}, page.place AS place, page.state AS state, page.cancelled AS cancelled,
      CAST(page.base AS TEXT) AS base, CAST(page.tax AS TEXT) AS tax, CAST(page.total AS TEXT) AS total
    FROM page CROSS JOIN ${invoice} ON ${invoice.id} = page.invoice_id
    JOIN ${invoiceDocument} ON ${invoiceDocument.invoiceId} = page.invoice_id
    ORDER BY page.place ${order}`;
}

const ENTRY = sql`${invoiceEntry.invoiceId}, ${invoiceEntry.place}, ${invoiceEntry.state},
  ${invoiceEntry.cancelled}, ${invoiceEntry.base}, ${invoiceEntry.tax}, ${invoiceEntry.total}`;

/** Invoices of the tail are read from their chain instead. */
const IS_ENTERED = sql`${invoiceEntry.invoiceId} NOT IN (SELECT invoice_id FROM behind)`;

/** One query per state, in an index that begins with the filter; D1 allows five terms in a union. */
function stretches(accountId: string, filter: InvoiceFilter, rest: SQL): SQL {
  const states = filter.state === undefined ? RECORD_STATES : [filter.state];
  const scope = scopeOf(accountId, filter);
  const each = states.map(
    (state) => sql`SELECT * FROM (SELECT ${ENTRY} FROM ${invoiceEntry}
      WHERE ${scope} AND ${invoiceEntry.state} = ${state} ${rest})`,
  );
  const middle = Math.ceil(each.length / 2);
  const halves = [each.slice(0, middle), each.slice(middle)].filter((half) => half.length > 0);
  return sql.join(
    halves.map((half) => sql`SELECT * FROM (${sql.join(half, sql` UNION ALL `)})`),
    sql` UNION ALL `,
  );
}

/** A series belongs to one connection: with another connection the filter matches nothing. */
function scopeOf(accountId: string, { series: code, connectionId }: InvoiceFilter): SQL {
  const account = sql`${invoiceEntry.accountId} = ${accountId}`;
  if (code === undefined) {
    return connectionId === undefined
      ? account
      : sql`${account} AND ${invoiceEntry.connectionId} = ${connectionId}`;
  }
  const ofSeries = sql`${account} AND ${invoiceEntry.series} = ${code}`;
  return connectionId === undefined ? ofSeries : sql`${ofSeries} AND ${isOf(accountId, code, connectionId)}`;
}

function isOf(accountId: string, code: string, connectionId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${series} WHERE ${series.accountId} = ${accountId}
    AND ${series.code} = ${code} AND ${series.connectionId} = ${connectionId})`;
}

/**
 * One bound on each side: given two, SQLite uses either and scans the rest. Places are longer than a month,
 * so a month is a valid lower bound.
 */
function placeConditions({ month }: InvoiceFilter, from: InvoiceListQuery["from"]): SQL[] {
  const placeIf = (towards: "newer" | "older") => (from?.towards === towards ? [from.place] : []);
  const lower = [...(month === undefined ? [] : [month]), ...placeIf("newer")].toSorted().at(-1);
  const [upper] = [...(month === undefined ? [] : [`${month}~`]), ...placeIf("older")].toSorted();
  return [
    ...(lower === undefined ? [] : [sql`${invoiceEntry.place} > ${lower}`]),
    ...(upper === undefined ? [] : [sql`${invoiceEntry.place} < ${upper}`]),
  ];
}

/** The newest invoices that contain every word, and one more to detect that others exist. */
function foundBy(accountId: string, terms: readonly SearchTerm[]): SQL {
  const query = terms
    .map(({ word, isPrefix }) => `"${accountId}${word}"${isPrefix ? " *" : ""}`)
    .join(" AND ");
  return sql`found AS MATERIALIZED (SELECT rowid AS id FROM invoice_search
    WHERE invoice_search MATCH ${query} ORDER BY rowid DESC LIMIT ${FOUND + 1})`;
}

function ofFound(accountId: string, filter: InvoiceFilter): SQL {
  const { state, series: code, connectionId } = filter;
  return sql.join(
    [
      sql`${invoiceEntry.accountId} = ${accountId}`,
      ...(state === undefined ? [] : [sql`${invoiceEntry.state} = ${state}`]),
      ...(code === undefined ? [] : [sql`${invoiceEntry.series} = ${code}`]),
      ...(connectionId === undefined ? [] : [sql`${invoiceEntry.connectionId} = ${connectionId}`]),
    ],
    sql` AND `,
  );
}

interface SumsRow {
  readonly invoices: number;
  readonly cancelled: number;
  readonly tests: number;
  readonly base: string;
  readonly tax: string;
  readonly total: string;
  readonly found?: number;
}

/** A text, because a sum of cents may exceed JavaScript's exact integers. */
const cents = (amount: SQL) => sql`CAST(coalesce(sum(${amount}), 0) AS TEXT)`;

function sumsOfFound(accountId: string, filter: InvoiceFilter): SQL {
  const isReal = sql`${invoiceEntry.test} = 0`;
  const counts = (amount: SQL) =>
    cents(sql`CASE WHEN ${invoiceEntry.cancelled} = 0 AND ${isReal} THEN ${amount} ELSE 0 END`);
  const condition = sql.join(
    [ofFound(accountId, filter), ...placeConditions(filter, undefined), IS_ENTERED],
    sql` AND `,
  );
  return sql`WITH ${behind(accountId)}, ${foundBy(accountId, filter.terms)}
    SELECT count(*) FILTER (WHERE ${isReal}) AS invoices,
      count(*) FILTER (WHERE ${isReal} AND ${invoiceEntry.cancelled} = 1) AS cancelled,
      count(*) FILTER (WHERE ${invoiceEntry.test} = 1) AS tests,
      ${counts(sql`${invoiceEntry.base}`)} AS base, ${counts(sql`${invoiceEntry.tax}`)} AS tax,
      ${counts(sql`${invoiceEntry.total}`)} AS total, (SELECT count(*) FROM found) AS found
    FROM found CROSS JOIN ${invoiceEntry} ON ${invoiceEntry.id} = found.id WHERE ${condition}`;
}

function sumsOfTotals(accountId: string, { month, state, series: code, connectionId }: InvoiceFilter): SQL {
  const conditions = [
    sql`${invoiceTotal.accountId} = ${accountId} AND ${invoiceTotal.grain} = 'month'`,
    ...(month === undefined ? [] : [sql`${invoiceTotal.period} = ${month}`]),
    ...(code === undefined ? [] : [sql`${invoiceTotal.series} = ${code}`]),
    ...(state === undefined ? [] : [sql`${invoiceTotal.state} IN (${state}, ${`test:${state}`})`]),
    ...(connectionId === undefined ? [] : [sql`${invoiceTotal.connectionId} = ${connectionId}`]),
  ];
  const sums = (amount: SQL) => cents(sql`CASE WHEN ${isOfInvoices()} THEN ${amount} ELSE 0 END`);
  const count = (of: SQL) => sql`coalesce(sum(${of}) FILTER (WHERE ${isOfInvoices()}), 0)`;
  return sql`SELECT ${count(sql`${invoiceTotal.invoices}`)} AS invoices,
      ${count(sql`${invoiceTotal.cancelled}`)} AS cancelled,
      coalesce(sum(${invoiceTotal.invoices}) FILTER (WHERE NOT ${isOfInvoices()}), 0) AS tests,
      ${sums(sql`${invoiceTotal.base}`)} AS base, ${sums(sql`${invoiceTotal.tax}`)} AS tax,
      ${sums(sql`${invoiceTotal.total}`)} AS total
    FROM ${invoiceTotal} WHERE ${sql.join(conditions, sql` AND `)}`;
}

/** Leaves out the totals of tests. */
export function isOfInvoices(): SQL {
  return sql`substr(${invoiceTotal.state}, 1, 5) <> 'test:'`;
}

function sumsFrom(row: SumsRow | undefined): ListSums {
  const { invoices = 0, cancelled = 0, tests = 0, base = "0", tax = "0", total = "0" } = row ?? {};
  return {
    invoices,
    cancelled,
    tests,
    amounts: { base: decimal(base), tax: decimal(tax), total: decimal(total) },
  };
}

async function readChoices(reads: PlainReads, accountId: string): Promise<InvoiceChoices> {
  const month = (which: SQL) => sql`(SELECT ${which}(${invoiceTotal.period}) FROM ${invoiceTotal}
    WHERE ${invoiceTotal.accountId} = ${accountId} AND ${invoiceTotal.grain} = 'month')`;
  const [connections, codes, months] = await reads.batch(
    [
      sql`SELECT ${connection.id} AS id, ${connection.name} AS name, ${connection.kind} AS kind
        FROM ${connection} WHERE ${connection.accountId} = ${accountId} ORDER BY ${connection.ordinal}`,
      sql`SELECT ${series.code} AS code, ${series.connectionId} AS connection_id FROM ${series}
        WHERE ${series.accountId} = ${accountId} ORDER BY ${series.code}`,
      sql`SELECT ${month(sql`min`)} AS first, ${month(sql`max`)} AS last`,
    ].map(written),
  );
  const [range] = rowsAs<{ readonly first: string | null; readonly last: string | null }>(months);
  return {
    connections: rowsAs<InvoiceChoices["connections"][number]>(connections),
    series: rowsAs<{ readonly code: string; readonly connection_id: string }>(codes).map((row) => ({
      code: row.code,
      connectionId: row.connection_id,
    })),
    ...(range?.first && range.last ? { months: { first: range.first, last: range.last } } : {}),
  };
}
