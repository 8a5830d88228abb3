import type { ReasonTable } from "../rows.ts";

/** Missing parts of the document: a rate, a recipient, an approval, its day. */
export const DOCUMENT_REASONS = {
  exchange_rate_unavailable: {
    title: {
      en: "The {currency} rate of {date} is missing.",
      es: "Falta el cambio de {currency} del {date}.",
    },
    sentence: {
      en:
        "The European Central Bank has not published it yet; the order will be invoiced by itself when it " +
        "arrives and, from {choose_from}, you may enter a rate yourself.",
      es:
        "El Banco Central Europeo aún no lo ha publicado; el pedido se facturará solo en cuanto llegue y, " +
        "desde el {choose_from}, podrás escribir tú el cambio.",
    },
  },
  currency_not_quoted: {
    title: {
      en: "The European Central Bank publishes no rate of {currency}.",
      es: "El Banco Central Europeo no publica el cambio de {currency}.",
    },
    sentence: {
      en: "Enter the rate applied, in {currency} per euro, and its date.",
      es: "Escribe el cambio aplicado, en {currency} por euro, y su fecha.",
    },
  },
  tax_identifier_invalid: {
    title: {
      en: "The tax ID “{identifier}” is not valid.",
      es: "El NIF o identificador «{identifier}» no es válido.",
    },
    sentence: {
      en:
        "It is refused because {detail}; correct it here or have the shop send the order again with the " +
        "right one.",
      es:
        "No vale porque {detail}; corrígelo aquí o pide a la tienda que envíe el pedido otra vez con el " +
        "correcto.",
    },
  },
  recipient_incomplete: {
    title: { en: "The customer’s details lack {missing}.", es: "Falta {missing} del cliente." },
    sentence: {
      en:
        "The sale comes to {total} and a simplified invoice cannot exceed {limit}; complete them here, or " +
        "have the shop complete them and send the order again.",
      es:
        "La venta suma {total} y una factura simplificada no puede pasar de {limit}; complétalo aquí, o " +
        "pide a la tienda que lo complete y envíe el pedido otra vez.",
    },
    other: {
      title: { en: "The customer’s details lack {missing}.", es: "Falta {missing} del cliente." },
      sentence: {
        en:
          "The invoice has to be a full one and needs them; complete them here, or have the shop complete " +
          "them and send the order again.",
        es:
          "La factura tiene que ser completa y sin eso no se puede emitir; complétalo aquí, o pide a la " +
          "tienda que lo complete y envíe el pedido otra vez.",
      },
    },
  },
  manual_issuing: {
    title: { en: "It waits for your approval.", es: "Espera tu visto bueno." },
    sentence: {
      en: "The profile “{profile}” asks you to approve each invoice; review it and issue it.",
      es: "El perfil «{profile}» pide que apruebes cada factura; revísala y emítela.",
    },
    other: {
      title: { en: "It waits for your approval.", es: "Espera tu visto bueno." },
      sentence: {
        en: "The connection “{connection}” asks you to approve each invoice; review it and issue it.",
        es: "La conexión «{connection}» pide que apruebes cada factura; revísala y emítela.",
      },
    },
  },
  order_date_in_future: {
    title: { en: "The order’s date has not come yet.", es: "La fecha del pedido aún no ha llegado." },
    sentence: {
      en:
        "It is dated {date} and will be invoiced by itself when that day comes; if the date is wrong, " +
        "correct it in the shop and send the order again.",
      es:
        "Es del {date} y se facturará solo cuando llegue ese día; si la fecha está mal, corrígela en la " +
        "tienda y vuelve a enviar el pedido.",
    },
  },
  too_many_tax_groups: {
    title: { en: "It has too many tax groups.", es: "Tiene demasiados tipos de impuesto." },
    sentence: {
      en: "It mixes {count} combinations and an invoice allows 12; split it into several orders in the shop.",
      es: "Mezcla {count} combinaciones y una factura admite 12; divídelo en la tienda en varios pedidos.",
    },
  },
  not_invoiceable: {
    title: { en: "It cannot be invoiced as it is.", es: "No se puede facturar como está." },
    sentence: {
      en: "{rule} Correct the order in the shop and send it again.",
      es: "{rule} Corrige el pedido en la tienda y vuelve a enviarlo.",
    },
  },
} as const satisfies Partial<ReasonTable>;
