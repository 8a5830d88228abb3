import { invariant } from "../../shared/result.ts";
import type { InvoiceKey, RecordContent } from "../record.ts";

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
export function whoseIs(
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
