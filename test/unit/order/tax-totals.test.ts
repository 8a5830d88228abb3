/** A shop's tax by rate, next to its lines: figures to the cent, computed separately. */
import { describe, expect, test } from "vitest";
import { UNDECLARED } from "../../../src/domain/billing/sales-settings.ts";
import {
  fiscalFingerprint,
  type OrderFacts,
  type OrderLine,
  type TaxTotal,
} from "../../../src/domain/order/facts.ts";
import { NOT_STATED } from "../../../src/domain/order/reasons.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { eur, percent } from "../../support/builders/facts.ts";
import {
  A_COMPANY,
  aDiscount,
  anOrder,
  codesOf,
  course,
  decide,
  groupsIn,
  linesOf,
  next,
  onlyIssue,
  outcomeOf,
  refundOf,
  type Situation,
  totalsIn,
  unmapped,
} from "../../support/builders/orders.ts";

/** `21: 2.49 / 0.52`, `21: - / 0.52`, `21+5.2: 100 / 21 + 5.2`: rate, base, tax and recargo. */
function totalsOf(text: string): TaxTotal[] {
  return text.split(", ").map((each) => {
    const [, rate = "", surchargeRate, base = "", tax = "", surcharge] =
      /^([\d.]+)(?:\+([\d.]+))?: (-|-?[\d.]+) \/ (-?[\d.]+)(?: \+ (-?[\d.]+))?$/.exec(each) ?? [];
    if (tax === "") throw new Error(`no total: ${each}`);
    return {
      rate: decimal(rate),
      ...(base === "-" ? {} : { base: decimal(base) }),
      tax: decimal(tax),
      ...(surchargeRate === undefined ? {} : { surchargeRate: decimal(surchargeRate) }),
      ...(surcharge === undefined ? {} : { surcharge: decimal(surcharge) }),
    };
  });
}

function withRecargo(base: string, tax: string, surcharge: string): OrderLine {
  const [line] = linesOf(`${base}+${tax}@21`);
  if (!line) throw new Error("no line");
  return { ...line, surchargeRate: decimal("5.2"), surcharge: decimal(surcharge) };
}

function stating(totals: string, lines: string, total: string, change: Partial<OrderFacts> = {}): OrderFacts {
  return anOrder({
    breakdown: linesOf(lines),
    taxTotals: totalsOf(totals),
    total: decimal(total),
    ...change,
  });
}

const pieces = (quantity: string, text: string): OrderLine[] =>
  linesOf(text).map((line) => ({ ...line, quantity: decimal(quantity) }));

const THREE = "0.83+0.17@21 0.83+0.17@21 0.83+0.17@21";
const SIX = { breakdown: pieces("6", "27.9276+5.864796@21") };
const EXEMPT = { sales: { zeroRateBasis: "E1" } } as const;

