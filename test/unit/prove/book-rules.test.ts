/** A prover that cannot fail proves nothing: sound books, broken in one place each. */
import { expect, test } from "vitest";
import { add, decimal } from "../../../src/domain/shared/decimal.ts";
import { sha256Hex } from "../../../src/domain/shared/hash.ts";
import { soundBooks } from "../../support/builders/sound-books.ts";
import {
  bookProblems,
  contentOf,
  type InvoiceRow,
  type Problem,
  type RecordRow,
} from "../../support/rules/book-rules.ts";
import {
  documentIn,
  type OrderBooks,
  orderProblems,
  type StoredOrderRow,
} from "../../support/rules/order-rules.ts";

const SOUND = soundBooks();

test("books in which nothing is wrong", () => {
  expect([...bookProblems(SOUND), ...orderProblems(SOUND)]).toEqual([]);
  expect(SOUND.invoices.length).toBeGreaterThan(8);
  expect(new Set(SOUND.orders.map(({ state }) => state))).toEqual(
    new Set(["invoiced", "partially_rectified", "rectified", "cancelled", "held"]),
  );
});

test.each<[string, (books: OrderBooks) => OrderBooks, Problem["kind"]]>([
  ["a number is missing", withoutInvoice("direct:one"), "gap"],
  ["the last invoice of a series is missing, and its record exists", withoutInvoice("order:plain"), "gap"],
  ["a number is given twice", numberedAs("order:refunded", "order:plain"), "doubled"],
  ["an origin has two invoices", withInvoice("direct:two", { origin: "direct:one" }), "doubled"],
  ["an origin has two records", withRecord("direct:two", { origin: "direct:one" }), "doubled"],
  [
    "an invoice is dated before the last one",
    withInvoice("direct:two", { issue_date: "2026-11-26" }),
    "contradiction",
  ],
  ["a document is missing", withInvoice("direct:two", { document: "" }), "gap"],
  ["a document has been changed", withTotal("direct:two"), "contradiction"],
  ["a record is missing", withoutRecord("direct:two"), "chain"],
  ["the end of a chain is missing", cutBefore("order:annulled"), "gap"],
  ["a record says another amount", withContent("direct:two", { total: "1.00" }), "chain"],
  ["a record has another hash", withRecord("direct:two", { hash: "0".repeat(64) }), "chain"],
  ["a record is of another invoice", withRecord("direct:two", { invoice_id: "in000other" }), "gap"],
  ["an annulment in the place of the registration", asAnnulment("direct:one"), "contradiction"],
  ["an invoice is annulled twice", annulledTwice, "doubled"],
])("%s", (_, broken, kind) => {
  expect(bookProblems(broken(SOUND)).map((found) => found.kind)).toContain(kind);
});

test.each<[string, (books: OrderBooks) => OrderBooks]>([
  ["an invoice has no order", (books) => ({ ...books, orders: books.orders.slice(1) })],
  ["an order has no invoice and says so not", withoutInvoice("order:plain")],
  ["an order says that it waits, for no reason", withOrder("plain", { state: "held" })],
  ["an order is stored and was invoiced", withOrder("plain", { state: "stored" })],
  ["an order was refunded in part and says that it was not", withOrder("refunded", { state: "invoiced" })],
  ["an order says that all of it went back", withOrder("refunded", { state: "rectified" })],
  ["an order with invoices that sum to nothing is invoiced", withOrder("emptied", { state: "invoiced" })],
  ["an annulled order is invoiced", withOrder("annulled", { state: "invoiced" })],
  ["an order is cancelled while its invoice is in force", withoutAnnulment],
  ["an event acted without an invoice of its own", withoutInvoice("event:refunded:small")],
  ["a rectification is of no event", withOrder("refunded", { acted: [] })],
  ["a rectification took another amount than its event", withTaken("refunded")],
  ["a full invoice does not say what it replaces", (books) => ({ ...books, links: [] })],
  ["facts have changed without a hold", changedQuietly("plain")],
  ["the body that is kept is another", withOrder("plain", { sent: "{}" })],
  ["work is found by another day", withOrder("plain", { foundBy: { orderedAt: 0, status: null } })],
])("an order contradicts its invoices: %s", (_, broken) => {
  expect(orderProblems(broken(SOUND)).map((found) => found.kind)).toContain("contradiction");
});

