/** A value that is right but for one place. */
import type { Draw } from "./draw.ts";
import { type JsonSchema, typesOf } from "./json-schema.ts";
import { BROKEN_TEXTS, HARD_NUMBERS, PLAIN_TEXTS, PROTOTYPE_NAMES } from "./texts.ts";
import { changedAt, isList, kindOf, Members, Numeral, type Path, type Tree } from "./tree.ts";
import { validTree } from "./valid-tree.ts";

interface Place {
  readonly path: Path;
  readonly schema: JsonSchema;
  readonly value: Tree;
}

interface Fault {
  readonly name: string;
  readonly change: (value: Tree) => Tree | undefined;
}

export interface BrokenTree {
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

/** Another right value in one place: what a fault was made of at random, where the rest makes sense. */
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
