/** Invoices and annulments of every kind that a request can ask for, as steps of books that begin empty. */
import type { InvoiceRequest, RequestLine } from "../../../src/domain/invoice/request.ts";
import type { IssuingSettings } from "../../../src/domain/invoice/settings.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import type { Instruction } from "../../../src/ledger/issue/instruction.ts";
import { cancelling } from "./direct-invoicing.ts";
import { aCancellation, aChain, aRegistration } from "./records.ts";
import * as request from "./requests.ts";

const { A_RECIPIENT, AN_EU_RECIPIENT, aRequest, aTicket, correcting, elsewhere, linesOf } = request;

export const ISSUER = { issuerName: "Comercial del Norte SL", issuerNif: "B58378431" };
const BACK = { lines: linesOf("-1x40@21") };
const EXEMPT = (qualification: RequestLine["qualification"], regime?: string) =>
  linesOf("1x100@0", { ...(qualification && { qualification }), ...(regime && { regime }) });

const ofMargin = (text: string, regime: string) => {
  const taxableMargin = decimal(text.startsWith("-") ? "-5" : "10");
  return linesOf(text, { regime, taxableMargin });
};

const MAINLAND: readonly (InvoiceRequest | Instruction)[] = [
  aRequest("f1", { lines: linesOf("1x100@21 3x9.99@10 2x0.05@4 1x1000@0") }),
  aRequest("f1person", { recipient: { company: "María Pérez", vatNumber: "12345678Z", country: "ES" } }),
  aRequest("f1eu", { recipient: AN_EU_RECIPIENT }),
  aRequest("f1gr", { recipient: { ...AN_EU_RECIPIENT, vatNumber: "123456789", country: "GR" } }),
  ...(["03", "04", "05", "06"] as const).map((idType) =>
    aRequest(`f1-${idType}`, {
      recipient: { company: "Acme & Co", vatNumber: "98-7654321", country: "US", idType },
    }),
  ),
  correcting(aRequest("r4period", BACK), [], {
    invoiceType: "R4",
    rectifiedPeriod: { from: civilDate("2026-01-01"), to: civilDate("2026-06-30") },
  }),
  aRequest("f1operation", { operationDate: civilDate("2026-10-31") }),
  aRequest("f1surcharge", { lines: linesOf("1x100@21", { surchargeRate: decimal("5.2") }) }),
  aRequest("f1tobacco", { lines: linesOf("1x100@21", { surchargeRate: decimal("1.75") }) }),
  aRequest("f1usd", {
    currency: "USD",
    exchangeRate: decimal("1.0852"),
    exchangeRateDate: civilDate("2026-11-26"),
  }),
  aRequest("f1withholding", { withholdingRate: decimal("15") }),
  aRequest("f1gross", { pricesIncludeTax: true }),
  aRequest("f1macro", { lines: linesOf("1x150000000@21") }),
  aRequest("f1max", { lines: linesOf("1x999999999999.99@0") }),
  aRequest("f1text", { description: `<b>"Ñandú" & 'Cía' = 1 €</b>` }),
  ...["07", "11", "15", "18"].map((regime) =>
    aRequest(`f1reg${regime}`, { lines: linesOf("1x100@21", { regime }) }),
  ),
  ...["03", "05"].flatMap((regime) => [
    aRequest(`f1reg${regime}`, { pricesIncludeTax: true, lines: ofMargin("1x100@21", regime) }),
    aRequest(`f1reg${regime}mixed`, {
      pricesIncludeTax: true,
      lines: [...ofMargin("1x100@21", regime), ...linesOf("1x50@10")],
    }),
  ]),
  correcting(aRequest("r1margin", { pricesIncludeTax: true, lines: ofMargin("-1x50@21", "03") }), [
    "f1reg03",
  ]),
  aRequest("f1disbursed", { disbursements: [{ description: "Tasa", amount: decimal("100") }] }),
  aRequest("f1work", {
    lines: linesOf("1x100@21", { regime: "14" }),
    recipient: { ...A_RECIPIENT, vatNumber: "P2807900B" },
    operationDate: civilDate("2027-03-01"),
  }),
  aRequest("f1fees", { lines: linesOf("1x100@0", { regime: "10", qualification: "N1" }) }),
  aRequest("f1n208", { lines: linesOf("1x100@0", { regime: "08", qualification: "N2" }) }),
  aRequest("f1e1", { lines: EXEMPT("E1") }),
  aRequest("f1e5", { lines: EXEMPT("E5"), recipient: AN_EU_RECIPIENT }),
  aRequest("f1e2", { lines: EXEMPT("E2", "02") }),
  aRequest("f1s2", { lines: linesOf("1x100@0", { qualification: "S2" }) }),
  aRequest("f1n2", { lines: linesOf("1x100@0", { qualification: "N2" }) }),
  aRequest("f1oss", { lines: linesOf("1x100@20", { regime: "17", qualification: "N2" }) }),
  aRequest("f105", { lines: [...linesOf("1x100@21"), ...linesOf("1x5@4.5", { tax: "05" })] }),
  request.aQualified("f1q"),
  aTicket("f2"),
  aTicket("f2b"),
  request.anUnnamed("f2d"),
  aRequest("f3", {
    invoiceType: "F3",
    lines: linesOf("2x100@21"),
    rectifies: [{ externalId: "f2" }, { externalId: "f2b" }],
  }),
  ...(["R1", "R2", "R3", "R4"] as const).flatMap((invoiceType) => [
    aRequest(`d${invoiceType}`),
    correcting(aRequest(`${invoiceType}I`, BACK), [`d${invoiceType}`], { invoiceType }),
    aRequest(`s${invoiceType}`),
    correcting(aRequest(`${invoiceType}S`), [`s${invoiceType}`], {
      invoiceType,
      rectificationMethod: "substitution",
    }),
  ]),
  correcting(aRequest("r1x", BACK), [], { rectifies: [elsewhere()] }),
  aTicket("t3"),
  correcting(aTicket("r5", BACK), ["t3"]),
  correcting(request.anUnnamed("r5d", BACK), ["f2d"]),
  cancelling("f1eu"),
  cancelling("r5"),
  aRequest("last"),
];

