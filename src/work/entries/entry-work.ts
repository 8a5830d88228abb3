import type { EntryStore } from "../../db/entries/entry-ports.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type StoreCallsDeps, timely } from "../../ledger/core/store-calls.ts";
import { makeEntries } from "./make-entries.ts";

export interface EntryWorkDeps extends StoreCallsDeps {
  readonly now: () => Instant;
  readonly store: { readonly entries: EntryStore };
}

/** Records that become entries in one batch. */
const PAGE = 400;
const BUDGET_MS = 15_000;
/** New records may lack entries for this time; until then lists read them from the chain. */
export const ENTRY_LAG_MS = 20_000;

/** Invoices of the connection become entries of lists and sums; undefined when all are. */
export async function doEntries(deps: EntryWorkDeps): Promise<Instant | undefined> {
  const entries = timely(deps.store.entries, deps);
  const startedAt = deps.now();
  while (deps.now() - startedAt < BUDGET_MS) {
    if ((await makeEntries(entries, PAGE)) < PAGE) return undefined;
  }
  return deps.now();
}
