import { describe, expect, test } from "vitest";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  altaOf,
  groupsIn,
  issued,
  outcomeOf,
  recordTotalsIn,
  refusalOf,
  totalsIn,
} from "../../support/builders/direct-invoicing.ts";
import { eur } from "../../support/builders/facts.ts";
import {
  anUnnamed,
  aRequest,
  aTicket,
  correcting,
  elsewhere,
  linesOf,
} from "../../support/builders/requests.ts";

const NEGATIVE = "negative_total_needs_rectification";
const RANGE = "total_out_of_range";
const GROSS = { pricesIncludeTax: true } as const;

describe("net prices", () => {
  test.each<[string, Partial<InvoiceRequest>, string]>([
    ["half a cent rounds up", { lines: linesOf("1x0.025@0") }, "0.03 / 0.00 / 0.03"],
    ["half a cent rounds away from zero", { lines: linesOf("1x1@0 1x-0.025@0") }, "0.97 / 0.00 / 0.97"],
    [
      "each line is rounded, then added",
      { lines: linesOf("1x0.335@0 1x0.335@0 1x0.335@0") },
      "1.02 / 0.00 / 1.02",
    ],
    [
      "the tax of a group is rounded once",
      { lines: linesOf("1x0.03@21 1x0.03@21 1x0.03@21") },
      "0.09 / 0.02 / 0.11",
    ],
    ["quantities have six decimals", { lines: linesOf("0.333333x3@21") }, "1.00 / 0.21 / 1.21"],
    ["prices have six decimals", { lines: linesOf("1000x0.000005@21") }, "0.01 / 0.00 / 0.01"],
    [
      "a discount is taken before rounding",
      { lines: discounted("3x9.99@21", "12.5") },
      "26.22 / 5.51 / 31.73",
    ],
    ["a discount of 100 % leaves nothing", { lines: discounted("3x9.99@21", "100") }, "0.00 / 0.00 / 0.00"],
    ["a total of 0 may be invoiced", { lines: linesOf("1x10@21 -1x10@21") }, "0.00 / 0.00 / 0.00"],
    [
      "large amounts stay exact",
      { lines: linesOf("3x123456789.123457@0") },
      "370370367.37 / 0.00 / 370370367.37",
    ],
  ])("%s", (_, change, expected) => {
    expect(totalsIn(issued(aRequest("e1", change)))).toBe(expected);
  });
});

describe("prices that include tax keep the total", () => {
  test.each<[string, Partial<InvoiceRequest>, string]>([
    ["100.00 at 21 %", { lines: linesOf("1x100@21") }, "82.64 / 17.36 / 100.00"],
    ["0.01 at 21 %", { lines: linesOf("1x0.01@21") }, "0.01 / 0.00 / 0.01"],
    ["1.00 at 10 %", { lines: linesOf("1x1@10") }, "0.91 / 0.09 / 1.00"],
    ["0 % has no tax", { lines: linesOf("1x100@0") }, "100.00 / 0.00 / 100.00"],
    ["three at 3.33", { lines: linesOf("3x3.33@21") }, "8.26 / 1.73 / 9.99"],
    ["a discount on the gross", { lines: discounted("1x100@21", "10") }, "74.38 / 15.62 / 90.00"],
    [
      "base and surcharge first, the tax is the rest",
      { lines: surcharged("1x126.20@21", "5.2") },
      "100.00 / 21.00 + 5.20 / 126.20",
    ],
    [
      "with a surcharge that does not divide",
      { lines: surcharged("1x100@21", "5.2") },
      "79.24 / 16.64 + 4.12 / 100.00",
    ],
    ["a return within the group", { lines: linesOf("1x100@21 -1x40@21") }, "49.59 / 10.41 / 60.00"],
  ])("%s", (_, change, expected) => {
    expect(totalsIn(issued(aRequest("e1", { ...GROSS, ...change })))).toBe(expected);
  });

  test.each<[string, InvoiceRequest["lines"], string]>([
    ["S1", linesOf("1x121@21"), "issued"],
    ["the one-stop shop", linesOf("1x120@20", { regime: "17", qualification: "N2" }), "issued"],
    ["S2", linesOf("1x100@0", { qualification: "S2" }), "qualification_rate_mismatch"],
    ["exempt", linesOf("1x100@0", { qualification: "E1" }), "qualification_rate_mismatch"],
    ["not subject", linesOf("1x100@0", { qualification: "N1" }), "qualification_rate_mismatch"],
  ])("only where there is tax to include: %s", (_, lines, expected) => {
    expect(outcomeOf(aRequest("e1", { ...GROSS, lines }))).toBe(expected);
  });

  test("an untaxed line among them blames the prices, not itself", () => {
    const lines = [...linesOf("1x100@21"), ...linesOf("1x100@0", { qualification: "E1", lineId: "l2" })];
    expect(refusalOf(aRequest("e1", { ...GROSS, lines }))).toEqual({
      code: "qualification_rate_mismatch",
      facts: {
        line_id: "l2",
        qualification: "E1",
        field: "prices_include_tax",
        value: "true",
        fix: { phrase: "send_net_prices" },
      },
      path: "prices_include_tax",
    });
  });
});

