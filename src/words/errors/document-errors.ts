import { type ErrorEntry, fiscal } from "./entry.ts";

/** Who, when, which taxes and how much: what every invoice must have right. */
export const DOCUMENT_ERRORS = {
  documentary_regime_mismatch: fiscal({
    en: "{invoice_type} does not go with {combined}; valid combinations: {allowed}.",
    es: "{invoice_type} no se combina con {combined}; combinaciones válidas: {allowed}.",
  }),
  withholding_not_allowed: fiscal({
    en: "Income tax withholding is only possible on F1 and R1 to R4; remove it from this {invoice_type}.",
    es: "La retención de IRPF solo cabe en F1 y en R1 a R4; quítala de esta {invoice_type}.",
  }),
  disbursements_not_allowed: fiscal({
    en:
      "A rectification by difference carries no disbursements; remove them from this {invoice_type}, or " +
      "rectify by substitution and send all that are due.",
    es:
      "Una rectificación por diferencias no lleva suplidos; quítalos de esta {invoice_type} o rectifica " +
      "por sustitución con todos los que correspondan.",
  }),
  description_without_text: fiscal({
    en: "The record takes no < > \" ' = and so nothing is left of the description; use words.",
    es: "El registro no admite < > \" ' = y no queda nada de la descripción; escríbela con palabras.",
  }),
  recipient_required: fiscal({
    en:
      "This invoice needs the recipient’s {missing}; add it, or request a simplified one where that is " +
      "allowed.",
    es: "Esta factura necesita {missing} del destinatario; añádelo o pide una simplificada si procede.",
  }),
  recipient_not_allowed: fiscal({
    en:
      "A simplified invoice, or one without recipient, carries no identifier of the recipient; remove it, " +
      "or request F1 to identify them.",
    es:
      "Una factura simplificada o sin destinatario no lleva su identificador; quítalo, o pide F1 para " +
      "identificarlo.",
  }),
  tax_identifier_type_required: fiscal({
    en: "“{identifier}” is from {country} and the kind of document is missing; add id_type (02 to 07).",
    es: "«{identifier}» es de {country} y falta decir qué documento es; añade id_type (02 a 07).",
  }),
  tax_identifier_invalid: fiscal({
    en:
      "“{identifier}” is not a valid identifier ({detail}); correct it, or give its country and type " +
      "(id_type).",
    es: "«{identifier}» no es un identificador válido ({detail}); corrígelo o indica país y tipo (id_type).",
  }),
  exchange_rate_required: fiscal({
    en: "The invoice is in {currency}; add exchange_rate, in {currency} per euro, and exchange_rate_date.",
    es: "La factura está en {currency}; añade exchange_rate, en {currency} por euro, y exchange_rate_date.",
  }),
  exchange_rate_invalid: fiscal({
    en: "The rate sent is not valid ({detail}); {fix}.",
    es: "El cambio enviado no vale ({detail}); {fix}.",
  }),
  operation_date_not_allowed: fiscal({
    en: "The operation date {date} is not allowed ({detail}); {fix}.",
    es: "La fecha de operación {date} no vale ({detail}); {fix}.",
  }),
  mixed_taxes: fiscal({
    en:
      "The invoice mixes {taxes} and may carry only one tax, apart from “other”; make one invoice for " +
      "each.",
    es:
      "La factura mezcla {taxes} y solo puede llevar un impuesto, aparte de «otros»; haz una factura para " +
      "cada uno.",
  }),
  regime_not_allowed: fiscal({
    en: "Regime {regime} is not valid with {with} on line {line_id}; {fix}.",
    es: "El régimen {regime} no vale con {with} en la línea {line_id}; {fix}.",
  }),
  qualification_rate_mismatch: fiscal({
    en: "Qualification {qualification} does not allow {field} = {value} on line {line_id}; {fix}.",
    es: "La calificación {qualification} no admite {field} = {value} en la línea {line_id}; {fix}.",
  }),
  tax_rate_not_allowed: fiscal({
    en: "{rate} was not a rate of {tax_name} on {date}; {fix}.",
    es: "El {rate} no era un tipo de {tax_name} el {date}; {fix}.",
  }),
  surcharge_not_allowed: fiscal({
    en:
      "The equivalence surcharge {surcharge} does not belong to line {line_id} ({rate}, {date}); " + "{fix}.",
    es:
      "El recargo de equivalencia {surcharge} no corresponde a la línea {line_id} ({rate}, {date}); " +
      "{fix}.",
  }),
  taxable_margin_required: fiscal({
    en:
      "Line {line_id} is of a margin scheme (regime 03 or 05): send its taxable_margin, tax included, and " +
      "prices_include_tax true; or correct regime.",
    es:
      "La línea {line_id} va en un régimen de margen (03 o 05): envía su taxable_margin, con impuesto, y " +
      "prices_include_tax true; o corrige regime.",
  }),
  taxable_margin_not_allowed: fiscal({
    en: "The taxable_margin does not belong to line {line_id}; {fix}.",
    es: "El taxable_margin no corresponde a la línea {line_id}; {fix}.",
  }),
  taxable_margin_out_of_range: fiscal({
    en:
      "The margin of line {line_id}, {margin}, is not between 0 and the amount of the line, {amount}; " +
      "correct it. A sale at a loss has a margin of 0.",
    es:
      "El margen de la línea {line_id}, {margin}, no está entre 0 y el importe de la línea, {amount}; " +
      "corrígelo. En una venta con pérdida el margen es 0.",
  }),
  recipient_type_not_allowed: fiscal({
    en:
      "The recipient’s identifier is not of the kind that this transaction needs ({detail}); change the " +
      "identifier or the qualification.",
    es:
      "El identificador del destinatario no es del tipo que pide esta operación ({detail}); cambia el " +
      "identificador o la calificación.",
  }),
  too_many_tax_groups: fiscal({
    en: "The invoice has {count} tax groups and the AEAT allows 12; split it into several.",
    es: "La factura tiene {count} combinaciones de impuesto y la AEAT admite 12; repártela en varias.",
  }),
  total_out_of_range: fiscal({
    en: "The total {total} exceeds 12 integer digits; split the transaction into several invoices.",
    es: "El total {total} pasa de 12 cifras enteras; reparte la operación en varias facturas.",
  }),
} as const satisfies Record<string, ErrorEntry>;
