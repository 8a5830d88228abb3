import type {
  CorrectingRecord,
  EntryPage,
  EntryStore,
  EntryWrite,
  IssuedRecord,
  NewEntry,
} from "../../db/entries/entry-store.ts";
import { type StoreCallsDeps, timely } from "../../db/store-calls.ts";
import { placeText, wordsOf } from "../../domain/invoice/invoice-entry.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/**
 * Turns a page of records into entries and answers their number. Concurrent runs and retries meet at the
 * cursor, which moves past each record once.
 */
async function makeEntries(store: EntryStore, limit: number): Promise<number> {
  const page = await store.readPage(limit);
  if (page.records.length > 0) await store.write(writesOf(page));
  return page.records.length;
}

function writesOf({ records, from }: EntryPage): readonly EntryWrite[] {
  const ofChain = Map.groupBy(records, ({ installationId }) => installationId);
  return [...ofChain].map(([installationId, passed]) => ({
    installationId,
    from: from.get(installationId) ?? 0,
    to: passed.at(-1)?.position ?? 0,
    entries: passed.flatMap((record) => (record.of === "issue" ? [entryOf(record)] : [])),
    corrections: newestOfEach(passed.flatMap((record) => (record.of === "correction" ? [record] : []))),
  }));
}

function entryOf(issued: IssuedRecord): NewEntry {
  const { installationId, position, invoiceId, accountId, series, amounts, test } = issued;
  const { rectifying, replacing, effect, orderCustomer } = issued;
  return {
    ...{ installationId, position, invoiceId, accountId, place: placeText(issued), series },
    ...{ rectifying, replacing, amounts, test, words: wordsOf(issued) },
    ...(effect === undefined ? {} : { effect }),
    ...(orderCustomer === undefined ? {} : { orderCustomer }),
  };
}

/** One per invoice; it cancels the invoice if any of its corrections does. */
function newestOfEach(corrections: readonly CorrectingRecord[]): readonly CorrectingRecord[] {
  const newest = new Map<string, CorrectingRecord>();
  for (const correction of corrections) {
    const cancels = correction.cancels || (newest.get(correction.invoiceId)?.cancels ?? false);
    newest.set(correction.invoiceId, { ...correction, cancels });
  }
  return [...newest.values()];
}

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
