/** The mapping to UBL, element by element: what stands where, and what stands nowhere. */
import { describe, expect, test } from "vitest";
import type { UblProfile } from "../../../src/domain/einvoice/ubl/ubl-document.ts";
import { writeUbl } from "../../../src/domain/einvoice/ubl/write-ubl.ts";
import { electronicInvoiceOf } from "../../../src/domain/einvoice/view.ts";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { issued, theSettings } from "../../support/builders/direct-invoicing.ts";
import {
  fourRates,
  oneStopShop,
  replacement,
  sterling,
  usedGoods,
  withDocument,
} from "../../support/builders/issued-samples.ts";
import {
  A_RECIPIENT,
  AN_EU_RECIPIENT,
  aRequest,
  correcting,
  linesOf,
} from "../../support/builders/requests.ts";
import { EVERY_MEMBER } from "../../support/einvoice/kinds.ts";
import { type Found, readXml } from "../../support/einvoice/read-xml.ts";

const PRODUCTION = "production" as const;

/** Without the words of a test in the note. */
function ubl(view: InvoiceView, profile: UblProfile = "en16931"): Found {
  const invoice = electronicInvoiceOf({ ...view, environment: PRODUCTION });
  return readXml(writeUbl(invoice, { version: "ubl-2.1", profile }));
}

const of = (change: Partial<InvoiceRequest> = {}) => issued(aRequest("f", change));
const sale = aRequest("sale", { lines: linesOf("4x40@21") });
const back = (change: Partial<InvoiceRequest> = {}) =>
  issued([sale, correcting(aRequest("back", { lines: linesOf("-1x40@21"), ...change }), ["sale"])]);

describe("the kind of document", () => {
  const substitution = issued([
    sale,
    correcting(aRequest("s"), ["sale"], { rectificationMethod: "substitution" }),
  ]);
  const increase = issued([sale, correcting(aRequest("more"), ["sale"])]);

  test.each([
    ["F1", of(), "Invoice", "InvoiceTypeCode", "380", "121.00"],
    ["F3", replacement(), "Invoice", "InvoiceTypeCode", "380", "27.35"],
    ["a refund, with all signs turned", back(), "CreditNote", "CreditNoteTypeCode", "381", "48.40"],
    ["an increase by difference", increase, "Invoice", "InvoiceTypeCode", "383", "121.00"],
    ["a substitution, with the full amounts", substitution, "Invoice", "InvoiceTypeCode", "384", "121.00"],
  ])("%s", (_, view, root, element, code, total) => {
    const xml = ubl(view);
    expect([xml.root, xml.one(element), xml.one("TaxInclusiveAmount")]).toEqual([root, code, total]);
  });

  test("of a credit note the quantity is what comes back, at the price of the sale", () => {
    const xml = ubl(back());
    expect([xml.one("CreditedQuantity"), xml.one("LineExtensionAmount", 1), xml.one("PriceAmount")]).toEqual([
      "1",
      "40.00",
      "40.00",
    ]);
  });

  test.each<[UblProfile, string]>([
    ["en16931", "urn:cen.eu:en16931:2017"],
    ["peppol", "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"],
  ])("of profile %s", (profile, customization) => {
    const xml = ubl(of(), profile);
    expect(xml.one("CustomizationID")).toBe(customization);
    expect(xml.one("ProfileID")).toBe("urn:fdc:peppol.eu:2017:poacc:billing:01:1.0");
  });
});

