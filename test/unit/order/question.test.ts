/** Holds that ask the same question, and the orders of a question that a remembered answer decides. */
import { describe, expect, test } from "vitest";
import { UNDECLARED } from "../../../src/domain/billing/sales-settings.ts";
import { salesFor } from "../../../src/domain/order/apart.ts";
import type { OrderFacts } from "../../../src/domain/order/facts.ts";
import { questionOfOrder, questionParts } from "../../../src/domain/order/question.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  A_COMPANY,
  aDiscount,
  anOrder,
  codesOf,
  decide,
  groupsIn,
  linesOf,
  onlyIssue,
  type Situation,
  unmapped,
} from "../../support/builders/orders.ts";

function asks(change: Partial<OrderFacts>, situation: Situation = {}): string | undefined {
  const facts = anOrder(change);
  return questionOfOrder(decide(facts, situation).reasons, facts);
}

const WEB = { id: "p1", name: "Web", channel: "web", stem: "W", sales: UNDECLARED };
const PROFILED: Situation = { settings: { profiles: [WEB] } };
const NOT_QUOTED: Situation = { rates: () => ({ outcome: "not_quoted" }) };
const abroad = (country: string): Partial<OrderFacts> => ({
  client: { firstName: "Ana", lastName: "Pérez", country },
  breakdown: linesOf("100+20@20"),
  total: decimal("120"),
});
const couponed = (name: string): Partial<OrderFacts> => ({
  discounts: [aDiscount("21", { kind: "unknown", name })],
});

type Row = readonly [says: string, change: Partial<OrderFacts>, situation: Situation, question: unknown[]];

describe("the question of an order", () => {
  test.each<Row>([
    [
      "an amount outside the lines asks by its code",
      { unmappedTotals: [unmapped("COD_Fee", "3.63")] },
      {},
      ["untreated_total", "cod_fee"],
    ],
    [
      "a discount of an unknown kind asks by its folded name",
      couponed("  BLACK Friday Ñ "),
      {},
      ["discount_kind_unknown", "black friday ñ"],
    ],
    ["a sale abroad asks by its country", abroad("FR"), {}, ["foreign_customer", "FR"]],
    [
      "an order without a profile asks by channel and store",
      { sourceChannel: "pos", storeId: "7" },
      PROFILED,
      ["profile_not_matched", "pos", "7"],
    ],
    [
      "an order without a profile, channel and store has empty subjects",
      {},
      PROFILED,
      ["profile_not_matched", "", ""],
    ],
    [
      "a currency that is not quoted asks by the day of its rate as well",
      { currency: "ARS", paidAt: Date.UTC(2026, 10, 26, 12) },
      NOT_QUOTED,
      ["currency_not_quoted", "ARS", "2026-11-25"],
    ],
    [
      "a tag asks by its name, whatever case the rule has",
      { tags: ["vip"] },
      { settings: { tagRules: [{ tag: "VIP", action: "hold" }] } },
      ["tag_hold", "vip"],
    ],
    [
      "a recipient that lacks data asks the same of every customer",
      { client: { ...A_COMPANY, address1: "" } },
      {},
      ["recipient_incomplete"],
    ],
    [
      "review mode asks the same of every order",
      {},
      { sales: { issuingMode: "review" } },
      ["manual_issuing"],
    ],
    [
      "the first reason of several is the question",
      { ...couponed("Cupón"), unmappedTotals: [unmapped("cod", "3.63")] },
      {},
      ["untreated_total", "cod"],
    ],
  ])("%s", (_, change, situation, question) => {
    expect(asks(change, situation)).toBe(JSON.stringify(question));
  });

  test("an order that does not wait asks nothing", () => {
    expect(asks({})).toBeUndefined();
    expect(asks({ isTest: true })).toBeUndefined();
  });

  test.each([
    ["two spellings of a discount's name are one question", couponed("Cupón"), couponed("CUPÓN"), true],
    ["two names are two questions", couponed("Cupón"), couponed("Vale"), false],
    ["two countries are two questions", abroad("FR"), abroad("DE"), false],
  ])("%s", (_, one, other, isEqual) => {
    expect(asks(one) === asks(other)).toBe(isEqual);
  });

  test("a question is read back, and any other text is none", () => {
    const question = asks(couponed("Cupón"));
    expect(questionParts(question ?? "")).toEqual({ code: "discount_kind_unknown", about: ["cupón"] });
    for (const text of ["", "{}", "[]", '["nothing"]', '["untreated_total",1]', '["before_cutoff"]']) {
      expect(questionParts(text)).toBeUndefined();
    }
  });
});

describe("a remembered answer", () => {
  const kind = (as: "discount" | "payment"): Situation => ({ sales: { discounts: { cupón: as } } });

  test("the kind of a named discount decides the next orders, whatever case they spell it in", () => {
    const asDiscount = decide(anOrder(couponed("CUPÓN")), kind("discount"));
    expect(codesOf(asDiscount)).toEqual([]);
    expect(asDiscount.state).toBe("invoiced");
    expect(codesOf(decide(anOrder(couponed("Otro")), kind("discount")))).toEqual(["discount_kind_unknown"]);
  });

  test("the kind decides whether the invoice is lower or paid in part", () => {
    const groups = (as: "discount" | "payment") =>
      groupsIn(onlyIssue(decide(anOrder(couponed("Cupón")), kind(as))));
    const asAnswered = (as: "discount" | "payment") =>
      groupsIn(onlyIssue(decide(anOrder(couponed("Cupón")), { answers: { discounts: { Cupón: as } } })));
    expect(groups("payment")).not.toEqual(groups("discount"));
    expect(groups("payment")).toEqual(asAnswered("payment"));
    expect(groups("discount")).toEqual(asAnswered("discount"));
  });

  test("the answer about one order outranks the remembered one", () => {
    const own = { ...kind("payment"), answers: { discounts: { Cupón: "discount" as const } } };
    expect(decide(anOrder(couponed("Cupón")), own)).toEqual(
      decide(anOrder(couponed("Cupón")), { answers: { discounts: { Cupón: "discount" } } }),
    );
  });

  test.each<Row>([
    ["a kind of discount", couponed("Cupón"), kind("discount"), ["discount_kind_unknown", "cupón"]],
    [
      "a treatment",
      { unmappedTotals: [unmapped("cod", "3.63")] },
      { sales: { treatments: { cod: { as: "fee", rate: decimal("21") } } } },
      ["untreated_total", "cod"],
    ],
    [
      "the declaration of a destination",
      abroad("FR"),
      { sales: { destinations: { euConsumer: "oss" } } },
      ["foreign_customer", "FR"],
    ],
    [
      "the reason of lines at 0 %",
      { breakdown: linesOf("100+0@0"), total: decimal("100") },
      { sales: { zeroRateBasis: "E1" } },
      ["zero_rate_basis_missing"],
    ],
  ])("%s decides an order, but not one that is set apart from it", (_, change, situation, question) => {
    const text = JSON.stringify(question);
    expect(asks(change)).toBe(text);
    expect(asks(change, situation)).toBeUndefined();
    expect(asks(change, { ...situation, answers: { apart: [text] } })).toBe(text);
  });

  test("setting apart leaves the other settings in place", () => {
    const sales = { ...UNDECLARED, treatments: { cod: { as: "payment" }, box: { as: "payment" } } } as const;
    const left = salesFor(sales, { apart: ['["untreated_total","cod"]', "not a question"] });
    expect(left).toEqual({ ...UNDECLARED, treatments: { box: { as: "payment" } } });
  });
});
