import type { ReasonTable } from "../rows.ts";

/** Events after the sale: changes, refunds, cancellations. */
export const EVENT_REASONS = {
  status_cancelled: {
    title: {
      en: "The shop marks it cancelled and it has an invoice.",
      es: "La tienda lo da por cancelado y ya tiene factura.",
    },
    sentence: {
      en:
        "Its status is “{status}” and {number} exists; wait for the shop’s refund, or issue the corrective " +
        "invoice of {remaining} yourself.",
      es:
        "Su estado es «{status}» y existe {number}; espera la devolución de la tienda, o emite tú la " +
        "rectificativa de {remaining}.",
    },
  },
  reactivated: {
    title: {
      en: "The shop takes up a cancelled order again.",
      es: "La tienda retoma un pedido cancelado.",
    },
    sentence: {
      en:
        "{number} was taken back in full when the order was cancelled, and now the shop asks for its " +
        "invoice again ({order_total}); if the sale goes ahead, issue a new invoice of the order as it " +
        "stands, and if not, dismiss the notice.",
      es:
        "{number} se rectificó por completo al cancelarse el pedido y ahora la tienda vuelve a pedir su " +
        "factura ({order_total}); si la venta sigue adelante, emite una factura nueva del pedido tal como " +
        "está; si no, descarta el aviso.",
    },
  },
  changed_after_invoice: {
    title: {
      en: "The order changed after it was invoiced.",
      es: "El pedido cambió después de facturarlo.",
    },
    sentence: {
      en:
        "It now has {order_total} at {rate} and {number} was issued with {invoiced}; the invoice stays: if " +
        "there was a refund, send it from the shop; if more was sold, charge it in a new order; otherwise " +
        "keep the invoice as it is.",
      es:
        "Al {rate} tiene ahora {order_total} y {number} se emitió con {invoiced}; la factura no cambia: si " +
        "hubo una devolución, envíala desde la tienda; si se vendió algo más, cóbralo en un pedido nuevo; " +
        "y si no, da por buena la factura.",
    },
    other: {
      title: {
        en: "The order changed after it was invoiced.",
        es: "El pedido cambió después de facturarlo.",
      },
      sentence: {
        en:
          "It now comes to {order_total} and {number} was issued for {invoiced}; the invoice stays: if " +
          "there was a refund, send it from the shop; if more was sold, charge it in a new order; " +
          "otherwise keep the invoice as it is.",
        es:
          "Ahora suma {order_total} y {number} se emitió por {invoiced}; la factura no cambia: si hubo una " +
          "devolución, envíala desde la tienda; si se vendió algo más, cóbralo en un pedido nuevo; y si " +
          "no, da por buena la factura.",
      },
    },
  },
  correction_amount_mismatch: {
    title: { en: "The refund does not add up.", es: "Las cuentas de la devolución no cuadran." },
    sentence: {
      en:
        "The lines of “{event}” come to {lines_total} and its amount is {amount}; correct it in the shop " +
        "and send it again.",
      es:
        "Las líneas de «{event}» suman {lines_total} y su importe es {amount}; corrígela en la tienda y " +
        "vuelve a enviarla.",
    },
  },
  correction_event_changed: {
    title: {
      en: "A refund already applied has come changed.",
      es: "Una devolución ya aplicada ha llegado cambiada.",
    },
    sentence: {
      en:
        "“{event}” was applied for {applied} and comes again with other content, for {received}; if it is " +
        "another one, send it with another identifier, and if it is a mistake, dismiss it.",
      es:
        "«{event}» se aplicó por {applied} y vuelve a llegar con otro contenido, por {received}; si es " +
        "otra, envíala con otro identificador, y si es un error, descártala.",
    },
  },
  refund_possibly_repeated: {
    title: { en: "It looks like a repeated refund.", es: "Parece una devolución repetida." },
    sentence: {
      en: "{name} issued it on {date}: {number}.",
      es: "Ya la emitió {name} el {date}: {number}.",
    },
    other: {
      title: { en: "It looks like a repeated refund.", es: "Parece una devolución repetida." },
      sentence: {
        en:
          "“{event}” has the same amounts as “{other}”, already applied; confirm that it is another one or " +
          "dismiss it.",
        es:
          "«{event}» tiene los mismos importes que «{other}», ya aplicada; confirma que es otra distinta o " +
          "descártala.",
      },
    },
  },
  over_refund: {
    title: { en: "More is refunded than remains.", es: "Se devuelve más de lo que queda." },
    sentence: {
      en:
        "{requested} is asked for at {rate} and {remaining} remains of {number} at that rate; correct the " +
        "amount in the shop or dismiss the refund.",
      es:
        "Se piden {requested} al {rate} y de {number} quedan {remaining} a ese tipo; corrige el importe en " +
        "la tienda o descarta la devolución.",
    },
    other: {
      title: { en: "More is refunded than remains.", es: "Se devuelve más de lo que queda." },
      sentence: {
        en:
          "{requested} is asked for and {remaining} remains of {number}; correct the amount in the shop or " +
          "dismiss the refund.",
        es:
          "Se piden {requested} y de {number} quedan {remaining}; corrige el importe en la tienda o " +
          "descarta la devolución.",
      },
    },
  },
  rate_not_invoiced: {
    title: {
      en: "It refunds a rate that was not invoiced.",
      es: "Se devuelve a un tipo que no se facturó.",
    },
    sentence: {
      en:
        "“{event}” has lines at {rate} and {number} does not; correct the tax in the shop and send it " +
        "again.",
      es:
        "«{event}» incluye líneas al {rate} y {number} no lo tiene; corrige el impuesto en la tienda y " +
        "vuelve a enviarla.",
    },
  },
  correction_increases: {
    title: { en: "The change increases the sale.", es: "El cambio aumenta lo vendido." },
    sentence: {
      en:
        "“{event}” adds {amount} and a correction only takes off; charge the difference with a new order " +
        "and dismiss this change.",
      es:
        "«{event}» suma {amount} y una corrección solo resta; cobra la diferencia con un pedido nuevo y " +
        "descarta este cambio.",
    },
  },
  refund_lines_needed: {
    title: { en: "It is not clear what is refunded.", es: "No se sabe qué se devuelve." },
    sentence: {
      en:
        "“{event}” refunds {amount} without saying which lines and {number} has several rates ({rates}); " +
        "state how much goes to each rate, or send it again with its lines.",
      es:
        "«{event}» devuelve {amount} sin decir de qué líneas y {number} tiene varios tipos ({rates}); " +
        "indica cuánto va a cada tipo, o vuelve a enviarla con sus líneas.",
    },
    other: {
      title: { en: "It is not clear what is refunded.", es: "No se sabe qué se devuelve." },
      sentence: {
        en:
          "“{event}” has neither lines nor an amount to take off {number}; state how much goes to each " +
          "rate, or send it again with its lines.",
        es:
          "«{event}» no trae ni líneas ni importe que restar de {number}; indica cuánto va a cada tipo, o " +
          "vuelve a enviarla con sus líneas.",
      },
    },
  },
  annulment_review: {
    title: {
      en: "The shop says that the sale never existed.",
      es: "La tienda dice que la venta nunca existió.",
    },
    sentence: {
      en:
        "If so, confirm it and {number} will be cancelled; if there was a sale, dismiss the notice and " +
        "issue a corrective invoice.",
      es:
        "Si es así, confírmalo y se anulará {number}; si la hubo, descarta el aviso y emite una " +
        "rectificativa.",
    },
  },
} as const satisfies Partial<ReasonTable>;
