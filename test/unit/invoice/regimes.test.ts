import { describe, expect, test } from "vitest";
import {
  type InvoiceRequest,
  QUALIFICATIONS,
  type Qualification,
  type Tax,
} from "../../../src/domain/invoice/request.ts";
import { isMarginScheme } from "../../../src/domain/invoice/tax-groups.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { outcomeOf, refusalOf } from "../../support/builders/direct-invoicing.ts";
import {
  A_RECIPIENT,
  AN_EU_RECIPIENT,
  anUnnamed,
  aQualified,
  aRequest,
  aTicket,
  correcting,
  elsewhere,
  linesOf,
} from "../../support/builders/requests.ts";

const TWO_DIGITS = Array.from({ length: 22 }, (_, index) => String(index).padStart(2, "0"));

describe("the keys of each tax", () => {
  test.each<[string, Tax, string]>([
    ["IVA", "01", "01 02 03 04 05 07 08 09 10 11 14 15 17 18 19 20"],
    ["IPSI", "02", "01 08 11 18 19 20"],
    ["IGIC", "03", "01 02 03 04 05 07 08 09 10 11 14 15 17 18 19 20 21"],
    ["another tax", "05", ""],
  ])("%s", (_, tax, expected) => {
    const possible = TWO_DIGITS.filter((regime) => qualificationsOf(tax, regime) !== "");
    expect(possible.join(" ")).toBe(expected);
  });
});

describe("the qualifications that a regime allows", () => {
  test.each<[string, Tax, string]>([
    ["01", "01", "S1 S2 N1 N2 E1 E4 E5 E6"],
    ["01", "03", "S1 S2 N1 N2 E1 E4 E5 E6 E7 E8"],
    ["02", "01", "E1 E2 E3 E4 E5 E6"],
    ["02", "03", "E1 E2 E3 E4 E5 E6 E7 E8"],
    ["03", "01", "S1 E1 E2 E3 E4 E5 E6"],
    ["04", "01", "S2 E1 E2 E3 E4 E5 E6"],
    ["05", "01", "S1 S2 N1 N2 E1 E2 E3 E4 E5 E6"],
    ["07", "01", "S1 E1 E6"],
    ["07", "03", "S1 E1 E6 E7 E8"],
    ["08", "01", "N2"],
    ["08", "03", "N2"],
    ["09", "01", "S2 N1 N2 E1 E2 E3 E4 E5 E6"],
    ["10", "01", "N1"],
    ["10", "03", "N1"],
    ["11", "01", "S1"],
    ["17", "01", "N2"],
    ["18", "01", "S1 S2 N1 N2 E1 E2 E3 E4 E5 E6"],
    ["20", "03", "N2"],
    ["20", "01", "S1 S2 N1 N2 E1 E2 E3 E4 E5 E6"],
    ["01", "02", "S1 S2 N1 N2 E1 E2 E3 E4 E5 E6"],
  ])("%s of tax %s: %s", (regime, tax, expected) => {
    expect(qualificationsOf(tax, regime)).toBe(expected);
  });

  test("an export in the general regime is refused with the right one", () => {
    expect(refusalOf(aRequest("e1", { lines: linesOf("1x100@0", { qualification: "E2" }) }))).toEqual({
      code: "regime_not_allowed",
      facts: {
        line_id: "1",
        regime: "01",
        with: "qualification E2",
        fix: { phrase: "use_regime", regimes: { either: ["02"] } },
      },
      path: "lines.0.regime",
    });
  });
});

test.each<[string, string, string]>([
  ["business premises at 21 %", "1x100@21", "issued"],
  ["and no other rate", "1x100@10", "regime_not_allowed"],
])("regime 11: %s", (_, text, expected) => {
  expect(outcomeOf(aRequest("e1", { lines: linesOf(text, { regime: "11" }) }))).toBe(expected);
});

const OSS = { lines: linesOf("1x100@19", { regime: "17", qualification: "N2" }) };

