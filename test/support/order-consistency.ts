/** What must be true of the orders of a connection and of their invoices, both ways, whatever went wrong. */
import { expect } from "vitest";
import type { InvoiceDocument } from "../../src/domain/invoice/document.ts";
import type { ActedEvent } from "../../src/domain/order/context.ts";
import { canonicalEventId, type OrderState, originText } from "../../src/domain/order/decision.ts";
import { fiscalFingerprint } from "../../src/domain/order/normalize-fingerprint.ts";
import { add, isZero, negate, sum } from "../../src/domain/shared/decimal.ts";
import { sha256Hex } from "../../src/domain/shared/sha256.ts";
import type { AnswerOutcome, ReadOrderOutcome } from "../../src/usecases/order-outcomes.ts";
import type { OrderInvoice } from "../../src/usecases/order-view.ts";
import { expectBooksConsistent, type StoredBooks } from "./consistency.ts";
import {
  annulledIn,
  documentIn,
  documentsOf,
  grossByRate,
  type InvoiceRow,
  type LinkRow,
  type OrderBooks,
  type OrderDocuments,
  ordersIn,
  remainingGroups,
  type StoredOrderRow,
} from "./order-books.ts";

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
  for (const order of books.orders) expectOrder(order, books);
  expectOwned(books);
  for (const answer of look.answers ?? []) expectTold(answer, books);
  if (look.since) expectKept(look.since, books);
  return books;
}

function expectOrder(order: StoredOrderRow, books: OrderBooks): void {
  const documents = documentsOf(order.idExternal, books);
  expectBody(order);
  expectSold(order, documents);
  expectActed(order, documents);
  expectState(order, documents, books);
}

/** The body that is kept is the one that was looked at last. */
function expectBody({ idExternal, sent, sentSha256 }: StoredOrderRow): void {
  expect(sent === null ? null : sha256Hex(sent), `body of ${idExternal}`).toBe(sentSha256);
}

/** What the first invoice was made from is known exactly when there is one; else the owner is asked. */
function expectSold(order: StoredOrderRow, { first, replacement, ofEvents }: OrderDocuments): void {
  const { idExternal, soldFingerprint, facts } = order;
  expect(first !== undefined, `${idExternal}: sold and invoiced`).toBe(soldFingerprint !== null);
  if (!first) expect([replacement, ...ofEvents], `${idExternal}: no first invoice`).toEqual([undefined]);
  if (!first || soldFingerprint === fiscalFingerprint(facts)) return;
  const isAsked = order.reasons.some(({ code }) => code === "changed_after_invoice");
  const isSettled = order.answers.dismissals?.some(({ code }) => code === "changed_after_invoice");
  const isOver = order.state === "cancelled";
  if (!isAsked && !isSettled && !isOver) expectAccountedFor(order, documentIn(first));
}

/** Facts that are others than those sold, of which nobody is asked, say amounts that the books know. */
function expectAccountedFor({ idExternal, facts, acted }: StoredOrderRow, { totals }: InvoiceDocument): void {
  const gone = (how: ActedEvent["how"]) =>
    sum(acted.filter((event) => event.how === how).flatMap(({ taken }) => taken.map(({ gross }) => gross)));
  const netted = gone("netted");
  const known = [totals.total, add(totals.total, netted), add(totals.total, negate(gone("rectified")))];
  expect(known, `${idExternal}: changed`).toContain(facts.total);
}