describe("dates and references", () => {
  test("what a request states stands in its element", () => {
    const xml = ubl(of(EVERY_MEMBER));
    expect({
      due: xml.one("DueDate"),
      buyer: xml.one("BuyerReference"),
      order: xml.one("OrderReference/ID"),
      contract: xml.one("ContractDocumentReference/ID"),
      period: [xml.one("InvoicePeriod/StartDate"), xml.one("InvoicePeriod/EndDate")],
      delivered: [xml.one("ActualDeliveryDate"), xml.one("DeliveryLocation/Address/CityName")],
    }).toEqual({
      due: "2026-12-27",
      buyer: "04011000-12345-67",
      order: "PED-2026-0098",
      contract: "CTR/77",
      period: ["2026-11-01", "2026-11-30"],
      delivered: ["2026-11-20", "Lisboa"],
    });
  });

  test("cited invoices are named with number and date, those of a period by it", () => {
    expect(ubl(back()).all("InvoiceDocumentReference/ID")).toEqual(["API-1-2026-000001"]);
    expect(ubl(replacement()).all("InvoiceDocumentReference/IssueDate")).toEqual(["2026-11-27"]);
    const rebate = issued(
      correcting(aRequest("r4", { lines: linesOf("-1x40@21") }), [], {
        invoiceType: "R4",
        rectifiedPeriod: { from: civilDate("2026-01-01"), to: civilDate("2026-06-30") },
      }),
    );
    const xml = ubl(rebate);
    expect(xml.all("BillingReference")).toEqual([]);
    expect([xml.one("InvoicePeriod/StartDate"), xml.one("InvoicePeriod/EndDate")]).toEqual([
      "2026-01-01",
      "2026-06-30",
    ]);
  });

  test("cash accounting says that the tax falls due with the payment", () => {
    const xml = ubl(issued(aRequest("cash"), { settings: { defaultRegime: "07" } }));
    expect(xml.one("InvoicePeriod/DescriptionCode")).toBe("432");
    expect(ubl(of()).all("InvoicePeriod")).toEqual([]);
  });

  test("the address of the QR has a field of its own", () => {
    const xml = ubl(of());
    expect(xml.one("AdditionalDocumentReference/ID")).toBe("QR tributario");
    expect(xml.one("DocumentDescription")).toBe("Factura verificable en la sede electrónica de la AEAT");
    expect(xml.one("ExternalReference/URI")).toBe(
      "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR" +
        "?nif=B58378431&numserie=API-1-2026-000001&fecha=27-11-2026&importe=121.00",
    );
  });

  test("an invoice that no authority would know has none", () => {
    expect(ubl({ ...of(), trial: true }).all("AdditionalDocumentReference")).toEqual([]);
  });
});

describe("what is due", () => {
  const terms = (view: InvoiceView) => {
    const xml = ubl(view);
    return [xml.all("DueDate"), xml.all("PaymentDueDate"), xml.all("PaymentTerms/Note")].flat();
  };

  test.each<[string, InvoiceView, readonly string[]]>([
    ["no due date is said to be none", of(), ["Vencimiento no indicado"]],
    ["a due date needs no words", of({ dueDate: civilDate("2026-12-27") }), ["2026-12-27"]],
    ["nothing is due of nothing", of({ lines: linesOf("1x0@21") }), []],
    ["nothing is due of what is paid", of({ payment: { paidOn: civilDate("2026-11-20") } }), []],
    [
      "a credit note has its due date beside the means of payment",
      back({ dueDate: civilDate("2026-12-27"), payment: { means: "card" } }),
      ["2026-12-27"],
    ],
    [
      "and in words where there are none",
      back({ dueDate: civilDate("2026-12-27") }),
      ["Vencimiento: 27/12/2026"],
    ],
  ])("%s", (_, view, expected) => {
    expect(terms(view)).toEqual(expected);
  });

  test("gift cards are paid, and the rest is due", () => {
    const view = withDocument(of(), { payments: [{ name: "Tarjeta regalo", amount: decimal("21") }] });
    const xml = ubl(view);
    expect([xml.one("PrepaidAmount"), xml.one("PayableAmount")]).toEqual(["21.00", "100.00"]);
  });

  test("of a refund too, with its signs turned", () => {
    const view = withDocument(back(), { payments: [{ name: "Tarjeta regalo", amount: decimal("-8.4") }] });
    const xml = ubl(view);
    expect([xml.one("PrepaidAmount"), xml.one("PayableAmount")]).toEqual(["8.40", "40.00"]);
  });

  test.each([
    ["transfer", "ES9121000418450200051332", "58"],
    ["transfer", "BR1800360305000010009795493C1", "30"],
    ["direct_debit", "ES9121000418450200051332", "59"],
    ["card", undefined, "48"],
    ["cash", undefined, "10"],
    ["cheque", undefined, "20"],
    ["other", undefined, "ZZZ"],
  ] as const)("means %s with account %s is %s", (means, iban, code) => {
    const mandate = means === "direct_debit" ? { mandate: "M-1" } : {};
    const xml = ubl(of({ payment: { means, ...(iban ? { iban } : {}), ...mandate } }));
    expect(xml.one("PaymentMeansCode")).toBe(code);
    const account = means === "direct_debit" ? "PayerFinancialAccount/ID" : "PayeeFinancialAccount/ID";
    expect(xml.all(account)).toEqual(iban ? [iban] : []);
    expect(xml.all("PaymentMandate/ID")).toEqual(means === "direct_debit" ? ["M-1"] : []);
  });

  test("the issuer's own terms stand where the request says nothing", () => {
    const terms = { dueDate: civilDate("2026-12-27"), payment: { means: "cash" } } as const;
    const xml = ubl(withDocument(of(), { terms }));
    expect([xml.one("DueDate"), xml.one("PaymentMeansCode")]).toEqual(["2026-12-27", "10"]);
  });
});

