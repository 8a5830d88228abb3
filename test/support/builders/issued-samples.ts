import type { ExportedInvoice } from "../../../src/domain/export/invoice-csv.ts";
import type { InvoiceDocument } from "../../../src/domain/invoice/document.ts";
import type { InvoiceView, LinkedInvoice } from "../../../src/domain/invoice/invoice-view.ts";
import type { RequestLine } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { cancelling, issued } from "./direct-invoicing.ts";
import { A_RECIPIENT, aLine, anUnnamed, aQualified, aRequest, aTicket, correcting } from "./requests.ts";

/** One issued invoice of every kind that a page or a PDF must show, through the real decision. */

const LOZA = {
  name: "Loza y Esparto, S.L.",
  nif: "B12345674",
  address1: "Calle de los Alfareros, 14",
  postcode: "46001",
  city: "Valencia",
  registry:
    "Loza y Esparto, S.L. Inscrita en el Registro Mercantil de Valencia, tomo 9812, libro 7094, folio 61, " +
    "hoja V-154903",
};
const VALENCIA = { settings: { issuer: LOZA } };
const CANARIES = {
  settings: {
    issuer: {
      name: "Barro y Salitre, S.L.",
      nif: "B35123454",
      address1: "Calle de la Loza, 5",
      postcode: "35001",
      city: "Las Palmas de Gran Canaria",
    },
    territory: "canarias",
    timeZone: "Atlantic/Canary",
  },
} as const;

export function named(
  description: string,
  quantity: string,
  price: string,
  rate: string,
  change: Partial<RequestLine> = {},
): RequestLine {
  return { ...aLine(quantity, price, rate), description, ...change };
}

export const WARES = [
  named("Taza «Rebalaje», azul", "4", "9.90", "21"),
  named("Cuenco hondo de gres", "2", "14.95", "21"),
  named("Envío a domicilio", "1", "5.20", "21"),
];

export function full(): InvoiceView {
  return issued(
    aRequest("full", {
      description: "Menaje de la terraza",
      operationDate: civilDate("2026-11-24"),
      recipient: { ...A_RECIPIENT, company: "Bodegas Peñafiel y Ñúñez, S.A." },
      lines: [
        named("Vajilla «Albufera», 24 piezas, esmalte azul", "2", "228.50", "21"),
        named("Fuente ovalada de gres, 38 cm", "6", "38.40", "21", { discountRate: decimal("5") }),
        named("Azulejo «Granada», 15 × 15 cm", "60", "4.3125", "21"),
      ],
    }),
    VALENCIA,
  );
}

export function ticket(): InvoiceView {
  const view = issued(aTicket("ticket", { pricesIncludeTax: true, lines: WARES }), VALENCIA);
  return withDocument(view, { payments: [{ name: "Tarjeta regalo", amount: decimal("20") }] });
}

export function fourRates(): InvoiceView {
  const surcharged = (rate: string) => ({ surchargeRate: decimal(rate) });
  return issued(
    aRequest("four", {
      withholdingRate: decimal("15"),
      lines: [
        named("Vajilla «Albufera», 24 piezas", "2", "228.50", "21", surcharged("5.2")),
        named("Turrón artesano de almendra, 300 g", "20", "11.20", "10", surcharged("1.4")),
        named("Arroz bomba de la Albufera, 1 kg", "20", "5.40", "4", surcharged("0.5")),
        named("Banco de alimentos, donación", "1", "12.00", "0"),
        named("Sellos de correo, pliego de 25", "4", "30", "0", { qualification: "E1" }),
      ],
    }),
    VALENCIA,
  );
}

export function sterling(): InvoiceView {
  return issued(
    aRequest("sterling", {
      currency: "GBP",
      exchangeRate: decimal("0.8642"),
      exchangeRateDate: civilDate("2026-11-25"),
      description: "Reposición de vajilla y tienda del hotel de Maspalomas, entregada en Gran Canaria",
      recipient: {
        company: "Hawthorn & Vale Ltd",
        vatNumber: "GB123456782",
        idType: "04",
        country: "GB",
        address1: "14 Cooper’s Yard",
        postcode: "BS1 6ZZ",
        city: "Bristol",
      },
      lines: [
        named("Cuenco de barro, cocción tradicional", "24", "18.50", "7"),
        named("Jarro para agua, 1,5 litros", "12", "26.40", "7"),
        named("Plato llano de loza, 26 cm", "48", "9.25", "7", { discountRate: decimal("10") }),
        named("Mermelada de tuno indio, 250 g", "60", "4.10", "3"),
        named("Gofio de millo tostado, 1 kg", "40", "3.15", "0"),
        named("Pendientes de plata y olivina", "6", "54", "15"),
        named("Embalaje y entrega en el hotel", "1", "35", "7"),
      ],
    }),
    CANARIES,
  );
}

