import type { XmlAttribute, XmlElement } from "./xml.ts";

/** The characters of XML 1.0 and of its names, and character references. */

const FIRST =
  "A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}" +
  "\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}" +
  "\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}";
const LATER = `${FIRST}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}`;
const NAME = `[${FIRST}][${LATER}]*`;

/** A name that may have one prefix. */
const QUALIFIED_NAME = `(?:${NAME}:)?${NAME}`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML forbids.
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/u;

function hasForbiddenCharacter(text: string): boolean {
  return FORBIDDEN.test(text);
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const REFERENCE = /&(?:#(\d+)|#x([0-9a-fA-F]+)|([^;&\s]+));|&/g;

/** The text with references replaced; undefined if one is unknown. No document defines its own. */
function withoutReferences(text: string): string | undefined {
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

/**
 * A strict reader of XML 1.0 with namespaces. It knows no document type: a DOCTYPE is refused, so nothing is
 * ever expanded or fetched.
 */

/** "declaration": a second XML declaration, which the AEAT answers apart. */
export type XmlProblem = "malformed" | "encoding" | "declaration";

type XmlReading = { readonly root: XmlElement } | { readonly problem: XmlProblem };

const DEEPEST = 64;

export function readXml(source: string): XmlReading {
  try {
    return { root: new Reading(source).document() };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.kind };
    throw error;
  }
}

/** Thrown inside this file only. */
class Problem extends Error {
  readonly kind: XmlProblem;
  constructor(kind: XmlProblem = "malformed") {
    super(kind);
    this.kind = kind;
  }
}

type Literal = readonly [name: string, value: string];

/** An element before its end tag. */
interface Open {
  readonly tag: string;
  readonly scope: Scope;
  readonly element: XmlElement & { text: string };
  readonly children: XmlElement[];
}

const VALUE = `("[^"<]*"|'[^'<]*')`;
const DECLARATION = new RegExp(
  `^<\\?xml\\s+version\\s*=\\s*["']1\\.\\d+["'](?:\\s+encoding\\s*=\\s*${VALUE})?` +
    `(?:\\s+standalone\\s*=\\s*["'](?:yes|no)["'])?\\s*\\?>`,
);
const INSTRUCTION = new RegExp(`<\\?(${QUALIFIED_NAME})(?=\\s|\\?>)`, "uy");
const END_TAG = new RegExp(`</(${QUALIFIED_NAME})\\s*>`, "uy");
const START_TAG = new RegExp(`<(${QUALIFIED_NAME})`, "uy");
const ATTRIBUTE = new RegExp(`\\s+(${QUALIFIED_NAME})\\s*=\\s*${VALUE}`, "uy");
const TAG_END = /\s*(\/?)>/y;

class Reading {
  readonly #source: string;
  #at = 0;
  #root: XmlElement | undefined;
  readonly #open: Open[] = [];

  constructor(source: string) {
    this.#source = source.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
    if (hasForbiddenCharacter(this.#source)) throw new Problem();
  }

  document(): XmlElement {
    this.#declaration();
    while (this.#at < this.#source.length) {
      if (this.#source[this.#at] === "<") this.#markup();
      else this.#characters();
    }
    if (this.#open.length > 0 || this.#root === undefined) throw new Problem();
    return this.#root;
  }

  #declaration(): void {
    const found = DECLARATION.exec(this.#source);
    if (found === null) return;
    const encoding = found[1]?.slice(1, -1) ?? "UTF-8";
    if (!/^utf-?8$/i.test(encoding)) throw new Problem("encoding");
    this.#at = found[0].length;
  }

  #markup(): void {
    const startsWith = (text: string) => this.#source.startsWith(text, this.#at);
    if (startsWith("<?")) this.#instruction();
    else if (startsWith("<!--")) this.#comment();
    else if (startsWith("<![CDATA[")) this.#addText(this.#upTo("<![CDATA[", "]]>"));
    else if (startsWith("</")) this.#endTag();
    else this.#startTag();
  }

  #instruction(): void {
    const [, target = ""] = this.#take(INSTRUCTION);
    if (target.toLowerCase() === "xml") throw new Problem("declaration");
    if (target.includes(":")) throw new Problem();
    this.#upTo("", "?>");
  }

  #comment(): void {
    // Two dashes end a comment, so they must be its end.
    this.#upTo("<!--", "--");
    if (this.#source[this.#at] !== ">") throw new Problem();
    this.#at += 1;
  }

  #characters(): void {
    const next = this.#source.indexOf("<", this.#at);
    const end = next === -1 ? this.#source.length : next;
    const text = this.#source.slice(this.#at, end);
    this.#at = end;
    if (this.#open.length === 0) {
      if (/[^ \t\n]/.test(text)) throw new Problem();
      return;
    }
    const decoded = text.includes("]]>") ? undefined : withoutReferences(text);
    if (decoded === undefined) throw new Problem();
    this.#addText(decoded);
  }

  #addText(text: string): void {
    const parent = this.#open.at(-1);
    if (parent === undefined) throw new Problem();
    parent.element.text += text;
  }

  #startTag(): void {
    const [, tag = ""] = this.#take(START_TAG);
    const literals = this.#attributes();
    const [, closed] = this.#take(TAG_END);
    const isSecondRoot = this.#open.length === 0 && this.#root !== undefined;
    if (isSecondRoot || this.#open.length >= DEEPEST) throw new Problem();
    const scope = withDeclarations(this.#open.at(-1)?.scope ?? emptyScope, tag, literals);
    if (scope === undefined) throw new Problem();
    const children: XmlElement[] = [];
    const { namespace, name, attributes: resolved } = scope.element;
    const element = { namespace, name, attributes: resolved, children, text: "" };
    this.#open.push({ tag, scope: scope.scope, element, children });
    if (closed) this.#close();
  }

  #attributes(): Literal[] {
    const literals: Literal[] = [];
    for (let found = this.#match(ATTRIBUTE); found !== null; found = this.#match(ATTRIBUTE)) {
      const [, name = "", quoted = ""] = found;
      const value = withoutReferences(quoted.slice(1, -1).replace(/[\t\n]/g, " "));
      if (value === undefined) throw new Problem();
      literals.push([name, value]);
    }
    return literals;
  }

  #endTag(): void {
    const [, tag] = this.#take(END_TAG);
    if (this.#open.at(-1)?.tag !== tag) throw new Problem();
    this.#close();
  }

  #close(): void {
    const done = this.#open.pop();
    if (done === undefined) throw new Problem();
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#root = done.element;
    else parent.children.push(done.element);
  }

  /** The text between `start`, which is here, and the next `end`; moves past that. */
  #upTo(start: string, end: string): string {
    const from = this.#at + start.length;
    const to = this.#source.indexOf(end, from);
    if (to === -1) throw new Problem();
    this.#at = to + end.length;
    return this.#source.slice(from, to);
  }

  /** Matches the pattern here and moves past it. */
  #take(pattern: RegExp): RegExpExecArray {
    const found = this.#match(pattern);
    if (found === null) throw new Problem();
    return found;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}

