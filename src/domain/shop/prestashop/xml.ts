import { SaxesParser } from "saxes";

/** No document of a webservice is nested deeper. */
const DEEPEST = 50;

interface Element {
  readonly name: string;
  readonly members: Map<string, unknown>;
  text: string;
}

/** Thrown inside this file only. */
class Unreadable extends Error {}

/**
 * The members of the root of an XML document of PrestaShop, as a tree of texts: an element with others is an
 * object, repeated ones are a list, and attributes do not count. Undefined for a text that is not well-formed
 * or that declares a document type.
 */
export function readXml(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return membersIn(text);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function membersIn(text: string): Readonly<Record<string, unknown>> {
  // saxes accepts a lone surrogate, which is no character.
  if (!text.isWellFormed()) throw new Unreadable();
  // Prefixes are only cut off: modules leave their declarations out.
  const parser = new SaxesParser({ xmlns: false, forceXMLVersion: true, defaultXMLVersion: "1.0" });
  const document: Element = { name: "", members: new Map(), text: "" };
  const open = [document];
  const refuse = () => {
    throw new Unreadable();
  };
  const addText = (characters: string) => {
    const current = open.at(-1);
    if (current) current.text += characters;
  };
  parser.on("error", refuse);
  parser.on("doctype", refuse);
  parser.on("opentag", ({ name }) => {
    if (open.length > DEEPEST) refuse();
    open.push({ name: name.slice(name.indexOf(":") + 1), members: new Map(), text: "" });
  });
  parser.on("closetag", () => {
    const [closed, parent] = [open.pop(), open.at(-1)];
    if (!closed || !parent) return;
    // The root has members only, whatever stands between them.
    const isRoot = parent === document;
    addMember(parent, closed.name, closed.members.size > 0 || isRoot ? objectOf(closed) : closed.text.trim());
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.write(text).close();
  const [root = {}] = document.members.values();
  return root as Readonly<Record<string, unknown>>;
}

/** Own members only, also one called `__proto__`. */
function objectOf({ members }: Element): Readonly<Record<string, unknown>> {
  return Object.fromEntries(members);
}

function addMember({ members }: Element, name: string, value: unknown): void {
  const before = members.get(name);
  if (!members.has(name)) members.set(name, value);
  else if (Array.isArray(before)) before.push(value);
  else members.set(name, [before, value]);
}
