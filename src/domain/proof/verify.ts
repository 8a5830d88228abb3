import { fullNumber } from "../billing/series.ts";
import type { InvoiceDocument } from "../invoice/document.ts";
import { type InvoiceIdentity, repeatedIn } from "../invoice/invoice-record.ts";
import { isCancelOriginOf } from "../invoice/origin.ts";
import { yearOfAeatDate } from "../retention/keeping.ts";
import { type CivilDate, civilDateFrom, toAeatDate } from "../shared/civil-date.ts";
import { isSameValue, sha256Hex } from "../shared/hash.ts";
import { instantOf, localTime, TIME_ZONES } from "../shared/instant.ts";
import { CHAIN_FAULTS, type ChainFault, chainFaults, headOf } from "../verifactu/chain.ts";
import { type ChainHead, type RecordContent, recordId, type SealedRecord } from "../verifactu/record.ts";
import {
  type Checked,
  INVOICE_CHECKS,
  type InvoiceCheck,
  RECORD_CHECKS,
  type RecordCheck,
} from "./checks.ts";

/** A record row with the columns of its invoice. */
export interface RecordRow {
  readonly position: number;
  readonly kind: string;
  readonly origin: string;
  readonly connectionId: string;
  readonly accountId: string;
  readonly previousHash: string;
  readonly hash: string;
  /** JSON of the sealed literals. */
  readonly content: string;
  readonly invoiceId: string;
  readonly invoice?: RecordedInvoice;
  /** For a correcting record: the literals of the invoice's registration. */
  readonly registration?: string;
}

interface RecordedInvoice {
  readonly connectionId: string;
  readonly origin: string;
  readonly fullNumber: string;
  readonly issueDate: string;
}

export interface ChainOwner {
  readonly connectionId: string;
  readonly accountId: string;
  readonly installationId: string;
  readonly installationNumber: string;
  /** The last retired year of the account, including one in progress. */
  readonly leftUntil?: number;
}

/** The last record checked. If it could not be read, only place and hash are known. */
export type WalkedHead =
  | ({ readonly isRead: true } & ChainHead)
  | ({ readonly isRead: false } & Pick<ChainHead, "position" | "hash">);

interface VerifiedRecord extends Checked<RecordCheck> {
  readonly head: WalkedHead;
}

/** Checks one record against the previous one of its chain. The walk continues after any fault. */
export function verifyRecord(
  row: RecordRow,
  before: WalkedHead | undefined,
  owner: ChainOwner,
): VerifiedRecord {
  const { position, hash } = row;
  const content = readContent(row.content);
  if (!content) {
    const head = { isRead: false, position, hash } as const;
    return { head, checked: ["content"], broken: ["content"] };
  }
  const record: SealedRecord = { content, position, hash };
  const head = headBefore(before, record);
  const inChain = chainFaults(record, head);
  const broken: Readonly<Record<Exclude<RecordCheck, ChainFault>, boolean>> = {
    content: false,
    row: !isRowOf(row, content, owner),
    issue_date: !isIssuedThen(content),
    invoice: !isInvoiceOf(row, content),
    correction: !agreesWithRegistration(row, content),
  };
  const isBroken = (check: RecordCheck) => (isChainCheck(check) ? inChain.includes(check) : broken[check]);
  const isApplicable = (check: RecordCheck) =>
    (check !== "correction" || isCorrection(row, content)) &&
    (check !== "invoice" || !isRetired(row, content, owner));
  const checked = RECORD_CHECKS.filter(isApplicable);
  return { head: { isRead: true, ...headOf(record) }, checked, broken: checked.filter(isBroken) };
}

function isChainCheck(check: RecordCheck): check is ChainFault {
  return CHAIN_FAULTS.some((fault) => fault === check);
}

/** After an unreadable record only place and hash are compared; the rest is taken from the link. */
function headBefore(before: WalkedHead | undefined, { content }: SealedRecord): ChainHead | undefined {
  if (before === undefined || before.isRead) return before;
  const { position, hash } = before;
  const { chain, key, generatedAt } = content;
  const { issuerNif, number, date } = chain.first ? key : chain;
  return { position, hash, generatedAt, key: { issuerNif, number, date } };
}

