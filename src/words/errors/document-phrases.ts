import type { PhraseCode } from "../../domain/shared/fact.ts";
import type { Bilingual } from "../language.ts";

/** Phrases of the document, of whom it names, and of when the operation took place. */
export const DOCUMENT_PHRASES = {
  every_combination: {
    en:
      "F1, F3 or R1 to R4 with art6_full; F1 or R1 to R4 with art7_simplified and " +
      "qualified_simplified_art_7_2_3; F2 or R5 with art7_simplified; F2 or R5 with art6_full and " +
      "no_recipient_article_6_1_d",
    es:
      "F1, F3 o R1 a R4 con art6_full; F1 o R1 a R4 con art7_simplified y " +
      "qualified_simplified_art_7_2_3; F2 o R5 con art7_simplified; F2 o R5 con art6_full y " +
      "no_recipient_article_6_1_d",
  },
  attestation_combinations: {
    en: "F2 with art7_simplified; F1 with art7_simplified and qualified_simplified_art_7_2_3",
    es: "F2 con art7_simplified; F1 con art7_simplified y qualified_simplified_art_7_2_3",
  },
  no_rate_in_euros: { en: "the invoice is in euros", es: "la factura está en euros" },
  rate_not_above_zero: { en: "it is not above zero", es: "no es mayor que cero" },
  rate_date_in_future: { en: "its date is in the future", es: "su fecha es posterior a hoy" },
  send_no_rate: {
    en: "send neither exchange_rate nor exchange_rate_date",
    es: "no envíes ni exchange_rate ni exchange_rate_date",
  },
  give_rate: {
    en: "give {currency} per euro, dated today or earlier",
    es: "indica {currency} por euro, con fecha de hoy o anterior",
  },
  bytes: { en: "{count} bytes", es: "{count} bytes" },

  nif_control_character: {
    en: "the form or the control character of the NIF is wrong",
    es: "el formato o el carácter de control del NIF no es correcto",
  },
  no_vat_number_or_nif: {
    en: "it is neither a NIF nor an EU VAT number",
    es: "no es ni un NIF ni un NIF-IVA",
  },
  country_missing: { en: "its country is missing", es: "falta su país" },
  country_without_eu_vat: {
    en: "{country} issues no EU VAT numbers",
    es: "{country} no asigna NIF-IVA",
  },
  country_not_listed: {
    en: "the AEAT’s list of countries does not have {country}: give the country that issued the document",
    es: "la AEAT no tiene {country} en su lista de países: indica el que expidió el documento",
  },
  prefix_contradicts_country: {
    en: "its prefix is {prefix} and its country {country}",
    es: "su prefijo es {prefix} y su país, {country}",
  },
  vat_form: {
    en: "it does not have the form of a VAT number of {prefix}",
    es: "no tiene el formato de un NIF-IVA de {prefix}",
  },
  id_type_unknown: { en: "id_type {id_type} does not exist", es: "no existe el id_type {id_type}" },
  id_type_07_needs_spain: {
    en: "id_type 07 goes with country ES only",
    es: "el id_type 07 solo va con el país ES",
  },
  id_type_07_needs_person: {
    en: "id_type 07 needs a valid NIF of a natural person",
    es: "el id_type 07 exige un NIF válido de persona física",
  },
  spain_needs_nif: {
    en: "country ES goes with a NIF, or with id_type 03 or 07",
    es: "con el país ES va un NIF, o bien el id_type 03 o 07",
  },
  id_form: {
    en: "it must have 1 to 20 characters, none of them < > \" ' =",
    es: "debe tener de 1 a 20 caracteres, sin < > \" ' =",
  },
  prefix_not_in_force: {
    en: "prefix {prefix} was not in force on {date}",
    es: "el prefijo {prefix} no estaba en vigor el {date}",
  },
  e5_needs_vat_number: {
    en: "an intra-Community supply (E5) needs the recipient’s EU VAT number, no NIF or other document",
    es: "una entrega intracomunitaria (E5) exige el NIF-IVA del destinatario, no un NIF u otro documento",
  },
  regime_10_needs_nif: {
    en: "regime 10 needs the NIF of the recipient",
    es: "el régimen 10 exige el NIF del destinatario",
  },
  regime_14_needs_public_body: {
    en: "regime 14 needs the NIF of a public body, which begins with P, Q, S or V",
    es: "el régimen 14 exige el NIF de una Administración, que empieza por P, Q, S o V",
  },

  over_20_years_ago: { en: "it is more than 20 years ago", es: "es de hace más de 20 años" },
  after_next_year: { en: "it is later than next year", es: "es posterior al año próximo" },
  future_needs_regime: {
    en: "only lines of regime 14 or 15 may lie in the future",
    es: "solo las líneas de régimen 14 o 15 admiten una fecha futura",
  },
  regime_14_needs_future: {
    en: "regime 14 needs a date later than the issue date",
    es: "el régimen 14 exige una fecha posterior a la de expedición",
  },
  correct_operation_date: {
    en: "correct operation_date or leave it out",
    es: "corrige operation_date o quítala",
  },
  send_operation_date: {
    en: "send the right one as operation_date",
    es: "envía la correcta en operation_date",
  },
  send_later_operation_date: {
    en: "send an operation_date after today",
    es: "envía una operation_date posterior a hoy",
  },
  correct_cited_date: {
    en: "correct the issue_date of the cited invoice, or send operation_date",
    es: "corrige el issue_date de la factura citada o envía operation_date",
  },
} as const satisfies Partial<Record<PhraseCode, Bilingual>>;
