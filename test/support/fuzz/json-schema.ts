import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { Kind } from "./tree.ts";

/** As much of JSON Schema as the document uses; a keyword that is new to it stops everything. */

export type SchemaType = Kind | "integer";

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

/** The keywords without a rule about values. */
const NOTES = new Set(["description", "default", "example", "examples", "title"]);

const RULES = new Set([
  ...["$ref", "type", "const", "enum", "anyOf", "oneOf", "allOf", "not", "properties", "required"],
  ...["additionalProperties", "propertyNames", "items", "minItems", "maxItems", "minLength", "maxLength"],
  ...["pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
]);

const FORMATS = new Set(["date", "date-time"]);

/** The unknown keywords of a schema and of all within it. */
export function unknownKeywords(schema: JsonSchema, at: string): string[] {
  const { properties = {}, anyOf = [], oneOf = [], allOf = [] } = schema;
  const { items, not, additionalProperties, propertyNames } = schema;
  const own = Object.keys(schema).filter((keyword) => !RULES.has(keyword) && !NOTES.has(keyword));
  const formats =
    schema.format === undefined || FORMATS.has(schema.format) ? [] : [`format ${schema.format}`];
  const parts: [string, JsonSchema | boolean | undefined][] = [
    ...Object.entries(properties),
    ...[...anyOf, ...oneOf, ...allOf].map((branch): [string, JsonSchema] => ["*", branch]),
    ...[items, not, additionalProperties, propertyNames].map(
      (part): [string, JsonSchema | boolean | undefined] => ["*", part],
    ),
  ];
  const within = parts.flatMap(([name, part]) =>
    typeof part === "object" ? unknownKeywords(part, `${at}.${name}`) : [],
  );
  return [...[...own, ...formats].map((keyword) => `${at}: ${keyword}`), ...within];
}

export type Components = Readonly<Record<string, JsonSchema>>;

function resolved(schema: JsonSchema, components: Components): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const target = components[schema.$ref.replace("#/components/schemas/", "")];
  if (!target) throw new Error(`the document has no ${schema.$ref}`);
  return resolved(target, components);
}

/** The same with what its members refer to in its place. */
export function inlined(schema: JsonSchema, components: Components): JsonSchema {
  const { properties, items, anyOf, ...own } = resolved(schema, components);
  const within = (part: JsonSchema) => inlined(part, components);
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, within(member)] as const);
  return {
    ...own,
    ...(properties ? { properties: Object.fromEntries(members) } : {}),
    ...(items ? { items: within(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(within) } : {}),
  };
}

export function typesOf({ type }: JsonSchema): readonly SchemaType[] {
  return type === undefined ? [] : [type].flat();
}

/** The rules of the published schemas about a value, and the rules that they cannot state. */

/** Returns the problems of a value by a schema; references lead to these components. */
export function validatorBy(schemas: Components) {
  const validators = new Map<JsonSchema, Validator>();
  const validatorOf = (schema: JsonSchema) => {
    // References lead from the top, where the document's components are.
    const whole: Schema = JSON.parse(JSON.stringify({ ...schema, components: { schemas } }));
    return new Validator(whole, "2020-12");
  };
  return (schema: JsonSchema, value: unknown): string[] => {
    const validator = validators.get(schema) ?? validatorOf(schema);
    validators.set(schema, validator);
    const { valid, errors } = validator.validate(value);
    return valid ? [] : [errors.map(faultText).join("; ") || "no reason"];
  };
}

function faultText({ instanceLocation, error }: OutputUnit): string {
  return `${instanceLocation}: ${error}`;
}

/** The document says that texts are trimmed and brought to NFC before they are looked at. */
export function asRead(sent: unknown): unknown {
  if (typeof sent === "string") return sent.trim().normalize("NFC");
  if (Array.isArray(sent)) return sent.map(asRead);
  if (typeof sent !== "object" || sent === null) return sent;
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, asRead(value)]));
}

/** The product's refusals about shape that no schema states: the code of the problem, and its members. */
const BEYOND_SCHEMA: Readonly<Record<string, RegExp>> = {
  // For every text.
  control_character: /./,
  not_trimmed: /./,
  // Blanks alone; and what another member asks for.
  too_short: /./,
  required:
    /^(order_date|rectifies|rectification_method|correction_events)$|^payment\.|\.(first_name|surname_1)$/,
  not_allowed:
    /^(rectifies|rectification_\w+|rectified_period|simplified_attestation\.authorisation|include|preview)$|^payment\./,
  duplicate_line_id: /./,
  duplicate_reference: /./,
  // Digits are counted as they are written.
  number_out_of_range: /./,
  // Lists that others keep, days that the calendar has not, and a version that is written as a number.
  invalid_value:
    /(currency|country|date|_at|contract_version|iban|bic|email|^to|scheme|unit|role|first_name|end)$/,
  invalid_date: /./,
  // For the query, and for an id written as a number.
  too_long:
    /^payment\.(iban|bic)$|^(platform|module_version|contract_version|status|include(\.\d+)?)$|id(_\w+)?$|^order_ids/,
};

/** Whether the document cannot state a problem of that code at that place. */
export function isBeyondSchema(path: string, code: string): boolean {
  return BEYOND_SCHEMA[code]?.test(path) ?? false;
}
