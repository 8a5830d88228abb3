/** The books of a history read past the product, and the rules that they must keep. */
import type { DatabaseSync } from "node:sqlite";
import type { TaxGroup } from "../../src/domain/invoice/document.ts";
import type { InvoiceView } from "../../src/domain/invoice/invoice-view.ts";
import { orderOriginOf } from "../../src/domain/order/order-origin.ts";
import { absolute, isNegative, sum } from "../../src/domain/shared/decimal.ts";
import type { OrderView } from "../../src/ledger/orders/order-outcomes.ts";
import {
  bookProblems,
  contentOf,
  type InvoiceRow,
  type Problem,
  problem,
  type RecordRow,
  unless,
} from "../support/rules/book-rules.ts";
import { keptProblems } from "../support/rules/kept-sums.ts";
import {
  documentIn,
  grossByRate,
  type LinkRow,
  type OrderBooks,
  type OrderColumns,
  orderFrom,
  orderProblems,
  remainingGroups,
} from "../support/rules/order-rules.ts";
import type { RewindableDatabase } from "../support/worlds/sqlite-d1.ts";
import type { SimulatedAuthority } from "./authority.ts";
import type { Told } from "./callers.ts";
import { isAsking } from "./console-steps.ts";
import type { Consents, LastWords, Move } from "./owner-log.ts";
import type { Receivers } from "./receivers.ts";
import type { Template } from "./template.ts";

/** What the books are compared with. */
export interface Happened {
  readonly consents: Consents;
  readonly lastWords: LastWords;
  readonly moves: readonly Move[];
  readonly shops: Template["shops"];
  readonly authority: SimulatedAuthority;
  readonly receivers: Receivers;
}

export interface ConnectionBooks extends OrderBooks {
  readonly connectionId: string;
}

const statements = new WeakMap<DatabaseSync, Map<string, ReturnType<DatabaseSync["prepare"]>>>();

export function rowsIn<Row>(
  { sqlite }: RewindableDatabase,
  sql: string,
  ...values: (string | number)[]
): readonly Row[] {
  const known = statements.get(sqlite) ?? new Map();
  statements.set(sqlite, known);
  const statement = known.get(sql) ?? sqlite.prepare(sql);
  known.set(sql, statement);
  return statement.all(...values);
}

export function booksOf(database: RewindableDatabase, connectionId: string): ConnectionBooks {
  const invoices = rowsIn<InvoiceRow>(
    database,
    `SELECT invoice.*, coalesce(document, '') AS document FROM invoice
      LEFT JOIN invoice_document ON invoice_id = id WHERE connection_id = ? ORDER BY series, number`,
    connectionId,
  );
  const records = rowsIn<RecordRow>(
    database,
    "SELECT * FROM record WHERE connection_id = ? ORDER BY installation_id, position",
    connectionId,
  );
  const links = rowsIn<LinkRow>(
    database,
    `SELECT invoice_link.* FROM invoice_link JOIN invoice ON invoice.id = invoice_id WHERE connection_id = ?`,
    connectionId,
  );
  const orders = rowsIn<OrderColumns>(
    database,
    `SELECT shop_order.*, sent FROM shop_order LEFT JOIN shop_order_sent USING (connection_id, id_external)
      WHERE connection_id = ? ORDER BY id_external`,
    connectionId,
  );
  return { connectionId, invoices, records, links, orders: orders.map(orderFrom) };
}

/** Gaps, duplicates, chains, documents, orders against their invoices, cents. */
export function standingProblems(books: ConnectionBooks, isNative = false): Problem[] {
  const found = [...bookProblems(books), ...orderProblems(books)];
  // Sums of broken books cannot be computed.
  if (found.length > 0) return found;
  // Orders of a shop with documents of its own have another sum.
  const orders = isNative ? [] : books.orders.filter(({ idExternal }) => !isAsking(idExternal));
  return [
    ...remainderProblems(books),
    ...differenceProblems(books),
    ...orders.flatMap((order) => keptProblems(order, books)),
  ];
}

/** Rectifications in force never take more than there is. */
function remainderProblems({ invoices, records, links }: ConnectionBooks): Problem[] {
  const annulled = new Set(records.filter(({ kind }) => kind === "ANULACION").map((row) => row.invoice_id));
  const inForce = links.filter((link) => !annulled.has(link.invoice_id));
  return invoices.flatMap((row) => {
    const sold = documentIn(row).totals.total;
    if (annulled.has(row.id) || isNegative(sold)) return [];
    const left = [...grossByRate(remainingGroups(row, { links: inForce }))];
    return left.flatMap(([rate, gross]) =>
      unless(!isNegative(gross), "contradiction", `${row.full_number}: ${gross} remain at ${rate} %`),
    );
  });
}

