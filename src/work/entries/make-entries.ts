import type {
  CorrectingRecord,
  EntryPage,
  EntryStore,
  EntryWrite,
  IssuedRecord,
  NewEntry,
} from "../../db/entries/entry-ports.ts";
import { placeText } from "../../domain/invoice/invoice-entry.ts";
import { wordsOf } from "../../domain/invoice/search-words.ts";

/**
 * A page of records becomes entries; how many they were. Two that do it at once, or one whose answer was
 * lost,
 * meet at the cursor: what it has passed is passed once.
 */
export async function makeEntries(store: EntryStore, limit: number): Promise<number> {
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
  const { installationId, position, invoiceId, accountId, series, rectifying, amounts, test } = issued;
  const place = placeText(issued);
  const words = wordsOf(issued);
  return { installationId, position, invoiceId, accountId, place, series, rectifying, amounts, test, words };
}

/** One for each invoice, which cancels it if any of them does. */
function newestOfEach(corrections: readonly CorrectingRecord[]): readonly CorrectingRecord[] {
  const newest = new Map<string, CorrectingRecord>();
  for (const correction of corrections) {
    const cancels = correction.cancels || (newest.get(correction.invoiceId)?.cancels ?? false);
    newest.set(correction.invoiceId, { ...correction, cancels });
  }
  return [...newest.values()];
}
