import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { InvoiceSheet } from "../../domain/invoice/invoice-view.ts";
import type { ChainOwner, InvoiceRow, RecordRow, SeriesOwner } from "../../domain/proof/verify.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { AeatEnvironment, ChainHead } from "../../domain/verifactu/record.ts";
import type { AuditEntry } from "../ledger-state.ts";
import {
  account,
  connection,
  installation,
  invoice,
  invoiceDocument,
  record,
  series,
} from "../schema/ledger.ts";
import { chainStart, retentionRun } from "../schema/retention.ts";

/** A chain of the connection, as far as it reached when the walk began. */
export interface ChainToWalk extends ChainOwner {
  readonly environment: AeatEnvironment;
  readonly openedAt: Instant;
  /** The last retired record, if any: the next one links to it. */
  readonly start?: ChainHead;
  /** Position of its last record; 0 of an empty one. */
  readonly last: number;
}

/** A series of the connection, as far as it reached. */
export interface SeriesToWalk extends SeriesOwner {
  readonly accountId: string;
  readonly last: number;
}

/** The books to verify, as they were at one moment. */
export interface BooksToWalk {
  readonly connectionId: string;
  readonly accountId: string;
  readonly issuerName: string;
  readonly issuerNif: string;
  /** The last retired year, including one in progress: it is not checked. */
  readonly leftUntil?: number;
  /** In the order in which they were opened. */
  readonly chains: readonly ChainToWalk[];
  readonly series: readonly SeriesToWalk[];
}

/** Places after `after`, up to and including `until`. */
export interface Stretch {
  readonly after: number;
  readonly until: number;
}

/** Days from and to, both included; absent means open. Of records, the day when they were made. */
export interface DayRange {
  readonly from?: CivilDate;
  readonly to?: CivilDate;
}

export interface SealedRow {
  readonly position: number;
  readonly hash: string;
  /** JSON of the sealed literals. */
  readonly content: string;
  readonly state: string;
}

/**
 * The books of one connection, read from beginning to end. Every method is one D1 round trip; pages are
 * bounded by rows and bytes. An empty page ends its stretch.
 */
export interface ProofStore {
  /** Undefined without an account, or if the given account is not the connection's. */
  readBooks(accountId?: string): Promise<BooksToWalk | undefined>;
  readRecords(chain: ChainToWalk, stretch: Stretch): Promise<readonly RecordRow[]>;
  readInvoices(series: SeriesToWalk, stretch: Stretch): Promise<readonly InvoiceRow[]>;
}

/** The reads of an export. */
export interface ExportStore extends Pick<ProofStore, "readBooks"> {
  /** Records who exports, and finds the first and last place of the days. */
  beginExport(begun: ExportBegun): Promise<readonly Stretch[]>;
  readSealed(chain: ChainToWalk, stretch: Stretch): Promise<readonly SealedRow[]>;
  readSheets(series: SeriesToWalk, stretch: Stretch): Promise<readonly InvoiceSheet[]>;
}

export interface ExportBegun {
  readonly accountId: string;
  /** One stretch per walk. */
  readonly of:
    | { readonly kind: "records"; readonly walks: readonly ChainToWalk[] }
    | { readonly kind: "invoices"; readonly walks: readonly SeriesToWalk[] };
  readonly days: DayRange;
  readonly audit: AuditEntry;
}

/** Rows of a page of records, which are small. */
const RECORDS = 500;
/** Invoices per page; documents may be large, so their bytes are bounded too. */
const INVOICES = 250;
const DOCUMENT_BYTES = 2_000_000;

const registration = alias(record, "registration");
const named = sql.identifier("registration");

/** The connection's account; nothing where another one is named. */
export function selectScope(connectionId: string, accountId: string | undefined): SQL {
  return sql`SELECT ${account.id} AS account_id, ${account.legalName} AS issuer_name,
      ${account.nif} AS issuer_nif
    FROM ${connection} JOIN ${account} ON ${account.id} = ${connection.accountId}
    WHERE ${connection.id} = ${connectionId}
      AND (${accountId ?? null} IS NULL OR ${account.id} = ${accountId ?? null})`;
}

/** The last retired record of each chain. */
export function selectStarts(connectionId: string): SQL {
  return sql`SELECT ${chainStart.installationId} AS id, max(${chainStart.position}) AS position,
      ${chainStart.hash} AS hash, ${chainStart.issuerNif} AS issuer_nif, ${chainStart.number} AS number,
      ${chainStart.date} AS date, ${chainStart.generatedAt} AS generated_at
    FROM ${installation} JOIN ${chainStart} ON ${chainStart.installationId} = ${installation.id}
    WHERE ${installation.connectionId} = ${connectionId} GROUP BY ${chainStart.installationId}`;
}

