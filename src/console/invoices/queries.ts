import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type PlainReads, plainReads, rowsAs, written } from "../../db/database.ts";
import { statedAmounts } from "../../db/entries/entry-store.ts";
import { entryCursor, invoiceEntry, invoiceTotal } from "../../db/schema/invoice-entry.ts";
import {
  connection,
  installation,
  invoice,
  invoiceDocument,
  record,
  series,
} from "../../db/schema/ledger.ts";
import type { SearchTerm } from "../../domain/invoice/invoice-entry.ts";
import { type EntryAmounts, placeText } from "../../domain/invoice/invoice-entry.ts";
import { RECORD_STATES } from "../../domain/invoice/invoice-view.ts";
import { decimal } from "../../domain/shared/decimal.ts";
import { instantOf } from "../../domain/shared/instant.ts";
import type {
  InvoiceChoices,
  InvoiceFilter,
  InvoiceListQuery,
  InvoiceListRead,
  InvoiceReads,
  ListedInvoice,
  ListSums,
  TailInvoice,
} from "./list-invoices.ts";
import { listedInvoice, type ShownRow, shownColumns, stateOf } from "./listed-invoice.ts";
import { stretchesOf } from "./summed-stretches.ts";

/** Limit of search results: the newest ones. */
const FOUND = 1_000;

/**
 * Invoices of one account. Queries read ranges of indexes, so that their cost does not grow with the account.
 */
export function invoiceReads(binding: D1Database): InvoiceReads {
  const reads = plainReads(binding);
  return {
    listInvoices: (accountId, query) => listInvoices(reads, accountId, query),
    readChoices: (accountId) => readChoices(reads, accountId),
  };
}

