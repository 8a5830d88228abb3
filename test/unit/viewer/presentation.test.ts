/**
 * The presentation of an invoice: prices, taxes, currencies, its references to others, and its later
 * changes.
 */
import { describe, expect, test } from "vitest";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import type { InvoiceRequest, Qualification } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  type InvoicePresentation,
  type PresentationOptions,
  presentInvoice,
} from "../../../src/viewer/presentation/invoice-presentation.ts";
import { groupWords } from "../../../src/viewer/presentation/tax-words.ts";
import { issued } from "../../support/builders/direct-invoicing.ts";
import {
  actedOn,
  cancelled,
  full,
  hostile,
  LONG_WORD,
  MARKUP,
  named,
  oneStopShop,
  sterling,
  withDocument,
} from "../../support/builders/issued-samples.ts";
import {
  A_RECIPIENT,
  AN_EU_RECIPIENT,
  aRequest,
  aTicket,
  correcting,
  linesOf,
} from "../../support/builders/requests.ts";
import { readOut } from "../../support/rules/read-out.ts";

function present(view: InvoiceView, options: Partial<PresentationOptions> = {}): InvoicePresentation {
  return presentInvoice(view, { language: "es", ...options });
}

/** `2 x 9,90 = 19,80` per line. */
function linesIn({ lines }: InvoicePresentation): string[] {
  return lines.rows.map(({ quantity, price, amount }) => `${quantity} x ${price} = ${amount}`);
}

describe("the tax of a one-stop-shop sale is that of where it is consumed", () => {
  const told = (consumedIn: string | undefined, language: "es" | "en") => {
    const view = withDocument(oneStopShop(), consumedIn === undefined ? {} : { consumedIn });
    return present(view, { language }).notes.map(({ text }) => text.replace(/[.:] (Importe|Amount).*/, ""));
  };

  test.each([
    [undefined, "es", "Régimen especial de la Unión (ventanilla única): IVA de Francia al 20 % y al 5,5 %"],
    ["AT", "es", "Régimen especial de la Unión (ventanilla única): IVA de Austria al 20 % y al 5,5 %"],
    [
      "XI",
      "es",
      "Régimen especial de la Unión (ventanilla única): IVA de Irlanda del Norte al 20 % y al 5,5 %",
    ],
    ["XI", "en", "One-stop shop: VAT of Northern Ireland at 20 % and 5.5 %"],
  ] as const)("%s, %s", (state, language, text) => {
    expect(told(state, language).map((note) => note.replaceAll("\u00a0", " "))).toEqual([text]);
  });
});

describe("a service located elsewhere", () => {
  const service = (recipient: InvoiceRequest["recipient"], text = "1x100@0") => {
    const lines = linesOf(text).map((line) =>
      line.taxRate === "0" ? { ...line, qualification: "N2" as const } : line,
    );
    return issued(aRequest("n2", { ...(recipient ? { recipient } : {}), lines }));
  };

  test("names the reverse charge to a recipient with an EU VAT number", () => {
    const view = service(AN_EU_RECIPIENT);
    expect(present(view).taxes.rows.map(({ name }) => name.text)).toEqual(["Operación no sujeta"]);
    expect(present(view).notes).toEqual([{ text: "Inversión del sujeto pasivo", language: "es" }]);
    expect(present(view, { language: "en" }).notes).toEqual([
      { text: "Inversión del sujeto pasivo", language: "es", gloss: "Reverse charge" },
    ]);
  });

  test("names its own lines, next to others", () => {
    expect(present(service(AN_EU_RECIPIENT, "1x100@0 1x10@21")).notes.map(({ text }) => text)).toEqual([
      "Operación no sujeta: Inversión del sujeto pasivo",
    ]);
  });

  test("names no reverse charge to a recipient without one", () => {
    expect(present(service(A_RECIPIENT)).notes).toEqual([]);
    const american = { company: "Acme", vatNumber: "98-7654321", country: "US", idType: "04" } as const;
    expect(present(service(american)).notes).toEqual([]);
  });
});

