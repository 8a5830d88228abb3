/** Issued invoices of every kind that an electronic format may say, through the real decision. */
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { issueAll, issued, theSettings } from "../builders/direct-invoicing.ts";
import { EVERY_KIND } from "../builders/every-kind.ts";
import { named, SAMPLES } from "../builders/issued-samples.ts";
import {
  A_RECIPIENT,
  AN_EU_RECIPIENT,
  anUnnamed,
  aQualified,
  aRequest,
  aTicket,
  correcting,
  linesOf,
} from "../builders/requests.ts";

export interface Kind {
  readonly name: string;
  readonly view: InvoiceView;
}

/** Everything that a request may add for electronic formats. */
export const EVERY_MEMBER: Partial<InvoiceRequest> = {
  dueDate: civilDate("2026-12-27"),
  payment: {
    means: "transfer",
    iban: "ES9121000418450200051332",
    bic: "CAIXESBBXXX",
    reference: "Pago 2026/114 & más",
  },
  buyerReference: "04011000-12345-67",
  orderReference: "PED-2026-0098",
  contractReference: "CTR/77",
  fileReference: "EXP-2026/12",
  delivery: {
    date: civilDate("2026-11-20"),
    country: "PT",
    address1: "Rua Augusta 12",
    postcode: "1100-053",
    city: "Lisboa",
  },
  invoicingPeriod: { start: civilDate("2026-11-01"), end: civilDate("2026-11-30") },
  recipient: {
    ...A_RECIPIENT,
    email: "facturas@cliente.example",
    province: "Madrid",
    endpoint: { scheme: "0060", id: "123456789" },
  },
};

const LONG_TEXT = `${"Mantenimiento integral de la instalación, ".repeat(4)}primer semestre`;
const ISSUER_OF_ALL = {
  ...theSettings().issuer,
  registry: "Inscrita en el Registro Mercantil de Madrid, tomo 1, folio 2, hoja M-3",
  email: "cobros@norte.example",
  phone: "+34 910 000 000",
  province: "Madrid",
};

const REFUND = { lines: linesOf("-1x40@21 -2x3.333@10") };
const DOLLARS = {
  currency: "USD",
  exchangeRate: decimal("1.0852"),
  exchangeRateDate: civilDate("2026-11-26"),
} as const;
const FOREIGN_COIN = (currency: string, exchangeRate: string) => ({
  ...DOLLARS,
  currency,
  exchangeRate: decimal(exchangeRate),
});

