/** Cents between an order's lines and its total, and orders that only try the shop: figures computed apart. */
import { describe, expect, test } from "vitest";
import type { OrderAnswer } from "../../../src/domain/order/answers/table.ts";
import type { OrderFacts } from "../../../src/domain/order/facts.ts";
import { answersToReason } from "../../../src/domain/order/reasons.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { answering, asItStands, later, placed, verdict } from "../../support/builders/answers.ts";
import { eur, percent } from "../../support/builders/facts.ts";
import {
  A_COMPANY,
  aDiscount,
  anOrder,
  CANCELLATION,
  decide,
  groupsIn,
  linesOf,
  onlyIssue,
  outcomeOf,
  type Situation,
  totalsIn,
} from "../../support/builders/orders.ts";

const THREE = "0.83+0.17@21 0.83+0.17@21 0.83+0.17@21";

/** Lines, the total that the shop says, and its tax in all. */
function adding(
  lines: string,
  total: string,
  totalTax?: string,
  change: Partial<OrderFacts> = {},
): OrderFacts {
  return anOrder({
    breakdown: linesOf(lines),
    total: decimal(total),
    ...(totalTax === undefined ? {} : { totalTax: decimal(totalTax) }),
    ...change,
  });
}

const lines = (count: number) => Array.from({ length: count }, () => "0.83+0.17@21").join(" ");
const ROUND_AT = (rate: string): Situation => ({ sales: { roundingRate: decimal(rate) } });
const EXEMPT = { sales: { zeroRateBasis: "E1" } } as const;

describe("a difference of rounding goes into the tax", () => {
  test.each<[string, OrderFacts, Situation, string[], string]>([
    [
      "three lines of one rate, and the shop's tax in all has the cent",
      adding(THREE, "3.01", "0.52"),
      {},
      ["21: 2.49 / 0.52"],
      "2.49 / 0.52 / 3.01",
    ],
    ["a cent less", adding(THREE, "2.99", "0.50"), {}, ["21: 2.49 / 0.50"], "2.49 / 0.50 / 2.99"],
    ["a cent a line", adding(THREE, "3.03", "0.54"), {}, ["21: 2.49 / 0.54"], "2.49 / 0.54 / 3.03"],
    [
      "ten cents of more lines",
      adding(lines(12), "12.10", "2.14"),
      {},
      ["21: 9.96 / 2.14"],
      "9.96 / 2.14 / 12.10",
    ],
    [
      "one taxed rate next to lines at 0 %: tax can only be of the taxed one",
      adding(`${THREE} 10+0@0`, "13.01", "0.52"),
      EXEMPT,
      ["21: 2.49 / 0.52", "0: 10.00 / 0.00"],
      "12.49 / 0.52 / 13.01",
    ],
    [
      "a rate with the recargo within",
      adding("10+2.62@26.2 10+2.62@26.2", "25.25", "5.25", { client: A_COMPANY }),
      {},
      ["21: 20.00 / 4.21 + 1.04"],
      "20.00 / 4.21 / 25.25",
    ],
    [
      "the rate that the owner has chosen for all, where the shop's tax says nothing",
      adding(THREE, "3.01"),
      ROUND_AT("21"),
      ["21: 2.49 / 0.52"],
      "2.49 / 0.52 / 3.01",
    ],
    [
      "of two rates the owner's choice",
      adding(`${THREE} 3+0.3@10`, "6.31", "0.82"),
      ROUND_AT("10"),
      ["21: 2.49 / 0.51", "10: 3.00 / 0.31"],
      "5.49 / 0.82 / 6.31",
    ],
    [
      "0 %, which has no tax: the base takes it",
      adding("3.33+0@0 3.33+0@0 3.33+0@0", "10.00"),
      { sales: { ...EXEMPT.sales, roundingRate: decimal("0") } },
      ["0: 10.00 / 0.00"],
      "10.00 / 0.00 / 10.00",
    ],
    [
      "with a discount outside the lines, before it is taken",
      adding(THREE, "2.01", "0.52", { discounts: [aDiscount("1")] }),
      {},
      ["21: 1.66 / 0.35"],
      "1.66 / 0.35 / 2.01",
    ],
  ])("%s", (_, order, situation, groups, totals) => {
    const effect = onlyIssue(decide(order, situation));
    expect(groupsIn(effect)).toEqual(groups);
    expect(totalsIn(effect)).toBe(totals);
  });

  test("yen are counted in yen", () => {
    const rates = () => ({ outcome: "found", rate: decimal("160") }) as const;
    const order = adding("100+10@21 100+32@21", "243", "43", { currency: "JPY" });
    expect(
      totalsIn(onlyIssue(decide({ ...order, breakdown: linesOf("100+21@21 100+21@21") }, { rates }))),
    ).toBe("200 / 43 / 243");
  });
});