describe("prices of a simplified invoice have their tax", () => {
  test.each([
    ["as they were sent", { pricesIncludeTax: true, lines: linesOf("4x9.90@21") }, ["4 x 9,90 = 39,60"]],
    ["from net ones", { lines: linesOf("1x100@21 2x10@10") }, ["1 x 121,00 = 121,00", "2 x 11,00 = 22,00"]],
    ["from six decimals", { lines: linesOf("1x8.264463@21") }, ["1 x 9,99 = 9,99"]],
    ["with as many decimals as it takes", { lines: linesOf("3x3.305785@21") }, ["3 x 4,00 = 12,00"]],
    [
      "after a discount",
      { lines: [named("a", "2", "100", "21", { discountRate: decimal("10") })] },
      ["2 x 121,00 = 217,80"],
    ],
  ] satisfies [string, Partial<InvoiceRequest>, string[]][])("%s", (_, change, expected) => {
    const shown = present(issued(aTicket("t", change)));
    expect(linesIn(shown)).toEqual(expected);
    expect(shown.lines.included?.text).toBe("IVA incluido");
    expect(shown.totals[0]?.label).toBe("Total");
  });

  test("as the customer of a shop paid them", () => {
    const view = issued(aTicket("t", { lines: linesOf("1x8.264463@21") }));
    const [group] = view.document.groups;
    if (!group) throw new Error("no group");
    const amounts = { base: decimal("8.26"), tax: decimal("1.74"), surcharge: decimal("0") };
    expect(linesIn(present(withDocument(view, { groups: [{ ...group, amounts }] })))).toEqual([
      "1 x 10,00 = 10,00",
    ]);
  });

  test("unless the lines would not add up to the invoice", () => {
    const shown = present(issued(aTicket("t", { lines: linesOf("1x0.02@21 1x0.02@21 1x0.02@21") })));
    expect(linesIn(shown)).toEqual(["1 x 0,02 = 0,02", "1 x 0,02 = 0,02", "1 x 0,02 = 0,02"]);
    expect(shown.lines.heads.price).toBe("Precio sin IVA");
    expect(shown.lines.included).toBeUndefined();
    expect(shown.totals.map(({ label }) => label)).toEqual(["Base imponible", "Cuota de IVA", "Total"]);
  });

  test("of an exempt sale there is none to include", () => {
    const lines = linesOf("1x50@0", { qualification: "E1" });
    expect(present(issued(aTicket("t", { lines }))).lines.included).toBeUndefined();
  });
});

describe("prices of a full invoice have none", () => {
  test.each([
    ["as they were sent, with their decimals", { lines: linesOf("6x4.6546@21") }, ["6 x 4,6546 = 27,93"]],
    ["taken out", { pricesIncludeTax: true, lines: linesOf("1x121@21") }, ["1 x 100,00 = 100,00"]],
    ["taken out to the cent", { pricesIncludeTax: true, lines: linesOf("1x100@21") }, ["1 x 82,64 = 82,64"]],
    [
      "so that the lines add up to the base",
      { pricesIncludeTax: true, lines: linesOf("1x1@21 1x1@21 1x1@21") },
      ["1 x 0,83 = 0,83", "1 x 0,83 = 0,83", "1 x 0,82 = 0,82"],
    ],
  ] satisfies [string, Partial<InvoiceRequest>, string[]][])("%s", (_, change, expected) => {
    const shown = present(issued(aRequest("f", change)));
    expect(linesIn(shown)).toEqual(expected);
    expect(shown.lines.heads.price).toBe("Precio sin IVA");
  });
});

describe("the words of what bears no tax", () => {
  const IVA = "01";
  const IPSI = "02";
  const IGIC = "03";
  test.each([
    [IVA, "E1", "Operación exenta", "Artículo 20 de la Ley 37/1992 del IVA"],
    [IVA, "E2", "Operación exenta", "Artículo 21 de la Ley 37/1992 del IVA (exportación)"],
    [IVA, "E3", "Operación exenta", "Artículo 22 de la Ley 37/1992 del IVA"],
    [IVA, "E4", "Operación exenta", "Artículos 23 y 24 de la Ley 37/1992 del IVA"],
    [IVA, "E5", "Operación exenta", "Artículo 25 de la Ley 37/1992 del IVA (entrega intracomunitaria)"],
    [IVA, "E6", "Operación exenta", undefined],
    [IGIC, "E1", "Operación exenta", "Decreto Legislativo 1/2025"],
    [IGIC, "E2", "Operación exenta", "Artículo 11 de la Ley 20/1991"],
    [IGIC, "E5", "Operación exenta", "Artículo 25 de la Ley 19/1994"],
    [IGIC, "E7", "Operación exenta", "Artículo 90 del Decreto Legislativo 1/2025"],
    [IGIC, "E8", "Operación exenta", undefined],
    [IPSI, "E1", "Operación exenta", "Artículo 7 de la Ley 8/1991"],
    [IPSI, "E4", "Operación exenta", "Artículos 9 y 10 de la Ley 8/1991"],
    [IVA, "S2", "Inversión del sujeto pasivo", undefined],
    [IVA, "N1", "Operación no sujeta", undefined],
    [IVA, "N2", "Operación no sujeta", "Por reglas de localización"],
  ] satisfies ["01" | "02" | "03", Qualification, string, string | undefined][])(
    "%s %s",
    (tax, qualification, name, law) => {
      const words = groupWords({ tax, regime: "01", qualification, rate: decimal("0") }, "es");
      expect([words.name.text, words.law]).toEqual([name, law]);
    },
  );
});

