import { isCancelOriginOf } from "../invoice/origin.ts";
import { yearOfAeatDate } from "../retention/keeping.ts";
import { type CivilDate, civilDateFrom, toAeatDate } from "../shared/civil-date.ts";
import { instantOf, localTime, TIME_ZONES } from "../shared/instant.ts";
import { isSameValue } from "../shared/same-value.ts";
import { CHAIN_FAULTS, type ChainFault, chainFaults, headOf } from "../verifactu/chain.ts";
import { type ChainHead, type RecordContent, recordId, type SealedRecord } from "../verifactu/record.ts";
import { type Checked, RECORD_CHECKS, type RecordCheck } from "./checks.ts";
import { readContent } from "./stored-texts.ts";

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

export interface RecordedInvoice {
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

export interface VerifiedRecord extends Checked<RecordCheck> {
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
    (check !== "invoice" || !hasLeft(row, content, owner));
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
function hasLeft({ invoice }: RecordRow, { key }: RecordContent, { leftUntil }: ChainOwner): boolean {
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
