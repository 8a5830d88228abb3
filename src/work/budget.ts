import { CRON } from "../domain/limits.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { Fault } from "../platform/log.ts";

/** The budget of a job in one cron run; the rest waits for the next run. */

interface StepUse {
  readonly took_ms: number;
  readonly d1_queries: number;
}

export interface Budget {
  /** True if one more item may begin that makes up to this many queries. */
  take(d1Queries?: number): boolean;
  /** True if work in pages must stop. */
  isOver(): boolean;
  spent(): StepUse;
}

/** `d1Queries` counts the queries since the budget began. */
export function newBudget(now: () => Instant, d1Queries: () => number = () => 0): Budget {
  const startedAt = now();
  let items = 0;
  const isOver = () => now() - startedAt >= CRON.ms || d1Queries() >= CRON.d1Queries;
  return {
    take(more = 1) {
      if (isOver() || items >= CRON.items || d1Queries() + more > CRON.d1Queries) return false;
      items += 1;
      return true;
    },
    isOver,
    spent: () => ({ took_ms: now() - startedAt, d1_queries: d1Queries() }),
  };
}

const MINUTE_MS = 60_000;

/** Each minute another item comes first, so that a full one cannot block the others for ever. */
export function rotated<T>(all: readonly T[], now: Instant): readonly T[] {
  const first = all.length === 0 ? 0 : Math.floor(now / MINUTE_MS) % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

export interface JobLog {
  readonly log: (line: object) => void;
  readonly faultOf: (error: unknown) => Fault;
}

/** A failure of a cron job becomes a log line for the operator and stops no other job. */
export async function guarded(
  facts: Readonly<Record<string, string>>,
  { log, faultOf }: JobLog,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    log({ level: "alarm", alarm: "job_failed", ...facts, ...faultOf(error) });
  }
}
