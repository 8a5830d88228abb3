/** Compares all answers with each other and with the books; returns the contradictions in words. */
import { orderIdOf } from "../../../src/domain/order/order-origin.ts";
import { groups, type InvoiceRow, type Problem, problem, unless } from "../../support/rules/book-rules.ts";
import { type CallKind, type ConnectionName, type Course, DONE, memberOf, type Told } from "./call.ts";
import { listOf } from "./changes.ts";
import type { ConnectionBooks } from "./stored-books.ts";

export type BooksOf = Readonly<Record<ConnectionName, ConnectionBooks>>;

const ISSUING: readonly CallKind[] = ["issue", "issue_again", "rectify"];
const OF_INVOICES: readonly CallKind[] = [...ISSUING, "cancel", "read_invoice"];
const SENDING: readonly CallKind[] = ["order", "order_again", "order_changed"];
const OF_ORDERS: readonly CallKind[] = [...SENDING, "read_order"];

export const isOf = (kinds: readonly CallKind[]) => (one: Told) => kinds.includes(one.call.kind);
export const isOfInvoice = isOf(OF_INVOICES);
export const isIssuing = isOf(ISSUING);
export const isOfOrder = isOf(OF_ORDERS);
export const isSending = isOf(SENDING);

export function toldProblems(
  told: readonly Told[],
  courses: readonly Course[],
  books: BooksOf,
): readonly Problem[] {
  const done = told.filter(({ code }) => code === DONE);
  return [
    ...told.flatMap(({ call: { id, expect }, code }) =>
      unless(expect.includes(code), "answer", `${id} was answered ${code}`),
    ),
    ...byThing(done.filter(isOfInvoice)).flatMap((own) => invoiceProblems(own, books)),
    ...byThing(done.filter(isOfOrder)).flatMap((own) => orderProblems(own, books)),
    ...byThing(done.filter(isOf(["amend"]))).flatMap((own) => amendmentProblems(own, done, books)),
    ...strangers(done, books),
    ...courses.flatMap(({ ends }) => ends).flatMap((end) => endProblems(end, books)),
  ];
}

/** The answers about each invoice and each order. */
export function byThing(told: readonly Told[]): readonly (readonly Told[])[] {
  return groups(told, ({ call }) => `${call.connection} ${call.about}`).map(([, own]) => own);
}

/** One invoice: created once, cancelled once, and in the books as answered. */
function invoiceProblems(own: readonly Told[], books: BooksOf): Problem[] {
  const ids = new Set(own.map(({ data }) => memberOf(data, "invoice_id")));
  const [first] = own;
  const about = first?.call.about ?? "";
  const created = (kinds: readonly CallKind[]) =>
    own.filter(({ status, call }) => status === 201 && kinds.includes(call.kind)).length;
  return [
    ...unless(ids.size === 1, "doubled", `${about} was told as ${[...ids].join(" and ")}`),
    ...unless(created(ISSUING) <= 1, "doubled", `${about} was told as new more than once`),
    ...unless(created(["cancel"]) <= 1, "doubled", `${about} was told as cancelled anew more than once`),
    ...own.flatMap((one) => keptProblems(one, books)),
  ];
}

function keptProblems({ call, data }: Told, books: BooksOf): Problem[] {
  const { invoices, records } = books[call.connection];
  const is = (name: string) => memberOf(data, name);
  const row = invoices.find(({ id }) => id === is("invoice_id"));
  const told = [is("verifactu"), ...listOf(is("amendments")), is("cancellation")].filter(Boolean);
  const isWhatWasAsked = call.body?.description === undefined || call.body.description === is("description");
  return [
    ...unless(row !== undefined && isAsTold(row, call.about, is), "lost", `${call.id}: its invoice`),
    ...told.flatMap((record) => {
      const at = records.find(({ position }) => position === memberOf(record, "position"));
      const isKept = at?.hash === memberOf(record, "hash") && at?.invoice_id === row?.id;
      return unless(isKept, "lost", `${call.id}: its record ${memberOf(record, "record_id")}`);
    }),
    ...unless(isWhatWasAsked, "answer", `${call.id} was answered with another invoice`),
  ];
}

function isAsTold(row: InvoiceRow, about: string, is: (name: string) => unknown): boolean {
  const same = ["series", "number", "full_number", "issue_date"] as const;
  return row.origin === `direct:${about}` && same.every((name) => row[name] === is(name));
}

/** One order: created once, with every document of its answers. */
function orderProblems(own: readonly Told[], books: BooksOf): Problem[] {
  const [first] = own;
  if (!first) return [];
  const { connection, about } = first.call;
  const { invoices, orders } = books[connection];
  const created = own.filter(({ status }) => status === 201).length;
  const documents = own.flatMap(({ data }) => listOf(memberOf(data, "invoices")));
  const numbers = new Map(
    documents.map((document) => [memberOf(document, "invoice_id"), memberOf(document, "full_number")]),
  );
  const ofOrder = invoices.filter(({ origin }) => orderIdOf(origin) === about);
  return [
    ...unless(created <= 1, "doubled", `${about} was told as new more than once`),
    ...unless(
      orders.some(({ idExternal }) => idExternal === about),
      "lost",
      `the order ${about}`,
    ),
    ...[...numbers].flatMap(([id, number]) =>
      unless(
        ofOrder.some((row) => row.id === id && row.full_number === number),
        "lost",
        `${number} of the order ${about}`,
      ),
    ),
  ];
}

/** A repeated change of the owner made one record. */
function amendmentProblems([first]: readonly Told[], done: readonly Told[], books: BooksOf): Problem[] {
  if (!first) return [];
  const { connection, about } = first.call;
  const issued = done.find(({ call }) => call.about === about && isIssuingKind(call.kind));
  const prefix = `amend:${memberOf(issued?.data, "invoice_id")}:`;
  const { length } = books[connection].records.filter(({ origin }) => origin.startsWith(prefix));
  if (length === 1) return [];
  return [problem(length === 0 ? "lost" : "doubled", `${about} was amended once and has ${length} of them`)];
}

const isIssuingKind = (kind: CallKind) => ISSUING.includes(kind);

/** Invoices in the books of a participating connection that no answer named; the demo's own are excluded. */
function strangers(done: readonly Told[], books: BooksOf): Problem[] {
  const about = new Set(done.map(({ call }) => `${call.connection} ${call.about}`));
  const isKnown = (connection: string, id: string) => about.has(`${connection} ${id}`) || isOfDemo(id);
  return Object.entries(books).flatMap(([connection, { invoices, orders }]) => [
    ...invoices.flatMap(({ origin, full_number: number }) => {
      const id = orderIdOf(origin) ?? origin.replace(/^direct:/, "");
      return unless(isKnown(connection, id), "contradiction", `nobody was told of ${number} for ${id}`);
    }),
    ...orders.flatMap(({ idExternal: id }) =>
      unless(isKnown(connection, id), "contradiction", `nobody was told of the order ${id}`),
    ),
  ]);
}

function isOfDemo(id: string): boolean {
  return /^(demo|[WPE])-/.test(id);
}

function endProblems({ connection, idExternal, state }: Course["ends"][number], books: BooksOf): Problem[] {
  const order = books[connection].orders.find((one) => one.idExternal === idExternal);
  const reasons = order?.reasons.map(({ code }) => code).join(", ");
  return unless(
    order?.state === state,
    "contradiction",
    `the order ${idExternal} was to end ${state} and is ${order?.state} (${reasons})`,
  );
}
