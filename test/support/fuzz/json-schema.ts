/** As much of JSON Schema as the document uses; a keyword that is new to it stops everything. */
import type { Kind } from "./tree.ts";

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

/** What says nothing of which values are right. */
const NOTES = new Set(["description", "default", "example", "examples", "title"]);

const RULES = new Set([
  ...["$ref", "type", "const", "enum", "anyOf", "oneOf", "allOf", "not", "properties", "required"],
  ...["additionalProperties", "propertyNames", "items", "minItems", "maxItems", "minLength", "maxLength"],
  ...["pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
]);

const FORMATS = new Set(["date", "date-time"]);

/** The keywords of a schema and of all within it that nobody here knows. */
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

export function resolved(schema: JsonSchema, components: Components): JsonSchema {
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
