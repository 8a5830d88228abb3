/** PrestaShop's XML, as the JSON that its webservice writes of the same document, and back. */
import { SaxesParser } from "saxes";
import { type Doc, docsOf, isDoc, textOf, Unusable } from "./documents.ts";

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** The members of `<prestashop>`. Throws `Unusable` for anything that is no such document. */
export function fromXml(source: string): Doc {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new SaxesParser();
  const addText = (text: string) => {
    const parent = open.at(-1);
    if (parent) parent.text += text;
  };
  parser.on("error", (error) => {
    throw new Unusable(`The XML cannot be read: ${error.message}`);
  });
  parser.on("doctype", () => {
    throw new Unusable("The XML may have no DOCTYPE.");
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes, children: [], text: "" };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => void open.pop());
  parser.write(source).close();
  const [document] = root.children;
  if (document?.name !== "prestashop") throw new Unusable("The XML has no element <prestashop>.");
  return membersOf(document);
}

function membersOf({ children }: Element): Doc {
  return Object.fromEntries(children.map((child) => [child.name, readValue(child)]));
}

function readValue(element: Element): unknown {
  const { name, attributes, children, text } = element;
  if (children.length === 0) return name === "associations" ? {} : text.trim();
  if (children.every((child) => child.name === "language")) {
    return children.map((child) => ({ id: child.attributes.id ?? "", value: child.text.trim() }));
  }
  const isList = "nodeType" in attributes || isListOf(children, name);
  return isList
    ? children.map((child) => (child.children.length > 0 ? membersOf(child) : child.text.trim()))
    : membersOf(element);
}

/** `<order_slips>` of several `<order_slip>`. */
function isListOf(children: readonly Element[], name: string): boolean {
  const [first] = children;
  return (
    first !== undefined && children.every((child) => child.name === first.name) && name === `${first.name}s`
  );
}

export function toXml(members: Doc, singularOf: (plural: string) => string): string {
  const inner = Object.entries(members).map(([name, value]) => elementOf(name, value, singularOf));
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<prestashop xmlns:xlink="http://www.w3.org/1999/xlink">\n' +
    `${inner.join("")}</prestashop>\n`
  );
}

function elementOf(name: string, value: unknown, singularOf: (plural: string) => string): string {
  if (Array.isArray(value)) {
    const isOfLanguages =
      value.length > 0 && docsOf(value).every((entry) => "value" in entry && "id" in entry);
    const child = singularOf(name);
    const children = isOfLanguages
      ? docsOf(value).map(({ id, value: text }) => `<language id="${textOf(id)}">${cdata(text)}</language>`)
      : value.map((entry) => elementOf(child, entry, singularOf));
    const kind = isOfLanguages ? "" : ` nodeType="${child}"`;
    return `<${name}${kind}>${children.join("")}</${name}>\n`;
  }
  if (isDoc(value)) {
    const inner = Object.entries(value).map(([each, below]) => elementOf(each, below, singularOf));
    return `<${name}>${inner.join("")}</${name}>\n`;
  }
  return `<${name}>${cdata(value)}</${name}>\n`;
}

function cdata(value: unknown): string {
  const text = textOf(value) ?? "";
  return text === "" ? "" : `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}
