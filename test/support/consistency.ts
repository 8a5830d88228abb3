/** What must be true of the books after whatever went wrong. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { ledgerOf } from "../../src/domain/connection/ids.ts";
import { brokenChecks } from "../../src/domain/proof/proof.ts";
import { invariant } from "../../src/domain/shared/result.ts";
import { sha256Hex } from "../../src/domain/shared/sha256.ts";
import { verifyChain } from "../../src/domain/verifactu/chain.ts";
import type { RecordContent } from "../../src/domain/verifactu/record.ts";
import { ledgersOf } from "../../src/storage/ledgers.ts";
import { proofStore } from "../../src/storage/proof-store.ts";
import { beginVerification, isDone, verifyPage } from "../../src/usecases/verify-books.ts";
import type { Answer } from "./ledger-client.ts";

interface InvoiceRow {
  readonly id: string;
  readonly origin: string;
  readonly series: string;
  readonly number: number;
  readonly full_number: string;
  readonly issue_date: string;
  readonly total_eur: string;
  readonly document_sha256: string;
  readonly document: string;
}

interface RecordRow {
  readonly invoice_id: string;
  readonly origin: string;
  readonly kind: string;
  readonly position: number;
  readonly hash: string;
  readonly content: string;
  readonly state: string;
}

export interface StoredBooks {
  readonly invoices: readonly InvoiceRow[];
  readonly records: readonly RecordRow[];
}

/** Read past the product, from the database alone. */
export async function booksIn(connectionId: string): Promise<StoredBooks> {
  const database = ledgersOf(env).get(ledgerOf(connectionId, "cn") ?? "");
  invariant(database, "a connection's id names a ledger");
  const [invoices, records] = await database.batch([
    database
      .prepare(
        `SELECT invoice.*, document FROM invoice LEFT JOIN invoice_document ON invoice_id = id
         WHERE connection_id = ? ORDER BY series, number`,
      )
      .bind(connectionId),
    database.prepare("SELECT * FROM record WHERE connection_id = ? ORDER BY position").bind(connectionId),
  ]);
  return { invoices: rowsOf<InvoiceRow>(invoices), records: rowsOf<RecordRow>(records) };
}

/**
 * No gap and no duplicate in a series, dates that never go back, a chain that verifies, documents that match
 * their hash, one registration per invoice with its corrections in order, and every acknowledged answer in the
 * books as it was told.
 */
export async function expectBooksConsistent(
  connectionId: string,
  answers: readonly Answer[] = [],
): Promise<StoredBooks> {
  const books = await booksIn(connectionId);
  for (const invoices of Map.groupBy(books.invoices, (row) => row.series).values()) expectSeries(invoices);
  expectChain(books);
  for (const row of books.invoices) expect(sha256Hex(row.document), row.origin).toBe(row.document_sha256);
  for (const answer of answers) expectKept(answer, books);
  expect(await brokenIn(connectionId)).toEqual([]);
  return books;
}

/** What the product's own verification finds. */
async function brokenIn(connectionId: string): Promise<readonly string[]> {
  const database = ledgersOf(env).get(ledgerOf(connectionId, "cn") ?? "");
  invariant(database, "a connection's id names a ledger");
  const store = proofStore(database, connectionId);
  const books = await store.readBooks();
  invariant(books, "the connection was opened");
  let verified = beginVerification(books);
  while (!isDone(verified)) verified = await verifyPage(verified, store);
  return brokenChecks(verified.tally);
}

function expectSeries(invoices: readonly InvoiceRow[]): void {
  expect(invoices.map((row) => row.number)).toEqual(invoices.map((_, index) => index + 1));
  const dates = invoices.map((row) => row.issue_date);
  expect(dates).toEqual(dates.toSorted());
}

function expectChain({ invoices, records }: StoredBooks): void {
  const chain = records.map(({ content, position, hash }) => ({
    content: contentOf(content),
    position,
    hash,
  }));
  expect(verifyChain(chain)).toEqual({ ok: true, value: { checked: records.length } });
  const altas = records.filter(({ origin }) => invoices.some((invoice) => invoice.origin === origin));
  expect(altas.map((row) => row.invoice_id).toSorted()).toEqual(invoices.map((row) => row.id).toSorted());
  for (const [id, own] of Map.groupBy(records, (row) => row.invoice_id)) expectCourse(id, own);
}

/** Its ALTA under its own origin, then amendments and then annulments, each counted up, under one key. */
function expectCourse(id: string, [alta, ...corrections]: readonly RecordRow[]): void {
  const amendments = corrections.filter(({ kind }) => kind === "ALTA").length;
  expect([alta?.kind, ...corrections.map(({ origin }) => origin)]).toEqual([
    "ALTA",
    ...corrections.map((_, index) =>
      index < amendments ? `amend:${id}:${index + 1}` : `cancel:${id}:${index - amendments + 1}`,
    ),
  ]);
  const contents = [alta, ...corrections].map((row) => contentOf(row?.content ?? ""));
  expect(new Set(contents.map(({ key }) => JSON.stringify(key))).size, id).toBe(1);
  const amends = contents.map((content) => content.kind === "ALTA" && content.amendment !== undefined);
  expect(amends, id).toEqual(contents.map((_, index) => index > 0 && index <= amendments));
  // What is annulled is annulled again only where the authority refused it.
  for (const earlier of corrections.slice(amendments, -1)) expect(earlier.state, id).not.toBe("accepted");
}

function expectKept(answer: Answer, { invoices, records }: StoredBooks): void {
  if (!("invoice" in answer)) return;
  const { invoice: told } = answer;
  const row = invoices.find((candidate) => candidate.id === told.invoiceId);
  expect(row).toMatchObject({
    origin: `direct:${told.externalId}`,
    full_number: told.fullNumber,
    issue_date: told.issueDate,
  });
  expect(JSON.parse(row?.document ?? "")).toEqual(JSON.parse(JSON.stringify(told.document)));
  for (const stored of [told.alta, ...told.corrections]) {
    const record = records.find((candidate) => candidate.position === stored.record.position);
    expect(record?.hash).toBe(stored.record.hash);
    expect(contentOf(record?.content ?? "")).toEqual(stored.record.content);
  }
}

function contentOf(json: string): RecordContent {
  return JSON.parse(json) as RecordContent;
}

function rowsOf<Row>(answer: D1Result<unknown> | undefined): readonly Row[] {
  return (answer?.results ?? []) as readonly Row[];
}
