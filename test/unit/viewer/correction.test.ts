/**
 * The result of a rectification by substitution (article 15.5 RD 1619/2012), next to the corrected invoice.
 */
import { describe, expect, test } from "vitest";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { presentInvoice } from "../../../src/viewer/presentation/invoice-presentation.ts";
import { issued } from "../../support/builders/direct-invoicing.ts";
import { withDocument } from "../../support/builders/issued-samples.ts";
import { aRequest, aTicket, correcting, elsewhere, linesOf } from "../../support/builders/requests.ts";

function detailsOf(view: InvoiceView, language: "es" | "en" = "es"): readonly string[] {
  const [statement] = presentInvoice(view, { language }).statements;
  return (statement?.details ?? []).slice(1).map((detail) => detail.replaceAll("\u00a0", " "));
}

function substituting(
  request: InvoiceRequest,
  externalIds: readonly string[],
  change: Partial<InvoiceRequest> = {},
): InvoiceRequest {
  return correcting({ ...request, externalId: "instead" }, externalIds, {
    rectificationMethod: "substitution",
    ...change,
  });
}

const SALE = aRequest("e1", { lines: linesOf("1x120@21") });
const DOLLARS = {
  currency: "USD",
  exchangeRate: decimal("1.25"),
  exchangeRateDate: civilDate("2026-11-26"),
};
const SURCHARGED = linesOf("1x100@21", { surchargeRate: decimal("5.2") });
const OSS = { regime: "17", qualification: "N2" } as const;

test.each<[string, readonly InvoiceRequest[], readonly string[]]>([
  [
    "less than before",
    [SALE, substituting(aRequest("x"), ["e1"])],
    [
      "Importe de la rectificación: base −20,00 €, cuota −4,20 €",
      "Importe rectificado: base 120,00 €, cuota 25,20 €",
    ],
  ],
  [
    "more than before",
    [SALE, substituting(aRequest("x", { lines: linesOf("1x150@21") }), ["e1"])],
    [
      "Importe de la rectificación: base 30,00 €, cuota 6,30 €",
      "Importe rectificado: base 120,00 €, cuota 25,20 €",
    ],
  ],
  [
    "another rate alone",
    [SALE, substituting(aRequest("x", { lines: linesOf("1x120@10") }), ["e1"])],
    [
      "Importe de la rectificación: base 0,00 €, cuota −13,20 €",
      "Importe rectificado: base 120,00 €, cuota 25,20 €",
    ],
  ],
  [
    "an invoice and its rectification",
    [
      SALE,
      correcting(aRequest("r1", { lines: linesOf("-1x20@21") }), ["e1"]),
      substituting(aRequest("x", { lines: linesOf("1x80@21") }), ["e1", "r1"]),
    ],
    [
      "Importe de la rectificación: base −20,00 €, cuota −4,20 €",
      "Importe rectificado: base 100,00 €, cuota 21,00 €",
    ],
  ],
  [
    "a surcharge that was left out",
    [aRequest("e1"), substituting(aRequest("x", { lines: SURCHARGED }), ["e1"])],
    [
      "Importe de la rectificación: base 0,00 €, cuota 0,00 €, recargo de equivalencia 5,20 €",
      "Importe rectificado: base 100,00 €, cuota 21,00 €",
    ],
  ],
  [
    "a surcharge that did not belong",
    [aRequest("e1", { lines: SURCHARGED }), substituting(aRequest("x"), ["e1"])],
    [
      "Importe de la rectificación: base 0,00 €, cuota 0,00 €, recargo de equivalencia −5,20 €",
      "Importe rectificado: base 100,00 €, cuota 21,00 €, recargo de equivalencia 5,20 €",
    ],
  ],
  [
    "an invoice issued elsewhere",
    [
      substituting(aRequest("x", { lines: linesOf("1x80@21") }), [], {
        rectifies: [elsewhere({ surcharge: decimal("5.2") })],
      }),
    ],
    [
      "Importe de la rectificación: base −20,00 €, cuota −4,20 €, recargo de equivalencia −5,20 €",
      "Importe rectificado: base 100,00 €, cuota 21,00 €, recargo de equivalencia 5,20 €",
    ],
  ],
  [
    "another currency, with its euros",
    [
      aRequest("e1", { ...DOLLARS, lines: linesOf("1x120@21") }),
      substituting(aRequest("x", { ...DOLLARS, lines: linesOf("1x100@21") }), ["e1"]),
    ],
    [
      "Importe de la rectificación: base −20,00 USD (−16,00 €), cuota −4,20 USD (−3,36 €)",
      "Importe rectificado: base 120,00 USD (96,00 €), cuota 25,20 USD (20,16 €)",
    ],
  ],
  [
    "the foreign tax of the one-stop shop as well, which no record has",
    [
      aRequest("e1", { lines: linesOf("1x100@20", OSS) }),
      substituting(aRequest("x", { lines: linesOf("1x80@20", OSS) }), ["e1"]),
    ],
    [
      "Importe de la rectificación: base −20,00 €, cuota −4,00 €",
      "Importe rectificado: base 100,00 €, cuota 20,00 €",
    ],
  ],
  [
    "a simplified invoice",
    [aTicket("e1", { lines: linesOf("1x120@21") }), substituting(aTicket("x"), ["e1"])],
    [
      "Importe de la rectificación: base −20,00 €, cuota −4,20 €",
      "Importe rectificado: base 120,00 €, cuota 25,20 €",
    ],
  ],
])("the result of a substitution is printed: %s", (_, requests, expected) => {
  expect(detailsOf(issued([...requests]))).toEqual(expected);
});

