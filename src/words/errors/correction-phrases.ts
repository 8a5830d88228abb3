import type { PhraseCode } from "../../domain/shared/fact.ts";
import type { Bilingual } from "../language.ts";

/** Phrases of invoices that act on others. */
export const CORRECTION_PHRASES = {
  issued_here_otherwise: {
    en: "it was issued through this connection, and {found}",
    es: "se emitió por esta conexión y {found}",
  },
  member_is: { en: "its {member} is {value}", es: "su {member} es {value}" },
  correct_or_cite: {
    en: "correct what you state of it, or cite it by its external_id “{external_id}”",
    es: "corrige lo que indicas de ella o cítala por su external_id «{external_id}»",
  },
  issued_for_order: {
    en: "it was issued for the order “{order}” of this connection",
    es: "se emitió por el pedido «{order}» de esta conexión",
  },
  correct_in_order: {
    en: "correct it through that order, with its correction_events",
    es: "rectifícala desde ese pedido, con sus correction_events",
  },
  issued_through: {
    en: "it was issued through the connection “{connection}” of this issuer",
    es: "se emitió por la conexión «{connection}» del mismo emisor",
  },
  correct_there: { en: "correct it through that connection", es: "rectifícala desde esa conexión" },
  not_in_books: {
    en: "no invoice of this connection has that number",
    es: "ninguna factura de esta conexión tiene ese número",
  },
  correct_number: {
    en: "correct the number, or cite the invoice by its external_id",
    es: "corrige el número o cita la factura por su external_id",
  },
  send_its_recipient: { en: "send its recipient", es: "envía su mismo destinatario" },
  send_its_recipient_or_substitute: {
    en: "send its recipient, or rectify by substitution if that one was wrong",
    es: "envía su mismo destinatario o, si era otro, rectifica por sustitución",
  },
  period_beside_invoices: {
    en: "it takes the place of rectifies, and both were sent",
    es: "ocupa el lugar de rectifies y se han enviado los dos",
  },
  keep_one: { en: "leave one of the two out", es: "quita uno de los dos" },
  period_reversed: { en: "it begins after its end", es: "empieza después de terminar" },
  period_not_over: { en: "its last day is in the future", es: "su último día es posterior a hoy" },
  period_dates_operation: {
    en: "its last day, {date}, is the operation date, and another one was sent",
    es: "su último día, {date}, es la fecha de operación y se ha enviado otra",
  },
  correct_period: { en: "correct rectified_period", es: "corrige rectified_period" },
  remove_operation_date: { en: "leave operation_date out", es: "quita operation_date" },
  cited_twice: { en: "it is cited twice", es: "se cita dos veces" },
  cite_once: { en: "cite it once", es: "cítala una sola vez" },
  issued_in_future: {
    en: "its issue date is in the future",
    es: "su fecha de expedición es posterior a hoy",
  },
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
  amounts_of_margin: { en: "price {price}, margin {margin}", es: "precio {price}, margen {margin}" },
  outside_margin: { en: "{amount} beside the margin", es: "{amount} fuera del margen" },
  of_margin: { en: "{amount} of margin", es: "{amount} de margen" },
  amounts_with_surcharge: { en: "{base} + {tax} + {surcharge}", es: "{base} + {tax} + {surcharge}" },
  amounts_at: { en: "{rate}: {amounts}", es: "{rate}: {amounts}" },
  correct_rest_or_cancel: {
    en: "correct what remains, or cancel {successor} first, if it should not exist either",
    es: "rectifica lo que quede o anula antes {successor}, si tampoco debió existir",
  },
  undone: { en: "undone", es: "deshecha" },
  followed: { en: "followed", es: "continuada" },
  act_on: { en: "act on {successor}", es: "actúa sobre {successor}" },
  correct_its_tickets: {
    en:
      "to correct amounts, send an R5 by difference of the simplified invoice and then an F3 of that R5; " +
      "if it named the wrong recipient, undo it with an F3 of exactly minus its amounts and issue another",
    es:
      "para corregir importes, envía una R5 por diferencias de la factura simplificada y después una F3 de " +
      "esa R5; si el destinatario era otro, deshazla con una F3 de exactamente menos sus importes y emite " +
      "otra",
  },
  cites_no_f3: {
    en: "full invoices that are not F3",
    es: "facturas completas que no sean F3",
  },
  undo_f3: {
    en:
      "if {successor} should be another, undo it first with an F3 of exactly minus its amounts that cites " +
      "the same simplified invoices",
    es:
      "si {successor} debía ser otra, deshazla antes con una F3 de exactamente menos sus importes que cite " +
      "las mismas simplificadas",
  },
  replace_again: {
    en: "issue a new F3 of the simplified invoices, if they are to be replaced",
    es: "emite una F3 nueva de las facturas simplificadas, si deben sustituirse",
  },
  send_by_difference: {
    en: "send an R5 by difference and then an F3 of that R5",
    es: "envía una R5 por diferencias y después una F3 de esa R5",
  },
  rectify_apart: {
    en: "send one R5 for the simplified invoices of each F3, because each R5 is followed by an F3 of its own",
    es: "envía una R5 por las simplificadas de cada F3, porque a cada R5 le sigue una F3 propia",
  },
  undo_both: {
    en:
      "undo both with one F3 of exactly minus their amounts, or cancel {successor} first, if it should not " +
      "exist either",
    es:
      "deshaz ambas con una F3 de exactamente menos sus importes o anula antes {successor}, si tampoco " +
      "debió existir",
  },
  follow_or_undo: {
    en: "send an R5 and then an F3 of that R5, or cancel {successor} first, if it should not exist either",
    es: "envía una R5 y después una F3 de esa R5, o anula antes {successor}, si tampoco debió existir",
  },
  act_on_successor: {
    en: "correct {successor}, or cancel it first, if it should not exist either",
    es: "rectifica {successor} o anúlala antes, si tampoco debió existir",
  },
} as const satisfies Partial<Record<PhraseCode, Bilingual>>;
