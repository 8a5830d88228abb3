import type { CivilDate } from "../shared/civil-date.ts";
import { add, type Decimal, decimal, divide, HUNDRED, multiply, subtract, ZERO } from "../shared/decimal.ts";
import type { Instant } from "../shared/instant.ts";
import type { Rectified, Totals } from "./document.ts";
import type { InvoiceType } from "./request.ts";
import { sumAmounts } from "./tax-groups.ts";

/** The sort place of an invoice in its account: these texts sort in the order of issue. */
interface IssuePlace {
  readonly issueDate: string;
  readonly issuedAt: Instant;
  readonly connectionOrdinal: number;
  readonly installationOrdinal: number;
  readonly position: number;
}

export function placeText(place: IssuePlace): string {
  const seconds = padded(Math.floor(place.issuedAt / 1_000), 10);
  const chain = `${padded(place.connectionOrdinal, 4)}.${padded(place.installationOrdinal, 3)}`;
  return `${place.issueDate}:${seconds}:${chain}.${padded(place.position, 9)}`;
}

/** When the invoice of that place was issued. */
export function issuedAtOf(place: string): Instant {
  return Number(place.slice(11, 21)) * 1_000;
}

export function issueDateOf(place: string): CivilDate {
  // The place begins with the day; the database checks its form.
  return place.slice(0, 10) as CivilDate;
}

/** Every invoice is one of these; a cancelled one is no other. */
export const DOCUMENT_KINDS = ["issued", "rectifying", "replacing", "cancelled"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** As the database derives it for an entry. */
export function documentKindOf(invoiceType: string, isCancelled: boolean): DocumentKind {
  if (isCancelled) return "cancelled";
  if (invoiceType.startsWith("R")) return "rectifying";
  return invoiceType === "F3" ? "replacing" : "issued";
}

const PLACE = /^\d{4}-\d{2}-\d{2}:\d{10}:\d{4,}\.\d{3,}\.\d{9,}$/;

export function isPlace(text: string): boolean {
  return PLACE.test(text);
}

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, "0");
}

/** Amounts of an invoice as they are added up, in whole cents of euros; the tax with the surcharge. */
export interface EntryAmounts {
  readonly base: Decimal;
  readonly tax: Decimal;
  readonly total: Decimal;
}

export function centsOf({ base, tax, surcharge, total }: Totals): EntryAmounts {
  const cents = (amount: Decimal) => multiply(amount, HUNDRED);
  return { base: cents(base), tax: cents(add(tax, surcharge)), total: cents(total) };
}

const NOTHING_COUNTED: EntryAmounts = { base: ZERO, tax: ZERO, total: ZERO };

/**
 * Cents by which the invoice changes the sums of invoices, if that is not what it states. An F3 changes
 * nothing, because its simplified invoices are counted; a substitution only what differs from the invoices
 * that it replaces.
 */
export function effectOf(
  invoiceType: InvoiceType,
  stated: EntryAmounts,
  rectified: Rectified | undefined,
): EntryAmounts | undefined {
  if (invoiceType === "F3") return NOTHING_COUNTED;
  if (rectified === undefined) return undefined;
  const { groups, elsewhere } = rectified;
  const before = sumAmounts([...groups.map(({ eur }) => eur), ...(elsewhere ? [elsewhere.eur] : [])]);
  const cents = (amount: Decimal) => multiply(amount, HUNDRED);
  const [base, tax] = [cents(before.base), cents(add(before.tax, before.surcharge))];
  return {
    base: subtract(stated.base, base),
    tax: subtract(stated.tax, tax),
    total: subtract(stated.total, add(base, tax)),
  };
}

/** Whole cents, however the database wrote them. */
export function eurosOf(cents: string): Decimal {
  return divide(decimal(cents), HUNDRED, 2);
}

