/** The tax, regime, qualification, rate and surcharge of a line. */
import { describe, expect, test } from "vitest";
import type { Qualification, RequestLine, Tax } from "../../../src/domain/invoice/request.ts";
import type { IssuingSettings } from "../../../src/domain/invoice/settings.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { altaOf, issued, outcomeOf, refusalOf } from "../../support/builders/direct-invoicing.ts";
import { anyPercent, percent } from "../../support/builders/facts.ts";
import { AN_EU_RECIPIENT, aRequest, linesOf } from "../../support/builders/requests.ts";

const DATES = "2022-06-30 2022-07-01 2022-12-31 2023-01-01 2024-09-30 2024-10-01 2024-12-31 2025-01-01".split(
  " ",
);

describe("rates", () => {
  test.each<[string, string]>([
    ["0", "always"],
    ["4", "always"],
    ["10", "always"],
    ["21", "always"],
    ["2", "2024-10-01 2024-12-31"],
    ["7.5", "2024-10-01 2024-12-31"],
    ["5", "2022-07-01 2022-12-31 2023-01-01 2024-09-30"],
    ["8", ""],
    ["16", ""],
    ["18", ""],
    ["21.01", ""],
    ["100", ""],
  ])("IVA %s %% on: %s", (rate, expected) => {
    const lines = linesOf(`1x100@${rate}`);
    const valid = DATES.filter(
      (date) => outcomeOf(aRequest("e1", { lines, operationDate: civilDate(date) })) === "issued",
    );
    expect(valid).toEqual(expected === "always" ? DATES : expected.split(" ").filter(Boolean));
  });

  test.each<[Tax, string, string]>([
    ["03", "0 3 5 7 9.5 15 20", "1 4 10 21 9.50001"],
    ["02", "0.5 1 2 3 4 5 6 7 8 9 10", "0 0.25 1.5 11 21"],
    ["05", "0 1 4.75 13.5 21 100", "4.755 0.001"],
  ])("of tax %s: %s and not %s", (tax, valid, invalid) => {
    const outcomes = (rates: string) =>
      new Set(rates.split(" ").map((rate) => outcomeOfLine(`1x100@${rate}`, { tax })));
    expect(outcomes(valid)).toEqual(new Set(["issued"]));
    expect(outcomes(invalid)).toEqual(new Set(["tax_rate_not_allowed"]));
  });

  test.each([
    ["0", "issued"],
    ["20", "issued"],
    ["30", "issued"],
    ["25.5", "issued"],
    ["30.01", "tax_rate_not_allowed"],
    ["19.555", "tax_rate_not_allowed"],
  ])("of the one-stop shop, %s %%: %s", (rate, expected) => {
    const lines = linesOf(`1x100@${rate}`, { regime: "17", qualification: "N2" });
    expect(outcomeOf(aRequest("e1", { lines }))).toBe(expected);
  });

  test("the refusal names the line, its rate, the day and the allowed rates", () => {
    expect(refusalOf(aRequest("e1", { lines: linesOf("1x1@21 1x100@5", { lineId: "l" }) }))).toEqual({
      code: "tax_rate_not_allowed",
      facts: {
        line_id: "l",
        rate: percent("5"),
        tax_name: "IVA",
        date: { date: "2026-11-27" },
        fix: { phrase: "use_rate", rates: anyPercent("0 4 10 21") },
      },
      path: "lines.1.tax_rate",
    });
  });
});

describe("surcharges", () => {
  test.each<[string, string, string]>([
    ["21", "5.2 1.75", "1.4 0.5 0.26 5 5.21"],
    ["10", "1.4", "5.2 0.5 1.75"],
    ["4", "0.5", "1.4 5.2 0.62"],
    ["0", "", "0.5 0.26 5.2"],
  ])("of IVA at %s %%: %s and not %s", (rate, valid, invalid) => {
    for (const surcharge of valid.split(" ").filter(Boolean)) {
      expect([surcharge, surchargeOutcome(rate, surcharge)]).toEqual([surcharge, "issued"]);
    }
    for (const surcharge of invalid.split(" ")) {
      expect([surcharge, surchargeOutcome(rate, surcharge)]).toEqual([surcharge, "surcharge_not_allowed"]);
    }
  });

  test.each([
    ["0.5 with 5 % until 2022", "5", "0.5", "2022-12-31", "issued"],
    ["no longer in 2023", "5", "0.5", "2023-01-01", "surcharge_not_allowed"],
    ["0.62 with 5 % from 2023", "5", "0.62", "2023-01-01", "issued"],
    ["not before", "5", "0.62", "2022-12-31", "surcharge_not_allowed"],
    ["until September 2024", "5", "0.62", "2024-09-30", "issued"],
    ["1 with 7.5 % at the end of 2024", "7.5", "1", "2024-10-01", "issued"],
    ["0.26 with 2 %", "2", "0.26", "2024-12-31", "issued"],
    ["0.26 with 0 % never", "0", "0.26", "2023-06-01", "surcharge_not_allowed"],
  ])("%s", (_, rate, surcharge, date, expected) => {
    expect(surchargeOutcome(rate, surcharge, { date })).toBe(expected);
  });

  test.each<[string, Partial<RequestLine>]>([
    ["IGIC", { tax: "03", taxRate: decimal("7") }],
    ["another tax", { tax: "05" }],
    ["an exempt line", { qualification: "E1", taxRate: decimal("0") }],
    ["reverse charge", { qualification: "S2", taxRate: decimal("0") }],
    ["a line not subject", { qualification: "N2", taxRate: decimal("0") }],
  ])("none with %s", (_, change) => {
    const lines = linesOf("1x100@21", { surchargeRate: decimal("5.2"), ...change });
    expect(outcomeOf(aRequest("e1", { lines }))).toBe("surcharge_not_allowed");
  });

  test("a surcharge of 0 is none, and the record does not mention it", () => {
    const view = issued(aRequest("e1", { lines: linesOf("1x100@21", { surchargeRate: decimal("0") }) }));
    expect(altaOf(view).breakdown).toEqual([
      { tax: "01", regime: "01", qualification: "S1", rate: "21.00", base: "100.00", taxAmount: "21.00" },
    ]);
  });
});

