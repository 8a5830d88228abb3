import type { EntryFilling, EntryFillStore, UnfilledEntry } from "../../db/entries/entry-fill-store.ts";
import { wordsOf } from "../../domain/invoice/invoice-entry.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type Budget, guarded, type JobLog, rotated } from "../budget.ts";

export interface FillEntriesDeps extends JobLog {
  readonly ledgers: readonly { readonly ledger: string; readonly store: EntryFillStore }[];
  readonly now: () => Instant;
  readonly budget: Budget;
}

/** Entries in one batch. */
const PAGE = 200;
/** Where the fill is, the page, and its batch. */
const QUERIES_OF_ONE = 5;

/**
 * Entries of an earlier version get words, the customer of their order and their effect on the sums. Progress
 * is in the database, so it may stop and go on anywhere. Answers how many ledgers have entries left.
 */
export async function fillEntries(deps: FillEntriesDeps): Promise<number> {
  let left = 0;
  for (const { ledger, store } of rotated(deps.ledgers, deps.now())) {
    if (deps.budget.isOver()) return left + 1;
    await guarded({ job: "fill_entries", ledger }, deps, async () => {
      if (!(await isFilled(store, deps))) left += 1;
    });
  }
  return left;
}

async function isFilled(store: EntryFillStore, { budget }: FillEntriesDeps): Promise<boolean> {
  for (;;) {
    const at = await store.readOpen();
    if (at === undefined) return true;
    if (!budget.take(QUERIES_OF_ONE)) return false;
    const page = await store.readPage(at, PAGE);
    const next = page.length < PAGE ? undefined : page.at(-1)?.place;
    await store.write(at, page.map(fillingOf), next);
  }
}

function fillingOf({ id, searchable, effect }: UnfilledEntry): EntryFilling {
  const { orderCustomer } = searchable;
  return {
    ...{ id, words: wordsOf(searchable) },
    ...(orderCustomer === undefined ? {} : { orderCustomer }),
    ...(effect === undefined ? {} : { effect }),
  };
}
