import type { InvoiceDocument, TaxGroup } from "../../../src/domain/invoice/document.ts";
import type { ActedEvent, OwnerAnswers } from "../../../src/domain/order/context.ts";
import type { OrderState } from "../../../src/domain/order/decision.ts";
import { isAsSold, type OrderFacts } from "../../../src/domain/order/facts.ts";
import { canonicalEventId, orderIdOf, originText } from "../../../src/domain/order/order-origin.ts";
import type { Reason } from "../../../src/domain/order/reasons.ts";
import { add, type Decimal, isZero, negate, sum, ZERO } from "../../../src/domain/shared/decimal.ts";
import { isSameValue, sha256Hex } from "../../../src/domain/shared/hash.ts";
import { groups, type InvoiceRow, type Problem, type StoredBooks, unless } from "./book-rules.ts";

/** The rules for orders and their invoices, both ways, after any fault. */

/** One order with its rows in the books. */
interface Case extends OrderDocuments {
  readonly order: StoredOrderRow;
  /** Which of its invoices these are of: the last one. */
  readonly generation: number;
  readonly earlier: readonly OrderDocuments[];
  readonly links: OrderBooks["links"];
  readonly annulled: ReadonlySet<string>;
}

/** For the orders of a connection and every invoice that is not direct. */
export function orderProblems(books: OrderBooks): Problem[] {
  const ofOrders = new Map(groups(books.invoices, ({ origin }) => orderIdOf(origin) ?? ""));
  const known = new Set(books.orders.map(({ idExternal }) => idExternal));
  const linksTo = new Map(groups(books.links, (link) => link.target_id));
  const annulled = annulledIn(books);
  return [
    ...books.orders.flatMap((order) => {
      const invoices = ofOrders.get(order.idExternal) ?? [];
      // The rules of books report a lost document.
      if (invoices.some(({ document }) => document === "")) return [];
      const links = invoices.flatMap(({ id }) => linksTo.get(id) ?? []);
      const generations = generationsOf(order, { invoices });
      const last = generations.at(-1) ?? { ofEvents: [], followUps: [] };
      const [generation, earlier] = [generations.length, generations.slice(0, -1)];
      return caseProblems({ order, links, annulled, generation, earlier, ...last }, invoices);
    }),
    ...books.invoices.flatMap(({ origin, full_number: name }) => {
      const id = orderIdOf(origin);
      return unless(id === undefined || known.has(id), "contradiction", `${name} has no order ${id}`);
    }),
  ];
}

function caseProblems(one: Case, invoices: readonly InvoiceRow[]): Problem[] {
  const { order, replacement, links, earlier } = one;
  const { idExternal } = order;
  const known = [one, ...earlier].flatMap(rowsOf);
  const isLinked =
    replacement === undefined ||
    links.some((link) => link.invoice_id === replacement.id && link.kind === "replacement");
  return [
    ...unless(known.length === invoices.length, "doubled", `${idExternal} has invoices twice`),
    ...unless(isLinked, "contradiction", `${idExternal}: the full invoice does not say what it replaces`),
    ...rowProblems(order),
    ...soldProblems(one),
    ...actedProblems(one),
    ...stateProblems(one),
    ...earlier.flatMap((documents) => earlierProblems(documents, one)),
    ...[one, ...earlier].flatMap((documents) => followUpProblems(documents, one)),
  ];
}

function rowsOf({ first, replacement, ofEvents, followUps }: OrderDocuments): readonly InvoiceRow[] {
  return [first, replacement, ...ofEvents, ...followUps].flatMap((row) => row ?? []);
}

