import { annulmentsOf } from "../../domain/invoice/invoice-records.ts";
import type { CorrectionRecord, InvoiceView, RecordState } from "../../domain/invoice/invoice-view.ts";
import { externalIdOf } from "../../domain/invoice/origin.ts";
import type { ActingInvoice } from "../../domain/invoice/rectifiable.ts";
import { rectifiableOf } from "../../domain/invoice/rectifiable-view.ts";
import type { InvoiceType } from "../../domain/invoice/request.ts";
import { recordId } from "../../domain/verifactu/record.ts";
import type { NumberedInvoice, StoredInvoice } from "../ledger-state.ts";
import {
  documentFromJson,
  fromOwnJson,
  recordFromJson,
  standingFromJson,
  takenFromJson,
} from "../stored-json.ts";
import type { ActingRow, ActsOnRow, CorrectionRow, InvoiceRow, NumberedRow } from "./invoice-reads.ts";

export interface InvoiceRows {
  readonly invoices: readonly InvoiceRow[];
  readonly corrections: readonly CorrectionRow[];
  readonly acting: readonly ActingRow[];
  readonly actsOn: readonly ActsOnRow[];
}

/** Rows of one read, put together per invoice. */
export function storedInvoices(rows: InvoiceRows): StoredInvoice[] {
  const corrections = Map.groupBy(rows.corrections, (row) => row.invoiceId);
  const acting = Map.groupBy(rows.acting, (row) => row.targetId);
  const actsOn = Map.groupBy(rows.actsOn, (row) => row.invoiceId);
  return rows.invoices.map((row) => {
    const actedOnBy = (acting.get(row.id) ?? []).map(actingInvoice);
    const view = viewOf(row, corrections.get(row.id) ?? [], acting.get(row.id) ?? []);
    const links = (actsOn.get(row.id) ?? []).map((link) => ({
      invoiceId: link.targetId,
      externalId: externalIdOf(link.origin),
      kind: linkKind(link.kind),
      invoiceType: invoiceType(link.invoiceType),
    }));
    return { view, rectifiable: rectifiableOf(view, links, actedOnBy) };
  });
}

export function numberedInvoice(
  { fullNumber, origin, holderId, holderName: connectionName }: NumberedRow,
  connectionId: string,
): NumberedInvoice {
  return { fullNumber, origin, isOfConnection: holderId === connectionId, connectionName };
}

function viewOf(
  row: InvoiceRow,
  correctionRows: readonly CorrectionRow[],
  acting: readonly ActingRow[],
): InvoiceView {
  const corrections = correctionRows.map(correctionRecord);
  const cancellation = annulmentsOf({ corrections }).at(-1);
  return {
    invoiceId: row.id,
    origin: row.origin,
    externalId: externalIdOf(row.origin),
    series: row.series,
    number: row.number,
    fullNumber: row.fullNumber,
    issueDate: row.issueDate,
    requestId: row.requestId,
    environment: row.environment === "production" ? "production" : "test",
    ...(row.trial ? { trial: true } : {}),
    document: documentFromJson(row.document),
    alta: {
      recordId: recordId(row.altaInstallation, row.altaPosition),
      record: { content: recordFromJson(row.altaContent), position: row.altaPosition, hash: row.altaHash },
      state: recordState(row.altaState),
      ...standingFromJson(row.altaStanding),
      requestId: row.requestId,
    },
    corrections,
    ...(cancellation ? { cancellation } : {}),
    rectifiedBy: acting.map((row) => ({
      invoiceId: row.invoiceId,
      externalId: externalIdOf(row.origin),
      fullNumber: row.fullNumber,
      invoiceType: row.invoiceType,
      issueDate: row.issueDate,
      kind: linkKind(row.kind),
      inForce: row.inForce === 1,
    })),
  };
}

function correctionRecord(row: CorrectionRow): CorrectionRecord {
  return {
    recordId: recordId(row.installationId, row.position),
    record: { content: recordFromJson(row.content), position: row.position, hash: row.hash },
    state: recordState(row.state),
    ...standingFromJson(row.standing),
    requestId: row.requestId,
    reason: row.reason,
  };
}

function actingInvoice(row: ActingRow): ActingInvoice {
  return {
    invoiceId: row.invoiceId,
    externalId: externalIdOf(row.origin),
    number: row.fullNumber,
    kind: linkKind(row.kind),
    taken: takenFromJson(row.taken),
    inForce: row.inForce === 1,
    actedOnBy: fromOwnJson(row.further),
  };
}

/** The schema checks the values of these columns. */
function linkKind(text: string): ActingInvoice["kind"] {
  return text as ActingInvoice["kind"];
}

/** Our own stored value. */
function invoiceType(text: string): InvoiceType {
  return text as InvoiceType;
}

/** The record triggers let only these states in. */
function recordState(text: string): RecordState {
  return text as RecordState;
}
