import type { SoftwareConfig } from "../../domain/verifactu/software.ts";
import { clausesOf, DECLARATION_TITLE } from "../../words/words.ts";
import { Page, pageResponse } from "../docs/page.tsx";
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
  handle: (c) => pageResponse(<DeclaracionPage software={c.get("deps").software} />),
});

/** Art. 15 Orden HAC/1177/2024: a separate, legible page with the values of SistemaInformatico. */
function DeclaracionPage({ software }: { readonly software: SoftwareConfig }) {
  return (
    <Page title={`${DECLARATION_TITLE}: ${software.name} ${software.version}`} language="es">
      <main>
        <h1>{DECLARATION_TITLE}</h1>
        <ol class="clauses">
          {clausesOf(software).map(({ letter, label, text }) => (
            <li>
              <strong>
                {letter}) {label}
              </strong>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </main>
    </Page>
  );
}