function isRowOf(row: RecordRow, content: RecordContent, owner: ChainOwner): boolean {
  const { chain, reference, system } = content;
  return (
    row.kind === content.kind &&
    row.previousHash === (chain.first ? "" : chain.hash) &&
    row.connectionId === owner.connectionId &&
    row.accountId === owner.accountId &&
    reference === recordId(owner.installationId, row.position) &&
    system.installationNumber === owner.installationNumber
  );
}

/** A registration is made on the day of issue; a correction on that day or later. */
function isIssuedThen(content: RecordContent): boolean {
  const issued = isoDate(content.key.date);
  const made = civilDateFrom(content.generatedAt.slice(0, 10));
  const instant = instantOf(content.generatedAt);
  if (issued === undefined || made === undefined || Number.isNaN(instant)) return false;
  if (isOriginal(content) ? issued === made : issued <= made) return true;
  // After a move to the other zone, an issuer continues from the later day of the two.
  return TIME_ZONES.some((zone) => localTime(instant, zone).date === issued);
}

function isoDate(aeatDate: string): CivilDate | undefined {
  const [day, month, year] = aeatDate.split("-");
  return civilDateFrom(`${year}-${month}-${day}`);
}

function isInvoiceOf({ invoice, ...row }: RecordRow, content: RecordContent): boolean {
  if (!invoice || invoice.connectionId !== row.connectionId) return false;
  const issued = civilDateFrom(invoice.issueDate);
  const { number, date } = content.key;
  if (issued === undefined || invoice.fullNumber !== number || toAeatDate(issued) !== date) return false;
  if (content.kind === "ANULACION") return isCancelOriginOf(row.invoiceId, row.origin);
  return isOriginal(content) === (row.origin === invoice.origin);
}

/** A correction made in a later year outlives the invoice that it corrects. */
function isRetired({ invoice }: RecordRow, { key }: RecordContent, { leftUntil }: ChainOwner): boolean {
  return invoice === undefined && leftUntil !== undefined && yearOfAeatDate(key.date) <= leftUntil;
}

function isOriginal(content: RecordContent): boolean {
  return content.kind === "ALTA" && content.amendment === undefined;
}

function isCorrection({ registration }: RecordRow, content: RecordContent): boolean {
  return !isOriginal(content) && registration !== undefined;
}

/** Number and date are never amended, and amounts only by rectifying invoices. */
function agreesWithRegistration({ registration }: RecordRow, content: RecordContent): boolean {
  if (registration === undefined || isOriginal(content)) return true;
  const original = readContent(registration);
  if (original?.kind !== "ALTA" || !isSameValue(original.key, content.key)) return false;
  if (content.kind === "ANULACION") return true;
  const amounts = ({ invoiceType, breakdown, taxTotal, total }: typeof content) => ({
    ...{ invoiceType, breakdown, taxTotal, total },
  });
  return isSameValue(amounts(original), amounts(content));
}

/** An invoice row with its document and the record that registered it. */
export interface InvoiceRow {
  readonly id: string;
  readonly number: number;
  readonly fullNumber: string;
  readonly issueDate: string;
  readonly invoiceType: string;
  readonly totalEur: string;
  readonly connectionId: string;
  readonly documentSha256: string;
  readonly document?: string;
  readonly registration?: Registration;
}

interface Registration {
  readonly installationId: string;
  readonly invoiceId: string;
  /** JSON of the sealed literals. */
  readonly content: string;
}

export interface SeriesOwner {
  readonly connectionId: string;
  readonly code: string;
  /** Absent where the series is not registered. */
  readonly installationId?: string;
}

/** The last invoice looked at. */
export interface NumberedHead {
  readonly number: number;
  readonly date: string;
}

interface VerifiedInvoice extends Checked<InvoiceCheck> {
  readonly head: NumberedHead;
}

