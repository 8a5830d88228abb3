import { type Decimal, decimalFrom, digitsOf, round } from "../shared/decimal.ts";
import { JsonNumber, parseExactly } from "../shared/exact-json.ts";
import { hasInk, normalizeText } from "../shared/text.ts";

const MOST_INTEGER_DIGITS = 12;
/** Shops compute in binary: eight decimals remove the errors of the double and move no cent. */
const MOST_DECIMALS = 8;
const LONGEST_NUMBER = 100;
const LONGEST_ID = 120;
const NOT_PRINTABLE = /[\p{Cc}\uFFFE\uFFFF]+/gu;
const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false, "1": true, "0": false };

/**
 * A place in a shop's document. Reading never throws: a member that is absent or of another type is an empty
 * place. Documents of JSON have exact numbers (`readJson`), those of XML have only text.
 */
export class Native {
  readonly value: unknown;
  /** `line_items.2.total`; empty for the document itself. */
  readonly where: string;

  constructor(value: unknown, where = "") {
    this.value = value;
    this.where = where;
  }

  at(...names: readonly string[]): Native {
    let place: Native = this;
    for (const name of names) place = new Native(ownMember(place.value, name), joined(place.where, name));
    return place;
  }

  /** The first of several spellings that is not empty; the first one if all are. */
  first(...names: readonly string[]): Native {
    const places = names.map((name) => this.at(...name.split(".")));
    return places.find((place) => !place.isEmpty) ?? this.at(...(names[0] ?? "").split("."));
  }

  /** Absent, null, blank text, or an empty list: PHP writes an empty object as one. */
  get isEmpty(): boolean {
    const { value } = this;
    if (value === undefined || value === null) return true;
    if (typeof value === "string") return value.trim() === "";
    return Array.isArray(value) && value.length === 0;
  }

  get isList(): boolean {
    return Array.isArray(this.value);
  }

  get isObject(): boolean {
    return isObject(this.value);
  }

  /** PHP writes a list with gaps as an object with numbers as names. */
  items(): readonly Native[] {
    const { value } = this;
    if (Array.isArray(value)) return value.map((item, index) => new Native(item, joined(this.where, index)));
    if (!isObject(value)) return [];
    const names = Object.keys(value);
    return names.every((name) => /^\d+$/.test(name)) ? names.map((name) => this.at(name)) : [];
  }

  /** Text as documents keep it, cut to its longest; undefined for blank text. Numbers count as text. */
  text(longest = 1_000): string | undefined {
    const source = sourceOf(this.value);
    if (source === undefined) return undefined;
    const clean = normalizeText(
      source
        .slice(0, longest * 8)
        .toWellFormed()
        .replace(NOT_PRINTABLE, " "),
    );
    const cut = [...clean].slice(0, longest).join("").trim();
    return hasInk(cut) ? cut : undefined;
  }

  /** 0 is the id of nothing on these platforms. */
  id(longest = LONGEST_ID): string | undefined {
    const text = this.text(longest);
    return text === "0" ? undefined : text;
  }

  /** A number or numeric text, exact; undefined for anything else. */
  amount(): Decimal | undefined {
    const source = sourceOf(this.value)?.trim();
    if (source === undefined || source.length > LONGEST_NUMBER) return undefined;
    const exact = decimalFrom(source.replace(/^\+/, "").replace(/^(-?)\./, "$10."));
    if (exact === undefined) return undefined;
    const { integer, fraction } = digitsOf(exact);
    if (integer > MOST_INTEGER_DIGITS) return undefined;
    return fraction > MOST_DECIMALS ? round(exact, MOST_DECIMALS) : exact;
  }

  flag(): boolean | undefined {
    if (typeof this.value === "boolean") return this.value;
    const source = sourceOf(this.value)?.trim().toLowerCase();
    return source === undefined || !Object.hasOwn(FLAGS, source) ? undefined : FLAGS[source];
  }
}

/** No document of a shop is so deep, and reading and writing it again takes a call for each level. */
const DEEPEST = 100;

/**
 * A JSON document with every digit of its numbers; undefined for a text that is none, or nested too deeply.
 */
export function readJson(text: string): Native | undefined {
  if (isDeep(text)) return undefined;
  try {
    return new Native(parseExactly(text));
  } catch {
    return undefined;
  }
}

function isDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInText) {
      if (character === "\\") at += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === "{" || character === "[") {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (character === "}" || character === "]") depth -= 1;
  }
  return false;
}

/** The entry of a table by an id that comes from outside. */
export function lookedUp<Value>(
  table: Readonly<Record<string, Value>> | undefined,
  id: string | undefined,
): Value | undefined {
  return table && id !== undefined && Object.hasOwn(table, id) ? table[id] : undefined;
}

function sourceOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (value instanceof JsonNumber) return value.source;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : undefined;
}

function isObject(value: unknown): value is object {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}

function ownMember(value: unknown, name: string): unknown {
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function joined(where: string, name: string | number): string {
  return where === "" ? String(name) : `${where}.${name}`;
}