test.each<[string, Partial<InvoiceRequest>, string]>([
  ["a business of the EU", { ...OSS, recipient: AN_EU_RECIPIENT }, "regime_not_allowed"],
  ["a recipient with a NIF", OSS, "issued"],
  [
    "a correction of an invoice issued so",
    {
      ...OSS,
      recipient: AN_EU_RECIPIENT,
      invoiceType: "R1",
      rectificationMethod: "difference",
      rectifies: [elsewhere()],
    },
    "issued",
  ],
])("regime 17 for %s", (_, change, expected) => {
  expect(outcomeOf(aRequest("e1", change))).toBe(expected);
});

const TOWN_HALL = { ...A_RECIPIENT, vatNumber: "P2807900B" };
const LATER = civilDate("2027-06-30");
const WORKS = { lines: linesOf("1x100@21", { regime: "14" }), recipient: TOWN_HALL, operationDate: LATER };
const FEES = { lines: linesOf("1x100@0", { regime: "10", qualification: "N1" }) };
const R1 = { invoiceType: "R1", rectificationMethod: "difference", rectifies: [elsewhere()] } as const;

test.each<[string, InvoiceRequest, string]>([
  ["10 on F1", aRequest("e1", FEES), "issued"],
  ["10 on R1", aRequest("e1", { ...R1, ...FEES }), "regime_not_allowed"],
  ["10 on F2", aTicket("e1", FEES), "regime_not_allowed"],
  ["14 on F1", aRequest("e1", WORKS), "issued"],
  ["14 on R1", aRequest("e1", { ...R1, ...WORKS }), "issued"],
  ["14 on F2", aTicket("e1", { lines: WORKS.lines, operationDate: LATER }), "regime_not_allowed"],
  [
    "14 without a later date",
    aRequest("e1", { ...WORKS, operationDate: civilDate("2026-11-27") }),
    "operation_date_not_allowed",
  ],
])("types that a regime allows: %s", (_, request, expected) => {
  expect(outcomeOf(request)).toBe(expected);
});

const REVERSE = { lines: linesOf("1x100@0", { qualification: "S2" }) };

test.each<[string, InvoiceRequest, string]>([
  ["F1", aRequest("e1", REVERSE), "issued"],
  ["R1", aRequest("e1", { ...R1, ...REVERSE }), "issued"],
  ["F2 without recipient", anUnnamed("e1", REVERSE), "qualification_rate_mismatch"],
  ["F2", aTicket("e1", REVERSE), "simplified_line_not_eligible"],
  ["qualified F1", aQualified("e1", REVERSE), "simplified_line_not_eligible"],
])("reverse charge on %s: %s", (_, request, expected) => {
  expect(outcomeOf(request)).toBe(expected);
});

/** The qualifications with which an invoice of that tax and regime can be issued at all. */
function qualificationsOf(tax: Tax, regime: string): string {
  const isIssued = (qualification: Qualification) => {
    const [rate = ""] =
      qualification === "S1" ? { "01": ["21"], "02": ["10"], "03": ["7"], "05": ["5"] }[tax] : ["0"];
    const isOfMargin = isMarginScheme({ tax, regime, qualification, rate: decimal(rate) });
    const margin = isOfMargin ? { taxableMargin: decimal("10") } : {};
    const lines = linesOf(`1x100@${rate}`, { tax, regime, qualification, ...margin });
    const recipient = regime === "14" ? TOWN_HALL : qualification === "E5" ? AN_EU_RECIPIENT : A_RECIPIENT;
    const date = regime === "14" ? { operationDate: LATER } : {};
    const request = aRequest("e1", { lines, recipient, pricesIncludeTax: isOfMargin, ...date });
    return outcomeOf(request) === "issued";
  };
  return QUALIFICATIONS.filter(isIssued).join(" ");
}

test("an invoice in regime 09 is corrected as issued, and not issued anew", () => {
  const sold = aRequest("e1", { lines: linesOf("1x10@21", { regime: "09" }) });
  const lines = linesOf("-1x10@21", { regime: "09" });
  expect(outcomeOf(sold)).toBe("regime_not_allowed");
  expect(outcomeOf(correcting(aRequest("r1", { lines }), [], { rectifies: [elsewhere()] }))).toBe("issued");
});
