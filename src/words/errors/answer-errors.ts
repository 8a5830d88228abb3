import type { AnswerRefusalCode } from "../../domain/order/answers/answer.ts";
import type { TogetherRefusal } from "../../domain/order/together.ts";
import { conflict, type ErrorRow, invalid } from "../rows.ts";

/** Refusals of an owner's answer about an order. */
export const ANSWER_ERRORS = {
  // The status of the order and the subject of the answer
  order_already_invoiced: conflict({
    en: "The order has its invoice, {number}; correct that one or turn it into a full one.",
    es: "El pedido ya tiene su factura, {number}; rectifícala o conviértela en completa.",
  }),
  order_not_invoiced: conflict({
    en: "The order has no invoice yet; solve what holds it, or dismiss it.",
    es: "El pedido aún no tiene factura; resuelve lo que lo tiene en espera o descártalo.",
  }),
  order_dismissed: conflict({
    en:
      "The order was dismissed and no invoice is made of it any more; if there was a sale, enter it in the " +
      "shop as a new order.",
    es:
      "El pedido se descartó y ya no se factura; si hubo venta, regístrala en la tienda como un pedido " +
      "nuevo.",
  }),
  order_not_before_cutoff: conflict({
    en: "The start date ({cutoff_date}) does not leave out this order of {order_date}; it needs no release.",
    es:
      "La fecha de inicio ({cutoff_date}) no deja fuera este pedido, que es del {order_date}; no " +
      "hace falta liberarlo.",
  }),
  question_settled: conflict({
    en: "No order waits with this question any more; look at the list again.",
    es: "Ya ningún pedido espera por esta pregunta; vuelve a mirar la lista.",
  }),
  answer_not_together: invalid({
    en: "The orders with this question cannot get that answer together; answer them one by one.",
    es: "Los pedidos con esta pregunta no admiten esa respuesta a la vez; respóndelos uno a uno.",
  }),
  answer_not_remembered: invalid({
    en: "This answer is about these orders alone; send it without remembering it.",
    es: "Esta respuesta solo vale para estos pedidos; envíala sin recordarla.",
  }),
  order_not_held: conflict({
    en: "The order is not on hold, so nothing of it is to be decided; look at its state.",
    es: "El pedido no está en espera y no hay nada que decidir; mira en qué estado está.",
  }),
  invoice_already_replaced: conflict({
    en: "{number} was already replaced by {successor}; act on {successor}.",
    es: "{number} ya se sustituyó por {successor}; actúa sobre {successor}.",
  }),
  invoice_annulled: conflict({
    en: "{number} is cancelled: there was no sale, and nothing of it can be corrected or replaced.",
    es: "{number} está anulada: no hubo venta y ya no se puede rectificar ni sustituir.",
  }),
  profile_unknown: invalid({
    en: "This connection has no such profile ({profile}); choose one of those that it has.",
    es: "Esta conexión no tiene ese perfil ({profile}); elige uno de los suyos.",
  }),
  profile_matches: conflict({
    en:
      "The profile “{profile}” takes this order, and no other may number it; change its rules if that is " +
      "wrong.",
    es:
      "El pedido es del perfil «{profile}» y no se puede numerar con otro; cambia sus reglas si no debía " +
      "ser así.",
  }),
  amount_unknown: invalid({
    en: "The order has no amount with the code {code}; choose one of those that it has.",
    es: "El pedido no tiene ningún importe con el código {code}; elige uno de los suyos.",
  }),
  discount_unknown: invalid({
    en: "The order has no discount called “{name}”; choose one of those that it has.",
    es: "El pedido no tiene ningún descuento llamado «{name}»; elige uno de los suyos.",
  }),
  discount_kind_known: conflict({
    en: "The shop says what the discount “{name}” is; correct it in the shop and send the order again.",
    es: "La tienda dice qué es el descuento «{name}»; corrígelo en la tienda y vuelve a enviar el pedido.",
  }),
  rounding_not_awaited: conflict({
    en: "The order adds up, so there is no rounding to be settled; look at what it waits for.",
    es: "Las cuentas del pedido cuadran y no hay ningún redondeo que resolver; mira por qué espera.",
  }),
  difference_not_rounding: conflict({
    en:
      "A difference of {difference} is more than rounding makes, or the shop states its tax by rate; " +
      "correct it in the shop and send the order again.",
    es:
      "Una diferencia de {difference} es más de lo que da un redondeo, o la tienda declara su impuesto por " +
      "tipos; corrígela en la tienda y vuelve a enviar el pedido.",
  }),
  country_known: conflict({
    en: "The shop says that the sale goes to {country}; correct it in the shop and send the order again.",
    es: "La tienda dice que la venta va a {country}; corrígelo en la tienda y vuelve a enviar el pedido.",
  }),
  tax_rate_not_missing: conflict({
    en: "The order lacks no such tax rate; look at what it waits for.",
    es: "Al pedido no le falta ese tipo de impuesto; mira por qué espera.",
  }),
  line_of_rate_unknown: conflict({
    en:
      "The order has no line with the id “{where}”; correct it in the shop and send the order again, or " +
      "let its lines count as they are.",
    es:
      "El pedido no tiene ninguna línea con el id «{where}»; corrígelo en la tienda y vuelve a enviar el " +
      "pedido, o da por buenas sus líneas.",
  }),
  exchange_rate_not_needed: conflict({
    en: "The order is in euros and needs no exchange rate.",
    es: "El pedido está en euros y no necesita cambio.",
  }),
  currency_not_invoiceable: conflict({
    en: "{currency} is no currency of today and nothing can be invoiced in it; correct it in the shop.",
    es: "{currency} no es una moneda vigente y no se puede facturar en ella; corrígela en la tienda.",
  }),
  exchange_rate_known: conflict({
    en:
      "The European Central Bank published {rate} {currency} per euro on {date}, and that rate is the " +
      "one used.",
    es: "El Banco Central Europeo publicó {rate} {currency} por euro el {date}, y se usa ese cambio.",
  }),
  exchange_rate_awaited: conflict({
    en:
      "The European Central Bank may still publish the {currency} rate of {date}; from {choose_from} on " +
      "you " +
      "may enter one yourself.",
    es:
      "El Banco Central Europeo aún puede publicar el cambio de {currency} del {date}; desde el " +
      "{choose_from} podrás escribirlo tú.",
  }),
  event_unknown: invalid({
    en: "The order has no correction {event}; choose one of those that it has.",
    es: "El pedido no tiene ninguna corrección {event}; elige una de las suyas.",
  }),
  event_acted: conflict({
    en: "{event} has been applied already; to undo it, look at the corrective invoice.",
    es: "{event} ya se ha aplicado; para deshacerla, mira su rectificativa.",
  }),
  event_with_lines: conflict({
    en: "{event} says itself how much goes to each rate; correct it in the shop and send it again.",
    es: "{event} ya dice cuánto va a cada tipo; corrígela en la tienda y vuelve a enviarla.",
  }),
  event_not_repeated: conflict({
    en: "{event} does not look repeated, so there is nothing to confirm.",
    es: "{event} no parece repetida y no hay nada que confirmar.",
  }),
  event_not_void: conflict({
    en: "{event} does not say that there was no sale; to give it back, issue the corrective invoice.",
    es: "{event} no dice que la venta no existiera; para devolverla, emite la rectificativa.",
  }),
  no_simplified_invoice: conflict({
    en: "{number} is no simplified invoice, so a full one cannot take its place.",
    es: "{number} no es una factura simplificada y no se puede sustituir por una completa.",
  }),
  nothing_left: conflict({
    en: "{number} has been corrected in full; nothing of it is left.",
    es: "{number} ya está rectificada entera; no queda nada de ella.",
  }),
  order_not_reactivated: conflict({
    en:
      "The shop has not taken up the order again after cancelling it, so there is no new invoice to issue; " +
      "look at its state.",
    es:
      "La tienda no ha retomado el pedido después de cancelarlo y no hay factura nueva que emitir; mira en " +
      "qué estado está.",
  }),
  approval_not_awaited: conflict({
    en: "The order does not wait for your approval; solve what holds it.",
    es: "El pedido no espera tu visto bueno; resuelve lo que lo tiene en espera.",
  }),
  dismissal_without_reason: invalid({
    en: "Say in 1 to 500 characters why it is dismissed; it is kept in Activity.",
    es: "Di por qué se descarta, con 1 a 500 caracteres; queda en Actividad.",
  }),
  reason_not_standing: conflict({
    en: "The order has changed and does not wait for that any more; look at what it waits for now.",
    es: "El pedido ha cambiado y ya no espera por eso; mira por qué espera ahora.",
  }),
  nothing_to_dismiss: conflict({
    en: "The order waits for nothing, so there is nothing to dismiss.",
    es: "El pedido no espera por nada y no hay nada que descartar.",
  }),

  // The content of the answer and its consequences
  nothing_declared: invalid({
    en: "Nothing is filled in; fill in what you know.",
    es: "No hay nada escrito; rellena lo que sepas.",
  }),
  treatment_sign: invalid({
    en:
      "“{title}” is {value}, and “{treatment}” expects the opposite sign; choose another treatment, or " +
      "correct the amount in the shop.",
    es:
      "«{title}» vale {value} y «{treatment}» espera el signo contrario; elige otro tratamiento o corrige " +
      "el importe en la tienda.",
  }),
  rounding_rate_unknown: invalid({
    en: "Nothing of the order can take the difference at {rate}; choose among {rates}.",
    es: "Nada del pedido puede absorber la diferencia al {rate}; elige entre {rates}.",
  }),
  entered_rate_invalid: invalid({
    en: "A tax rate is a percentage from 0 to 100; enter the rate of that line.",
    es: "Un tipo de impuesto es un porcentaje de 0 a 100; escribe el de esa línea.",
  }),
  country_invalid: invalid({
    en: "“{country}” is no country; give its code of two letters, such as ES.",
    es: "«{country}» no es un país; indica su código de dos letras, como ES.",
  }),
  recipient_incomplete: invalid({
    en: "A full invoice needs {missing}; add what is missing.",
    es: "Una factura completa necesita {missing}; añade lo que falta.",
  }),
  exchange_rate_digits: invalid({
    en: "The rate has more than 12 integer digits or 6 decimals; round it.",
    es: "El cambio tiene más de 12 cifras enteras o de 6 decimales; redondéalo.",
  }),
  event_shares_invalid: invalid({
    en:
      "Give each rate of {event} once, each with an amount above zero that has no more decimals than the " +
      "currency.",
    es:
      "Indica cada tipo de {event} una sola vez, con un importe mayor que cero y sin más decimales que la " +
      "moneda.",
  }),
  event_shares_mismatch: invalid({
    en: "{event} refunds {amount} and what you share out comes to {shared}; share out all of it.",
    es: "{event} devuelve {amount} y lo que repartes suma {shared}; reparte el importe entero.",
  }),
  oss_rate_not_asked: conflict({
    en: "No rate of the one-stop shop is waiting for an answer in this order; look at it again.",
    es: "En este pedido no hay ningún tipo de la ventanilla única pendiente; vuelve a mirarlo.",
  }),
  oss_rate_from_too_late: invalid({
    en: "The sale is of {date}: keep the rate from that day or from an earlier one.",
    es: "La venta es del {date}: conserva el tipo desde ese día o desde uno anterior.",
  }),
  sales_not_fitting: invalid({
    en:
      "What you declare does not fit this order: with it, it would wait for the same. Choose otherwise, or " +
      "correct the order in the shop.",
    es:
      "Lo que declaras no cuadra con este pedido y seguiría en espera por lo mismo; elige otra opción o " +
      "corrige el pedido en la tienda.",
  }),
  event_rate_not_invoiced: invalid({
    en: "{number} has nothing at {rate}; share out {event} among the rates that it has.",
    es: "{number} no tiene nada al {rate}; reparte {event} entre los tipos que tiene.",
  }),
  event_shares_exceed: invalid({
    en:
      "{requested} is shared out {where} and {remaining} remains of {number}; share out no more than that, " +
      "or dismiss the refund.",
    es:
      "Repartes {requested} {where} y de {number} quedan {remaining}; reparte como mucho lo que queda o " +
      "descarta la devolución.",
  }),
  annulment_after_correction: conflict({
    en:
      "A refund has already acted on {number}, so there was a sale; issue a corrective invoice for the " +
      "rest.",
    es:
      "Ya hay una devolución aplicada a {number}, así que la venta existió; emite una rectificativa de lo " +
      "que queda.",
  }),
  nothing_to_issue: conflict({
    en:
      "Of the order as it stands nothing is left to invoice here: all of it went back, or it is invoiced " +
      "elsewhere; correct it in the shop or dismiss the notice.",
    es:
      "Del pedido tal como está no queda nada que facturar aquí: se devolvió todo o se factura en otro " +
      "sitio; corrígelo en la tienda o descarta el aviso.",
  }),
  other_reasons_stand: conflict({
    en: "Something else of the order is still open; solve that first and approve it last.",
    es: "Queda algo más por resolver en el pedido; resuélvelo antes y da el visto bueno al final.",
  }),
  reason_not_dismissible: conflict({
    en: "That cannot be dismissed by itself; solve it, or dismiss the whole order.",
    es: "Eso no se puede descartar por separado; resuélvelo o descarta el pedido entero.",
  }),
} as const satisfies Partial<Record<AnswerRefusalCode | TogetherRefusal["code"], ErrorRow>>;