describe("else the order waits, and says which rates could take the difference", () => {
  test.each<[string, OrderFacts, Situation, string[]]>([
    ["the shop's tax in all is not sent", adding(THREE, "3.01"), {}, ["21"]],
    ["the shop's tax in all is that of the lines", adding(THREE, "3.01", "0.51"), {}, ["21"]],
    ["two rates", adding(`${THREE} 3+0.3@10`, "6.31", "0.82"), {}, ["21", "10"]],
    ["another rate is chosen for all", adding(THREE, "3.01"), ROUND_AT("10"), ["21"]],
    ["a rate without tax to take from", adding("0.02+0@21 3+0.3@10", "3.31"), {}, ["10"]],
  ])("%s", (_, order, situation, rates) => {
    const decision = decide(order, situation);
    expect(outcomeOf(decision)).toBe("held totals_mismatch");
    expect(decision.reasons[0]?.facts.rates).toEqual({ all: rates.map(percent) });
    expect(decision.reasons.map(answersToReason)).toEqual([["declare_sales", "rounding", "dismiss"]]);
  });

  test.each<[string, OrderFacts, string]>([
    ["more than a cent a line", adding(THREE, "3.04", "0.55"), "held totals_mismatch"],
    ["more than ten cents", adding(lines(12), "12.11", "2.15"), "held totals_mismatch"],
    [
      "lines of nothing are no lines of it",
      adding("1+0.21@21 0+0@21", "1.23", "0.23"),
      "held totals_mismatch",
    ],
    [
      "a discount of cents that the lines have already",
      adding(THREE, "3.00", "0.51", { discounts: [aDiscount("0.02")] }),
      "held totals_mismatch discounts_probably_included",
    ],
    [
      "tax totals that make the total neither",
      adding(THREE, "3.02", "0.53", { taxTotals: [{ rate: decimal("21"), tax: decimal("0.52") }] }),
      "held totals_mismatch",
    ],
  ])("not for %s", (_, order, told) => {
    for (const situation of [{}, ROUND_AT("21")]) {
      const decision = decide(order, situation);
      expect(outcomeOf(decision)).toBe(told);
      expect(decision.reasons[0]?.facts).not.toHaveProperty("rates");
      expect(answersToReason(decision.reasons[0] ?? fail())).toEqual(["declare_sales", "dismiss"]);
    }
  });
});

function fail(): never {
  throw new Error("no reason");
}

describe("the owner's answer", () => {
  const rounding = (rate: string): OrderAnswer => ({ answer: "rounding", rate: decimal(rate) });
  const TWO_RATES = adding(`${THREE} 3+0.3@10`, "6.31");

  test("names the rate that takes it, in this order", () => {
    const done = answering(placed(TWO_RATES), rounding("10"));
    expect(totalsIn(onlyIssue(done.course.decision))).toBe("5.49 / 0.82 / 6.31");
    expect(groupsIn(onlyIssue(done.course.decision))).toEqual(["21: 2.49 / 0.51", "10: 3.00 / 0.31"]);
    expect(verdict(done, rounding("21"))).toBe("order_already_invoiced");
    expect(outcomeOf(later(done, { tags: ["x"] }).course.decision)).toBe("invoiced");
  });

  test("by the rate with its recargo, or by that of the tax", () => {
    const order = adding("10+2.62@26.2 3+0.3@10", "15.93", undefined, { client: A_COMPANY });
    for (const rate of ["26.2", "21"]) {
      const effect = onlyIssue(answering(placed(order), rounding(rate)).course.decision);
      expect(groupsIn(effect)).toEqual(["21: 10.00 / 2.11 + 0.52", "10: 3.00 / 0.30"]);
    }
  });

  test.each<[string, OrderFacts, string, string]>([
    ["a rate that the order does not have", TWO_RATES, "4", "rounding_rate_unknown"],
    ["a difference beyond rounding", adding(THREE, "3.50"), "21", "difference_not_rounding"],
    [
      "an order that waits for something else",
      anOrder({ tags: ["x"], breakdown: linesOf("1000+210@21") }),
      "21",
      "rounding_not_awaited",
    ],
    ["an order that is invoiced", anOrder(), "21", "order_already_invoiced"],
  ])("is refused for %s", (_, order, rate, refusal) => {
    expect(verdict(placed(order), rounding(rate))).toBe(refusal);
  });
});

