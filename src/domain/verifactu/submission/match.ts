import { err, ok, type Result } from "../../shared/result.ts";
import type { InvoiceKey } from "../record.ts";
import type { AnswerLine } from "./answer.ts";
import type { Operation } from "./state.ts";

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

export type MatchProblem =
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
