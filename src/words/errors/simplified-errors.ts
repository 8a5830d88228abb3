import { type ErrorEntry, fiscal } from "./entry.ts";

/** Limits of simplified invoices (article 4 RD 1619/2012), and of what can be stored. */
export const SIMPLIFIED_ERRORS = {
  simplified_line_not_eligible: fiscal({
    en: "Line {line_id} ({reason}) cannot be on a simplified invoice; request a full one.",
    es: "La línea {line_id} ({reason}) no puede ir en una factura simplificada; pide una completa.",
  }),
  simplified_limit_exceeded: fiscal({
    en: "The simplified invoice would come to {total}, above {limit}; {fix}.",
    es: "La factura simplificada sumaría {total}, por encima de {limit}; {fix}.",
  }),
  attestation_lines_mismatch: fiscal({
    en:
      "The attestation does not cover exactly the lines of the invoice ({detail}); correct line_ids, and " +
      "give every line a line_id.",
    es:
      "La declaración no cubre exactamente las líneas de la factura ({detail}); corrige line_ids y da a " +
      "cada línea su line_id.",
  }),
  attestation_buyer_not_eligible: fiscal({
    en:
      "The buyer is a professional and a simplified invoice above 400.00\u00a0€ is not allowed; request a " +
      "full one with their tax ID.",
    es:
      "El comprador actúa como profesional y no admite simplificada por encima de 400,00\u00a0€; pide una " +
      "completa con su NIF.",
  }),
  article_4_2_ceiling_exceeded: fiscal({
    en: "The total, {total}, exceeds the 3,000.00\u00a0€ of article 4.2; request a full invoice.",
    es: "El total, {total}, pasa de los 3.000,00\u00a0€ del artículo 4.2; pide una factura completa.",
  }),
  authorisation_mismatch: fiscal({
    en:
      "The authorisation stated ({stated}) is not the active one, or the total, {total}, exceeds it; check " +
      "it in Company › Authorisations.",
    es:
      "La autorización indicada ({stated}) no es la vigente, o el total, {total}, la supera; revísala en " +
      "Empresa › Autorizaciones.",
  }),
  document_too_large: fiscal({
    en:
      "The invoice would be larger than can be stored ({size}); shorten the descriptions or split it into " +
      "several.",
    es:
      "La factura ocuparía más de lo que se puede guardar ({size}); acorta las descripciones o repártela " +
      "en varias.",
  }),
} as const satisfies Record<string, ErrorEntry>;
