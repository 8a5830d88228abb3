import { z } from "zod";

export type Schema = z.core.JSONSchema.BaseSchema;

/** JSON Schema of a contract: of bodies what may be sent, of answers what is sent. */
export function schemaOf(contract: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(contract, { io, unrepresentable: "any" });
  return withPlainNulls(schema);
}

/** `anyOf: [X, null]` says in six lines what `type: [x, "null"]` says in one. */
function withPlainNulls(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  const [only, ...others] = (anyOf ?? []).filter((branch) => !isNull(branch));
  if (anyOf && only && others.length === 0) return { ...nullable(withPlainNulls(only)), ...rest };
  return {
    ...schema,
    ...(anyOf ? { anyOf: anyOf.map(withPlainNulls) } : {}),
    ...(schema.items && isSchema(schema.items) ? { items: withPlainNulls(schema.items) } : {}),
    ...(schema.properties ? { properties: plainProperties(schema.properties) } : {}),
  };
}

function plainProperties(properties: Readonly<Record<string, unknown>>): Record<string, Schema> {
  const entries = Object.entries(properties);
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, isSchema(schema) ? withPlainNulls(schema) : {}]),
  );
}

function nullable(schema: Schema): Schema {
  const types = [schema.type ?? []].flat();
  const type: Pick<Schema, "type"> =
    types.length > 0 ? { type: [...new Set([...types, "null"] as const)] } : {};
  return { ...schema, ...type, ...(schema.enum ? { enum: [...schema.enum, null] } : {}) };
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNull(schema: Schema): boolean {
  return schema.type === "null";
}
