import type { Instant } from "../../domain/shared/instant.ts";

export type Admission =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

export interface TokenBucket {
  take(perMinute: number, now: Instant): Admission;
}

/** Cost of one request. A millisecond earns as much as the limit, so that all figures are whole numbers. */
const COST = 60_000;

/** As many requests as the limit allows in a minute, refilled evenly. An idle object starts full. */
export function tokenBucket(): TokenBucket {
  let credit = Number.POSITIVE_INFINITY;
  let filledAt: Instant = 0;
  return {
    take(perMinute, now) {
      if (perMinute === 0) return { admitted: true };
      // A clock that was set back removes no credit.
      const elapsedMs = Math.max(0, now - filledAt);
      credit = Math.min(perMinute * COST, credit + elapsedMs * perMinute);
      filledAt = now;
      if (credit >= COST) {
        credit -= COST;
        return { admitted: true };
      }
      return { admitted: false, retryAfterSeconds: Math.ceil((COST - credit) / perMinute / 1_000) };
    },
  };
}
