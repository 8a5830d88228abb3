import type { Language } from "../../../words/words.ts";
import type { LegalText } from "./legal-text.ts";

export interface MailingFacts {
  readonly legalName: string;
}

/** Version 1 never changes: a new text is a new file with a new version. */
export function mailingTextV1({ legalName }: MailingFacts, language: Language): LegalText {
  return { version: "1", language, ...(language === "es" ? spanish(legalName) : english(legalName)) };
}

function spanish(legalName: string): Pick<LegalText, "intro" | "clauses"> {
  return {
    intro: `En nombre de ${legalName}, declaro:`,
    clauses: [
      {
        title: "Aceptación.",
        body:
          "Los clientes a los que se envían las facturas por correo han aceptado recibirlas en formato " +
          "electrónico (artículo 9.2 del Reglamento por el que se regulan las obligaciones de facturación, " +
          "Real Decreto 1619/2012), y la empresa puede acreditarlo.",
      },
      {
        title: "Quien no acepta.",
        body:
          "A quien no acepte, o deje de aceptar, se le entrega la factura por otro medio. En sus datos se " +
          "indica, y entonces no se le envía ninguna por correo.",
      },
    ],
  };
}

function english(legalName: string): Pick<LegalText, "intro" | "clauses"> {
  return {
    intro: `On behalf of ${legalName}, I declare:`,
    clauses: [
      {
        title: "Acceptance.",
        body:
          "The customers to whom invoices are sent by e-mail have agreed to receive them electronically " +
          "(article 9.2 of the Spanish invoicing regulation, Royal Decree 1619/2012), and the company can " +
          "prove it.",
      },
      {
        title: "Those who do not accept.",
        body:
          "Customers who do not agree, or no longer do, get their invoice by other means. Their data say so, " +
          "and then none is sent to them by e-mail.",
      },
    ],
  };
}
