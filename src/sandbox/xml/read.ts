/**
 * A strict reader of XML 1.0 with namespaces. It knows no document type: a DOCTYPE is refused, so nothing is
 * ever expanded or fetched.
 */
import { hasForbiddenCharacter, QUALIFIED_NAME, withoutReferences } from "./characters.ts";
import { emptyScope, type Scope, withDeclarations } from "./scope.ts";
import type { XmlElement } from "./tree.ts";

/** "declaration": a second XML declaration, which the AEAT answers apart. */
export type XmlProblem = "malformed" | "encoding" | "declaration";

export type XmlReading = { readonly root: XmlElement } | { readonly problem: XmlProblem };

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
