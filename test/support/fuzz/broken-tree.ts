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
  readonly name: string;
  readonly change: (value: Tree) => Tree | undefined;
}

interface BrokenTree {
  readonly tree: Tree;
  readonly fault: string;
}

const LARGE_TEXT = 100_000;
const SHALLOW = 40;
const DEEP = 20_000;

export function brokenTree(tree: Tree, schema: JsonSchema, draw: Draw): BrokenTree {
  const places = placesIn({ path: [], schema, value: tree });
  const place = draw.any(places) ?? { path: [], schema, value: tree };
  const fault = draw.any(faultsOf(place, draw)) ?? { name: "gone", change: () => undefined };
  return {
    tree: changedAt(tree, place.path, fault.change),
    fault: `${fault.name} at ${place.path.join(".") || "the top"}`,
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
  const any = [gone, another(null), another(draw.chance(0.5)), wrongType(draw, value), deep(draw)];
  if (typeof value === "string") return [...any, ...faultsOfText(schema, draw)];
  if (value instanceof Numeral) return [...any, ...faultsOfNumber(schema, value, draw)];
  if (value instanceof Members) return [...any, ...faultsOfMembers(value, draw)];
  return isList(value) ? [...any, ...faultsOfList(schema, value)] : any;
}

const gone: Fault = { name: "gone", change: () => undefined };

function another(value: Tree, name = JSON.stringify(value)?.slice(0, 40) ?? "another"): Fault {
  return { name, change: () => value };
}

function wrongType(draw: Draw, value: Tree): Fault {
  const others: readonly Tree[] = ["text", new Numeral("1"), [], new Members([]), ["text"], [null]];
  const other = draw.any(others.filter((candidate) => kindOf(candidate) !== kindOf(value))) ?? null;
  return another(other, `${kindOf(other)} for ${kindOf(value)}`);
}

function deep(draw: Draw): Fault {
  const [levels, isList_] = [draw.pick([SHALLOW, SHALLOW, DEEP]), draw.chance(0.5)];
  const nested = isList_
    ? "[".repeat(levels) + "]".repeat(levels)
    : `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  return another(new Numeral(nested), `${levels} levels`);
}

function faultsOfText({ maxLength = 60 }: JsonSchema, draw: Draw): Fault[] {
  return [
    another("x".repeat(maxLength + 1), "one character too many"),
    another("🏠".repeat(maxLength), "as long as allowed, in pairs"),
    another("ñ".repeat(LARGE_TEXT), "a large text"),
    another(draw.pick(BROKEN_TEXTS)),
    another(draw.pick(BROKEN_TEXTS)),
    another(draw.pick(PLAIN_TEXTS)),
    another(draw.pick(PROTOTYPE_NAMES)),
    another(new Numeral(draw.pick(HARD_NUMBERS)), "a hard number for text"),
    another(
      draw.pick(["2026-02-30", "2026-13-01", "0000-00-00", "9999-12-31", "2026-11-28T25:00:00Z", "26-1-1"]),
    ),
  ];
}

function faultsOfNumber({ minimum, maximum }: JsonSchema, value: Numeral, draw: Draw): Fault[] {
  const hard = () => another(new Numeral(draw.pick(HARD_NUMBERS)), "a hard number");
  return [
    ...[hard(), hard(), hard()],
    another(value.source, "a number in quotes"),
    another(new Numeral(`-${value.source.replace("-", "")}`), "below zero"),
    another(new Numeral("0"), "zero"),
    ...(minimum === undefined ? [] : [another(new Numeral(`${minimum - 1}`), "below its minimum")]),
    ...(maximum === undefined ? [] : [another(new Numeral(`${maximum + 1}`), "above its maximum")]),
    another(new Numeral("NaN"), "NaN"),
    another(new Numeral("01"), "a leading zero"),
    another(new Numeral("+1"), "a leading plus"),
    another(new Numeral(".5"), "no digit before the point"),
    another(new Numeral("0x10"), "hexadecimal"),
  ];
}

function faultsOfMembers(value: Members, draw: Draw): Fault[] {
  const name = draw.pick(PROTOTYPE_NAMES);
  const first = value.entries[0];
  const without = draw.any(value.entries)?.[0] ?? "";
  const extra = (own: string, tree: Tree): Fault => ({
    name: `an extra ${own}`,
    change: () => new Members([...value.entries, [own, tree]]),
  });
  return [
    { name: `${without} gone`, change: () => value.without(without) },
    { name: `${without} gone`, change: () => value.without(without) },
    extra("unknown_member", "x"),
    extra(name, new Members([["is_admin", true]])),
    extra("__proto__", null),
    extra("", "empty name"),
    extra("\uD800", "half a pair as name"),
    extra("x".repeat(10_000), true),
    ...(first ? [extra(first[0], first[1])] : []),
    another(new Members([]), "no members"),
  ];
}

function faultsOfList({ maxItems, items = {} }: JsonSchema, value: readonly Tree[]): Fault[] {
  const [first = null] = value;
  const tooMany = Array.from({ length: (maxItems ?? 100) + 1 }, () => first);
  return [
    another([], "no elements"),
    another([...value, null], "an empty element"),
    another([...value, first], "an element twice"),
    another([value], "a list in a list"),
    ...(typesOf(items).length > 0 ? [another(["x", new Numeral("1"), true], "elements of any type")] : []),
    ...((maxItems ?? 0) <= 1_000 ? [another(tooMany, "one element too many")] : []),
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
