import { type StoreCallsDeps, storeCalls } from "./store-calls.ts";
import { Unavailable, type UnavailableOutcome } from "./unavailable.ts";

/** One read beside the queue, given up in time. */
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
