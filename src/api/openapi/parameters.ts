import type { ParameterName } from "../endpoint.ts";
import { LONGEST_EXTERNAL_ID } from "../wire/invoice-body.ts";
import { LONGEST_MODULE_TEXT } from "../wire/module-version-query.ts";
import { LONGEST_ID } from "../wire/order-values.ts";
import { INCLUDES, PREVIEW_VALUES } from "../wire/parameters.ts";
import type { Schema } from "./schema.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly style?: "form";
  readonly explode?: boolean;
}

const MODULE_TEXT: Schema = { type: "string", maxLength: LONGEST_MODULE_TEXT };

export const PARAMETERS: Readonly<Record<ParameterName, Parameter>> = {
  external_id: {
    name: "external_id",
    in: "path",
    required: true,
    description: "The external_id that the invoice was issued under, percent-encoded.",
    schema: { type: "string", minLength: 1, maxLength: LONGEST_EXTERNAL_ID },
  },
  include: {
    name: "include",
    in: "query",
    required: false,
    description: "Adds the QR as SVG and the XML of the record to `verifactu`; by commas or repeated.",
    schema: { type: "array", items: { type: "string", enum: [...INCLUDES] } },
    style: "form",
    explode: false,
  },
  id_external: {
    name: "id_external",
    in: "path",
    required: true,
    description: "The id_external that the order was submitted under, percent-encoded.",
    schema: { type: "string", minLength: 1, maxLength: LONGEST_ID },
  },
  preview: {
    name: "preview",
    in: "query",
    required: false,
    description: "true answers what would become of the request now, and stores and issues nothing.",
    schema: { type: "string", enum: [...PREVIEW_VALUES], default: "false" },
  },
  platform: {
    name: "platform",
    in: "query",
    required: false,
    description: "What the module runs on, such as prestashop; recorded.",
    schema: MODULE_TEXT,
  },
  module_version: {
    name: "module_version",
    in: "query",
    required: false,
    description: "The module's own version; recorded.",
    schema: MODULE_TEXT,
  },
  contract_version: {
    name: "contract_version",
    in: "query",
    required: false,
    description: "The version of this contract that the module was written for; recorded.",
    schema: MODULE_TEXT,
  },
  x_request_id: {
    name: "X-Request-Id",
    in: "header",
    required: false,
    description:
      "1 to 128 visible ASCII characters, taken as they are; otherwise one is made. Our log repeats " +
      "a UUID, a ULID or 32 hexadecimal digits, and nothing else: send one of these to have a call found.",
    schema: { type: "string", minLength: 1, maxLength: 128, pattern: "^[!-~]+$" },
  },
  accept_language: {
    name: "Accept-Language",
    in: "header",
    required: false,
    description: "Sentences are English unless Spanish is preferred. Codes never change.",
    schema: { type: "string" },
  },
};

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
