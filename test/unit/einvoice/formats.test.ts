/** Which formats can say an invoice: one row for each reason against each format, and its sisters that pass. */
import { describe, expect, test } from "vitest";
import {
  FORMAT_REASONS,
  type Format,
  formatRefusals,
  formatsOf,
} from "../../../src/domain/einvoice/formats.ts";
import { electronicInvoiceOf } from "../../../src/domain/einvoice/view.ts";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { cancelling, issued } from "../../support/builders/direct-invoicing.ts";
import { withDocument } from "../../support/builders/issued-samples.ts";
import {
  A_RECIPIENT,
  anUnnamed,
  aQualified,
  aRequest,
  aTicket,
  correcting,
  elsewhere,
  linesOf,
} from "../../support/builders/requests.ts";

/** As `ubl / ubl_peppol / facturae`, each with its reasons; a dash for none. */
function refusals(view: InvoiceView): string {
  const invoice = electronicInvoiceOf(view);
  return (["ubl", "ubl_peppol", "facturae"] as const)
    .map((format) => formatRefusals(invoice, format).join(" ") || "-")
    .join(" / ");
}

/** What Peppol asks for, so that nothing else is in the way. */
const NAMED = { buyerReference: "REF" } as const;
const of = (change: Partial<InvoiceRequest> = {}) => issued(aRequest("f", { ...NAMED, ...change }));
const coin = (currency: string, rate: string, lines: string) => ({
  currency,
  exchangeRate: decimal(rate),
  exchangeRateDate: civilDate("2026-11-26"),
  lines: linesOf(lines),
});
const sale = aRequest("sale", NAMED);
const abroad = { company: "Acme", country: "US", vatNumber: "98-7654321", idType: "04" } as const;

const CASES: readonly (readonly [name: string, view: InvoiceView, expected: string])[] = [
  ["a plain invoice", of(), "- / - / -"],
  ["a qualified simplified one", issued(aQualified("q", NAMED)), "- / - / -"],
  [
    "a simplified invoice",
    issued(aTicket("t")),
    "simplified buyer_name_missing buyer_country_missing / simplified buyer_name_missing " +
      "buyer_country_missing buyer_endpoint_missing buyer_reference_missing / simplified buyer_name_missing " +
      "buyer_country_missing buyer_identifier_missing buyer_address_missing",
  ],
  [
    "its rectification",
    issued([
      aTicket("t", { recipient: { company: "Ana Ruiz", country: "ES" } }),
      correcting(aTicket("r", { lines: linesOf("-1x40@21"), recipient: { company: "Ana", country: "ES" } }), [
        "t",
      ]),
    ]),
    "simplified / simplified buyer_endpoint_missing buyer_reference_missing / simplified " +
      "buyer_identifier_missing buyer_address_missing",
  ],
  [
    "a cancelled invoice",
    issued([aRequest("never", NAMED), cancelling("never")]),
    "cancelled / cancelled / cancelled",
  ],
  ["withholding", of({ withholdingRate: decimal("15") }), "withholding / withholding / -"],
  [
    "disbursements",
    of({ disbursements: [{ description: "Tasa", amount: decimal("10") }] }),
    "disbursements / disbursements / -",
  ],
  [
    "not subject beside another category",
    of({ lines: [...linesOf("1x10@21"), ...linesOf("1x10@0", { qualification: "N1" })] }),
    "not_subject_mixed / not_subject_mixed / -",
  ],
  [
    "not subject alone, twice",
    of({
      lines: [
        ...linesOf("1x10@0", { qualification: "N2" }),
        ...linesOf("1x10@0", { qualification: "N1", regime: "10" }),
      ],
    }),
    "- / - / -",
  ],
  ["tax that is 0.99 away", withTax(of(), "21.99"), "- / - / -"],
  ["tax that is 1.00 away", withTax(of(), "22"), "tax_beyond_tolerance / tax_beyond_tolerance / -"],
  ["tax that is 1.00 short", withTax(of(), "20"), "tax_beyond_tolerance / tax_beyond_tolerance / -"],
  [
    "a substitution",
    issued([sale, correcting(aRequest("s", NAMED), ["sale"], { rectificationMethod: "substitution" })]),
    "- / substitution / -",
  ],
  ["a difference", issued([sale, correcting(aRequest("d", NAMED), ["sale"])]), "- / - / -"],
  [
    "a substitution below zero",
    negativeSubstitution(),
    "negative_substitution / substitution negative_substitution / -",
  ],
  ["another tax", of({ lines: linesOf("1x5@4.5", { tax: "05" }) }), "other_tax / other_tax / -"],
  [
    "dinars with a third decimal",
    of(coin("KWD", "0.33", "1x1.001@0")),
    "currency_decimals / currency_decimals / -",
  ],
  [
    "dinars whose lines alone have a third decimal",
    of(coin("KWD", "0.33", "1x1.001@0 1x1.009@0")),
    "currency_decimals / currency_decimals / -",
  ],
  ["dinars without one", of(coin("KWD", "0.33", "1x1.01@0")), "- / - / -"],
  [
    "a currency that EN 16931 lacks",
    of(coin("STN", "24.5", "1x10@21")),
    "code_not_listed / code_not_listed / code_not_listed",
  ],
  ["a currency that Facturae lacks", of(coin("AED", "4.01", "1x10@21")), "- / - / code_not_listed"],
  [
    "a country that Facturae lacks",
    of({ recipient: { ...abroad, country: "CW", address1: "Punda 1", city: "Willemstad" } }),
    "- / buyer_endpoint_missing / code_not_listed",
  ],
  [
    "article 6.1.d without a name",
    issued(anUnnamed("u", NAMED)),
    "buyer_name_missing buyer_country_missing / buyer_name_missing buyer_country_missing " +
      "buyer_endpoint_missing / buyer_name_missing buyer_country_missing buyer_identifier_missing " +
      "buyer_address_missing",
  ],
  [
    "article 6.1.d with a name alone",
    issued(anUnnamed("u", { ...NAMED, recipient: { company: "Ana Ruiz" } })),
    "buyer_country_missing / buyer_country_missing buyer_endpoint_missing / buyer_country_missing " +
      "buyer_identifier_missing buyer_address_missing",
  ],
  [
    "a person without an address",
    of({ recipient: { company: "María Pérez", vatNumber: "12345678Z", country: "ES" } }),
    "- / - / buyer_address_missing",
  ],
  [
    "a Spanish address without a postcode of five digits",
    of({ recipient: { ...A_RECIPIENT, vatNumber: "12345678Z", company: "María Pérez", postcode: "2801" } }),
    "- / - / buyer_address_missing",
  ],
  [
    "a person of one name",
    of({ recipient: { ...A_RECIPIENT, vatNumber: "12345678Z", company: "Madonna" } }),
    "- / - / person_name_incomplete",
  ],
  [
    "a person of one name whose parts are stated",
    of({
      recipient: {
        ...A_RECIPIENT,
        vatNumber: "12345678Z",
        company: "Ana",
        firstName: "Ana",
        surname1: "Ruiz",
      },
    }),
    "- / - / -",
  ],
  [
    "a person of one name who is not in the census",
    of({ recipient: { ...A_RECIPIENT, vatNumber: "12345678Z", idType: "07", company: "Madonna" } }),
    "- / buyer_endpoint_missing / person_name_incomplete",
  ],
  [
    "a person of two names who is not in the census",
    of({ recipient: { ...A_RECIPIENT, vatNumber: "12345678Z", idType: "07", company: "Ana Ruiz" } }),
    "- / buyer_endpoint_missing / -",
  ],
  [
    "a foreign identifier of two characters",
    of({ recipient: { ...abroad, vatNumber: "A1", address1: "1 Main", city: "Reno" } }),
    "- / buyer_endpoint_missing / buyer_identifier_missing",
  ],
  [
    "a foreign identifier of three characters",
    of({ recipient: { ...abroad, vatNumber: "A12", address1: "1 Main", city: "Reno" } }),
    "- / buyer_endpoint_missing / -",
  ],
  ["a number of 41 characters", numbered(of(), 41), "- / - / number_too_long"],
  ["a number of 40 characters", numbered(of(), 40), "- / - / -"],
  [
    "a foreign buyer without an endpoint",
    of({ recipient: { ...abroad, address1: "1 Main St", city: "Reno" } }),
    "- / buyer_endpoint_missing / -",
  ],
  [
    "a foreign buyer with one",
    of({
      recipient: {
        ...{ ...abroad, address1: "1 Main St", city: "Reno" },
        endpoint: { scheme: "0088", id: "1234567890128" },
      },
    }),
    "- / - / -",
  ],
  [
    "a foreign buyer whose endpoint is an e-mail, which Peppol does not reach",
    of({
      recipient: {
        ...{ ...abroad, address1: "1 Main St", city: "Reno" },
        endpoint: { scheme: "EM", id: "ap@acme.example" },
      },
    }),
    "- / buyer_endpoint_missing / -",
  ],
  ["no reference of the buyer", issued(aRequest("f")), "- / buyer_reference_missing / -"],
  ["an order's reference instead", issued(aRequest("f", { orderReference: "P-1" })), "- / - / -"],
];