test("an event that acts twice is doubled", () => {
  const [event] = SOUND.orders.find(({ idExternal }) => idExternal === "refunded")?.acted ?? [];
  const twice = event ? [event, event] : [];
  const broken = withOrder("refunded", { acted: twice })(SOUND);
  expect(orderProblems(broken).map(({ kind }) => kind)).toContain("doubled");
});

function withoutInvoice(origin: string) {
  return (books: OrderBooks): OrderBooks => ({
    ...books,
    invoices: books.invoices.filter((row) => row.origin !== origin),
  });
}

function withInvoice(origin: string, change: Partial<InvoiceRow>) {
  return (books: OrderBooks): OrderBooks => ({
    ...books,
    invoices: books.invoices.map((row) => (row.origin === origin ? { ...row, ...change } : row)),
  });
}

function numberedAs(origin: string, other: string) {
  return (books: OrderBooks): OrderBooks => {
    const { number } = books.invoices.find((row) => row.origin === other) ?? { number: 0 };
    return withInvoice(origin, { number })(books);
  };
}

function withTotal(origin: string) {
  return (books: OrderBooks): OrderBooks => {
    const { document = "" } = books.invoices.find((row) => row.origin === origin) ?? {};
    return withInvoice(origin, { document: document.replace("121", "122") })(books);
  };
}

function withoutRecord(origin: string) {
  return (books: OrderBooks): OrderBooks => ({
    ...books,
    records: books.records.filter((row) => row.origin !== origin),
  });
}

function cutBefore(origin: string) {
  return (books: OrderBooks): OrderBooks => ({
    ...books,
    records: books.records.slice(
      0,
      books.records.findIndex((row) => row.origin === origin),
    ),
  });
}

function withRecord(origin: string, change: Partial<RecordRow>) {
  return (books: OrderBooks): OrderBooks => ({
    ...books,
    records: books.records.map((row) => (row.origin === origin ? { ...row, ...change } : row)),
  });
}

function withContent(origin: string, change: object) {
  return (books: OrderBooks): OrderBooks => {
    const { content = "" } = books.records.find((row) => row.origin === origin) ?? {};
    return withRecord(origin, { content: JSON.stringify({ ...contentOf(content), ...change }) })(books);
  };
}

function asAnnulment(origin: string) {
  return withRecord(origin, { kind: "ANULACION" });
}

function annulledTwice(books: OrderBooks): OrderBooks {
  const records = books.records.flatMap((row) => {
    const [, id] = /^cancel:(.*):1$/.exec(row.origin) ?? [];
    if (id === undefined) return [row];
    return [
      { ...row, state: "accepted" },
      { ...row, origin: `cancel:${id}:2` },
    ];
  });
  return { ...books, records };
}

function withoutAnnulment(books: OrderBooks): OrderBooks {
  return { ...books, records: books.records.filter(({ kind }) => kind === "ALTA") };
}

function withOrder(id: string, change: Partial<StoredOrderRow>) {
  return (books: OrderBooks): OrderBooks => ({
    ...books,
    orders: books.orders.map((row) => (row.idExternal === id ? { ...row, ...change } : row)),
  });
}

function changedQuietly(id: string) {
  return (books: OrderBooks): OrderBooks => {
    const order = books.orders.find((row) => row.idExternal === id);
    if (!order) return books;
    const [line] = order.facts.breakdown;
    const breakdown = line ? [{ ...line, base: add(line.base, decimal("10")) }] : [];
    const facts = { ...order.facts, breakdown, total: add(order.facts.total, decimal("10")) };
    return withOrder(id, { facts })(books);
  };
}

function withTaken(id: string) {
  return (books: OrderBooks): OrderBooks => {
    const row = books.invoices.find(({ origin }) => origin === `event:${id}:small`);
    if (!row) return books;
    const document = documentIn(row);
    const groups = document.groups.map((group) => ({
      ...group,
      amounts: { ...group.amounts, base: add(group.amounts.base, decimal("1")) },
    }));
    const text = JSON.stringify({ ...document, groups });
    return withInvoice(row.origin, { document: text, document_sha256: sha256Hex(text) })(books);
  };
}
