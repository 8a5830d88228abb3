/** Rectification by difference: what goes back, to the cent. */
import { describe, expect, test } from "vitest";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  altaOf,
  cancelling,
  groupsInEur,
  issueAll,
  issued,
  lastIn,
  outcomeOf,
  recordTotalsIn,
  refusalOf,
  remainingOf,
  totalsIn,
  viewOf,
} from "../../support/builders/direct-invoicing.ts";
import { eur, percent } from "../../support/builders/facts.ts";
import { aRequest, aTicket, correcting, elsewhere, linesOf } from "../../support/builders/requests.ts";

const GROSS = { pricesIncludeTax: true } as const;
const USD = { currency: "USD", exchangeRate: decimal("1.1"), exchangeRateDate: civilDate("2026-11-26") };

describe("one group of 100.00 / 21.00", () => {
  test.each<[string, string, string]>([
    ["a part", "-1x40@21", "-40.00 / -8.40 / -48.40"],
    ["all of it", "-1x100@21", "-100.00 / -21.00 / -121.00"],
    ["a negative price is the same", "1x-100@21", "-100.00 / -21.00 / -121.00"],
    ["an increase", "1x50@21", "50.00 / 10.50 / 60.50"],
    ["another rate instead", "-1x100@21 1x100@10", "0.00 / -11.00 / -11.00"],
    ["one cent less leaves one cent", "-1x99.99@21", "-99.99 / -21.00 / -120.99"],
  ])("%s", (_, text, expected) => {
    expect(totalsIn(issued([aRequest("e1"), refund("e2", text)]))).toBe(expected);
  });

  test.each<[string, string]>([
    ["one cent more", "-1x100.01@21"],
    ["another rate", "-1x1@10"],
    ["the same rate of another regime", "-1x1@21:18"],
    ["a group that has it all and an empty one", "-1x100@21 -1x1@4"],
  ])("%s is more than there is", (_, text) => {
    const [plain = "", regime] = text.split(":");
    const lines = linesOf(plain, regime === undefined ? {} : { regime });
    expect(outcomeOf([aRequest("e1"), refund("e2", "-1x1@21", { lines })])).toBe("rectification_exceeds");
  });

  test("the remainder after a part, an increase and a cancelled part", () => {
    const after = issueAll([
      aRequest("e1"),
      refund("e2", "-1x60@21"),
      refund("e3", "1x20@21"),
      refund("e4", "-1x30@21"),
      cancelling("e4"),
    ]);
    expect(refusalOf(refund("e5", "-1x60.01@21"), { after }).facts).toEqual({
      requested: eur("72.61"),
      rate: percent("21"),
      remaining: eur("72.60"),
    });
    expect(totalsIn(issued(refund("e5", "-1x60@21"), { after }))).toBe("-60.00 / -12.60 / -72.60");
  });
});

describe("parts add up to the whole", () => {
  test.each<[string, Partial<InvoiceRequest>, readonly string[], readonly string[]]>([
    [
      "three thirds of 10.00 at 10 %: the last takes the cent of tax",
      { lines: linesOf("1x10@10") },
      ["-1x3.33@10", "-1x3.33@10", "-1x3.34@10"],
      ["-3.33 / -0.33 / -3.66", "-3.33 / -0.33 / -3.66", "-3.34 / -0.34 / -3.68"],
    ],
    [
      "parts with tax rounded up take no more tax than there is",
      { lines: linesOf("1x0.09@21") },
      ["-1x0.03@21", "-1x0.03@21", "-1x0.03@21"],
      ["-0.03 / -0.01 / -0.04", "-0.03 / -0.01 / -0.04", "-0.03 / 0.00 / -0.03"],
    ],
    [
      "parts with tax rounded down leave all of it to the last",
      { lines: linesOf("1x0.10@21") },
      ["-1x0.02@21", "-1x0.02@21", "-1x0.02@21", "-1x0.02@21", "-1x0.02@21"],
      [
        "-0.02 / 0.00 / -0.02",
        "-0.02 / 0.00 / -0.02",
        "-0.02 / 0.00 / -0.02",
        "-0.02 / 0.00 / -0.02",
        "-0.02 / -0.02 / -0.04",
      ],
    ],
    [
      "a surcharge is taken back like the tax",
      { lines: linesOf("1x10@21", { surchargeRate: decimal("5.2") }) },
      ["-1x3.33@21+5.2", "-1x3.33@21+5.2", "-1x3.34@21+5.2"],
      ["-3.33 / -0.70 + -0.17 / -4.20", "-3.33 / -0.70 + -0.17 / -4.20", "-3.34 / -0.70 + -0.18 / -4.22"],
    ],
    [
      "gross parts keep the gross: 12.10 in 4.03, 4.03 and 4.04",
      { lines: linesOf("1x10@21") },
      ["gross -1x4.03@21", "gross -1x4.03@21", "gross -1x4.04@21"],
      ["-3.33 / -0.70 / -4.03", "-3.33 / -0.70 / -4.03", "-3.34 / -0.70 / -4.04"],
    ],
    [
      "a gross invoice returned net: 82.64 takes the tax of 17.36",
      { pricesIncludeTax: true, lines: linesOf("1x100@21") },
      ["-1x82.64@21"],
      ["-82.64 / -17.36 / -100.00"],
    ],
    [
      "two groups, each separately",
      { lines: linesOf("1x10@10 1x1@21") },
      ["-1x3.33@10 -1x1@21", "-1x6.67@10"],
      ["-4.33 / -0.54 / -4.87", "-6.67 / -0.67 / -7.34"],
    ],
    [
      "a negative group goes back up to zero",
      { lines: linesOf("1x100@21 1x-10@10") },
      ["-1x100@21 1x10@10"],
      ["-90.00 / -20.00 / -110.00"],
    ],
  ])("%s", (_, change, parts, expected) => {
    const issuance = issueAll([aRequest("e1", change), ...parts.map((part, index) => partOf(index, part))]);
    expect(issuance.outcomes.map(viewOf).slice(1).map(totalsIn)).toEqual(expected);
    expect(remainingOf(issuance, "e1")).toEqual([]);
  });

  test("the gross of a part is kept when its own tax would be more than there is", () => {
    const parts = [1, 2, 3].map((index) => refund(`r${index}`, "-1x0.03@21"));
    const after = issueAll([aRequest("e1", { lines: linesOf("1x0.15@21") }), ...parts]);
    expect(remainingOf(after, "e1")).toEqual(["21: 0.06 / 0.00"]);
    const view = issued(refund("e3", "-1x0.03@21", { pricesIncludeTax: true }), { after });
    expect(totalsIn(view)).toBe("-0.03 / 0.00 / -0.03");
  });
});

