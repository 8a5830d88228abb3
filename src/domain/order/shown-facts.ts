import { ACTIVITY_LINE_BYTES } from "../limits.ts";

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
