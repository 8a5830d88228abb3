import type { CONTRACT_FIELDS } from "../../domain/order/sent-order.ts";
import type { Parameter } from "../wire/parameters.ts";
import type { ErrorExample } from "./error-examples.ts";
import type { PublishedReason } from "./reasons.ts";
import type { Schema } from "./schema.ts";
import type { WEBHOOK_HEADERS, WebhookDoc } from "./webhooks.ts";

/** The part of OpenAPI 3.1 that this service uses. */
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
  /** The requests that this service sends to webhook subscribers. */
  readonly webhooks: Readonly<Record<string, WebhookDoc>>;
  /** An extension of OpenAPI: the contract of orders in words. */
  readonly "x-order-reasons": readonly PublishedReason[];
  readonly "x-contract-versions": typeof CONTRACT_FIELDS;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>> & typeof WEBHOOK_HEADERS;
    readonly headers: Readonly<Record<string, object>>;
    readonly examples: Readonly<Record<string, ErrorExample>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

export interface Reference {
  readonly $ref: string;
}

export interface Content {
  readonly schema: Schema;
  readonly example?: object;
  readonly examples?: Readonly<Record<string, Reference | ShownExample>>;
}

/** One of several examples of an answer, in its envelope. */
export interface ShownExample {
  readonly summary: string;
  readonly value: object;
}

/** A header that one answer alone has. */
interface InlineHeader {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference | InlineHeader>>;
  readonly content: Readonly<Record<string, Content>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Reference[];
  readonly requestBody?: { readonly required: true; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}
