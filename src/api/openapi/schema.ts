import * as z from "zod";
import { NO_DATE_PATTERN } from "../../domain/order/sent-order.ts";
import type { AbsentAs, WordList } from "../wire/order-values.ts";

export type Schema = z.core.JSONSchema.BaseSchema;

/** A named schema, to which operations refer. */
export interface NamedSchema {
  readonly name: string;
  readonly contract: z.ZodType;
  readonly io: "input" | "output";
}

/** JSON Schema of a contract: the input form for bodies, the output form for answers. */
export function schemaOf(contract: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(contract, { io, unrepresentable: "any" });
  return published(schema);
}

/** Works from the inside out: nested schemas are published first. */
function published(schema: Schema): Schema {
  const { anyOf, oneOf, items, properties } = schema;
  return withAbsence(
    withPlainNull({
      ...schema,
      ...(anyOf ? { anyOf: anyOf.map(published) } : {}),
      ...(oneOf ? { oneOf: oneOf.map(published) } : {}),
      ...(isSchema(items) ? { items: published(items) } : {}),
      ...(properties ? { properties: publishedMembers(properties) } : {}),
    }),
  );
}

function publishedMembers(properties: Readonly<Record<string, unknown>>): Record<string, Schema> {
  const entries = Object.entries(properties);
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, isSchema(schema) ? published(schema) : {}]),
  );
}

/** `type: [x, "null"]` is shorter than `anyOf: [X, null]` and means the same. */
function withPlainNull(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  const [only, ...others] = (anyOf ?? []).filter((branch) => !isNull(branch));
  return anyOf && only && others.length === 0 ? { ...nullable(only), ...rest } : schema;
}

function nullable(schema: Schema): Schema {
  const types = [schema.type ?? []].flat();
  const type: Pick<Schema, "type"> =
    types.length > 0 ? { type: [...new Set([...types, "null"] as const)] } : {};
  return { ...schema, ...type, ...(schema.enum ? { enum: [...schema.enum, null] } : {}) };
}

/** Texts are trimmed before they are checked: blank text is `""`. */
const BLANK = "";
const BLANK_PATTERN = "^$";

/** The contract's notes on a value that are not part of JSON Schema; they are not published. */
interface Marks {
  readonly absentAs?: AbsentAs;
  readonly wordList?: WordList;
}

/** Also allows the values that count as absent, in the form that generators read best for each type. */
function withAbsence({ absentAs, wordList, ...schema }: Schema & Marks): Schema {
  // A list of words occurs in members that may be absent, and is named at the outer schema.
  if (absentAs === undefined) return wordList === undefined ? schema : { ...schema, wordList };
  if (schema.enum) return { ...schema, enum: [...schema.enum, BLANK] };
  if ([schema.type].flat().includes("string")) return withWords(withBlank(schema, absentAs), wordList);
  const nothing: Schema[] = [
    { type: "string", const: BLANK },
    ...(absentAs === "empty_list" ? [{ type: "array", items: {}, maxItems: 0 } as const] : []),
  ];
  const { description, ...filled } = schema;
  return anyOfThese([filled, ...nothing], description);
}

/** The named list, which generators turn into a type, or any other text. */
function withWords(schema: Schema, wordList: WordList | undefined): Schema {
  if (wordList === undefined) return schema;
  const { description, ...text } = schema;
  return anyOfThese([{ $ref: `#/components/schemas/${wordList}` }, text], description);
}

function anyOfThese(anyOf: Schema[], description: string | undefined): Schema {
  return { anyOf, ...(description === undefined ? {} : { description }) };
}

function withBlank({ minLength: _, format, pattern, ...text }: Schema, absentAs: AbsentAs): Schema {
  if (pattern === undefined) return text;
  const patterns = [BLANK_PATTERN, ...(absentAs === "no_date" ? [NO_DATE_PATTERN] : []), pattern];
  return { ...text, pattern: patterns.join("|") };
}

/** The schema without absent values and list of words: it describes a present value. */
export function whenPresent(schema: Schema): Schema {
  const { anyOf = [], ...rest } = schema;
  const [filled, ...others] = anyOf.filter((branch) => !isAbsence(branch) && branch.$ref === undefined);
  return filled && others.length === 0 ? { ...filled, ...rest } : schema;
}

function isAbsence({ const: only, maxItems }: Schema): boolean {
  return only === BLANK || maxItems === 0;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNull(schema: Schema): boolean {
  return schema.type === "null";
}