/** The last year of the account that was retired or is being retired. */
export function selectRetired(connectionId: string): SQL {
  return sql`SELECT max(${retentionRun.year}) AS year FROM ${retentionRun} WHERE ${retentionRun.accountId} =
    (SELECT ${connection.accountId} FROM ${connection} WHERE ${connection.id} = ${connectionId})`;
}

export function selectChains(connectionId: string): SQL {
  return sql`SELECT ${installation.id} AS id, ${installation.number} AS number,
      ${installation.environment} AS environment, ${installation.openedAt} AS opened_at,
      coalesce((SELECT max(${record.position}) FROM ${record}
        WHERE ${record.installationId} = ${installation.id}), 0) AS last
    FROM ${installation} WHERE ${installation.connectionId} = ${connectionId}
    ORDER BY ${installation.ordinal}`;
}

/**
 * The series of the connection, and numbered series without a row: one index lookup per series code of the
 * account.
 */
export function selectSeries(connectionId: string): SQL {
  const own = sql`(SELECT ${connection.accountId} FROM ${connection}
    WHERE ${connection.id} = ${connectionId})`;
  const code = (behind: SQL) =>
    sql`SELECT min(${invoice.series}) FROM ${invoice} WHERE ${invoice.accountId} = ${own} ${behind}`;
  return sql`WITH RECURSIVE codes(code) AS (${code(sql``)}
      UNION ALL SELECT (${code(sql`AND ${invoice.series} > codes.code`)}) FROM codes
        WHERE codes.code IS NOT NULL)
    SELECT codes.code AS code, ${series.installationId} AS installation_id,
      (SELECT max(${invoice.number}) FROM ${invoice}
        WHERE ${invoice.accountId} = ${own} AND ${invoice.series} = codes.code) AS last
    FROM codes LEFT JOIN ${series} ON ${series.accountId} = ${own} AND ${series.code} = codes.code
    WHERE codes.code IS NOT NULL
      AND coalesce(${series.connectionId}, ${firstOf(own, sql`codes.code`)}) = ${connectionId}
    ORDER BY codes.code`;
}

/** The connection of the first number of a series. */
function firstOf(accountId: SQL, code: SQL): SQL {
  return sql`(SELECT ${invoice.connectionId} FROM ${invoice} WHERE ${invoice.accountId} = ${accountId}
    AND ${invoice.series} = ${code} ORDER BY ${invoice.number} LIMIT 1)`;
}

/** A correcting record comes with the registration of its invoice. */
export function selectRecords(chain: ChainToWalk, stretch: Stretch): SQL {
  return sql`SELECT ${record.position} AS position, ${record.kind} AS kind, ${record.origin} AS origin,
      ${record.connectionId} AS connection_id, ${record.accountId} AS account_id,
      ${record.previousHash} AS previous_hash, ${record.hash} AS hash, ${record.content} AS content,
      ${record.invoiceId} AS invoice_id, ${invoice.connectionId} AS invoice_connection_id,
      ${invoice.origin} AS invoice_origin, ${invoice.fullNumber} AS full_number,
      ${invoice.issueDate} AS issue_date, ${registration.content} AS registration
    FROM ${record} LEFT JOIN ${invoice} ON ${invoice.id} = ${record.invoiceId}
    LEFT JOIN ${record} AS ${named} ON ${registration.connectionId} = ${record.connectionId}
      AND ${registration.origin} = ${invoice.origin} AND ${record.origin} <> ${invoice.origin}
    WHERE ${inChain(chain, stretch)} ORDER BY ${record.position} LIMIT ${RECORDS}`;
}

export function selectSealed(chain: ChainToWalk, stretch: Stretch): SQL {
  return sql`SELECT ${record.position} AS position, ${record.hash} AS hash, ${record.content} AS content,
      ${stateOf(record.state, record.standing)} AS state
    FROM ${record} WHERE ${inChain(chain, stretch)} ORDER BY ${record.position} LIMIT ${RECORDS}`;
}

/** Only chains of the connection, regardless of the argument. */
function inChain({ installationId, connectionId }: ChainToWalk, { after, until }: Stretch): SQL {
  return sql`${record.installationId} = (SELECT ${installation.id} FROM ${installation}
      WHERE ${installation.id} = ${installationId} AND ${installation.connectionId} = ${connectionId})
    AND ${record.position} > ${after} AND ${record.position} <= ${until}`;
}

export function selectInvoices(walked: SeriesToWalk, stretch: Stretch): SQL {
  return sql`${pageOfInvoices(walked, stretch)}
    SELECT ${invoice.id} AS id, ${invoice.number} AS number, ${invoice.fullNumber} AS full_number,
      ${invoice.issueDate} AS issue_date, ${invoice.invoiceType} AS invoice_type,
      ${invoice.totalEur} AS total_eur, ${invoice.connectionId} AS connection_id,
      ${invoice.documentSha256} AS document_sha256, ${invoiceDocument.document} AS document,
      ${registration.installationId} AS installation_id, ${registration.invoiceId} AS registered_id,
      ${registration.content} AS registration
    ${fromPage()} ORDER BY page.number`;
}

