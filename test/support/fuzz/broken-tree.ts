import fc from "fast-check";
import { BROKEN_TEXTS, type Draw, HARD_NUMBERS, PLAIN_TEXTS, PROTOTYPE_NAMES } from "./draw.ts";
import { type JsonSchema, type SchemaType, typesOf } from "./json-schema.ts";
import {
  changedAt,
  isList,
  kindOf,
  type Member,
  Members,
  Numeral,
  type Path,
  type Tree,
  treeOf,
} from "./tree.ts";

/** A value that is right but for one place. */

interface Place {
  readonly path: Path;
  readonly schema: JsonSchema;
  readonly value: Tree;
}

interface Fault {
  readonly kind: TreeFaultKind;
  /** What exactly, if the kind does not say it. */
  readonly name?: string;
  readonly change: (value: Tree) => Tree | undefined;
}

export const TREE_FAULT_KINDS = [
  ...(["gone", "null", "a boolean", "another type", "nested deep"] as const),
  ...(["one character too many", "as long as allowed, in pairs", "a large text", "a broken text"] as const),
  ...(["a plain text", "a name of a prototype", "a hard number for text", "an odd date"] as const),
  ...(["a hard number", "a number in quotes", "below zero", "zero", "below its minimum"] as const),
  ...(["above its maximum", "NaN", "a leading zero", "a leading plus"] as const),
  ...(["no digit before the point", "hexadecimal"] as const),
  ...(["a member gone", "an unknown member", "a member of a prototype", "an extra __proto__"] as const),
  ...(["an empty name", "half a pair as name", "a long name", "a member twice", "no members"] as const),
  ...(["no elements", "an empty element", "an element twice", "a list in a list"] as const),
  ...(["elements of any type", "one element too many"] as const),
] as const;
type TreeFaultKind = (typeof TREE_FAULT_KINDS)[number];

interface BrokenTree {
  readonly tree: Tree;
  readonly fault: string;
}

const LARGE_TEXT = 100_000;
const SHALLOW = 40;
const DEEP = 20_000;
const CHOICE = 4;

export function brokenTree(tree: Tree, schema: JsonSchema, draw: Draw): BrokenTree {
  const places = placesIn({ path: [], schema, value: tree });
  // A few places of a large body, so that a kind is met which only rare places can have.
  const some = Array.from({ length: CHOICE }, () => draw.any(places) ?? { path: [], schema, value: tree });
  const faults = some.flatMap((place) => faultsOf(place, draw).map((fault) => ({ ...fault, place })));
  const { kind, name, change, place } = draw.anyKind(faults) ?? { ...gone, place: { path: [] } };
  return {
    tree: changedAt(tree, place.path, change),
    fault: `${name ?? kind} at ${place.path.join(".") || "the top"}`,
  };
}

/** Another valid value in one place: the base of a random fault where the rest makes sense. */
export function variedTree(tree: Tree, schema: JsonSchema, draw: Draw): Tree {
  const place = draw.any(placesIn({ path: [], schema, value: tree }).slice(1));
  return place ? changedAt(tree, place.path, () => validTree(place.schema, draw)) : tree;
}

/** Every value within, with what the schema says of it. */
function placesIn(place: Place): Place[] {
  const { path, schema, value } = place;
  const branch = branchFor(schema, value);
  if (value instanceof Members) {
    const within = value.entries.flatMap(([name, own]) =>
      placesIn({ path: [...path, name], schema: memberOf(branch, name), value: own }),
    );
    return [place, ...within];
  }
  if (!isList(value)) return [place];
  const elements = value.map((own, index) => ({
    path: [...path, index],
    schema: branch.items ?? {},
    value: own,
  }));
  return [place, ...elements.flatMap(placesIn)];
}

function memberOf({ properties = {} }: JsonSchema, name: string): JsonSchema {
  return Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {};
}

function branchFor(schema: JsonSchema, value: Tree): JsonSchema {
  const branches = schema.anyOf ?? schema.oneOf ?? [schema];
  return branches.find((branch) => [typesOf(branch)].flat().includes(kindOf(value))) ?? schema;
}

function faultsOf({ schema, value }: Place, draw: Draw): Fault[] {
  const any = [gone, another("null", null), another("a boolean", draw.chance(0.5))];
  any.push(wrongType(draw, value), deep(draw));
  if (typeof value === "string") return [...any, ...faultsOfText(schema, draw)];
  if (value instanceof Numeral) return [...any, ...faultsOfNumber(schema, value, draw)];
  if (value instanceof Members) return [...any, ...faultsOfMembers(value, draw)];
  return isList(value) ? [...any, ...faultsOfList(schema, value)] : any;
}

const gone: Fault = { kind: "gone", change: () => undefined };

function another(kind: TreeFaultKind, value: Tree, name?: string): Fault {
  return { kind, change: () => value, ...(name === undefined ? {} : { name }) };
}

/** One of several texts, which the name shows. */
function text(kind: TreeFaultKind, value: string): Fault {
  return another(kind, value, JSON.stringify(value).slice(0, 40));
}