test.each(CASES)("%s", (_, view, expected) => {
  expect(refusals(view)).toBe(expected);
});

test("every reason has a case", () => {
  const met = new Set(CASES.flatMap(([, , expected]) => expected.split(/ \/ | /)));
  expect(FORMAT_REASONS.filter((code) => !met.has(code))).toEqual([]);
});

describe("the formats of an invoice", () => {
  const offered = (view: InvoiceView, format: Format) =>
    formatsOf(electronicInvoiceOf(view)).find((offer) => offer.format === format);

  test("are told in one order, the PDF first and always", () => {
    const formats = formatsOf(electronicInvoiceOf(issued(aTicket("t"))));
    expect(formats.map(({ format, available }) => [format, available])).toEqual([
      ["pdf", true],
      ["ubl", false],
      ["ubl_peppol", false],
      ["facturae", false],
    ]);
  });

  test("have every reason against them, and none where they are there", () => {
    const view = of({ withholdingRate: decimal("15"), lines: linesOf("1x5@4.5", { tax: "05" }) });
    expect(offered(view, "ubl")?.reasons).toEqual(["withholding", "other_tax"]);
    expect(offered(view, "facturae")).toEqual({ format: "facturae", available: true, reasons: [] });
  });
});

/** The only group with another tax, as orders of many lines may have it. */
function withTax(view: InvoiceView, tax: string): InvoiceView {
  const groups = view.document.groups.map((group) => ({
    ...group,
    amounts: { ...group.amounts, tax: decimal(tax) },
  }));
  return withDocument(view, { groups });
}

function numbered(view: InvoiceView, length: number): InvoiceView {
  return { ...view, fullNumber: view.fullNumber.padStart(length, "A") };
}

/** What is replaced may be below zero, and then so may be what replaces it. */
function negativeSubstitution(): InvoiceView {
  const refund = { invoiceType: "R1", base: decimal("-40"), tax: decimal("-8.4") } as const;
  return issued(
    correcting(aRequest("instead", { ...NAMED, lines: linesOf("-1x30@21") }), [], {
      rectificationMethod: "substitution",
      rectifies: [elsewhere(refund)],
    }),
  );
}
