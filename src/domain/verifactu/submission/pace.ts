import type { Instant } from "../../shared/instant.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Configurable, so that a run against the sandbox need not last for minutes. */
export interface Pace {
  /** Art. 16.2 Orden HAC/1177/2024: until the authority asks for another. */
  readonly initialWaitSeconds: number;
  /** After the first, the second, ... failure in a row; the last one from then on. At least hourly (16.4). */
  readonly backOffMs: readonly number[];
  /** The interval of automatic tries of a stopped chain. */
  readonly stoppedRetryMs: number;
  /** The time limit of one request. Large messages have taken more than 30 s. */
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

/** The law requires a try at least hourly. */
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

/** More than 240 s off the authority's clock is error 2004; the margin covers transit and clock drift. */
const LATE_AFTER_MS = 180 * SECOND_MS;

/** In both directions: the authority reports clocks that are ahead as well. */
export function isLate(generatedAt: Instant, now: Instant): boolean {
  return Math.abs(now - generatedAt) > LATE_AFTER_MS;
}
