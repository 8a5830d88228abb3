import type { AddedRates, GappyLedger, RateLedger } from "../../db/rates/rate-store.ts";
import {
  frankfurtDate,
  isTargetDay,
  type ReferenceRate,
  targetDaysBetween,
} from "../../domain/exchange/reference-rate.ts";
import { type CivilDate, civilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";

/** Payments before 2024 need no rate, so the older history is not imported. */
export const HISTORY_SINCE = civilDate("2024-01-01");

interface RateRows {
  /** All of the file. */
  readonly rows: readonly ReferenceRate[];
  /** If present, only these days are imported. */
  readonly onlyDays?: ReadonlySet<CivilDate>;
}

export interface ImportRatesDeps {
  readonly ledgers: readonly RateLedger[];
  readonly now: () => Instant;
  readonly since?: CivilDate;
}

export interface RateImport {
  /** Rates of the file that can ever be asked for. */
  readonly needed: number;
  readonly leftOut: number;
  readonly written: readonly ({ readonly ledger: string } & AddedRates)[];
  readonly failed: readonly FailedLedger[];
}

export interface FailedLedger {
  readonly ledger: string;
  readonly error: unknown;
}

interface FutureRates {
  readonly reason: "day_in_future";
  readonly day: CivilDate;
}

/**
 * Brings the rows of a file into every ledger. A file with a day that is still to come is not the ECB's, and
 * is refused whole. A ledger that fails keeps none of the others from its rates.
 */
export async function importRates(
  { rows, onlyDays }: RateRows,
  { ledgers, now, since = HISTORY_SINCE }: ImportRatesDeps,
): Promise<Result<RateImport, FutureRates>> {
  const today = frankfurtDate(now());
  const future = rows.find(({ day }) => day > today);
  if (future) return err({ reason: "day_in_future", day: future.day });
  const needed = rows.filter((row) => isNeeded(row, since) && (onlyDays?.has(row.day) ?? true));
  const { answers, failed } = await askEach(ledgers, async (ledger) => ({
    ledger: ledger.ledger,
    ...(await ledger.add(needed)),
  }));
  return ok({ needed: needed.length, leftOut: rows.length - needed.length, written: answers, failed });
}

/**
 * No payment has a closed day as its reference day. All currencies are taken, because lists become outdated.
 */
function isNeeded({ day }: ReferenceRate, since: CivilDate): boolean {
  return day >= since && isTargetDay(day);
}

interface RateGaps {
  /** Oldest first. */
  readonly days: readonly CivilDate[];
  readonly failed: readonly FailedLedger[];
}

/** The days of publication up to `upTo` without a rate in some ledger. */
export async function findRateGaps(
  upTo: CivilDate,
  {
    ledgers,
    since = HISTORY_SINCE,
  }: { readonly ledgers: readonly GappyLedger[]; readonly since?: CivilDate },
): Promise<RateGaps> {
  const published = targetDaysBetween(since, upTo);
  const { answers, failed } = await askEach(ledgers, (ledger) => ledger.daysWithout(published));
  return { days: [...new Set(answers.flat())].sort(), failed };
}

/** One after the other: an import is not urgent, and local databases share their files. */
async function askEach<L extends { readonly ledger: string }, T>(
  ledgers: readonly L[],
  ask: (ledger: L) => Promise<T>,
): Promise<{ readonly answers: readonly T[]; readonly failed: readonly FailedLedger[] }> {
  const answers: T[] = [];
  const failed: FailedLedger[] = [];
  for (const ledger of ledgers) {
    try {
      answers.push(await ask(ledger));
    } catch (error) {
      failed.push({ ledger: ledger.ledger, error });
    }
  }
  return { answers, failed };
}

export type RateFile = "daily" | "history";

/** The publisher of the rates. */
export interface RateSource {
  fetch(file: RateFile): Promise<Result<readonly ReferenceRate[], RateSourceFailure>>;
}

export interface RateSourceFailure {
  /** `no_answer`: nothing that claims to be the file. `unreadable`: it does, and is not. */
  readonly reason: "no_answer" | "unreadable";
  /** For the operator; never the other side's text. */
  readonly detail: string;
}
