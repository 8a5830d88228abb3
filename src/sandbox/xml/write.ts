/** Writes answers, and received XML for people. */
import { INFORMATION, XML_SIGNATURE, type XmlElement } from "./tree.ts";

/** An element around text; nothing when there is none. */
export function textElement(name: string, text: string | undefined): string {
  return text === undefined ? "" : `<${name}>${escaped(text)}</${name}>`;
}

/** An element around elements that are written already; nothing when there are none. */
export function parentElement(name: string, children: readonly string[], namespaces = ""): string {
  const content = children.join("");
  return content === "" ? "" : `<${name}${namespaces}>${content}</${name}>`;
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** An element as it was read, under a prefix of ours and without its attributes. */
export function rewritten(element: XmlElement, prefix: string): string {
  const name = `${prefix}:${element.name}`;
  if (element.children.length === 0) return `<${name}>${escaped(element.text)}</${name}>`;
  return `<${name}>${element.children.map((child) => rewritten(child, prefix)).join("")}</${name}>`;
}

/** A record as a separate document, indented. The signature is omitted, because the sandbox checks none. */
export function documentOf(record: XmlElement): string {
  const [first = "", ...others] = indented(record, 0);
  return [first.replace(/^(<[^>]+)>/, `$1 xmlns:sf="${INFORMATION}">`), ...others].join("\n");
}

function indented(element: XmlElement, depth: number): string[] {
  const indent = "  ".repeat(depth);
  const name = `sf:${element.name}`;
  const children = element.children.filter(({ namespace }) => namespace !== XML_SIGNATURE);
  if (children.length === 0) return [`${indent}<${name}>${escaped(element.text)}</${name}>`];
  return [
    `${indent}<${name}>`,
    ...children.flatMap((child) => indented(child, depth + 1)),
    `${indent}</${name}>`,
  ];
}