describe("the parties", () => {
  test("a Spanish buyer is known by its NIF, as VAT number and as address too", () => {
    const xml = ubl(of());
    const buyer = "AccountingCustomerParty/Party";
    expect([
      xml.one(`${buyer}/EndpointID`),
      xml.one(`${buyer}/PartyTaxScheme/CompanyID`),
      xml.one(`${buyer}/PartyLegalEntity/CompanyID`),
    ]).toEqual(["ESB12345674", "ESB12345674", "B12345674"]);
    expect(xml.attribute(`${buyer}/EndpointID`, "schemeID")).toBe("9920");
  });

  test.each([
    ["an EU VAT number", AN_EU_RECIPIENT, ["BE0477472701"], ["BE0477472701"]],
    [
      "any other identifier, which is no VAT number",
      { company: "Acme", country: "US", vatNumber: "98-7654321", idType: "04" } as const,
      [],
      ["98-7654321"],
    ],
  ])("%s", (_, recipient, vat, id) => {
    const xml = ubl(of({ recipient }));
    const buyer = "AccountingCustomerParty/Party";
    expect(xml.all(`${buyer}/PartyTaxScheme/CompanyID`)).toEqual(vat);
    expect(xml.all(`${buyer}/PartyLegalEntity/CompanyID`)).toEqual(id);
    expect(xml.all(`${buyer}/EndpointID`)).toEqual([]);
  });

  test("not subject: no party has a VAT number", () => {
    const xml = ubl(of({ lines: linesOf("1x100@0", { qualification: "N1" }) }));
    expect(xml.all("PartyTaxScheme")).toEqual([]);
    expect(xml.all("PartyLegalEntity/CompanyID")).toEqual(["B58378431", "B12345674"]);
  });

  test("phone and e-mail of the issuer are its contact", () => {
    const issuer = { ...theSettings().issuer, phone: "+34 910 000 000", email: "hola@norte.example" };
    const xml = ubl(issued(aRequest("f"), { settings: { issuer } }));
    expect([xml.one("Telephone"), xml.one("ElectronicMail")]).toEqual([
      "+34 910 000 000",
      "hola@norte.example",
    ]);
    expect(ubl(of()).all("Contact")).toEqual([]);
  });
});