/** Each rectification of a ticket is taken over once: by the full invoice of the ticket, or by one of its own. */
function followUpProblems({ replacement, ofEvents, followUps }: OrderDocuments, one: Case): Problem[] {
  const { order, links, annulled } = one;
  if (!replacement || annulled.has(replacement.id)) return [];
  const full = [replacement, ...followUps];
  return ofEvents.flatMap((part) => {
    const over = links.filter((link) => link.target_id === part.id && link.kind === "replacement");
    const [by] = over.map((link) => full.find(({ id }) => id === link.invoice_id));
    const amounts = (row: InvoiceRow) => Object.fromEntries(grossByRate(documentIn(row).groups));
    const isWhole = by === replacement || (by !== undefined && isSameValue(amounts(by), amounts(part)));
    const found = over.length === 1 && isWhole;
    return unless(found, "contradiction", `${order.idExternal}: ${part.full_number} was not taken over`);
  });
}

/** Nothing is sold twice: the earlier invoice was taken back before a new one. */
function earlierProblems({ first: target }: OrderDocuments, { order, links }: Case): Problem[] {
  const left = target ? [...grossByRate(remainingGroups(target, { links })).values()] : [];
  const isGone = target !== undefined && left.every(isZero);
  return unless(
    isGone,
    "contradiction",
    `${order.idExternal} was invoiced anew beside ${target?.full_number}`,
  );
}

/** The stored body is the last one decided; the index columns agree with the facts. */
function rowProblems({ idExternal, sent, sentSha256, foundBy, facts }: StoredOrderRow): Problem[] {
  const isFound = foundBy.orderedAt === facts.orderedAt && foundBy.status === (facts.status ?? null);
  return [
    ...unless(sent === null || sha256Hex(sent) === sentSha256, "contradiction", `body of ${idExternal}`),
    ...unless(isFound, "contradiction", `${idExternal} is found by what its facts do not say`),
  ];
}

/** The facts of the first invoice are known exactly when there is one; else the owner is asked. */
function soldProblems({ order, first, replacement, ofEvents, generation }: Case): Problem[] {
  const { idExternal, soldFingerprint, facts } = order;
  const isSold = (first !== undefined) === (soldFingerprint !== null);
  const found = unless(isSold, "contradiction", `${idExternal}: sold and invoiced are not the same`);
  if (!first) {
    const isNone = replacement === undefined && ofEvents.length === 0;
    return [...found, ...unless(isNone, "contradiction", `${idExternal}: corrected before it was invoiced`)];
  }
  if (soldFingerprint !== null && isAsSold(soldFingerprint, facts)) return found;
  const codes = ["changed_after_invoice", "reactivated"];
  const isAsked = order.reasons.some(({ code }) => codes.includes(code));
  const isSettled = order.answers.dismissals?.some(({ code }) => codes.includes(code));
  // Its owner has asked for a new invoice, which waits: its reasons are about these facts.
  const isBegun = order.state === "held" && (order.answers.reissue?.generation ?? 1) > generation;
  const isOver = order.state === "cancelled" || isBegun;
  if (isAsked || isSettled || isOver || isAccountedFor(order, generation, documentIn(first).totals.total))
    return found;
  return [...found, ...unless(false, "contradiction", `${idExternal}: changed, and nobody is asked`)];
}

/** Facts that differ from the sold ones without a hold have amounts that the books know. */
function isAccountedFor({ facts, acted: all }: StoredOrderRow, generation: number, total: Decimal): boolean {
  const acted = all.filter((event) => (event.generation ?? 1) === generation);
  const gone = (how: ActedEvent["how"]) =>
    sum(acted.filter((event) => event.how === how).flatMap(({ taken }) => taken.map(({ gross }) => gross)));
  return [total, add(total, gone("netted")), add(total, negate(gone("rectified")))].includes(facts.total);
}

