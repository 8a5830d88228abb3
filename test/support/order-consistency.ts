/** What must be true of the orders of a connection and of their invoices, both ways, whatever went wrong. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { ledgersOf } from "../../src/db/ledgers.ts";
import { ledgerOf } from "../../src/domain/connection/ids.ts";
import { invariant } from "../../src/domain/shared/result.ts";
import type {
  AnswerOutcome,
  OrderInvoice,
  ReadOrderOutcome,
} from "../../src/ledger/orders/order-outcomes.ts";
import { expectBooksConsistent, type StoredBooks } from "./consistency.ts";
import { type OrderBooks, type OrderColumns, orderFrom } from "./order-books.ts";
import { orderProblems } from "./order-rules.ts";

interface Look {
  /** What callers were told: all of it stays as it was told. */
  readonly answers?: readonly (AnswerOutcome | ReadOrderOutcome)[];
  /** The books at an earlier look: everything in them is there unchanged. */
  readonly since?: StoredBooks;
}

/** Read past the product, from the database alone; the books behind them are proved on the way. */
export async function expectOrdersConsistent(connectionId: string, look: Look = {}): Promise<OrderBooks> {
  const stored = await expectBooksConsistent(connectionId);
  const books = { ...stored, ...(await ordersIn(connectionId)) };
  expect(orderProblems(books)).toEqual([]);
  for (const answer of look.answers ?? []) expectTold(answer, books);
  if (look.since) expectKept(look.since, books);
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

function expectKept(since: StoredBooks, { invoices, records }: StoredBooks): void {
  expect(invoices).toEqual(expect.arrayContaining([...since.invoices]));
  expect(records.slice(0, since.records.length)).toEqual(since.records);
}
