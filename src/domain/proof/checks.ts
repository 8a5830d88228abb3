import { CHAIN_FAULTS } from "../verifactu/chain.ts";

/** The checks of every record of a chain, in the order of reporting. */
export const RECORD_CHECKS = [
  /** The literals can be read. */
  "content",
  ...CHAIN_FAULTS,
  /** The columns of the row equal the literals. */
  "row",
  /** FechaExpedicion is the day of the timestamp. */
  "issue_date",
  /** The invoice of the record exists and has the key in the literals. */
  "invoice",
  /** An amendment or annulment has the key of the registration, an amendment its amounts. */
  "correction",
] as const;
export type RecordCheck = (typeof RECORD_CHECKS)[number];

/** The checks of every invoice of a series. */
export const INVOICE_CHECKS = [
  /** Its number follows the last one: no gap, none twice. */
  "number",
  /** No invoice is dated before the one it follows. */
  "date",
  /** The series and its invoices are the connection's. */
  "series",
  /** The document is there and has the SHA-256 that is stored. */
  "document",
  /** The registration is there, in the chain of the series. */
  "registration",
  /** Key, type and amounts of the record are those of the document. */
  "literals",
] as const;
export type InvoiceCheck = (typeof INVOICE_CHECKS)[number];

export type ProofCheck = RecordCheck | InvoiceCheck;

export const PROOF_CHECKS: readonly ProofCheck[] = [...RECORD_CHECKS, ...INVOICE_CHECKS];

/** The checks made, and the failed ones. */
export interface Checked<Check extends ProofCheck> {
  readonly checked: readonly Check[];
  readonly broken: readonly Check[];
}

/** The place of a fault; for a gap, the first missing number. */
export type ProofPlace =
  | { readonly chain: string; readonly position: number }
  | { readonly series: string; readonly number: number };

interface CheckTally {
  readonly checked: number;
  readonly broken: number;
  readonly first?: ProofPlace;
}

/** The checks made so far, and the failures. A plain value of constant size. */
export type ProofTally = Readonly<Record<ProofCheck, CheckTally>>;

export const NOTHING_CHECKED: ProofTally = tallyOf(() => ({ checked: 0, broken: 0 }));

export function withChecked<Check extends ProofCheck>(
  tally: ProofTally,
  { checked, broken }: Checked<Check>,
  place: ProofPlace,
): ProofTally {
  const changed: Partial<Record<ProofCheck, CheckTally>> = {};
  for (const check of checked) {
    const before = tally[check];
    changed[check] = broken.includes(check)
      ? { checked: before.checked + 1, broken: before.broken + 1, first: before.first ?? place }
      : { ...before, checked: before.checked + 1 };
  }
  return { ...tally, ...changed };
}

/** The checks that do not hold, in their order. */
export function brokenChecks(tally: ProofTally): readonly ProofCheck[] {
  return PROOF_CHECKS.filter((check) => tally[check].broken > 0);
}

function tallyOf(count: (check: ProofCheck) => CheckTally): ProofTally {
  // Every check is in the list that the type is made of.
  return Object.fromEntries(PROOF_CHECKS.map((check) => [check, count(check)])) as ProofTally;
}
