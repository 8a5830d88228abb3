/** The rules for a connection's books after any fault: returns the violations, in words. */
import { sha256Hex } from "../../../src/domain/shared/hash.ts";
import { verifyChain } from "../../../src/domain/verifactu/chain.ts";
import type { RecordContent } from "../../../src/domain/verifactu/record.ts";

export interface InvoiceRow {
  readonly id: string;
  readonly origin: string;
  readonly series: string;
  readonly number: number;
  readonly full_number: string;
  readonly issue_date: string;
  readonly total_eur: string;
  readonly document_sha256: string;
  /** Empty where it is lost. */
  readonly document: string;
}

export interface RecordRow {
  readonly invoice_id: string;
  readonly installation_id: string;
  readonly origin: string;
  readonly kind: string;
  readonly position: number;
  readonly hash: string;
  readonly content: string;
  readonly state: string;
}

/** Invoices by series and number, records by chain and position. */
export interface StoredBooks {
  readonly invoices: readonly InvoiceRow[];
  readonly records: readonly RecordRow[];
}

export const PROBLEM_KINDS = [
  /** A number, a position, a row that should be there and is not. */
  "gap",
  /** Things that may exist once and exist twice. */
  "doubled",
  /** An answer that the books do not have, or have differently. */
  "lost",
  /** An undocumented answer. */
  "answer",
  /** A chain that does not verify. */
  "chain",
  /** Two places that should say the same and do not. */
  "contradiction",
  /** At the authority otherwise than in the books, or not at all. */
  "submission",
  /** Work that should have been done by now. */
  "due",
] as const;

export interface Problem {
  readonly kind: (typeof PROBLEM_KINDS)[number];
  readonly what: string;
}

/**
 * No gap and no duplicate in a series, dates that never go back, chains that verify, documents that match
 * their hash, one registration per invoice with its corrections in order.
 */
export function bookProblems({ invoices, records }: StoredBooks): Problem[] {
  return [
    ...groups(invoices, ({ series }) => series).flatMap(([, own]) => seriesProblems(own)),
    ...groups(records, (row) => row.installation_id).flatMap(([id, own]) => chainProblems(id, own)),
    ...[invoices, records].flatMap((rows) => doubledOrigins(rows)),
    ...invoices.flatMap(documentProblems),
    ...registrationProblems({ invoices, records }),
    ...groups(records, (row) => row.invoice_id).flatMap(([id, own]) => courseProblems(id, own)),
  ];
}

export function contentOf(json: string): RecordContent {
  return JSON.parse(json) as RecordContent;
}

export function groups<Row>(rows: readonly Row[], keyOf: (row: Row) => string): [string, Row[]][] {
  return [...Map.groupBy(rows, keyOf)];
}

export function problem(kind: Problem["kind"], what: string): Problem {
  return { kind, what };
}

export function unless(holds: boolean, ...[kind, what]: Parameters<typeof problem>): Problem[] {
  return holds ? [] : [problem(kind, what)];
}

function seriesProblems(invoices: readonly InvoiceRow[]): Problem[] {
  let last = 0;
  let day = "";
  return invoices.flatMap(({ full_number: name, number, issue_date: date }) => {
    const isTwice = number <= last;
    const found = [
      ...unless(!isTwice, "doubled", `the number of ${name} was given before`),
      ...unless(isTwice || number === last + 1, "gap", `${last + 1} is missing before ${name}`),
      ...unless(date >= day, "contradiction", `${name} is dated before the one that it follows`),
    ];
    [last, day] = [number, date];
    return found;
  });
}

function chainProblems(installation: string, records: readonly RecordRow[]): Problem[] {
  const chain = records.map(({ content, position, hash }) => ({
    content: contentOf(content),
    position,
    hash,
  }));
  const verified = verifyChain(chain);
  if (verified.ok) return [];
  return [problem("chain", `${installation} breaks at ${verified.error.position}: ${verified.error.fault}`)];
}

function doubledOrigins(rows: readonly { readonly origin: string }[]): Problem[] {
  return groups(rows, ({ origin }) => origin).flatMap(([origin, { length }]) =>
    unless(length === 1, "doubled", `${origin} stands ${length} times`),
  );
}

function documentProblems({ full_number: name, document, document_sha256: hash }: InvoiceRow): Problem[] {
  if (document === "") return [problem("gap", `the document of ${name} is missing`)];
  return unless(sha256Hex(document) === hash, "contradiction", `the document of ${name} is another`);
}

/** Under the origin of its invoice, and of that invoice. */
function registrationProblems({ invoices, records }: StoredBooks): Problem[] {
  const registered = new Map(records.map((row) => [row.origin, row.invoice_id]));
  const known = new Set(invoices.map(({ id }) => id));
  return [
    ...invoices.flatMap(({ id, origin, full_number: name }) =>
      unless(registered.get(origin) === id, "gap", `${name} has no registration under ${origin}`),
    ),
    ...records.flatMap(({ invoice_id: id, origin }) =>
      unless(known.has(id), "gap", `${origin} is a record of no invoice`),
    ),
  ];
}

/** Its ALTA under its own origin, then amendments and then annulments, each counted up, under one key. */
function courseProblems(id: string, [alta, ...corrections]: readonly RecordRow[]): Problem[] {
  const amendments = corrections.filter(({ kind }) => kind === "ALTA").length;
  const expected = corrections.map((_, index) =>
    index < amendments ? `amend:${id}:${index + 1}` : `cancel:${id}:${index - amendments + 1}`,
  );
  const contents = [alta, ...corrections].map((row) => contentOf(row?.content ?? "{}"));
  const amends = contents.map((content) => content.kind === "ALTA" && content.amendment !== undefined);
  const isInTurn =
    alta?.kind === "ALTA" &&
    corrections.every(({ origin }, index) => origin === expected[index]) &&
    amends.every((isAmendment, index) => isAmendment === (index > 0 && index <= amendments)) &&
    new Set(contents.map(({ key }) => JSON.stringify(key))).size === 1;
  // An annulled invoice is annulled again only where the authority refused it.
  const isAgain = corrections.slice(amendments, -1).some(({ state }) => state === "accepted");
  return [
    ...unless(isInTurn, "contradiction", `the records of ${id} are not one invoice and its corrections`),
    ...unless(!isAgain, "doubled", `${id} is annulled again`),
  ];
}
