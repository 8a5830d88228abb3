import { CONSOLE_ANSWER_BYTES } from "../domain/limits.ts";

/** Size of the response around the rows. */
const AROUND_BYTES = 1_000;

export interface PageOfBytes<Row> {
  readonly rows: readonly Row[];
  /** Index of the first row that did not fit; null after the last row. */
  readonly next: number | null;
}

/** Returns as many rows as fit into a response; a single row always fits. */
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
