import type { FormatReason } from "../domain/einvoice/formats.ts";
import type { Language } from "./language.ts";
import type { Words } from "./rows.ts";
import { sentence } from "./sentence.ts";

/** Why a format cannot say an invoice, and the way out. */
export const FORMAT_REASON_WORDS: Readonly<Record<FormatReason, Words>> = {
  simplified: {
    sentence: {
      en: "It is a simplified invoice; issue the full invoice that replaces it (F3) and take that one.",
      es: "Es una factura simplificada; emite la factura completa que la sustituye (F3) y usa esa.",
    },
  },
  cancelled: {
    sentence: {
      en: "It is cancelled; take the PDF, which says so.",
      es: "Está anulada; usa el PDF, que lo indica.",
    },
  },
  withholding: {
    sentence: {
      en: "EN 16931 has no element for IRPF withheld; take Facturae.",
      es: "La norma EN 16931 no tiene ningún elemento para la retención de IRPF; usa Facturae.",
    },
  },
  disbursements: {
    sentence: {
      en: "EN 16931 has no element for disbursements (suplidos) outside the total; take Facturae.",
      es: "La norma EN 16931 no tiene ningún elemento para los suplidos, que no son del total; usa Facturae.",
    },
  },
  not_subject_mixed: {
    sentence: {
      en:
        "EN 16931 allows nothing beside operations that are not subject to the tax; take Facturae, or " +
        "issue them on an invoice of their own.",
      es:
        "La norma EN 16931 no admite nada junto a operaciones no sujetas; usa Facturae o emítelas en una " +
        "factura aparte.",
    },
  },
  tax_beyond_tolerance: {
    sentence: {
      en:
        "The tax of a rate is 1.00 or more away from base x rate, as the shop rounded it; EN 16931 refuses " +
        "that. Take Facturae.",
      es:
        "La cuota de un tipo se aparta en 1,00 o más de base x tipo, como la redondeó la tienda, y la " +
        "norma EN 16931 no lo admite; usa Facturae.",
    },
  },
  substitution: {
    sentence: {
      en:
        "Peppol takes rectifications by substitution between German parties only; ask for profile en16931, " +
        "or rectify by difference.",
      es:
        "Peppol solo admite rectificativas por sustitución entre partes alemanas; pide el perfil en16931 o " +
        "rectifica por diferencias.",
    },
  },
  negative_substitution: {
    sentence: {
      en: "Its total is below zero, which no substitution can say in UBL; take Facturae.",
      es: "Su total es negativo, y en UBL una rectificativa por sustitución no puede serlo; usa Facturae.",
    },
  },
  other_tax: {
    sentence: {
      en: "EN 16931 has no category for a tax other than IVA, IGIC and IPSI; take Facturae.",
      es: "La norma EN 16931 no tiene categoría para impuestos que no sean IVA, IGIC o IPSI; usa Facturae.",
    },
  },
  currency_decimals: {
    sentence: {
      en: "An amount has more than two decimals, the most that EN 16931 takes; take Facturae.",
      es: "Un importe tiene más de dos decimales, los que admite la norma EN 16931; usa Facturae.",
    },
  },
  buyer_name_missing: {
    sentence: {
      en: "The customer's name is missing; issue the invoice with recipient.company, or take the PDF.",
      es: "Falta el nombre del cliente; emite la factura con recipient.company o usa el PDF.",
    },
  },
  buyer_country_missing: {
    sentence: {
      en: "The customer's country is missing; issue the invoice with recipient.country, or take the PDF.",
      es: "Falta el país del cliente; emite la factura con recipient.country o usa el PDF.",
    },
  },
  buyer_identifier_missing: {
    sentence: {
      en: "Facturae needs the customer's tax identifier, of three characters at least; take UBL or the PDF.",
      es:
        "Facturae exige la identificación fiscal del cliente, de tres caracteres como mínimo; usa UBL o " +
        "el PDF.",
    },
  },
  buyer_address_missing: {
    sentence: {
      en:
        "Facturae needs the customer's address and town, in Spain with a postcode of five digits; take " +
        "UBL, or send them with the next invoice.",
      es:
        "Facturae exige la dirección y la población del cliente, en España con un código postal de cinco " +
        "cifras; usa UBL o envíalas en la próxima factura.",
    },
  },
  person_name_incomplete: {
    sentence: {
      en: "Facturae needs a person's first name and surname, and there is one word; take UBL.",
      es: "Facturae exige nombre y apellido de una persona, y solo hay una palabra; usa UBL.",
    },
  },
  number_too_long: {
    sentence: {
      en: "Facturae takes numbers of up to 40 characters; take UBL, and a shorter series from now on.",
      es: "Facturae admite números de hasta 40 caracteres; usa UBL y, en adelante, una serie más corta.",
    },
  },
  code_not_listed: {
    sentence: {
      en: "The format's lists do not have its currency or the customer's country; take another format.",
      es: "Las listas del formato no tienen su moneda o el país del cliente; usa otro formato.",
    },
  },
  buyer_endpoint_missing: {
    sentence: {
      en: "Peppol needs the customer's electronic address; send recipient.endpoint, or ask for en16931.",
      es: "Peppol exige la dirección electrónica del cliente; envía recipient.endpoint o pide en16931.",
    },
  },
  buyer_reference_missing: {
    sentence: {
      en: "Peppol needs buyer_reference or order_reference; send one of them, or ask for en16931.",
      es: "Peppol exige buyer_reference u order_reference; envía una de las dos o pide en16931.",
    },
  },
};

export function formatReasonSentence(code: FormatReason, language: Language): string {
  return sentence(FORMAT_REASON_WORDS[code].sentence, {}, language);
}
