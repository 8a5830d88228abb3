/** The amounts of an order: groups from its own amounts, discounts, vouchers, fees, currencies. */
import { describe, expect, test } from "vitest";
import type { OrderFacts } from "../../../src/domain/order/facts.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  A_COMPANY,
  A_PERSON,
  aDiscount,
  anOrder,
  decide,
  groupsIn,
  linesOf,
  onlyIssue,
  outcomeOf,
  type Situation,
  totalsIn,
  unmapped,
} from "../../support/builders/orders.ts";

type Row = readonly [name: string, order: OrderFacts, situation: Situation, groups: readonly string[]];

const times = (count: number, line: string) => Array.from({ length: count }, () => line).join(" ");

describe("groups", () => {
  test.each<Row>([
    [
      "the sum is rounded, not the lines",
      anOrder({ breakdown: linesOf(times(3, "0.333+0.07@21")) }),
      {},
      ["21: 1.00 / 0.21"],
    ],
    [
      "a cent that is missing goes to the largest remainder",
      anOrder({ breakdown: linesOf("1+0.214@21 1+0.104@10"), total: decimal("2.32") }),
      {},
      ["21: 1.00 / 0.22", "10: 1.00 / 0.10"],
    ],
    [
      "a cent too many leaves the smallest",
      anOrder({ breakdown: linesOf("1+0.205@21 1+0.106@10"), total: decimal("2.31") }),
      {},
      ["21: 1.00 / 0.20", "10: 1.00 / 0.11"],
    ],
    [
      "a returned line of another rate stays in its group",
      anOrder({ breakdown: linesOf("31.50+1.26@4 -4.13+-0.87@21 shipping:8.13+1.71@21") }),
      {},
      ["4: 31.50 / 1.26", "21: 4.00 / 0.84"],
    ],
    [
      "a line of nothing has no tax to be judged",
      anOrder({ breakdown: linesOf("100+21@21 shipping:0+0@0 0+0@33") }),
      {},
      ["21: 100.00 / 21.00"],
    ],
    [
      "a combined rate is rate and surcharge",
      anOrder({
        breakdown: linesOf("100+26.20@26.2 10+1.14@11.4 10+0.45@4.5 10+2.28@22.75"),
        client: A_COMPANY,
      }),
      {},
      [
        "21: 100.00 / 21.00 + 5.20",
        "10: 10.00 / 1.00 + 0.14",
        "4: 10.00 / 0.40 + 0.05",
        "21: 10.00 / 2.10 + 0.18",
      ],
    ],
    [
      "a surcharge of its own",
      anOrder({
        breakdown: linesOf("100+21@21").map((line) => ({
          ...line,
          surchargeRate: decimal("5.2"),
          surcharge: decimal("5.20"),
        })),
        client: A_COMPANY,
      }),
      {},
      ["21: 100.00 / 21.00 + 5.20"],
    ],
    [
      "a surcharge rate with its amount within the tax",
      anOrder({
        breakdown: linesOf("100+26.20@21").map((line) => ({ ...line, surchargeRate: decimal("5.2") })),
        client: A_COMPANY,
      }),
      {},
      ["21: 100.00 / 21.00 + 5.20"],
    ],
    [
      "IGIC of an issuer in the Canaries",
      anOrder({ breakdown: linesOf("100+7@7"), client: { ...A_PERSON, postcode: "38001" } }),
      { issuer: { territory: "canarias" } },
      ["7: 100.00 / 7.00"],
    ],
    [
      "a refund before the invoice is not in it",
      anOrder({
        breakdown: linesOf("100+21@21 100+10@10"),
        events: [{ id: "r1", type: "refund", amount: decimal("-110"), lines: linesBack("100+10@10") }],
      }),
      {},
      ["21: 100.00 / 21.00"],
    ],
    [
      "a part of it neither",
      anOrder({ events: [{ id: "r1", type: "refund", amount: decimal("-24.20"), lines: [] }] }),
      {},
      ["21: 80.00 / 16.80"],
    ],
  ])("%s", (_, order, situation, groups) => {
    expect(groupsIn(onlyIssue(decide(order, situation)))).toEqual(groups);
  });
});

