declare const markupBrand: unique symbol;

/** XML that is already escaped. A plain string is not, so the compiler keeps it out of a `branch`. */
export type Markup = string & { readonly [markupBrand]: "Markup" };

/** Namespace names by prefix; the empty prefix stands for elements without one. */
export type Namespaces = Readonly<Record<string, string>>;

/** Attribute values by name. */
export type Attributes = Readonly<Record<string, string>>;

/** An element that holds text; nothing at all when the value is absent. */
export function leaf(name: string, value: string | undefined, attributes: Attributes = {}): Markup {
  if (value === undefined) return NOTHING;
  return markup(`<${name}${attributesText(attributes)}>${escapeText(value)}</${name}>`);
}

/** No element. */
export const NOTHING: Markup = markup("");

/** An element that is S for `true` and absent otherwise. */
export function flag(name: string, value: boolean | undefined): Markup {
  return leaf(name, value ? "S" : undefined);
}

export function yesNo(name: string, value: boolean): Markup {
  return leaf(name, value ? "S" : "N");
}

/** An element that holds elements, in the order given, which for the AEAT is the one of its XSD. */
export function branch(name: string, children: readonly Markup[], namespaces: Namespaces = {}): Markup {
  const content = children.join("");
  return markup(content ? `<${name}${declarations(namespaces)}>${content}</${name}>` : `<${name}/>`);
}

/** A branch without children is left out. */
export function branchOfSome(name: string, children: readonly Markup[]): Markup {
  return children.every((child) => child === "") ? NOTHING : branch(name, children);
}

/** As Canonical XML 1.0 writes an element: attributes by name, and an end tag even without content. */
export function element(name: string, attributes: Attributes, children: readonly Markup[] = []): Markup {
  return markup(`<${name}${attributesText(attributes)}>${children.join("")}</${name}>`);
}

/** By name, as Canonical XML sorts them. */
function attributesText(attributes: Attributes): string {
  return Object.entries(attributes)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`)
    .join("");
}

/** The element with the namespaces declared in its start tag, before its attributes. */
export function declaring(whole: Markup, namespaces: Namespaces): Markup {
  return markup(whole.replace(/^<[^\s>]+/, (tag) => tag + declarations(namespaces)));
}

/** The element with one more child, after all others. */
export function appended(parent: Markup, child: Markup): Markup {
  const end = parent.lastIndexOf("</");
  return markup(parent.slice(0, end) + child + parent.slice(end));
}

/** A branch that repeats one element; nothing at all when there are no items, as the XSD asks for one. */
export function list<Item>(
  name: string,
  items: readonly Item[] | undefined,
  write: (item: Item) => Markup,
): Markup {
  return items?.length ? branch(name, items.map(write)) : markup("");
}

function declarations(namespaces: Namespaces): string {
  return Object.entries(namespaces)
    .map(([prefix, uri]) => ` ${prefix === "" ? "xmlns" : `xmlns:${prefix}`}="${uri}"`)
    .join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#x9;",
  "\n": "&#xA;",
  "\r": "&#xD;",
};

const PLAIN = /^[\w .:,/-]*$/;

/** XML 1.0 has three control characters; a carriage return as it is would be read as a line feed. */
function escapeText(text: string): string {
  // Most texts are names of codes, dates and amounts.
  if (PLAIN.test(text)) return text;
  return text.replace(/[&<>\p{Cc}\uFFFE\uFFFF]/gu, (character) => {
    if (character === "\t" || character === "\n") return character;
    return ENTITIES[character] ?? "";
  });
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<"\t\n\r]/g, (character) => ENTITIES[character] ?? character);
}

/** The one place where a string becomes Markup: every caller above has escaped its text. */
function markup(text: string): Markup {
  return text as Markup;
}

// The services answer to `tike`, although the schemas are published under `tikeV1.0` and on another host.
const AEAT =
  "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/";

export const SOAP_NAMESPACE = "http://schemas.xmlsoap.org/soap/envelope/";
export const SF_NAMESPACE = `${AEAT}SuministroInformacion.xsd`;
export const SFLR_NAMESPACE = `${AEAT}SuministroLR.xsd`;
export const SFLRC_NAMESPACE = `${AEAT}ConsultaLR.xsd`;