/** A difference takes back from the invoices that it cites what it says, and nothing from nowhere. */
function differenceProblems({ invoices, links }: ConnectionBooks): Problem[] {
  return invoices.flatMap((row) => {
    const own = links.filter((link) => link.invoice_id === row.id && link.kind === "difference");
    if (own.length === 0) return [];
    const groups = own.flatMap(({ taken }) => JSON.parse(taken) as Pick<TaxGroup, "amounts">[]);
    const gone = sum(groups.flatMap(({ amounts: { base, tax, surcharge } }) => [base, tax, surcharge]));
    const { total } = documentIn(row).totals;
    const isTaken = absolute(gone) === absolute(total);
    return unless(isTaken, "contradiction", `${row.full_number} of ${total} takes ${gone} of what it cites`);
  });
}

interface IssuedOf {
  readonly id: string;
  readonly fullNumber: string;
}

function invoicesIn({ outcome }: Told): readonly IssuedOf[] {
  const direct: unknown = Reflect.get(outcome, "invoice");
  const order: unknown = Reflect.get(outcome, "order");
  const made = Reflect.get(outcome, "made") as { invoiceId: string; fullNumber: string } | undefined;
  const ofDirect = direct ? [direct as InvoiceView] : [];
  const ofOrder = order ? (order as OrderView).invoices.flatMap(({ issued }) => issued ?? []) : [];
  return [...ofDirect, ...ofOrder, ...(made ? [made] : [])].map(({ invoiceId: id, fullNumber }) => ({
    id,
    fullNumber,
  }));
}

/** What a caller is told stands in the books at that moment. */
export function acknowledgedProblems(told: Told, database: RewindableDatabase): Problem[] {
  const delivery: unknown = Reflect.get(told.outcome, "delivery");
  const sql = "SELECT 1 FROM shop_delivery WHERE connection_id = ? AND delivery_id = ?";
  if (typeof delivery === "string" && rowsIn(database, sql, told.connectionId, delivery).length === 0)
    return [problem("lost", `${delivery} was told before it was in the books`)];
  return invoicesIn(told).flatMap(({ id, fullNumber }) => {
    const [row] = rowsIn<{ full_number: string }>(
      database,
      "SELECT full_number FROM invoice WHERE id = ?",
      id,
    );
    return unless(
      row?.full_number === fullNumber,
      "lost",
      `${fullNumber} was told before it was in the books`,
    );
  });
}

/** Each acknowledged answer is in the books, unchanged; each id has one answer. */
export function toldProblems(all: readonly Told[], books: ConnectionBooks): Problem[] {
  const told = all.filter(({ connectionId }) => connectionId === books.connectionId);
  return [...told.flatMap((one) => keptAnswerProblems(one, books)), ...oneAnswerProblems(told, books)];
}

function keptAnswerProblems({ about, outcome }: Told, books: ConnectionBooks): Problem[] {
  const { invoices, records } = books;
  const view = Reflect.get(outcome, "invoice") as InvoiceView | undefined;
  const order = Reflect.get(outcome, "order") as OrderView | undefined;
  if (order) {
    return order.invoices.flatMap(({ issued, totals, groups, series }) => {
      if (!issued) return [];
      const row = invoices.find(({ id }) => id === issued.invoiceId);
      if (row?.full_number !== issued.fullNumber || row.series !== series) {
        return [problem("lost", `${about}: ${issued.fullNumber} is not in the books as it was told`)];
      }
      const document = JSON.parse(row.document);
      const isSame = text({ totals: document.totals, groups: document.groups }) === text({ totals, groups });
      return unless(isSame, "lost", `${issued.fullNumber} has other amounts than were told`);
    });
  }
  if (!view) return [];
  const row = invoices.find(({ id }) => id === view.invoiceId);
  const isThere =
    row?.full_number === view.fullNumber && row.origin === view.origin && row.issue_date === view.issueDate;
  if (!row || !isThere) return [problem("lost", `${about}: ${view.fullNumber} is not in the books as told`)];
  const hashes = new Map(records.map((record) => [record.position, record]));
  const isKept = [view.alta, ...view.corrections].every(({ record }) => {
    const stored = hashes.get(record.position);
    return stored?.hash === record.hash && text(contentOf(stored.content)) === text(record.content);
  });
  return [
    ...unless(text(JSON.parse(row.document)) === text(view.document), "lost", `${about}: another document`),
    ...unless(isKept, "lost", `${about}: a record of ${view.fullNumber} is another than was told`),
  ];
}

/** Members of one value come in any order. */
function text(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}

