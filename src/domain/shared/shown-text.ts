import { ACTIVITY_LINE_BYTES, SHOWN_TEXT_CHARACTERS } from "../limits.ts";

const LONGEST = 300;

/** The facts of a line, cut for a list; `more` counts the omitted ones. */
export function shownFacts(facts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const all = Object.entries(facts);
  const shown: [string, string][] = [];
  let bytes = 0;
  for (const [name, value] of all) {
    const letters = [...value];
    const cut = letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : value;
    bytes += new TextEncoder().encode(JSON.stringify([name, cut])).length;
    if (bytes > ACTIVITY_LINE_BYTES) break;
    shown.push([name, cut]);
  }
  const left = all.length - shown.length;
  return Object.fromEntries(left === 0 ? shown : [...shown, ["more", String(left)]]);
}

const SHOWN = 3;

/** An identifier as the audit log may have it: its last characters, where it has more than twice as many. */
export function masked(identifier: string): string {
  const characters = [...identifier];
  const isLong = characters.length > 2 * SHOWN;
  return characters
    .map((each, index) => (isLong && index >= characters.length - SHOWN ? each : "*"))
    .join("");
}

/** A shop's text, cut for a list of hundreds. */
export function shownText(text: string): string {
  const letters = [...text];
  return letters.length > SHOWN_TEXT_CHARACTERS
    ? `${letters.slice(0, SHOWN_TEXT_CHARACTERS - 1).join("")}…`
    : text;
}

/** A store with name and address cut for a list. */
export function shownStore<Store extends { readonly name?: string; readonly url?: string }>(
  store: Store,
): Store {
  const { name, url } = store;
  return {
    ...store,
    ...(name === undefined ? {} : { name: shownText(name) }),
    ...(url === undefined ? {} : { url: shownText(url) }),
  };
}
