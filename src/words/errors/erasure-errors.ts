import type { ErrorRow } from "../rows.ts";

/** Refusals because the data no longer exists: retired with its year, or erased. */
export const GONE_ERRORS = {
  invoice_erased: {
    status: 410,
    retryable: false,
    sentence: {
      en:
        "“{external_id}” was the external_id of an invoice of {year}, which is not kept any longer because " +
        "the term of the law is over; use another external_id for a new invoice.",
      es:
        "«{external_id}» fue el external_id de una factura de {year}, que ya no se conserva porque ha " +
        "terminado el plazo legal; usa otro external_id para una factura nueva.",
    },
    example: { year: "2026" },
  },
  rectified_invoice_erased: {
    status: 422,
    retryable: false,
    sentence: {
      en:
        "“{reference}”, or an invoice that it corrects, is not kept any longer because the term of the law " +
        "is over; four years after a sale it cannot be corrected (LIVA, article 89.One), so issue none.",
      es:
        "«{reference}», o una factura que rectifica, ya no se conserva porque ha terminado el plazo legal; " +
        "pasados cuatro años la operación no se puede rectificar (artículo 89.Uno de la LIVA): no la emitas.",
    },
  },
  order_erased: {
    status: 410,
    retryable: false,
    sentence: {
      en:
        "The order “{order_id}” is gone since {date}: {why}. Nothing of what was sent has been kept; do " +
        "not send it again.",
      es:
        "El pedido «{order_id}» ya no está desde el {date}: {why}. No se ha guardado nada de lo enviado; " +
        "no lo envíes otra vez.",
    },
    example: { why: { phrase: "order_asked" } },
  },
} as const satisfies Record<string, ErrorRow>;

/** Refusals of an erasure, and of the return of an erased order. */
export const ERASURE_ERRORS = {
  erasure_not_allowed: {
    status: 409,
    retryable: false,
    sentence: {
      en:
        "An invoice was issued ({numbers}), and the law has it kept until {until} with all that it was " +
        "issued from: article 30 of the Código de Comercio, articles 66 and 70 of the LGT, articles 19 and " +
        "20 of RD 1619/2012. Article 17.3.b of the GDPR excepts from erasure what a law obliges to keep; " +
        "answer the request with that.",
      es:
        "Se expidió factura ({numbers}), y la ley obliga a conservarla hasta el {until} junto con los " +
        "datos con los que se expidió: artículo 30 del Código de Comercio, artículos 66 y 70 de la LGT y " +
        "artículos 19 y 20 del Reglamento de facturación (RD 1619/2012). El artículo 17.3.b del RGPD " +
        "excluye del derecho de supresión lo que exige una obligación legal: indícalo al contestar a la " +
        "solicitud.",
    },
  },
  nothing_to_erase: {
    status: 404,
    retryable: false,
    sentence: {
      en: "Nothing of it is kept on this connection; check the identifier, exactly as the shop has it.",
      es:
        "En esta conexión no se guarda nada suyo; comprueba el identificador, tal como figura en la " +
        "tienda.",
    },
  },
  order_stays_erased: {
    status: 409,
    retryable: false,
    sentence: {
      en:
        "The invoice of this order was not kept any longer once the term of the law was over; admitted " +
        "again, the order would get a second one.",
      es:
        "La factura de este pedido se eliminó, vencido el plazo legal de conservación; si el pedido se " +
        "admitiera otra vez, se facturaría dos veces.",
    },
  },
} as const satisfies Record<string, ErrorRow>;
