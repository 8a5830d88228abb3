import { DocsPage } from "../docs/docs-page.tsx";
import { pageResponse } from "../docs/page.tsx";
import { COMMON_ERRORS, type Endpoint } from "../endpoint.ts";

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
    // Drawn once for the host that is asked, because anybody may ask as often as they like.
    let drawn: { readonly baseUrl: string; readonly page: string } | undefined;
    app.get(path, (c) => {
      const baseUrl = new URL(c.req.url).origin;
      if (drawn?.baseUrl !== baseUrl) {
        const page = <DocsPage document={c.var.openApi()} baseUrl={baseUrl} />;
        drawn = { baseUrl, page: page.toString() };
      }
      return pageResponse(drawn.page);
    });
  },
};