describe("groups", () => {
  test("lines that agree in tax, regime, qualification, rate and surcharge are one, in the order of their first line", () => {
    const lines = [
      ...linesOf("1x10@10 1x1@21 2x10@10"),
      ...linesOf("1x5@0", { qualification: "E1" }),
      ...linesOf("1x7@21", { regime: "18" }),
      ...surcharged("1x9@21", "5.2"),
      ...linesOf("1x2@21"),
    ];
    const view = issued(aRequest("e1", { lines }));
    expect(groupsIn(view)).toEqual([
      "10: 30.00 / 3.00",
      "21: 3.00 / 0.63",
      "0: 5.00 / 0.00",
      "21: 7.00 / 1.47",
      "21: 9.00 / 1.89 + 0.47",
    ]);
    expect(totalsIn(view)).toBe("54.00 / 6.99 + 0.47 / 61.46");
    expect(recordTotalsIn(view)).toBe("7.46 / 61.46");
  });

  test.each([
    ["12 are the AEAT's limit", 12, "issued"],
    ["13 are too many", 13, "too_many_tax_groups"],
  ])("%s", (_, count, expected) => {
    const lines = Array.from({ length: count }, (_, rate) => linesOf(`1x1@${rate}`, { tax: "05" })).flat();
    expect(outcomeOf(aRequest("e1", { lines }))).toBe(expected);
  });
});

describe("negative amounts", () => {
  test.each<[string, InvoiceRequest, string]>([
    ["a line may be negative", aRequest("e1", { lines: linesOf("1x10@21 1x-4@21") }), "issued"],
    [
      "a group may be, also alone in its rate",
      aRequest("e1", { lines: linesOf("1x10@21 1x-4@10") }),
      "issued",
    ],
    ["as much as the others give", aRequest("e1", { lines: linesOf("1x100@0 1x-100@0") }), "issued"],
    ["groups that cancel out", aRequest("e1", { lines: linesOf("1x110@0 1x-100@10") }), "issued"],
    ["a cent more", aRequest("e1", { lines: linesOf("1x109.99@0 1x-100@10") }), NEGATIVE],
    ["an invoice below zero", aRequest("e1", { lines: linesOf("1x-1@21") }), NEGATIVE],
    ["a ticket below zero", aTicket("e1", { lines: linesOf("1x-1@21") }), NEGATIVE],
    ["one without recipient below zero", anUnnamed("e1", { lines: linesOf("1x-1@21") }), NEGATIVE],
    ["a rectification may be", fromElsewhere("difference", "1x-1@21"), "issued"],
    [
      "a rectification of a negative invoice may be negative",
      fromElsewhere("substitution", "1x-1@21", "-100"),
      "issued",
    ],
    [
      "a rectification of a positive invoice may not",
      fromElsewhere("substitution", "1x-1@21"),
      "substitution_negative",
    ],
  ])("%s", (_, request, expected) => {
    expect(outcomeOf(request)).toBe(expected);
  });

  test("the refusal names the total", () => {
    expect(refusalOf(aRequest("e1", { lines: linesOf("1x-10@21") })).facts).toEqual({
      amount: eur("-12.10"),
    });
  });
});