export function refund(): InvoiceView {
  const lines = [named("Cuenco hondo de gres", "-1", "14.95", "21")];
  const sale = aTicket("sale", { pricesIncludeTax: true, lines: WARES });
  const back = correcting({ ...sale, externalId: "back", lines }, ["sale"], {
    description: "Devolución de un artículo",
  });
  return issued([sale, back], VALENCIA);
}

export function substitution(): InvoiceView {
  const sale = aRequest("sale", { lines: [named("Jarrón «Turia», 30 cm", "2", "51.20", "21")] });
  const instead = correcting(
    { ...sale, externalId: "instead", lines: [named("Jarrón «Turia», 30 cm", "2", "48", "21")] },
    ["sale"],
    { rectificationMethod: "substitution", description: "Precio equivocado" },
  );
  return issued([sale, instead], VALENCIA);
}

export function replacement(): InvoiceView {
  const lines = [named("Botijo de barro blanco, 2 litros", "1", "22.60", "21")];
  const sale = aTicket("sale", { lines });
  return issued(
    [sale, aRequest("f3", { invoiceType: "F3", lines, rectifies: [{ externalId: "sale" }] })],
    VALENCIA,
  );
}

export function cancelled(): InvoiceView {
  return issued([aRequest("never"), cancelling("never")], VALENCIA);
}

export function qualified(): InvoiceView {
  return issued(aQualified("qualified", { pricesIncludeTax: true, lines: WARES }), VALENCIA);
}

/** Books sent to France and sold there at 5.5 %, next to a domestic one. */
export function oneStopShop(): InvoiceView {
  const recipient = { company: "Élodie Lefèvre", country: "FR", city: "Lyon", postcode: "69002" };
  const abroad = { regime: "17", qualification: "N2" } as const;
  return issued(
    anUnnamed("oss", {
      recipient,
      lines: [
        named("Libro «Esparto: materia y oficio»", "2", "30", "5.5", abroad),
        named("Cesta de esparto, mediana", "1", "40", "20", abroad),
        named("Taza «Rebalaje», azul", "1", "9.90", "21"),
      ],
    }),
    VALENCIA,
  );
}

export function untaxed(): InvoiceView {
  const exempt = (qualification: RequestLine["qualification"]) => ({ qualification, regime: "01" });
  return issued(
    aRequest("untaxed", {
      lines: [
        named("Curso de torno, diez sesiones", "1", "300", "0", exempt("E1")),
        named("Reforma del taller", "1", "1200", "0", exempt("S2")),
        named("Indemnización por retraso", "1", "50", "0", exempt("N1")),
        named("Asesoría prestada en Lisboa", "1", "80", "0", exempt("N2")),
      ],
    }),
    VALENCIA,
  );
}

export function cashAccounting(): InvoiceView {
  return issued(aRequest("cash"), { settings: { issuer: LOZA, defaultRegime: "07" } });
}

/** A notary's fee at 21 %, and payments in the customer's name. */
export function disbursed(): InvoiceView {
  return issued(
    aRequest("disbursed", {
      description: "Constitución de Bodegas Peñafiel y Ñúñez, S.A.",
      withholdingRate: decimal("15"),
      lines: [named("Honorarios de gestión", "1", "1800", "21")],
      disbursements: [
        { description: "Registro Mercantil de Valencia, factura 2026/1182", amount: decimal("62.5") },
        { description: "Arancel notarial, escritura n.º 1.204", amount: decimal("37.50") },
      ],
    }),
    VALENCIA,
  );
}

const USED_GOODS = { regime: "03" } as const;

/** Used goods, taxed by their margin. */
export function usedGoods(): InvoiceView {
  return issued(
    aRequest("used", {
      description: "Piezas de segunda mano",
      pricesIncludeTax: true,
      lines: [
        named("Cómoda isabelina, hacia 1860", "1", "1250", "21", {
          ...USED_GOODS,
          taxableMargin: decimal("430"),
        }),
        named("Pareja de apliques de bronce", "2", "90", "21", {
          ...USED_GOODS,
          taxableMargin: decimal("0"),
        }),
      ],
    }),
    VALENCIA,
  );
}