/** The searchable texts of an invoice. */
export interface SearchableInvoice {
  readonly fullNumber: string;
  readonly number: number;
  /** The caller's id of a direct invoice. */
  readonly externalId?: string;
  readonly orderId?: string;
  /** The order as the shop's customer knows it. */
  readonly orderReference?: string;
  readonly taxNumber?: string;
  readonly customer?: string;
  /** The customer of its order, whom a simplified invoice does not name. */
  readonly orderCustomer?: string;
}

/** Longer words are cut, in the index and in the query. */
const LONGEST = 40;
/** From this length a word matches by prefix; shorter prefixes would match half of all invoices. */
const PREFIX_FROM = 3;
const TERMS = 8;

/** All distinct words. */
export function wordsOf(invoice: SearchableInvoice): readonly string[] {
  const { fullNumber, number, externalId, orderId, orderReference } = invoice;
  const digits = fullNumber.slice(fullNumber.lastIndexOf("-") + 1);
  return distinct([
    ...[joined(fullNumber), digits, String(number)],
    ...[externalId, orderId, orderReference].flatMap(wordsAndParts),
    ...[fullNumber, externalId, orderId, orderReference].flatMap(endsOfDigits),
    ...customerWordsOf(invoice),
  ]);
}

/** The words of the recipient and of the order's customer alone. */
export function customerWordsOf({
  customer,
  orderCustomer,
  taxNumber,
}: Pick<SearchableInvoice, "customer" | "orderCustomer" | "taxNumber">): readonly string[] {
  return distinct([
    ...[customer, orderCustomer, taxNumber].flatMap(wordsAndParts),
    // BE0477472701 is also asked for without its country.
    ...(taxNumber !== undefined && /^[A-Z]{2}\d/.test(taxNumber) ? [joined(taxNumber.slice(2))] : []),
  ]);
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Set(words.filter((word) => word !== "").map(cut))];
}

/** Of a longer run of digits its end is indexed. */
const LONGEST_DIGITS = 20;

/** All ends of each run of digits: as search words match by prefix, they find any part of a number. */
function endsOfDigits(text: string | undefined): readonly string[] {
  const runs = joined(text ?? "").match(/[0-9]+/g) ?? [];
  return runs.flatMap((run) => {
    const digits = run.slice(-LONGEST_DIGITS);
    const ends = Math.max(0, digits.length - PREFIX_FROM + 1);
    return Array.from({ length: ends }, (_, index) => digits.slice(index));
  });
}

/** A search word; a prefix may continue. */
export interface SearchTerm {
  readonly word: string;
  readonly isPrefix: boolean;
}

/** All of them have to be found; none where nothing is asked for. */
export function termsOf(search: string): readonly SearchTerm[] {
  const words = new Set(search.split(/\s+/u).map((term) => cut(joined(term))));
  words.delete("");
  return [...words].slice(0, TERMS).map((word) => ({ word, isPrefix: [...word].length >= PREFIX_FROM }));
}

export function isFoundBy(words: readonly string[], terms: readonly SearchTerm[]): boolean {
  return terms.every(({ word, isPrefix }) =>
    words.some((known) => (isPrefix ? known.startsWith(word) : known === word)),
  );
}

/** «S. L.» and «García-Pérez» are found as they are written and by their parts. */
function wordsAndParts(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  return text.split(/\s+/u).flatMap((term) => [joined(term), ...folded(term).split(/[^\p{L}\p{N}]+/u)]);
}

function joined(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Letters without a base letter, as people type them without a key for them. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ æ: "ae", đ: "d", ð: "d", ı: "i", ł: "l", ø: "o", œ: "oe", ß: "ss", þ: "th" },
};

/** Without accents and case, so that «perez» finds «PÉREZ». */
function folded(text: string): string {
  const bare = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return bare.replace(/[æđðıłøœßþ]/g, (letter) => PLAIN[letter] ?? letter);
}

function cut(word: string): string {
  return [...word].slice(0, LONGEST).join("");
}