describe("discounts", () => {
  const mixed = "40+4@10 shipping:5+1.05@21";
  test.each<Row>([
    [
      "delivery is spared",
      anOrder({ breakdown: linesOf(mixed), discounts: [aDiscount("10")] }),
      {},
      ["10: 30.91 / 3.09", "21: 5.00 / 1.05"],
    ],
    [
      "a hundred small lines",
      anOrder({ breakdown: linesOf(times(100, "0.83+0.17@21")), discounts: [aDiscount("99")] }),
      {},
      ["21: 0.83 / 0.17"],
    ],
    [
      "the excess over the goods reduces the delivery",
      anOrder({ breakdown: linesOf(mixed), discounts: [aDiscount("47.03")] }),
      {},
      ["21: 2.50 / 0.52"],
    ],
    [
      "ties go to the higher rate",
      anOrder({ breakdown: linesOf("10+1@10 9.09+1.91@21"), discounts: [aDiscount("0.01")] }),
      {},
      ["10: 10.00 / 1.00", "21: 9.08 / 1.91"],
    ],
    [
      "loyalty points are a discount",
      anOrder({ discounts: [aDiscount("21", { kind: "loyalty" })] }),
      {},
      ["21: 82.64 / 17.36"],
    ],
    [
      "a gift card pays: the sale is invoiced in full",
      anOrder({ discounts: [aDiscount("121", { kind: "gift_card" })], total: decimal("0") }),
      {},
      ["21: 100.00 / 21.00"],
    ],
    [
      "customer credit pays where it was declared so",
      anOrder({ discounts: [aDiscount("121", { kind: "customer_credit" })], total: decimal("0") }),
      { sales: { customerCredit: "payment" } },
      ["21: 100.00 / 21.00"],
    ],
    [
      "an unknown discount that the owner has named",
      anOrder({ discounts: [aDiscount("21", { kind: "unknown" })] }),
      { answers: { discounts: { Cupón: "discount" } } },
      ["21: 82.64 / 17.36"],
    ],
    [
      "for some lines only",
      anOrder({
        breakdown: linesOf("100+21@21#a 100+10@10#b"),
        discounts: [aDiscount("11", { lines: ["b"] })],
      }),
      {},
      ["21: 100.00 / 21.00", "10: 90.00 / 9.00"],
    ],
    [
      "more than those lines: the rest is for all",
      anOrder({
        breakdown: linesOf("100+21@21#a 10+1@10#b"),
        discounts: [aDiscount("12", { lines: ["b"] })],
      }),
      {},
      ["21: 99.17 / 20.83"],
    ],
    [
      "for the delivery only: the goods are spared",
      anOrder({
        breakdown: linesOf("100+10@10 shipping:5+1.05@21#s"),
        discounts: [aDiscount("6.05", { lines: ["s"] })],
      }),
      {},
      ["10: 100.00 / 10.00"],
    ],
    [
      "for the delivery, and another that is shared by the goods alone",
      anOrder({
        breakdown: linesOf("100+21@21 100+10@10 shipping:5+1.05@21#s"),
        discounts: [aDiscount("23.10"), aDiscount("6.05", { lines: ["s"] })],
      }),
      {},
      ["21: 90.00 / 18.90", "10: 90.00 / 9.00"],
    ],
    [
      "more than the delivery that it is for: the rest is for the goods",
      anOrder({
        breakdown: linesOf("100+10@10 shipping:5+1.05@21#s"),
        discounts: [aDiscount("17.05", { lines: ["s"] })],
      }),
      {},
      ["10: 90.00 / 9.00"],
    ],
    [
      "included: only printed",
      anOrder({ discounts: [aDiscount("21", { included: true })] }),
      {},
      ["21: 100.00 / 21.00"],
    ],
    [
      "included by declaration",
      anOrder({ discounts: [aDiscount("21")], total: decimal("121") }),
      { sales: { discountsIncluded: true } },
      ["21: 100.00 / 21.00"],
    ],
    [
      "an amount outside the lines declared as discount",
      anOrder({ unmappedTotals: [unmapped("promo", "-21")] }),
      { sales: { treatments: { promo: { as: "discount" } } } },
      ["21: 82.64 / 17.36"],
    ],
    [
      "with a surcharge in the group",
      anOrder({ breakdown: linesOf("100+26.20@26.2"), discounts: [aDiscount("63.10")], client: A_COMPANY }),
      {},
      ["21: 50.00 / 10.50 + 2.60"],
    ],
  ])("%s", (_, order, situation, groups) => {
    expect(groupsIn(onlyIssue(decide(order, situation)))).toEqual(groups);
  });

  test.each<[string, OrderFacts, Situation, string]>([
    ["more than everything", anOrder({ discounts: [aDiscount("122")] }), {}, "held not_invoiceable"],
    ["negative", anOrder({ discounts: [aDiscount("-5")] }), {}, "held treatment_sign"],
    [
      "credit that brings the total to nothing, as the owner has said",
      anOrder({ discounts: [aDiscount("121", { kind: "customer_credit" })] }),
      { answers: { discounts: { Cupón: "discount" } } },
      "stored zero_total",
    ],
  ])("%s", (_, order, situation, outcome) => {
    expect(outcomeOf(decide(order, situation))).toBe(outcome);
  });

  test("one line per rate says what they took", () => {
    const order = anOrder({ breakdown: linesOf("100+21@21 100+10@10"), discounts: [aDiscount("20")] });
    const { document } = onlyIssue(decide(order)).draft;
    const lines = document.request.lines.map(({ description, taxRate }, index) =>
      [description, taxRate, document.lineAmounts[index]].join(" "),
    );
    expect(lines).toEqual(["Artículo 21 100", "Artículo 10 100", "Cupón 21 -8.66", "Cupón 10 -8.65"]);
  });

  test("the means of payment are shown with the invoice", () => {
    const effect = onlyIssue(
      decide(anOrder({ discounts: [aDiscount("21", { kind: "gift_card", name: "Tarjeta" })] })),
    );
    expect(effect.draft.document.payments).toEqual([{ name: "Tarjeta", amount: "21" }]);
    expect(totalsIn(effect)).toBe("100.00 / 21.00 / 121.00");
  });
});

