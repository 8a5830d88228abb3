/** Due date, references, payment and centres, as page and PDF print them in both languages. */
import { describe, expect, test } from "vitest";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { presentInvoice } from "../../../src/viewer/presentation/invoice-presentation.ts";
import type { Language } from "../../../src/words/words.ts";
import { issued } from "../../support/builders/direct-invoicing.ts";
import { A_RECIPIENT, aRequest, aTicket } from "../../support/builders/requests.ts";

const IBAN = "ES9121000418450200051332";

function presented(request: InvoiceRequest, language: Language = "es") {
  return presentInvoice(issued(request), { language });
}

const detailsOf = (request: InvoiceRequest, language?: Language) =>
  presented(request, language)
    .details.slice(1)
    .map(({ label, value }) => `${label}: ${value}`);

test.each<[Language, readonly string[]]>([
  [
    "es",
    [
      "Vencimiento: 27/12/2026",
      "Periodo facturado: 01/11/2026\u00a0a 30/11/2026",
      "Fecha de entrega: 20/11/2026",
      "Lugar de entrega: Rua Augusta 12, 1100-053 Lisboa, Portugal",
      "Su referencia: B-1",
      "Su pedido: O-1",
      "Contrato: C-1",
      "Expediente: F-1",
    ],
  ],
  [
    "en",
    [
      "Due date: 27 Dec 2026",
      "Invoicing period: 1\u00a0Nov\u00a02026\u00a0to 30\u00a0Nov\u00a02026",
      "Delivery date: 20 Nov 2026",
      "Place of delivery: Rua Augusta 12, 1100-053 Lisboa, Portugal",
      "Your reference: B-1",
      "Your order: O-1",
      "Contract: C-1",
      "File: F-1",
    ],
  ],
])("due date, period, delivery and references stand under the dates: %s", (language, details) => {
  const request = aRequest("e", {
    dueDate: civilDate("2026-12-27"),
    invoicingPeriod: { start: civilDate("2026-11-01"), end: civilDate("2026-11-30") },
    delivery: {
      ...{ date: civilDate("2026-11-20"), country: "PT", address1: "Rua Augusta 12" },
      ...{ postcode: "1100-053", city: "Lisboa" },
    },
    ...{ buyerReference: "B-1", orderReference: "O-1", contractReference: "C-1", fileReference: "F-1" },
  });
  expect(detailsOf(request, language)).toEqual(details);
});

test.each([
  [{ country: "ES" }, []],
  [{ country: "FR" }, ["Lugar de entrega: Francia"]],
  [{ city: "Lugo", country: "ES" }, ["Lugar de entrega: Lugo"]],
])("of a delivery %j is printed %j", (delivery, details) => {
  expect(detailsOf(aRequest("e", { delivery }))).toEqual(details);
});

describe("the payment", () => {
  test.each<[NonNullable<InvoiceRequest["payment"]>, string, string]>([
    [
      { means: "transfer", iban: IBAN },
      "Forma de pago: transferencia a ES91\u00a02100\u00a00418\u00a04502\u00a00005\u00a01332.",
      "Payment: transfer to ES91\u00a02100\u00a00418\u00a04502\u00a00005\u00a01332.",
    ],
    [
      { means: "transfer", iban: IBAN, bic: "CAIXESBB", reference: "RF18" },
      "Forma de pago: transferencia a ES91\u00a02100\u00a00418\u00a04502\u00a00005\u00a01332 (BIC CAIXESBB). Referencia del pago: RF18.",
      "Payment: transfer to ES91\u00a02100\u00a00418\u00a04502\u00a00005\u00a01332 (BIC CAIXESBB). Payment reference: RF18.",
    ],
    [
      { means: "direct_debit", iban: IBAN, mandate: "M-7" },
      "Forma de pago: adeudo domiciliado en la cuenta terminada en 1332, mandato M-7.",
      "Payment: direct debit from the account ending in 1332, mandate M-7.",
    ],
    [
      { means: "direct_debit", mandate: "M-7" },
      "Forma de pago: adeudo domiciliado, mandato M-7.",
      "Payment: direct debit, mandate M-7.",
    ],
    [{ means: "card" }, "Forma de pago: tarjeta.", "Payment: card."],
    [{ means: "cash" }, "Forma de pago: efectivo.", "Payment: cash."],
    [{ means: "cheque" }, "Forma de pago: cheque.", "Payment: cheque."],
    [{ means: "other" }, "Forma de pago: otro medio.", "Payment: other means."],
    [{ reference: "RF18" }, "Referencia del pago: RF18.", "Payment reference: RF18."],
    [{ paidOn: civilDate("2026-11-27") }, "Pagada el 27/11/2026.", "Paid on 27 Nov 2026."],
    [
      { paidOn: civilDate("2026-11-27"), means: "card" },
      "Pagada el 27/11/2026: tarjeta.",
      "Paid on 27 Nov 2026: card.",
    ],
  ])("%j", (payment, spanish, english) => {
    const notes = (language: Language) =>
      presented(aRequest("e", { payment }), language).notes.map((words) => [words.text, words.language]);
    expect(notes("es")).toEqual([[spanish, "es"]]);
    expect(notes("en")).toEqual([[english, "en"]]);
  });

  test("marks that turn text around are left out of what others wrote", () => {
    const payment = { reference: "RF\u202e18" };
    expect(presented(aRequest("e", { payment })).notes[0]?.text).toBe("Referencia del pago: RF18.");
    expect(detailsOf(aRequest("e", { orderReference: "O\u202e-1" }))).toEqual(["Su pedido: O-1"]);
  });
});

test("the centres of a public body stand below its address", () => {
  const administrativeCentres = [
    { role: "accounting_office", code: "L01280796" },
    { role: "managing_body", code: "L01280797" },
    { role: "processing_unit", code: "L01280798" },
    { role: "proposing_body", code: "L01280799" },
  ] as const;
  const request = aRequest("e", { recipient: { ...A_RECIPIENT, administrativeCentres } });
  expect(presented(request).recipient?.party.details.slice(-4)).toEqual([
    "Oficina contable: L01280796",
    "Órgano gestor: L01280797",
    "Unidad tramitadora: L01280798",
    "Órgano proponente: L01280799",
  ]);
  expect(presented(request, "en").recipient?.party.details.at(-1)).toBe(
    "Órgano proponente (proposing body): L01280799",
  );
});

test("an e-mail is where the invoice goes, and is not printed", () => {
  const email = "ana@example.com";
  expect(presented(aTicket("e", { recipient: { email } })).recipient).toBeUndefined();
  const request = aRequest("f", { recipient: { ...A_RECIPIENT, email } });
  expect(JSON.stringify(presented(request))).not.toContain(email);
});