async function listInvoices(
  reads: PlainReads,
  accountId: string,
  query: InvoiceListQuery,
): Promise<InvoiceListRead> {
  const { filter } = query;
  const isSearch = filter.terms.length > 0;
  const [tailRows, page, [sums]] = await reads
    .batch(
      [
        selectTail(accountId),
        selectPage(accountId, query),
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
export function selectPage(accountId: string, { filter, from, limit, found: most }: InvoiceListQuery): SQL {
  const order = from?.towards === "newer" ? sql`ASC` : sql`DESC`;
  const condition = sql.join([...placeConditions(filter, from), IS_ENTERED], sql` AND `);
  const ordered = sql`ORDER BY place ${order} LIMIT ${limit}`;
  const rows =
    filter.terms.length > 0
      ? sql`SELECT found_entry.* FROM (SELECT ${ENTRY} FROM found CROSS JOIN ${invoiceEntry}
          ON ${invoiceEntry.id} = found.id WHERE ${ofFound(accountId, filter)}
            AND ${condition}) AS found_entry ${ordered}`
      : stretches(accountId, filter, { condition, order: ordered });
  const found = filter.terms.length > 0 ? sql`, ${foundBy(accountId, filter.terms, most)}` : sql``;
  return sql`WITH ${behind(accountId)}${found},
    page AS MATERIALIZED (${rows})
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

/**
 * One query per state, in an index that begins with the filter. SQLite merges them in their order and stops
 * at the limit, so that it reads a page and not a page of each state. D1 allows five terms in a union: those
 * of the last states are merged by themselves.
 */
function stretches(accountId: string, filter: InvoiceFilter, { condition, order }: Stretch): SQL {
  const states = filter.state === undefined ? RECORD_STATES : [filter.state];
  const scope = scopeOf(accountId, filter);
  const each = states.map(
    (state) => sql`SELECT ${ENTRY} FROM ${invoiceEntry}
      WHERE ${scope} AND ${invoiceEntry.state} = ${state} AND ${condition}`,
  );
  const [first, last] = [each.slice(0, DIRECT_TERMS), each.slice(DIRECT_TERMS)];
  const merged = last.length === 0 ? [] : [sql`SELECT * FROM (${sql.join(last, UNION_ALL)} ${order})`];
  return sql`${sql.join([...first, ...merged], UNION_ALL)} ${order}`;
}

const UNION_ALL = sql` UNION ALL `;
const DIRECT_TERMS = 4;

interface Stretch {
  readonly condition: SQL;
  /** With its limit. */
  readonly order: SQL;
}

/** A series belongs to one connection: with another connection the filter matches nothing. */
function scopeOf(accountId: string, { series: code, connectionId, document }: InvoiceFilter): SQL {
  const ofAccount = sql`${invoiceEntry.accountId} = ${accountId}`;
  const account =
    document === undefined ? ofAccount : sql`${ofAccount} AND ${invoiceEntry.document} = ${document}`;
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
 * One bound on each side: given two, SQLite uses either and scans the rest. Places are longer than a month
 * and a day, so these are valid lower bounds.
 */
function placeConditions(filter: InvoiceFilter, from: InvoiceListQuery["from"]): SQL[] {
  const placeIf = (towards: "newer" | "older") => (from?.towards === towards ? [from.place] : []);
  const firsts = [filter.month ?? [], filter.firstDay ?? []].flat();
  const lasts = [filter.month ?? [], filter.lastDay ?? []].flat().map((end) => `${end}~`);
  const lower = [...firsts, ...placeIf("newer")].toSorted().at(-1);
  const [upper] = [...lasts, ...placeIf("older")].toSorted();
  return [
    ...(lower === undefined ? [] : [sql`${invoiceEntry.place} > ${lower}`]),
    ...(upper === undefined ? [] : [sql`${invoiceEntry.place} < ${upper}`]),
  ];
}

/** The newest invoices that contain every word, and one more to detect that others exist. */
function foundBy(accountId: string, terms: readonly SearchTerm[], most = FOUND + 1): SQL {
  const query = terms
    .map(({ word, isPrefix }) => `"${accountId}${word}"${isPrefix ? " *" : ""}`)
    .join(" AND ");
  return sql`found AS MATERIALIZED (SELECT rowid AS id FROM invoice_search
    WHERE invoice_search MATCH ${query} ORDER BY rowid DESC LIMIT ${most})`;
}

function ofFound(accountId: string, filter: InvoiceFilter): SQL {
  const { state, series: code, connectionId, document } = filter;
  return sql.join(
    [
      sql`${invoiceEntry.accountId} = ${accountId}`,
      ...(document === undefined ? [] : [sql`${invoiceEntry.document} = ${document}`]),
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
  const counts = (effect: SQLWrapper, stated: SQLWrapper) =>
    cents(
      sql`CASE WHEN ${invoiceEntry.cancelled} = 0 AND ${isReal}
        THEN coalesce(${effect}, ${stated}) ELSE 0 END`,
    );
  const condition = sql.join(
    [ofFound(accountId, filter), ...placeConditions(filter, undefined), IS_ENTERED],
    sql` AND `,
  );
  return sql`WITH ${behind(accountId)}, ${foundBy(accountId, filter.terms)}
    SELECT count(*) FILTER (WHERE ${isReal}) AS invoices,
      count(*) FILTER (WHERE ${isReal} AND ${invoiceEntry.cancelled} = 1) AS cancelled,
      count(*) FILTER (WHERE ${invoiceEntry.test} = 1) AS tests,
      ${counts(invoiceEntry.countedBase, invoiceEntry.base)} AS base,
      ${counts(invoiceEntry.countedTax, invoiceEntry.tax)} AS tax,
      ${counts(invoiceEntry.countedTotal, invoiceEntry.total)} AS total, (SELECT count(*) FROM found) AS found
    FROM found CROSS JOIN ${invoiceEntry} ON ${invoiceEntry.id} = found.id WHERE ${condition}`;
}

/** The columns of a row of sums that a list adds up when it shows one kind of documents. */
const OF_DOCUMENTS = {
  all: countedAs(invoiceTotal.invoices, [invoiceTotal.base, invoiceTotal.tax, invoiceTotal.total]),
  issued: countedAs(
    sql`iif(${invoiceTotal.rectifying}, 0,
      ${invoiceTotal.invoices} - ${invoiceTotal.cancelled} - ${invoiceTotal.replacing})`,
    [
      sql`iif(${invoiceTotal.rectifying}, 0, ${invoiceTotal.base} - ${invoiceTotal.replacingBase})`,
      sql`iif(${invoiceTotal.rectifying}, 0, ${invoiceTotal.tax} - ${invoiceTotal.replacingTax})`,
      sql`iif(${invoiceTotal.rectifying}, 0, ${invoiceTotal.total} - ${invoiceTotal.replacingTotal})`,
    ],
  ),
  rectifying: countedAs(
    sql`iif(${invoiceTotal.rectifying}, ${invoiceTotal.invoices} - ${invoiceTotal.cancelled}, 0)`,
    [
      sql`iif(${invoiceTotal.rectifying}, ${invoiceTotal.base}, 0)`,
      sql`iif(${invoiceTotal.rectifying}, ${invoiceTotal.tax}, 0)`,
      sql`iif(${invoiceTotal.rectifying}, ${invoiceTotal.total}, 0)`,
    ],
  ),
  replacing: countedAs(invoiceTotal.replacing, [
    ...([invoiceTotal.replacingBase, invoiceTotal.replacingTax, invoiceTotal.replacingTotal] as const),
  ]),
  cancelled: countedAs(invoiceTotal.cancelled, [sql`0`, sql`0`, sql`0`]),
} as const;

type Figure = SQL | SQLiteColumn;

function countedAs(invoices: Figure, [base, tax, total]: readonly [Figure, Figure, Figure]): SQL {
  return sql`${invoices} AS invoices, ${base} AS base, ${tax} AS tax, ${total} AS total`;
}

function sumsOfTotals(accountId: string, filter: InvoiceFilter): SQL {
  const { state, series: code, connectionId, document } = filter;
  const conditions = [
    sql`${invoiceTotal.accountId} = ${accountId}`,
    ...(code === undefined ? [] : [sql`${invoiceTotal.series} = ${code}`]),
    ...(state === undefined ? [] : [sql`${invoiceTotal.state} IN (${state}, ${`test:${state}`})`]),
    ...(connectionId === undefined ? [] : [sql`${invoiceTotal.connectionId} = ${connectionId}`]),
  ];
  // All of a list's documents or those that are cancelled; other kinds have none of these.
  const cancelled =
    document === undefined || document === "cancelled" ? sql`${invoiceTotal.cancelled}` : sql`0`;
  const stretches = stretchesOf(filter).map(
    ({ grain, first, last }) => sql`SELECT ${OF_DOCUMENTS[document ?? "all"]}, ${cancelled} AS cancelled,
        ${isOfInvoices()} AS is_real FROM ${invoiceTotal}
      WHERE ${sql.join(conditions, sql` AND `)} AND ${invoiceTotal.grain} = ${grain}
        AND ${invoiceTotal.period} BETWEEN ${first} AND ${last}`,
  );
  const real = (figure: string) => sql.raw(`sum(iif(is_real, ${figure}, 0))`);
  const text = (figure: string) => sql`CAST(coalesce(${real(figure)}, 0) AS TEXT) AS ${sql.raw(figure)}`;
  return sql`SELECT coalesce(${real("invoices")}, 0) AS invoices,
      coalesce(${real("cancelled")}, 0) AS cancelled,
      coalesce(sum(iif(is_real, 0, invoices)), 0) AS tests, ${text("base")}, ${text("tax")}, ${text("total")}
    FROM (${sql.join(stretches, sql` UNION ALL `)}) AS summed`;
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

/** Limit per chain. More records wait only after a long failure of the alarm; then the newest are read. */
const BEHIND = 1_000;

/** The account's records that are not yet in entries and sums. */
function behind(accountId: string): SQL {
  const from = sql`coalesce(${entryCursor.position}, 0)`;
  const last = sql`coalesce((SELECT max(${record.position}) FROM ${record}
    WHERE ${record.installationId} = ${installation.id}), 0)`;
  return sql`behind AS MATERIALIZED (
    SELECT ${record.installationId} AS installation_id, ${record.position} AS position,
      ${record.invoiceId} AS invoice_id, ${last} - ${from} > ${BEHIND} AS is_cut
    FROM ${connection} CROSS JOIN ${installation} ON ${installation.connectionId} = ${connection.id}
    LEFT JOIN ${entryCursor} ON ${entryCursor.installationId} = ${installation.id}
    CROSS JOIN ${record} ON ${record.installationId} = ${installation.id}
      AND ${record.position} > max(${from}, ${last} - ${BEHIND})
    WHERE ${connection.accountId} = ${accountId})`;
}

const issue = alias(record, "issue");
const issuedIn = alias(installation, "issued_in");

/** Each of these records with its invoice, in chain order. */
export function selectTail(accountId: string): SQL {
  const [issued, chain] = [sql.identifier("issue"), sql.identifier("issued_in")];
  return sql`WITH ${behind(accountId)}
    SELECT ${shownColumns()}, ${record.state} AS state, ${record.kind} AS kind, behind.is_cut AS is_cut,
      ${invoiceDocument.document} -> '$.totalsEur' AS totals_eur,
      ${invoiceDocument.document} -> '$.rectified' AS rectified,
      ${issue.content} ->> '$.generatedAt' AS issued_at, ${issue.position} AS issue_position,
      ${issuedIn.ordinal} AS installation_ordinal, ${connection.ordinal} AS connection_ordinal,
      ${invoiceEntry.place} AS place, ${invoiceEntry.state} AS counted_state,
      ${invoiceEntry.cancelled} AS counted_cancelled,
      ${countedText(invoiceEntry.countedBase, invoiceEntry.base)} AS counted_base,
      ${countedText(invoiceEntry.countedTax, invoiceEntry.tax)} AS counted_tax,
      ${countedText(invoiceEntry.countedTotal, invoiceEntry.total)} AS counted_total
    FROM behind CROSS JOIN ${record} ON ${record.installationId} = behind.installation_id
      AND ${record.position} = behind.position
    JOIN ${installation} ON ${installation.id} = ${record.installationId}
    JOIN ${invoice} ON ${invoice.id} = behind.invoice_id
    JOIN ${connection} ON ${connection.id} = ${invoice.connectionId}
    JOIN ${invoiceDocument} ON ${invoiceDocument.invoiceId} = ${invoice.id}
    JOIN ${record} AS ${issued} ON ${issue.connectionId} = ${invoice.connectionId}
      AND ${issue.origin} = ${invoice.origin}
    JOIN ${installation} AS ${chain} ON ${issuedIn.id} = ${issue.installationId}
    LEFT JOIN ${invoiceEntry} ON ${invoiceEntry.invoiceId} = ${invoice.id}
    ORDER BY ${connection.ordinal}, ${installation.ordinal}, ${record.position}`;
}

const countedText = (effect: SQLWrapper, stated: SQLWrapper) =>
  sql`CAST(coalesce(${effect}, ${stated}) AS TEXT)`;

export interface TailRow extends ShownRow {
  readonly state: string;
  readonly kind: string;
  readonly is_cut: number;
  readonly totals_eur: string | null;
  readonly issued_at: string;
  readonly issue_position: number;
  readonly installation_ordinal: number;
  readonly connection_ordinal: number;
  readonly place: string | null;
  readonly counted_state: string | null;
  readonly counted_cancelled: number | null;
  readonly counted_base: string | null;
  readonly counted_tax: string | null;
  readonly counted_total: string | null;
  readonly rectified: string | null;
}

/** One row per invoice, in the state of its newest record. */
export function tailFrom(rows: readonly TailRow[]): readonly TailInvoice[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((ofInvoice) => {
    const row = ofInvoice.at(-1);
    if (!row) return [];
    const cancelled = row.counted_cancelled === 1 || ofInvoice.some(({ kind }) => kind === "ANULACION");
    const place = row.place ?? placeOf(row);
    const { amounts, effect = amounts } = statedAmounts(row);
    const shown = listedInvoice(row, { place, amounts, cancelled, state: stateOf(row.state) });
    const { counted_state: counted } = row;
    if (counted === null) return [{ ...shown, effect }];
    const asCounted = { state: stateOf(counted), cancelled: row.counted_cancelled === 1 };
    return [{ ...shown, effect: countedEffect(row), counted: asCounted }];
  });
}

/** Of an entry, because an entry of an earlier version is counted as stated until it is filled. */
function countedEffect(row: TailRow): EntryAmounts {
  const { counted_base: base, counted_tax: tax, counted_total: total } = row;
  return { base: decimal(base ?? "0"), tax: decimal(tax ?? "0"), total: decimal(total ?? "0") };
}

function placeOf(row: TailRow): string {
  return placeText({
    issueDate: row.issue_date,
    issuedAt: instantOf(row.issued_at),
    connectionOrdinal: row.connection_ordinal,
    installationOrdinal: row.installation_ordinal,
    position: row.issue_position,
  });
}