describe("several invoices", () => {
  const TWO = [aRequest("e1"), aRequest("e2", { lines: linesOf("1x50@21 1x10@10") })];

  test.each<[string, string, string, string[], string[]]>([
    [
      "the first gives its amount, the second the rest",
      "-1x120@21",
      "-120.00 / -25.20 / -145.20",
      [],
      ["21: 30.00 / 6.30", "10: 10.00 / 1.00"],
    ],
    [
      "a group that only the second has",
      "-1x10@10",
      "-10.00 / -1.00 / -11.00",
      ["21: 100.00 / 21.00"],
      ["21: 50.00 / 10.50"],
    ],
    ["all of both", "-1x150@21 -1x10@10", "-160.00 / -32.50 / -192.50", [], []],
    [
      "an increase falls upon the first",
      "1x5@4",
      "5.00 / 0.20 / 5.20",
      ["21: 100.00 / 21.00", "4: 5.00 / 0.20"],
      ["21: 50.00 / 10.50", "10: 10.00 / 1.00"],
    ],
  ])("%s", (_, text, totals, first, second) => {
    const issuance = issueAll([...TWO, refund("e3", text, {}, ["e1", "e2"])]);
    expect(totalsIn(lastIn(issuance))).toBe(totals);
    expect([remainingOf(issuance, "e1"), remainingOf(issuance, "e2")]).toEqual([first, second]);
  });

  test("one cent more than both have", () => {
    expect(refusalOf([...TWO, refund("e3", "-1x150.01@21", {}, ["e1", "e2"])]).facts).toMatchObject({
      remaining: eur("181.50"),
    });
  });

  test("tickets rounded one by one give back what they took", () => {
    const tickets = ["e1", "e2", "e3"].map((id) => aTicket(id, { lines: linesOf("1x0.03@21") }));
    const request = correcting(aTicket("e4", { lines: linesOf("-3x0.03@21") }), ["e1", "e2", "e3"]);
    expect(totalsIn(issued([...tickets, request]))).toBe("-0.09 / -0.03 / -0.12");
  });

  test("with one issued elsewhere, any amount beyond ours is the other's", () => {
    const request = refund("e2", "-1x150@21", { rectifies: [{ externalId: "e1" }, elsewhere()] });
    const issuance = issueAll([aRequest("e1"), request]);
    expect(totalsIn(lastIn(issuance))).toBe("-150.00 / -31.50 / -181.50");
    expect(remainingOf(issuance, "e1")).toEqual([]);
  });

  test.each<[string, string, Partial<InvoiceRequest>, string]>([
    ["all that is stated of one issued elsewhere", "-1x100@21", {}, "-100.00 / -21.00 / -121.00"],
    ["an increase of one issued elsewhere", "1x50@21", {}, "50.00 / 10.50 / 60.50"],
    ["another rate of one issued elsewhere", "-1x100@21 1x100@10", {}, "0.00 / -11.00 / -11.00"],
    ["its gross where prices have their tax", "-1x121@21", GROSS, "-100.00 / -21.00 / -121.00"],
  ])("%s", (_, text, change, expected) => {
    const view = issued(refund("e1", text, { rectifies: [elsewhere()], ...change }));
    expect(totalsIn(view)).toBe(expected);
  });

  test.each<[string, string, Partial<InvoiceRequest>, object]>([
    [
      "a cent more than is stated",
      "-1x100.01@21",
      {},
      { requested: eur("100.01"), remaining: eur("100.00") },
    ],
    [
      "a cent more of the gross",
      "-1x121.01@21",
      GROSS,
      { requested: eur("121.01"), remaining: eur("121.00") },
    ],
  ])("%s of one issued elsewhere is refused", (_, text, change, figures) => {
    expect(refusalOf(refund("e1", text, { rectifies: [elsewhere()], ...change }))).toEqual({
      code: "rectification_exceeds",
      facts: { rate: { all: [percent("21")] }, ...figures },
    });
  });

  test("amounts of this connection's invoices do not fall on one issued elsewhere", () => {
    const lines = linesOf("-1x200@21");
    const mixed = { rectifies: [{ externalId: "e1" }, elsewhere()], lines };
    const issuance = issueAll([aRequest("e1"), refund("r1", "-1x200@21", mixed)]);
    expect(issuance.outcomes.map(({ outcome }) => outcome)).toEqual(["issued", "issued"]);
    const beyond = { ...mixed, lines: linesOf("-1x200.01@21") };
    const refused = issueAll([aRequest("e1"), refund("r1", "-1x200.01@21", beyond)]);
    expect(refused.outcomes.map(({ outcome }) => outcome)).toEqual(["issued", "refused"]);
  });
});

