import { zValidator } from "@hono/zod-validator";
import type { Context, Hono, MiddlewareHandler } from "hono";
import type * as z from "zod";
import type { ErrorCode } from "../words/words.ts";
import type { AppEnv } from "./deps.ts";
import { apiKey, exactJson, queryOf } from "./keyed-request.ts";
import type { ParameterName } from "./wire/parameters.ts";
import { refuseShape } from "./wire/problems.ts";

export type App = Hono<AppEnv>;

/** Groups of operations, in the order of the document. */
export const TAGS = {
  Invoices: "Direct issuance, for connections of kind api whose owner has consented.",
  Orders: "What a shop sells and takes back; the service decides what is invoiced.",
  "Customer access": "An order's invoices for the customer who bought.",
  Shop: "What an installation says of itself: its stores, its statuses, its customers, its module.",
  Service: "Whether it runs, and what it says of itself.",
  Webhooks: "What the service sends to the callers who want to hear of events.",
} as const;

export type Tag = keyof typeof TAGS;

export interface AnswerExample {
  readonly summary: string;
  readonly data: object;
}

/** A header of an answer, in the form of OpenAPI; the document gives it to this answer alone. */
export interface FileHeader {
  readonly description: string;
  readonly required: boolean;
  readonly schema: { readonly type: "string"; readonly enum?: readonly string[]; readonly pattern?: string };
}

export interface AnswerDoc {
  readonly description: string;
  /** Schema of `data`; absent for answers that are not in the JSON envelope. */
  readonly data?: z.ZodType;
  /** Name of that schema in the document. */
  readonly name?: string;
  readonly replayed?: boolean;
  /** Another answer with the same status; `replayed` distinguishes them. */
  readonly or?: AnswerDoc;
  /** Example of `data`, unless it is an invoice. */
  readonly example?: object;
  /** Several examples of `data`, made together with the document. */
  readonly examples?: () => Readonly<Record<string, AnswerExample>>;
  /** Replaces the envelope, if the answer has another shape. */
  readonly schema?: z.core.JSONSchema.BaseSchema;
  readonly contentType?: string;
  /** Headers that this answer has and others have not, by name. */
  readonly headers?: Readonly<Record<string, FileHeader>>;
}

interface BodyDoc {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly example: object;
}

/** An endpoint's part of the published documents. */
export interface EndpointDoc {
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly needsKey: boolean;
  readonly parameters: readonly ParameterName[];
  /** Existing callers may send parameters of their own. */
  readonly takesAnyParameter?: true;
  readonly body?: BodyDoc;
  readonly answers: Readonly<Record<number, AnswerDoc>>;
  readonly errors: readonly ErrorCode[];
}

/** One row of the route table. */
export interface Endpoint {
  readonly method: "GET" | "POST";
  /** In the form of OpenAPI: `/api/v1/invoice/{external_id}`. */
  readonly path: string;
  /** An invoice is never changed: PUT, PATCH and DELETE answer with that error. */
  readonly immutable?: true;
  /** Excluded from the published documents: pages and their files. */
  readonly unlisted?: true;
  readonly doc: EndpointDoc;
  readonly mount: (app: App, pattern: string) => void;
}

type Reply = Response | Promise<Response>;

interface Row extends Pick<Endpoint, "method" | "path" | "immutable" | "unlisted"> {
  readonly doc: Omit<EndpointDoc, "body" | "errors">;
  readonly errors: readonly ErrorCode[];
}

interface PlainRow extends Row {
  readonly handle: (c: Context<AppEnv>) => Reply;
}

interface QueryRow<Query extends z.ZodType> extends Row {
  readonly query: Query;
  readonly handle: (c: Context<AppEnv>, query: z.output<Query>) => Reply;
}

interface BodyRow<Body extends z.ZodType> extends Row {
  readonly body: Body;
  /** Name of the body's schema in the document. */
  readonly name: string;
  readonly example: object;
  /** A refusal that outranks refusals of the shape. */
  readonly refuseFirst?: (c: Context<AppEnv>) => Promise<Response | undefined>;
  readonly handle: (c: Context<AppEnv>, body: z.output<Body>) => Reply;
}

/** An endpoint with a body, with its own query, or with neither. */
export function endpoint<Body extends z.ZodType>(row: BodyRow<Body>): Endpoint;
export function endpoint<Query extends z.ZodType>(row: QueryRow<Query>): Endpoint;
export function endpoint(row: PlainRow): Endpoint;
export function endpoint(row: BodyRow<z.ZodType> | QueryRow<z.ZodType> | PlainRow): Endpoint {
  const { method, path, immutable, unlisted, errors } = row;
  const body: BodyDoc | undefined =
    "body" in row ? { name: row.name, schema: row.body, example: row.example } : undefined;
  return {
    method,
    path,
    ...(immutable ? { immutable } : {}),
    ...(unlisted ? { unlisted } : {}),
    doc: { ...row.doc, ...(body ? { body } : {}), errors },
    mount(app, pattern) {
      const { needsKey, takesAnyParameter, parameters } = row.doc;
      // The key is proven before any other part of the request is read.
      if (needsKey) app.on(method, pattern, apiKey);
      if (needsKey && !takesAnyParameter) app.on(method, pattern, queryOf(parameters));
      if ("body" in row) {
        app.on(method, pattern, exactJson, bodyShape(row), (c) => row.handle(c, validIn(c, "json")));
      } else if ("query" in row) {
        app.on(method, pattern, zValidator("query", row.query, refuseShape));
        app.on(method, pattern, (c) => row.handle(c, validIn(c, "query")));
      } else {
        app.on(method, pattern, (c) => row.handle(c));
      }
    },
  };
}

function bodyShape({ body, refuseFirst }: BodyRow<z.ZodType>): MiddlewareHandler {
  return zValidator("json", body, async (checked, c: Context<AppEnv>) =>
    checked.success ? undefined : ((await refuseFirst?.(c)) ?? refuseShape(checked, c)),
  );
}

/** The value from the preceding validator; Hono knows its type only within one chain of calls. */
function validIn(c: Context<AppEnv>, place: "json" | "query"): unknown {
  return c.req.valid(place as never);
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

/** Errors of every endpoint that receives shop reports; admission adds its own refusals. */
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