describe("gift vouchers", () => {
  test.each<[string, OrderFacts, Situation, string]>([
    [
      "a multi-purpose one is left out",
      anOrder({ breakdown: linesOf("100+21@21 gift_voucher:50+0@0") }),
      {},
      "100.00 / 21.00 / 121.00",
    ],
    [
      "a single-purpose one is an ordinary line",
      anOrder({ breakdown: linesOf("gift_voucher:50+10.50@21") }),
      { sales: { voucherKind: "single_purpose" } },
      "50.00 / 10.50 / 60.50",
    ],
  ])("%s", (_, order, situation, totals) => {
    expect(totalsIn(onlyIssue(decide(order, situation)))).toBe(totals);
  });

  test.each<[string, OrderFacts]>([
    ["a single-purpose one without tax", anOrder({ breakdown: linesOf("100+21@21 gift_voucher:50+0@21") })],
    ["the redemption of one", anOrder({ discounts: [aDiscount("21", { kind: "gift_card" })] })],
  ])("%s is held", (_, order) => {
    const decision = decide(order, { sales: { voucherKind: "single_purpose" } });
    expect(decision.reasons.map(({ code }) => code)).toContain("voucher_kind_conflict");
  });
});

describe("amounts outside the lines", () => {
  test("a true deposit is no part of the invoice", () => {
    const order = anOrder({ unmappedTotals: [unmapped("deposit", "30")] });
    const effect = onlyIssue(
      decide(order, { sales: { treatments: { deposit: { as: "ignore_non_taxable" } } } }),
    );
    expect(totalsIn(effect)).toBe("100.00 / 21.00 / 121.00");
    expect(effect.draft.document.payments).toBeUndefined();
  });

  test("a fee of another rate is a group of its own", () => {
    const order = anOrder({ breakdown: linesOf("100+10@10"), unmappedTotals: [unmapped("cod", "3")] });
    const treatments = { cod: { as: "fee", rate: decimal("21") } } as const;
    expect(groupsIn(onlyIssue(decide(order, { sales: { treatments } })))).toEqual([
      "10: 100.00 / 10.00",
      "21: 2.48 / 0.52",
    ]);
  });

  test("the owner's answer about this order outranks the declaration", () => {
    const order = anOrder({ unmappedTotals: [unmapped("cod", "3.63")] });
    const situation = {
      sales: { treatments: { cod: { as: "hold" } } },
      answers: { treatments: { cod: { as: "fee", rate: decimal("21") } } },
    } as const;
    expect(totalsIn(onlyIssue(decide(order, situation)))).toBe("103.00 / 21.63 / 124.63");
  });
});

