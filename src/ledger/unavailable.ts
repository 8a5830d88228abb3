import type { GateRefusal } from "../usecases/outcomes.ts";

export type UnavailableOutcome = Extract<GateRefusal, { readonly outcome: "unavailable" }>;

const RETRY_AFTER_SECONDS = 2;

export function unavailable(cause: string): UnavailableOutcome {
  return { outcome: "unavailable", retryAfterSeconds: RETRY_AFTER_SECONDS, cause };
}

const FROZEN = "account_frozen";

/** No retry helps: nothing is done for the account before it is thawed. */
export function isFrozen({ cause }: UnavailableOutcome): boolean {
  return cause === FROZEN;
}

/** The ledger cannot be had now: nothing was answered that a retry would contradict. */
export class Unavailable extends Error {
  readonly outcome: UnavailableOutcome;
  constructor(cause: string) {
    super(`ledger unavailable: ${cause}`);
    this.outcome = unavailable(cause);
  }

  static frozen(): Unavailable {
    return new Unavailable(FROZEN);
  }
}
