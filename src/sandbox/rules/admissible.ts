/** Errors that the service reports but accepts, in its order: one code per record. */

import { lacksIpsiRegime } from "./breakdown.ts";
import { type Circumstances, firstRefusal, type Refusal, refuseIf } from "./check.ts";
import { type RecordIdentity, type Registration, registrationOf } from "./record.ts";
import { isNear } from "./written-values.ts";

export const CLOCK_MARGIN_SECONDS = 240;

/** Regimes in which the totals do not follow from the lines. */
const WITHOUT_TOTALS = ["03", "05", "06", "08", "09"];

export interface ChainFacts {
  readonly expectedHash: string;
  /** The service has records of this chain, and this one is not among them. */
  readonly hasOthers: boolean;
}

export function admissibleError(
  record: RecordIdentity,
  about: Circumstances,
  facts: ChainFacts,
): Refusal | undefined {
  const registration = record.kind === "Alta" ? registrationOf(record) : undefined;
  const has = (rule: (of: Registration) => boolean) => registration !== undefined && rule(registration);
  return firstRefusal(
    () => refuseIf(has(namesUncensused), 2001),
    // A hash cannot be correct and equal to the previous one, so this check must come first.
    () => refuseIf(record.hash === record.previous?.hash, 2008),
    () => refuseIf(record.hash !== facts.expectedHash, 2000),
    () => refuseIf(has(isTotalOff), 2005),
    () => refuseIf(has(isTaxTotalOff), 2006),
    () => refuseIf(record.previous === undefined && facts.hasOthers, 2007),
    () => previousHashError(record),
    () =>
      refuseIf(
        has(({ lines }) => lines.some(lacksIpsiRegime)),
        2009,
      ),
    () => refuseIf(!about.isIncident && isOffTheClock(record, about.now), 2004),
  );
}

function namesUncensused({ recipients }: Registration): boolean {
  return recipients.some(({ other }) => other?.type === "07");
}

function sumsToTotals({ lines }: Registration): boolean {
  return !lines.some(({ regime }) => WITHOUT_TOTALS.includes(regime ?? ""));
}

function isTotalOff(record: Registration): boolean {
  const sum = record.lines.reduce((total, line) => total + line.base + taxOf(line), 0n);
  return sumsToTotals(record) && !isNear(record.total, sum);
}

function isTaxTotalOff(record: Registration): boolean {
  const sum = record.lines.reduce((total, line) => total + taxOf(line), 0n);
  return sumsToTotals(record) && !isNear(record.taxTotal, sum);
}

function taxOf({ taxAmount, surcharge }: Registration["lines"][number]): bigint {
  return (taxAmount ?? 0n) + (surcharge ?? 0n);
}

function previousHashError({ previous }: RecordIdentity): Refusal | undefined {
  if (previous === undefined) return undefined;
  return firstRefusal(
    () => refuseIf(previous.hash.length !== 64, 2002),
    () => refuseIf(!/^[0-9A-F]{64}$/.test(previous.hash), 2003),
  );
}

/** In both directions: the service reports both. */
function isOffTheClock({ generatedAt }: RecordIdentity, now: number): boolean {
  return Math.abs(now - Date.parse(generatedAt)) > CLOCK_MARGIN_SECONDS * 1000;
}
