const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The delay after each failed attempt; the delivery is given up after one more. */
const DELAYS_MS = [
  ...[10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS],
] as const;

export const MOST_ATTEMPTS = DELAYS_MS.length + 1;

/** The longest random extra delay, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;

/** A receiver's Retry-After cannot exceed the last delay of the schedule. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

export interface Waiting {
  /** From 0 to 1, by chance. */
  readonly chance: number;
  readonly retryAfterSeconds?: number | undefined;
}

/** The wait after that many failed attempts; undefined when it is time to give up. */
export function retryDelayMs(
  attempts: number,
  { chance, retryAfterSeconds = 0 }: Waiting,
): number | undefined {
  const planned = DELAYS_MS[attempts - 1];
  if (planned === undefined) return undefined;
  const asked = Math.min(retryAfterSeconds * SECOND_MS, LONGEST_RETRY_AFTER_MS);
  return Math.max(Math.round(planned * (1 + JITTER * chance)), asked);
}
