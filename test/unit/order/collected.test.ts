/** What a shop has collected is told and printed, and decides nothing. */
import { describe, expect, test } from "vitest";
import type { OrderFacts } from "../../../src/domain/order/facts.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { eur } from "../../support/builders/facts.ts";
import {
  aDiscount,
  anOrder,
  course,
  decide,
  linesOf,
  next,
  onlyIssue,
  outcomeOf,
  refundOf,
  refundOfAmount,
  type Situation,
  unmapped,
} from "../../support/builders/orders.ts";

const paying = (amount: string, change: Partial<OrderFacts> = {}) =>
  anOrder({ ...change, amountPaid: decimal(amount) });
const partly = (paid: string, payable: string) => ({
  code: "partly_paid",
  facts: { paid: eur(paid), payable: eur(payable) },
});
const over = (paid: string, payable: string) => ({
  code: "overpaid",
  facts: { paid: eur(paid), payable: eur(payable) },
});
const CARD = { discounts: [aDiscount("21", { kind: "gift_card" })], total: decimal("100") };
const PAID_ASIDE: Situation = { sales: { treatments: { card: { as: "payment" } } } };

describe("compared with what the buyer owes", () => {
  test.each<[string, OrderFacts, Situation, readonly object[]]>([
    ["all of it", paying("121"), {}, []],
    ["nothing said", anOrder(), {}, []],
    ["a part", paying("60.5"), {}, [partly("60.50", "121.00")]],
    ["nothing yet", paying("0"), {}, [partly("0.00", "121.00")]],
    ["a cent less", paying("120.99"), {}, [partly("120.99", "121.00")]],
    ["less than a cent less", paying("120.996"), {}, []],
    ["more", paying("130"), {}, [over("130.00", "121.00")]],
    ["a gift card and the rest", paying("121", CARD), {}, []],
    ["the gift card only", paying("21", CARD), {}, [partly("21.00", "121.00")]],
    [
      "a payment outside the lines and the rest",
      paying("121", { unmappedTotals: [unmapped("card", "-21")], total: decimal("100") }),
      PAID_ASIDE,
      [],
    ],
    [
      "less than was ordered, after a return",
      paying("108.90", { events: [refundOfAmount("r1", "12.10")] }),
      {},
      [],
    ],
    ["all of it, before a return", paying("121", { events: [refundOfAmount("r1", "12.10")] }), {}, []],
    [
      "less than what is left after a return",
      paying("100", { events: [refundOfAmount("r1", "12.10")] }),
      {},
      [partly("100.00", "108.90")],
    ],
  ])("%s", (_, order, situation, warnings) => {
    const decision = decide(order, situation);
    expect(decision.state).toBe("invoiced");
    expect(decision.warnings).toEqual(warnings);
  });

  test("the same is invoiced, with any amount or none", () => {
    const { draft } = onlyIssue(decide(anOrder()));
    for (const amount of ["0", "60.5", "121", "130"]) {
      expect(onlyIssue(decide(paying(amount))).draft).toEqual(draft);
    }
  });

  test("a held order is told of once what it owes is known", () => {
    const situation: Situation = { sales: { issuingMode: "review" } };
    expect(decide(paying("60"), situation).warnings).toEqual([partly("60.00", "121.00")]);
    const open = paying("60", { unmappedTotals: [unmapped("x", "1")] });
    expect(outcomeOf(decide(open))).toBe("held untreated_total");
    expect(decide(open).warnings).toEqual([]);
  });
});

describe("after the invoice", () => {
  test("a later amount changes the warning and nothing else", () => {
    const first = course(paying("60"));
    expect(first.decision.warnings).toEqual([partly("60.00", "121.00")]);
    const paid = next(first, { amountPaid: decimal("121") });
    expect([outcomeOf(paid.decision), paid.decision.warnings, paid.issued.length]).toEqual([
      "invoiced",
      [],
      1,
    ]);
  });

  test("money that goes back may be counted or not", () => {
    const first = course(paying("121"));
    const events = [refundOf("r1", "100+21@21")];
    for (const amountPaid of ["121", "0"]) {
      const after = next(next(first, { events }), { events, amountPaid: decimal(amountPaid) });
      expect([outcomeOf(after.decision), after.decision.warnings]).toEqual(["rectified", []]);
    }
  });

  test("an order that is sent net of its returns is not overpaid", () => {
    const change = { breakdown: linesOf("50+10.50@21"), total: decimal("60.50") };
    const events = [refundOf("r1", "50+10.50@21")];
    const after = next(next(course(paying("121")), { events }), { ...change, events });
    expect([outcomeOf(after.decision), after.decision.warnings]).toEqual(["partially_rectified", []]);
  });
});

describe("printed", () => {
  test.each([
    ["a part", "60.50", { paid: "60.5", payable: "121" }],
    ["all", "121", undefined],
    ["more", "130", undefined],
  ])("%s", (_, amount, collected) => {
    expect(onlyIssue(decide(paying(amount))).collected).toEqual(collected);
  });
});
