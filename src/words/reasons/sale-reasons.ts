import type { ReasonTable } from "../rows.ts";

/** The profile of an order and its sums: profiles, tags, totals, discounts, vouchers. */
export const SALE_REASONS = {
  profile_not_matched: {
    title: { en: "No profile takes it.", es: "Ningún perfil lo recoge." },
    sentence: {
      en:
        "No profile matches the channel “{channel}” and the shop “{store}”; assign one to this order or " +
        "change the rules of the profile that should take it.",
      es:
        "Ningún perfil corresponde al canal «{channel}» y la tienda «{store}»; asigna uno a este pedido o " +
        "cambia las reglas del perfil que deba recogerlo.",
    },
  },
  profile_ambiguous: {
    title: { en: "More than one profile takes it.", es: "Lo recoge más de un perfil." },
    sentence: {
      en: "This order fits {profiles}; choose one, or adjust the rules so that only one fits.",
      es: "Este pedido encaja en {profiles}; elige cuál es, o ajusta las reglas para que solo encaje uno.",
    },
  },
  tag_hold: {
    title: { en: "It carries the tag “{tag}”.", es: "Lleva la etiqueta «{tag}»." },
    sentence: {
      en: "You asked to hold orders with that tag; review it and issue the invoice or dismiss it.",
      es: "Pediste dejar en espera los pedidos con esa etiqueta; revísalo y emite la factura o descártalo.",
    },
  },
  totals_mismatch: {
    title: {
      en: "The order does not add up, by a rounding.",
      es: "Las cuentas del pedido no cuadran por un redondeo.",
    },
    sentence: {
      en:
        "Lines, discounts and other amounts come to {computed}, but the order says {total} (difference: " +
        "{difference}); say which rate takes the difference ({rates}), or correct it in the shop and send " +
        "it again.",
      es:
        "Las líneas, los descuentos y los demás importes suman {computed}, pero el pedido dice {total} " +
        "(diferencia: {difference}); di qué tipo absorbe la diferencia ({rates}), o corrígelo en la tienda " +
        "y vuelve a enviarlo.",
    },
    other: {
      title: { en: "The order does not add up.", es: "Las cuentas del pedido no cuadran." },
      sentence: {
        en:
          "Lines, discounts and other amounts come to {computed}, but the order says {total} (difference: " +
          "{difference}); correct it in the shop and send it again.",
        es:
          "Las líneas, los descuentos y los demás importes suman {computed}, pero el pedido dice {total} " +
          "(diferencia: {difference}); corrígelo en la tienda y vuelve a enviarlo.",
      },
    },
  },
  shop_facts_missing: {
    title: { en: "The shop does not say it: {what}.", es: "La tienda no lo dice: {what}." },
    sentence: {
      en:
        "It is missing in “{where}”, and we do not guess; correct it in the shop and send the order again, " +
        "or say here what counts.",
      es:
        "Falta en «{where}» y no lo suponemos; corrígelo en la tienda y vuelve a enviar el pedido, o di " +
        "aquí qué vale.",
    },
    other: {
      title: { en: "The shop does not say it: {what}.", es: "La tienda no lo dice: {what}." },
      sentence: {
        en:
          "It is missing, and we do not guess; correct it in the shop and send the order again, or say " +
          "here what counts.",
        es:
          "Falta y no lo suponemos; corrígelo en la tienda y vuelve a enviar el pedido, o di aquí qué " +
          "vale.",
      },
    },
  },
  shop_facts_contradict: {
    title: { en: "The shop contradicts itself: {what}.", es: "La tienda se contradice: {what}." },
    sentence: {
      en:
        "In “{where}” it says {stated}, and its amounts come to {computed}; correct it in the shop and " +
        "send the order again, or say here what counts.",
      es:
        "En «{where}» dice {stated} y de sus importes resulta {computed}; corrígelo en la tienda y vuelve " +
        "a enviar el pedido, o di aquí qué vale.",
    },
    other: {
      title: { en: "The shop contradicts itself: {what}.", es: "La tienda se contradice: {what}." },
      sentence: {
        en:
          "It says {stated}, and its amounts come to {computed}; correct it in the shop and send the order " +
          "again, or say here what counts.",
        es:
          "Dice {stated} y de sus importes resulta {computed}; corrígelo en la tienda y vuelve a enviar el " +
          "pedido, o di aquí qué vale.",
      },
    },
  },
  tax_totals_mismatch: {
    title: {
      en: "The shop contradicts itself about the tax at {rate}.",
      es: "La tienda se contradice en el impuesto al {rate}.",
    },
    sentence: {
      en:
        "In its totals by rate: {stated}; its lines come to {computed}. Correct it in the shop and send " +
        "the order again, or say that the lines count.",
      es:
        "En sus totales por tipo: {stated}; sus líneas suman {computed}. Corrígelo en la tienda y vuelve a " +
        "enviar el pedido, o da por buenas las líneas.",
    },
  },
  discounts_probably_included: {
    title: { en: "The discounts seem already taken off.", es: "Los descuentos parecen ya restados." },
    sentence: {
      en:
        "Without subtracting {discounts} the order does add up; if the shop sends them already taken off " +
        "the lines, declare it on the connection and it will hold for all its orders.",
      es:
        "Sin restar {discounts} las cuentas sí cuadran; si la tienda los envía ya descontados de las " +
        "líneas, decláralo en la conexión y valdrá para todos sus pedidos.",
    },
  },
  untreated_total: {
    title: {
      en: "The total includes “{title}” ({value}) and we do not know what it is.",
      es: "El total incluye «{title}» ({value}) y no sabemos qué es.",
    },
    sentence: {
      en:
        "The shop sent it outside the lines, with the code “{code}”; say how it is treated, and it will " +
        "serve for coming orders too.",
      es:
        "La tienda lo envió aparte de las líneas, con el código «{code}»; di cómo se trata y servirá " +
        "también para los próximos pedidos.",
    },
  },
  treatment_hold: {
    title: { en: "“{title}” is always reviewed.", es: "«{title}» se revisa siempre." },
    sentence: {
      en:
        "You declared that amounts with the code “{code}” ({value}) wait for your decision; say how this " +
        "one is treated.",
      es:
        "Declaraste que los importes con el código «{code}» ({value}) esperen tu decisión; di cómo se " +
        "trata este.",
    },
  },
  treatment_sign: {
    title: { en: "The sign of “{title}” does not fit.", es: "El signo de «{title}» no encaja." },
    sentence: {
      en:
        "It is {value} and the treatment of the code “{code}” ({treatment}) expects the opposite sign; " +
        "change the treatment, or correct the amount in the shop and send the order again.",
      es:
        "Vale {value} y el tratamiento del código «{code}» ({treatment}) espera el signo contrario; cambia " +
        "el tratamiento, o corrige el importe en la tienda y vuelve a enviar el pedido.",
    },
    other: {
      title: { en: "The sign of “{title}” does not fit.", es: "El signo de «{title}» no encaja." },
      sentence: {
        en:
          "It is {value} and what it counts as ({treatment}) expects the opposite sign; correct the amount " +
          "in the shop and send the order again.",
        es:
          "Vale {value} y lo que es ({treatment}) espera el signo contrario; corrige el importe en la " +
          "tienda y vuelve a enviar el pedido.",
      },
    },
  },
  discount_kind_unknown: {
    title: {
      en: "We cannot tell what the discount “{name}” is.",
      es: "No se sabe qué es el descuento «{name}».",
    },
    sentence: {
      en:
        "The shop does not say whether {amount} is a commercial discount, customer credit or a gift card; " +
        "choose it.",
      es:
        "La tienda no dice si {amount} es un descuento comercial, saldo del cliente o una tarjeta regalo; " +
        "elígelo tú.",
    },
  },
  customer_credit_review: {
    title: { en: "Paid in part with customer credit.", es: "Pagado en parte con saldo del cliente." },
    sentence: {
      en:
        "The profile “{profile}” asks to review the {amount} of credit; decide whether it is a discount or " +
        "a means of payment.",
      es:
        "El perfil «{profile}» pide revisar los {amount} de saldo; decide si son un descuento o un medio " +
        "de pago.",
    },
    other: {
      title: { en: "Paid in part with customer credit.", es: "Pagado en parte con saldo del cliente." },
      sentence: {
        en:
          "The connection “{connection}” asks to review the {amount} of credit; decide whether it is a " +
          "discount or a means of payment.",
        es:
          "La conexión «{connection}» pide revisar los {amount} de saldo; decide si son un descuento o un " +
          "medio de pago.",
      },
    },
  },
  credit_covers_total: {
    title: { en: "Credit brings the total to zero.", es: "El saldo deja el total en cero." },
    sentence: {
      en:
        "{amount} of credit covers the whole order; decide whether it is a means of payment (the whole " +
        "sale is invoiced) or a discount (nothing is left to invoice).",
      es:
        "{amount} de saldo cubren todo el pedido; decide si es un medio de pago (se factura la venta " +
        "entera) o un descuento (no queda nada que facturar).",
    },
  },
  voucher_kind_conflict: {
    title: {
      en: "The gift card “{line}” is not as declared.",
      es: "La tarjeta regalo «{line}» no es como declaraste.",
    },
    sentence: {
      en:
        "It comes with {tax} of tax and this connection declares them {kind}; correct the shop and send " +
        "the order again, or change what is declared.",
      es:
        "Llega con {tax} de impuesto y en esta conexión se declaran {kind}; corrige la tienda y vuelve a " +
        "enviar el pedido, o cambia lo declarado.",
    },
    other: {
      title: {
        en: "The gift card “{line}” is not as declared.",
        es: "La tarjeta regalo «{line}» no es como declaraste.",
      },
      sentence: {
        en:
          "It pays {amount} of this order and this connection declares them {kind}; say whether it is a " +
          "discount or a means of payment here, or change what is declared.",
        es:
          "Paga {amount} de este pedido y en esta conexión se declaran {kind}; di si aquí es un descuento " +
          "o un medio de pago, o cambia lo declarado.",
      },
    },
  },
} as const satisfies Partial<ReasonTable>;