/** A trip together with ordinary taxed lines, on a ticket. */
export function tripAndGuide(): InvoiceView {
  return issued(aTicket("trip", { pricesIncludeTax: true, lines: TRIP_AND_GUIDE }), VALENCIA);
}

const TRIP_AND_GUIDE = [
  named("Excursión a la Albufera, un día", "2", "95", "21", { regime: "05", taxableMargin: decimal("24.2") }),
  named("Guía impresa", "1", "12", "4"),
];

/** The same on a full invoice, which corrects an invoice with another price. */
export function correctedTrip(): InvoiceView {
  const sale = aRequest("sale", { pricesIncludeTax: true, lines: TRIP_AND_GUIDE });
  const [trip, guide] = TRIP_AND_GUIDE;
  if (!trip || !guide) throw new Error("there are two lines");
  const lines = [{ ...trip, priceUnit: decimal("90"), taxableMargin: decimal("14.2") }, guide];
  const instead = correcting({ ...sale, externalId: "instead", lines }, ["sale"], {
    rectificationMethod: "substitution",
    description: "Precio equivocado",
  });
  return issued([sale, instead], VALENCIA);
}

export function manyLines(count: number): InvoiceView {
  const lines = Array.from({ length: count }, (_, index) =>
    named(
      index % 11 === 0
        ? `Cesta de esparto con asas n.º ${index}, trenzada a mano por artesanas de Blanca (Murcia), grande`
        : `Plato llano de loza número ${index}`,
      String(1 + (index % 7)),
      `${3 + index}.25`,
      index % 3 === 0 ? "10" : "21",
    ),
  );
  return issued(aRequest("many", { lines }), VALENCIA);
}

export const MARKUP = '<script>alert("1")</script> & <b>';
/** Reads from right to left from here on, where a reader obeys it. */
export const OVERRIDE = "\u202eatsenila\u202c \u2067x\u2069";
export const LONG_WORD = "Donaudampfschiff".repeat(8).slice(0, 120);

/** Names and lines that try to break out of their place. */
export function hostile(): InvoiceView {
  return issued(
    aRequest("hostile", {
      description: `${MARKUP} ${OVERRIDE}`,
      recipient: {
        ...A_RECIPIENT,
        company: `${LONG_WORD} ${MARKUP}`,
        address1: `${OVERRIDE} Łódź, Žluťoučký kůň 😀`,
      },
      lines: [
        named(MARKUP, "1", "10", "21"),
        named(OVERRIDE, "1", "10", "21"),
        named(LONG_WORD, "1234567.123456", "0.000001", "21"),
        named("Emoji 😀👩‍👩‍👧 y שלום", "1", "10", "21"),
      ],
    }),
    { settings: { issuer: { ...LOZA, name: `${OVERRIDE} ${LONG_WORD}` } } },
  );
}

export const SAMPLES: Readonly<Record<string, () => InvoiceView>> = {
  full,
  ticket,
  fourRates,
  sterling,
  refund,
  substitution,
  replacement,
  cancelled,
  qualified,
  oneStopShop,
  untaxed,
  cashAccounting,
  disbursed,
  usedGoods,
  tripAndGuide,
  correctedTrip,
  hostile,
};

export function withDocument(view: InvoiceView, change: Partial<InvoiceDocument>): InvoiceView {
  return { ...view, document: { ...view.document, ...change } };
}

/** The same invoice, corrected or replaced since by another. */
export function actedOn(view: InvoiceView, by: Partial<LinkedInvoice>): InvoiceView {
  const linked: LinkedInvoice = {
    invoiceId: "in00000000000000000002",
    externalId: "later",
    fullNumber: "API-1R-2026-000001",
    invoiceType: "R1",
    issueDate: "2026-11-28",
    kind: "difference",
    inForce: true,
    ...by,
  };
  return { ...view, rectifiedBy: [...view.rectifiedBy, linked] };
}

/** Invoices of every kind as they are exported. */

export function exportedOf(view: InvoiceView, change: Partial<ExportedInvoice> = {}): ExportedInvoice {
  const { series, number, fullNumber, issueDate, origin, document, cancellation } = view;
  return {
    ...{ series, number, fullNumber, issueDate, origin, document },
    registered: { state: "accepted" },
    ...(cancellation ? { annulled: { state: "pending_submission" } } : {}),
    ...change,
  };
}
