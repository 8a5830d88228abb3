import type { Instant } from "../domain/shared/instant.ts";

export type Admission =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

export interface TokenBucket {
  take(perMinute: number, now: Instant): Admission;
}

/** As many requests as the limit allows in a minute, refilled evenly. In memory: an idle object starts full. */
export function tokenBucket(): TokenBucket {
  let tokens = Number.POSITIVE_INFINITY;
  let filledAt: Instant = 0;
  return {
    take(perMinute, now) {
      if (perMinute === 0) return { admitted: true };
      // A clock that was set back takes nothing away.
      const elapsedMs = Math.max(0, now - filledAt);
      tokens = Math.min(perMinute, tokens + (elapsedMs * perMinute) / 60_000);
      filledAt = now;
      if (tokens >= 1) {
        tokens -= 1;
        return { admitted: true };
      }
      return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(((1 - tokens) * 60) / perMinute)) };
    },
  };
}
