/** The OpenAPI document, as the product serves it, as far as requests are made of it. */
import { type Components, inlined, type JsonSchema, unknownKeywords } from "./json-schema.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface Header {
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface Answer {
  readonly headers: Readonly<Record<string, Header>>;
  readonly content: Readonly<Record<string, JsonSchema>>;
}

export interface Operation {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly needsKey: boolean;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly schema: JsonSchema; readonly example: unknown };
  readonly answers: Readonly<Record<string, Answer>>;
}

export interface Contract {
  readonly operations: readonly Operation[];
  readonly schemas: Components;
}

interface Reference {
  readonly $ref: string;
}

interface Content {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

interface WrittenOperation {
  readonly security: readonly object[];
  readonly parameters: readonly Reference[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers: Readonly<Record<string, Reference | Header>>;
        readonly content: Readonly<Record<string, Content>>;
      }
    >
  >;
}

export interface WrittenDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>;
  readonly components: {
    readonly schemas: Components;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
  };
}

/** Throws at every unknown member: an ignored one would not be tried. */
export function contractIn(document: WrittenDocument): Contract {
  const { paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, written]) => operationOf(method, path, written, document)),
  );
  const unknown = [
    ...Object.entries(components.schemas).flatMap(([name, schema]) => unknownKeywords(schema, name)),
    ...operations.flatMap(unknownIn),
  ];
  if (unknown.length > 0) throw new Error(`the generator does not know ${unknown.join(", ")}`);
  return { operations, schemas: components.schemas };
}

function operationOf(
  method: string,
  path: string,
  { security, parameters, requestBody, responses }: WrittenOperation,
  { components }: WrittenDocument,
): Operation {
  if (method !== "get" && method !== "post") throw new Error(`the generator does not know ${method} ${path}`);
  const content = requestBody?.content["application/json"];
  const answers = Object.entries(responses).map(([status, response]): [string, Answer] => {
    const headers = mapped(response.headers, (header) =>
      "$ref" in header ? named(components.headers, header.$ref) : header,
    );
    return [status, { headers, content: mapped(response.content, ({ schema }) => schema) }];
  });
  return {
    method: method === "get" ? "GET" : "POST",
    path,
    needsKey: security.length > 0,
    parameters: parameters.map(({ $ref }) => named(components.parameters, $ref)),
    ...(content
      ? {
          body: {
            ...content,
            schema: inlined(content.schema, components.schemas),
            example: content.example,
          },
        }
      : {}),
    answers: Object.fromEntries(answers),
  };
}

function unknownIn({ path, parameters, body, answers }: Operation): string[] {
  return [
    ...parameters.flatMap(({ name, schema }) => unknownKeywords(schema, `${path}?${name}`)),
    ...(body ? unknownKeywords(body.schema, path) : []),
    ...Object.entries(answers).flatMap(([status, { content }]) =>
      Object.values(content).flatMap((schema) => unknownKeywords(schema, `${path} ${status}`)),
    ),
  ];
}

function named<T>(all: Readonly<Record<string, T>>, $ref: string): T {
  const found = all[$ref.split("/").at(-1) ?? ""];
  if (!found) throw new Error(`the document has no ${$ref}`);
  return found;
}

function mapped<From, To>(
  all: Readonly<Record<string, From>>,
  change: (from: From) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(all).map(([name, each]) => [name, change(each)]));
}
