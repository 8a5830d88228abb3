import { COMMON_ERRORS, endpoint } from "../endpoint.ts";
import type { OpenApiDocument } from "../openapi/format.ts";

/** Serialised once for each document. */
const texts = new WeakMap<OpenApiDocument, string>();

export const openApi = endpoint({
  method: "GET",
  path: "/openapi.json",
  doc: {
    operationId: "openApi",
    tag: "Service",
    summary: "This contract as OpenAPI 3.1",
    description: "Made from the schemas that check requests.",
    needsKey: false,
    parameters: [],
    answers: { 200: { description: "The document.", schema: { type: "object" } } },
  },
  errors: COMMON_ERRORS,
  handle: (c) => {
    const document = c.var.openApi();
    const text = texts.get(document) ?? JSON.stringify(document);
    texts.set(document, text);
    return new Response(text, { headers: { "Content-Type": "application/json; charset=utf-8" } });
  },
});
