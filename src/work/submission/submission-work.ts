import type { SubmittingChain } from "../../db/submission/submission-writes.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { FOR_EVER, type QuietPeriod } from "../alarm-clock.ts";
import { type ChainStep, type SubmitDeps, submitChain } from "./submit-records.ts";

export interface Submitted extends QuietPeriod {
  /** The next run; undefined if time alone changes nothing. */
  readonly again: Instant | undefined;
  /** At least one message was sent. */
  readonly hasMoved: boolean;
}

/** The limit of one run; it also ends a loop of stale reads. */
const LOOKS = 100;

/** Sends the due records of every chain of the connection, message after message, while there is time. */
export async function submitDue(deps: SubmitDeps, hasTime: () => boolean): Promise<Submitted> {
  for (let looks = 0; looks < LOOKS && hasTime(); looks += 1) {
    const chains = await deps.store.readChains();
    const steps = await Promise.all(chains.map((chain) => lookAt(chain, deps)));
    if (steps.every(({ step }) => step !== "moved"))
      return { ...restOf(chains, steps, deps.now()), hasMoved: looks > 0 };
  }
  return { again: deps.now(), until: 0, unsent: 0, hasMoved: true };
}

async function lookAt(chain: SubmittingChain, deps: SubmitDeps): Promise<ChainStep> {
  const isIdle = chain.unsent === 0 && chain.chain?.attempt === undefined;
  return isIdle ? { step: "rests" } : submitChain(chain, deps);
}

function restOf(
  chains: readonly SubmittingChain[],
  steps: readonly ChainStep[],
  now: Instant,
): Omit<Submitted, "hasMoved"> {
  const waits = steps.flatMap((step) => (step.step === "waits" ? [Math.max(step.until, now)] : []));
  // An idle chain can send at `dueAt`; a stopped chain with records waits for its owner.
  const lulls = chains.map(({ chain, unsent }) => (unsent === 0 ? (chain?.dueAt ?? 0) : FOR_EVER));
  return {
    again: waits.length > 0 ? Math.min(...waits) : undefined,
    until: Math.min(...waits, ...(waits.length > 0 ? [] : lulls), FOR_EVER),
    unsent: chains.reduce((sum, chain) => sum + (mayHurry(chain) ? chain.unsent : 0), 0),
  };
}

/** A full message need not wait, unless it is a failure or an attempt that it waits for. */
function mayHurry({ chain }: SubmittingChain): boolean {
  return !chain?.attempt && !chain?.stopped && (chain?.failures ?? 0) === 0;
}
