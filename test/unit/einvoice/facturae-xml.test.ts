import { describe, expect, test } from "vitest";
import type { ElectronicInvoice } from "../../../src/domain/einvoice/electronic-invoice.ts";
import { facturaeXml } from "../../../src/domain/einvoice/facturae/facturae-xml.ts";
import { thirdPartyOf } from "../../../src/domain/einvoice/facturae/third-party.ts";
import { formatRefusals } from "../../../src/domain/einvoice/formats.ts";
import { electronicInvoiceOf } from "../../../src/domain/einvoice/view.ts";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { issued, SOFTWARE } from "../../support/builders/direct-invoicing.ts";
import * as sample from "../../support/builders/issued-samples.ts";
import {
  A_RECIPIENT,
  AN_EU_RECIPIENT,
  aLine,
  aQualified,
  aRequest,
  correcting,
  elsewhere,
  linesOf,
} from "../../support/builders/requests.ts";
import { facturaeErrors, textsAt } from "../../support/einvoice/facturae-file.ts";
import { rulesFolder } from "../../support/einvoice/rules.ts";

const DOLLARS = {
  currency: "USD",
  exchangeRate: decimal("1.0852"),
  exchangeRateDate: civilDate("2026-11-26"),
};
const BACK = { lines: linesOf("-1x40@21") };
const day = civilDate;