describe("within the tolerance, the shop's totals are invoiced", () => {
  test.each<[string, OrderFacts, Situation, string[], string]>([
    [
      "three lines of 0.83 + 0.17 with tax rounded once by the shop",
      stating("21: - / 0.52", THREE, "3.01"),
      {},
      ["21: 2.49 / 0.52"],
      "2.49 / 0.52 / 3.01",
    ],
    [
      "six pieces of which the shop rounds the price of one",
      stating("21: 27.90 / 5.86", "1+1@21", "33.76", SIX),
      {},
      ["21: 27.90 / 5.86"],
      "27.90 / 5.86 / 33.76",
    ],
    [
      "totals that are the lines",
      stating("21: 100 / 21, 10: 50 / 5", "100+21@21 50+5@10", "176"),
      {},
      ["21: 100.00 / 21.00", "10: 50.00 / 5.00"],
      "150.00 / 26.00 / 176.00",
    ],
    [
      "both ways make the total, and the shop's cents go to the rates that it names",
      stating("21: - / 0.52, 10: - / 0.29", `${THREE} 3+0.3@10`, "6.30"),
      {},
      ["21: 2.49 / 0.52", "10: 3.00 / 0.29"],
      "5.49 / 0.81 / 6.30",
    ],
    [
      "a base that is not sent takes the cents of the total, the largest remainder first",
      stating("21: - / 2.10, 10: - / 2.00", "10.004+2.10084@21 20.004+2.0004@10", "34.11"),
      {},
      ["21: 10.01 / 2.10", "10: 20.00 / 2.00"],
      "30.01 / 4.10 / 34.11",
    ],
    [
      "lines at 0 % are in no total",
      stating("21: - / 0.52", `${THREE} 10+0@0`, "13.01"),
      EXEMPT,
      ["21: 2.49 / 0.52", "0: 10.00 / 0.00"],
      "12.49 / 0.52 / 13.01",
    ],
    [
      "entries of nothing, and of 0 %, say nothing",
      stating("21: - / 0.52, 10: 0 / 0, 0: 10 / 0", `${THREE} 10+0@0`, "13.01"),
      EXEMPT,
      ["21: 2.49 / 0.52", "0: 10.00 / 0.00"],
      "12.49 / 0.52 / 13.01",
    ],
    [
      "a rate of which so little is sold that its tax is nothing",
      stating("21: - / 0.51, 10: - / 0", `${THREE} 0.01+0.001@10`, "3.01"),
      {},
      ["21: 2.49 / 0.51", "10: 0.01 / 0.00"],
      "2.50 / 0.51 / 3.01",
    ],
    [
      "a line of nothing at another rate needs no entry",
      stating("21: - / 0.52", `${THREE} shipping:0+0@10`, "3.01"),
      {},
      ["21: 2.49 / 0.52"],
      "2.49 / 0.52 / 3.01",
    ],
    [
      "totals with more decimals than cents",
      stating("21: 27.900000 / 5.859", "1+1@21", "33.76", SIX),
      {},
      ["21: 27.90 / 5.86"],
      "27.90 / 5.86 / 33.76",
    ],
    [
      "a discount outside the lines reduces the shop's totals",
      stating("21: - / 0.52", THREE, "2.01", { discounts: [aDiscount("1")] }),
      {},
      ["21: 1.66 / 0.35"],
      "1.66 / 0.35 / 2.01",
    ],
    [
      "a discount that the lines have already takes nothing of it",
      stating("21: - / 0.52", THREE, "3.01", { discounts: [aDiscount("1", { included: true })] }),
      {},
      ["21: 2.49 / 0.52"],
      "2.49 / 0.52 / 3.01",
    ],
    [
      "a fee outside the lines is added",
      stating("21: - / 0.52", THREE, "15.11", { unmappedTotals: [unmapped("cod", "12.10")] }),
      { sales: { treatments: { cod: { as: "fee", rate: decimal("21") } } } },
      ["21: 12.49 / 2.62"],
      "12.49 / 2.62 / 15.11",
    ],
    [
      "a payment outside the lines changes nothing of it",
      stating("21: - / 0.52", THREE, "1.01", { unmappedTotals: [unmapped("card", "-2")] }),
      { sales: { treatments: { card: { as: "payment" } } } },
      ["21: 2.49 / 0.52"],
      "2.49 / 0.52 / 3.01",
    ],
    [
      "a voucher is left out of both",
      stating("21: - / 0.52", `${THREE} gift_voucher:50+0@0`, "53.01"),
      {},
      ["21: 2.49 / 0.52"],
      "2.49 / 0.52 / 3.01",
    ],
    [
      "a rate that has the recargo within is read as the lines' is",
      stating("26.2: 100 / 26.21", "100+26.2@26.2", "126.21", { client: A_COMPANY }),
      {},
      ["21: 100.00 / 21.01 + 5.20"],
      "100.00 / 21.01 / 126.21",
    ],
    [
      "a recargo with its own amount",
      anOrder({
        breakdown: [withRecargo("100", "21", "5.2")],
        taxTotals: totalsOf("21+5.2: 100 / 21 + 5.21"),
        total: decimal("126.21"),
        client: A_COMPANY,
      }),
      {},
      ["21: 100.00 / 21.00 + 5.21"],
      "100.00 / 21.00 / 126.21",
    ],
    [
      "one entry of a rate that is sold with recargo and without",
      anOrder({
        breakdown: [withRecargo("100", "21", "5.2"), ...linesOf("shipping:5+1.05@21")],
        taxTotals: totalsOf("21+5.2: 105 / 22.06 + 5.2"),
        total: decimal("132.26"),
        client: A_COMPANY,
      }),
      {},
      ["21: 100.00 / 21.01 + 5.20", "21: 5.00 / 1.05"],
      "105.00 / 22.06 / 132.26",
    ],
    [
      "two entries of that rate, distinguished by the recargo",
      anOrder({
        breakdown: [withRecargo("100", "21", "5.2"), ...linesOf("shipping:5+1.05@21")],
        taxTotals: totalsOf("21: 5 / 1.06, 21+5.2: 100 / 21 + 5.2"),
        total: decimal("132.26"),
        client: A_COMPANY,
      }),
      {},
      ["21: 100.00 / 21.00 + 5.20", "21: 5.00 / 1.06"],
      "105.00 / 22.06 / 132.26",
    ],
    [
      "at the very end of what rounding may make: 0.015 for a line of one piece",
      stating("21: 100.015 / 21", "100+21@21", "121.02"),
      {},
      ["21: 100.02 / 21.00"],
      "100.02 / 21.00 / 121.02",
    ],
    [
      "of many pieces no more than 0.25",
      stating("21: 100.25 / 21", "1+1@21", "121.25", { breakdown: pieces("1000", "100+21@21") }),
      {},
      ["21: 100.25 / 21.00"],
      "100.25 / 21.00 / 121.25",
    ],
  ])("%s", (_, order, situation, groups, totals) => {
    const effect = onlyIssue(decide(order, situation));
    expect(groupsIn(effect)).toEqual(groups);
    expect(totalsIn(effect)).toBe(totals);
  });

  test("a currency without decimals counts in its units", () => {
    const order = stating("21: - / 22", "100+21@21", "122", { currency: "JPY", client: A_COMPANY });
    const rates = () => ({ outcome: "found", rate: decimal("160") }) as const;
    const effect = onlyIssue(decide(order, { rates }));
    expect([groupsIn(effect), totalsIn(effect)]).toEqual([["21: 100 / 22"], "100 / 22 / 122"]);
    const beyond = { ...order, taxTotals: totalsOf("21: - / 23"), total: decimal("123") };
    expect(outcomeOf(decide(beyond, { rates }))).toBe("held totals_mismatch tax_totals_mismatch");
  });
});

