import { DeclaracionPage } from "../docs/declaracion-page.tsx";
import { pageResponse } from "../docs/page.tsx";
import { COMMON_ERRORS, endpoint } from "../endpoint.ts";

export const declaracionResponsable = endpoint({
  method: "GET",
  path: "/declaracion-responsable",
  doc: {
    operationId: "declaracionResponsable",
    tag: "Service",
    summary: "Declaración responsable of the billing system",
    description: "Article 13 RD 1007/2023, article 15 Orden HAC/1177/2024, of the version that is running.",
    needsKey: false,
    parameters: [],
    answers: { 200: { description: "The page, in Spanish.", contentType: "text/html" } },
  },
  errors: COMMON_ERRORS,
  handle: (c) => pageResponse(<DeclaracionPage software={c.var.deps.software} />),
});