const CANARIES = [
  aRequest("c1", { lines: linesOf("1x100@0 1x100@3 1x100@7 1x100@9.5 1x100@15 1x100@20") }),
  aRequest("c2", { lines: EXEMPT("E8") }),
  aRequest("c3", { lines: linesOf("1x1@7", { regime: "17" }) }),
  aRequest("c4", { lines: linesOf("1x100@0", { regime: "20", qualification: "N2" }) }),
  aTicket("c5", { lines: linesOf("1x100@7") }),
];

const CEUTA = [
  aRequest("m1", { lines: linesOf("1x100@0.5 1x100@1 1x100@4 1x100@10") }),
  aRequest("m2", { lines: EXEMPT("E1") }),
  aRequest("m3", { lines: linesOf("1x100@0", { qualification: "N2" }) }),
];

/** Each territory with the settings of its issuer. */
export const EVERY_KIND: readonly (readonly [
  territory: string,
  settings: Partial<IssuingSettings>,
  steps: readonly (InvoiceRequest | Instruction)[],
])[] = [
  ["mainland", {}, MAINLAND],
  ["Canary Islands", { territory: "canarias", timeZone: "Atlantic/Canary" }, CANARIES],
  ["Ceuta", { territory: "ceuta_melilla", multipleIssuers: true }, CEUTA],
];

/** One invoice through every correction of its records; two of them contradict the AEAT's state by then. */
export const EVERY_CORRECTION = aChain([
  aRegistration(),
  aRegistration({ reference: "a", amendment: { previousRejection: "N" } }),
  aRegistration({ reference: "b", amendment: { previousRejection: "S" } }),
  aCancellation({ reference: "c" }),
  aCancellation({ reference: "d", previousRejection: true }),
  aRegistration({ reference: "e", amendment: { previousRejection: "X" } }),
  aCancellation({ reference: "f", withoutPreviousRecord: true }),
]);
