import type { Instant } from "../../shared/instant.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Configurable, so that a run against the sandbox need not last for minutes. */
export interface Pace {
  /** Art. 16.2 Orden HAC/1177/2024: until the authority asks for another. */
  readonly initialWaitSeconds: number;
  /** After the first, the second, ... failure in a row; the last one from then on. At least hourly (16.4). */
  readonly backOffMs: readonly number[];
  /** How often a stopped chain tries by itself whether somebody has put things right. */
  readonly stoppedRetryMs: number;
  /** How long one request may last. Large messages have been seen to take more than 30 s. */
  readonly timeLimitMs: number;
}

export const PACE: Pace = {
  initialWaitSeconds: 60,
  backOffMs: [1, 2, 4, 8, 15].map((minutes) => minutes * MINUTE_MS),
  stoppedRetryMs: 60 * MINUTE_MS,
  timeLimitMs: 120 * SECOND_MS,
};

/** So much longer at most than planned: chains that failed together do not return together. */
const JITTER = 0.2;

/** Nobody is left alone for longer: the law wants a try an hour. */
const LONGEST_DELAY_MS = 60 * MINUTE_MS;

export function backOffMs(failures: number, chance: number, { backOffMs: plan }: Pace): number {
  const planned = plan[Math.min(failures, plan.length) - 1] ?? 0;
  return Math.min(Math.round(planned * (1 + JITTER * chance)), LONGEST_DELAY_MS);
}

/** Retry-After of a 429, within reason. */
export function askedDelayMs(seconds: number | undefined): number {
  return Math.min((seconds ?? 0) * SECOND_MS, LONGEST_DELAY_MS);
}

/** An answer that is still on its way when the time is over finds its attempt still open. */
const LEASE_MARGIN_MS = 30 * SECOND_MS;

export function leaseUntil(startedAt: Instant, { timeLimitMs }: Pace): Instant {
  return startedAt + timeLimitMs + LEASE_MARGIN_MS;
}

/** 240 s off the authority's clock is 2004; a minute is left for the way and the clocks. */
const LATE_AFTER_MS = 180 * SECOND_MS;

/** Ahead or behind: the authority tells both. */
export function isLate(generatedAt: Instant, now: Instant): boolean {
  return Math.abs(now - generatedAt) > LATE_AFTER_MS;
}
