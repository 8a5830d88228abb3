import type { Outcome } from "../usecases/decide-group.ts";
import type { Instruction } from "../usecases/instruction.ts";
import { attemptIn, newAttempt, open, type SettleDeps } from "./attempt.ts";
import type { Call } from "./call.ts";
import { Unavailable } from "./unavailable.ts";

export type { SettleDeps };

const ATTEMPTS = 5;

/**
 * Settles a group: decide in turn, confirm what is refused, commit once. Whatever changed meanwhile is read
 * and decided again, and no answer is given before the group's batch is known to be in the books.
 */
export async function settle(calls: readonly Call[], deps: SettleDeps): Promise<readonly Outcome[]> {
  const attempt = newAttempt();
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    if (tries > 0) await deps.jitter();
    await open(instructionsOf(calls), attempt, deps);
    // Asked each time: what was read again may say that a key was taken away meanwhile.
    const refusals = calls.map((call) => call.refusedBy(deps.keeper.gate));
    const admitted = calls.filter((_, index) => refusals[index] === undefined);
    const settled = await attemptIn(instructionsOf(admitted), attempt, deps);
    if (settled) return inTurn(refusals, settled);
    if (attempt.lost >= 2)
      return calls.length > 1 ? singly(calls, deps) : fail(calls, "poisonous_batch", deps);
    if (attempt.brokenLinks >= 2) return fail(calls, "broken_link", deps);
  }
  throw new Unavailable("contended");
}

/** Those that the gate refused have their answers; the others follow in their order. */
function inTurn(refusals: readonly (Outcome | undefined)[], settled: readonly Outcome[]): Outcome[] {
  let next = 0;
  return refusals.map(
    (refusal) => refusal ?? settled[next++] ?? { outcome: "failed", cause: "answered_in_part" },
  );
}

/** The poisonous one of a group is found by sending each alone; its neighbours get their answers. */
async function singly(calls: readonly Call[], deps: SettleDeps): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const call of calls) outcomes.push(...(await settleAlone(call, deps)));
  return outcomes;
}

/** An outage in the middle does not take back the answers of those who are in the books already. */
async function settleAlone(call: Call, deps: SettleDeps): Promise<readonly Outcome[]> {
  try {
    return await settle([call], deps);
  } catch (error) {
    if (error instanceof Unavailable) return [error.outcome];
    throw error;
  }
}

function fail(calls: readonly Call[], cause: string, deps: SettleDeps): readonly Outcome[] {
  deps.alarm(cause, { group: String(calls.length) });
  return calls.map(() => ({ outcome: "failed", cause }));
}

function instructionsOf(calls: readonly Call[]): Instruction[] {
  return calls.map((call) => call.instruction);
}
