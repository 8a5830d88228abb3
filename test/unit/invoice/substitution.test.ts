/** Rectification by substitution: the new amounts replace everything cited. */
import { describe, expect, test } from "vitest";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import type { Fact } from "../../../src/domain/shared/fact.ts";
import {
  altaOf,
  cancelling,
  issueAll,
  issued,
  outcomeOf,
  recordTotalsIn,
  refusalOf,
  totalsIn,
} from "../../support/builders/direct-invoicing.ts";
import {
  anUnnamed,
  aQualified,
  aRequest,
  aTicket,
  correcting,
  elsewhere,
  linesOf,
} from "../../support/builders/requests.ts";

const SURCHARGED = { lines: linesOf("1x100@21", { surchargeRate: decimal("5.2") }) };

describe("the record has the new amounts, and in ImporteRectificacion the old ones", () => {
  test.each<[string, InvoiceRequest[], InvoiceRequest, string, object]>([
    [
      "of one invoice",
      [aRequest("e1")],
      instead("e9", ["e1"], "1x80@21"),
      "16.80 / 96.80",
      { base: "100.00", tax: "21.00" },
    ],
    [
      "of an invoice with surcharge",
      [aRequest("e1", SURCHARGED)],
      instead("e9", ["e1"], "1x80@21"),
      "16.80 / 96.80",
      { base: "100.00", tax: "21.00", surcharge: "5.20" },
    ],
    [
      "of an invoice and its part",
      [aRequest("e1"), part("e2", "-1x40@21")],
      instead("e9", ["e1", "e2"], "1x50@21"),
      "10.50 / 60.50",
      { base: "60.00", tax: "12.60" },
    ],
    [
      "of several invoices",
      [aRequest("e1"), aRequest("e2", { lines: linesOf("1x10@10") })],
      instead("e9", ["e1", "e2"], "1x1@21"),
      "0.21 / 1.21",
      { base: "110.00", tax: "22.00" },
    ],
    [
      "of one issued elsewhere",
      [],
      instead("e9", [], "1x80@21", { rectifies: [elsewhere({ surcharge: decimal("5.2") })] }),
      "16.80 / 96.80",
      { base: "100.00", tax: "21.00", surcharge: "5.20" },
    ],
    [
      "by nothing",
      [aRequest("e1")],
      instead("e9", ["e1"], "1x0@21"),
      "0.00 / 0.00",
      { base: "100.00", tax: "21.00" },
    ],
    [
      "of a one-stop-shop sale, by its recorded base",
      [aRequest("e1", oss("1x100@20"))],
      instead("e9", ["e1"], "1x1@20", oss("1x50@20")),
      "0.00 / 50.00",
      { base: "100.00", tax: "0.00" },
    ],
  ])("%s", (_, before, request, totals, rectifiedAmounts) => {
    const view = issued([...before, request]);
    expect(recordTotalsIn(view)).toBe(totals);
    expect(altaOf(view)).toMatchObject({ invoiceType: "R1", rectificationMethod: "S", rectifiedAmounts });
  });

  test("in euros, each at its own rate", () => {
    const dollars = {
      currency: "USD",
      exchangeRate: decimal("1.1"),
      exchangeRateDate: civilDate("2026-11-26"),
    };
    const later = {
      ...dollars,
      exchangeRate: decimal("1.25"),
      rectifies: [{ externalId: "e1" }, elsewhere()],
    };
    const view = issued([aRequest("e1", dollars), instead("e2", [], "1x100@21", later)]);
    expect(recordTotalsIn(view)).toBe("16.80 / 96.80");
    expect(altaOf(view).rectifiedAmounts).toEqual({ base: "170.91", tax: "35.89" });
  });
});

const THE_FIRST: Fact = { phrase: "invoice_corrected_by", number: "API-1R-2026-000001" };

