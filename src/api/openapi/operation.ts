import type * as z from "zod";
import { ERRORS, type ErrorCode } from "../../words/words.ts";
import type { AnswerDoc, AnswerExample, EndpointDoc } from "../endpoint.ts";
import type { ParameterName } from "../wire/parameters.ts";
import type { Content, OpenApiResponse, Operation, Reference, ShownExample } from "./format.ts";
import { type Schema, schemaOf } from "./schema.ts";

export type SchemaNames = ReadonlyMap<z.ZodType, string>;

export const HEADERS = {
  "X-Request-Id": {
    description: "The id of this request, also in error bodies.",
    required: true,
    schema: { type: "string" },
  },
  "Retry-After": {
    description: "Whole seconds to wait. With every 429 and 503.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
} as const;

const JSON_TYPE = "application/json";
const REQUEST_ID_HEADER = { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } };
const RETRY_AFTER_HEADER = { "Retry-After": { $ref: "#/components/headers/Retry-After" } };

/** Examples of `data` for answers about invoices. */
export interface InvoiceExamples {
  readonly issued: object;
  readonly preview: object;
}

export function operationOf(doc: EndpointDoc, names: SchemaNames, invoices: InvoiceExamples): Operation {
  const { operationId, summary, description, body } = doc;
  const ownAnswers = Object.entries(doc.answers).map(
    ([status, answer]) => [status, answerOf(answer, names, invoices)] as const,
  );
  return {
    operationId,
    tags: [doc.tag],
    summary,
    description,
    security: doc.needsKey ? [{ ApiKey: [] }] : [],
    parameters: doc.parameters.map(parameterReference),
    ...(body ? { requestBody: { required: true, content: bodyContent(body, names) } } : {}),
    responses: Object.fromEntries([...ownAnswers, ...errorResponses(doc.errors)]),
  };
}

function parameterReference(name: ParameterName): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

function bodyContent(body: { schema: z.ZodType; example: object }, names: SchemaNames) {
  return { [JSON_TYPE]: { schema: named(body.schema, names, "input"), example: body.example } };
}

function answerOf(answer: AnswerDoc, names: SchemaNames, invoices: InvoiceExamples): OpenApiResponse {
  const { description, or } = answer;
  const schema = schemaIn(answer, names);
  const content: Content = or
    ? { schema: { oneOf: [schema, schemaIn(or, names)] }, examples: bothShown(answer, or, invoices) }
    : { schema, ...exampleIn(answer, invoices) };
  return {
    description: or ? `${description} ${or.description}` : description,
    headers: headersOf(answer),
    content: { [answer.contentType ?? JSON_TYPE]: content },
  };
}

function headersOf({ headers = {} }: AnswerDoc): OpenApiResponse["headers"] {
  return { ...REQUEST_ID_HEADER, ...headers };
}

function schemaIn(answer: AnswerDoc, names: SchemaNames): Schema {
  if (answer.data) return envelopeSchema(answer.data, answer, names);
  return answer.schema ?? { type: "string" };
}

function exampleIn(answer: AnswerDoc, invoices: InvoiceExamples): Pick<Content, "example" | "examples"> {
  if (answer.examples) return { examples: shownExamples(answer.examples()) };
  const data = answer.example ?? (answer.replayed === undefined ? undefined : invoices.issued);
  return data ? { example: envelope(data, answer) } : {};
}

function bothShown(answer: AnswerDoc, or: AnswerDoc, invoices: InvoiceExamples) {
  return {
    replayed: { summary: answer.description, value: envelope(invoices.issued, answer) },
    preview: { summary: or.description, value: envelope(invoices.preview, or) },
  };
}

function shownExamples(examples: Readonly<Record<string, AnswerExample>>) {
  const shown = ({ summary, data }: AnswerExample): ShownExample => ({
    summary,
    value: { success: true, data },
  });
  return Object.fromEntries(Object.entries(examples).map(([name, each]) => [name, shown(each)]));
}

function envelope(data: object, { replayed }: AnswerDoc): object {
  return { success: true, data, ...(replayed === undefined ? {} : { replayed }) };
}

function envelopeSchema(data: z.ZodType, { replayed }: AnswerDoc, names: SchemaNames): Schema {
  const properties = { success: { const: true }, data: named(data, names, "output") };
  if (replayed === undefined) return { type: "object", properties, required: ["success", "data"] };
  return {
    type: "object",
    properties: { ...properties, replayed: { const: replayed } },
    required: ["success", "data", "replayed"],
  };
}

function named(contract: z.ZodType, names: SchemaNames, io: "input" | "output"): Schema {
  const name = names.get(contract);
  return name === undefined ? schemaOf(contract, io) : { $ref: `#/components/schemas/${name}` };
}

/** Errors of one status are one response; its examples are the codes. */
function errorResponses(codes: readonly ErrorCode[]): [string, OpenApiResponse][] {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status);
  const inOrder = [...byStatus].sort(([a], [b]) => a - b);
  return inOrder.map(([status, members]) => [String(status), errorResponse(status, members)]);
}

function errorResponse(status: number, codes: readonly ErrorCode[]): OpenApiResponse {
  const waits = status === 429 || status === 503;
  const error = { $ref: "#/components/schemas/Error" };
  const schema: Schema = { allOf: [error, { properties: { error_code: { enum: [...codes] } } }] };
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const);
  return {
    description: codes.join(", "),
    headers: waits ? { ...REQUEST_ID_HEADER, ...RETRY_AFTER_HEADER } : REQUEST_ID_HEADER,
    content: { [JSON_TYPE]: { schema, examples: Object.fromEntries(examples) } },
  };
}