test("in English", () => {
  expect(detailsOf(issued([SALE, substituting(aRequest("x"), ["e1"])]), "en")).toEqual([
    "Amount of the correction: taxable −20.00 €, tax −4.20 €",
    "Amount corrected: taxable 120.00 €, tax 25.20 €",
  ]);
});

test("the amounts of a rectification by difference are its result", () => {
  expect(
    detailsOf(issued([SALE, correcting(aRequest("r1", { lines: linesOf("-1x20@21") }), ["e1"])])),
  ).toEqual([]);
});

describe("documents from before the amounts were kept take them from the record", () => {
  const without = (view: InvoiceView) => {
    const { rectified: _, ...document } = view.document;
    return { ...withDocument(view, {}), document };
  };

  test("in euros", () => {
    expect(detailsOf(without(issued([SALE, substituting(aRequest("x"), ["e1"])])))).toEqual([
      "Importe de la rectificación: base −20,00 €, cuota −4,20 €",
      "Importe rectificado: base 120,00 €, cuota 25,20 €",
    ]);
  });

  test("in euros also where the invoice has another currency", () => {
    const dollars = [
      aRequest("e1", { ...DOLLARS, lines: linesOf("1x120@21") }),
      substituting(aRequest("x", { ...DOLLARS, lines: linesOf("1x100@21") }), ["e1"]),
    ];
    expect(detailsOf(without(issued(dollars)))).toEqual([
      "Importe de la rectificación: base −16,00 €, cuota −3,36 €",
      "Importe rectificado: base 96,00 €, cuota 20,16 €",
    ]);
  });

  test("of the one-stop shop as the record has them, without the foreign tax", () => {
    const oss = [
      aRequest("e1", { lines: linesOf("1x100@20", OSS) }),
      substituting(aRequest("x", { lines: linesOf("1x80@20", OSS) }), ["e1"]),
    ];
    expect(detailsOf(without(issued(oss)))).toEqual([
      "Importe de la rectificación: base −20,00 €, cuota 0,00 €",
      "Importe rectificado: base 100,00 €, cuota 0,00 €",
    ]);
  });
});
