import type { BookKeeper } from "./book-keeper.ts";
import type { Call } from "./call.ts";
import type { GateRefusal } from "./outcomes.ts";
import { Unavailable } from "./unavailable.ts";

/** What a group learns of its own batches while it is tried again and again. */
export interface Tries {
  /** Batches whose outcome was unknown and then closed as "not committed". */
  lost: number;
  /** Batches in a row that a trigger refused for a gap, a date or a hash. */
  brokenLinks: number;
}

/** How one kind of call is settled. */
export interface Course<Item, Outcome, Tried extends Tries> {
  begin(): Tried;
  /** Cold memory is loaded, with what the group needs. */
  open(items: readonly Item[], tried: Tried): Promise<void>;
  /** Undefined when something else came first: the group is tried again. */
  attempt(items: readonly Item[], tried: Tried): Promise<readonly Outcome[] | undefined>;
}

export interface SettlingDeps {
  readonly keeper: BookKeeper;
  /** Waits a random while, so that two instances do not meet again at once. */
  readonly jitter: () => Promise<void>;
  /** Rings for an operator; facts are never a person's data. */
  readonly alarm: (what: string, facts: Readonly<Record<string, string>>) => void;
}

type Settled<Outcome> = Promise<readonly (Outcome | GateRefusal)[]>;

const ATTEMPTS = 5;

/**
 * Settles a group with one batch. Whatever changed meanwhile is read and decided again, and no answer is
 * given before the group's batch is known to be in the books.
 */
export async function settle<Item, Outcome, Tried extends Tries>(
  calls: readonly Call<Item, Outcome>[],
  course: Course<Item, Outcome, Tried>,
  deps: SettlingDeps,
): Settled<Outcome> {
  const tried = course.begin();
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    if (tries > 0) await deps.jitter();
    await course.open(itemsOf(calls), tried);
    // Asked each time: what was read again may say that a key was taken away meanwhile.
    const refusals = calls.map((call) => call.refusedBy(deps.keeper.gate));
    const admitted = calls.filter((_, index) => refusals[index] === undefined);
    const settled = await course.attempt(itemsOf(admitted), tried);
    if (settled) return inTurn(refusals, settled);
    if (tried.lost >= 2)
      return calls.length > 1 ? singly(calls, course, deps) : fail(calls, "poisonous_batch", deps);
    if (tried.brokenLinks >= 2) return fail(calls, "broken_link", deps);
  }
  throw new Unavailable("contended");
}

/** Those that the gate refused have their answers; the others follow in their order. */
function inTurn<Outcome>(
  refusals: readonly (Outcome | undefined)[],
  settled: readonly Outcome[],
): (Outcome | GateRefusal)[] {
  let next = 0;
  return refusals.map(
    (refusal) => refusal ?? settled[next++] ?? { outcome: "failed", cause: "answered_in_part" },
  );
}

/** The poisonous one of a group is found by sending each alone; its neighbours get their answers. */
async function singly<Item, Outcome, Tried extends Tries>(
  calls: readonly Call<Item, Outcome>[],
  course: Course<Item, Outcome, Tried>,
  deps: SettlingDeps,
): Settled<Outcome> {
  const outcomes: (Outcome | GateRefusal)[] = [];
  for (const call of calls) outcomes.push(...(await settleAlone(call, course, deps)));
  return outcomes;
}

/** An outage in the middle does not take back the answers of those who are in the books already. */
async function settleAlone<Item, Outcome, Tried extends Tries>(
  call: Call<Item, Outcome>,
  course: Course<Item, Outcome, Tried>,
  deps: SettlingDeps,
): Settled<Outcome> {
  try {
    return await settle([call], course, deps);
  } catch (error) {
    if (error instanceof Unavailable) return [error.outcome];
    throw error;
  }
}

function fail(calls: readonly unknown[], cause: string, deps: SettlingDeps): readonly GateRefusal[] {
  deps.alarm(cause, { group: String(calls.length) });
  return calls.map(() => ({ outcome: "failed", cause }));
}

function itemsOf<Item>(calls: readonly { readonly item: Item }[]): Item[] {
  return calls.map((call) => call.item);
}