describe("special regimes are named", () => {
  test.each([
    ["03", "Régimen especial de los bienes usados, objetos de arte, antigüedades y objetos de colección"],
    ["05", "Régimen especial de las agencias de viajes"],
    ["07", "Régimen especial del criterio de caja"],
  ])("%s", (regime, name) => {
    const margin = regime === "07" ? {} : { taxableMargin: decimal("10") };
    const lines = linesOf("1x100@21", { regime, ...margin });
    const view = issued(aRequest("r", { pricesIncludeTax: true, lines }));
    expect(present(view).notes.map(({ text }) => text)).toEqual([name]);
  });

  test("with their rates where other sales are next to them", () => {
    const lines = [...linesOf("1x100@21", { regime: "07" }), ...linesOf("1x10@10")];
    const view = issued(aRequest("r", { lines }));
    expect(present(view).notes.map(({ text }) => text)).toEqual([
      "IVA 21 %: Régimen especial del criterio de caja".replace("21 %", "21\u00a0%"),
    ]);
  });
});

describe("nothing shows the tax of the margin scheme", () => {
  const margin = { regime: "03", taxableMargin: decimal("12.1") } as const;
  const lines = linesOf("1x100@21", margin);
  const dollars = {
    currency: "USD",
    exchangeRate: decimal("1.1"),
    exchangeRateDate: civilDate("2026-11-26"),
  };
  const whole = aRequest("m", { pricesIncludeTax: true, lines });

  test.each<[string, readonly InvoiceRequest[]]>([
    ["a full invoice", [whole]],
    ["a simplified one", [aTicket("m", { pricesIncludeTax: true, lines })]],
    ["another currency", [{ ...whole, ...dollars }]],
    ["next to other sales", [{ ...whole, lines: [...lines, ...linesOf("1x33@10")] }]],
    ["a return", [whole, correcting({ ...whole, externalId: "r", lines: lines.map(minus) }, ["m"])]],
    [
      "a substitution",
      [whole, correcting({ ...whole, externalId: "r" }, ["m"], { rectificationMethod: "substitution" })],
    ],
  ])("%s", (_, requests) => {
    const view = issued([...requests]);
    const told = readOut(present(view)).join("\n");
    for (const untold of ["21 %", "10,00", "2,10", "12,10", "82,64"]) expect(told).not.toContain(untold);
    expect(told).toContain("100,00");
    expect(told).toContain("REBU");
  });

  test("of a group taxed by its whole price, before margins were required, the tax is shown", () => {
    const view = issued(aRequest("r", { lines: linesOf("1x100@21") }));
    const groups = view.document.groups.map((group) => ({ ...group, regime: "03" }));
    const { totals, notes } = present(withDocument(view, { groups }));
    expect(totals.map(({ label }) => label)).toEqual(["Base imponible", "Cuota de IVA", "Total"]);
    expect(notes.map(({ text }) => text)).toEqual([
      "Régimen especial de los bienes usados, objetos de arte, antigüedades y objetos de colección",
    ]);
  });

  function minus(line: InvoiceRequest["lines"][number]) {
    return { ...line, quantity: decimal("-1"), taxableMargin: decimal("-12.1") };
  }
});

describe("currencies", () => {
  test("the rate is said to be the ECB's where it was", () => {
    const [note] = present(sterling(), { isEcbRate: true }).notes;
    expect(note?.text).toMatch(
      /^Tipo de cambio del Banco Central Europeo del 25\/11\/2026: 1\u00a0EUR\u00a0=\u00a00,8642\u00a0GBP\. /,
    );
  });

  test("without minor units have none, with three have three", () => {
    const inCurrency = (currency: string) =>
      present(
        issued(
          aRequest("c", {
            currency,
            exchangeRate: decimal("2"),
            exchangeRateDate: civilDate("2026-11-26"),
            lines: linesOf("1x1000@21"),
          }),
        ),
      ).total;
    expect(inCurrency("JPY")).toBe("1.210\u00a0JPY");
    expect(inCurrency("KWD")).toBe("1.210,000\u00a0KWD");
  });
});

