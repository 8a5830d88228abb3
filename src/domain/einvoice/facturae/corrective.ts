import type { InvoiceType } from "../../invoice/request.ts";
import { type CivilDate, civilDate } from "../../shared/civil-date.ts";
import { leaf, type Markup } from "../../verifactu/xml/element.ts";
import type { Correction, ElectronicInvoice } from "../electronic-invoice.ts";
import { REASON_CODES, type ReasonCode, reasonWords } from "./codes.ts";
import { LONGEST, type Remarks } from "./remarks.ts";
import { group } from "./writer.ts";

/** Causes of article 80 LIVA by type, where the request names none. */
const REASONS: Readonly<Partial<Record<InvoiceType, ReasonCode>>> = { R2: "85", R3: "85", R4: "10" };
const OTHERWISE: ReasonCode = "16";

const METHODS = {
  substitution: ["01", "Rectificación íntegra"],
  difference: ["02", "Rectificación por diferencias"],
  period: ["03", "Rectificación por descuento por volumen de operaciones durante un periodo"],
} as const;

const LONGEST_NUMBER = 20;

/** InvoiceNumber and InvoiceSeriesCode; joined they are the full number. */
export function numberElements(fullNumber: string): Markup[] {
  const series = fullNumber.slice(0, -LONGEST_NUMBER);
  return [
    leaf("InvoiceNumber", fullNumber.slice(-LONGEST_NUMBER)),
    ...(series === "" ? [] : [leaf("InvoiceSeriesCode", series)]),
  ];
}

/** What a rectification corrects, and why; nothing for other invoices. */
export function corrective(invoice: ElectronicInvoice, remarks: Remarks): Markup[] {
  const { correction, invoiceType } = invoice;
  if (!correction) return [];
  const reason = REASON_CODES.find((code) => code === correction.reason) ?? REASONS[invoiceType] ?? OTHERWISE;
  const [method, methodWords] = METHODS[correction.period ? "period" : correction.method];
  const [first] = correction.cited;
  const { start, end } = correctedPeriod(invoice, correction);
  const words = remarks.cut("Motivo de la rectificación", reasonText(invoice, correction), LONGEST.text);
  return [
    group(
      "Corrective",
      ...(first ? numberElements(first.number) : []),
      leaf("ReasonCode", reason),
      leaf("ReasonDescription", reasonWords(reason)),
      group("TaxPeriod", leaf("StartDate", start), leaf("EndDate", end)),
      leaf("CorrectionMethod", method),
      leaf("CorrectionMethodDescription", methodWords),
      leaf("AdditionalReasonDescription", words),
      ...(first ? [leaf("InvoiceIssueDate", first.issueDate)] : []),
    ),
  ];
}

/** The element has room for one invoice: the others are named in its words. */
function reasonText({ description }: ElectronicInvoice, { cited }: Correction): string {
  const others = cited.slice(1).map(({ number, issueDate }) => `${number} (${issueDate})`);
  return others.length === 0 ? description : `${description}. También rectifica: ${others.join(", ")}`;
}

interface Days {
  readonly start: CivilDate;
  readonly end: CivilDate;
}

/** The month in which the corrected tax fell due, unless a period is corrected. */
function correctedPeriod({ operationDate, issueDate }: ElectronicInvoice, correction: Correction): Days {
  const { period, cited } = correction;
  return period
    ? { start: period.from, end: period.to }
    : monthOf(cited[0]?.issueDate ?? operationDate ?? issueDate);
}

function monthOf(date: CivilDate): Days {
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return { start: civilDate(`${date.slice(0, 8)}01`), end: civilDate(`${date.slice(0, 8)}${days}`) };
}