/** Checks one invoice against the previous one of its series. */
export function verifyInvoice(
  row: InvoiceRow,
  before: NumberedHead | undefined,
  series: SeriesOwner,
): VerifiedInvoice {
  const isDocument = row.document !== undefined && sha256Hex(row.document) === row.documentSha256;
  const broken: Readonly<Record<InvoiceCheck, boolean>> = {
    number: !isNext(row, before, series),
    date: before !== undefined && row.issueDate < before.date,
    series: row.connectionId !== series.connectionId || series.installationId === undefined,
    document: !isDocument,
    registration: !isRegistered(row, series),
    literals: !isRepeated(row),
  };
  // A missing part cannot be compared, and another check reports it.
  const isComparable = row.document !== undefined && row.registration !== undefined;
  const checked = INVOICE_CHECKS.filter((check) => check !== "literals" || isComparable);
  return {
    head: { number: row.number, date: row.issueDate },
    checked,
    broken: checked.filter((check) => broken[check]),
  };
}

export function nextNumber(before: NumberedHead | undefined): number {
  return (before?.number ?? 0) + 1;
}

function isNext(row: InvoiceRow, before: NumberedHead | undefined, { code }: SeriesOwner): boolean {
  return row.number === nextNumber(before) && row.fullNumber === fullNumber(code, row.number);
}

function isRegistered({ id, registration }: InvoiceRow, { installationId }: SeriesOwner): boolean {
  if (registration?.invoiceId !== id || registration.installationId !== installationId) return false;
  const content = readContent(registration.content);
  return content?.kind === "ALTA" && content.amendment === undefined;
}

/** The record repeats the values of the document. */
function isRepeated(row: InvoiceRow): boolean {
  const issueDate = civilDateFrom(row.issueDate);
  const content = readContent(row.registration?.content ?? "");
  if (issueDate === undefined || content?.kind !== "ALTA") return false;
  const said = saidBy(row, { fullNumber: row.fullNumber, issueDate });
  if (!said || said.invoiceType !== row.invoiceType || said.totalEur !== row.totalEur) return false;
  const { totalEur: _, ...repeated } = said;
  const { key, invoiceType, breakdown, taxTotal, total } = content;
  return isSameValue(repeated, { key, invoiceType, breakdown, taxTotal, total });
}

/** Undefined if tampering has made the document unreadable. */
function saidBy({ document: text }: InvoiceRow, identity: InvoiceIdentity) {
  const document = readDocument(text ?? "");
  if (!document) return undefined;
  try {
    return { ...repeatedIn(document, identity), totalEur: document.totalsEur.total as string };
  } catch {
    return undefined;
  }
}

// Stored JSON may have been tampered with: these readers check the shape of every member that they use.

/** Undefined when the literals that a record is hashed, linked and compared by are not all there. */
export function readContent(text: string): RecordContent | undefined {
  const value = parsed(text);
  return isContent(value) ? value : undefined;
}

/** Undefined when it is not JSON; of its members nothing is known. */
export function readDocument(text: string): InvoiceDocument | undefined {
  const value = parsed(text);
  return isObject(value) ? asDocument(value) : undefined;
}

function isContent(value: unknown): value is RecordContent {
  if (!isObject(value) || !isChain(value.chain) || !isObject(value.system)) return false;
  const common = [value.reference, value.generatedAt, value.system.installationNumber];
  if (!isKey(value.key) || !common.every(isText)) return false;
  if (value.kind !== "ALTA") return value.kind === "ANULACION";
  return [value.invoiceType, value.taxTotal, value.total].every(isText) && Array.isArray(value.breakdown);
}

function isChain(value: unknown): boolean {
  if (!isObject(value)) return false;
  return value.first === true || (value.first === false && isText(value.hash) && isKey(value));
}

function isKey(value: unknown): boolean {
  return isObject(value) && [value.issuerNif, value.number, value.date].every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

type PlainObject = { readonly [member: string]: unknown };

function isObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The comparisons tolerate missing members. */
function asDocument(value: object): InvoiceDocument {
  return value as InvoiceDocument;
}
