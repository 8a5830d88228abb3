import type { XmlElement } from "./xml-tree.ts";

export type Element = XmlElement;

/** XML that is not the service's answer. Thrown and caught inside the reader only. */
export class Unexpected extends Error {}

export function childrenOf(parent: Element, namespace: string, name: string): readonly Element[] {
  return parent.children.filter((child) => child.namespace === namespace && child.name === name);
}

export function optionalChild(parent: Element, namespace: string, name: string): Element | undefined {
  const [only, another] = childrenOf(parent, namespace, name);
  if (another) throw new Unexpected(name);
  return only;
}

export function onlyChild(parent: Element, namespace: string, name: string): Element {
  const only = optionalChild(parent, namespace, name);
  if (!only) throw new Unexpected(name);
  return only;
}

/** Elements where a text is due are no text. */
export function textOf({ name, children, text }: Element): string {
  if (children.length > 0) throw new Unexpected(name);
  return text.trim();
}

/** Undefined for an absent and for an empty element. */
export function optionalText(parent: Element, namespace: string, name: string): string | undefined {
  const child = optionalChild(parent, namespace, name);
  return (child && textOf(child)) || undefined;
}

export function requiredText(parent: Element, namespace: string, name: string): string {
  const text = optionalText(parent, namespace, name);
  if (text === undefined) throw new Unexpected(name);
  return text;
}

export function oneOf<Value>(values: Readonly<Record<string, Value>>, text: string): Value {
  const value = Object.hasOwn(values, text) ? values[text] : undefined;
  if (value === undefined) throw new Unexpected(text);
  return value;
}

/** Up to six digits: codes and seconds have four. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new Unexpected(text);
  return Number(text);
}

/** Absent members where there is nothing to say. */
export function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  // A computed key loses its literal type.
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };
}
