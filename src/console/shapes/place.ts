import * as z from "zod";
import { sentText } from "../../api/wire/values.ts";
import type { Place } from "../pages.ts";
import { refuseValue } from "./values.ts";

/** A key holds the id of an order, of 1,000 characters at most. */
const LONGEST_CURSOR = 4_000;

const EXPECTED = { en: "one that the list gave", es: "uno de los que da la lista" };

/** A place of a list in an address: nobody but us reads what is in it. */
export function cursorOf<Key>(place: Place<Key>): string {
  const bytes = new TextEncoder().encode(JSON.stringify([place.way, place.key]));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** The place that a cursor stands for; whatever else comes was not given by us. */
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
