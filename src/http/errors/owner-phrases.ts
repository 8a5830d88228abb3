import type { PhraseCode } from "../../domain/shared/fact.ts";
import type { Bilingual } from "../language.ts";

/** Phrases of what only an owner is told. */
export const OWNER_PHRASES = {
  issuer_name: { en: "the name of your company", es: "el nombre de tu empresa" },
  description_text: { en: "the description", es: "la descripción" },
  recipient_name: { en: "the customer’s name", es: "el nombre del cliente" },
  rectify_by_substitution: {
    en: "rectify the invoice by substitution, with the right recipient",
    es: "rectifica la factura por sustitución, con el destinatario correcto",
  },
  reverse_through_order: {
    en:
      "have the shop cancel the order, which takes the invoice back, and send a new one with the right " +
      "client",
    es: "cancela el pedido en la tienda, lo que rectifica la factura, y envía otro con el cliente correcto",
  },
  rates_not_in_force: {
    en: "some rate of the invoice was not in force on that day",
    es: "ese día no estaba vigente alguno de los tipos de la factura",
  },
  foral_territory: {
    en: "its registered address is in {province}, a foral territory",
    es: "su domicilio fiscal está en {province}, que es territorio foral",
  },
  books_in_sii: {
    en: "the company keeps its VAT books through the SII",
    es: "la empresa lleva los libros de IVA por el SII",
  },
} as const satisfies Partial<Record<PhraseCode, Bilingual>>;
