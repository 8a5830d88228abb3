import type { Gate } from "../../db/ledger-state.ts";

/** A call that waits for its turn: what it asks, and what the gate as it stands by then says to it. */
export interface Call<Item, Outcome> {
  readonly item: Item;
  readonly refusedBy: (gate: Gate | undefined) => Outcome | undefined;
}
