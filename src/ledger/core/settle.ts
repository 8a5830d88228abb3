import type { AdmissionFacts } from "../../db/ledger-state.ts";
import { Unavailable } from "../../db/store-calls.ts";
import type { LedgerCache } from "./ledger-cache.ts";
import type { GateRefusal } from "./outcomes.ts";

/** Failures of a group's own batches, counted from one try to the next. */
export interface Tries {
  /** Batches without an answer that were later closed as "not committed". */
  lost: number;
  /** Batches in a row that a trigger refused for a gap, a date or a hash. */
  brokenLinks: number;
}

/** Settles one kind of calls. */
export interface Settler<Item, Outcome, Tried extends Tries> {
  begin(): Tried;
  /** Loads a cold memory, together with everything that the group needs. */
  open(items: readonly Item[], tried: Tried): Promise<void>;
  /** Undefined when another write came first: the group is tried again. */
  attempt(items: readonly Item[], tried: Tried): Promise<readonly Outcome[] | undefined>;
}

export interface SettlingDeps {
  readonly cache: LedgerCache;
  /** Waits a random while, so that two instances do not meet again at once. */
  readonly jitter: () => Promise<void>;
  /** Alerts an operator; the facts never hold personal data. */
  readonly alertOperator: (what: string, facts: Readonly<Record<string, string>>) => void;
}

type Settled<Outcome> = Promise<readonly (Outcome | GateRefusal)[]>;

const ATTEMPTS = 5;

/**
 * Settles a group with one batch. After a change by another instance the group is read and decided again.
 * No call gets its outcome before the group's batch is known to be in the books.
 */
export async function settle<Item, Outcome, Tried extends Tries>(
  calls: readonly QueuedCall<Item, Outcome>[],
  settler: Settler<Item, Outcome, Tried>,
  deps: SettlingDeps,
): Settled<Outcome> {
  const tried = settler.begin();
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    if (tries > 0) await deps.jitter();
    await settler.open(itemsOf(calls), tried);
    // Checked in every try: a new read may show that a key was revoked.
    const refusals = calls.map((call) => call.refusedBy(deps.cache.admission));
    const admitted = calls.filter((_, index) => refusals[index] === undefined);
    const settled = await settler.attempt(itemsOf(admitted), tried);
    if (settled) return withRefusals(refusals, settled);
    if (tried.lost >= 2)
      return calls.length > 1 ? oneByOne(calls, settler, deps) : fail(calls, "poisonous_batch", deps);
    if (tried.brokenLinks >= 2) return fail(calls, "broken_link", deps);
  }
  throw new Unavailable("contended");
}

/** Puts the outcomes of admitted calls, in their order, between the refusals of the others. */
function withRefusals<Outcome>(
  refusals: readonly (Outcome | GateRefusal | undefined)[],
  settled: readonly Outcome[],
): (Outcome | GateRefusal)[] {
  let next = 0;
  return refusals.map(
    (refusal) => refusal ?? settled[next++] ?? { outcome: "failed", cause: "answered_in_part" },
  );
}

/** Sends each call alone to find the failing one; the others get their outcomes. */
async function oneByOne<Item, Outcome, Tried extends Tries>(
  calls: readonly QueuedCall<Item, Outcome>[],
  settler: Settler<Item, Outcome, Tried>,
  deps: SettlingDeps,
): Settled<Outcome> {
  const outcomes: (Outcome | GateRefusal)[] = [];
  for (const call of calls) outcomes.push(...(await settleAlone(call, settler, deps)));
  return outcomes;
}

/** After an outage in the middle, calls that are already in the books keep their outcomes. */
async function settleAlone<Item, Outcome, Tried extends Tries>(
  call: QueuedCall<Item, Outcome>,
  settler: Settler<Item, Outcome, Tried>,
  deps: SettlingDeps,
): Settled<Outcome> {
  try {
    return await settle([call], settler, deps);
  } catch (error) {
    if (error instanceof Unavailable) return [error.outcome];
    throw error;
  }
}

function fail(calls: readonly unknown[], cause: string, deps: SettlingDeps): readonly GateRefusal[] {
  deps.alertOperator(cause, { group: String(calls.length) });
  return calls.map(() => ({ outcome: "failed", cause }));
}

function itemsOf<Item>(calls: readonly { readonly item: Item }[]): Item[] {
  return calls.map((call) => call.item);
}

/** A call that waits in the queue, and whether it is admitted when its group is served. */
export interface QueuedCall<Item, Outcome> {
  readonly item: Item;
  readonly refusedBy: (facts: AdmissionFacts | undefined) => Outcome | GateRefusal | undefined;
}

/** For owners, because the console has admitted them. */
export function admitted<Item, Outcome>(item: Item): QueuedCall<Item, Outcome> {
  return { item, refusedBy: () => undefined };
}
