/** The characters of XML 1.0 and of its names, and character references. */

const FIRST =
  "A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}" +
  "\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}" +
  "\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}";
const LATER = `${FIRST}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}`;
const NAME = `[${FIRST}][${LATER}]*`;

/** A name that may have one prefix. */
export const QUALIFIED_NAME = `(?:${NAME}:)?${NAME}`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML forbids.
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/u;

export function hasForbiddenCharacter(text: string): boolean {
  return FORBIDDEN.test(text);
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const REFERENCE = /&(?:#(\d+)|#x([0-9a-fA-F]+)|([^;&\s]+));|&/g;

/** The text with references replaced; undefined if one is unknown. No document defines its own. */
export function withoutReferences(text: string): string | undefined {
  if (!text.includes("&")) return text;
  let isBroken = false;
  const decoded = text.replace(REFERENCE, (_, decimal?: string, hex?: string, name?: string) => {
    const character = name === undefined ? numbered(decimal, hex) : NAMED[name];
    if (character === undefined) isBroken = true;
    return character ?? "";
  });
  return isBroken ? undefined : decoded;
}

function numbered(decimal?: string, hex?: string): string | undefined {
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  if (!Number.isInteger(code) || code > 0x10_ffff || code === 0) return undefined;
  const character = String.fromCodePoint(code);
  return hasForbiddenCharacter(character) ? undefined : character;
}
