import { invalid } from "./entry.ts";

/** What an owner hears whose rectification says too little, or what its invoice cannot take. */
export const RECTIFICATION_ERRORS = {
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
  rectification_margin_unknown: invalid({
    en:
      "{number} is of a margin scheme and a part of its price does not say its margin; take all of it or " +
      "nothing, or send the rectification from your program with its taxable_margin.",
    es:
      "{number} va en un régimen de margen y una parte del precio no dice su margen; quítalo entero o " +
      "nada, o envía la rectificativa desde tu programa con su taxable_margin.",
  }),
} as const;
