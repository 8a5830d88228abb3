import { civilDate } from "../../domain/shared/civil-date.ts";
import { decimal } from "../../domain/shared/decimal.ts";
import { money, percents } from "../../domain/shared/fact.ts";
import { type ErrorRow, fiscal } from "../rows.ts";

const SUCCESSOR = "API-1R-2026-000003";

/** Refusals of an invoice. */
export const DOCUMENT_ERRORS = {
  // Parties, date, taxes and amounts
  documentary_regime_mismatch: fiscal(
    {
      en: "{invoice_type} does not go with {combined}; valid combinations: {allowed}.",
      es: "{invoice_type} no se combina con {combined}; combinaciones válidas: {allowed}.",
    },
    {
      combined: { all: ["art7_simplified", "no_recipient_article_6_1_d"] },
      allowed: { phrase: "every_combination" },
    },
  ),
  withholding_not_allowed: fiscal(
    {
      en: "Income tax withholding is only possible on F1 and R1 to R4; remove it from this {invoice_type}.",
      es: "La retención de IRPF solo cabe en F1 y en R1 a R4; quítala de esta {invoice_type}.",
    },
    { invoice_type: "F2" },
  ),
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
  tax_identifier_type_required: fiscal(
    {
      en: "“{identifier}” is from {country} and the kind of document is missing; add id_type (02 to 07).",
      es: "«{identifier}» es de {country} y falta decir qué documento es; añade id_type (02 a 07).",
    },
    { identifier: "98-7654321" },
  ),
  tax_identifier_invalid: fiscal(
    {
      en:
        "“{identifier}” is not a valid identifier ({detail}); correct it, or give its country and type " +
        "(id_type).",
      es:
        "«{identifier}» no es un identificador válido ({detail}); corrígelo o indica país y tipo " +
        "(id_type).",
    },
    { detail: { phrase: "nif_control_character" } },
  ),
  administrative_centres_not_allowed: fiscal({
    en:
      "Administrative centres (DIR3) belong to a recipient with a Spanish NIF; remove them, or send the " +
      "NIF of the public body.",
    es:
      "Los centros administrativos (DIR3) son de un destinatario con NIF español; quítalos o envía el NIF " +
      "del organismo.",
  }),
  exchange_rate_required: fiscal({
    en: "The invoice is in {currency}; add exchange_rate, in {currency} per euro, and exchange_rate_date.",
    es: "La factura está en {currency}; añade exchange_rate, en {currency} por euro, y exchange_rate_date.",
  }),
  exchange_rate_invalid: fiscal(
    {
      en: "The rate sent is not valid ({detail}); {fix}.",
      es: "El cambio enviado no vale ({detail}); {fix}.",
    },
    {
      detail: { phrase: "rate_date_in_future" },
      fix: { phrase: "give_rate", currency: "USD" },
    },
  ),
  due_date_before_issue: fiscal(
    {
      en:
        "The due date {date} is before the issue date {issue_date}; send a later one, or payment.paid_on " +
        "if it is paid.",
      es:
        "El vencimiento {date} es anterior a la fecha de emisión {issue_date}; envía uno posterior, o " +
        "payment.paid_on si ya está pagada.",
    },
    { date: { date: civilDate("2026-11-26") }, issue_date: { date: civilDate("2026-11-27") } },
  ),
  paid_on_in_future: fiscal(
    {
      en: "The payment of {date} lies after today, {issue_date}; send the day on which it was paid.",
      es: "El cobro del {date} es posterior a hoy, {issue_date}; envía el día en que se cobró.",
    },
    { date: { date: civilDate("2026-11-28") }, issue_date: { date: civilDate("2026-11-27") } },
  ),
  operation_date_not_allowed: fiscal(
    {
      en: "The operation date {date} is not allowed ({detail}); {fix}.",
      es: "La fecha de operación {date} no vale ({detail}); {fix}.",
    },
    {
      date: { date: civilDate("2006-11-26") },
      detail: { phrase: "over_20_years_ago" },
      fix: { phrase: "correct_operation_date" },
    },
  ),
  mixed_taxes: fiscal(
    {
      en:
        "The invoice mixes {taxes} and may carry only one tax, apart from “other”; make one invoice for " +
        "each.",
      es:
        "La factura mezcla {taxes} y solo puede llevar un impuesto, aparte de «otros»; haz una factura " +
        "para cada uno.",
    },
    { taxes: { all: ["IVA", "IGIC"] } },
  ),
  regime_not_allowed: fiscal(
    {
      en: "Regime {regime} is not valid with {with} on line {line_id}; {fix}.",
      es: "El régimen {regime} no vale con {with} en la línea {line_id}; {fix}.",
    },
    {
      regime: "01",
      with: "qualification E2",
      fix: { phrase: "use_regime", regimes: { either: ["02"] } },
    },
  ),
  qualification_rate_mismatch: fiscal(
    {
      en: "Qualification {qualification} does not allow {field} = {value} on line {line_id}; {fix}.",
      es: "La calificación {qualification} no admite {field} = {value} en la línea {line_id}; {fix}.",
    },
    {
      qualification: "E1",
      field: "tax_rate",
      value: "21",
      fix: { phrase: "send_rate_0" },
    },
  ),
  tax_rate_not_allowed: fiscal(
    {
      en: "{rate} was not a rate of {tax_name} on {date}; {fix}.",
      es: "El {rate} no era un tipo de {tax_name} el {date}; {fix}.",
    },
    {
      rate: { percent: decimal("5") },
      tax_name: "IVA",
      fix: { phrase: "use_rate", rates: { either: percents(["0", "4", "10", "21"].map(decimal)) } },
    },
  ),
  surcharge_not_allowed: fiscal(
    {
      en:
        "The equivalence surcharge {surcharge} does not belong to line {line_id} ({rate}, {date}); " +
        "{fix}.",
      es:
        "El recargo de equivalencia {surcharge} no corresponde a la línea {line_id} ({rate}, {date}); " +
        "{fix}.",
    },
    {
      surcharge: { percent: decimal("1.4") },
      fix: { phrase: "use_surcharge", surcharges: { either: percents(["5.2", "1.75"].map(decimal)) } },
    },
  ),
  taxable_margin_required: fiscal({
    en:
      "Line {line_id} is of a margin scheme (regime 03 or 05): send its taxable_margin, tax included, and " +
      "prices_include_tax true; or correct regime.",
    es:
      "La línea {line_id} va en un régimen de margen (03 o 05): envía su taxable_margin, con impuesto, y " +
      "prices_include_tax true; o corrige regime.",
  }),
  taxable_margin_not_allowed: fiscal(
    {
      en: "The taxable_margin does not belong to line {line_id}; {fix}.",
      es: "El taxable_margin no corresponde a la línea {line_id}; {fix}.",
    },
    { fix: { phrase: "remove_margin" } },
  ),
  taxable_margin_out_of_range: fiscal(
    {
      en:
        "The margin of line {line_id}, {margin}, is not between 0 and the amount of the line, {amount}; " +
        "correct it. A sale at a loss has a margin of 0.",
      es:
        "El margen de la línea {line_id}, {margin}, no está entre 0 y el importe de la línea, {amount}; " +
        "corrígelo. En una venta con pérdida el margen es 0.",
    },
    {
      margin: money(decimal("12.10"), "EUR"),
      amount: money(decimal("10"), "EUR"),
    },
  ),
  recipient_type_not_allowed: fiscal(
    {
      en:
        "The recipient’s identifier is not of the kind that this transaction needs ({detail}); change the " +
        "identifier or the qualification.",
      es:
        "El identificador del destinatario no es del tipo que pide esta operación ({detail}); cambia el " +
        "identificador o la calificación.",
    },
    { detail: { phrase: "e5_needs_vat_number" } },
  ),
  too_many_tax_groups: fiscal({
    en: "The invoice has {count} tax groups and the AEAT allows 12; split it into several.",
    es: "La factura tiene {count} combinaciones de impuesto y la AEAT admite 12; repártela en varias.",
  }),
  total_out_of_range: fiscal(
    {
      en: "The total {total} exceeds 12 integer digits; split the transaction into several invoices.",
      es: "El total {total} pasa de 12 cifras enteras; reparte la operación en varias facturas.",
    },
    { total: { amount: "1210000000000" } },
  ),

  // Invoices that act on others, and cancellations
  rectified_reference_invalid: fiscal(
    {
      en: "The cited invoice “{reference}” is not valid ({detail}); {fix}.",
      es: "La factura citada «{reference}» no es válida ({detail}); {fix}.",
    },
    {
      detail: { phrase: "issued_in_future" },
      fix: { phrase: "correct_issue_date" },
    },
  ),
  rectified_period_invalid: fiscal(
    {
      en: "The rectified period is not valid ({detail}); {fix}.",
      es: "El periodo rectificado no es válido ({detail}); {fix}.",
    },
    {
      detail: { phrase: "period_reversed" },
      fix: { phrase: "correct_period" },
    },
  ),
  rectified_period_not_negative: fiscal(
    {
      en:
        "A correction of a period without invoices only gives money back, and this one comes to {amount}; " +
        "send negative lines, or cite the invoices in rectifies.",
      es:
        "Una rectificación de un periodo sin citar facturas solo devuelve importes, y esta suma {amount}; " +
        "envía líneas negativas o cita las facturas en rectifies.",
    },
    { amount: money(decimal("12.1"), "EUR") },
  ),
  rectified_invoice_unknown: fiscal({
    en:
      "We cannot find the invoice “{reference}” on this connection; correct the reference or, if it was " +
      "issued elsewhere, send number, date, type and amounts.",
    es:
      "No encontramos la factura «{reference}» en esta conexión; corrige la referencia o, si se emitió en " +
      "otro sitio, envía número, fecha, tipo e importes.",
  }),
  rectified_invoice_type_mismatch: fiscal(
    {
      en:
        "{invoice_type} cannot correct or replace “{reference}”, which is {reference_type}; {fix}, because " +
        "{invoice_type} may only cite {allowed}.",
      es:
        "Una {invoice_type} no puede rectificar o sustituir «{reference}», que es {reference_type}; {fix}, " +
        "porque una {invoice_type} solo cita {allowed}.",
    },
    {
      invoice_type: "R5",
      reference_type: "F1 art6_full",
      fix: { phrase: "send_full" },
      allowed: { phrase: "cites_simplified" },
    },
  ),
  rectified_invoice_cancelled: fiscal({
    en:
      "“{reference}” is cancelled and can be neither corrected nor replaced; if there was a sale, issue a " +
      "new invoice.",
    es:
      "«{reference}» está anulada y no se puede rectificar ni sustituir; si la venta existió, emite una " +
      "factura nueva.",
  }),
  rectified_invoice_superseded: fiscal(
    {
      en: "“{reference}” is already {state} by {successor}; {fix}.",
      es: "«{reference}» ya está {state} por {successor}; {fix}.",
    },
    { fix: { phrase: "act_on", successor: SUCCESSOR } },
  ),
  rectified_currency_mismatch: fiscal({
    en:
      "“{reference}” is in {currency}; issue the invoice that corrects or replaces it in the same " +
      "currency.",
    es: "«{reference}» está en {currency}; emite en esa misma moneda la que la rectifica o sustituye.",
  }),
  recipient_differs: fiscal(
    {
      en: "“{reference}” was issued to another recipient than “{identifier}”; {fix}.",
      es: "«{reference}» se emitió a otro destinatario que «{identifier}»; {fix}.",
    },
    { fix: { phrase: "send_its_recipient_or_substitute" } },
  ),
  negative_total_needs_rectification: fiscal({
    en:
      "The total or a group is negative ({amount}); to refund, issue a corrective invoice of the original " +
      "one.",
    es:
      "El total o un grupo queda en negativo ({amount}); para devolver, emite una rectificativa de la " +
      "factura original.",
  }),
  rectification_incomplete: fiscal(
    {
      en: "To substitute, cite the invoice and all its corrective invoices in force; add {missing}.",
      es: "Para sustituir hay que citar la factura y todas sus rectificativas vigentes; añade {missing}.",
    },
    { missing: { all: ["refund-7", "refund-8"] } },
  ),
  substitution_negative: fiscal({
    en:
      "By substitution the lines are what the invoice comes to now, and at {rate} they come to {amount}; " +
      "send the new amounts, or rectify by difference.",
    es:
      "Por sustitución, las líneas son los importes nuevos completos, y al {rate} suman {amount}; envía " +
      "los importes nuevos o rectifica por diferencias.",
  }),
  rectification_exceeds: fiscal(
    {
      en:
        "The corrective invoice takes {requested} at {rate} and only {remaining} remains; correct the " +
        "amount.",
      es: "La rectificativa quita {requested} al {rate} y solo quedan {remaining}; corrige el importe.",
    },
    {
      requested: money(decimal("72.6"), "EUR"),
      remaining: money(decimal("60.5"), "EUR"),
    },
  ),
  replaced_amount_mismatch: fiscal(
    {
      en:
        "The amounts per rate are not those of the simplified invoices replaced: {expected} expected, " +
        "{received} received; use the same.",
      es:
        "Los importes por tipo no son los de las simplificadas que sustituye: se esperaba {expected} y " +
        "llega {received}; usa los mismos.",
    },
    { expected: amounts("100", "21"), received: amounts("99", "20.79") },
  ),
  cancellation_exceeds: fiscal({
    en:
      "Later corrections of {reference} have drawn on what {number} added, so it cannot be cancelled; " +
      "cancel those first, or correct {reference} by what remains.",
    es:
      "Rectificativas posteriores de {reference} ya han usado lo que {number} añadió, así que no se puede " +
      "anular; anula antes aquellas o rectifica lo que quede de {reference}.",
  }),
  cancellation_undoes: fiscal({
    en:
      "{number} undid another F3 and cannot be cancelled; issue a new F3 of the same simplified invoices " +
      "if they are to be replaced.",
    es:
      "{number} deshizo otra F3 y no se puede anular; si las facturas simplificadas deben sustituirse, " +
      "emite una F3 nueva de las mismas.",
  }),
  cancellation_not_allowed: fiscal(
    {
      en: "{number} is already {state} by {successor} and cannot be cancelled; {fix}.",
      es: "{number} ya está {state} por {successor} y no se puede anular; {fix}.",
    },
    { fix: { phrase: "act_on_successor", successor: SUCCESSOR } },
  ),

  // Limits of simplified invoices (article 4 RD 1619/2012), and of stored documents
  simplified_line_not_eligible: fiscal(
    {
      en: "Line {line_id} ({reason}) cannot be on a simplified invoice; request a full one.",
      es: "La línea {line_id} ({reason}) no puede ir en una factura simplificada; pide una completa.",
    },
    { reason: "S2" },
  ),
  simplified_limit_exceeded: fiscal(
    {
      en: "The simplified invoice would come to {total}, above {limit}; {fix}.",
      es: "La factura simplificada sumaría {total}, por encima de {limit}; {fix}.",
    },
    {
      limit: money(decimal("400"), "EUR"),
      fix: { phrase: "attest_or_send_full" },
    },
  ),
  attestation_lines_mismatch: fiscal(
    {
      en:
        "The attestation does not cover exactly the lines of the invoice ({detail}); correct line_ids, and " +
        "give every line a line_id.",
      es:
        "La declaración no cubre exactamente las líneas de la factura ({detail}); corrige line_ids y da a " +
        "cada línea su line_id.",
    },
    {
      detail: { each: [{ phrase: "lines_missing", lines: { all: ["l2", "l3"] } }] },
    },
  ),
  attestation_buyer_not_eligible: fiscal({
    en:
      "The buyer is a professional and a simplified invoice above 400.00\u00a0€ is not allowed; request a " +
      "full one with their tax ID.",
    es:
      "El comprador actúa como profesional y no admite simplificada por encima de 400,00\u00a0€; pide una " +
      "completa con su NIF.",
  }),
  article_4_2_ceiling_exceeded: fiscal(
    {
      en: "The total, {total}, exceeds the 3,000.00\u00a0€ of article 4.2; request a full invoice.",
      es: "El total, {total}, pasa de los 3.000,00\u00a0€ del artículo 4.2; pide una factura completa.",
    },
    { total: money(decimal("3000.01"), "EUR") },
  ),
  authorisation_mismatch: fiscal(
    {
      en:
        "The authorisation stated ({stated}) is not the active one, or the total, {total}, exceeds it; " +
        "check it in Company › Authorisations.",
      es:
        "La autorización indicada ({stated}) no es la vigente, o el total, {total}, la supera; revísala en " +
        "Empresa › Autorizaciones.",
    },
    {
      stated: { phrase: "authorisation", number: "AUT-8", limit: money(decimal("5000"), "EUR") },
    },
  ),
  document_too_large: fiscal(
    {
      en:
        "The invoice would be larger than can be stored ({size}); shorten the descriptions or split it " +
        "into several.",
      es:
        "La factura ocuparía más de lo que se puede guardar ({size}); acorta las descripciones o repártela " +
        "en varias.",
    },
    { size: { phrase: "bytes", count: { amount: "2100000" } } },
  ),
} as const satisfies Record<string, ErrorRow>;

function amounts(base: string, tax: string) {
  const rate = { percent: decimal("21") };
  const of = { base: money(decimal(base), "EUR"), tax: money(decimal(tax), "EUR") };
  return { phrase: "amounts_at", rate, amounts: { phrase: "amounts", ...of } } as const;
}
