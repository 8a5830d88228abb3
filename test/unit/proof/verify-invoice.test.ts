/** Invoices of every kind verify as issued, and no changed document breaks the verification. */
import { describe, expect, test } from "vitest";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import { type InvoiceRow, verifyInvoice } from "../../../src/domain/proof/verify.ts";
import { sha256Hex } from "../../../src/domain/shared/hash.ts";
import { AN_INSTALLATION } from "../../support/builders/direct-invoicing.ts";
import { full, SAMPLES } from "../../support/builders/issued-samples.ts";

const CONNECTION = "cn1";

function rowOf(view: InvoiceView, change: Partial<InvoiceRow> = {}): InvoiceRow {
  const document = JSON.stringify(view.document);
  return {
    id: view.invoiceId,
    number: view.number,
    fullNumber: view.fullNumber,
    issueDate: view.issueDate,
    invoiceType: view.document.request.invoiceType,
    totalEur: view.document.totalsEur.total,
    connectionId: CONNECTION,
    documentSha256: sha256Hex(document),
    document,
    registration: {
      installationId: AN_INSTALLATION.id,
      invoiceId: view.invoiceId,
      content: JSON.stringify(view.alta.record.content),
    },
    ...change,
  };
}

const seriesOf = ({ series }: InvoiceView) => ({
  connectionId: CONNECTION,
  code: series,
  installationId: AN_INSTALLATION.id,
});

test.each(Object.entries(SAMPLES))("%s holds", (_, sample) => {
  const view = sample();
  expect(verifyInvoice(rowOf(view), undefined, seriesOf(view)).broken).toEqual([]);
});

describe("a document that was put in the place of another, with its hash", () => {
  test.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["null", "null"],
    ["a text", '"x"'],
    ["an empty object", "{}"],
    ["groups that are none", '{"groups":7,"issuer":{},"request":{}}'],
    ["an amount that is none", JSON.stringify(full().document).replaceAll('"934.63"', '"x"')],
    ["an exponent", JSON.stringify(full().document).replaceAll('"934.63"', '"1e400"')],
  ])("%s", (_, document) => {
    const row = rowOf(full(), { document, documentSha256: sha256Hex(document) });
    expect(verifyInvoice(row, undefined, seriesOf(full())).broken).toEqual(["literals"]);
  });
});

test.each<[string, Partial<InvoiceRow>, readonly string[]]>([
  ["a total that the document does not say", { totalEur: "1.00" }, ["literals"]],
  ["a type that the document does not say", { invoiceType: "F2" }, ["literals"]],
  ["a day that does not exist", { issueDate: "2026-02-30" }, ["literals"]],
  ["a number after a gap", { number: 2, fullNumber: "API-1-2026-000002" }, ["number", "literals"]],
  ["a full number of another series", { fullNumber: "API-9-2026-000001" }, ["number", "literals"]],
])("%s", (_, change, expected) => {
  expect(verifyInvoice(rowOf(full(), change), undefined, seriesOf(full())).broken).toEqual(expected);
});

test("missing values are not compared", () => {
  const { document: _, registration: __, ...bare } = rowOf(full());
  const { checked, broken } = verifyInvoice(bare, undefined, seriesOf(full()));
  expect(broken).toEqual(["document", "registration"]);
  expect(checked).not.toContain("literals");
});

test("an unregistered series is reported", () => {
  const { installationId: _, ...series } = seriesOf(full());
  expect(verifyInvoice(rowOf(full()), undefined, series).broken).toEqual(["series", "registration"]);
});
