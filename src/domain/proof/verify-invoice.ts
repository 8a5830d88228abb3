import { fullNumber } from "../billing/series.ts";
import { type InvoiceIdentity, repeatedIn } from "../invoice/invoice-record.ts";
import { civilDateFrom } from "../shared/civil-date.ts";
import { isSameValue } from "../shared/same-value.ts";
import { sha256Hex } from "../shared/sha256.ts";
import { type Checked, INVOICE_CHECKS, type InvoiceCheck } from "./checks.ts";
import { readContent, readDocument } from "./stored-texts.ts";

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

export interface Registration {
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

export interface VerifiedInvoice extends Checked<InvoiceCheck> {
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
