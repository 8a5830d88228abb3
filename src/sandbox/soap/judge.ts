/** One submission, record by record: decided and stored in one transaction. */

import { type Control, listsOf, ruledCode } from "../behaviour/control.ts";
import { admissibleError } from "../rules/admissible.ts";
import type { Circumstances, Refusal } from "../rules/check.ts";
import type { RecordIdentity } from "../rules/record.ts";
import { type InvoiceState, operationRefusal, recordRefusal } from "../rules/record-refusals.ts";
import { type Database, numberOf } from "../store/database.ts";
import { readInvoice, type StoredInvoice, writeInvoice } from "../store/invoices.ts";
import * as records from "../store/records.ts";
import { documentOf } from "../xml/xml.ts";
import { describe, isAdmissible } from "./error-texts.ts";
import type { AnsweredRecord } from "./submission-answer.ts";

/** A record with the hash that it should have. */
export interface Submitted {
  readonly record: RecordIdentity;
  readonly expectedHash: string;
}

export interface Petition {
  readonly messageId: number;
  /** IdPeticion */
  readonly petition: string;
  readonly csv: string;
  readonly presentedAt: string;
  readonly issuerNif: string;
  readonly isIncident: boolean;
  readonly now: number;
  /** yyyy-mm-dd in Madrid */
  readonly today: string;
}

export function judgeSubmission(
  database: Database,
  control: Control,
  petition: Petition,
  submitted: readonly Submitted[],
): AnsweredRecord[] {
  const { issuerNif, isIncident, now, today } = petition;
  const about: Circumstances = { issuerNif, isIncident, now, today, lists: listsOf(control) };
  return database.transaction(() =>
    submitted.map((one, line) => judge(database, control, about, { ...petition, ...one, line })),
  );
}

type Line = Petition & Submitted & { readonly line: number };

function judge(database: Database, control: Control, about: Circumstances, line: Line): AnsweredRecord {
  const { record, messageId } = line;
  const chain = records.chainId(database, record.chain);
  const xml = documentOf(record.element);
  const known = records.knownRecord(database, chain, record);
  const link = records.linkOf(database, chain, record);
  const facts = {
    expectedHash: line.expectedHash,
    hasOthers: records.hasStoredOthers(database, chain, known),
    isBroken: control.strict_chain && known === undefined && (link === "fork" || link === "unknown_previous"),
  };
  const invoice = readInvoice(database, record.key);
  const verdict = decide(record, about, facts, invoice?.state, () => ruledCode(database, control, record));
  const recordId =
    numberOf(known, "id") ?? records.addRecord(database, { chain, record, link, xml, messageId });
  keep(database, line, verdict, { recordId, xml });
  return { ...verdict, record, duplicateOf: verdict.code === 3000 ? invoice : undefined };
}

interface Facts {
  readonly expectedHash: string;
  readonly hasOthers: boolean;
  readonly isBroken: boolean;
}

function decide(
  record: RecordIdentity,
  about: Circumstances,
  facts: Facts,
  state: InvoiceState | undefined,
  ruled: () => number | undefined,
): records.RecordVerdict {
  const refusal = recordRefusal(record, about) ?? operationRefusal(record, state);
  if (refusal !== undefined) return verdictOf(refusal);
  const code = ruled();
  if (code !== undefined) return verdictOf({ code });
  return verdictOf(admissibleError(record, about, facts) ?? (facts.isBroken ? { code: 2003 } : undefined));
}

function verdictOf(finding: Refusal | undefined): records.RecordVerdict {
  if (finding === undefined) return { state: "Correcto", code: undefined, description: undefined };
  const state = isAdmissible(finding.code) ? "AceptadoConErrores" : "Incorrecto";
  return { state, code: finding.code, description: describe(finding) };
}

function keep(
  database: Database,
  line: Line,
  verdict: records.RecordVerdict,
  kept: { readonly recordId: number; readonly xml: string },
): void {
  const { recordId, xml } = kept;
  const isStored = verdict.state !== "Incorrecto";
  records.judgeRecord(database, recordId, { ...verdict, csv: isStored ? line.csv : undefined, xml });
  records.addLine(database, { messageId: line.messageId, line: line.line, recordId }, verdict);
  if (!isStored) return;
  const { code, description } = verdict;
  const { petition, presentedAt, record } = line;
  const state = invoiceState(record, verdict);
  const stored: StoredInvoice = { state, code, description, petition };
  writeInvoice(database, record.key, { ...stored, presentedAt, recordId });
}

function invoiceState({ kind }: RecordIdentity, { state }: records.RecordVerdict): InvoiceState {
  if (kind === "Anulacion") return "Anulada";
  return state === "Correcto" ? "Correcta" : "AceptadaConErrores";
}
