import type { OwnerRectificationRefusalCode } from "../../domain/invoice/owner-rectification.ts";
import type { RecordRefusalCode } from "../../domain/invoice/refusal.ts";
import { ADVICE } from "../advice.ts";
import { conflict, type ErrorRow, invalid } from "../rows.ts";

/** Refusals of an owner's correction of an invoice. */
export const RECORD_ERRORS = {
  // Its records
  invoice_unknown: {
    status: 404,
    retryable: false,
    sentence: {
      en: "This connection has no invoice “{invoice_id}”; choose one of those that it has.",
      es: "Esta conexión no tiene la factura «{invoice_id}»; elige una de las suyas.",
    },
  },
  amendment_of_cancelled: conflict({
    en:
      "{number} is cancelled and its record is not corrected any more; if there was a sale, issue a new " +
      "invoice.",
    es: "{number} está anulada y su registro ya no se corrige; si la venta existió, emite una factura nueva.",
  }),
  invoice_already_cancelled: conflict({
    en: "{number} is cancelled already, and the AEAT has its cancellation; there is nothing more to do.",
    es: "{number} ya está anulada y la AEAT tiene su anulación; no hay nada más que hacer.",
  }),
  duplicate_of_another: conflict(ADVICE.duplicate_of_another.sentence),
  number_taken: conflict(ADVICE.number_taken.sentence),
  registered_by_form: conflict({
    en: "{number} was registered with the AEAT’s own form and can only be changed there; do it in its sede.",
    es:
      "{number} se dio de alta con el formulario de la propia AEAT y solo se cambia allí; hazlo en su sede " +
      "electrónica.",
  }),
  correction_awaits_answer: conflict({
    en:
      "The AEAT has not answered the last record of {number} yet; wait for its answer, which decides what " +
      "may be corrected.",
    es:
      "La AEAT aún no ha respondido al último registro de {number}; espera su respuesta, que decide qué se " +
      "puede corregir.",
  }),
  no_duplicate_to_settle: conflict({
    en:
      "There is nothing to settle about the number {number}: the AEAT reports no other record under it, or " +
      "you have found that it is this invoice.",
    es:
      "No hay nada que aclarar sobre el número {number}: la AEAT no señala otro registro con él, o ya " +
      "consta que es esta factura.",
  }),
  annulment_through_order: conflict({
    en:
      "{number} was issued for an order; decide in the order whether there was a sale, and it is cancelled " +
      "with it.",
    es: "{number} se emitió por un pedido; decide en el pedido si hubo venta y se anulará con él.",
  }),
  cancellation_without_reason: invalid({
    en: "Say in 1 to 500 characters why the invoice should never have existed; it is kept, not sent.",
    es: "Di con 1 a 500 caracteres por qué la factura no debió existir; se guarda, no se envía.",
  }),
  finding_without_reason: invalid({
    en: "Say in 1 to 500 characters what you saw at the AEAT; it is kept in the audit log.",
    es: "Di con 1 a 500 caracteres lo que consta en la AEAT; se guarda en el registro de actividad.",
  }),
  amended_text_invalid: invalid({
    en:
      "For the record, {text} needs 1 to {longest} characters, with more than < > \" ' = and no control " +
      "characters; correct it.",
    es:
      "Para el registro, {text} necesita de 1 a {longest} caracteres, con algo más que < > \" ' = y sin " +
      "caracteres de control; corrígelo.",
  }),
  amended_recipient_not_allowed: invalid({
    en:
      "{number} is a simplified invoice, or one without recipient, and its record names nobody; to " +
      "identify the customer, issue a full one in its place.",
    es:
      "{number} es simplificada o sin destinatario y su registro no nombra a nadie; para identificar al " +
      "cliente, emite una completa en su lugar.",
  }),
  amendment_names_another: invalid({
    en:
      "The invoice {number} names somebody else, and its record cannot say otherwise; correct the " +
      "spelling, type or country of the same number, or, if it was issued to the wrong person, {fix}.",
    es:
      "La factura {number} nombra a otra persona y su registro no puede decir otra cosa; corrige la " +
      "escritura, el tipo o el país del mismo número o, si se emitió a quien no era, {fix}.",
  }),
  agreement_number_not_allowed: invalid({
    en:
      "{number} was not issued under an authorisation of the AEAT, so its record carries no registration " +
      "number; leave it out.",
    es:
      "{number} no se emitió al amparo de una autorización de la AEAT y su registro no lleva número de " +
      "registro; quítalo.",
  }),
  agreement_number_needed: invalid({
    en:
      "The invoice comes to {total}, and without the authorisation’s registration number the AEAT accepts " +
      "up to {ceiling}; give the right number.",
    es:
      "La factura suma {total} y, sin el número de registro de la autorización, la AEAT admite hasta " +
      "{ceiling}; indica el número correcto.",
  }),
  amendment_changes_nothing: conflict({
    en: "The AEAT has {number} just as it is, and the amendment changes nothing; say what is to change.",
    es: "La AEAT tiene {number} tal como está y la subsanación no cambia nada; indica qué debe cambiar.",
  }),

  // Rectifications entered by an owner
  rectification_type_not_allowed: invalid({
    en: "This invoice is not corrected by {invoice_type}; choose {allowed}.",
    es: "Esta factura no se rectifica con {invoice_type}; elige {allowed}.",
  }),
  rectification_without_amounts: invalid({
    en: "Say how much of {number} is taken back, at one rate at least.",
    es: "Di cuánto se quita de {number}, al menos en uno de sus tipos.",
  }),
  rectification_group_unknown: invalid({
    en: "{number} has no amounts of this kind; reload the page and fill in those that it has.",
    es: "{number} no tiene importes de esta clase; recarga la página y rellena los que tiene.",
  }),
  rectification_adds: invalid({
    en:
      "A refund or reduction of {number} cannot add {amount}; if it should have been more, issue it again " +
      "with the right amounts.",
    es:
      "Al devolver o rebajar {number} no se puede sumar {amount}; si debía ser más, emítela de nuevo con " +
      "los importes correctos.",
  }),
  rectification_margin_unknown: invalid({
    en:
      "{number} is of a margin scheme and a part of its price does not say its margin; say how much of it " +
      "is margin.",
    es:
      "{number} va en un régimen de margen y una parte del precio no dice su margen; indica cuánto de ella " +
      "es margen.",
  }),
} as const satisfies Partial<Record<RecordRefusalCode | OwnerRectificationRefusalCode, ErrorRow>>;