/** Each event acted once; those that rectified have exactly their invoice, of exactly what they took. */
function expectActed({ idExternal, acted, facts, answers }: StoredOrderRow, documents: OrderDocuments): void {
  const ids = acted.map(({ id }) => canonicalEventId(id));
  expect(new Set(ids).size, `${idExternal}: an event acts once`).toBe(ids.length);
  if (acted.length > 0) expect(documents.first, `${idExternal}: acted without invoice`).toBeDefined();
  const told = new Set([...facts.events, ...(answers.events ?? [])].map(({ id }) => id));
  for (const { id } of acted) expect(told, `${idExternal}: an event that acted is kept`).toContain(id);
  const rectified = acted.filter(({ how }) => how === "rectified");
  const origins = rectified.map(({ id }) => originText(idExternal, { of: "event", eventId: id }));
  expect(documents.ofEvents.map(({ origin }) => origin).toSorted()).toEqual(origins.toSorted());
  for (const event of rectified) {
    const origin = originText(idExternal, { of: "event", eventId: event.id });
    const row = documents.ofEvents.find((candidate) => candidate.origin === origin);
    const given = row ? documentIn(row).groups : [];
    expect(grossByRate(given), origin).toEqual(
      new Map(event.taken.map(({ rate, gross }) => [rate, negate(gross)])),
    );
  }
}

const AFTER_INVOICE: readonly OrderState[] = ["invoiced", "partially_rectified", "rectified"];
const BEFORE_INVOICE: readonly OrderState[] = ["stored", "before_cutoff", "store_not_selected"];

/** The state is what the documents say, unless somebody is asked or it waits. */
function expectState(order: StoredOrderRow, documents: OrderDocuments, books: OrderBooks): void {
  const { idExternal, state, reasons, acted } = order;
  const { first, replacement, ofEvents } = documents;
  const annulled = annulledIn(books);
  const all = [first, replacement].flatMap((row) => row ?? []);
  const isAnnulled = all.some(({ id }) => annulled.has(id));
  expect(
    acted.some(({ how }) => how === "annulled"),
    `${idExternal}: annulled`,
  ).toBe(isAnnulled);
  if (isAnnulled) {
    expect(state, idExternal).toBe("cancelled");
    expect(all.filter(({ id }) => !annulled.has(id))).toEqual([]);
    expect(ofEvents.filter(({ id }) => !annulled.has(id))).toEqual([]);
    return;
  }
  if (state === "held" || state === "deferred") {
    expect(reasons.length, `${idExternal}: ${state} for a reason`).toBeGreaterThan(0);
    return;
  }
  if (!first) {
    expect([...BEFORE_INVOICE, "cancelled"], idExternal).toContain(state);
    return;
  }
  expect(AFTER_INVOICE, idExternal).toContain(state);
  expect(reasons, idExternal).toEqual([]);
  expect(state, idExternal).toBe(stateByDocuments(replacement ?? first, ofEvents, books));
}

function stateByDocuments(
  target: InvoiceRow,
  ofEvents: readonly InvoiceRow[],
  books: OrderBooks,
): OrderState {
  const left = remainingGroups(target, books);
  if (![...grossByRate(left).values()].every(isZero)) {
    return ofEvents.length > 0 ? "partially_rectified" : "invoiced";
  }
  for (const part of ["base", "tax", "surcharge"] as const) {
    expect(isZero(sum(left.map(({ amounts }) => amounts[part]))), `${target.origin}: ${part} is left`).toBe(
      true,
    );
  }
  return "rectified";
}

/** Every invoice of an order has the order; each replacement has what it replaces. */
function expectOwned({ invoices, orders, links }: OrderBooks): void {
  const ofOrders = invoices.filter(({ origin }) => !origin.startsWith("direct:"));
  const owned = orders.flatMap(({ idExternal }) => {
    const { first, replacement, ofEvents } = documentsOf(idExternal, { invoices });
    if (replacement) expect(first && actsOn(replacement, first, links), idExternal).toBe("replacement");
    return [first, replacement, ...ofEvents].flatMap((row) => row?.origin ?? []);
  });
  expect(owned.toSorted()).toEqual(ofOrders.map(({ origin }) => origin).toSorted());
}

function actsOn(acting: InvoiceRow, target: InvoiceRow, links: readonly LinkRow[]): string | undefined {
  return links.find((link) => link.invoice_id === acting.id && link.target_id === target.id)?.kind;
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
