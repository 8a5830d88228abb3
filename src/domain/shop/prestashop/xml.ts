/** The characters that XML itself names. */
const NAMED: Readonly<Record<string, string>> = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' };

/** No document of a webservice is so deep. */
const DEEPEST = 50;

const NAME = "[A-Za-z_][\\w.:-]*";
const ATTRIBUTES = `(?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*`;
const TOKEN = new RegExp(
  [
    "<\\?[^>]*\\?>",
    "<!--[\\s\\S]*?-->",
    "<!\\[CDATA\\[(?<data>[\\s\\S]*?)\\]\\]>",
    `</(?<end>${NAME})\\s*>`,
    `<(?<start>${NAME})${ATTRIBUTES}\\s*(?<empty>/)?>`,
    "(?<text>[^<]+)",
  ].join("|"),
  "y",
);

interface Element {
  readonly name: string;
  readonly members: Map<string, unknown>;
  text: string;
}

/**
 * The members of the root of an XML document of PrestaShop, as a tree of texts: an element with others is an
 * object, repeated ones are a list, and attributes do not count. Undefined for a text that is not well-formed
 * or that declares a document type.
 */
export function readXml(text: string): Readonly<Record<string, unknown>> | undefined {
  const open: Element[] = [];
  let root: Element | undefined;
  const end = text.length;
  TOKEN.lastIndex = text.startsWith("\uFEFF") ? 1 : 0;
  while (TOKEN.lastIndex < end) {
    const { groups } = TOKEN.exec(text) ?? {};
    if (groups === undefined) return undefined;
    const current = open.at(-1);
    const { data, end: ended, start, empty, text: characters } = groups;
    const decoded = data ?? (characters === undefined ? "" : decodedText(characters));
    if (decoded === undefined || (current === undefined && decoded.trim() !== "")) return undefined;
    if (current) current.text += decoded;
    if (start !== undefined) {
      if ((current === undefined && root !== undefined) || open.length >= DEEPEST) return undefined;
      const element: Element = { name: start, members: new Map(), text: "" };
      root ??= element;
      open.push(element);
    }
    const closing = ended ?? (empty === undefined ? undefined : start);
    if (closing === undefined) continue;
    const closed = open.pop();
    if (closed?.name !== closing) return undefined;
    const parent = open.at(-1);
    if (parent) addMember(parent, closed);
  }
  if (root === undefined || open.length > 0) return undefined;
  return Object.fromEntries(root.members);
}

function addMember({ members }: Element, { name, members: own, text }: Element): void {
  const local = name.slice(name.indexOf(":") + 1);
  const value = own.size > 0 ? Object.fromEntries(own) : text.trim();
  if (!members.has(local)) members.set(local, value);
  else {
    const before = members.get(local);
    if (Array.isArray(before)) before.push(value);
    else members.set(local, [before, value]);
  }
}

function decodedText(text: string): string | undefined {
  let isSound = true;
  const decoded = text.replace(/&([^;&\s]{0,12};?)/g, (_, entity: string) => {
    const character = entity.endsWith(";") ? characterOf(entity.slice(0, -1)) : undefined;
    if (character === undefined) isSound = false;
    return character ?? "";
  });
  return isSound ? decoded : undefined;
}

function characterOf(entity: string): string | undefined {
  if (Object.hasOwn(NAMED, entity)) return NAMED[entity];
  const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(entity) ?? [];
  if (hex === undefined && decimal === undefined) return undefined;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
