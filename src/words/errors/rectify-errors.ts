import type { RectifyRefusal } from "../../domain/invoice/rectified-lines.ts";
import { conflict, type ErrorRow, invalid } from "../rows.ts";

/** Refusals of a refund, a reduction, a new issue or an annulment from the console, by lines. */
export const RECTIFY_ERRORS = {
  preview_stale: conflict({
    en: "{number} has changed since the preview; look at the new amounts and confirm them.",
    es: "{number} ha cambiado desde la vista previa; revisa los importes nuevos y confírmalos.",
  }),
  rectify_other_invoice: conflict({
    en: "What goes back of this sale is corrected on {number}; open that invoice.",
    es: "Lo que se devuelve de esta venta se rectifica en {number}; abre esa factura.",
  }),
  rectify_order_waits: conflict({
    en: "The order {order} does not let it act; settle this first: {why}.",
    es: "El pedido {order} no deja que actúe; resuelve antes esto: {why}.",
  }),
  rectify_order_not_substituted: conflict({
    en: "{number} is of an order and is not issued again; take back what is too much, or reduce its price.",
    es: "{number} es de un pedido y no se emite de nuevo; devuelve lo que sobra o rebaja su precio.",
  }),
  rectify_nothing_chosen: invalid({
    en: "Choose how much of a line goes back.",
    es: "Elige cuánto se devuelve de alguna línea.",
  }),
  rectify_changes_nothing: invalid({
    en: "The amounts are those of the invoice; enter the right ones.",
    es: "Los importes son los de la factura; escribe los correctos.",
  }),
  rectify_line_unknown: invalid({
    en: "The invoice has no line {line} that can go back; reload the page and choose one that it has.",
    es: "La factura no tiene una línea {line} que se pueda devolver; recarga la página y elige una suya.",
  }),
  rectify_line_repeated: invalid({
    en: "“{line}” is named twice; say once how much of it goes back.",
    es: "«{line}» aparece dos veces; di una sola vez cuánto se devuelve.",
  }),
  rectify_quantity_exceeds: invalid({
    en: "Of “{line}” {left} can go back at most; enter a quantity from 0 to {left}.",
    es: "De «{line}» se pueden devolver {left} como mucho; escribe una cantidad de 0 a {left}.",
  }),
  rectify_amount_exceeds: invalid({
    en: "{left} are left of “{line}”; enter an amount up to that.",
    es: "De «{line}» quedan {left}; escribe un importe que no lo supere.",
  }),
  rectify_amount_digits: invalid({
    en: "Amounts in {currency} have {digits} decimals at most; correct it.",
    es: "Los importes en {currency} llevan {digits} decimales como mucho; corrígelo.",
  }),
  rectify_exceeds: invalid({
    en: "{requested} go back at {rate}, where {left} are left; take back less.",
    es: "Se devuelven {requested} al {rate}, donde quedan {left}; devuelve menos.",
  }),
  rectify_reduction_by_pieces: invalid({
    en: "Say the amount of each line here, and no quantity.",
    es: "Aquí se indica el importe de cada línea, sin cantidad.",
  }),
  rectify_margin_by_groups: invalid({
    en:
      "“{line}” is of the margin scheme and a part of its price does not say its margin; correct it by its " +
      "bases.",
    es:
      "«{line}» va por el régimen de margen y una parte del precio no dice su margen; rectifícala por sus " +
      "bases.",
  }),
  rectify_without_cause: invalid({
    en: "Say the cause in 1 to 500 characters; it is printed.",
    es: "Indica la causa con 1 a 500 caracteres; se imprime.",
  }),
} as const satisfies Record<RectifyRefusal["code"], ErrorRow> & Record<"preview_stale", ErrorRow>;