describe("taxes", () => {
  const entries = (view: InvoiceView) => {
    const xml = ubl(view);
    return xml
      .each("TaxSubtotal")
      .map((entry) =>
        [
          "TaxCategory/ID",
          "Percent",
          "TaxableAmount",
          "TaxAmount",
          "TaxExemptionReasonCode",
          "TaxExemptionReason",
        ]
          .map((name) => entry.all(name)[0] ?? "")
          .join("|"),
      );
  };
  const lines = (text: string, change: Parameters<typeof linesOf>[1], recipient = A_RECIPIENT as object) =>
    of({ lines: linesOf(text, change), recipient });
  const canaries = { settings: { territory: "canarias", timeZone: "Atlantic/Canary" } } as const;
  const ceuta = { settings: { territory: "ceuta_melilla" } } as const;

  test.each<[string, InvoiceView, readonly string[]]>([
    ["IVA", of(), ["S|21|100.00|21.00||"]],
    ["IVA at 0 %", lines("1x100@0", {}), ["Z|0|100.00|0.00||"]],
    [
      "equivalence surcharge is part of the rate",
      lines("1x100@21", { surchargeRate: decimal("5.2") }),
      ["S|26.2|100.00|26.20||"],
    ],
    [
      "IGIC",
      issued(aRequest("f", { lines: linesOf("1x100@7 1x50@0") }), canaries),
      ["L|7|100.00|7.00||", "L|0|50.00|0.00||"],
    ],
    ["IPSI", issued(aRequest("f", { lines: linesOf("1x100@4") }), ceuta), ["M|4|100.00|4.00||"]],
    [
      "reverse charge",
      lines("1x100@0", { qualification: "S2" }),
      ["AE|0|100.00|0.00|VATEX-EU-AE|Inversión del sujeto pasivo"],
    ],
    [
      "a service to a business of the Union",
      lines("1x100@0", { qualification: "N2" }, AN_EU_RECIPIENT),
      ["AE|0|100.00|0.00|VATEX-EU-AE|Inversión del sujeto pasivo"],
    ],
    [
      "not subject",
      lines("1x100@0", { qualification: "N1" }),
      ["O||100.00|0.00|VATEX-EU-O|Operación no sujeta"],
    ],
    [
      "an export",
      lines("1x100@0", { qualification: "E2", regime: "02" }),
      ["G|0|100.00|0.00|VATEX-EU-G|Operación exenta: Artículo 21 de la Ley 37/1992 del IVA (exportación)"],
    ],
    [
      "a supply within the Union",
      lines("1x100@0", { qualification: "E5" }, AN_EU_RECIPIENT),
      [
        "K|0|100.00|0.00|VATEX-EU-IC|Operación exenta: Artículo 25 de la Ley 37/1992 del IVA (entrega intracomunitaria)",
      ],
    ],
    [
      "exemptions are one entry, each reason once",
      of({
        lines: (["E1", "E4", "E1", "E6"] as const).flatMap((qualification) =>
          linesOf("1x10@0", { qualification }),
        ),
      }),
      [
        "E|0|40.00|0.00||Operación exenta: Artículo 20 de la Ley 37/1992 del IVA; " +
          "Operación exenta: Artículos 23 y 24 de la Ley 37/1992 del IVA; Operación exenta",
      ],
    ],
    [
      "used goods show the price and no tax",
      usedGoods(),
      [
        "E|0|1430.00|0.00||Régimen especial de los bienes usados, objetos de arte, antigüedades y objetos de colección",
      ],
    ],
    [
      "the one-stop shop taxes elsewhere",
      oneStopShop(),
      ["S|5.5|60.00|3.30||", "S|20|40.00|8.00||", "S|21|9.90|2.08||"],
    ],
  ])("%s", (_, view, expected) => {
    expect(entries(view)).toEqual(expected);
  });

  test("a currency tells the tax in euros as well", () => {
    const xml = ubl(sterling());
    expect([xml.one("DocumentCurrencyCode"), xml.one("TaxCurrencyCode")]).toEqual(["GBP", "EUR"]);
    const { tax, surcharge } = sterling().document.totalsEur;
    expect(surcharge).toBe("0");
    expect(xml.all("TaxTotal/TaxAmount").at(-1)).toBe(Number(tax).toFixed(2));
    expect(ubl(of()).all("TaxCurrencyCode")).toEqual([]);
  });

  test("a supply within the Union has its day and its country", () => {
    const greek = { ...AN_EU_RECIPIENT, vatNumber: "123456789", country: "GR" };
    const xml = ubl(lines("1x100@0", { qualification: "E5" }, greek));
    expect([
      xml.one("ActualDeliveryDate"),
      xml.one("DeliveryLocation/Address/Country/IdentificationCode"),
    ]).toEqual(["2026-11-27", "GR"]);
  });
});

