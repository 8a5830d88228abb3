import { type ErrorEntry, fiscal } from "./entry.ts";

/** Invoices that act on others, and cancellations. */
export const CORRECTION_ERRORS = {
  rectified_reference_invalid: fiscal({
    en: "The cited invoice “{reference}” is not valid ({detail}); {fix}.",
    es: "La factura citada «{reference}» no es válida ({detail}); {fix}.",
  }),
  rectified_period_invalid: fiscal({
    en: "The rectified period is not valid ({detail}); {fix}.",
    es: "El periodo rectificado no es válido ({detail}); {fix}.",
  }),
  rectified_period_not_negative: fiscal({
    en:
      "A correction of a period without invoices only gives money back, and this one comes to {amount}; " +
      "send negative lines, or cite the invoices in rectifies.",
    es:
      "Una rectificación de un periodo sin citar facturas solo devuelve importes, y esta suma {amount}; " +
      "envía líneas negativas o cita las facturas en rectifies.",
  }),
  rectified_invoice_unknown: fiscal({
    en:
      "We cannot find the invoice “{reference}” on this connection; correct the reference or, if it was " +
      "issued elsewhere, send number, date, type and amounts.",
    es:
      "No encontramos la factura «{reference}» en esta conexión; corrige la referencia o, si se emitió en " +
      "otro sitio, envía número, fecha, tipo e importes.",
  }),
  rectified_invoice_type_mismatch: fiscal({
    en:
      "{invoice_type} cannot correct or replace “{reference}”, which is {reference_type}; {fix}, because " +
      "{invoice_type} may only cite {allowed}.",
    es:
      "Una {invoice_type} no puede rectificar o sustituir «{reference}», que es {reference_type}; {fix}, " +
      "porque una {invoice_type} solo cita {allowed}.",
  }),
  rectified_invoice_cancelled: fiscal({
    en:
      "“{reference}” is cancelled and can be neither corrected nor replaced; if there was a sale, issue a " +
      "new invoice.",
    es:
      "«{reference}» está anulada y no se puede rectificar ni sustituir; si la venta existió, emite una " +
      "factura nueva.",
  }),
  rectified_invoice_superseded: fiscal({
    en: "“{reference}” is already {state} by {successor}; {fix}.",
    es: "«{reference}» ya está {state} por {successor}; {fix}.",
  }),
  rectified_currency_mismatch: fiscal({
    en:
      "“{reference}” is in {currency}; issue the invoice that corrects or replaces it in the same " +
      "currency.",
    es: "«{reference}» está en {currency}; emite en esa misma moneda la que la rectifica o sustituye.",
  }),
  recipient_differs: fiscal({
    en: "“{reference}” was issued to another recipient than “{identifier}”; {fix}.",
    es: "«{reference}» se emitió a otro destinatario que «{identifier}»; {fix}.",
  }),
  negative_total_needs_rectification: fiscal({
    en:
      "The total or a group is negative ({amount}); to refund, issue a corrective invoice of the original " +
      "one.",
    es:
      "El total o un grupo queda en negativo ({amount}); para devolver, emite una rectificativa de la " +
      "factura original.",
  }),
  rectification_incomplete: fiscal({
    en: "To substitute, cite the invoice and all its corrective invoices in force; add {missing}.",
    es: "Para sustituir hay que citar la factura y todas sus rectificativas vigentes; añade {missing}.",
  }),
  substitution_negative: fiscal({
    en:
      "By substitution the lines are what the invoice comes to now, and at {rate} they come to {amount}; " +
      "send the new amounts, or rectify by difference.",
    es:
      "Por sustitución, las líneas son los importes nuevos completos, y al {rate} suman {amount}; envía " +
      "los importes nuevos o rectifica por diferencias.",
  }),
  rectification_exceeds: fiscal({
    en:
      "The corrective invoice takes {requested} at {rate} and only {remaining} remains; correct the " +
      "amount.",
    es: "La rectificativa quita {requested} al {rate} y solo quedan {remaining}; corrige el importe.",
  }),
  replaced_amount_mismatch: fiscal({
    en:
      "The amounts per rate are not those of the simplified invoices replaced: {expected} expected, " +
      "{received} received; use the same.",
    es:
      "Los importes por tipo no son los de las simplificadas que sustituye: se esperaba {expected} y llega " +
      "{received}; usa los mismos.",
  }),
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
  cancellation_not_allowed: fiscal({
    en: "{number} is already {state} by {successor} and cannot be cancelled; {fix}.",
    es: "{number} ya está {state} por {successor} y no se puede anular; {fix}.",
  }),
} as const satisfies Record<string, ErrorEntry>;
