import type { ReasonTable } from "../rows.ts";

/** Why an order has no invoice although it waits for no action. */
export const SETTLED_REASONS = {
  deferred: {
    sentence: {
      en:
        "Invoicing is not turned on for “{connection}”; it will be decided when you turn it on in " +
        "step\u00a03.",
      es:
        "La facturación de «{connection}» no está activada; se decidirá cuando la actives en el " +
        "paso\u00a03.",
    },
  },
  before_cutoff: {
    sentence: {
      en:
        "The order is dated {order_date}, before the start date ({cutoff_date}); to invoice it here, " +
        "release it.",
      es:
        "El pedido es del {order_date}, anterior a la fecha de inicio ({cutoff_date}); si quieres " +
        "facturarlo aquí, libéralo.",
    },
  },
  store_not_selected: {
    sentence: {
      en: "The shop “{store}” is not among those chosen; tick it in Connections if it is invoiced here.",
      es: "La tienda «{store}» no está entre las elegidas; márcala en Conexiones si se factura aquí.",
    },
  },
  tag_ignored: {
    sentence: {
      en: "It carries the tag “{tag}”, which is not invoiced; change the rule if that is wrong.",
      es: "Lleva la etiqueta «{tag}», que no se factura; cambia la regla si no debía ser así.",
    },
  },
  zero_total: {
    sentence: {
      en: "The total is zero and there is nothing to invoice; you need do nothing.",
      es: "El total es cero y no hay nada que facturar; no tienes que hacer nada.",
    },
  },
  nothing_to_invoice: {
    sentence: {
      en: "It contains only gift cards, which are invoiced when used; you need do nothing.",
      es: "Solo contiene tarjetas regalo, que se facturan cuando se usan; no tienes que hacer nada.",
    },
  },
  invoiced_elsewhere: {
    sentence: {
      en:
        "The profile “{profile}” says that these sales are invoiced elsewhere; change the profile if that " +
        "is no longer so.",
      es:
        "El perfil «{profile}» dice que estas ventas se facturan en otro sitio; cambia el perfil si ya no " +
        "es así.",
    },
    other: {
      sentence: {
        en:
          "The connection “{connection}” says that these sales are invoiced elsewhere; change its settings " +
          "if that is no longer so.",
        es:
          "La conexión «{connection}» dice que estas ventas se facturan en otro sitio; cambia su " +
          "configuración si ya no es así.",
      },
    },
  },
  test_order: {
    sentence: {
      en: "The shop says that it is a test order, so it is not invoiced; if it is a real sale, release it.",
      es: "La tienda dice que es un pedido de prueba y no se factura; si es una venta real, libéralo.",
    },
  },
  not_a_candidate: {
    sentence: {
      en: "The shop has not asked for an invoice for this order; it will come when it marks it so.",
      es: "La tienda no ha pedido factura para este pedido; llegará cuando lo marque como facturable.",
    },
  },
  cancelled_before_invoice: {
    sentence: {
      en:
        "It was cancelled or refunded before being invoiced and there is nothing to correct; you need do " +
        "nothing.",
      es:
        "Se canceló o se devolvió antes de facturarse y no hay nada que rectificar; no tienes que hacer " +
        "nada.",
    },
  },
  dismissed: {
    sentence: {
      en: "It was dismissed and is not invoiced; Activity says why, and you need do nothing.",
      es: "Se descartó y no se factura; el motivo consta en Actividad y no tienes que hacer nada.",
    },
  },
} as const satisfies Partial<ReasonTable>;
