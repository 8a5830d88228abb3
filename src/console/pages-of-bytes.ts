import { CONSOLE_ANSWER_BYTES } from "../domain/limits.ts";

/** What stands around the rows of an answer. */
const AROUND_BYTES = 1_000;

export interface PageOfBytes<Row> {
  readonly rows: readonly Row[];
  /** The number of the first row that did not fit; null behind the last one. */
  readonly next: number | null;
}

/** As many rows as an answer has room for, from one on; each by itself fits. */
export function pageOfBytes<Row>(all: readonly Row[], from: number): PageOfBytes<Row> {
  const rows: Row[] = [];
  let bytes = AROUND_BYTES;
  for (const row of all.slice(from)) {
    bytes += new TextEncoder().encode(JSON.stringify(row)).length + 1;
    if (rows.length > 0 && bytes > CONSOLE_ANSWER_BYTES) return { rows, next: from + rows.length };
    rows.push(row);
  }
  return { rows, next: null };
}
