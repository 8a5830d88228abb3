import type { ReasonEntries } from "./entry.ts";

/** Rates, and the place that decides which taxes there are. */
export const TAX_REASONS = {
  tax_mismatch: {
    title: { en: "The tax of “{line}” does not add up.", es: "El impuesto de «{line}» no cuadra." },
    sentence: {
      en:
        "{rate} of {base} is {expected} and the shop sends {tax}; correct the tax in the shop and send the " +
        "order again.",
      es:
        "El {rate} de {base} es {expected} y la tienda envía {tax}; corrige el impuesto en la tienda y " +
        "vuelve a enviar el pedido.",
    },
    other: {
      title: {
        en: "The rate {rate} of “{line}” does not exist.",
        es: "El tipo {rate} de «{line}» no existe.",
      },
      sentence: {
        en:
          "On {date} it was not a rate of {tax_name} in {territory} (valid: {allowed}); correct it in the " +
          "shop and send the order again.",
        es:
          "El {date} no era un tipo de {tax_name} en {territory} (valían {allowed}); corrígelo en la " +
          "tienda y vuelve a enviar el pedido.",
      },
    },
  },
  zero_rate_basis_missing: {
    title: {
      en: "“{line}” is at 0\u00a0% and the ground is missing.",
      es: "«{line}» va al 0\u00a0% y falta decir por qué.",
    },
    sentence: {
      en:
        "Declare whether it is exempt, not subject or a donation; if it should carry tax, correct it in " +
        "the shop and send the order again.",
      es:
        "Declara si es exenta, no sujeta o una donación; si debía llevar impuesto, corrígelo en la tienda " +
        "y vuelve a enviar el pedido.",
    },
  },
  foreign_customer: {
    title: { en: "The sale leaves Spain ({country}).", es: "La venta sale de España ({country})." },
    sentence: {
      en:
        "The profile “{profile}” does not say how such sales are invoiced, or what it says cannot be true " +
        "of this one; choose domestic, one-stop shop (OSS), export or intra-Community supply.",
      es:
        "El perfil «{profile}» no dice cómo se facturan estas ventas, o lo que dice no vale para esta; " +
        "elige nacional, ventanilla única (OSS), exportación o entrega intracomunitaria.",
    },
    other: {
      title: { en: "The sale leaves Spain ({country}).", es: "La venta sale de España ({country})." },
      sentence: {
        en:
          "The connection “{connection}” does not say how such sales are invoiced, or what it says cannot " +
          "be true of this one; choose domestic, one-stop shop (OSS), export or intra-Community supply.",
        es:
          "La conexión «{connection}» no dice cómo se facturan estas ventas, o lo que dice no vale para " +
          "esta; elige nacional, ventanilla única (OSS), exportación o entrega intracomunitaria.",
      },
    },
  },
  territory_review: {
    title: { en: "The sale goes from {from} to {to}.", es: "La venta va de {from} a {to}." },
    sentence: {
      en:
        "They have different taxes and the profile “{profile}” does not say how that is invoiced, or what " +
        "it says cannot be true of this sale; declare the treatment of such sales.",
      es:
        "Son territorios con impuestos distintos y el perfil «{profile}» no dice cómo se factura, o lo que " +
        "dice no vale para esta venta; declara el tratamiento de esas ventas.",
    },
    other: {
      title: { en: "The sale goes from {from} to {to}.", es: "La venta va de {from} a {to}." },
      sentence: {
        en:
          "They have different taxes and the connection “{connection}” does not say how that is invoiced, " +
          "or what it says cannot be true of this sale; declare the treatment of such sales.",
        es:
          "Son territorios con impuestos distintos y la conexión «{connection}» no dice cómo se factura, o " +
          "lo que dice no vale para esta venta; declara el tratamiento de esas ventas.",
      },
    },
  },
  country_unknown: {
    title: { en: "The country is unknown.", es: "No se sabe a qué país va." },
    sentence: {
      en:
        "Neither the country of delivery nor the customer’s is given and some lines carry no tax of your " +
        "territory; state the country or send the order again with it.",
      es:
        "No constan el país de entrega ni el del cliente y hay líneas sin un impuesto de tu territorio; " +
        "indica el país o vuelve a enviar el pedido con él.",
    },
  },
} as const satisfies Partial<ReasonEntries>;