describe("the note", () => {
  const note = (view: InvoiceView) => ubl(view).one("Note", 0);

  test("is one, with everything that has no element", () => {
    const issuer = { ...theSettings().issuer, registry: "Registro Mercantil de Madrid, tomo 1" };
    const view = issued(
      aRequest("f", {
        description: "Obra de noviembre.",
        lines: [
          ...linesOf("1x100@21", { surchargeRate: decimal("5.2") }),
          ...linesOf("2x1000@10", { surchargeRate: decimal("1.4") }),
        ],
      }),
      { settings: { issuer } },
    );
    expect(ubl(view).all("Note")[0]).toBe(
      "Obra de noviembre. Recargo de equivalencia 5,2 % sobre 100,00: 5,20. " +
        "Recargo de equivalencia 1,4 % sobre 2.000,00: 28,00. Registro Mercantil de Madrid, tomo 1",
    );
  });

  test.each<[string, InvoiceView, string]>([
    [
      "cash accounting",
      issued(aRequest("f"), { settings: { defaultRegime: "07" } }),
      "Servicios de consultoría. Régimen especial del criterio de caja",
    ],
    [
      "an F3 names the ticket",
      replacement(),
      "Servicios de consultoría. Factura en sustitución de la factura simplificada API-1S-2026-000001, de 27/11/2026",
    ],
    [
      "the one-stop shop names country, rates and the figure of the QR",
      oneStopShop(),
      "Régimen especial de la Unión (ventanilla única): IVA de Francia al 20\u00a0% y al 5.5\u00a0%. Importe que figura en el código QR: 111,98\u00a0€",
    ],
    ["the rate of exchange", sterling(), "Tipo de cambio del 25/11/2026: 1 EUR = 0,8642 GBP"],
  ])("%s", (_, view, expected) => {
    expect(note(view)).toContain(expected.replace("5.5", "5,5"));
  });

  test("a test says that it is one, as the PDF does", () => {
    const words = (view: InvoiceView) =>
      readXml(writeUbl(electronicInvoiceOf(view), { version: "ubl-2.1", profile: "en16931" })).one("Note", 0);
    expect(words(of())).toBe("Servicios de consultoría. PRUEBA: sin valor fiscal");
    expect(words({ ...withDocument(of(), { test: true }), environment: PRODUCTION })).toBe(
      "Servicios de consultoría. PRUEBA, SIN VALIDEZ",
    );
  });
});

describe("lines", () => {
  const line = (change: Partial<InvoiceRequest>) => {
    const xml = ubl(of(change)).each("InvoiceLine")[0];
    if (!xml) throw new Error("there is a line");
    return ["InvoicedQuantity", "LineExtensionAmount", "PriceAmount", "BaseQuantity", "Amount", "BaseAmount"]
      .map((name) => xml.all(name)[0] ?? "")
      .join("|");
  };

  test.each<[string, Partial<InvoiceRequest>, string]>([
    ["the price as sent", { lines: linesOf("3x4.6546@21") }, "3|13.96|4.6546|||"],
    [
      "a discount is one of the price, exact",
      { lines: linesOf("3x4.6546@21", { discountRate: decimal("12.5") }) },
      "3|12.22|4.072775||0.581825|4.6546",
    ],
    [
      "a price below zero turns the quantity",
      { lines: linesOf("10x100@21 2x-15.25@21").toReversed() },
      "-2|-30.50|15.25|||",
    ],
    [
      "the shortest price that gives the net",
      { pricesIncludeTax: true, lines: linesOf("3x9.99@21") },
      "3|24.77|8.257|||",
    ],
    [
      "no price of eight decimals: the net for the quantity",
      { pricesIncludeTax: true, lines: linesOf("123456789.123456x0.05@21") },
      "123456789.123456|5101520.21|5101520.21|123456789.123456||",
    ],
  ])("%s", (_, change, expected) => {
    expect(line(change)).toBe(expected);
  });

  test("a long text stands in the description too, unit and code in theirs", () => {
    const [plain] = linesOf("1x100@21");
    if (!plain) throw new Error("there is a line");
    const description = "x".repeat(101);
    const xml = ubl(of({ lines: [{ ...plain, description, unit: "HUR", itemCode: "A-1" }] }));
    expect([xml.one("Item/Description"), xml.one("Item/Name")]).toEqual([description, description]);
    expect(xml.one("SellersItemIdentification/ID")).toBe("A-1");
    expect(xml.attribute("InvoicedQuantity", "unitCode")).toBe("HUR");
    expect(ubl(of({ lines: [{ ...plain, description: "x".repeat(100) }] })).all("Item/Description")).toEqual(
      [],
    );
  });

  test("text is escaped, and no element is empty", () => {
    const invoice = electronicInvoiceOf(of({ description: `<b>"Ñandú" & 'Cía'</b>` }));
    const xml = writeUbl(invoice, { version: "ubl-2.1", profile: "en16931" });
    expect(xml).toContain(`<cbc:Note>&lt;b&gt;"Ñandú" &amp; 'Cía'&lt;/b&gt;. PRUEBA`);
    expect(xml).not.toMatch(/\/>|<(\S+)[^>]*><\/\1>|ext:UBLExtensions/);
  });
});

test("withholding and disbursements are part of no amount", () => {
  // The format is refused for them; the view says them as themselves.
  const { withholding, totals } = electronicInvoiceOf(fourRates());
  expect(withholding?.rate).toBe("15");
  expect(totals.total).toBe(fourRates().document.totals.total);
});
