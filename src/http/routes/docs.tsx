import { COMMON_ERRORS, type Endpoint } from "../endpoint.ts";
import { DocsPage } from "../pages/docs-page.tsx";
import { pageResponse } from "../pages/page.tsx";

export const docs: Endpoint = {
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
    errors: COMMON_ERRORS,
  },
  mount: (app, path) => {
    app.get(path, (c) => {
      const base = new URL(c.req.url).origin;
      return pageResponse(<DocsPage document={c.var.openApi()} baseUrl={base} />);
    });
  },
};
