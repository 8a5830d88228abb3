/** Requests of the tests, without any runtime: valid as they are, changed on request. */
import { type PreparedInvoice, prepareInvoice } from "../../../src/domain/invoice/prepare.ts";
import type { InvoiceRequest, RequestLine } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";

/** Valid NIFs, one per account: DNI letters computed, so that no two tests need the same. */
export function aNif(ordinal: number): string {
  const digits = String(10_000_000 + ordinal);
  return digits + "TRWAGMYFPDXBNJZSQVHLCKE".charAt(Number(digits) % 23);
}

export const A_RECIPIENT = {
  company: "Cliente Ejemplo SL",
  vatNumber: "B12345674",
  country: "ES",
  address1: "Gran Vía 1",
  postcode: "28013",
  city: "Madrid",
} as const;

export const AN_EU_RECIPIENT = { ...A_RECIPIENT, vatNumber: "BE0477472701", country: "BE" } as const;

/** An F1 of 1 x 100.00 at 21 % to a Spanish company, changed as asked. */
export function aRequest(externalId: string, change: Partial<InvoiceRequest> = {}): InvoiceRequest {
  return {
    externalId,
    invoiceType: "F1",
    regime: "art6_full",
    flags: [],
    description: "Servicios de consultoría",
    currency: "EUR",
    pricesIncludeTax: false,
    recipient: A_RECIPIENT,
    lines: [aLine("1", "100", "21")],
    rectifies: [],
    ...change,
  };
}

/** The same as a simplified invoice without a recipient. */
export function aTicket(externalId: string, change: Partial<InvoiceRequest> = {}): InvoiceRequest {
  const { recipient: _, ...request } = aRequest(externalId, { invoiceType: "F2", regime: "art7_simplified" });
  return { ...request, ...change };
}

/** A complete invoice without recipient, article 6.1.d. */
export function anUnnamed(externalId: string, change: Partial<InvoiceRequest> = {}): InvoiceRequest {
  return aTicket(externalId, { regime: "art6_full", flags: ["no_recipient_article_6_1_d"], ...change });
}

/** An F1 as qualified simplified invoice, article 7.2 and 7.3. */
export function aQualified(externalId: string, change: Partial<InvoiceRequest> = {}): InvoiceRequest {
  const flags = ["qualified_simplified_art_7_2_3"] as const;
  return aRequest(externalId, { regime: "art7_simplified", flags, ...change });
}

/** Makes a request the rectification by difference of the invoices named. */
export function correcting(
  request: InvoiceRequest,
  externalIds: readonly string[],
  change: Partial<InvoiceRequest> = {},
): InvoiceRequest {
  const invoiceType = request.invoiceType === "F2" ? "R5" : "R1";
  const rectifies = externalIds.map((externalId) => ({ externalId }));
  return { ...request, invoiceType, rectificationMethod: "difference", rectifies, ...change };
}

/** A full invoice of 100.00 / 21.00 that another system issued. */
export function elsewhere(change: Partial<ReturnType<typeof external>> = {}) {
  return { ...external(), ...change };
}

function external() {
  return {
    number: "VIEJA/7",
    issueDate: civilDate("2025-03-01"),
    invoiceType: "F1" as InvoiceRequest["invoiceType"],
    base: decimal("100"),
    tax: decimal("21"),
    surcharge: decimal("0"),
  };
}

export function aLine(quantity: string, priceUnit: string, taxRate: string): RequestLine {
  return {
    description: "Artículo",
    quantity: decimal(quantity),
    priceUnit: decimal(priceUnit),
    taxRate: decimal(taxRate),
    qualification: "S1",
  };
}

/** `linesOf("2x49.95@21 1x-4.13@10")`: quantity, price, rate; every line changed as asked. */
export function linesOf(text: string, change: Partial<RequestLine> = {}): RequestLine[] {
  return text.split(" ").map((each) => {
    const [, quantity = "", price = "", rate = ""] = /^(.+)x(.+)@(.+)$/.exec(each) ?? [];
    return { ...aLine(quantity, price, rate), ...change };
  });
}

export function anInvoice(externalId: string, change: Partial<InvoiceRequest> = {}): PreparedInvoice {
  return prepareInvoice(aRequest(externalId, change));
}
