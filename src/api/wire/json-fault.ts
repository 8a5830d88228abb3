/** What makes a text no request of ours although JSON.parse takes it. */
export type JsonFault =
  | { readonly kind: "repeated_member"; readonly member: string }
  | { readonly kind: "too_deep" };

/** Deeper than any request of ours by far; a reviver recurses, so depth must have an end. */
export const DEEPEST_NESTING = 32;

/**
 * JSON.parse keeps the last of two members with one name in silence, which in a fiscal request must not
 * happen. The text has been parsed once before, so it is known to be JSON and the scan need not prove it.
 */
export function faultOfJson(text: string): JsonFault | undefined {
  const open: (Set<string> | undefined)[] = [];
  let nameIsNext = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      const members = open.at(-1);
      if (nameIsNext && members) {
        const member = stringAt(text, at, end);
        if (members.has(member)) return { kind: "repeated_member", member };
        members.add(member);
      }
      nameIsNext = false;
      at = end;
    } else if (character === "{" || character === "[") {
      open.push(character === "{" ? new Set() : undefined);
      if (open.length > DEEPEST_NESTING) return { kind: "too_deep" };
      nameIsNext = character === "{";
    } else if (character === "}" || character === "]") {
      open.pop();
    } else if (character === ",") {
      nameIsNext = open.at(-1) !== undefined;
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** Names are compared unescaped: "\u0061" is "a". */
function stringAt(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  return raw.includes("\\") ? String(JSON.parse(text.slice(start, end + 1))) : raw;
}
