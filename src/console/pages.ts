import * as z from "zod";
import { sentText } from "../api/wire/values.ts";
import type { PageQuery, PageRead } from "./orders/listed-orders.ts";
import { refuseValue } from "./shapes.ts";

/** Start of a list's page: after a row or before it. */
export interface Place<Key> {
  readonly way: "after" | "before";
  readonly key: Key;
}

interface Page<Row, Key> {
  readonly items: readonly Row[];
  readonly previous?: Place<Key>;
  readonly next?: Place<Key>;
}

/** The page with the places of its neighbours, so that the user can page in both directions. */
export function pageAround<Row, Key>(
  { rows, hasMore }: PageRead<Row>,
  from: PageQuery<Key>["from"],
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

/** A key contains an order id of up to 1,000 characters. */
const LONGEST_CURSOR = 4_000;

const EXPECTED = { en: "one that the list gave", es: "uno de los que da la lista" };

/** Encodes a place for the address; only the console reads it back. */
export function cursorOf<Key>(place: Place<Key>): string {
  const bytes = new TextEncoder().encode(JSON.stringify([place.way, place.key]));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Decodes a cursor and refuses values that the console did not create. */
export function cursor<Key>(key: z.ZodType<Key>) {
  const place = z.tuple([z.enum(["after", "before"]), key]);
  return sentText(LONGEST_CURSOR).transform((sent, context): Place<Key> => {
    const read = place.safeParse(decoded(sent));
    if (!read.success) return refuseValue(context, EXPECTED);
    const [way, found] = read.data;
    return { way, key: found };
  });
}

function decoded(sent: string): unknown {
  try {
    const text = atob(sent.replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
  } catch {
    return undefined;
  }
}
