/** Namespaces in XML 1.0: the meaning of prefixes, from one element down. */
import type { XmlAttribute } from "./tree.ts";

const XML = "http://www.w3.org/XML/1998/namespace";
const XMLNS = "http://www.w3.org/2000/xmlns/";

/** Namespace by prefix; "" is the default one. */
export type Scope = Readonly<Record<string, string>>;

export const emptyScope: Scope = { "": "", xml: XML };

export interface NamedElement {
  readonly scope: Scope;
  readonly element: {
    readonly namespace: string;
    readonly name: string;
    readonly attributes: readonly XmlAttribute[];
  };
}

/** The element's names under its own declarations; undefined if a prefix is unknown. */
export function withDeclarations(
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
