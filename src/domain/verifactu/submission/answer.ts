import { err, invariant, ok, type Result } from "../../shared/result.ts";
import type { InvoiceKey, RecordContent } from "../record.ts";
import type { Operation } from "./state.ts";

/** RespuestaRegFactuSistemaFacturacion in our terms. Only its lines decide about records. */
export interface SubmissionAnswer {
  /** Proof that the message was taken; absent when every record was rejected. */
  readonly csv?: string;
  /** TimestampPresentacion: the authority's clock. */
  readonly presentedAt?: string;
  /** TiempoEsperaEnvio; absent when it is empty. */
  readonly waitSeconds?: number;
  /** EstadoEnvio */
  readonly state: "accepted" | "partly_accepted" | "rejected";
  readonly lines: readonly AnswerLine[];
}

/** RespuestaLinea */
export interface AnswerLine {
  /** RefExterna as echoed: our id of the record. */
  readonly reference?: string;
  readonly key: InvoiceKey;
  readonly operation: Operation;
  readonly state: "accepted" | "accepted_with_errors" | "rejected";
  readonly code?: number;
  readonly text?: string;
  readonly duplicate?: DuplicateOf;
}

/** RegistroDuplicado: the state of the invoice at the authority. */
export interface DuplicateOf {
  readonly petition: string;
  readonly state: "accepted" | "accepted_with_errors" | "annulled";
  readonly code?: number;
  readonly text?: string;
}

/** A whole message refused. */
export interface SubmissionFault {
  /** If the client is at fault, the authority has stored nothing of the message. */
  readonly side: "client" | "server";
  /** Absent when the text has none. */
  readonly code?: number;
  readonly text: string;
}

/** Why the response is no answer. It decides about no record and is never a refusal. */
export type NoAnswerCause =
  /** The connection broke off, or its progress is unknown. */
  | "no_connection"
  | "timeout"
  | "interrupted"
  | "too_large"
  /** A redirect, or a page that forbids: how a certificate is refused. */
  | "certificate_refused"
  | "http_status"
  | "not_xml"
  | "malformed"
  /** XML, but not the service's answer. */
  | "unexpected_xml"
  /** A response with lines that do not match the records sent. */
  | "mismatch"
  /** The sender has died: the lease has expired. */
  | "abandoned";

export type AttemptResult =
  | { readonly result: "answered"; readonly answer: SubmissionAnswer }
  | { readonly result: "fault"; readonly fault: SubmissionFault }
  /** The one case in which nothing has arrived for sure: 429. */
  | { readonly result: "not_delivered"; readonly retryAfterSeconds?: number }
  | { readonly result: "no_answer"; readonly cause: NoAnswerCause; readonly status?: number };

/** The raw HTTP outcome, before parsing. `no_connection`: none was made, or it broke. */
export type TransportOutcome =
  | {
      readonly outcome: "answered";
      readonly status: number;
      readonly contentType: string;
      readonly bytes: Uint8Array;
      readonly retryAfterSeconds?: number;
    }
  | { readonly outcome: "too_large" | "interrupted"; readonly status: number }
  | { readonly outcome: "no_connection" | "timeout" };

/** The members that match a record to its line. */
export interface SentIdentity {
  readonly position: number;
  readonly reference: string;
  readonly key: InvoiceKey;
  readonly operation: Operation;
}

export interface MatchedLine<Sent extends SentIdentity> {
  readonly record: Sent;
  readonly line: AnswerLine;
}

type MatchProblem =
  | { readonly problem: "unknown_line" | "repeated_line" | "ambiguous_line"; readonly line: number }
  | { readonly problem: "missing_line"; readonly position: number };

/**
 * Every record must match one line, and every line one record, or the response belongs to another message. A
 * line is matched by its RefExterna, or else by invoice and operation.
 */
