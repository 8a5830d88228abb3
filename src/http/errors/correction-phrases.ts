import type { PhraseCode } from "../../domain/shared/fact.ts";
import type { Bilingual } from "../language.ts";

/** Phrases of invoices that act on others. */
export const CORRECTION_PHRASES = {
  issued_here: { en: "it was issued through this connection", es: "se emitió por esta conexión" },
  issued_in_future: {
    en: "its issue date is in the future",
    es: "su fecha de expedición es posterior a hoy",
  },
  cite_by_external_id: { en: "cite it by its external_id", es: "cítala por su external_id" },
  correct_issue_date: { en: "correct its issue_date", es: "corrige su issue_date" },
  corrected: { en: "corrected", es: "rectificada" },
  substituted: { en: "substituted", es: "sustituida" },
  replaced: { en: "replaced", es: "sustituida" },
  by_difference: { en: "{invoice_type} by difference", es: "{invoice_type} por diferencias" },
  send_full: {
    en: "send one of R1 to R4 with art6_full",
    es: "envía una de R1 a R4 con art6_full",
  },
  send_qualified: {
    en: "send one of R1 to R4 with art7_simplified and qualified_simplified_art_7_2_3",
    es: "envía una de R1 a R4 con art7_simplified y qualified_simplified_art_7_2_3",
  },
  send_simplified: {
    en: "send R5 with art7_simplified, or F3 to replace it",
    es: "envía R5 con art7_simplified, o F3 para sustituirla",
  },
  send_without_recipient: {
    en: "send R5 with art6_full and no_recipient_article_6_1_d",
    es: "envía R5 con art6_full y no_recipient_article_6_1_d",
  },
  send_r1_to_r4: { en: "send one of R1 to R4", es: "envía una de R1 a R4" },
  send_r5_or_f3: { en: "send R5, or F3 to replace it", es: "envía R5, o F3 para sustituirla" },
  cite_the_corrected: {
    en: "cite the invoice that {reference} corrects",
    es: "cita la factura rectificada por {reference}",
  },
  cites_full: { en: "F1, F3 or R1 to R4 with art6_full", es: "F1, F3 o R1 a R4 con art6_full" },
  cites_qualified: {
    en: "F1 or R1 to R4 with qualified_simplified_art_7_2_3",
    es: "F1 o R1 a R4 con qualified_simplified_art_7_2_3",
  },
  cites_simplified: { en: "F2 or R5 with art7_simplified", es: "F2 o R5 con art7_simplified" },
  cites_without_recipient: {
    en: "F2 or R5 with no_recipient_article_6_1_d",
    es: "F2 o R5 con no_recipient_article_6_1_d",
  },
  cites_replaceable: {
    en: "F2 with art7_simplified and its R5",
    es: "F2 con art7_simplified y sus R5",
  },
  cites_no_part: {
    en: "invoices that are not by difference themselves",
    es: "facturas que no sean a su vez por diferencias",
  },
  invoice_corrected_by: {
    en: "the invoice that {number} corrects",
    es: "la factura rectificada por {number}",
  },
  amounts: { en: "{base} + {tax}", es: "{base} + {tax}" },
  amounts_with_surcharge: { en: "{base} + {tax} + {surcharge}", es: "{base} + {tax} + {surcharge}" },
  amounts_at: { en: "{rate}: {amounts}", es: "{rate}: {amounts}" },
  correct_rest_or_cancel: {
    en: "correct what remains, or cancel {successor} first, if it should not exist either",
    es: "rectifica lo que quede o anula antes {successor}, si tampoco debió existir",
  },
  act_on_successor: {
    en: "correct {successor}, or cancel it first, if it should not exist either",
    es: "rectifica {successor} o anúlala antes, si tampoco debió existir",
  },
} as const satisfies Partial<Record<PhraseCode, Bilingual>>;