function oneAnswerProblems(told: readonly Told[], { invoices }: ConnectionBooks): Problem[] {
  const issued = told.filter(({ about, outcome }) => about.startsWith("issue ") && "invoice" in outcome);
  return [...Map.groupBy(issued, ({ about }) => about)].flatMap(([about, answers]) => {
    const ids = new Set(
      answers.map(({ outcome }) => (Reflect.get(outcome, "invoice") as InvoiceView).invoiceId),
    );
    const firsts = answers.filter(({ outcome }) => outcome.outcome === "issued").length;
    const rows = invoices.filter(({ origin }) => origin === `direct:${about.slice("issue ".length)}`);
    return [
      ...unless(ids.size === 1 && rows.length === 1, "doubled", `${about} has ${ids.size} invoices`),
      ...unless(firsts <= 1, "doubled", `${about} was acknowledged as new ${firsts} times`),
    ];
  });
}

/** Nothing is issued before an owner's consent, or for an order before its cutoff. */
export function consentProblems({ consents, shops }: Happened, books: ConnectionBooks): Problem[] {
  const before = consents.issuedBefore(books.connectionId);
  const late = books.invoices.filter(
    ({ origin }) => before && !before.includes(origin) && /^(order|direct):/.test(origin),
  );
  const isLate = late.map(({ full_number: name }) => `${name} was issued after its owner withdrew consent`);
  return [
    ...isLate.map((what) => problem("contradiction", what)),
    ...cutoffProblems({ consents, shops }, books),
  ];
}

function cutoffProblems(
  { consents, shops }: Pick<Happened, "consents" | "shops">,
  books: ConnectionBooks,
): Problem[] {
  if (books.connectionId !== shops.new.connectionId) return [];
  const cutoffs = consents.cutoffsOf(books.connectionId);
  const [earliest = "9999"] = cutoffs.toSorted();
  return books.orders.flatMap(({ idExternal, state, facts }) => {
    const first = books.invoices.find(({ origin }) => {
      const found = orderOriginOf(origin);
      return found?.of === "order" && found.idExternal === idExternal;
    });
    const day = facts.orderedAt === undefined ? "" : new Date(facts.orderedAt).toISOString().slice(0, 10);
    return [
      ...unless(
        !first || day >= earliest,
        "contradiction",
        `${idExternal} of ${day} is invoiced before its cutoff`,
      ),
      ...unless(
        cutoffs.length > 0 || state !== "invoiced",
        "contradiction",
        `${idExternal} without a consent`,
      ),
    ];
  });
}

const WORDS: Readonly<Record<string, string>> = {
  consent: `SELECT CASE (SELECT withdrawn_at IS NULL FROM consent WHERE connection_id = ?
    ORDER BY granted_at DESC LIMIT 1) WHEN 1 THEN 'given' ELSE 'withdrawn' END AS word`,
  access: `SELECT CASE (SELECT is_on FROM customer_access WHERE connection_id = ?)
    WHEN 0 THEN 'off' ELSE 'on' END AS word`,
  callback: `SELECT CASE (SELECT count(*) FROM shop_callback WHERE connection_id = ?)
    WHEN 0 THEN 'removed' ELSE 'registered' END AS word`,
};

/** What an owner was told last is so; of two consents the one with the later clock counts. */
export function lastWordProblems(
  { lastWords }: Happened,
  { connectionId }: ConnectionBooks,
  { database, hasSkew }: { readonly database: RewindableDatabase; readonly hasSkew: boolean },
): Problem[] {
  return Object.entries(WORDS).flatMap(([about, sql]) => {
    const word = lastWords.of(`${about} ${connectionId}`);
    const [row] = rowsIn<{ word: string }>(database, sql, connectionId);
    const isOpen = word === undefined || (hasSkew && about === "consent");
    return unless(
      isOpen || row?.word === word,
      "contradiction",
      `${about} is ${row?.word}, and its owner's last word was ${word}`,
    );
  });
}

/** An invoice names the place of its company at the moment of its commit. */
export function companyProblems({ moves }: Happened, books: ConnectionBooks): Problem[] {
  const documents = new Map(books.invoices.map((row) => [row.id, documentIn(row)]));
  const registrations = books.records.filter(({ origin }) => !/^(amend|cancel):/.test(origin));
  return registrations.flatMap(({ invoice_id: id, position, origin }) => {
    const last = moves.findLast(({ after }) => position > (after.get(books.connectionId) ?? 0));
    const city = documents.get(id)?.issuer.city;
    return unless(!last || city === last.city, "contradiction", `${origin} names ${city}, not ${last?.city}`);
  });
}

