/** Rebates of a period (article 15.4 RD 1619/2012): no invoice is cited, and the period's last day counts. */
import { describe, expect, test } from "vitest";
import { invoiceLines } from "../../../src/domain/export/invoice-csv.ts";
import type { InvoiceRequest, RectifiedPeriod } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { submissionXml } from "../../../src/domain/verifactu/xml/message-xml.ts";
import { presentInvoice } from "../../../src/viewer/presentation/invoice-presentation.ts";
import { aSandbox } from "../../support/authority/authority.ts";
import {
  altaOf,
  cancelling,
  issueAll,
  issued,
  outcomeOf,
  refusalOf,
  totalsIn,
} from "../../support/builders/direct-invoicing.ts";
import { exportedOf } from "../../support/builders/issued-samples.ts";
import { aQualified, aRequest, correcting, linesOf } from "../../support/builders/requests.ts";
import { sentenceOf } from "../../support/rules/readable.ts";

const HALF_YEAR = period("2026-01-01", "2026-06-30");
const REBATE = rebate({});

describe.each(["R1", "R4"] as const)("%s of a period", (invoiceType) => {
  test("is a record without FacturasRectificadas, of the period's last day", () => {
    const view = issued(rebate({ invoiceType }));
    expect(totalsIn(view)).toBe("-500.00 / -105.00 / -605.00");
    expect(altaOf(view)).toMatchObject({
      ...{ invoiceType, rectificationMethod: "I", operationDate: "30-06-2026" },
      ...{ taxTotal: "-105.00", total: "-605.00", key: { number: "API-1R-2026-000001" } },
    });
    expect(altaOf(view)).not.toHaveProperty("rectified");
    expect(view.document.cited).toEqual([]);
  });
});

test("the authority takes it", async () => {
  const { records } = issueAll([REBATE, rebate({ externalId: "r2", invoiceType: "R1" })]);
  const issuer = { issuerName: "Comercial del Norte SL", issuerNif: "B58378431" };
  const xml = submissionXml({ ...issuer, incident: false, records });
  expect(xml).not.toContain("FacturasRectificadas");
  const { lines } = await aSandbox().send(xml);
  expect(lines.map(({ state }) => state)).toEqual(["Correcto", "Correcto"]);
});

test.each<[string, Partial<InvoiceRequest>, object]>([
  [
    "a period that ends before it begins",
    { rectifiedPeriod: period("2026-07-01", "2026-06-30") },
    { code: "rectified_period_invalid", path: "rectified_period.from" },
  ],
  [
    "a period together with an invoice",
    { rectifies: [{ externalId: "e1" }] },
    { code: "rectified_period_invalid", path: "rectified_period" },
  ],
  [
    "a period that is not over",
    { rectifiedPeriod: period("2026-01-01", "2026-11-28") },
    { code: "rectified_period_invalid", path: "rectified_period.to" },
  ],
  [
    "another operation date",
    { operationDate: civilDate("2026-06-29") },
    { code: "rectified_period_invalid", path: "operation_date" },
  ],
  [
    "a period of long ago",
    { rectifiedPeriod: period("2006-01-01", "2006-06-30") },
    { code: "operation_date_not_allowed", path: "rectified_period.to" },
  ],
  [
    "more that is due",
    { lines: linesOf("1x500@21") },
    { code: "rectified_period_not_negative", path: "rectified_period" },
  ],
  [
    "nothing that is due",
    { lines: linesOf("-1x500@21 1x500@21") },
    { code: "rectified_period_not_negative", path: "rectified_period" },
  ],
  ["a rate that the last day did not have", { lines: linesOf("-1x500@5") }, { code: "tax_rate_not_allowed" }],
])("refused: %s", (_, change, expected) => {
  expect(refusalOf(rebate(change))).toMatchObject(expected);
});

test.each<[string, Partial<InvoiceRequest>]>([
  ["of one day, today's", { rectifiedPeriod: period("2026-11-27", "2026-11-27") }],
  ["with the operation date that it has", { operationDate: civilDate("2026-06-30") }],
  [
    "at a rate of its last day",
    { rectifiedPeriod: period("2024-01-01", "2024-06-30"), lines: linesOf("-1x500@5") },
  ],
  ["with a rate that rises while the whole falls", { lines: linesOf("-1x500@21 1x100@10") }],
])("issued: %s", (_, change) => {
  expect(outcomeOf(rebate(change))).toBe("issued");
});

test("one of a qualified simplified invoice's kind", () => {
  const { flags, regime } = aQualified("q");
  expect(outcomeOf(rebate({ flags, regime }))).toBe("issued");
});

test("it is cancelled and rectified like any other", () => {
  const after = issueAll([REBATE]);
  expect(outcomeOf(cancelling("r1"), { after })).toBe("cancelled");
  const less = correcting(aRequest("r2", { lines: linesOf("1x100@21") }), ["r1"]);
  expect(totalsIn(issued(less, { after }))).toBe("100.00 / 21.00 / 121.00");
});

test("the period and the cause are printed, in Spanish, with English next to it", () => {
  const [spanish] = presentInvoice(issued(REBATE), { language: "es" }).statements;
  expect(spanish).toEqual({
    words: {
      text: "Rectificación del periodo del 01/01/2026 al 30/06/2026, por diferencias",
      language: "es",
    },
    details: ["Causa: Rappel del primer semestre"],
  });
  const [english] = presentInvoice(issued(REBATE), { language: "en" }).statements;
  expect(english?.words.gloss).toBe("Correction of the period from 1 Jan 2026 to 30 Jun 2026, by difference");
});

test("the CSV has the period in the place of the invoices", () => {
  expect(invoiceLines(exportedOf(issued(REBATE)))).toContain(
    "Periodo de 2026-01-01 a 2026-06-30;Por diferencias",
  );
});

test("the refusals say what to do", () => {
  const of = (change: Partial<InvoiceRequest>) => sentenceOf(refusalOf(rebate(change)), "es");
  expect(of({ operationDate: civilDate("2026-06-29") })).toBe(
    "El periodo rectificado no es válido (su último día, 30/06/2026, es la fecha de operación y se ha " +
      "enviado otra); quita operation_date.",
  );
  expect(of({ lines: linesOf("1x500@21") })).toBe(
    "Una rectificación de un periodo sin citar facturas solo devuelve importes, y esta suma 605,00\u00a0€; " +
      "envía líneas negativas o cita las facturas en rectifies.",
  );
});

function period(from: string, to: string): RectifiedPeriod {
  return { from: civilDate(from), to: civilDate(to) };
}

function rebate(change: Partial<InvoiceRequest>): InvoiceRequest {
  return aRequest("r1", {
    ...{ invoiceType: "R4", rectificationMethod: "difference", rectifiedPeriod: HALF_YEAR },
    ...{ description: "Rappel del primer semestre", lines: linesOf("-1x500@21") },
    ...change,
  });
}