describe("another currency", () => {
  test("parts at one rate add up to the exact negative, in euros too", () => {
    const issuance = issueAll([
      aRequest("e1", { ...USD, lines: linesOf("1x10@21") }),
      ...["-1x3.33@21", "-1x3.33@21", "-1x3.34@21"].map((text, index) =>
        refund(`r${index}`, text, USD, ["e1"]),
      ),
    ]);
    const [whole, ...parts] = issuance.outcomes.map(viewOf);
    expect(whole && groupsInEur(whole)).toEqual(["21: 9.09 / 1.91"]);
    expect(parts.flatMap(groupsInEur)).toEqual([
      "21: -3.03 / -0.64",
      "21: -3.02 / -0.63",
      "21: -3.04 / -0.64",
    ]);
    expect(parts.map(recordTotalsIn)).toEqual(["-0.64 / -3.67", "-0.63 / -3.65", "-0.64 / -3.68"]);
  });

  test("at another rate a part has the euros of its own rate", () => {
    const change = { ...USD, exchangeRate: decimal("1.25") };
    const view = issued([aRequest("e1", USD), refund("e2", "-1x100@21", change)]);
    expect(groupsInEur(view)).toEqual(["21: -80.00 / -16.80"]);
  });

  test("yen have no cents", () => {
    const yen = { currency: "JPY", exchangeRate: decimal("160"), exchangeRateDate: civilDate("2026-11-26") };
    const issuance = issueAll([
      aRequest("e1", { ...yen, lines: linesOf("1x1000@10") }),
      ...["-1x333@10", "-1x333@10", "-1x334@10"].map((text, index) => refund(`r${index}`, text, yen)),
    ]);
    expect(issuance.outcomes.map(viewOf).map(totalsIn)).toEqual([
      "1000 / 100 / 1100",
      "-333 / -33 / -366",
      "-333 / -33 / -366",
      "-334 / -34 / -368",
    ]);
  });
});

test("the record says I, names the corrected invoice, and has no ImporteRectificacion", () => {
  const view = issued([aRequest("e1"), refund("e2", "-1x40@21")]);
  expect(altaOf(view)).toMatchObject({
    invoiceType: "R1",
    rectificationMethod: "I",
    rectified: [{ issuerNif: "B58378431", number: "API-1-2026-000001", date: "27-11-2026" }],
    breakdown: [{ base: "-40.00", taxAmount: "-8.40" }],
  });
  expect(altaOf(view).rectifiedAmounts).toBeUndefined();
});

function refund(
  externalId: string,
  text: string,
  change: Partial<InvoiceRequest> = {},
  of: readonly string[] = ["e1"],
): InvoiceRequest {
  return correcting(aRequest(externalId, { lines: linesOf(text) }), of, change);
}

/** `gross -1x4.03@21` has prices with tax, `-1x3.33@21+5.2` a surcharge. */
function partOf(index: number, part: string): InvoiceRequest {
  const [text = "", surcharge] = part.replace("gross ", "").split("+");
  const change = surcharge === undefined ? {} : { surchargeRate: decimal(surcharge) };
  const lines = linesOf(text, change);
  return refund(`r${index}`, "-1x1@21", { lines, pricesIncludeTax: part.startsWith("gross") });
}