describe("the remaining amount to pay", () => {
  test("comes after withholding and payments; the total stays the invoice's", () => {
    const view = issued(aRequest("w", { withholdingRate: decimal("15"), lines: linesOf("1x1393.50@21") }));
    const payments = [
      { name: "gift_card", amount: decimal("10") },
      { name: "Gift card", amount: decimal("5") },
      { name: "Saldo", amount: decimal("1") },
      { name: "Bono Navidad", amount: decimal("2.5") },
    ];
    const shown = present(withDocument(view, { payments }));
    expect(
      shown.totals.slice(2).map(({ label, value }) => `${label}: ${value}`.replaceAll("\u00a0", " ")),
    ).toEqual([
      "Total: 1.686,14 €",
      "Retención IRPF 15 %: −209,03 €",
      "Pagado con tarjeta regalo: −15,00 €",
      "Pagado con saldo: −1,00 €",
      "Pagado: Bono Navidad: −2,50 €",
      "Total a pagar: 1.458,61 €",
    ]);
  });
});

describe("an order that is collected in part", () => {
  const total = issued(aRequest("part", { lines: linesOf("1x100@21") }));
  const shownOf = (change: Parameters<typeof withDocument>[1]) =>
    present(withDocument(total, change))
      .totals.slice(2)
      .map(({ label, value }) => `${label}: ${value}`.replaceAll("\u00a0", " "));

  test("shows what was collected and what is left", () => {
    expect(shownOf({ collected: { paid: decimal("60.5"), payable: decimal("121") } })).toEqual([
      "Total: 121,00 €",
      "Cobrado del pedido: −60,50 €",
      "Pendiente de pago: 60,50 €",
    ]);
  });

  test("counts gift cards as collected, once", () => {
    const payments = [{ name: "gift_card", amount: decimal("21") }];
    expect(shownOf({ payments, collected: { paid: decimal("81"), payable: decimal("121") } })).toEqual([
      "Total: 121,00 €",
      "Pagado con tarjeta regalo: −21,00 €",
      "Total a pagar: 100,00 €",
      "Cobrado del pedido: −60,00 €",
      "Pendiente de pago: 40,00 €",
    ]);
  });
});

describe("what became of it since", () => {
  test.each([
    ["corrected", { kind: "difference" }, ["Esta factura tiene rectificativas: API-1R-2026-000001."]],
    [
      "substituted",
      { kind: "substitution" },
      ["Sustituida por la factura API-1R-2026-000001, de 28/11/2026."],
    ],
    ["replaced", { kind: "replacement" }, ["Sustituida por la factura API-1R-2026-000001, de 28/11/2026."]],
    ["a correction that was cancelled gave back what it took", { inForce: false }, []],
  ] as const)("%s", (_, by, expected) => {
    expect(present(actedOn(full(), by)).notices).toEqual(expected);
  });

  test("cancelled: printed on the sheet and above it, and shown as a change of the document", () => {
    const { cancelled: mark, notices, record } = present(cancelled());
    expect(mark?.text).toBe("FACTURA ANULADA el 27/11/2026");
    expect(notices[0]).toContain("27/11/2026");
    expect(record.changedAt >= record.generatedAt).toBe(true);
  });
});

describe("an order's invoice", () => {
  test("says its number once", () => {
    const view = issued(aTicket("o", { description: "Pedido 10491" }));
    const { details, subject } = present(view, { orderReference: "10491" });
    expect(details.at(-1)).toEqual({ label: "Pedido", value: "10491" });
    expect(subject).toBeUndefined();
  });

  test("keeps what else its description says", () => {
    const view = issued(aTicket("o", { description: "Pedido 10491, entregado en almacén" }));
    expect(present(view, { orderReference: "10491" }).subject?.value).toBe(
      "Pedido 10491, entregado en almacén",
    );
  });
});

describe("the mark of the test environment", () => {
  test.each([
    ["test", "PRUEBA: sin valor fiscal"],
    ["production", undefined],
  ] as const)("%s", (environment, expected) => {
    expect(present({ ...full(), environment }).testMark?.text).toBe(expected);
  });

  test("the QR asks the host of its environment", () => {
    expect(present({ ...full(), environment: "production" }).qr?.url).toMatch(
      /^https:\/\/www2\.agenciatributaria/,
    );
  });
});

describe("other people's text", () => {
  const shown = present(hostile());

  test("is kept as it is", () => {
    expect(shown.lines.rows[0]?.description).toBe(MARKUP);
    expect(shown.recipient?.party.name).toBe(`${LONG_WORD} ${MARKUP}`);
    expect(shown.lines.rows[3]?.description).toBe("Emoji 😀👩‍👩‍👧 y שלום");
  });

  test("turns no direction", () => {
    expect(JSON.stringify(shown)).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  });

  test("ids of lines are the caller's own and are never shown", () => {
    const view = issued(aRequest("i", { lines: linesOf("1x1@21", { lineId: "secret-line-id" }) }));
    expect(JSON.stringify(present(view))).not.toContain("secret-line-id");
  });
});