/** Each event acted once; those that rectified have exactly their invoice, with exactly their amounts. */
function actedProblems({ order, first, ofEvents: last, earlier }: Case): Problem[] {
  const { idExternal, acted, facts, answers } = order;
  const ofEvents = [...earlier.flatMap((documents) => documents.ofEvents), ...last];
  const ids = acted.map(({ id, generation = 1 }) => `${generation} ${canonicalEventId(id)}`);
  const told = new Set([...facts.events, ...(answers.events ?? [])].map(({ id }) => id));
  const rectified = new Map(
    acted
      .filter(({ how }) => how === "rectified")
      .map((event) => [originText(idExternal, { of: "event", eventId: event.id }), event] as const),
  );
  const origins = ofEvents.map(({ origin }) => origin);
  const isSound = [...rectified.keys()].toSorted().join("\n") === origins.toSorted().join("\n");
  return [
    ...unless(new Set(ids).size === ids.length, "doubled", `${idExternal}: an event acted twice`),
    ...unless(acted.length === 0 || first !== undefined, "contradiction", `${idExternal}: acted on nothing`),
    ...unless(
      acted.every(({ id }) => told.has(id)),
      "contradiction",
      `${idExternal}: an event that acted is not kept`,
    ),
    ...unless(isSound, "contradiction", `${idExternal}: events and rectifications are not the same`),
    ...ofEvents.flatMap((row) => {
      const event = rectified.get(row.origin);
      if (!event) return [];
      const taken = new Map(event.taken.map(({ rate, gross }) => [rate, negate(gross)]));
      const isTaken = isSameMap(grossByRate(documentIn(row).groups), taken);
      return unless(isTaken, "contradiction", `${row.full_number} is not what its event took`);
    }),
  ];
}

function isSameMap(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return isSameValue(Object.fromEntries(one), Object.fromEntries(other));
}

const AFTER_INVOICE: readonly OrderState[] = ["invoiced", "partially_rectified", "rectified"];
const BEFORE_INVOICE: readonly OrderState[] = ["stored", "before_cutoff", "store_not_selected", "cancelled"];

/** The state follows from the documents, unless a person is asked or it waits. */
function stateProblems(one: Case): Problem[] {
  const { order, first, replacement, annulled, generation } = one;
  const { idExternal, state, reasons } = order;
  const acted = order.acted.filter((event) => (event.generation ?? 1) === generation);
  const says = (holds: boolean, what: string) => unless(holds, "contradiction", `${idExternal} ${what}`);
  const isAnnulled = [first, replacement].some((row) => row !== undefined && annulled.has(row.id));
  const hasActed = acted.some(({ how }) => how === "annulled");
  const found = says(hasActed === isAnnulled, "and its invoice do not agree on whether it was annulled");
  if (isAnnulled) return [...found, ...annulledProblems(one)];
  if (state === "held" || state === "deferred") {
    return [...found, ...says(reasons.length > 0, `is ${state} for no reason`)];
  }
  if (!first) return [...found, ...says(BEFORE_INVOICE.includes(state), `is ${state} without an invoice`)];
  const byDocuments = stateByDocuments(first, one);
  return [
    ...found,
    ...says(AFTER_INVOICE.includes(state) && reasons.length === 0, `has an invoice and is ${state}`),
    ...says(state === byDocuments, `is ${state}, and by its invoices it is ${byDocuments}`),
  ];
}

function annulledProblems({ order, first, replacement, ofEvents, annulled }: Case): Problem[] {
  const { idExternal, state } = order;
  const standing = [first, replacement, ...ofEvents].filter((row) => row && !annulled.has(row.id));
  return [
    ...unless(state === "cancelled", "contradiction", `${idExternal} is annulled and ${state}`),
    ...unless(standing.length === 0, "contradiction", `${idExternal} is annulled in part`),
  ];
}

function stateByDocuments(target: InvoiceRow, { ofEvents, links }: Case): OrderState | "torn" {
  const left = remainingGroups(target, { links });
  if (![...grossByRate(left).values()].every(isZero)) {
    return ofEvents.length > 0 ? "partially_rectified" : "invoiced";
  }
  const parts = ["base", "tax", "surcharge"] as const;
  const isEmpty = parts.every((part) => isZero(sum(left.map(({ amounts }) => amounts[part]))));
  return isEmpty ? "rectified" : "torn";
}

/** Orders of a connection with their invoices, as in the database. */

export interface LinkRow {
  readonly invoice_id: string;
  readonly target_id: string;
  readonly kind: string;
  readonly taken: string;
}