describe("it cites the invoice and all its rectifications in force", () => {
  const BEFORE = issueAll([
    aRequest("e1"),
    part("e2", "-1x10@21"),
    part("e3", "-1x10@21"),
    part("e4", "-1x10@21"),
    cancelling("e4"),
  ]);

  test.each<[string, readonly string[], readonly Fact[] | undefined]>([
    ["all", ["e1", "e2", "e3"], undefined],
    ["in any order", ["e3", "e1", "e2"], undefined],
    ["not the cancelled one", ["e1", "e2", "e3", "e4"], undefined],
    ["one is missing", ["e1", "e2"], ["e3"]],
    ["all are missing", ["e1"], ["e2", "e3"]],
    ["the invoice is missing", ["e2"], [THE_FIRST]],
  ])("%s", (_, cited, missing) => {
    const request = instead("e9", cited, "1x80@21");
    if (missing !== undefined) {
      const refusal = refusalOf(request, { after: BEFORE });
      const facts = { missing: { all: missing } };
      expect(refusal).toEqual({ code: "rectification_incomplete", facts, path: "rectifies" });
      return;
    }
    const expected = cited.includes("e4") ? "rectified_invoice_cancelled" : "issued";
    expect(outcomeOf(request, { after: BEFORE })).toBe(expected);
  });

  test("a part of two invoices goes with both", () => {
    const after = issueAll([aRequest("e1"), aRequest("e2"), part("e3", "-1x150@21", ["e1", "e2"])]);
    expect(refusalOf(instead("e9", ["e1", "e3"], "1x1@21"), { after }).facts).toEqual({
      missing: { all: [THE_FIRST] },
    });
    expect(outcomeOf(instead("e9", ["e1", "e2", "e3"], "1x1@21"), { after })).toBe("issued");
  });
});

describe("a substituted invoice is final: its successor is corrected", () => {
  const AFTER = issueAll([aRequest("e1"), part("e2", "-1x10@21"), instead("e3", ["e1", "e2"], "1x80@21")]);
  const SUPERSEDED = {
    code: "rectified_invoice_superseded",
    facts: {
      reference: "API-1-2026-000001",
      state: { phrase: "substituted" },
      successor: "API-1R-2026-000002",
      fix: { phrase: "act_on", successor: "API-1R-2026-000002" },
    },
    path: "rectifies.0",
  };

  test.each<[string, InvoiceRequest, object]>([
    ["not by difference", part("e9", "-1x1@21"), SUPERSEDED],
    ["nor by substitution", instead("e9", ["e1", "e2"], "1x1@21"), SUPERSEDED],
  ])("%s", (_, request, expected) => {
    expect(refusalOf(request, { after: AFTER })).toEqual(expected);
  });

  test.each<[string, InvoiceRequest, string]>([
    ["by difference", part("e9", "-1x80@21", ["e3"]), "-80.00 / -16.80 / -96.80"],
    ["by substitution", instead("e9", ["e3"], "1x70@21"), "70.00 / 14.70 / 84.70"],
  ])("the successor is rectified %s", (_, request, expected) => {
    expect(totalsIn(issued(request, { after: AFTER }))).toBe(expected);
  });

  test("once its successor is cancelled, the invoice is open again", () => {
    const after = issueAll([cancelling("e3")], { after: AFTER });
    expect(totalsIn(issued(part("e9", "-1x90@21"), { after }))).toBe("-90.00 / -18.90 / -108.90");
  });
});

test.each<[string, InvoiceRequest]>([
  ["full", aRequest("e1")],
  ["qualified", aQualified("e1")],
  ["simplified", aTicket("e1")],
  ["without recipient", anUnnamed("e1")],
])("a rectification stays in the family: %s", (name, request) => {
  const families = {
    full: aRequest,
    qualified: aQualified,
    simplified: aTicket,
    "without recipient": anUnnamed,
  };
  const outcomes = Object.entries(families).map(([family, build]) => [
    family,
    outcomeOf([request, correcting(build("e2", { lines: linesOf("-1x1@21") }), ["e1"])]),
  ]);
  const expected = Object.keys(families).map((family) => [
    family,
    family === name ? "issued" : "rectified_invoice_type_mismatch",
  ]);
  expect(outcomes).toEqual(expected);
});

function instead(
  externalId: string,
  of: readonly string[],
  text: string,
  change: Partial<InvoiceRequest> = {},
): InvoiceRequest {
  const request = aRequest(externalId, { lines: linesOf(text) });
  return correcting(request, of, { rectificationMethod: "substitution", ...change });
}

function part(externalId: string, text: string, of: readonly string[] = ["e1"]): InvoiceRequest {
  return correcting(aRequest(externalId, { lines: linesOf(text) }), of);
}

function oss(text: string): Pick<InvoiceRequest, "lines"> {
  return { lines: linesOf(text, { regime: "17", qualification: "N2" }) };
}