describe("parties", () => {
  test("a company has its name, NIF and address, with the province of its postcode", () => {
    const buyer = "BuyerParty";
    expect(read(aRequest("a"), `${buyer}/TaxIdentification/*`)).toEqual(["J", "R", "B12345674"]);
    expect(read(aRequest("a"), `${buyer}/LegalEntity/CorporateName`)).toEqual(["Cliente Ejemplo SL"]);
    const address = ["Gran Vía 1", "28013", "Madrid", "Madrid", "ESP"];
    expect(read(aRequest("a"), `${buyer}/LegalEntity/AddressInSpain/*`)).toEqual(address);
  });

  test.each([
    ["María Pérez", ["María", "Pérez"]],
    ["Ana Pérez García", ["Ana", "Pérez", "García"]],
    ["José Luis Pérez García", ["José Luis", "Pérez", "García"]],
    ["María de la O Pérez García", ["María de la O", "Pérez", "García"]],
    ["Juan de la Cruz", ["Juan", "de la Cruz"]],
    ["José Ortega y Gasset", ["José", "Ortega", "y Gasset"]],
    ["Ana DEL Río de las Heras", ["Ana", "DEL Río", "de las Heras"]],
    ["Ana Pérez de", ["Ana", "Pérez", "de"]],
    ["De Haro", ["De", "Haro"]],
  ])("the person %s has the parts of its name", (company, parts) => {
    const invoice = request({ recipient: { ...A_RECIPIENT, company, vatNumber: "12345678Z" } });
    const found = read(invoice, "BuyerParty/Individual/*[contains(name(), 'ame')]");
    expect(found).toEqual(parts);
    expect(found.join(" ")).toBe(company);
  });

  test("the stated parts of a name win", () => {
    const person = { company: "Ana María Rey Sol", firstName: "Ana", surname1: "María Rey", surname2: "Sol" };
    const invoice = request({ recipient: { ...A_RECIPIENT, ...person, vatNumber: "12345678Z" } });
    expect(read(invoice, "BuyerParty/Individual/*[contains(name(), 'ame')]")).toEqual([
      "Ana",
      "María Rey",
      "Sol",
    ]);
  });

  test("an issuer that is a person is an individual", () => {
    const issuer = { ...sample.full().document.issuer, name: "Ana Pérez García", nif: "12345678Z" };
    const invoice = { ...viewOf(aRequest("a")), issuer };
    expect(readView(invoice, "SellerParty/TaxIdentification/PersonTypeCode")).toEqual(["F"]);
    expect(readView(invoice, "SellerParty/Individual/FirstSurname")).toEqual(["Pérez"]);
  });

  test("a buyer in another member state is U, and the issuer's number begins with ES", () => {
    const invoice = request({ recipient: AN_EU_RECIPIENT });
    expect(read(invoice, "BuyerParty/TaxIdentification/*")).toEqual(["J", "U", "BE0477472701"]);
    expect(read(invoice, "SellerParty/TaxIdentification/*")).toEqual(["J", "R", "ESB58378431"]);
    const address = ["Gran Vía 1", "28013 Madrid", "Madrid", "BEL"];
    expect(read(invoice, "BuyerParty//OverseasAddress/*")).toEqual(address);
  });

  test("a buyer outside the Union is E", () => {
    const invoice = viewOfSample(sample.sterling());
    expect(readView(invoice, "BuyerParty/TaxIdentification/*")).toEqual(["J", "E", "GB123456782"]);
    expect(readView(invoice, "SellerParty/TaxIdentification/TaxIdentificationNumber")).toEqual(["B35123454"]);
  });

  test("names and addresses are cut at the limits of the XSD, by characters, and told whole", () => {
    const company = `${"🏺".repeat(79)}Ñandú SL`;
    const invoice = request({ recipient: { ...A_RECIPIENT, company, city: "c".repeat(60) } });
    expect(read(invoice, "BuyerParty//CorporateName")).toEqual([`${"🏺".repeat(79)}Ñ`]);
    expect(read(invoice, "BuyerParty//Town")).toEqual(["c".repeat(50)]);
    const [told] = read(invoice, "InvoiceAdditionalInformation");
    expect(told).toContain(`Nombre del receptor: ${company}`);
    expect(told).toContain(`Población del receptor: ${"c".repeat(60)}`);
  });

  test("the centres of a public body have their DIR3 code, their role and an address", () => {
    const administrativeCentres = [
      { role: "accounting_office", code: "L01280796" },
      {
        role: "managing_body",
        code: "LA0007407",
        address1: "Calle Alcalá 3",
        postcode: "28014",
        city: "Madrid",
      },
      { role: "processing_unit", code: "LA0007408" },
      { role: "proposing_body", code: "LA0007409" },
    ] as const;
    const recipient = { ...A_RECIPIENT, vatNumber: "P2807900B", administrativeCentres };
    const invoice = request({ recipient });
    const centre = "AdministrativeCentres/AdministrativeCentre";
    expect(read(invoice, `${centre}/CentreCode`)).toEqual(administrativeCentres.map(({ code }) => code));
    expect(read(invoice, `${centre}/RoleTypeCode`)).toEqual(["01", "02", "03", "04"]);
    const streets = ["Gran Vía 1", "Calle Alcalá 3", "Gran Vía 1", "Gran Vía 1"];
    expect(read(invoice, `${centre}/AddressInSpain/Address`)).toEqual(streets);
  });

  test("the producer signs as a third party", () => {
    const thirdParty = thirdPartyOf(SOFTWARE);
    if (!thirdParty) throw new Error("the producer has an address");
    const xml = facturaeXml(viewOf(aRequest("a")), { thirdParty });
    expect(textsAt(xml, "FileHeader/InvoiceIssuerType")).toEqual(["TE"]);
    expect(textsAt(xml, "ThirdParty//AddressInSpain/*")).toEqual([
      "Calle Mayor 1",
      "28001",
      "Madrid",
      "Madrid",
      "ESP",
    ]);
    expectValid(xml);
  });
});