export interface StoredOrderRow {
  readonly idExternal: string;
  readonly state: OrderState;
  /** Columns that work is found by: they say what the facts say. */
  readonly foundBy: { readonly orderedAt: unknown; readonly status: unknown };
  readonly facts: OrderFacts;
  readonly reasons: readonly Reason[];
  readonly answers: Partial<OwnerAnswers>;
  readonly acted: readonly ActedEvent[];
  readonly soldFingerprint: string | null;
  readonly sentSha256: string;
  readonly sent: string | null;
}

export interface OrderBooks extends StoredBooks {
  readonly orders: readonly StoredOrderRow[];
  readonly links: readonly LinkRow[];
}

/** The documents of one order in the books. */
interface OrderDocuments {
  readonly first?: InvoiceRow;
  readonly replacement?: InvoiceRow;
  readonly ofEvents: readonly InvoiceRow[];
  /** Full invoices of what went back of a replaced ticket. */
  readonly followUps: readonly InvoiceRow[];
}

export type OrderColumns = Readonly<Record<string, string | null>>;

/** A row of `shop_order` with its body. */
export function orderFrom(row: OrderColumns): StoredOrderRow {
  const json = <T>(column: string) => JSON.parse(row[column] ?? "") as T;
  return {
    idExternal: row.id_external ?? "",
    state: row.state as OrderState,
    foundBy: { orderedAt: row.ordered_at, status: row.status },
    facts: json("facts"),
    reasons: json("reasons"),
    answers: json("answers"),
    acted: json("acted"),
    soldFingerprint: row.sold_fingerprint ?? null,
    sentSha256: row.sent_sha256 ?? "",
    sent: row.sent ?? null,
  };
}

/** By origin, which is unique in a connection: of each invoice of the order, oldest first. */
export function generationsOf(
  { idExternal, acted }: Pick<StoredOrderRow, "idExternal" | "acted">,
  { invoices }: Pick<StoredBooks, "invoices">,
): readonly OrderDocuments[] {
  const find = (origin: string) => invoices.find((row) => row.origin === origin);
  const found: OrderDocuments[] = [];
  for (let generation = 1; ; generation += 1) {
    const first = find(originText(idExternal, { of: "order", generation }));
    const replacement = find(originText(idExternal, { of: "replacement", generation }));
    const its = acted.filter((event) => event.how === "rectified" && (event.generation ?? 1) === generation);
    const ofSort = (of: "event" | "event_replacement") =>
      its.flatMap(({ id }) => find(originText(idExternal, { of, eventId: id })) ?? []);
    const [ofEvents, followUps] = [ofSort("event"), ofSort("event_replacement")];
    if (generation > 1 && !first && !replacement && ofEvents.length === 0) return found;
    found.push({ ...(first ? { first } : {}), ...(replacement ? { replacement } : {}), ofEvents, followUps });
  }
}

/** The remainder of an invoice: the invoiced amounts less those taken from it, as groups that sum to it. */
export function remainingGroups(
  target: InvoiceRow,
  { links }: Pick<OrderBooks, "links">,
): readonly TaxGroup[] {
  const taken = links
    .filter((link) => link.target_id === target.id && link.kind === "difference")
    .flatMap((link) => JSON.parse(link.taken) as readonly TaxGroup[]);
  return [...documentIn(target).groups, ...taken];
}

/** By the rate as the shop has it: a surcharge is within. */
export function grossByRate(groups: readonly TaxGroup[]): ReadonlyMap<Decimal, Decimal> {
  const sums = new Map<Decimal, Decimal>();
  for (const { rate, surchargeRate = ZERO, amounts } of groups) {
    const key = add(rate, surchargeRate);
    const gross = sum([amounts.base, amounts.tax, amounts.surcharge]);
    sums.set(key, add(sums.get(key) ?? ZERO, gross));
  }
  return sums;
}

export function documentIn(row: InvoiceRow): InvoiceDocument {
  return JSON.parse(row.document) as InvoiceDocument;
}

function annulledIn({ records }: Pick<StoredBooks, "records">): ReadonlySet<string> {
  return new Set(records.filter(({ kind }) => kind === "ANULACION").map((row) => row.invoice_id));
}
