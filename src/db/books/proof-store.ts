import { type SQL, sql } from "drizzle-orm";
import type { AuthorityResponse, InvoiceSheet } from "../../domain/invoice/invoice-view.ts";
import type { InvoiceRow, RecordRow } from "../../domain/proof/verify.ts";
import { yearOfSeries } from "../../domain/retention/keeping.ts";
import type { ChainHead } from "../../domain/verifactu/record.ts";
import { databaseOn, fromOwnJson, type PlainReads, plainReads, rowsAs, written } from "../database.ts";
import { insertAudit } from "../shop/shop-writes.ts";
import {
  type BooksToWalk,
  type DayRange,
  dayOfInvoice,
  dayOfRecord,
  type ExportBegun,
  type ExportStore,
  lastPlaceUntil,
  type ProofStore,
  type SealedRow,
  type Stretch,
  selectChains,
  selectInvoices,
  selectRecords,
  selectRetired,
  selectScope,
  selectSealed,
  selectSeries,
  selectSheets,
  selectStarts,
} from "./proof-reads.ts";

/** The books of a connection for verification: nothing read here is trusted. */
export function proofStore(binding: D1Database, connectionId: string): ProofStore & ExportStore {
  const reads = plainReads(binding);
  return {
    readBooks: (accountId) => readBooks(reads, connectionId, accountId),
    async readRecords(chain, stretch) {
      return (await reads.rows<RecordColumns>(selectRecords(chain, stretch))).map(recordRow);
    },
    async readInvoices(series, stretch) {
      return (await reads.rows<InvoiceColumns>(selectInvoices(series, stretch))).map(invoiceRow);
    },
    beginExport: (begun) => beginExport(binding, connectionId, begun),
    readSealed: (chain, stretch) => reads.rows<SealedRow>(selectSealed(chain, stretch)),
    async readSheets(series, stretch) {
      return (await reads.rows<SheetColumns>(selectSheets(series, stretch))).map(sheetOf);
    },
  };
}

async function readBooks(
  reads: PlainReads,
  connectionId: string,
  accountId: string | undefined,
): Promise<BooksToWalk | undefined> {
  const statements = [
    selectScope(connectionId, accountId),
    selectChains(connectionId),
    selectSeries(connectionId),
    selectStarts(connectionId),
    selectRetired(connectionId),
  ];
  const [scopes, chains, series, starts, left] = await reads.batch(statements.map(written));
  const [scope] = rowsAs<ScopeColumns>(scopes);
  if (!scope) return undefined;
  const owner = { accountId: scope.account_id, connectionId };
  const year = rowsAs<{ readonly year: number | null }>(left)[0]?.year ?? undefined;
  const leftUntil = year === undefined ? {} : { leftUntil: year };
  const begun = new Map(rowsAs<StartColumns>(starts).map((row) => [row.id, { start: startOf(row) }]));
  return {
    ...owner,
    issuerName: scope.issuer_name,
    issuerNif: scope.issuer_nif,
    ...leftUntil,
    chains: rowsAs<ChainColumns>(chains).map(({ id, number, environment, opened_at: openedAt, last }) => ({
      ...owner,
      ...leftUntil,
      installationId: id,
      installationNumber: number,
      environment: environment === "production" ? "production" : "test",
      openedAt,
      ...begun.get(id),
      last,
    })),
    series: rowsAs<SeriesColumns>(series)
      .filter(({ code }) => year === undefined || (yearOfSeries(code) ?? year + 1) > year)
      .map(({ code, installation_id: installationId, last }) => ({
        ...owner,
        code,
        ...(installationId === null ? {} : { installationId }),
        last,
      })),
  };
}

function startOf(row: StartColumns): ChainHead {
  const { position, hash, number, date } = row;
  return { position, hash, key: { issuerNif: row.issuer_nif, number, date }, generatedAt: row.generated_at };
}

async function beginExport(
  binding: D1Database,
  connectionId: string,
  { accountId, of, days, audit }: ExportBegun,
): Promise<readonly Stretch[]> {
  const searches =
    of.kind === "records"
      ? of.walks.flatMap((walk) => searchesOf(walk.last, dayOfRecord(walk), days))
      : of.walks.flatMap((walk) => searchesOf(walk.last, dayOfInvoice(walk), days));
  const line = insertAudit(databaseOn(binding), { accountId, connectionId }, audit);
  const [, ...found] = await plainReads(binding).batch([line.toSQL(), ...searches.map(written)]);
  const places = found.map((rows) => rowsAs<{ readonly place: number }>(rows)[0]?.place ?? 0);
  return of.walks.map((_, index) => ({ after: places[2 * index] ?? 0, until: places[2 * index + 1] ?? 0 }));
}

