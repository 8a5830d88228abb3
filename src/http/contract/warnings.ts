import type { Warning } from "../../domain/invoice/document.ts";
import type { Bilingual, Language } from "../language.ts";

/** What was done all the same, and what to do better the next time. */
export const WARNINGS: Readonly<Record<Warning["code"], Bilingual>> = {
  recipient_identification_expected: {
    en:
      "The invoice was issued without the customer’s tax ID, and sales made in your territory normally " +
      "identify them; if you have it, use F1 next time.",
    es:
      "La factura se ha emitido sin el NIF del cliente, y en ventas hechas en tu territorio lo normal es " +
      "identificarlo; si lo tienes, usa F1 la próxima vez.",
  },
};

export function warningSentence(code: Warning["code"], language: Language): string {
  return WARNINGS[code][language];
}