/** Namespaces in XML 1.0: the meaning of prefixes, from one element down. */

const XML = "http://www.w3.org/XML/1998/namespace";
const XMLNS = "http://www.w3.org/2000/xmlns/";

/** Namespace by prefix; "" is the default one. */
type Scope = Readonly<Record<string, string>>;

const emptyScope: Scope = { "": "", xml: XML };

interface NamedElement {
  readonly scope: Scope;
  readonly element: {
    readonly namespace: string;
    readonly name: string;
    readonly attributes: readonly XmlAttribute[];
  };
}

/** The element's names under its own declarations; undefined if a prefix is unknown. */
function withDeclarations(
  outer: Scope,
  tag: string,
  literals: readonly (readonly [name: string, value: string])[],
): NamedElement | undefined {
  if (new Set(literals.map(([name]) => name)).size < literals.length) return undefined;
  const scope = { ...outer };
  for (const [name, value] of literals) {
    const prefix = declaredPrefix(name);
    if (prefix === undefined) continue;
    if (!mayDeclare(prefix, value)) return undefined;
    scope[prefix] = value;
  }
  const own = resolve(tag, scope, scope[""] ?? "");
  const attributes = literals
    .filter(([name]) => declaredPrefix(name) === undefined)
    .map(([name, value]) => ({ ...resolve(name, scope, ""), value }));
  if (own?.namespace === undefined || !attributes.every(isResolved)) return undefined;
  const expanded = new Set(attributes.map(({ namespace, name }) => `${namespace} ${name}`));
  if (expanded.size < attributes.length) return undefined;
  return { scope, element: { ...own, attributes } };
}

function isResolved(attribute: {
  readonly value: string;
  readonly name?: string;
}): attribute is XmlAttribute {
  return attribute.name !== undefined;
}

function declaredPrefix(name: string): string | undefined {
  if (name === "xmlns") return "";
  return name.startsWith("xmlns:") ? name.slice("xmlns:".length) : undefined;
}

function mayDeclare(prefix: string, value: string): boolean {
  if (prefix === "xmlns" || value === XMLNS) return false;
  if (prefix === "xml" || value === XML) return prefix === "xml" && value === XML;
  return prefix === "" || value !== "";
}

function resolve(
  qualified: string,
  scope: Scope,
  unprefixed: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const [prefix = "", local] = qualified.split(":");
  if (local === undefined) return { namespace: unprefixed, name: prefix };
  const namespace = Object.hasOwn(scope, prefix) ? scope[prefix] : undefined;
  return namespace === undefined ? undefined : { namespace, name: local };
}