/** Every record is at the authority once, unchanged and in order, and its state is what the authority answered. */
export function authorityProblems({ authority }: Happened, books: ConnectionBooks): Problem[] {
  const { arrivals, held, faults } = authority;
  const firsts = [...arrivals.keys()];
  let last = -1;
  const ofRecords = books.records.flatMap((row) => {
    const { reference, key } = contentOf(row.content);
    const place = firsts.indexOf(reference);
    // An annulment waits until its registration is decided; others need not wait for it.
    const isLater = place > last || row.kind === "ANULACION";
    if (place >= 0 && row.kind !== "ANULACION") last = Math.max(last, place);
    const taken = held.get(`${key.issuerNif}|${key.number}|${key.date}`)?.taken.get(reference);
    const isAccepted = row.state === "accepted" || row.state === "accepted_with_errors";
    return [
      ...unless(place < 0 || isLater, "submission", `${reference} came before an earlier record`),
      ...unless(!isAccepted || taken === row.hash, "submission", `${reference} is accepted, and not there`),
      ...unless(isAccepted || taken === undefined, "submission", `${reference} is ${row.state}, and there`),
    ];
  });
  return [...faults.map((what) => problem("submission", what)), ...ofRecords];
}

/** Work that the product owes without being asked. */
const DUE: Readonly<Record<string, string>> = {
  "records without an answer": `SELECT count(*) AS due FROM record
    WHERE connection_id = ? AND state IN ('pending_submission', 'submitted')`,
  "open attempts":
    "SELECT count(*) AS due FROM submission_attempt WHERE connection_id = ? AND ended_at IS NULL",
  "orders that wait though there is consent": `SELECT count(*) AS due FROM shop_order
    WHERE connection_id = ? AND (state = 'deferred' OR undecided = 1) AND (SELECT withdrawn_at IS NULL FROM consent
      WHERE consent.connection_id = shop_order.connection_id ORDER BY granted_at DESC LIMIT 1) = 1`,
  "invoices without an entry": `SELECT count(*) AS due FROM invoice
    WHERE connection_id = ? AND NOT EXISTS (SELECT 1 FROM invoice_entry WHERE invoice_id = invoice.id)`,
  "orders that are to be fetched": `SELECT count(*) AS due FROM shop_fetch JOIN shop USING (connection_id)
    WHERE connection_id = ? AND shop_fetch.due_at < ? AND url IS NOT NULL AND credentials_refused_at IS NULL`,
  "steps of a backfill": `SELECT count(*) AS due FROM shop_backfill JOIN shop USING (connection_id)
    WHERE connection_id = ? AND shop_backfill.due_at < ? AND credentials_refused_at IS NULL`,
  "mails that are due": `SELECT count(*) AS due FROM invoice_delivery
    WHERE connection_id = ? AND due_at < ?`,
  "answers to several orders":
    "SELECT count(*) AS due FROM review_job WHERE connection_id = ? AND ended_at IS NULL",
  "deliveries that are due": `SELECT count(*) AS due FROM webhook_delivery
    WHERE connection_id = ? AND due_at < ?`,
};

/** `before`: for calls with a time of their own. */
export function dueIn(
  database: RewindableDatabase,
  connectionId: string,
  before: number = Number.MAX_SAFE_INTEGER,
): string[] {
  return Object.entries(DUE).flatMap(([name, sql]) => {
    const values = sql.includes("due_at < ?") ? [connectionId, before] : [connectionId];
    const [row] = rowsIn<{ due: number }>(database, sql, ...values);
    return row && row.due > 0 ? [`${row.due} ${name}`] : [];
  });
}

/** Each event of an invoice is published to an endpoint under one message. */
export function messageProblems({ receivers }: Happened): Problem[] {
  const subjects = [...receivers.received.values()].map(({ url, body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> };
    const isIssued = type === "invoice.issued";
    return isIssued ? `${url} ${JSON.stringify(data.invoice_id ?? data)}` : "";
  });
  const doubled = [...Map.groupBy(subjects.filter(Boolean), (subject) => subject)].filter(
    ([, { length }]) => length > 1,
  );
  return [
    ...receivers.faults.map((what) => problem("contradiction", what)),
    ...doubled.map(([subject]) => problem("doubled", `${subject} was published under two ids`)),
  ];
}

/** Any change of a row that counts. */
export function stampOf(
  database: RewindableDatabase,
  { withFences }: { readonly withFences: boolean },
): string {
  const [row] = rowsIn<object>(
    database,
    `SELECT (SELECT count(*) FROM record) AS records, (SELECT count(*) FROM invoice) AS invoices,
      (SELECT group_concat(state || sent_sha256) FROM shop_order) AS orders,
      (SELECT group_concat(hash) FROM record) AS hashes, (SELECT sum(seq) FROM ledger_head WHERE ?) AS seq`,
    Number(withFences),
  );
  return JSON.stringify(row);
}