function wrongType(draw: Draw, value: Tree): Fault {
  const others: readonly Tree[] = ["text", new Numeral("1"), [], new Members([]), ["text"], [null]];
  const other = draw.any(others.filter((candidate) => kindOf(candidate) !== kindOf(value))) ?? null;
  return another("another type", other, `${kindOf(other)} for ${kindOf(value)}`);
}

function deep(draw: Draw): Fault {
  const [levels, isList_] = [draw.pick([SHALLOW, SHALLOW, DEEP]), draw.chance(0.5)];
  const nested = isList_
    ? "[".repeat(levels) + "]".repeat(levels)
    : `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  return another("nested deep", new Numeral(nested), `${levels} levels`);
}

const DATES = [
  "2026-02-30",
  "2026-13-01",
  "0000-00-00",
  "9999-12-31",
  "2026-11-28T25:00:00Z",
  "26-1-1",
] as const;

function faultsOfText({ maxLength = 60 }: JsonSchema, draw: Draw): Fault[] {
  return [
    another("one character too many", "x".repeat(maxLength + 1)),
    another("as long as allowed, in pairs", "🏠".repeat(maxLength)),
    another("a large text", "ñ".repeat(LARGE_TEXT)),
    text("a broken text", draw.pick(BROKEN_TEXTS)),
    text("a broken text", draw.pick(BROKEN_TEXTS)),
    text("a plain text", draw.pick(PLAIN_TEXTS)),
    text("a name of a prototype", draw.pick(PROTOTYPE_NAMES)),
    another("a hard number for text", new Numeral(draw.pick(HARD_NUMBERS))),
    text("an odd date", draw.pick(DATES)),
  ];
}

function faultsOfNumber({ minimum, maximum }: JsonSchema, value: Numeral, draw: Draw): Fault[] {
  const hard = () => another("a hard number", new Numeral(draw.pick(HARD_NUMBERS)));
  return [
    ...[hard(), hard(), hard()],
    another("a number in quotes", value.source),
    another("below zero", new Numeral(`-${value.source.replace("-", "")}`)),
    another("zero", new Numeral("0")),
    ...(minimum === undefined ? [] : [another("below its minimum", new Numeral(`${minimum - 1}`))]),
    ...(maximum === undefined ? [] : [another("above its maximum", new Numeral(`${maximum + 1}`))]),
    another("NaN", new Numeral("NaN")),
    another("a leading zero", new Numeral("01")),
    another("a leading plus", new Numeral("+1")),
    another("no digit before the point", new Numeral(".5")),
    another("hexadecimal", new Numeral("0x10")),
  ];
}

function faultsOfMembers(value: Members, draw: Draw): Fault[] {
  const name = draw.pick(PROTOTYPE_NAMES);
  const first = value.entries[0];
  const without = draw.any(value.entries)?.[0] ?? "";
  const withoutOne: Fault = {
    kind: "a member gone",
    name: `${without} gone`,
    change: () => value.without(without),
  };
  const extra = (kind: TreeFaultKind, own: string, tree: Tree): Fault => ({
    kind,
    change: () => new Members([...value.entries, [own, tree]]),
  });
  return [
    ...[withoutOne, withoutOne],
    extra("an unknown member", "unknown_member", "x"),
    extra("a member of a prototype", name, new Members([["is_admin", true]])),
    extra("an extra __proto__", "__proto__", null),
    extra("an empty name", "", "empty name"),
    extra("half a pair as name", "\uD800", "half a pair as name"),
    extra("a long name", "x".repeat(10_000), true),
    ...(first ? [extra("a member twice", first[0], first[1])] : []),
    another("no members", new Members([])),
  ];
}

function faultsOfList({ maxItems, items = {} }: JsonSchema, value: readonly Tree[]): Fault[] {
  const [first = null] = value;
  const tooMany = Array.from({ length: (maxItems ?? 100) + 1 }, () => first);
  const ofAnyType = ["x", new Numeral("1"), true];
  return [
    another("no elements", []),
    another("an empty element", [...value, null]),
    another("an element twice", [...value, first]),
    another("a list in a list", [value]),
    ...(typesOf(items).length > 0 ? [another("elements of any type", ofAnyType)] : []),
    ...((maxItems ?? 0) <= 1_000 ? [another("one element too many", tooMany)] : []),
  ];
}

/** Values as a schema wants them. */

const SHARE_OF_OPTIONAL = 0.35;
const SHARE_OF_NULL = 0.12;
const MOST_ELEMENTS = 3;
const DAY_MS = 86_400_000;

/** Sensible texts for patterns that also match senseless ones. */
const SENSIBLE: readonly [pattern: RegExp, text: (draw: Draw) => string][] = [
  [/^\^?\\d\{4\}-\\d\{2\}-\\d\{2\}\[Tt/, (draw) => moment(draw).replace("T", draw.pick(["T", " "]))],
  [/^\^?\\d\{4\}-\\d\{2\}-\\d\{2\}[($]/, (draw) => moment(draw).slice(0, 10)],
  [/^\^?\[A-Z(a-z)?\]\{3\}\$$/, (draw) => draw.pick(["EUR", "EUR", "USD", "GBP", "JPY", "XXX", "ABC"])],
  [/^\^?\[A-Z(a-z)?\]\{2\}\$$/, (draw) => draw.pick(["ES", "ES", "DE", "FR", "XI", "US", "ZZ"])],
  [/^\^?\[0-9\]\{2\}\$$/, (draw) => draw.pick(["01", "02", "03", "05", "17", "18", "20", "99"])],
  [/^\^?\\d\{1,4\}\(/, (draw) => draw.pick(["1.0", "1.4", "1.9", "2", "9999.9999"])],
];

export function validTree(schema: JsonSchema, draw: Draw): Tree {
  if ("const" in schema) return treeOf(schema.const);
  if (schema.enum) return treeOf(draw.any(schema.enum));
  const branches = schema.anyOf ?? schema.oneOf ?? [];
  const filled = branches.filter(({ const: only, maxItems }) => only !== "" && maxItems !== 0);
  const branch = draw.any(draw.chance(SHARE_OF_NULL) ? branches : filled);
  if (branch) return validTree(branch, draw);
  return ofType(typeFor(schema, draw), schema, draw);
}

function typeFor(schema: JsonSchema, draw: Draw): SchemaType {
  const types = typesOf(schema);
  if (types.includes("null") && draw.chance(SHARE_OF_NULL)) return "null";
  const others = types.filter((type) => type !== "null");
  return draw.any(others) ?? draw.pick(["string", "number", "boolean", "array", "object"]);
}

function ofType(type: SchemaType, schema: JsonSchema, draw: Draw): Tree {
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return draw.chance(0.5);
    case "string":
      return validText(schema, draw);
    case "integer":
    case "number":
      return validNumber(schema, draw, type === "integer");
    case "array":
      return validList(schema, draw);
    case "object":
      return validMembers(schema, draw);
  }
}

function validList({ items = {}, minItems = 0, maxItems = MOST_ELEMENTS }: JsonSchema, draw: Draw): Tree {
  const most = Math.max(minItems, Math.min(maxItems, MOST_ELEMENTS));
  const count = minItems + draw.below(most - minItems + 1);
  return Array.from({ length: count }, () => validTree(items, draw));
}

function validMembers(schema: JsonSchema, draw: Draw): Tree {
  const { properties = {}, required = [], additionalProperties = {} } = schema;
  const own = Object.entries(properties).flatMap(([name, property]): Member[] => {
    const isThere = required.includes(name) || draw.chance(SHARE_OF_OPTIONAL);
    return isThere ? [[name, validTree(property, draw)]] : [];
  });
  if (additionalProperties === false || !draw.chance(0.1)) return new Members(own);
  const extra = additionalProperties === true ? {} : additionalProperties;
  return new Members([...own, ["another_member", validTree(extra, draw)]]);
}

function validText({ pattern, format, minLength = 0, maxLength = 60 }: JsonSchema, draw: Draw): string {
  if (format === "date" || format === "date-time") return validMoment(format, draw);
  // The values that count as absent come first.
  const own = pattern?.split("|^").at(-1) ?? "";
  const sensible = SENSIBLE.find(([known]) => known.test(own));
  if (sensible && draw.chance(0.9)) return sensible[1](draw);
  const seed = draw.below(2 ** 31);
  const chosen = draw.chance(0.04) ? "ñ".repeat(maxLength) : draw.pick(PLAIN_TEXTS);
  const text = [...chosen].slice(0, maxLength).join("");
  const fits = text.length >= minLength && (pattern === undefined || new RegExp(pattern, "u").test(text));
  if (fits) return text;
  const matching = fc.stringMatching(new RegExp(pattern ?? `^x{${minLength}}$`, "u"), { maxLength });
  return fc.sample(matching, { seed, numRuns: 1 })[0] ?? "";
}

/** Near today: a day years away is refused for that alone. */
function moment(draw: Draw): string {
  return new Date(Date.now() - draw.below(60) * DAY_MS).toISOString();
}

function validMoment(format: string, draw: Draw): string {
  const at = moment(draw);
  if (format === "date") return at.slice(0, 10);
  return draw.pick([at, at.replace("Z", "+01:00"), `${at.slice(0, 19)}Z`]);
}

/** With few digits: the schema does not limit their number. */
function validNumber(schema: JsonSchema, draw: Draw, isWhole: boolean): Numeral {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, not } = schema;
  const lowest = Math.max(minimum ?? -1_000, exclusiveMinimum ?? -1_000, -1_000);
  const highest = Math.min(maximum ?? 1_000, exclusiveMaximum ?? 1_000, 1_000);
  const whole = Math.ceil(lowest) + draw.below(Math.max(1, Math.floor(highest) - Math.ceil(lowest)));
  if (not?.const === 0 && whole === 0) return new Numeral("1");
  if (isWhole) return new Numeral(String(whole));
  const cents = String(draw.below(100)).padStart(2, "0");
  return new Numeral(
    draw.pick([`${whole}`, `${whole}.${cents}`, `${whole}.0`, `${whole}E0`, `${whole}.5e0`, `${whole}`]),
  );
}