export function matchAnswer<Sent extends SentIdentity>(
  records: readonly Sent[],
  lines: readonly AnswerLine[],
): Result<readonly MatchedLine<Sent>[], MatchProblem> {
  const byReference = new Map(records.map((record) => [record.reference, record]));
  const byName = groupByName(records);
  const matched = new Map<number, MatchedLine<Sent>>();
  for (const [index, line] of lines.entries()) {
    const candidates = candidatesFor(line, byReference, byName);
    const [record, other] = candidates;
    if (!record) return err({ problem: "unknown_line", line: index });
    if (other) return err({ problem: "ambiguous_line", line: index });
    if (matched.has(record.position)) return err({ problem: "repeated_line", line: index });
    matched.set(record.position, { record, line });
  }
  const missing = records.find(({ position }) => !matched.has(position));
  if (missing) return err({ problem: "missing_line", position: missing.position });
  return ok(records.flatMap(({ position }) => matched.get(position) ?? []));
}

function candidatesFor<Sent extends SentIdentity>(
  line: AnswerLine,
  byReference: ReadonlyMap<string, Sent>,
  byName: ReadonlyMap<string, readonly Sent[]>,
): readonly Sent[] {
  if (line.reference === undefined) return byName.get(nameOf(line)) ?? [];
  const record = byReference.get(line.reference);
  return record && isOfSameKind(record, line) ? [record] : [];
}

/** The reference alone identifies the record: the repeated flags do not count. */
function isOfSameKind(record: SentIdentity, line: AnswerLine): boolean {
  return record.operation.kind === line.operation.kind && invoiceOf(record.key) === invoiceOf(line.key);
}

function groupByName<Sent extends SentIdentity>(
  records: readonly Sent[],
): ReadonlyMap<string, readonly Sent[]> {
  const groups = new Map<string, Sent[]>();
  for (const record of records) {
    const name = nameOf(record);
    const group = groups.get(name);
    if (group) group.push(record);
    else groups.set(name, [record]);
  }
  return groups;
}

/** The invoice and the operation; the authority keeps values trimmed. */
function nameOf({ key, operation }: { readonly key: InvoiceKey; readonly operation: Operation }): string {
  const flags = [operation.amends, operation.previousRejection, operation.withoutPreviousRecord];
  return `${invoiceOf(key)}|${operation.kind}|${flags}`;
}

function invoiceOf({ issuerNif, number, date }: InvoiceKey): string {
  return [issuerNif, number, date].map((text) => text.trim()).join("|");
}

/** The owner of the authority's record with our key. `unknown`: not answered, so the query is repeated. */
export type Comparison = "ours" | "foreign" | "unknown";

/** The newest record of an invoice, from the authority's query. */
export interface FoundRecord {
  readonly key: InvoiceKey;
  readonly hash?: string;
  readonly state: "accepted" | "accepted_with_errors" | "annulled";
}

/** PeriodoImputacion */
export interface Period {
  readonly year: string;
  readonly month: string;
}

/** That of the issue, and that of the operation where it is another: sources disagree which one counts. */
export function periodsOf(content: RecordContent): readonly Period[] {
  const issued = periodOf(content.key.date);
  if (content.kind !== "ALTA" || content.operationDate === undefined) return [issued];
  const operated = periodOf(content.operationDate);
  return operated.year === issued.year && operated.month === issued.month ? [issued] : [issued, operated];
}

function periodOf(date: string): Period {
  const [, month, year] = /^\d\d-(\d\d)-(\d{4})$/.exec(date) ?? [];
  invariant(month !== undefined && year !== undefined, "a date of a record is dd-mm-yyyy");
  return { year, month };
}

/** Undefined where nothing was found under the key; hashes as they are in our books. */
export function compareFound(
  found: readonly FoundRecord[],
  key: InvoiceKey,
  ourHashes: readonly string[],
): Comparison | undefined {
  const record = found.find((each) => isSameInvoice(each.key, key));
  if (!record) return undefined;
  if (record.hash === undefined) return "unknown";
  return ourHashes.includes(record.hash.toUpperCase()) ? "ours" : "foreign";
}

export function isSameInvoice(one: InvoiceKey, other: InvoiceKey): boolean {
  return one.issuerNif === other.issuerNif && one.number === other.number && one.date === other.date;
}