export function selectSheets(walked: SeriesToWalk, stretch: Stretch): SQL {
  return sql`${pageOfInvoices(walked, stretch)}
    SELECT ${invoice.series} AS series, ${invoice.number} AS number, ${invoice.fullNumber} AS full_number,
      ${invoice.issueDate} AS issue_date, ${invoice.origin} AS origin,
      ${invoiceDocument.document} AS document,
      coalesce(${newest("amend")}, ${says(registration.state, registration.standing)}) AS registered,
      ${newest("cancel")} AS annulled
    ${fromPage()} ORDER BY page.number`;
}

/** As many invoices as the bounds allow, and one always. */
function pageOfInvoices({ accountId, code }: SeriesToWalk, { after, until }: Stretch): SQL {
  return sql`WITH found AS MATERIALIZED (SELECT ${invoice.id} AS id, ${invoice.number} AS number,
      octet_length(${invoiceDocument.document}) AS bytes
    FROM ${invoice} LEFT JOIN ${invoiceDocument} ON ${invoiceDocument.invoiceId} = ${invoice.id}
    WHERE ${invoice.accountId} = ${accountId} AND ${invoice.series} = ${code}
      AND ${invoice.number} > ${after} AND ${invoice.number} <= ${until}
    ORDER BY ${invoice.number} LIMIT ${INVOICES}),
  page AS MATERIALIZED (SELECT id, number, sum(bytes) OVER (ORDER BY number) - bytes AS bytes_before
    FROM found)`;
}

function fromPage(): SQL {
  return sql`FROM page CROSS JOIN ${invoice} ON ${invoice.id} = page.id
    LEFT JOIN ${invoiceDocument} ON ${invoiceDocument.invoiceId} = ${invoice.id}
    LEFT JOIN ${record} AS ${named} ON ${registration.connectionId} = ${invoice.connectionId}
      AND ${registration.origin} = ${invoice.origin}
    WHERE coalesce(page.bytes_before, 0) < ${DOCUMENT_BYTES}`;
}

/** State and code of the newest record of that sort of the invoice, as JSON; null without any. */
function newest(sort: "amend" | "cancel"): SQL {
  const prefix = sql`${`${sort}:`} || ${invoice.id}`;
  return sql`(SELECT ${says(record.state, record.standing)} FROM ${record}
    WHERE ${record.connectionId} = ${invoice.connectionId} AND ${record.origin} >= ${prefix} || ':'
      AND ${record.origin} < ${prefix} || ';' ORDER BY ${record}.rowid DESC LIMIT 1)`;
}

function says(state: SQLiteColumn, standing: SQLiteColumn): SQL {
  const code = sql`json_extract(${standing}, '$.code')`;
  return sql`json_object('state', ${stateOf(state, standing)}, 'code', ${code})`;
}

/** A withheld record has no answer: the authority never received it. */
function stateOf(state: SQLiteColumn, standing: SQLiteColumn): SQL {
  const [hold, code] = [sql`json_extract(${standing}, '$.hold')`, sql`json_extract(${standing}, '$.code')`];
  return sql`CASE WHEN ${hold} IS NOT NULL AND ${code} IS NULL THEN 'withheld' ELSE ${state} END`;
}

/** The last place with a day on or before the given one: about twenty index lookups. */
export function lastPlaceUntil(
  last: number,
  day: string,
  dayAt: (place: SQL) => SQL,
  isIncluded: boolean,
): SQL {
  const isBefore = isIncluded ? sql`<=` : sql`<`;
  const middle = sql`(low + high + 1) / 2`;
  return sql`WITH RECURSIVE searched(low, high) AS (SELECT 0, CAST(${last} AS INTEGER)
    UNION ALL SELECT
      CASE WHEN ${dayAt(middle)} ${isBefore} ${day} THEN ${middle} ELSE low END,
      CASE WHEN ${dayAt(middle)} ${isBefore} ${day} THEN high ELSE ${middle} - 1 END
    FROM searched WHERE low < high)
    SELECT low AS place FROM searched WHERE low = high`;
}

/** If a place is missing, the next one decides. */
export function dayOfRecord({ installationId }: Pick<ChainToWalk, "installationId">): (place: SQL) => SQL {
  return (place) => sql`(SELECT substr(json_extract(${record.content}, '$.generatedAt'), 1, 10) FROM ${record}
    WHERE ${record.installationId} = ${installationId} AND ${record.position} >= ${place}
    ORDER BY ${record.position} LIMIT 1)`;
}

export function dayOfInvoice({ accountId, code }: SeriesToWalk): (place: SQL) => SQL {
  return (place) => sql`(SELECT ${invoice.issueDate} FROM ${invoice}
    WHERE ${invoice.accountId} = ${accountId} AND ${invoice.series} = ${code}
      AND ${invoice.number} >= ${place}
    ORDER BY ${invoice.number} LIMIT 1)`;
}
