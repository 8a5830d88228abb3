import { COMMON_ERRORS, type Endpoint } from "../endpoint.ts";

export const openApi: Endpoint = {
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
    errors: COMMON_ERRORS,
  },
  mount: (app, path) => {
    let text: string | undefined;
    app.get(path, (c) => {
      text ??= JSON.stringify(c.var.openApi());
      return new Response(text, { headers: { "Content-Type": "application/json; charset=utf-8" } });
    });
  },
};
