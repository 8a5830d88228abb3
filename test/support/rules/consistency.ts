import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { proofStore } from "../../../src/db/books/proof-store.ts";
import { ledgersOf } from "../../../src/db/ledgers.ts";
import { ledgerOf } from "../../../src/domain/connection/ids.ts";
import { brokenChecks } from "../../../src/domain/proof/checks.ts";
import { invariant } from "../../../src/domain/shared/result.ts";
import type {
  AnswerOutcome,
  OrderInvoice,
  ReadOrderOutcome,
} from "../../../src/ledger/orders/order-outcomes.ts";
import { beginVerification, isDone, verifyPage } from "../../../src/work/books/verify-books.ts";
import type { Answer } from "../worlds/ledger-client.ts";
import { bookProblems, contentOf, type InvoiceRow, type RecordRow, type StoredBooks } from "./book-rules.ts";
import { type OrderBooks, type OrderColumns, orderFrom, orderProblems } from "./order-rules.ts";

export type { StoredBooks } from "./book-rules.ts";
/** The rules for the books after any fault. */

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

/** No violation of the rules, and every acknowledged answer unchanged in the books. */
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

/** The findings of the product's own verification. */
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

/** The rules for the orders of a connection and their invoices, both ways, after any fault. */

interface Look {
  /** The callers' answers: all of them stay as they were. */
  readonly answers?: readonly (AnswerOutcome | ReadOrderOutcome)[];
  /** The books at an earlier look: everything in them is there unchanged. */
  readonly since?: StoredBooks;
}

/** Read from the database alone, without the product; this also checks the books. */
export async function expectOrdersConsistent(connectionId: string, look: Look = {}): Promise<OrderBooks> {
  const stored = await expectBooksConsistent(connectionId);
  const books = { ...stored, ...(await ordersIn(connectionId)) };
  expect(orderProblems(books)).toEqual([]);
  for (const answer of look.answers ?? []) expectTold(answer, books);
  if (look.since) expectHistoryKept(look.since, books);
  return books;
}

async function ordersIn(connectionId: string): Promise<Pick<OrderBooks, "orders" | "links">> {
  const database = ledgersOf(env).get(ledgerOf(connectionId, "cn") ?? "");
  invariant(database, "a connection's id names a ledger");
  const [orders, links] = await database.batch<OrderColumns>([
    database
      .prepare(
        `SELECT shop_order.*, sent FROM shop_order LEFT JOIN shop_order_sent USING (connection_id, id_external)
         WHERE connection_id = ? ORDER BY id_external`,
      )
      .bind(connectionId),
    database
      .prepare(
        `SELECT invoice_link.* FROM invoice_link JOIN invoice ON invoice.id = invoice_id
         WHERE connection_id = ?`,
      )
      .bind(connectionId),
  ]);
  return {
    orders: (orders?.results ?? []).map(orderFrom),
    links: (links?.results ?? []) as unknown as readonly OrderBooks["links"][number][],
  };
}

/** Every document that was acknowledged with its number is in the books with that number and those amounts. */
function expectTold(answer: AnswerOutcome | ReadOrderOutcome, books: OrderBooks): void {
  if (!("order" in answer)) return;
  const { idExternal, invoices } = answer.order;
  if (invoices.some(({ issued }) => issued !== undefined)) {
    expect(books.orders.map((order) => order.idExternal)).toContain(idExternal);
  }
  for (const told of invoices) if (told.issued) expectDocument(told, told.issued, books);
}

function expectDocument(
  told: OrderInvoice,
  { invoiceId, fullNumber, number }: NonNullable<OrderInvoice["issued"]>,
  { invoices }: OrderBooks,
): void {
  const row = invoices.find(({ id }) => id === invoiceId);
  expect(row, fullNumber).toMatchObject({
    full_number: fullNumber,
    number,
    series: told.series,
    issue_date: told.issueDate,
  });
  const { totals, groups } = told;
  expect(JSON.parse(row?.document ?? "")).toMatchObject(JSON.parse(JSON.stringify({ totals, groups })));
}

function expectHistoryKept(since: StoredBooks, { invoices, records }: StoredBooks): void {
  expect(invoices).toEqual(expect.arrayContaining([...since.invoices]));
  expect(records.slice(0, since.records.length)).toEqual(since.records);
}
