import { SaxesParser, type SaxesTagNS } from "saxes";
import type { XmlElement } from "./xml.ts";

/** "declaration": a second or broken XML declaration, which the AEAT answers apart. */
export type XmlProblem = "malformed" | "encoding" | "declaration";

type XmlReading = { readonly root: XmlElement } | { readonly problem: XmlProblem };

const DEEPEST = 64;

/** Thrown inside this file only. */
class Unreadable extends Error {
  readonly problem: XmlProblem;
  constructor(problem: XmlProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** An element before its end tag. */
interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

/** XML 1.0 with namespaces. A DOCTYPE is refused, so nothing is ever expanded or fetched. */
export function readXml(source: string): XmlReading {
  try {
    return { root: rootOf(source) };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.problem };
    throw error;
  }
}

function rootOf(source: string): XmlElement {
  // saxes accepts a lone surrogate, which is no character.
  if (!source.isWellFormed()) throw new Unreadable("malformed");
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: "1.0" });
  const document: OpenElement = { namespace: "", name: "", attributes: [], children: [], text: "" };
  const open = [document];
  const addText = (text: string) => {
    const parent = open.at(-1);
    if (parent !== undefined) parent.text += text;
  };
  parser.on("error", () => {
    throw new Unreadable(isInDeclaration(source, parser.position) ? "declaration" : "malformed");
  });
  parser.on("doctype", () => {
    throw new Unreadable("malformed");
  });
  parser.on("xmldecl", ({ encoding = "UTF-8" }) => {
    if (!/^utf-?8$/i.test(encoding)) throw new Unreadable("encoding");
  });
  parser.on("opentag", (tag) => {
    const element = elementOf(tag);
    open.at(-1)?.children.push(element);
    open.push(element);
    if (open.length - 1 > DEEPEST) throw new Unreadable("malformed");
  });
  parser.on("closetag", () => open.pop());
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.write(source).close();
  const [root] = document.children;
  if (root === undefined) throw new Unreadable("malformed");
  return root;
}

/** The text that ends at the position is an XML declaration so far, in any case of its letters. */
function isInDeclaration(source: string, position: number): boolean {
  const start = source.lastIndexOf("<", position - 1);
  return /^<\?xml[\s?][^>]*>?$/i.test(source.slice(start, position));
}

function elementOf({ uri, local, attributes }: SaxesTagNS): OpenElement {
  const own = Object.values(attributes).filter(({ prefix, name }) => prefix !== "xmlns" && name !== "xmlns");
  return {
    namespace: uri,
    name: local,
    attributes: own.map((attribute) => ({
      namespace: attribute.uri,
      name: attribute.local,
      value: attribute.value,
    })),
    children: [],
    text: "",
  };
}
