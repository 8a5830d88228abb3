/** Every course of corrections through the real decision: flags, hash and chain, and XML for the AEAT's XSD. */
import { describe, expect, test } from "vitest";
import { type InvoiceView, recordsOf } from "../../src/domain/invoice/invoice-view.ts";
import { directOrigin } from "../../src/domain/invoice/origin.ts";
import { verifyChain } from "../../src/domain/verifactu/chain.ts";
import type { SealedRecord } from "../../src/domain/verifactu/record.ts";
import { submissionXml } from "../../src/domain/verifactu/xml/message-xml.ts";
import { recordXml } from "../../src/domain/verifactu/xml/record-xml.ts";
import { aeatFolder } from "../support/authority/aeat-folder.ts";
import { wrapRecord, xsdErrors } from "../support/authority/xsd.ts";
import {
  COURSES,
  correcting,
  operationsIn,
  type Step,
  withStanding,
} from "../support/builders/corrections.ts";
import { cancelling, codeOf, type Issuance, issueAll } from "../support/builders/direct-invoicing.ts";
import { aRequest } from "../support/builders/requests.ts";

describe.each(COURSES)("%s", (_, steps, expected) => {
  const view = courseOf(steps);
  const records = recordsOf(view).map(({ record }) => record);

  test("writes what its row says", () => {
    expect(operationsIn(view)).toBe(expected);
  });

  test("leaves the chain whole, and key and amounts as they were", () => {
    expect(verifyChain(records)).toEqual({ ok: true, value: { checked: records.length } });
    expect(new Set(records.map(({ content }) => JSON.stringify(content.key))).size).toBe(1);
    expect(new Set(records.flatMap(fixedParts)).size).toBe(1);
  });

  test.skipIf(aeatFolder === undefined)("is valid for the AEAT's XSD", () => {
    for (const record of records) expect(xsdErrors(wrapRecord(recordXml(record)))).toEqual([]);
    const issuer = { issuerName: "Comercial del Norte SL", issuerNif: "B58378431" };
    expect(xsdErrors(submissionXml({ ...issuer, incident: true, records }))).toEqual([]);
  });
});

/** The values that no amendment changes. */
function fixedParts({ content }: SealedRecord): string[] {
  if (content.kind !== "ALTA") return [];
  const { invoiceType, breakdown, taxTotal, total } = content;
  return [JSON.stringify({ invoiceType, breakdown, taxTotal, total })];
}

function courseOf(steps: readonly Step[]): InvoiceView {
  let books: Pick<Issuance, "books" | "invoices"> = issueAll([aRequest("e1")]);
  for (const [index, step] of steps.entries()) books = after(step, books, `request-${index}`);
  return viewIn(books);
}

function after(step: Step, books: Pick<Issuance, "books" | "invoices">, requestId: string) {
  if ("settle" in step) return withStanding(books, "e1", step.settle);
  if ("cancel" in step) return issueAll([cancelling("e1")], { after: books });
  const issuance = issueAll([correcting(viewIn(books), step.owner, requestId)], { after: books });
  expect(codeOf(issuance.outcomes[0])).toBe(step.refused ?? "corrected");
  return issuance;
}

function viewIn({ invoices }: Pick<Issuance, "invoices">): InvoiceView {
  const stored = invoices.get(directOrigin("e1"));
  if (!stored) throw new Error("it was issued");
  return stored.view;
}
