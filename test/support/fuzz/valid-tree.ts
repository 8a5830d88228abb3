/** Values as a schema wants them. */
import fc from "fast-check";
import type { Draw } from "./draw.ts";
import { type JsonSchema, type SchemaType, typesOf } from "./json-schema.ts";
import { PLAIN_TEXTS } from "./texts.ts";
import { type Member, Members, Numeral, type Tree, treeOf } from "./tree.ts";

const SHARE_OF_OPTIONAL = 0.35;
const SHARE_OF_NULL = 0.12;
const MOST_ELEMENTS = 3;
const DAY_MS = 86_400_000;

/** Of patterns that more texts match than make sense: those that do. */
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
  // What counts as absent is said first.
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

/** Near today: what lies years away is refused for that alone. */
function moment(draw: Draw): string {
  return new Date(Date.now() - draw.below(60) * DAY_MS).toISOString();
}

function validMoment(format: string, draw: Draw): string {
  const at = moment(draw);
  if (format === "date") return at.slice(0, 10);
  return draw.pick([at, at.replace("Z", "+01:00"), `${at.slice(0, 19)}Z`]);
}

/** Of few digits: how many there may be is no matter of the schema. */
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
