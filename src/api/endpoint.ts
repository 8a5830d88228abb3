import type { Hono } from "hono";
import type { z } from "zod";
import type { ErrorCode } from "../words/words.ts";
import type { AppEnv } from "./deps.ts";
import type { Schema } from "./openapi/schema.ts";
import type { Tag } from "./openapi/tags.ts";

export type App = Hono<AppEnv>;
export type Method = "GET" | "POST";
export type ParameterName =
  | "external_id"
  | "id_external"
  | "include"
  | "preview"
  | "platform"
  | "module_version"
  | "contract_version"
  | "x_request_id"
  | "accept_language";

export interface AnswerExample {
  readonly summary: string;
  readonly data: object;
}

export interface AnswerDoc {
  readonly description: string;
  /** Schema of `data`; absent for answers that are not in the JSON envelope. */
  readonly data?: z.ZodType;
  readonly replayed?: boolean;
  /** What is answered with the same status in another case; `replayed` tells the two apart. */
  readonly or?: AnswerDoc;
  /** Of `data`, where it is no invoice. */
  readonly example?: object;
  /** Of `data`, where one would not do: made when the documents are, each by what it shows. */
  readonly examples?: () => Readonly<Record<string, AnswerExample>>;
  /** Of an answer that is not in the envelope. */
  readonly schema?: Schema;
  readonly contentType?: string;
}

/** What the published documents say of an endpoint. */
export interface EndpointDoc {
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly needsKey: boolean;
  readonly parameters: readonly ParameterName[];
  /** Its callers in the field may send parameters of their own. */
  readonly takesAnyParameter?: true;
  readonly body?: { readonly schema: z.ZodType; readonly example: object };
  readonly answers: Readonly<Record<number, AnswerDoc>>;
  readonly errors: readonly ErrorCode[];
}

/** One row of the route table. */
export interface Endpoint {
  readonly method: Method;
  /** In the form of OpenAPI: `/api/v1/invoice/{external_id}`. */
  readonly path: string;
  /** An invoice is never changed: PUT, PATCH and DELETE answer so. */
  readonly immutable?: true;
  /** Left out of the published documents: what pages are made of. */
  readonly unlisted?: true;
  readonly doc: EndpointDoc;
  /** Where a key is needed, it is proven and the query is read before anything that is mounted here. */
  readonly mount: (app: App, path: string) => void;
}

/** Errors that any endpoint may answer. */
export const COMMON_ERRORS = ["internal_error"] as const satisfies readonly ErrorCode[];

/** Errors of every endpoint that reaches a connection's object. */
export const CONNECTION_ERRORS = [
  "unauthorized",
  "validation_failed",
  "rate_limited",
  "internal_error",
  "temporarily_unavailable",
] as const satisfies readonly ErrorCode[];

/** Errors of every endpoint that a shop tells something to; the gate adds what it refuses. */
export const SHOP_ERRORS = [
  ...CONNECTION_ERRORS,
  "orders_not_supported_by_connection",
] as const satisfies readonly ErrorCode[];

export const BODY_ERRORS = [
  "malformed_json",
  "payload_too_large",
  "unsupported_media_type",
  "unsupported_encoding",
] as const satisfies readonly ErrorCode[];