describe("number, class and correction", () => {
  test("a number over 20 characters is series and number, joined the full number", () => {
    const number = `${"S".repeat(15)}-2026/0000000001`;
    const invoice = { ...viewOf(aRequest("a")), number };
    const [tail] = readView(invoice, "InvoiceHeader/InvoiceNumber");
    const [series] = readView(invoice, "InvoiceHeader/InvoiceSeriesCode");
    expect(tail).toHaveLength(20);
    expect(`${series}${tail}`).toBe(number);
  });

  test("a number of 20 characters has no series", () => {
    const invoice = { ...viewOf(aRequest("a")), number: "2".repeat(20) };
    expect(readView(invoice, "InvoiceHeader/*")).toEqual(["2".repeat(20), "FC", "OO"]);
  });

  test("a qualified simplified invoice is FA", () => {
    expect(read(aQualified("a"), "InvoiceHeader/InvoiceDocumentType")).toEqual(["FA"]);
  });

  test("an F3 is an original that says what it replaces", () => {
    const invoice = viewOfSample(sample.replacement());
    expect(readView(invoice, "InvoiceHeader/InvoiceClass")).toEqual(["OO"]);
    expect(readView(invoice, "LegalReference").join()).toContain("en sustitución de la factura simplificada");
  });

  test.each([
    ["R1", undefined, "16", "Base imponible"],
    [
      "R2",
      undefined,
      "85",
      "Base imponible modificada cuotas repercutidas no satisfechas. Auto de declaración de concurso",
    ],
    [
      "R3",
      undefined,
      "85",
      "Base imponible modificada cuotas repercutidas no satisfechas. Auto de declaración de concurso",
    ],
    ["R4", undefined, "10", "Detalle Operación"],
    ["R1", "83", "83", "Base imponible modificada por descuentos y bonificaciones"],
    ["R4", "07", "07", "Identificación fiscal Receptor"],
  ] as const)("%s with the cause %s is told as %s", (invoiceType, rectificationReason, code, words) => {
    const reason = rectificationReason === undefined ? {} : { rectificationReason };
    const back = correcting(aRequest("b", BACK), ["a"], { invoiceType, ...reason });
    expect(readSteps([aRequest("a"), back], "Corrective/ReasonCode")).toEqual([code]);
    expect(readSteps([aRequest("a"), back], "Corrective/ReasonDescription")).toEqual([words]);
  });

  test("a difference has its signs, and the month of the invoice that it corrects", () => {
    const steps = [aRequest("a"), correcting(aRequest("b", BACK), ["a"])];
    const parts = ["InvoiceNumber", "CorrectionMethod", "CorrectionMethodDescription", "InvoiceIssueDate"];
    const [{ number } = { number: "" }] = viewOf(...steps).correction?.cited ?? [];
    const told = [number, "02", "Rectificación por diferencias", "2026-11-27"];
    expect(parts.flatMap((part) => readSteps(steps, `Corrective/${part}`))).toEqual(told);
    expect(readSteps(steps, "Corrective/TaxPeriod/*")).toEqual(["2026-11-01", "2026-11-30"]);
    expect(readSteps(steps, "InvoiceTotals/InvoiceTotal")).toEqual(["-48.40"]);
  });

  test("a substitution is a whole correction", () => {
    const invoice = viewOfSample(sample.substitution());
    expect(readView(invoice, "Corrective/CorrectionMethod")).toEqual(["01"]);
    expect(readView(invoice, "Corrective/CorrectionMethodDescription")).toEqual(["Rectificación íntegra"]);
  });

  test("the correction of a period names no invoice", () => {
    const rectifiedPeriod = { from: day("2026-01-01"), to: day("2026-06-30") };
    const back = correcting(aRequest("b", BACK), [], { invoiceType: "R4", rectifiedPeriod });
    expect(read(back, "Corrective/InvoiceNumber")).toEqual([]);
    expect(read(back, "Corrective/TaxPeriod/*")).toEqual(["2026-01-01", "2026-06-30"]);
    expect(read(back, "Corrective/CorrectionMethod")).toEqual(["03"]);
  });

  test("further corrected invoices are named in the words of the cause", () => {
    const second = elsewhere({ number: "VIEJA/8", issueDate: day("2024-02-10") });
    const back = correcting(aRequest("b", BACK), [], { rectifies: [elsewhere(), second] });
    expect(read(back, "Corrective/TaxPeriod/EndDate")).toEqual(["2025-03-31"]);
    expect(read(back, "Corrective/AdditionalReasonDescription").join()).toContain("VIEJA/8 (2024-02-10)");
  });

  test("February of a leap year ends on the 29th", () => {
    const cited = elsewhere({ issueDate: day("2024-02-10") });
    const back = correcting(aRequest("b", BACK), [], { rectifies: [cited] });
    expect(read(back, "Corrective/TaxPeriod/*")).toEqual(["2024-02-01", "2024-02-29"]);
  });
});

