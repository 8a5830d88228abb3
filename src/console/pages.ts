import type { PageAsked, PageRead } from "./orders/order-list-ports.ts";

/** Where a page of a list begins: behind a row, or before it. */
export interface Place<Key> {
  readonly way: "after" | "before";
  readonly key: Key;
}

export interface Page<Row, Key> {
  readonly items: readonly Row[];
  readonly previous?: Place<Key>;
  readonly next?: Place<Key>;
}

/** The page with the places of those beside it: whoever came from one of them can go back. */
export function pageAround<Row, Key>(
  { rows, hasMore }: PageRead<Row>,
  from: PageAsked<Key>["from"],
  keyOf: (row: Row) => Key,
): Page<Row, Key> {
  const [first, last] = [rows[0], rows.at(-1)];
  const isBackwards = from?.way === "before";
  const isPrevious = isBackwards ? hasMore : from !== undefined;
  const isNext = isBackwards || hasMore;
  return {
    items: rows,
    ...(first && isPrevious ? { previous: { way: "before", key: keyOf(first) } } : {}),
    ...(last && isNext ? { next: { way: "after", key: keyOf(last) } } : {}),
  };
}