describe("tolerance of a line's tax", () => {
  const line = (tax: string, quantity: string) =>
    anOrder({
      breakdown: linesOf(`100+${tax}@21`).map((each) => ({ ...each, quantity: decimal(quantity) })),
    });
  test.each([
    ["one piece: 0.015", "21.015", "1", "invoiced"],
    ["one piece, more", "21.016", "1", "held tax_mismatch"],
    ["ten pieces: 0.06", "20.94", "10", "invoiced"],
    ["a thousand: no more than 0.25", "21.25", "1000", "invoiced"],
    ["a thousand, more", "21.26", "1000", "held tax_mismatch"],
  ])("%s", (_, tax, quantity, outcome) => {
    expect(outcomeOf(decide(line(tax, quantity)))).toBe(outcome);
  });

  const many = (count: number, text: string) =>
    anOrder({
      breakdown: linesOf(Array.from({ length: count }, () => text).join(" ")),
      client: A_COMPANY,
    });

  test.each([
    // 0.83 at 21 % is 0.1743: 0.0043 a line, 9.9975 in 2,325 lines.
    ["EUR 9.9975 in all: the AEAT takes it", 2325, "0.83+0.17@21", "invoiced"],
    ["EUR 10.0018 in all: it would reject the record", 2326, "0.83+0.17@21", "held tax_mismatch"],
    ["EUR 10.0035 too much", 1755, "0.83+0.18@21", "held tax_mismatch"],
    ["EUR 9.9978 too much", 1754, "0.83+0.18@21", "invoiced"],
    ["no rate, no tax", 2500, "0.83+0@0", "held zero_rate_basis_missing"],
  ])("of all lines of a rate, %s", (_, count, text, outcome) => {
    expect(outcomeOf(decide(many(count, text)))).toBe(outcome);
  });

  test("a fault of all lines of a rate is reported for the rate, in euros", () => {
    const [reason] = decide(many(2500, "0.83+0.17@21")).reasons;
    expect(reason?.facts).toEqual({
      line: { phrase: "all_at_rate", rate: { percent: decimal("21") } },
      rate: { percent: decimal("21") },
      base: { amount: "2075.00", currency: "EUR" },
      expected: { amount: "435.75", currency: "EUR" },
      tax: { amount: "425.00", currency: "EUR" },
    });
  });

  test("at 0 % there is none", () => {
    const order = anOrder({ breakdown: linesOf("100+0.01@0") });
    expect(outcomeOf(decide(order, { sales: { zeroRateBasis: "E1" } }))).toBe("held tax_mismatch");
  });

  test("the rate is judged on the day of the sale", () => {
    const order = anOrder({ breakdown: linesOf("100+5@5"), operationDate: civilDate("2024-09-30") });
    expect(outcomeOf(decide(order))).toBe("invoiced");
  });
});

describe("currencies", () => {
  const rates = () => ({ outcome: "found", rate: decimal("1.1") }) as const;
  test("each group is converted for itself, the limit compares euros", () => {
    const order = anOrder({ breakdown: linesOf("363.64+76.36@21"), currency: "USD" });
    const effect = onlyIssue(decide(order, { rates }));
    const { groups, totalsEur, request } = effect.draft.document;
    expect(groups[0]?.eur).toEqual({ base: "330.58", tax: "69.42", surcharge: "0" });
    expect([totalsEur.total, request.invoiceType]).toEqual(["400", "F2"]);
  });

  test("yen have no decimals", () => {
    const order = anOrder({ breakdown: linesOf("1000+210@21"), currency: "JPY" });
    expect(
      totalsIn(onlyIssue(decide(order, { rates: () => ({ outcome: "found", rate: decimal("160") }) }))),
    ).toBe("1000 / 210 / 1210");
  });

  test("a rate that is to come is waited for, by its day", () => {
    const decision = decide(anOrder({ currency: "USD" }));
    expect(decision.waitsForRate).toEqual({ day: "2026-11-26", currency: "USD" });
  });

  test.each([
    ["a currency that the ECB does not quote", "ARS", "not_quoted"],
    ["a rate that does not come", "USD", "not_yet"],
  ] as const)("the owner gives a rate: %s", (_, currency, outcome) => {
    const exchangeRate = { rate: decimal("2"), date: civilDate("2026-11-20") };
    const effect = onlyIssue(
      decide(anOrder({ currency }), { rates: () => ({ outcome }), answers: { exchangeRate } }),
    );
    const { request, totalsEur } = effect.draft.document;
    expect([request.exchangeRate, request.exchangeRateDate, totalsEur.total]).toEqual([
      "2",
      "2026-11-20",
      "60.5",
    ]);
  });
});

describe("warnings", () => {
  test.each([
    ["the tax of the lines", {}, "21", []],
    ["another tax", {}, "20", ["total_tax_differs"]],
    ["the tax of the invoice", { discounts: [aDiscount("21")] }, "17.36", []],
    ["late", { operationDate: civilDate("2026-11-26") }, "21", ["issued_late"]],
    [
      "a business has until the 15th",
      { operationDate: civilDate("2026-10-31"), client: A_COMPANY },
      "21",
      ["issued_late"],
    ],
    ["and that day is in time", { operationDate: civilDate("2026-11-01"), client: A_COMPANY }, "21", []],
  ])("%s", (_, change, totalTax, codes) => {
    const { warnings } = decide(anOrder({ ...change, totalTax: decimal(totalTax) }));
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  });
});

function linesBack(text: string) {
  return linesOf(text).map(({ base, tax, taxRate }) => ({
    baseDelta: decimal(`-${base}`),
    taxDelta: decimal(`-${tax}`),
    taxRate,
  }));
}
