import type { Language } from "../../../words/words.ts";
import { type ConsentFacts, consentTextV1 } from "./consent-v1.ts";
import type { Clause, LegalText } from "./legal-text.ts";

/**
 * Version 2 never changes: a new text is a new file with a new version. It is version 1 but for what people
 * of the company issue by hand: what is invoiced, and who answers for its data.
 */
export function consentTextV2(facts: ConsentFacts, language: Language): LegalText {
  const first = consentTextV1(facts, language);
  const own = language === "es" ? SPANISH : ENGLISH;
  const clauses = first.clauses.map((clause) => own.find(({ title }) => title === clause.title) ?? clause);
  return { ...first, version: "2", clauses };
}

const SPANISH: readonly Clause[] = [
  {
    title: "Qué se factura.",
    body:
      "Las facturas que un titular de la empresa prepare en la consola y emita con «Emitir factura»: al " +
      "confirmarla, cada una se expide en firme. Un borrador no tiene número ni se registra, y no es una " +
      "factura.",
  },
  {
    title: "Responsabilidad.",
    body:
      "La empresa es la obligada a facturar. Responde de que los datos que escriben las personas a las que " +
      "da acceso son ciertos y completos y de que lo que declara en este programa se ajusta a sus " +
      "operaciones.",
  },
];

const ENGLISH: readonly Clause[] = [
  {
    title: "What is invoiced.",
    body:
      "The invoices that an owner of the company prepares in the console and issues with “Issue invoice”: " +
      "once confirmed, each one is issued for good. A draft has no number, is not registered, and is no " +
      "invoice.",
  },
  {
    title: "Responsibility.",
    body:
      "The company is the one obliged to invoice. It answers for the truth and completeness of the data " +
      "that the people it gives access to write, and for what it declares in this program being true of " +
      "its transactions.",
  },
];