describe("where the shop contradicts itself the order waits", () => {
  test.each([
    ["a tax beyond what rounding makes", "21: - / 0.56", THREE, "3.00", "21", "0.56", "0.51"],
    ["a base beyond it", "21: 2.40 / 0.51", THREE, "3.00", "21", "2.40", "2.49"],
    ["one piece, by a thousandth", "21: 100.016 / 21", "100+21@21", "121", "21", "100.02", "100.00"],
    ["another rate than the lines'", "21: - / 0.51, 10: - / 0.30", THREE, "3.00", "10", "0.30", "0.00"],
    ["a rate twice", "21: - / 0.51, 21: - / 0.51", THREE, "3.00", "21", "1.02", "0.51"],
    ["tax against its base", "21: - / -0.01", "0.01+0@21", "0.01", "21", "-0.01", "0.00"],
    ["tax of 0 %", "21: - / 0.51, 0: 10 / 1", `${THREE} 10+0@0`, "13.00", "0", "1.00", "0.00"],
    ["a recargo that no line has", "21+5.2: 100 / 21 + 5.2", "100+21@21", "121", "26.2", "5.20", "0.00"],
    [
      "lines of nothing with tax",
      "21: - / 0.51, 10: - / 0.01",
      `${THREE} 0+0@10`,
      "3.00",
      "10",
      "0.01",
      "0.00",
    ],
  ])("%s", (_, totals, lines, total, rate, stated, computed) => {
    const decision = decide(stating(totals, lines, total), EXEMPT);
    expect(outcomeOf(decision)).toBe("held tax_totals_mismatch");
    expect(decision.reasons[0]?.facts).toEqual({
      rate: percent(rate),
      stated: eur(stated),
      computed: eur(computed),
    });
  });

  test("a rate of the lines that the totals leave out", () => {
    const decision = decide(stating("21: - / 0.51", `${THREE} 10+1@10`, "14.00"));
    expect(outcomeOf(decision)).toBe("held tax_totals_mismatch");
    expect(decision.reasons[0]?.facts).toEqual({
      rate: percent("10"),
      stated: NOT_STATED,
      computed: eur("1.00"),
    });
  });

  test("more than 0.25 of many pieces", () => {
    const order = stating("21: 100.251 / 21", "1+1@21", "121", { breakdown: pieces("1000", "100+21@21") });
    expect(outcomeOf(decide(order))).toBe("held tax_totals_mismatch");
  });

  test("after an order that does not add up either", () => {
    expect(outcomeOf(decide(stating("21: - / 0.90", THREE, "9")))).toBe(
      "held totals_mismatch tax_totals_mismatch",
    );
  });

  test("where neither lines nor totals make the order's total", () => {
    const decision = decide(stating("21: - / 0.52", THREE, "3.02"));
    expect(outcomeOf(decision)).toBe("held totals_mismatch");
    expect(decision.reasons[0]?.facts).toEqual({
      computed: eur("3.00"),
      total: eur("3.02"),
      difference: eur("0.02"),
    });
  });

  test("it says so where the totals would do with the discounts included", () => {
    const order = stating("21: - / 0.52", THREE, "3.01", { discounts: [aDiscount("1")] });
    expect(outcomeOf(decide(order))).toBe("held totals_mismatch discounts_probably_included");
    const included = { sales: { discountsIncluded: true } };
    expect(totalsIn(onlyIssue(decide(order, included)))).toBe("2.49 / 0.52 / 3.01");
  });
});