describe("twelve integer digits", () => {
  test.each<[string, InvoiceRequest, string]>([
    ["fit", aRequest("e1", { lines: linesOf("1x999999999999@0") }), "issued"],
    ["a total of thirteen", aRequest("e1", { lines: linesOf("1x999999999999@0 1x1@0") }), RANGE],
    ["a total of thirteen with its tax", aRequest("e1", { lines: linesOf("1x900000000000@21") }), RANGE],
    [
      "a group of thirteen in a smaller total",
      aRequest("e1", { lines: linesOf("2x999999999999@0 -1x1500000000000@4") }),
      RANGE,
    ],
    ["a negative one", fromElsewhere("difference", "-1x999999999999@21", "999999999999"), RANGE],
    ["one in euros", aRequest("e1", { ...inDollars("0.001"), lines: linesOf("1x1000000000@0") }), RANGE],
    ["the substituted amounts", substituting("999999999999", "999999999999"), RANGE],
  ])("%s", (_, request, expected) => {
    expect(outcomeOf(request)).toBe(expected);
  });
});

test.each([
  ["99999999.99", undefined],
  ["100000000", true],
])("a record of %s is macrodata: %s", (price, expected) => {
  expect(altaOf(issued(aRequest("e1", { lines: linesOf(`1x${price}@0`) }))).macrodata).toBe(expected);
});

test("so is a refund of as much", () => {
  expect(altaOf(issued(fromElsewhere("difference", "-1x100000000@0", "100000000"))).macrodata).toBe(true);
});

test.each<[string, Partial<InvoiceRequest>, string, string]>([
  ["of the base", {}, "15.00", "106.00"],
  ["rounded to the cent", { lines: linesOf("1x1393.50@21") }, "209.03", "1477.11"],
  [
    "exempt lines included",
    { lines: [...linesOf("1x100@21"), ...linesOf("1x50@0", { qualification: "E1" })] },
    "22.50",
    "148.50",
  ],
])("withholding is a part %s, and no part of the record", (_, change, withheld, payable) => {
  const plain = issued(aRequest("e1", change));
  const view = issued(aRequest("e1", { ...change, withholdingRate: decimal("15") }));
  const { withholding, totals } = view.document;
  expect(withholding).toBe(decimal(withheld));
  expect(Number(totals.total) - Number(withholding)).toBeCloseTo(Number(payable), 10);
  expect(recordTotalsIn(view)).toBe(recordTotalsIn(plain));
});

describe("one-stop shop", () => {
  const lines = linesOf("1x100@20", { regime: "17", qualification: "N2" });

  test.each([
    ["F1", aRequest("e1", { lines })],
    ["F2 without recipient", anUnnamed("e1", { lines })],
    [
      "F1 with prices that include tax",
      aRequest("e1", { ...GROSS, lines: linesOf("1x120@20", { regime: "17", qualification: "N2" }) }),
    ],
  ])("%s: the document shows the foreign tax, the record the base alone", (_, request) => {
    const view = issued(request);
    expect(totalsIn(view)).toBe("100.00 / 20.00 / 120.00");
    expect(recordTotalsIn(view)).toBe("0.00 / 100.00");
    expect(altaOf(view).breakdown).toEqual([
      { tax: "01", regime: "17", qualification: "N2", base: "100.00" },
    ]);
  });
});

function discounted(text: string, percent: string) {
  return linesOf(text, { discountRate: decimal(percent) });
}

function surcharged(text: string, percent: string) {
  return linesOf(text, { surchargeRate: decimal(percent) });
}

function inDollars(rate: string): Partial<InvoiceRequest> {
  return { currency: "USD", exchangeRate: decimal(rate), exchangeRateDate: civilDate("2026-11-26") };
}

function fromElsewhere(
  rectificationMethod: "difference" | "substitution",
  text: string,
  base = "100",
): InvoiceRequest {
  return correcting(aRequest("e1", { lines: linesOf(text) }), [], {
    rectificationMethod,
    rectifies: [elsewhere({ base: decimal(base) })],
  });
}

function substituting(...bases: readonly string[]): InvoiceRequest {
  const rectifies = bases.map((base, index) => elsewhere({ number: `V/${index}`, base: decimal(base) }));
  return correcting(aRequest("e1"), [], { rectificationMethod: "substitution", rectifies });
}
