import type { Context } from "hono";
import * as z from "zod";
import type { UblProfile } from "../../domain/einvoice/ubl/ubl-document.ts";
import { INVOICE_TYPES } from "../../domain/invoice/request.ts";
import { LISTS } from "../../domain/limits.ts";
import { ORDER_STATES } from "../../domain/order/decision.ts";
import { isPlainText } from "../../domain/shared/text.ts";
import { LANGUAGES, type Problem } from "../../words/words.ts";
import { RECORD_STATES } from "./answers.ts";
import { LONGEST_EXTERNAL_ID } from "./invoice-body.ts";
import { LONGEST_ID } from "./order-values.ts";
import { list } from "./values.ts";

export const INCLUDES = ["qr_svg", "xml"] as const;
export type Include = (typeof INCLUDES)[number];

const LONGEST_INCLUDE = 200;
const MOST_INCLUDES = 20;
const NOT_INCLUDED: Problem = { kind: "notAllowed", facts: { allowed: INCLUDES.join(", ") } };

export const PREVIEW_VALUES = ["true", "false"] as const;

const UBL_PROFILES = ["en16931", "peppol"] as const satisfies readonly UblProfile[];
const ATTACHMENTS = ["pdf"] as const;

/** All query parameters of the API: each route accepts some of them and no others. */
export const apiQuery = z.object({
  /** `?include=qr_svg,xml` or `?include=qr_svg&include=xml`. */
  include: list(z.string().max(LONGEST_INCLUDE), MOST_INCLUDES)
    .optional()
    .transform((sent = [], context): ReadonlySet<Include> => {
      const names = sent.flatMap((part) => part.split(","));
      const known = INCLUDES.filter((include) => names.includes(include));
      if (names.every((name) => name === "" || known.some((include) => include === name)))
        return new Set(known);
      context.addIssue({ code: "custom", params: { problem: NOT_INCLUDED } });
      return z.NEVER;
    }),
  preview: z
    .enum(PREVIEW_VALUES)
    .optional()
    .transform((sent) => sent === "true"),
  language: z.enum(LANGUAGES).optional(),
  profile: z.enum(UBL_PROFILES).default("en16931"),
  attach: z.enum(ATTACHMENTS).optional(),
});

export type ApiQuery = z.output<typeof apiQuery>;

/** Only a list parameter may be repeated. */
export const LISTED_PARAMETERS: readonly string[] = ["include"] satisfies readonly (keyof ApiQuery)[];

/**
 * The external_id in the path; undefined if no id can have that form. The router's own decoding accepts
 * broken escapes, so "%FF" would match an id with that spelling.
 */
export function externalIdInPath(c: Context): string | undefined {
  const encoded = c.req.path.split("/")[4] ?? "";
  try {
    const id = decodeURIComponent(encoded);
    return isPlainText(id) && id !== "" && [...id].length <= LONGEST_EXTERNAL_ID ? id : undefined;
  } catch {
    return undefined;
  }
}

const LONGEST_INVOICE_ID = 64;
const INVOICE_ID = /^[0-9A-Za-z]{1,64}$/;

/** The invoice_id in the path; undefined if no id has that form. */
export function invoiceIdInPath(c: Context): string | undefined {
  const id = c.req.path.split("/")[4] ?? "";
  return INVOICE_ID.test(id) ? id : undefined;
}

/** The same for the sentence of a not-found error. */
export function externalIdAsSent(c: Context): string {
  return externalIdInPath(c) ?? c.req.path.split("/")[4] ?? "";
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: z.core.JSONSchema.BaseSchema;
  readonly style?: "form";
  readonly explode?: boolean;
}

export const LONGEST_MODULE_TEXT = 64;
const MODULE_TEXT: z.core.JSONSchema.BaseSchema = { type: "string", maxLength: LONGEST_MODULE_TEXT };

/** Every parameter of the API, by its name in the document. */
export const PARAMETERS = {
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
  invoice_id: {
    name: "invoice_id",
    in: "path",
    required: true,
    description: "The invoice_id that issuing answered.",
    schema: { type: "string", minLength: 1, maxLength: LONGEST_INVOICE_ID },
  },
  language: {
    name: "language",
    in: "query",
    required: false,
    description: "Of the labels; what the law wants is Spanish in both.",
    schema: { type: "string", enum: [...LANGUAGES], default: "es" },
  },
  profile: {
    name: "profile",
    in: "query",
    required: false,
    description: "BT-24 of the file: EN 16931 as it is, or Peppol BIS Billing 3, which asks for more.",
    schema: { type: "string", enum: [...UBL_PROFILES], default: "en16931" },
  },
  attach: {
    name: "attach",
    in: "query",
    required: false,
    description: "pdf puts the PDF into the file as well.",
    schema: { type: "string", enum: [...ATTACHMENTS] },
  },
  cursor: {
    name: "cursor",
    in: "query",
    required: false,
    description: "The next_cursor of a page; the list goes on behind it, also with another filter.",
    schema: { type: "string" },
  },
  limit: {
    name: "limit",
    in: "query",
    required: false,
    description: "The most items of a page.",
    schema: { type: "integer", minimum: 1, maximum: LISTS.mostItems, default: LISTS.mostItems },
  },
  from: {
    name: "from",
    in: "query",
    required: false,
    description: "First day of issue, included.",
    schema: { type: "string", format: "date" },
  },
  to: {
    name: "to",
    in: "query",
    required: false,
    description: "Last day of issue, included.",
    schema: { type: "string", format: "date" },
  },
  type: {
    name: "type",
    in: "query",
    required: false,
    description: "Types of invoices, by commas.",
    schema: { type: "array", items: { type: "string", enum: [...INVOICE_TYPES] } },
    style: "form",
    explode: false,
  },
  invoice_state: {
    name: "state",
    in: "query",
    required: false,
    description: "States of the newest registration, by commas; cancelled are those that were annulled.",
    schema: { type: "array", items: { type: "string", enum: [...RECORD_STATES, "cancelled"] } },
    style: "form",
    explode: false,
  },
  order_state: {
    name: "state",
    in: "query",
    required: false,
    description: "States of orders, by commas.",
    schema: { type: "array", items: { type: "string", enum: [...ORDER_STATES] } },
    style: "form",
    explode: false,
  },
  updated_since: {
    name: "updated_since",
    in: "query",
    required: false,
    description: "RFC 3339 with its offset; orders that changed then or later.",
    schema: { type: "string", format: "date-time" },
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
} as const satisfies Readonly<Record<string, Parameter>>;

export type ParameterName = keyof typeof PARAMETERS;