/** Two searches per walk: the place before the first day, and the last place. */
function searchesOf(last: number, dayAt: (place: SQL) => SQL, { from, to }: DayRange): SQL[] {
  return [
    from === undefined ? sql`SELECT 0 AS place` : lastPlaceUntil(last, from, dayAt, false),
    to === undefined ? sql`SELECT ${last} AS place` : lastPlaceUntil(last, to, dayAt, true),
  ];
}

interface ScopeColumns {
  readonly account_id: string;
  readonly issuer_name: string;
  readonly issuer_nif: string;
}

interface ChainColumns {
  readonly id: string;
  readonly number: string;
  readonly environment: string;
  readonly opened_at: number;
  readonly last: number;
}

interface StartColumns {
  readonly id: string;
  readonly position: number;
  readonly hash: string;
  readonly issuer_nif: string;
  readonly number: string;
  readonly date: string;
  readonly generated_at: string;
}

interface SeriesColumns {
  readonly code: string;
  readonly installation_id: string | null;
  readonly last: number;
}

interface RecordColumns {
  readonly position: number;
  readonly kind: string;
  readonly origin: string;
  readonly connection_id: string;
  readonly account_id: string;
  readonly previous_hash: string;
  readonly hash: string;
  readonly content: string;
  readonly invoice_id: string;
  readonly invoice_connection_id: string | null;
  readonly invoice_origin: string | null;
  readonly full_number: string | null;
  readonly issue_date: string | null;
  readonly registration: string | null;
}

function recordRow(row: RecordColumns): RecordRow {
  const { position, kind, origin, hash, content } = row;
  return {
    position,
    kind,
    origin,
    hash,
    content,
    connectionId: row.connection_id,
    accountId: row.account_id,
    previousHash: row.previous_hash,
    invoiceId: row.invoice_id,
    ...invoiceOf(row),
    ...(row.registration === null ? {} : { registration: row.registration }),
  };
}

function invoiceOf(row: RecordColumns): Pick<RecordRow, "invoice"> {
  const { invoice_connection_id: connectionId, invoice_origin: origin, issue_date: issueDate } = row;
  const { full_number: fullNumber } = row;
  if (connectionId === null || origin === null || fullNumber === null || issueDate === null) return {};
  return { invoice: { connectionId, origin, fullNumber, issueDate } };
}

interface InvoiceColumns {
  readonly id: string;
  readonly number: number;
  readonly full_number: string;
  readonly issue_date: string;
  readonly invoice_type: string;
  readonly total_eur: string;
  readonly connection_id: string;
  readonly document_sha256: string;
  readonly document: string | null;
  readonly installation_id: string | null;
  readonly registered_id: string | null;
  readonly registration: string | null;
}

function invoiceRow(row: InvoiceColumns): InvoiceRow {
  const { installation_id: installationId, registered_id: invoiceId, registration: content } = row;
  const isRegistered = installationId !== null && invoiceId !== null && content !== null;
  return {
    id: row.id,
    number: row.number,
    fullNumber: row.full_number,
    issueDate: row.issue_date,
    invoiceType: row.invoice_type,
    totalEur: row.total_eur,
    connectionId: row.connection_id,
    documentSha256: row.document_sha256,
    ...(row.document === null ? {} : { document: row.document }),
    ...(isRegistered ? { registration: { installationId, invoiceId, content } } : {}),
  };
}

interface SheetColumns {
  readonly series: string;
  readonly number: number;
  readonly full_number: string;
  readonly issue_date: string;
  readonly origin: string;
  readonly document: string;
  readonly registered: string;
  readonly annulled: string | null;
}

function sheetOf(row: SheetColumns): InvoiceSheet {
  return {
    series: row.series,
    number: row.number,
    fullNumber: row.full_number,
    issueDate: row.issue_date,
    origin: row.origin,
    document: row.document,
    registered: authorityResponseFrom(row.registered),
    ...(row.annulled === null ? {} : { annulled: authorityResponseFrom(row.annulled) }),
  };
}

function authorityResponseFrom(json: string): AuthorityResponse {
  const { state, code } = fromOwnJson<{ readonly state: string; readonly code: number | null }>(json);
  return { state, ...(code === null ? {} : { code }) };
}