/** Beside what other suites issue: members of electronic formats, prices that are hard to say, old kinds. */
const OWN: readonly (readonly [name: string, make: () => InvoiceView])[] = [
  [
    "every member",
    () =>
      issued(
        aRequest("members", {
          ...EVERY_MEMBER,
          lines: [
            named(LONG_TEXT, "2.5", "19.999", "21", { unit: "HUR", itemCode: "MNT-01" }),
            named("Cable «A & B» <3 m>", "3", "4.6546", "10", { unit: "MTR", discountRate: decimal("12.5") }),
          ],
        }),
        { settings: { issuer: ISSUER_OF_ALL } },
      ),
  ],
  [
    "a refund with every member",
    () => {
      const sale = aRequest("sale", { ...EVERY_MEMBER, lines: linesOf("4x40@21 9x3.333@10") });
      const back = aRequest("back", { ...EVERY_MEMBER, ...REFUND, description: "Devolución." });
      return issued([sale, correcting(back, ["sale"])], { settings: { issuer: ISSUER_OF_ALL } });
    },
  ],
  [
    "a refund with a due date and no means of payment",
    () => {
      const back = aRequest("back", { ...REFUND, dueDate: civilDate("2026-12-27") });
      return issued([aRequest("sale", { lines: linesOf("4x40@21 9x3.333@10") }), correcting(back, ["sale"])]);
    },
  ],
  [
    "an increase by difference",
    () => issued([aRequest("sale"), correcting(aRequest("more", { lines: linesOf("1x15@21") }), ["sale"])]),
  ],
  [
    "a substitution by nothing",
    () =>
      issued([
        aRequest("sale"),
        correcting(aRequest("none", { lines: linesOf("1x0@21") }), ["sale"], {
          rectificationMethod: "substitution",
        }),
      ]),
  ],
  ...(["direct_debit", "card", "cash", "cheque", "other"] as const).map(
    (means) =>
      [
        `paid by ${means}`,
        () =>
          issued(
            aRequest(means, {
              payment: {
                means,
                ...(means === "direct_debit"
                  ? { iban: "ES9121000418450200051332", mandate: "MANDATO-1" }
                  : {}),
              },
            }),
          ),
      ] as const,
  ),
  [
    "a transfer outside SEPA",
    () => issued(aRequest("br", { payment: { means: "transfer", iban: "BR1800360305000010009795493C1" } })),
  ],
  [
    "paid in full",
    () =>
      issued(
        aRequest("paid", {
          dueDate: civilDate("2026-11-27"),
          payment: { means: "card", paidOn: civilDate("2026-11-26") },
        }),
      ),
  ],
  [
    "prices with tax that no net price gives",
    () =>
      issued(
        aRequest("gross", {
          pricesIncludeTax: true,
          lines: [...linesOf("3x9.99@21 7x0.01@21 1x100@21 33x1.17@10"), ...linesOf("2x50@4")],
        }),
      ),
  ],
  [
    "quantities whose price has more than eight decimals",
    () =>
      issued(
        aRequest("tiny", {
          pricesIncludeTax: true,
          lines: linesOf("999999.999999x0.033333@21 123456.789123x1.999999@10"),
        }),
      ),
  ],
  [
    "negative prices and discounts",
    () =>
      issued(
        aRequest("negative", {
          lines: [
            ...linesOf("10x100@21"),
            named("Abono de envases", "2", "-15.25", "21"),
            named("Descuento", "1", "-0.5", "10"),
            ...linesOf("1x60@10", { discountRate: decimal("33.333333") }),
            ...linesOf("3x60@10", { discountRate: decimal("100") }),
          ],
        }),
      ),
  ],
  [
    "a supply within the Union on another day",
    () =>
      issued(
        aRequest("union", {
          operationDate: civilDate("2026-11-20"),
          recipient: { ...AN_EU_RECIPIENT, vatNumber: "123456789", country: "GR" },
          lines: linesOf("2x50@0", { qualification: "E5" }),
        }),
      ),
  ],
  [
    "exempt by several articles",
    () =>
      issued(
        aRequest("exempt", {
          lines: (["E1", "E4", "E6"] as const).flatMap((qualification) =>
            linesOf("1x100@0", { qualification }),
          ),
        }),
      ),
  ],
  [
    "a named invoice of article 6.1.d",
    () =>
      issued(anUnnamed("named", { recipient: { company: "Élodie Lefèvre", country: "FR", city: "Lyon" } })),
  ],
  ["qualified with prices that include tax", () => issued(aQualified("q", { pricesIncludeTax: true }))],
  ...(
    [
      ["JPY", "162.45", "3x33.5@21 1x1000@10"],
      ["KWD", "0.3312", "2x10.25@21"],
      ["CLF", "0.0243", "1x12.5@21"],
      ["AED", "4.01", "1x100@21"],
    ] as const
  ).map(
    ([currency, rate, lines]) =>
      [
        `in ${currency}`,
        () => issued(aRequest(currency, { ...FOREIGN_COIN(currency, rate), lines: linesOf(lines) })),
      ] as const,
  ),
  [
    "a return of a replaced ticket",
    () => {
      const ticket = aTicket("t", { lines: linesOf("2x100@21") });
      const full = aRequest("f3", {
        invoiceType: "F3",
        lines: ticket.lines,
        rectifies: [{ externalId: "t" }],
      });
      const back = correcting(aTicket("r5", { lines: linesOf("-1x100@21") }), ["t"]);
      const undone = aRequest("f3b", {
        invoiceType: "F3",
        lines: linesOf("-1x100@21"),
        rectifies: [{ externalId: "r5" }],
      });
      return issued([ticket, full, back, undone]);
    },
  ],
];

/** Every kind, each once and by name. */
export function everyKind(): readonly Kind[] {
  const direct = EVERY_KIND.flatMap(([territory, settings, steps]) =>
    issueAll(steps, { settings }).outcomes.flatMap((outcome, index) =>
      "invoice" in outcome
        ? [{ name: `${territory}, ${index}: ${outcome.invoice.externalId}`, view: outcome.invoice }]
        : [],
    ),
  );
  const samples = Object.entries(SAMPLES).map(([name, make]) => ({ name: `sample ${name}`, view: make() }));
  return [...direct, ...samples, ...ownKinds()];
}

function ownKinds(): readonly Kind[] {
  return OWN.map(([name, make]) => ({ name, view: make() }));
}

/** Those whose bytes are kept: each form of an element at least once. */
export function goldenKinds(): readonly Kind[] {
  const samples = Object.entries(SAMPLES).map(([name, make]) => ({ name: `sample ${name}`, view: make() }));
  return [...ownKinds(), ...samples];
}

/** The same invoice with what Peppol asks for beyond EN 16931. */
export function forPeppol(view: InvoiceView): InvoiceView {
  const { request } = view.document;
  const recipient = { endpoint: { scheme: "0088", id: "1234567890128" }, ...request.recipient };
  const asked = { ...request, buyerReference: "REF-1", ...(request.recipient ? { recipient } : {}) };
  return { ...view, document: { ...view.document, request: asked } };
}