describe("the tax of a line that names none", () => {
  test.each<[string, Partial<IssuingSettings>, string, object]>([
    ["mainland: IVA", { territory: "peninsula" }, "21", { tax: "01", regime: "01" }],
    ["Canary Islands: IGIC", { territory: "canarias" }, "7", { tax: "03", regime: "01" }],
    ["Ceuta and Melilla: IPSI", { territory: "ceuta_melilla" }, "10", { tax: "02", regime: "01" }],
    ["cash accounting", { defaultRegime: "07" }, "21", { tax: "01", regime: "07" }],
    ["issuer in the surcharge regime", { defaultRegime: "18" }, "21", { tax: "01", regime: "18" }],
  ])("%s", (_, settings, rate, expected) => {
    const view = issued(aRequest("e1", { lines: linesOf(`1x100@${rate}`) }), { settings });
    expect(altaOf(view).breakdown).toMatchObject([expected]);
  });

  test.each<[string, Partial<RequestLine>, object]>([
    ["exempt", { qualification: "E1" }, { regime: "01", exemption: "E1" }],
    ["reverse charge", { qualification: "S2" }, { regime: "01", qualification: "S2" }],
    ["not subject", { qualification: "N2" }, { regime: "01", qualification: "N2" }],
  ])("a cash accounting issuer leaves regime 07 for %s lines", (_, change, expected) => {
    const view = issued(aRequest("e1", { lines: linesOf("1x100@0", change) }), {
      settings: { defaultRegime: "07" },
    });
    expect(altaOf(view).breakdown).toMatchObject([expected]);
  });

  test("another tax than the territory's may be sent, and takes regime 01", () => {
    const options = { settings: { territory: "canarias", defaultRegime: "18" } as const };
    const view = issued(aRequest("e1", { lines: linesOf("1x100@21", { tax: "01" }) }), options);
    expect(altaOf(view).breakdown).toMatchObject([{ tax: "01", regime: "01" }]);
  });
});

test.each<[string, readonly RequestLine[], string]>([
  ["IVA and IGIC", [...linesOf("1x1@21"), ...linesOf("1x1@7", { tax: "03" })], "mixed_taxes"],
  ["IVA and IPSI", [...linesOf("1x1@21"), ...linesOf("1x1@1", { tax: "02" })], "mixed_taxes"],
  ["IVA and another tax", [...linesOf("1x1@21"), ...linesOf("1x1@5", { tax: "05" })], "issued"],
  ["only another tax", linesOf("1x1@5", { tax: "05" }), "issued"],
])("taxes on one invoice: %s", (_, lines, expected) => {
  expect(outcomeOf(aRequest("e1", { lines }))).toBe(expected);
});

describe("qualifications", () => {
  test.each<Qualification>(["S2", "N1", "N2", "E1", "E4", "E6"])(
    "%s goes with 0 %% alone",
    (qualification) => {
      expect(outcomeOfLine("1x100@0", { qualification })).toBe("issued");
      expect(outcomeOfLine("1x100@21", { qualification })).toBe("qualification_rate_mismatch");
    },
  );

  test.each<[Qualification, Tax, string]>([
    ["E7", "01", "qualification_rate_mismatch"],
    ["E8", "01", "qualification_rate_mismatch"],
    ["E7", "02", "qualification_rate_mismatch"],
    ["E8", "05", "qualification_rate_mismatch"],
    ["E7", "03", "issued"],
    ["E8", "03", "issued"],
  ])("%s of tax %s: %s", (qualification, tax, expected) => {
    expect(outcomeOfLine("1x100@0", { qualification, tax })).toBe(expected);
  });

  test("S2 writes rate and tax of 0, exempt and not subject lines write neither", () => {
    const lines = [
      ...linesOf("1x100@0", { qualification: "S2" }),
      ...linesOf("1x100@0", { qualification: "E1" }),
      ...linesOf("1x100@0", { qualification: "N1" }),
      ...linesOf("1x100@0", { qualification: "N2" }),
      ...linesOf("1x100@0", { qualification: "E5" }),
    ];
    const key = { tax: "01", regime: "01", base: "100.00" };
    expect(altaOf(issued(aRequest("e1", { lines, recipient: AN_EU_RECIPIENT }))).breakdown).toEqual([
      { ...key, qualification: "S2", rate: "0.00", taxAmount: "0.00" },
      { ...key, exemption: "E1" },
      { ...key, qualification: "N1" },
      { ...key, qualification: "N2" },
      { ...key, exemption: "E5" },
    ]);
  });
});

function outcomeOfLine(text: string, change: Partial<RequestLine>): string {
  return outcomeOf(aRequest("e1", { lines: linesOf(text, change) }));
}

function surchargeOutcome(rate: string, surcharge: string, { date = "2026-11-27" } = {}): string {
  const lines = linesOf(`1x100@${rate}`, { surchargeRate: decimal(surcharge) });
  return outcomeOf(aRequest("e1", { lines, operationDate: civilDate(date) }));
}
