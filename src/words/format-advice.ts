import type { FormatReason } from "../domain/einvoice/formats.ts";
import type { Bilingual, Language } from "./language.ts";
import { sentence } from "./sentence.ts";

/**
 * Why an invoice cannot be had in a format, and what its owner can do in the console: without the
 * names of the API, which the sentences for connectors have (`format-reasons.ts`).
 */
export const FORMAT_ADVICE: Readonly<Record<FormatReason, Bilingual>> = {
  simplified: {
    en:
      "It is a simplified invoice, and this file is for full ones. If your customer needs it, issue " +
      "the full invoice that replaces it.",
    es:
      "Es una factura simplificada, y este fichero es para las completas. Si tu cliente lo necesita, " +
      "emite la factura completa que la sustituye.",
  },
  cancelled: {
    en: "It is cancelled. Take the PDF, which says so.",
    es: "Está anulada. Usa el PDF, que lo indica.",
  },
  withholding: {
    en: "UBL has no place for IRPF withheld. Take Facturae.",
    es: "El UBL no tiene dónde poner la retención de IRPF. Usa Facturae.",
  },
  disbursements: {
    en: "UBL has no place for disbursements (suplidos), which are not part of the total. Take Facturae.",
    es: "El UBL no tiene dónde poner los suplidos, que no forman parte del total. Usa Facturae.",
  },
  not_subject_mixed: {
    en:
      "UBL takes no operations that are not subject to the tax together with others. Take Facturae, " +
      "and invoice them apart next time.",
    es:
      "El UBL no admite operaciones no sujetas junto a otras. Usa Facturae y, la próxima vez, " +
      "factúralas aparte.",
  },
  tax_beyond_tolerance: {
    en:
      "The tax of a rate is 1.00 or more away from its base times the rate, as your shop rounded it, " +
      "and UBL does not take that. Take Facturae.",
    es:
      "La cuota de un tipo se aparta 1,00 o más de su base por el tipo, tal como la redondeó tu " +
      "tienda, y el UBL no lo admite. Usa Facturae.",
  },
  substitution: {
    en: "In Spain, Peppol takes no rectification by substitution. Take UBL, or rectify by differences.",
    es: "En España, Peppol no admite rectificativas por sustitución. Usa UBL o rectifica por diferencias.",
  },
  negative_substitution: {
    en: "Its total is below zero, which a rectification by substitution cannot be in UBL. Take Facturae.",
    es: "Su total es negativo, y en UBL una rectificativa por sustitución no puede serlo. Usa Facturae.",
  },
  other_tax: {
    en: "UBL has IVA, IGIC and IPSI only, and this invoice has another tax. Take Facturae.",
    es: "El UBL solo tiene IVA, IGIC e IPSI, y esta factura lleva otro impuesto. Usa Facturae.",
  },
  currency_decimals: {
    en: "An amount has more than two decimals, and UBL takes no more. Take Facturae.",
    es: "Un importe tiene más de dos decimales, y el UBL no admite más. Usa Facturae.",
  },
  buyer_name_missing: {
    en:
      "Your customer's name is missing. Send the PDF, and enter the name in your shop or program for " +
      "the next invoices.",
    es:
      "Falta el nombre del cliente. Envía el PDF, y pon el nombre en tu tienda o programa para las " +
      "próximas facturas.",
  },
  buyer_country_missing: {
    en:
      "Your customer's country is missing. Send the PDF, and enter the country in your shop or " +
      "program for the next invoices.",
    es:
      "Falta el país del cliente. Envía el PDF, y pon el país en tu tienda o programa para las " +
      "próximas facturas.",
  },
  buyer_identifier_missing: {
    en:
      "Facturae needs your customer's NIF or other tax identifier, of three characters at least. " +
      "Take UBL or the PDF, and ask your customer for it.",
    es:
      "Facturae exige el NIF del cliente u otra identificación fiscal, de tres caracteres como " +
      "mínimo. Usa UBL o el PDF, y pídesela a tu cliente.",
  },
  buyer_address_missing: {
    en:
      "Facturae needs your customer's address and town, and in Spain a postcode of five digits. Take " +
      "UBL, and complete them in your shop or program for the next invoices.",
    es:
      "Facturae exige la dirección y la población del cliente y, en España, un código postal de " +
      "cinco cifras. Usa UBL, y complétalas en tu tienda o programa para las próximas facturas.",
  },
  person_name_incomplete: {
    en:
      "Facturae needs the first name and the surname of a person, yours or your customer's, and " +
      "there is only one word. Take UBL, and complete the name for the next invoices.",
    es:
      "Facturae exige el nombre y el apellido de una persona, sea el tuyo o el de tu cliente, y solo " +
      "hay una palabra. Usa UBL, y completa el nombre para las próximas facturas.",
  },
  number_too_long: {
    en: "Facturae takes numbers of up to 40 characters. Take UBL, and choose a shorter series from now on.",
    es: "Facturae admite números de hasta 40 caracteres. Usa UBL y, en adelante, elige una serie más corta.",
  },
  code_not_listed: {
    en:
      "This format does not know the currency of the invoice, or your customer's country. Take " +
      "another format.",
    es: "Este formato no conoce la moneda de la factura o el país del cliente. Usa otro formato.",
  },
  buyer_endpoint_missing: {
    en:
      "Peppol needs your customer's electronic address. Take UBL, and ask your customer for it for " +
      "the next invoices.",
    es:
      "Peppol exige la dirección electrónica del cliente. Usa UBL, y pídesela a tu cliente para las " +
      "próximas facturas.",
  },
  buyer_reference_missing: {
    en:
      "Peppol needs your customer's reference or order number. Take UBL, and ask your customer for " +
      "it for the next invoices.",
    es:
      "Peppol exige la referencia del cliente o su número de pedido. Usa UBL, y pídeselo a tu " +
      "cliente para las próximas facturas.",
  },
};

export function formatAdvice(code: FormatReason, language: Language): string {
  return sentence(FORMAT_ADVICE[code], {}, language);
}
