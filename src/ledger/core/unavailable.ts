import type { GateRefusal } from "./outcomes.ts";

export type UnavailableOutcome = Extract<GateRefusal, { readonly outcome: "unavailable" }>;

const RETRY_AFTER_SECONDS = 2;

export function unavailable(cause: string): UnavailableOutcome {
  return { outcome: "unavailable", retryAfterSeconds: RETRY_AFTER_SECONDS, cause };
}

const FROZEN = "account_frozen";
const BEHIND = "ledger_behind";

/** No retry helps: an operator must first thaw the account or repair its books. */
export function waitsForOperator({ cause }: UnavailableOutcome): boolean {
  return cause === FROZEN || cause === BEHIND;
}

/** The ledger is unavailable now: no answer was given that a retry would contradict. */
export class Unavailable extends Error {
  readonly outcome: UnavailableOutcome;
  constructor(cause: string) {
    super(`ledger unavailable: ${cause}`);
    this.outcome = unavailable(cause);
  }

  static frozen(): Unavailable {
    return new Unavailable(FROZEN);
  }

  /** The database has lost what the object has committed to it. */
  static behind(): Unavailable {
    return new Unavailable(BEHIND);
  }
}
