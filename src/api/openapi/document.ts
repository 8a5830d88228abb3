import type { z } from "zod";
import { CONTRACT_FIELDS } from "../../domain/order/normalize-contract.ts";
import { invariant } from "../../domain/shared/result.ts";
import type { SoftwareConfig } from "../../domain/verifactu/software.ts";
import type { Endpoint } from "../endpoint.ts";
import { accessAnswer, accessBody, availabilityAnswer, availabilityBody } from "../wire/access-body.ts";
import { errorAnswer, healthAnswer, invoiceAnswer, invoicePreviewAnswer } from "../wire/answers.ts";
import { cancellationBody } from "../wire/cancellation-body.ts";
import { clientBody } from "../wire/client-body.ts";
import { inventoryBody } from "../wire/inventory-body.ts";
import { invoiceBody } from "../wire/invoice-body.ts";
import { orderAnswer, reasonAnswer } from "../wire/order-answers.ts";
import { orderBody } from "../wire/order-body.ts";
import { inventoryAnswer, moduleVersionAnswer, upsertAnswer } from "../wire/shop-answers.ts";
import { statusBody } from "../wire/status-body.ts";
import { WORDS } from "../wire/words.ts";
import { errorExamples } from "./error-examples.ts";
import { exampleInvoices } from "./example-invoice.ts";
import { type PublishedReason, publishedReasons } from "./example-reasons.ts";
import { type InvoiceExamples, type Operation, operationOf, type SchemaNames } from "./operation.ts";
import { HEADERS, PARAMETERS } from "./parameters.ts";
import { FACT_SCHEMAS, reasonSchema } from "./reason-schemas.ts";
import { isSchema, type Schema, schemaOf } from "./schema.ts";
import { TAGS } from "./tags.ts";
import { WEBHOOK_HEADERS, WEBHOOK_SCHEMAS, webhookDocs } from "./webhooks.ts";

/** OpenAPI 3.1, as much of it as this service says. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: { readonly name: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** What this service sends to those who want to hear of events. */
  readonly webhooks: ReturnType<typeof webhookDocs>;
  /** Not of OpenAPI: what the contract of orders adds in words. */
  readonly "x-order-reasons": readonly PublishedReason[];
  readonly "x-contract-versions": typeof CONTRACT_FIELDS;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: typeof PARAMETERS & typeof WEBHOOK_HEADERS;
    readonly headers: typeof HEADERS;
    readonly examples: ReturnType<typeof errorExamples>;
    readonly securitySchemes: typeof SECURITY_SCHEMES;
  };
}

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

/** Schemas that have a name of their own; operations refer to them. */
const SCHEMAS: readonly (readonly [name: string, contract: z.ZodType, io: "input" | "output"])[] = [
  ["InvoiceRequest", invoiceBody, "input"],
  ["CancellationRequest", cancellationBody, "input"],
  ["Invoice", invoiceAnswer, "output"],
  ["InvoicePreview", invoicePreviewAnswer, "output"],
  ["OrderRequest", orderBody, "input"],
  ["Order", orderAnswer, "output"],
  ["AvailabilityRequest", availabilityBody, "input"],
  ["Availability", availabilityAnswer, "output"],
  ["AccessRequest", accessBody, "input"],
  ["Access", accessAnswer, "output"],
  ["Inventory", inventoryBody, "input"],
  ["InventoryReceipt", inventoryAnswer, "output"],
  ["ModuleVersion", moduleVersionAnswer, "output"],
  ["Client", clientBody, "input"],
  ["Statuses", statusBody, "input"],
  ["Receipt", upsertAnswer, "output"],
  ["Health", healthAnswer, "output"],
  ["Error", errorAnswer, "output"],
  ...WEBHOOK_SCHEMAS,
];

const NAMES: SchemaNames = new Map(SCHEMAS.map(([name, contract]) => [contract, name]));

/** The contract, made from the schemas that check requests, the route table and the error table. */
export function openApiDocument(endpoints: readonly Endpoint[], software: SoftwareConfig): OpenApiDocument {
  const examples = exampleInvoices(software);
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
    paths: pathsOf(endpoints, examples),
    webhooks: webhookDocs(),
    "x-order-reasons": publishedReasons(),
    "x-contract-versions": CONTRACT_FIELDS,
    components: {
      schemas: {
        ...Object.fromEntries(SCHEMAS.map(schemaIn)),
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

function schemaIn([name, contract, io]: (typeof SCHEMAS)[number]): [string, Schema] {
  return [name, schemaOf(contract, io)];
}

/** Its reasons have a schema of their own name. */
function orderSchema(): Schema {
  const { properties = {}, ...order } = schemaOf(orderAnswer, "output");
  const { reasons } = properties;
  invariant(isSchema(reasons), "an order tells its reasons");
  const named = { ...reasons, items: { $ref: "#/components/schemas/Reason" } };
  return { ...order, properties: { ...properties, reasons: named } };
}

/** Closed, for the types of a client; the members that take such a word take any other text as well. */
function wordSchemas(): Record<string, Schema> {
  const entries = Object.entries(WORDS);
  return Object.fromEntries(entries.map(([name, words]) => [name, { type: "string", enum: [...words] }]));
}

function pathsOf(endpoints: readonly Endpoint[], examples: InvoiceExamples): OpenApiDocument["paths"] {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { method, path, doc, unlisted } of endpoints) {
    if (unlisted) continue;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(doc, NAMES, examples) };
  }
  return paths;
}
