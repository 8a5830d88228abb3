import type { AdmissionFacts } from "../../db/ledger-state.ts";
import type { GateRefusal } from "./outcomes.ts";

/** A call that waits in the queue, and whether it is admitted when its group is served. */
export interface QueuedCall<Item, Outcome> {
  readonly item: Item;
  readonly refusedBy: (facts: AdmissionFacts | undefined) => Outcome | GateRefusal | undefined;
}

/** For owners, because the console has admitted them. */
export function admitted<Item, Outcome>(item: Item): QueuedCall<Item, Outcome> {
  return { item, refusedBy: () => undefined };
}
