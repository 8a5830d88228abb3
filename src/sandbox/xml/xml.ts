/** A parsed document: namespaces resolved, entities decoded, comments removed. */

export interface XmlAttribute {
  readonly namespace: string;
  readonly name: string;
  readonly value: string;
}

export interface XmlElement {
  readonly namespace: string;
  /** Without prefix. */
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
  /** The text directly inside it, including between its children. */
  readonly text: string;
}

export function childOf(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return parent?.children.find((child) => child.name === name);
}

export function childrenOf(parent: XmlElement | undefined, name: string): readonly XmlElement[] {
  return parent?.children.filter((child) => child.name === name) ?? [];
}

/** The element at the end of a path of names. */
export function elementAt(start: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((element, name) => childOf(element, name), start);
}

/** Its text, trimmed as the AEAT trims: up to and including U+0020, nothing of Unicode. */
export function textAt(start: XmlElement | undefined, ...path: readonly string[]): string | undefined {
  const text = elementAt(start, ...path)?.text;
  return text === undefined ? undefined : trimmed(text);
}

function trimmed(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what Java's String.trim() takes away.
  return text.replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, "");
}

/** Namespaces of the service, as its schemas name them. */
const BASE =
  "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/";

export const SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
export const XML_SIGNATURE = "http://www.w3.org/2000/09/xmldsig#";
export const INFORMATION = `${BASE}SuministroInformacion.xsd`;
export const SUBMISSION = `${BASE}SuministroLR.xsd`;
export const SUBMISSION_ANSWER = `${BASE}RespuestaSuministro.xsd`;
export const QUERY = `${BASE}ConsultaLR.xsd`;
export const QUERY_ANSWER = `${BASE}RespuestaConsultaLR.xsd`;

/** Writes answers, and received XML for people. */

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