describe("tax totals that contradict the lines are released as the lines say", () => {
  const bad = [{ rate: decimal("21"), tax: decimal("0.90") }];

  test("of these facts alone: others are judged anew", () => {
    const order = adding(`${THREE} 1000+0@0`, "1003", undefined, { taxTotals: bad });
    const place = placed(order, EXEMPT);
    expect(asItStands(place).reasons.map(({ code }) => code)).toEqual(["tax_totals_mismatch"]);
    const released = answering(place, { answer: "release" });
    expect(outcomeOf(released.course.decision)).toBe("held recipient_incomplete");
    const other = [{ rate: decimal("21"), tax: decimal("0.91") }];
    expect(outcomeOf(later(released, { taxTotals: other }).course.decision)).toBe("held tax_totals_mismatch");
    const identified = later(released, { client: A_COMPANY });
    expect(totalsIn(onlyIssue(identified.course.decision))).toBe("1002.49 / 0.51 / 1003.00");
  });

  test("cents between them and the total are then rounding's", () => {
    const released = answering(placed(adding(THREE, "3.01", undefined, { taxTotals: bad })), {
      answer: "release",
    });
    expect(outcomeOf(released.course.decision)).toBe("held totals_mismatch");
    expect(released.course.decision.reasons[0]?.facts).toEqual({
      computed: eur("3.00"),
      total: eur("3.01"),
      difference: eur("0.01"),
      rates: { all: [percent("21")] },
    });
  });
});

describe("an order that tries the shop", () => {
  const trial = (change: Partial<OrderFacts> = {}) => anOrder({ isTest: true, ...change });

  test.each<[string, OrderFacts, Situation, string]>([
    ["is kept and not invoiced", trial(), {}, "stored test_order"],
    ["though it is cancelled", trial({ isCancelled: true, events: [CANCELLATION] }), {}, "stored test_order"],
    ["though nothing is asked for", trial({ isCandidate: false }), {}, "stored test_order"],
    ["with any amounts", trial({ total: decimal("1") }), {}, "stored test_order"],
    ["after consent", trial(), { issuer: { consented: false } }, "deferred deferred"],
    [
      "after the cutoff",
      trial({ orderedAt: Date.parse("2025-12-31T12:00:00+01:00") }),
      {},
      "before_cutoff before_cutoff",
    ],
    [
      "after the selected stores",
      trial({ storeId: "2" }),
      { settings: { selectedStores: ["1"] } },
      "store_not_selected store_not_selected",
    ],
  ])("%s", (_, order, situation, told) => {
    const decision = decide(order, situation);
    expect(outcomeOf(decision)).toBe(told);
    expect(decision.effects).toEqual([]);
  });

  test("is decided anew when a later payload calls it a sale", () => {
    const { isTest: _, ...sale } = trial();
    expect(outcomeOf(decide(sale))).toBe("invoiced");
  });

  test("is invoiced once the owner releases it", () => {
    const place = placed(trial());
    const released = answering(place, { answer: "release" });
    expect(outcomeOf(released.course.decision)).toBe("invoiced");
    expect(verdict(released, { answer: "release" })).toBe("repeat");
  });

  test("is released from the cutoff and from being a trial one after the other", () => {
    const place = placed(trial({ orderedAt: Date.parse("2025-12-31T12:00:00+01:00") }));
    const inTime = answering(place, { answer: "release" });
    expect(outcomeOf(inTime.course.decision)).toBe("stored test_order");
    expect(outcomeOf(answering(inTime, { answer: "release" }).course.decision)).toBe("invoiced");
  });

  test("changes nothing when it was invoiced before it was called so", () => {
    const after = later(placed(anOrder()), { isTest: true });
    expect(outcomeOf(after.course.decision)).toBe("invoiced");
    expect(after.course.issued).toHaveLength(1);
  });
});
