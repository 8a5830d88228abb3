import type { PhraseCode } from "../../domain/shared/fact.ts";
import type { Bilingual } from "../language.ts";

/** Phrases of orders: what the shop left unsaid, what the owner declared, and what a client lacks. */
export const ORDER_PHRASES = {
  not_stated: { en: "not stated", es: "sin indicar" },
  amount_not_stated: { en: "an amount not stated", es: "un importe sin indicar" },
  at_rate: { en: "at {rate}", es: "al {rate}" },
  all_at_rate: { en: "everything at {rate}", es: "todo lo que va al {rate}" },
  in_all: { en: "in all", es: "en total" },
  payment: { en: "means of payment", es: "medio de pago" },
  discount: { en: "discount", es: "descuento" },
  fee: { en: "fee with tax", es: "recargo con impuesto" },
  multi_purpose: {
    en: "multi-purpose (taxed when used)",
    es: "polivalentes (el impuesto se paga al usarlas)",
  },
  single_purpose: {
    en: "single-purpose (taxed when sold)",
    es: "univalentes (el impuesto se paga al venderlas)",
  },
  peninsula: { en: "the mainland and Balearics", es: "la Península y Baleares" },
  canarias: { en: "the Canaries", es: "Canarias" },
  ceuta_melilla: { en: "Ceuta and Melilla", es: "Ceuta y Melilla" },
  ceuta: { en: "Ceuta", es: "Ceuta" },
  melilla: { en: "Melilla", es: "Melilla" },
  northern_ireland: { en: "Northern Ireland", es: "Irlanda del Norte" },
  azores: { en: "the Azores", es: "las Azores" },
  madeira: { en: "Madeira", es: "Madeira" },
  corsica: { en: "Corsica", es: "Córcega" },
  aegean_islands: {
    en: "the Aegean islands with reduced rates",
    es: "las islas del Egeo con tipos rebajados",
  },
  jungholz_mittelberg: { en: "Jungholz and Mittelberg", es: "Jungholz y Mittelberg" },
  heligoland: { en: "Heligoland", es: "Heligoland" },
  busingen: { en: "Büsingen", es: "Büsingen" },
  livigno: { en: "Livigno", es: "Livigno" },
  campione: { en: "Campione d'Italia", es: "Campione de Italia" },
  mount_athos: { en: "Mount Athos", es: "el Monte Athos" },
  vat_number: { en: "the tax ID", es: "el NIF" },
  first_name: { en: "the first name", es: "el nombre" },
  last_name: { en: "the last name", es: "el apellido" },
  company: { en: "the company name", es: "la razón social" },
  address1: { en: "the address", es: "la dirección" },
  postcode: { en: "the postcode", es: "el código postal" },
  city: { en: "the city", es: "la población" },
  country: { en: "the country", es: "el país" },
} as const satisfies Partial<Record<PhraseCode, Bilingual>>;
