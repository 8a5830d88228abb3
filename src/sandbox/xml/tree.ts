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

export function trimmed(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what Java's String.trim() takes away.
  return text.replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, "");
}
