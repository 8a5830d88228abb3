import type { Exemption } from "../verifactu/aeat-lists.ts";
import type { DocumentaryFlag, Tax } from "./request.ts";

/**
 * Words that the law requires on an invoice (articles 6 and 7 RD 1619/2012): page, PDF and electronic forms
 * take them from here. English stands only beside the Spanish.
 */
interface Mention {
  readonly es: string;
  readonly en: string;
}

const IVA_LAW = "de la Ley 37/1992 del IVA";

/** The reason of exemption, by tax; the article is below `Operación exenta`. */
const EXEMPT_BY: Readonly<Record<Tax, Partial<Record<Exemption, string>>>> = {
  "01": {
    E1: `Artículo 20 ${IVA_LAW}`,
    E2: `Artículo 21 ${IVA_LAW} (exportación)`,
    E3: `Artículo 22 ${IVA_LAW}`,
    E4: `Artículos 23 y 24 ${IVA_LAW}`,
    E5: `Artículo 25 ${IVA_LAW} (entrega intracomunitaria)`,
  },
  "02": {
    E1: "Artículo 7 de la Ley 8/1991",
    E2: "Artículo 8 de la Ley 8/1991",
    E3: "Artículo 8 de la Ley 8/1991",
    E4: "Artículos 9 y 10 de la Ley 8/1991",
    E5: "Artículo 8 de la Ley 8/1991",
  },
  "03": {
    E1: "Decreto Legislativo 1/2025",
    E2: "Artículo 11 de la Ley 20/1991",
    E3: "Artículo 12 de la Ley 20/1991",
    E4: "Artículo 13 de la Ley 20/1991",
    E5: "Artículo 25 de la Ley 19/1994",
    E6: "Artículo 47 de la Ley 19/1994",
    E7: "Artículo 90 del Decreto Legislativo 1/2025",
  },
  "05": {},
};

export const EXEMPT: Mention = { es: "Operación exenta", en: "Exempt" };
export const EXEMPT_EXPORT: Mention = { es: EXEMPT.es, en: "Exempt (export)" };
export const EXEMPT_SUPPLY: Mention = { es: EXEMPT.es, en: "Exempt (intra-Community supply)" };
export const REVERSE_CHARGE: Mention = { es: "Inversión del sujeto pasivo", en: "Reverse charge" };
export const NOT_SUBJECT: Mention = { es: "Operación no sujeta", en: "Not subject" };
export const NOT_SUBJECT_HERE: Mention = { es: "Operación no sujeta", en: "Not subject (place of supply)" };
export const NOT_SUBJECT_BY_PLACE = "Por reglas de localización";

export const OSS_REGIME: Mention = {
  es: "Régimen especial de la Unión (ventanilla única)",
  en: "One-stop shop",
};

/** The article of an exemption, as invoices print it; E6 of IVA and E8 have none. */
export function exemptionArticle(tax: Tax, exemption: Exemption): string | undefined {
  return EXEMPT_BY[tax][exemption];
}

export const OSS_IN_COUNTRY: Mention = {
  es: "{regime}: IVA de {country} al {rates}. Importe que figura en el código QR: {total}",
  en: "{regime}: VAT of {country} at {rates}. Amount in the QR code: {total}",
};
export const OSS_SOMEWHERE: Mention = {
  es: "{regime}: IVA del país de consumo al {rates}. Importe que figura en el código QR: {total}",
  en: "{regime}: VAT of the country of consumption at {rates}. Amount in the QR code: {total}",
};

export const REPLACES: readonly [one: Mention, several: Mention] = [
  {
    es: "Factura en sustitución de la factura simplificada {cited}",
    en: "Replaces simplified invoice {cited}",
  },
  {
    es: "Factura en sustitución de las facturas simplificadas {cited}",
    en: "Replaces simplified invoices {cited}",
  },
];

/** An invoice as a citation names it. */
export const CITED: Mention = { es: "{number}, de {date}", en: "{number} of {date}" };

export const WITH_FLAG: Readonly<Record<DocumentaryFlag, Mention>> = {
  no_recipient_article_6_1_d: {
    es: "Factura sin identificación del destinatario, artículo 6.1.d) del Real Decreto 1619/2012",
    en: "Without recipient identification",
  },
  qualified_simplified_art_7_2_3: {
    es: "Factura simplificada con datos del destinatario, artículo 7.2 y 7.3 del Real Decreto 1619/2012",
    en: "Simplified, with recipient’s details",
  },
};

/** On a test: it is no invoice for any tax authority. */
export const TEST_MARKS = {
  test: { es: "PRUEBA: sin valor fiscal", en: "TEST: no tax effect" },
  unproven: { es: "PRUEBA, SIN VALIDEZ", en: "TEST, NOT VALID" },
  draft: { es: "BORRADOR: aún no emitida", en: "DRAFT: not issued yet" },
} as const satisfies Record<string, Mention>;
