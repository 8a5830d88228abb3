import { COMMON_ERRORS, type Endpoint } from "../endpoint.ts";

export const index: Endpoint = {
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
    errors: COMMON_ERRORS,
  },
  mount: (app, path) => {
    app.get(path, (c) => c.redirect("/docs"));
  },
};
