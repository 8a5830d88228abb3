import { type Checked, PROOF_CHECKS, type ProofCheck } from "./checks.ts";

/** The place of a fault; for a gap, the first missing number. */
export type ProofPlace =
  | { readonly chain: string; readonly position: number }
  | { readonly series: string; readonly number: number };

export interface CheckTally {
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