test("where only the lines make the total, they count, with a warning", () => {
  const decision = decide(stating("21: - / 0.52", THREE, "3.00"));
  expect(totalsIn(onlyIssue(decision))).toBe("2.49 / 0.51 / 3.00");
  expect(decision.warnings).toEqual([
    {
      code: "tax_totals_differ",
      facts: { rate: percent("21"), stated: eur("0.52"), computed: eur("0.51") },
    },
  ]);
  const again = next(course(stating("21: - / 0.52", THREE, "3.00")), {});
  expect(again.decision.warnings).toEqual(decision.warnings);
});

describe("after the invoice", () => {
  const plain = () => course(anOrder({ breakdown: linesOf(THREE) }));

  test("later totals equal to the invoice change nothing", () => {
    const after = next(plain(), { taxTotals: totalsOf("21: - / 0.51") });
    expect(outcomeOf(after.decision)).toBe("invoiced");
    expect(outcomeOf(next(plain(), { taxTotals: totalsOf("21: 2.49 / 0.52") }).decision)).toBe("invoiced");
  });

  test("totals that contradict the lines hold the order, and a refund in it waits", () => {
    const refund = refundOf("r1", "0.83+0.17@21");
    const bad = { taxTotals: totalsOf("21: - / 0.90"), events: [refund] };
    const held = next(plain(), bad);
    expect(outcomeOf(held.decision)).toBe("held tax_totals_mismatch");
    expect(held.issued).toHaveLength(1);
    const about = held.decision.reasons[0]?.about ?? "";
    const dismissals = [{ code: "tax_totals_mismatch", about } as const];
    const settled = next(held, bad, { answers: { dismissals } });
    expect(outcomeOf(settled.decision)).toBe("partially_rectified");
    expect(next(held, { taxTotals: totalsOf("21: - / 0.51"), events: [refund] }).issued).toHaveLength(2);
  });

  test("an order that is sent net of its refunds, totals and all, is in order", () => {
    const sold = course(stating("21: - / 0.52", THREE, "3.01"));
    const after = next(sold, {
      breakdown: linesOf("0.83+0.17@21 0.83+0.17@21"),
      taxTotals: totalsOf("21: - / 0.35"),
      total: decimal("2.01"),
      events: [refundOf("r1", "0.83+0.17@21")],
    });
    expect(outcomeOf(after.decision)).toBe("partially_rectified");
    expect(totalsIn(after.issued[1] ?? onlyIssue(after.decision))).toBe("-0.83 / -0.17 / -1.00");
  });

  test("partial refunds sum to the invoice", () => {
    const sold = course(stating("21: 27.90 / 5.86", "1+1@21", "33.76", SIX));
    const events = [refundOf("r1", "13.95+2.93@21"), refundOf("r2", "13.9638+2.932398@21")];
    const after = next(sold, { events });
    expect(outcomeOf(after.decision)).toBe("rectified");
    expect(after.issued.slice(1).map(totalsIn)).toEqual([
      "-13.95 / -2.93 / -16.88",
      "-13.95 / -2.93 / -16.88",
    ]);
  });
});

describe("fingerprints", () => {
  test("an order without totals keeps its fingerprint from before there were any", () => {
    const facts = { ...anOrder(), taxTotals: undefined };
    const { taxTotals: _, ...before } = facts;
    expect(fiscalFingerprint(before)).toBe(FINGERPRINT_OF_121);
  });

  test("totals are fiscal facts", () => {
    const stated = [totalsOf("21: - / 21"), totalsOf("21: 100 / 21")].map((taxTotals) =>
      fiscalFingerprint(anOrder({ taxTotals })),
    );
    expect(new Set([FINGERPRINT_OF_121, ...stated]).size).toBe(3);
  });
});

const FINGERPRINT_OF_121 = "247c936ffa8566bed376079d375fd0a635efc2db20f4cb3856f9c1f7ee9e20cc";

test("while profiles leave the match open, a contradiction is reported with it", () => {
  const profile = { id: "p", name: "Web", channel: "web", stem: "W", sales: UNDECLARED };
  const decision = decide(stating("21: - / 0.90", THREE, "3"), { settings: { profiles: [profile] } });
  expect(codesOf(decision)).toEqual(["profile_not_matched", "tax_totals_mismatch"]);
});
