import type { SoftwareConfig } from "../../domain/verifactu/software.ts";
import { clausesOf, DECLARATION_TITLE } from "../../words/words.ts";
import { Page } from "./page.tsx";

/** Art. 15 Orden HAC/1177/2024: on its own, legible, and with the values that SistemaInformatico carries. */
export function DeclaracionPage({ software }: { readonly software: SoftwareConfig }) {
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
