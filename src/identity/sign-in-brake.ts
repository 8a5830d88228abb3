import { sha256Hex } from "../domain/shared/sha256.ts";
import type { SignInFailures } from "../usecases/console/identity-ports.ts";

const MOST_FAILURES = 10;
const WINDOW_MS = 15 * 60_000;

export interface SignInBrake {
  /** Whole seconds to wait; undefined where one may try. */
  waitSeconds(email: string): Promise<number | undefined>;
  failed(email: string): Promise<void>;
  succeeded(email: string): Promise<void>;
}

/** Who tries one address from many places is slowed down as well; the brake by IP address stands in front. */
export function signInBrake(failures: SignInFailures, now: () => number): SignInBrake {
  return {
    async waitSeconds(email) {
      const known = await failures.read(keyOf(email));
      if (!known || known.failures < MOST_FAILURES) return undefined;
      const leftMs = known.since + WINDOW_MS - now();
      return leftMs > 0 ? Math.ceil(leftMs / 1000) : undefined;
    },
    failed: (email) => failures.count(keyOf(email), now(), WINDOW_MS),
    succeeded: (email) => failures.forget(keyOf(email)),
  };
}

function keyOf(email: string): string {
  return sha256Hex(email.trim().toLowerCase());
}
