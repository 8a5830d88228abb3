import { sha256Hex } from "../domain/shared/sha256.ts";
import type { Attempts } from "../usecases/console/identity-ports.ts";

const MINUTE_MS = 60_000;

/** What is tried again and again: how often within how long, whoever asks and from wherever. */
const LIMITS = {
  signIn: { most: 10, windowMs: 15 * MINUTE_MS },
  changePassword: { most: 10, windowMs: 15 * MINUTE_MS },
  /** Each is a mail in somebody's box. */
  resetMail: { most: 5, windowMs: 60 * MINUTE_MS },
} as const;

export type Attempt = keyof typeof LIMITS;

export interface AttemptBrake {
  /** Counts one more; whole seconds to wait where it is one too many. */
  begin(attempt: Attempt, whose: string): Promise<number | undefined>;
  succeeded(attempt: Attempt, whose: string): Promise<void>;
}

/** Who tries one address from many places is slowed down as well; the brake by IP address stands in front. */
export function attemptBrake(attempts: Attempts, now: () => number): AttemptBrake {
  return {
    async begin(attempt, whose) {
      const { most, windowMs } = LIMITS[attempt];
      const at = now();
      // Counted before it is made: of many at once no more come through than of many in turn.
      const { count, since } = await attempts.count(keyOf(attempt, whose), at, windowMs);
      return count > most ? Math.max(1, Math.ceil((since + windowMs - at) / 1000)) : undefined;
    },
    succeeded: (attempt, whose) => attempts.forget(keyOf(attempt, whose)),
  };
}

function keyOf(attempt: Attempt, whose: string): string {
  return sha256Hex(`${attempt}:${whose}`);
}
