import { framesOf, withoutValues } from "../platform/log.ts";

/** Counts round trips to D1: the queue has one for each group, a read outside the queue its own. */
export interface TripCounter {
  trips: number;
}

export interface StoreCallsDeps {
  /** Rejects when the promise has not settled in time; the call itself goes on, D1 cannot cancel. */
  readonly withDeadline: <T>(call: Promise<T>) => Promise<T>;
  /** Alerts an operator; the facts never hold personal data. */
  readonly alertOperator: (what: string, facts: Readonly<Record<string, string>>) => void;
}

export interface StoreCalls {
  /** A write: what it throws is an unknown outcome. */
  call<T>(send: () => Promise<T>, trips: TripCounter): Promise<T>;
  read<T>(send: () => Promise<T>, trips: TripCounter): Promise<T>;
}

/** Round trips to D1, each counted and with a deadline. */
export function storeCalls(deps: StoreCallsDeps): StoreCalls {
  async function call<T>(send: () => Promise<T>, trips: TripCounter): Promise<T> {
    trips.trips += 1;
    try {
      return await deps.withDeadline(send());
    } catch (error) {
      deps.alertOperator("d1_failed", { error: withoutValues(error), ...framesOf(error) });
      throw error;
    }
  }
  async function read<T>(send: () => Promise<T>, trips: TripCounter): Promise<T> {
    try {
      return await call(send, trips);
    } catch {
      throw new Unavailable("d1");
    }
  }
  return { call, read };
}

/** A store with only round trips as its methods. */
type Trips<Store> = { readonly [Method in keyof Store]: (...given: never[]) => Promise<unknown> };

/** The same store with a deadline and an operator alert for each round trip, but without a count. */
export function timely<Store extends Trips<Store>>(store: Store, deps: StoreCallsDeps): Store {
  const calls = storeCalls(deps);
  // Object.entries forgets the types of the methods.
  const methods = Object.entries(store) as [string, Trips<Store>[keyof Store]][];
  const bounded = methods.map(([name, method]) => [
    name,
    (...given: never[]) => calls.read(() => method(...given), { trips: 0 }),
  ]);
  // The same names with the bounded methods.
  return Object.fromEntries(bounded) as Store;
}

/** One read outside the queue, with a deadline. */
export async function readOrRefuse<T extends object>(
  ask: () => Promise<T>,
  deps: StoreCallsDeps,
): Promise<T | UnavailableOutcome> {
  try {
    return await storeCalls(deps).read(ask, { trips: 0 });
  } catch (error) {
    if (error instanceof Unavailable) return error.outcome;
    throw error;
  }
}

export interface UnavailableOutcome {
  readonly outcome: "unavailable";
  readonly retryAfterSeconds: number;
  readonly cause: string;
}

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
