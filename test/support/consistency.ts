/** What must be true of the books after whatever went wrong. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { proofStore } from "../../src/db/books/proof-store.ts";
import { ledgersOf } from "../../src/db/ledgers.ts";
import { ledgerOf } from "../../src/domain/connection/ids.ts";
import { brokenChecks } from "../../src/domain/proof/proof.ts";
import { invariant } from "../../src/domain/shared/result.ts";
import { beginVerification, isDone, verifyPage } from "../../src/work/books/verify-books.ts";
import { bookProblems, contentOf, type InvoiceRow, type RecordRow, type StoredBooks } from "./book-rules.ts";
import type { Answer } from "./ledger-client.ts";

export type { StoredBooks } from "./book-rules.ts";

/** Read past the product, from the database alone. */
export async function booksIn(connectionId: string): Promise<StoredBooks> {
  const database = ledgersOf(env).get(ledgerOf(connectionId, "cn") ?? "");
  invariant(database, "a connection's id names a ledger");
  const [invoices, records] = await database.batch([
    database
      .prepare(
        `SELECT invoice.*, coalesce(document, '') AS document FROM invoice LEFT JOIN invoice_document ON invoice_id = id
         WHERE connection_id = ? ORDER BY series, number`,
      )
      .bind(connectionId),
    database.prepare("SELECT * FROM record WHERE connection_id = ? ORDER BY position").bind(connectionId),
  ]);
  return { invoices: rowsOf<InvoiceRow>(invoices), records: rowsOf<RecordRow>(records) };
}

/** Nothing that the rules forbid, and every acknowledged answer in the books as it was told. */
export async function expectBooksConsistent(
  connectionId: string,
  answers: readonly Answer[] = [],
): Promise<StoredBooks> {
  const books = await booksIn(connectionId);
  expect(bookProblems(books)).toEqual([]);
  for (const answer of answers) expectKept(answer, books);
  await expectProven(connectionId);
  return books;
}

/** By the product's own verification alone: of books of which a year has left, too. */
export async function expectProven(connectionId: string): Promise<void> {
  expect(await brokenIn(connectionId)).toEqual([]);
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

function rowsOf<Row>(answer: D1Result<unknown> | undefined): readonly Row[] {
  return (answer?.results ?? []) as readonly Row[];
}
