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
} as const;
