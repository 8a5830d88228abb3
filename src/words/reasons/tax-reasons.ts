import type { ReasonTable } from "../rows.ts";

/** Rates, and the place that decides the applicable taxes. */
export const TAX_REASONS = {
  tax_mismatch: {
    title: { en: "The tax of “{line}” does not add up.", es: "El impuesto de «{line}» no cuadra." },
    sentence: {
      en:
        "{rate} of {base} is {expected} and the shop sends {tax}; correct the tax in the shop and send " +
        "the order again.",
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
          "On {date} it was not a rate of {tax_name} in {territory} (valid: {allowed}); correct it in " +
          "the shop and send the order again.",
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
        "Declara si es exenta, no sujeta o una donación; si debía llevar impuesto, corrígelo en la " +
        "tienda y vuelve a enviar el pedido.",
    },
  },
  foreign_customer: {
    title: { en: "The sale leaves Spain ({country}).", es: "La venta sale de España ({country})." },
    sentence: {
      en:
        "The profile “{profile}” does not say how such sales are invoiced; declare it for this " +
        "destination, or, if the buyer is a business of another member state, enter its VAT number.",
      es:
        "El perfil «{profile}» no dice cómo se facturan estas ventas; decláralo para este destino o, si " +
        "compra una empresa de otro Estado miembro, escribe su NIF-IVA.",
    },
    other: {
      title: { en: "The sale leaves Spain ({country}).", es: "La venta sale de España ({country})." },
      sentence: {
        en:
          "The connection “{connection}” does not say how such sales are invoiced; declare it for this " +
          "destination, or, if the buyer is a business of another member state, enter its VAT number.",
        es:
          "La conexión «{connection}» no dice cómo se facturan estas ventas; decláralo para este " +
          "destino o, si compra una empresa de otro Estado miembro, escribe su NIF-IVA.",
      },
    },
  },
  territory_review: {
    title: { en: "The sale goes from {from} to {to}.", es: "La venta va de {from} a {to}." },
    sentence: {
      en:
        "They have different taxes and the profile “{profile}” does not say how that is invoiced; " +
        "declare the treatment of such sales.",
      es:
        "Son territorios con impuestos distintos y el perfil «{profile}» no dice cómo se factura; " +
        "declara el tratamiento de esas ventas.",
    },
    other: {
      title: { en: "The sale goes from {from} to {to}.", es: "La venta va de {from} a {to}." },
      sentence: {
        en:
          "They have different taxes and the connection “{connection}” does not say how that is " +
          "invoiced; declare the treatment of such sales.",
        es:
          "Son territorios con impuestos distintos y la conexión «{connection}» no dice cómo se " +
          "factura; declara el tratamiento de esas ventas.",
      },
    },
  },
  destination_conflict: {
    title: {
      en: "The sale to {place} contradicts what is declared.",
      es: "La venta a {place} contradice lo declarado.",
    },
    sentence: {
      en:
        "For {destination} you declared {treatment} (rates: {allowed}), and “{line}” is at {rate}; " +
        "declare another treatment, enter the buyer’s VAT number if it is a business, or correct the " +
        "line in the shop and send the order again.",
      es:
        "Para {destination} consta {treatment} (tipos: {allowed}) y «{line}» va al {rate}; declara otro " +
        "tratamiento, escribe el NIF-IVA del comprador si es una empresa, o corrige la línea en la " +
        "tienda y vuelve a enviar el pedido.",
    },
    other: {
      title: {
        en: "A business was charged tax (sale to {place}).",
        es: "Se ha cobrado impuesto a una empresa (venta a {place}).",
      },
      sentence: {
        en:
          "The buyer’s VAT number is {identifier}, so the sale is invoiced without tax, and “{line}” is " +
          "at {rate}; correct the line in the shop and send the order again, or take the number away if " +
          "the buyer is a consumer.",
        es:
          "El comprador tiene el NIF-IVA {identifier}, con el que se factura sin impuesto, y «{line}» " +
          "va al {rate}; corrige la línea en la tienda y vuelve a enviar el pedido, o quita el número " +
          "si compra un consumidor.",
      },
    },
  },
  oss_rate_unknown: {
    title: { en: "{rate} is no rate of {place}.", es: "El {rate} no es un tipo de {place}." },
    sentence: {
      en:
        "“{line}” is sold through the one-stop shop, and on {date} the rates there were: {allowed}. " +
        "Correct it in the shop and send the order again, or keep the rate for the company if it was in " +
        "force.",
      es:
        "«{line}» va por la ventanilla única y el {date} los tipos de allí eran: {allowed}. Corrígelo " +
        "en la tienda y vuelve a enviar el pedido, o conserva el tipo para la empresa si estaba en " +
        "vigor.",
    },
  },
  country_unknown: {
    title: { en: "“{code}” names no country.", es: "«{code}» no es ningún país." },
    sentence: {
      en:
        "Where the sale goes decides its tax; state the country, or correct it in the shop and send the " +
        "order again.",
      es:
        "El destino decide el impuesto; indica el país, o corrígelo en la tienda y vuelve a enviar el " +
        "pedido.",
    },
    other: {
      title: { en: "The country is unknown.", es: "No se sabe a qué país va." },
      sentence: {
        en:
          "Neither the country of delivery nor the customer’s is given and some lines carry no tax of " +
          "your territory; state the country or send the order again with it.",
        es:
          "No constan el país de entrega ni el del cliente y hay líneas sin un impuesto de tu " +
          "territorio; indica el país o vuelve a enviar el pedido con él.",
      },
    },
  },
} as const satisfies Partial<ReasonTable>;
