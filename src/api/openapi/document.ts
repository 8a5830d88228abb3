import { CONTRACT_FIELDS } from "../../domain/order/sent-order.ts";
import { invariant } from "../../domain/shared/result.ts";
import type { SoftwareConfig } from "../../domain/verifactu/software.ts";
import { type AnswerDoc, type Endpoint, TAGS } from "../endpoint.ts";
import { errorAnswer } from "../wire/answers.ts";
import { orderAnswer, reasonAnswer } from "../wire/order-response.ts";
import { WORDS } from "../wire/order-values.ts";
import { PARAMETERS } from "../wire/parameters.ts";
import { errorExamples } from "./error-examples.ts";
import { exampleInvoices } from "./example-invoice.ts";
import type { OpenApiDocument, Operation } from "./format.ts";
import { HEADERS, type InvoiceExamples, operationOf, type SchemaNames } from "./operation.ts";
import { FACT_SCHEMAS, publishedReasons, reasonSchema } from "./reasons.ts";
import { isSchema, type NamedSchema, type Schema, schemaOf } from "./schema.ts";
import { WEBHOOK_HEADERS, WEBHOOK_SCHEMAS, webhookDocs } from "./webhooks.ts";

export const INTRODUCTION =
  "Issues VERI*FACTU invoices. A request that is accepted issues at once: it gets the next number of the " +
  "series, its record joins the chain of the connection and waits to be submitted to the AEAT. Numbers " +
  "are read digit by digit and written digit by digit; a member that is null counts as absent; texts are " +
  "trimmed and brought to NFC before they are looked at, identifiers of invoices and orders aside; " +
  "unknown members of an invoice are refused. In what a shop tells, empty text counts as absent as well, " +
  "and so do a date of zeros and an empty list for an object. It tells its stores, statuses, customers and " +
  "orders; orders are invoiced, rectified or held by what their owner has declared.";

const SECURITY_SCHEMES = {
  ApiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-KEY",
    description: "The key of the connection. From servers only, never in a browser.",
  },
  WebhookSignature: {
    type: "apiKey",
    in: "header",
    name: WEBHOOK_HEADERS.webhook_signature.name,
    description:
      "Of what this service sends: HMAC-SHA256 of its id, its time and its body under the secret of the " +
      "webhook.",
  },
} as const;

/** The contract, made from the schemas that check requests, the route table and the error table. */
export function openApiDocument(endpoints: readonly Endpoint[], software: SoftwareConfig): OpenApiDocument {
  const schemas: readonly NamedSchema[] = [
    ...namedSchemas(endpoints),
    { name: "Error", contract: errorAnswer, io: "output" },
    ...WEBHOOK_SCHEMAS,
  ];
  const names = new Map(schemas.map(({ contract, name }) => [contract, name]));
  return {
    openapi: "3.1.0",
    info: {
      title: software.name,
      version: software.version,
      description: INTRODUCTION,
      contact: { name: software.producerName },
      license: { name: "All rights reserved", identifier: "LicenseRef-Proprietary" },
    },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    servers: [{ url: "/" }],
    paths: pathsOf(endpoints, names, exampleInvoices(software)),
    webhooks: webhookDocs(),
    "x-order-reasons": publishedReasons(),
    "x-contract-versions": CONTRACT_FIELDS,
    components: {
      schemas: {
        ...Object.fromEntries(schemas.map(schemaIn)),
        Order: orderSchema(),
        Reason: reasonSchema(schemaOf(reasonAnswer, "output")),
        ...FACT_SCHEMAS,
        ...wordSchemas(),
      },
      parameters: { ...PARAMETERS, ...WEBHOOK_HEADERS },
      headers: HEADERS,
      examples: errorExamples(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function schemaIn({ name, contract, io }: NamedSchema): [string, Schema] {
  return [name, schemaOf(contract, io)];
}

/** The schema of its reasons has a name. */
function orderSchema(): Schema {
  const { properties = {}, ...order } = schemaOf(orderAnswer, "output");
  const { reasons } = properties;
  invariant(isSchema(reasons), "an order tells its reasons");
  const named = { ...reasons, items: { $ref: "#/components/schemas/Reason" } };
  return { ...order, properties: { ...properties, reasons: named } };
}

/** Closed lists, for the types of a client; members with such a word also accept other text. */
function wordSchemas(): Record<string, Schema> {
  const entries = Object.entries(WORDS);
  return Object.fromEntries(entries.map(([name, words]) => [name, { type: "string", enum: [...words] }]));
}

function pathsOf(
  endpoints: readonly Endpoint[],
  names: SchemaNames,
  examples: InvoiceExamples,
): OpenApiDocument["paths"] {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { method, path, doc, unlisted } of endpoints) {
    if (unlisted) continue;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(doc, names, examples) };
  }
  return paths;
}

/** The named bodies and answers. Adjacent endpoints with a common answer list their bodies first. */
function namedSchemas(endpoints: readonly Endpoint[]): readonly NamedSchema[] {
  const byName = new Map<string, NamedSchema>();
  for (const group of neighbours(endpoints)) {
    for (const schema of [...group.flatMap(bodyOf), ...group.flatMap(answersOf)]) {
      const known = byName.get(schema.name) ?? schema;
      invariant(known.contract === schema.contract, "a name belongs to one schema");
      byName.set(schema.name, known);
    }
  }
  return [...byName.values()];
}

function neighbours(endpoints: readonly Endpoint[]): readonly (readonly Endpoint[])[] {
  const groups: Endpoint[][] = [];
  for (const endpoint of endpoints) {
    const last = groups.at(-1);
    if (last?.some((other) => answerAlike(other, endpoint))) last.push(endpoint);
    else groups.push([endpoint]);
  }
  return groups;
}

function answerAlike(one: Endpoint, other: Endpoint): boolean {
  return answersOf(one).some(({ name }) => answersOf(other).some((answer) => answer.name === name));
}

function bodyOf({ doc }: Endpoint): NamedSchema[] {
  return doc.body ? [{ name: doc.body.name, contract: doc.body.schema, io: "input" }] : [];
}

function answersOf({ doc }: Endpoint): NamedSchema[] {
  return Object.values(doc.answers).flatMap(namesIn);
}

function namesIn({ name, data, or }: AnswerDoc): NamedSchema[] {
  const own: NamedSchema[] = name && data ? [{ name, contract: data, io: "output" }] : [];
  return [...own, ...(or ? namesIn(or) : [])];
}
