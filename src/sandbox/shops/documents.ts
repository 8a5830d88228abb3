/** Documents as shops keep them: JSON whose numbers keep every digit, ids above 2^53 among them. */

export type Doc = Readonly<Record<string, unknown>>;

/** A number stays text inside unless JavaScript writes it as it was sent. */
export function readExact(text: string): unknown {
  return JSON.parse(text, (_, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source
      ? JSON.rawJSON(source)
      : value,
  );
}

export function isDoc(value: unknown): value is Doc {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

function isRawNumber(value: object): value is { readonly rawJSON: string } {
  return "rawJSON" in value && Object.getPrototypeOf(value) === null;
}

/** Text or number as text; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  return typeof value === "object" && value !== null && isRawNumber(value) ? value.rawJSON : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function docsOf(value: unknown): readonly Doc[] {
  return listOf(value).filter(isDoc);
}

export function member(value: unknown, ...path: readonly string[]): unknown {
  let place = value;
  for (const name of path) place = isDoc(place) && Object.hasOwn(place, name) ? place[name] : undefined;
  return place;
}

/** An id as JSON number, with all of its digits. */
export function numberOf(id: string): unknown {
  const number = Number(id);
  return String(number) === id ? number : JSON.rawJSON(id);
}

/** A document that the control cannot take; the message says what to send. */
export class Unusable extends Error {}

/** Without the members that are undefined. */
export function present(doc: Doc): Doc {
  return Object.fromEntries(Object.entries(doc).filter(([, value]) => value !== undefined));
}

/** The document inside `{ "data": { ... } }` or `{ "order": { ... } }`. */
export function unwrapped(sent: unknown, ...names: readonly string[]): unknown {
  const name = names.find((each) => typeof member(sent, each) === "object" && member(sent, each) !== null);
  return name !== undefined && member(sent, "id") === undefined ? member(sent, name) : sent;
}

/** The document with its id, which must be the one of the path. */
export function withId(doc: Doc, id: string, name = "id"): Doc {
  const own = textOf(doc[name]);
  if (own !== undefined && own !== id) {
    throw new Unusable(`The document's ${name} is ${own}: put it under ${own}, not under ${id}.`);
  }
  return own === undefined ? { [name]: numberOf(id), ...doc } : doc;
}
