import { COMMON_ERRORS, endpoint } from "../endpoint.ts";

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
