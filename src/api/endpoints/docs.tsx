import { DocsPage } from "../docs/docs-page.tsx";
import { pageResponse } from "../docs/page.tsx";
import { STYLESHEET, STYLESHEET_PATH } from "../docs/stylesheet.ts";
import { COMMON_ERRORS, endpoint } from "../endpoint.ts";
import type { OpenApiDocument } from "../openapi/format.ts";

/** Rendered once per requested host, because this public page has no limit on requests. */
const drawn = new WeakMap<OpenApiDocument, { readonly baseUrl: string; readonly html: string }>();

export const docs = endpoint({
  method: "GET",
  path: "/docs",
  doc: {
    operationId: "docs",
    tag: "Service",
    summary: "This contract as a page",
    description: "Made on the server from the OpenAPI document; no script, no other host.",
    needsKey: false,
    parameters: [],
    answers: { 200: { description: "The page.", contentType: "text/html" } },
  },
  errors: COMMON_ERRORS,
  handle: (c) => {
    const document = c.get("openApi")();
    const baseUrl = new URL(c.req.url).origin;
    let page = drawn.get(document);
    if (page?.baseUrl !== baseUrl) {
      page = { baseUrl, html: (<DocsPage document={document} baseUrl={baseUrl} />).toString() };
      drawn.set(document, page);
    }
    return pageResponse(page.html);
  },
});

export const stylesheet = endpoint({
  method: "GET",
  path: STYLESHEET_PATH,
  unlisted: true,
  doc: {
    operationId: "stylesheet",
    tag: "Service",
    summary: "Style sheet of the pages",
    description: "",
    needsKey: false,
    parameters: [],
    answers: { 200: { description: "CSS.", contentType: "text/css" } },
  },
  errors: COMMON_ERRORS,
  handle: () => {
    const headers = { "Content-Type": "text/css; charset=utf-8", "Cache-Control": "public, max-age=3600" };
    return new Response(STYLESHEET, { headers });
  },
});

export const index = endpoint({
  method: "GET",
  path: "/",
  unlisted: true,
  doc: {
    operationId: "index",
    tag: "Service",
    summary: "Leads to the documentation",
    description: "",
    needsKey: false,
    parameters: [],
    answers: { 302: { description: "To /docs." } },
  },
  errors: COMMON_ERRORS,
  handle: (c) => c.redirect("/docs"),
});

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
    const document = c.get("openApi")();
    const text = texts.get(document) ?? JSON.stringify(document);
    texts.set(document, text);
    return new Response(text, { headers: { "Content-Type": "application/json; charset=utf-8" } });
  },
});
