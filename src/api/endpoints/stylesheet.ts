import { STYLESHEET, STYLESHEET_PATH } from "../docs/stylesheet.ts";
import { COMMON_ERRORS, endpoint } from "../endpoint.ts";

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