describe("dates, references and currency", () => {
  test("dates and references of up to 20 characters have their elements", () => {
    const invoice = request({
      operationDate: day("2026-10-31"),
      invoicingPeriod: { start: day("2026-10-01"), end: day("2026-10-31") },
      orderReference: "PO-1",
      contractReference: "C-7",
      fileReference: "EXP 2026/3",
    });
    const parts = ["OperationDate", "InvoicingPeriod/StartDate", "ReceiverTransactionReference"];
    const more = ["FileReference", "ReceiverContractReference"];
    const found = [...parts, ...more].flatMap((part) => read(invoice, `InvoiceIssueData/${part}`));
    expect(found).toEqual(["2026-10-31", "2026-10-01", "PO-1", "EXP 2026/3", "C-7"]);
  });

  test("a longer reference goes whole to the additional information", () => {
    const invoice = request({ orderReference: "PEDIDO-DE-COMPRA-00001", buyerReference: "Oficina 3" });
    expect(read(invoice, "ReceiverTransactionReference")).toEqual([]);
    const [told = ""] = read(invoice, "InvoiceAdditionalInformation");
    const [qr, ...rest] = told.split("\n");
    expect(qr).toMatch(/^QR tributario: https:\/\//);
    expect(rest).toEqual(["Pedido: PEDIDO-DE-COMPRA-00001", "Referencia del comprador: Oficina 3"]);
  });

  test("another currency has euros for one unit, and every amount its euros", () => {
    const invoice = request(DOLLARS);
    expect(read(invoice, "ExchangeRateDetails/*")).toEqual(["0.92148913", "2026-11-26"]);
    expect(read(invoice, "TaxCurrencyCode")).toEqual(["EUR"]);
    const view = viewOf(invoice);
    const total = [view.totals.total, view.totalsEur.total].map((amount) => Number(amount).toFixed(2));
    expect(read(invoice, "Batch/TotalInvoicesAmount/*")).toEqual(total);
    expect(read(invoice, "Invoice/TaxesOutputs/Tax/TaxableBase/*")).toEqual(["100.00", "92.15"]);
    const amounts = read(invoice, "TotalAmount").length;
    expect(read(invoice, "EquivalentInEuros")).toHaveLength(amounts);
  });

  test("euros stand alone", () => {
    expect(read(aRequest("a"), "EquivalentInEuros")).toEqual([]);
  });

  test("a currency without minor units has none", () => {
    const yen = { currency: "JPY", exchangeRate: decimal("165.3"), exchangeRateDate: day("2026-11-26") };
    const invoice = request({ ...yen, lines: linesOf("1x1000@21"), dueDate: day("2026-12-27") });
    expect(read(invoice, "InvoiceTotals/InvoiceTotal")).toEqual(["1210"]);
    expect(read(invoice, "InstallmentAmount")).toEqual(["1210.00"]);
  });

  test("a currency of three decimals has them, and no instalment where the third is needed", () => {
    const dinars = { currency: "KWD", exchangeRate: decimal("0.3325"), exchangeRateDate: day("2026-11-26") };
    const invoice = request({ ...dinars, lines: linesOf("1x1.005@0"), dueDate: day("2026-12-27") });
    expect(read(invoice, "InvoiceTotals/InvoiceTotal")).toEqual(["1.005"]);
    expect(read(invoice, "PaymentDetails")).toEqual([]);
  });
});

describe("taxes", () => {
  const taxes = (...lines: Parameters<typeof linesOf>) => request({ lines: linesOf(...lines) });
  const TAX = "Invoice/TaxesOutputs/Tax";

  test("each group has code, rate, base and tax", () => {
    const invoice = taxes("1x100@21 3x9.99@10");
    expect(read(invoice, `${TAX}/TaxTypeCode`)).toEqual(["01", "01"]);
    expect(read(invoice, `${TAX}/TaxRate`)).toEqual(["21.00", "10.00"]);
    expect(read(invoice, `${TAX}/TaxableBase/TotalAmount`)).toEqual(["100.00", "29.97"]);
    expect(read(invoice, `${TAX}/TaxAmount/TotalAmount`)).toEqual(["21.00", "3.00"]);
  });

  test("the equivalence surcharge has rate and amount, and is part of the taxes", () => {
    const invoice = taxes("1x100@21", { surchargeRate: decimal("5.2") });
    expect(read(invoice, `${TAX}/EquivalenceSurcharge`)).toEqual(["5.20"]);
    expect(read(invoice, `${TAX}/EquivalenceSurchargeAmount/TotalAmount`)).toEqual(["5.20"]);
    expect(read(invoice, "InvoiceTotals/TotalTaxOutputs")).toEqual(["26.20"]);
  });

  test.each([
    ["E1", "01", "Operación exenta"],
    ["S2", undefined, undefined],
    ["N1", "02", "Operación no sujeta"],
    ["N2", "02", "Operación no sujeta"],
  ] as const)("%s has no rate, and its event is %s", (qualification, code, reason) => {
    const invoice = taxes("1x100@0", { qualification });
    expect(read(invoice, `${TAX}/TaxRate`)).toEqual(["0.00"]);
    expect(read(invoice, "SpecialTaxableEventCode")).toEqual(code === undefined ? [] : [code]);
    if (reason !== undefined) expect(read(invoice, "SpecialTaxableEventReason").join()).toContain(reason);
  });

  test("reverse charge and exemption are said once in the law's words", () => {
    const invoice = viewOfSample(sample.untaxed());
    const literals = readView(invoice, "LegalReference");
    expect(literals).toContain("Inversión del sujeto pasivo");
    expect(literals.filter((text) => text.includes("Artículo 20"))).toHaveLength(1);
    expect(new Set(literals).size).toBe(literals.length);
  });

  test("a one-stop-shop sale has the rate of its country and no event", () => {
    const invoice = taxes("1x100@20", { regime: "17", qualification: "N2" });
    expect(read(invoice, `${TAX}/TaxRate`)).toEqual(["20.00"]);
    expect(read(invoice, "SpecialTaxableEvent")).toEqual([]);
  });

  test("the margin scheme shows the price paid and no tax", () => {
    const invoice = viewOfSample(sample.usedGoods());
    expect(readView(invoice, `${TAX}/*/TotalAmount`)).toEqual(["1430.00", "0.00"]);
    expect(readView(invoice, `${TAX}/TaxRate`)).toEqual(["0.00"]);
    expect(readView(invoice, "InvoiceLine/GrossAmount")).toEqual(["1250.00", "180.00"]);
    expect(readView(invoice, "InvoiceTotals/InvoiceTotal")).toEqual(["1430.00"]);
    expect(readView(invoice, "LegalReference").join()).toContain("bienes usados");
  });

  test("travel agencies have a tax code of their own", () => {
    const invoice = viewOfSample(sample.correctedTrip());
    expect(readView(invoice, `${TAX}/TaxTypeCode`).toSorted()).toEqual(["01", "17"]);
  });

  test("another tax is 05", () => {
    expect(read(taxes("1x5@4.5", { tax: "05" }), `${TAX}/TaxTypeCode`)).toEqual(["05"]);
  });

  test("income tax is withheld from the total", () => {
    const invoice = request({ withholdingRate: decimal("15") });
    expect(read(invoice, "TaxesWithheld/Tax/*[1]")).toEqual(["04"]);
    expect(read(invoice, "TaxesWithheld/Tax/*/TotalAmount")).toEqual(["100.00", "15.00"]);
    expect(read(invoice, "InvoiceTotals/TotalTaxesWithheld")).toEqual(["15.00"]);
    expect(read(invoice, "InvoiceTotals/InvoiceTotal")).toEqual(["106.00"]);
  });
});

describe("totals and payment", () => {
  const IBAN = "ES9121000418450200051332";
  const due = (change: Partial<InvoiceRequest>) => request({ dueDate: day("2026-12-27"), ...change });
  const TOTALS = "InvoiceTotals";

  test("disbursements follow the total", () => {
    const invoice = viewOfSample(sample.disbursed());
    expect(readView(invoice, `${TOTALS}/InvoiceTotal`)).toEqual(["1908.00"]);
    expect(readView(invoice, "ReimbursableExpensesAmount")).toEqual(["62.50", "37.50"]);
    expect(readView(invoice, `${TOTALS}/TotalReimbursableExpenses`)).toEqual(["100.00"]);
    expect(readView(invoice, `${TOTALS}/TotalOutstandingAmount`)).toEqual(["1908.00"]);
    expect(readView(invoice, `${TOTALS}/TotalExecutableAmount`)).toEqual(["2008.00"]);
    expect(readView(invoice, "InvoiceAdditionalInformation").join()).toContain("Suplido: Registro Mercantil");
  });

  test("a gift card is a payment on account of the issue date", () => {
    const card = { payments: [{ name: "Tarjeta regalo", amount: decimal("20") }], prepaid: decimal("20") };
    const invoice = { ...viewOf(aRequest("a")), ...card };
    expect(readView(invoice, "PaymentOnAccount/*")).toEqual(["2026-11-27", "20.00"]);
    expect(readView(invoice, `${TOTALS}/TotalPaymentsOnAccount`)).toEqual(["20.00"]);
    expect(readView(invoice, `${TOTALS}/TotalOutstandingAmount`)).toEqual(["101.00"]);
  });

  test("a paid invoice leaves nothing to pay, disbursements included, and asks for no instalment", () => {
    const disbursements = [{ description: "Tasa", amount: decimal("10") }];
    const invoice = due({ disbursements, payment: { means: "card", paidOn: day("2026-11-20") } });
    expect(read(invoice, "PaymentOnAccount/*")).toEqual(["2026-11-20", "131.00"]);
    expect(read(invoice, `${TOTALS}/TotalExecutableAmount`)).toEqual(["0.00"]);
    expect(read(invoice, "PaymentDetails")).toEqual([]);
  });

  test.each([
    ["cash", "01"],
    ["direct_debit", "02"],
    ["transfer", "04"],
    ["cheque", "11"],
    ["other", "13"],
    ["card", "19"],
  ] as const)("%s is means %s", (means, code) => {
    expect(read(due({ payment: { means } }), "Installment/*")).toEqual(["2026-12-27", "121.00", code]);
  });

  test("a transfer credits the account, with a code of eight characters filled up", () => {
    const payment = { means: "transfer", iban: IBAN, bic: "CAIXESBB", reference: "RF18" } as const;
    expect(read(due({ payment }), "AccountToBeCredited/*")).toEqual([IBAN, "CAIXESBBXXX"]);
    expect(read(due({ payment }), "PaymentReconciliationReference")).toEqual(["RF18"]);
    expect(read(due({ payment }), "AccountToBeDebited")).toEqual([]);
  });

  test("a direct debit takes from the debtor's account", () => {
    const payment = { means: "direct_debit", iban: IBAN, mandate: "M-1" } as const;
    expect(read(due({ payment }), "AccountToBeDebited/IBAN")).toEqual([IBAN]);
    expect(read(due({ payment }), "CollectionAdditionalInformation")).toEqual(["Mandato: M-1"]);
  });

  test("without due date and payment nothing is said of instalments", () => {
    expect(read(aRequest("a"), "PaymentDetails")).toEqual([]);
  });

  test("a payment without due date is due on the issue date", () => {
    const payment = { means: "transfer", iban: IBAN } as const;
    expect(read(request({ payment }), "InstallmentDueDate")).toEqual(["2026-11-27"]);
  });

  test("nothing is asked for by a refund", () => {
    const steps = [aRequest("a"), correcting(aRequest("b", BACK), ["a"], { dueDate: day("2026-12-27") })];
    expect(readSteps(steps, "PaymentDetails")).toEqual([]);
  });
});

describe("lines", () => {
  const line = (change: object) => request({ lines: [{ ...aLine("3", "9.99", "21"), ...change }] });

  test("description, quantity, unit, price and net", () => {
    const invoice = line({ unit: "KGM", itemCode: "SKU-1" });
    const parts = [
      "ItemDescription",
      "Quantity",
      "UnitOfMeasure",
      "UnitPriceWithoutTax",
      "TotalCost",
      "GrossAmount",
    ];
    const found = [...parts, "ArticleCode"].flatMap((part) => read(invoice, `InvoiceLine/${part}`));
    expect(found.slice(1)).toEqual(["3", "03", "9.99", "29.97", "29.97", "SKU-1"]);
  });

  test("without a unit it counts pieces; a unit that Facturae lacks is other", () => {
    expect(read(line({}), "UnitOfMeasure")).toEqual(["01"]);
    expect(read(line({ unit: "TNE" }), "UnitOfMeasure")).toEqual(["05"]);
  });

  test("a discount has its rate and the whole difference", () => {
    const invoice = line({ discountRate: decimal("12.5") });
    expect(read(invoice, "TotalCost")).toEqual(["29.97"]);
    expect(read(invoice, "Discount/*")).toEqual(["Descuento", "12.50", "3.75"]);
    expect(read(invoice, "InvoiceLine/GrossAmount")).toEqual(["26.22"]);
  });

  test("a code over 20 characters is additional information of its line", () => {
    const itemCode = "SKU-000000000000000000001";
    expect(read(line({ itemCode }), "ArticleCode")).toEqual([]);
    expect(read(line({ itemCode }), "AdditionalLineItemInformation")).toEqual([
      `Código de artículo: ${itemCode}`,
    ]);
  });

  test("a price of many decimals is written with eight", () => {
    const invoice = request({ lines: [aLine("1000", "0.123456789", "21")] });
    expect(read(invoice, "UnitPriceWithoutTax")).toEqual(["0.12345679"]);
  });

  test("prices with tax become nets that add up to the base", () => {
    const invoice = request({ pricesIncludeTax: true, lines: linesOf("1x9.99@21 1x9.99@21 1x9.99@21") });
    const nets = read(invoice, "InvoiceLine/GrossAmount").map(Number);
    const [base] = read(invoice, "Invoice/TaxesOutputs/Tax/TaxableBase/TotalAmount");
    expect(nets.reduce((total, net) => total + net, 0).toFixed(2)).toBe(base);
  });

  test("a line that takes back has a negative quantity and a positive price", () => {
    const invoice = request({ lines: linesOf("2x100@21 1x-10@21") });
    expect(read(invoice, "Quantity")).toEqual(["2", "-1"]);
    expect(read(invoice, "UnitPriceWithoutTax")).toEqual(["100.00", "10.00"]);
  });
});

describe("the file", () => {
  test("is canonical: declarations in order on the root alone, no white space, no self-closed tag", () => {
    const xml = facturaeXml(viewOf(aRequest("a")));
    expect(xml).toMatch(/^<fe:Facturae xmlns:ds="[^"]+" xmlns:fe="[^"]+" xmlns:xades="[^"]+"><FileHeader>/);
    expect(xml.match(/xmlns/g)).toHaveLength(3);
    expect(xml).not.toMatch(/\/>|>\s+</);
  });

  test("has the PDF in base64 when it is asked for", () => {
    const xml = facturaeXml(viewOf(aRequest("a")), { pdf: "JVBERi0=" });
    expect(textsAt(xml, "Attachment/*")).toEqual(["NONE", "pdf", "BASE64", "Factura", "JVBERi0="]);
    expectValid(xml);
  });

  test("carries markup, accents, an emoji and a carriage return as they were said", () => {
    const description = "Pérez & Hijos <SL> «Ñandú» 🏺\r\nfin";
    const invoice = { ...viewOf(aRequest("a")), description };
    expect(readView(invoice, "InvoiceDescription")).toEqual([description]);
  });

  test("drops a character that XML cannot have", () => {
    const invoice = { ...viewOf(aRequest("a")), description: "a\u0001b\uFFFEc" };
    expect(readView(invoice, "InvoiceDescription")).toEqual(["abc"]);
  });

  test("is the same at every request", () => {
    const view = issued(aRequest("a", DOLLARS));
    expect(facturaeXml(electronicInvoiceOf(view))).toBe(facturaeXml(electronicInvoiceOf(view)));
  });
});

function request(change: Partial<InvoiceRequest>): InvoiceRequest {
  return aRequest("a", change);
}

function viewOf(...steps: InvoiceRequest[]): ElectronicInvoice {
  return viewOfSample(issued(steps));
}

/** Only what Facturae can say is written. */
function viewOfSample(view: InvoiceView): ElectronicInvoice {
  const invoice = electronicInvoiceOf(view);
  expect(formatRefusals(invoice, "facturae")).toEqual([]);
  return invoice;
}

function read(step: InvoiceRequest, path: string): string[] {
  return readSteps([step], path);
}

function readSteps(steps: InvoiceRequest[], path: string): string[] {
  return readView(viewOf(...steps), path);
}

function readView(invoice: ElectronicInvoice, path: string): string[] {
  const xml = facturaeXml(invoice);
  expectValid(xml);
  return textsAt(xml, path);
}

function expectValid(xml: string): void {
  if (rulesFolder !== undefined) expect(facturaeErrors(xml)).toEqual([]);
}
