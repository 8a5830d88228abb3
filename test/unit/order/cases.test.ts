/** Faults that were reported of other programs; each name begins with the id of its case. */
import { describe, expect, test } from "vitest";
import { destinationsOf, UNDECLARED } from "../../../src/domain/billing/sales-settings.ts";
import type { OrderFacts, OrderLine } from "../../../src/domain/order/facts.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal, divide, multiply, subtract } from "../../../src/domain/shared/decimal.ts";
import { eur } from "../../support/builders/facts.ts";
import {
  A_COMPANY,
  A_PERSON,
  aDiscount,
  anOrder,
  CANCELLATION,
  codesOf,
  course,
  decide,
  documentIn,
  groupsIn,
  linesOf,
  next,
  onlyIssue,
  outcomeOf,
  refundOf,
  refundOfAmount,
  type Situation,
  TWO_RATES,
  totalsIn,
  unmapped,
} from "../../support/builders/orders.ts";

describe("the paid amount is invoiced, to the cent", () => {
  test.each<[string, OrderFacts, Situation, string[], string]>([
    [
      "P19 six decimals: the tax is the total less the base",
      anOrder({ breakdown: linesOf("8.264463+1.735537@21") }),
      {},
      ["21: 8.26 / 1.74"],
      "8.26 / 1.74 / 10.00",
    ],
    [
      "P25 a discount over goods and delivery of one rate",
      anOrder({
        breakdown: linesOf("4.950413+1.039587@21 shipping:4.917355+1.032645@21"),
        discounts: [aDiscount("1.50")],
      }),
      {},
      ["21: 8.63 / 1.81"],
      "8.63 / 1.81 / 10.44",
    ],
    [
      "P27 a discount over two rates is spread by gross",
      anOrder({ breakdown: linesOf("100+21@21 100+10@10"), discounts: [aDiscount("20")] }),
      {},
      ["21: 91.34 / 19.18", "10: 91.35 / 9.13"],
      "182.69 / 28.31 / 211.00",
    ],
    [
      "P29 a cent that a coupon left",
      anOrder({ breakdown: linesOf("0.01+0@21") }),
      {},
      ["21: 0.01 / 0.00"],
      "0.01 / 0.00 / 0.01",
    ],
    [
      "P31 gift cards pay",
      anOrder({
        breakdown: linesOf("18+0@0 shipping:10+0@0"),
        unmappedTotals: [unmapped("giftcards", "-24")],
        total: decimal("4"),
      }),
      { sales: { zeroRateBasis: "E1", treatments: { giftcards: { as: "payment" } } } },
      ["0: 28.00 / 0.00"],
      "28.00 / 0.00 / 28.00",
    ],
    [
      "P33 customer credit is a discount by default",
      anOrder({ discounts: [aDiscount("21", { kind: "customer_credit" })], total: decimal("100") }),
      {},
      ["21: 82.64 / 17.36"],
      "82.64 / 17.36 / 100.00",
    ],
    [
      "P35 a fee with its rate joins the group of that rate",
      anOrder({ unmappedTotals: [unmapped("cod_fee", "3.63")], total: decimal("124.63") }),
      { sales: { treatments: { cod_fee: { as: "fee", rate: decimal("21") } } } },
      ["21: 103.00 / 21.63"],
      "103.00 / 21.63 / 124.63",
    ],
    [
      "P81 without the parent of the bundle the lines are the total",
      anOrder({ breakdown: bundle("22 18 27 5 17 19 52 0"), total: decimal("165") }),
      {},
      ["21: 136.36 / 28.64"],
      "136.36 / 28.64 / 165.00",
    ],
  ])("%s", (_, order, situation, groups, totals) => {
    const effect = onlyIssue(decide(order, situation));
    expect(groupsIn(effect)).toEqual(groups);
    expect(totalsIn(effect)).toBe(totals);
  });
});

describe("held, with nothing issued", () => {
  const giftcards = anOrder({
    breakdown: linesOf("18+0@0 shipping:10+0@0"),
    unmappedTotals: [unmapped("giftcards", "-24")],
    total: decimal("4"),
  });
  test.each<[string, OrderFacts, Situation, string]>([
    ["P31 a code without treatment", giftcards, { sales: { zeroRateBasis: "E1" } }, "untreated_total"],
    [
      "P33 customer credit that the profile retains",
      anOrder({ discounts: [aDiscount("21", { kind: "customer_credit" })] }),
      { sales: { customerCredit: "review" } },
      "customer_credit_review",
    ],
    [
      "P35 a fee without treatment",
      anOrder({ unmappedTotals: [unmapped("cod_fee", "3.63")] }),
      {},
      "untreated_total",
    ],
    [
      "P53 a cent above the limit, tax included",
      anOrder({ breakdown: linesOf("330.59+69.42@21") }),
      {},
      "recipient_incomplete",
    ],
    [
      "P59 above the limit a foreign person without identifier",
      anOrder({ breakdown: linesOf("400+84@21"), client: { ...A_PERSON, country: "IT" } }),
      { sales: { destinations: destinationsOf("domestic") } },
      "recipient_incomplete",
    ],
    [
      "P65 goods to the Canaries that nothing is declared of",
      anOrder({ breakdown: linesOf("100+0@0"), client: { ...A_PERSON, postcode: "35001" } }),
      {},
      "territory_review",
    ],
    [
      "P65 no postcode, and no tax",
      anOrder({ breakdown: linesOf("100+0@0") }),
      { sales: { destinations: { outsideEu: "export", otherSpanish: "export" } } },
      "zero_rate_basis_missing",
    ],
    [
      "P81 the parent of the bundle together with its children",
      anOrder({ breakdown: bundle("22 18 68 27 5 17 19 52 0"), total: decimal("165") }),
      {},
      "totals_mismatch",
    ],
  ])("%s", (_, order, situation, code) => {
    const decision = decide(order, situation);
    expect(outcomeOf(decision)).toBe(`held ${code}`);
    expect(decision.effects).toEqual([]);
  });

  test("P81 with both figures", () => {
    const [reason] = decide(
      anOrder({ breakdown: bundle("22 18 68 27 5 17 19 52 0"), total: decimal("165") }),
    ).reasons;
    expect(reason?.facts).toEqual({
      computed: eur("233.00"),
      total: eur("165.00"),
      difference: eur("-68.00"),
    });
  });
});

describe("which document", () => {
  test.each<[string, OrderFacts, Situation, string, string]>([
    [
      "P53 the limit itself is simplified",
      anOrder({ breakdown: linesOf("330.58+69.42@21") }),
      {},
      "F2 PED-1S-2026",
      "330.58 / 69.42 / 400.00",
    ],
    [
      "P59 a foreign person without identifier, up to the limit",
      anOrder({ breakdown: linesOf("41.32+8.68@21"), client: { ...A_PERSON, country: "IT" } }),
      { sales: { destinations: destinationsOf("domestic") } },
      "F2 PED-1S-2026",
      "41.32 / 8.68 / 50.00",
    ],
    [
      "P61 an export with its delivery",
      anOrder({ breakdown: linesOf("60+0@0 shipping:20+0@0"), client: { ...A_PERSON, country: "US" } }),
      { sales: { destinations: { outsideEu: "export", otherSpanish: "export" } } },
      "F2 PED-1S-2026",
      "80.00 / 0.00 / 80.00",
    ],
    [
      "P65 to the Canaries, declared",
      anOrder({ breakdown: linesOf("100+0@0"), client: { ...A_PERSON, postcode: "35001" } }),
      { sales: { destinations: { outsideEu: "export", otherSpanish: "export" } } },
      "F2 PED-1S-2026",
      "100.00 / 0.00 / 100.00",
    ],
    [
      "P65 a postcode of the mainland that lost its first zero",
      anOrder({ client: { ...A_PERSON, postcode: "3501" } }),
      {},
      "F2 PED-1S-2026",
      "100.00 / 21.00 / 121.00",
    ],
  ])("%s", (_, order, situation, document, totals) => {
    const effect = onlyIssue(decide(order, situation));
    expect(documentIn(effect)).toBe(document);
    expect(totalsIn(effect)).toBe(totals);
  });

  test("P61 and P65 every line is E2 under regime 02", () => {
    const order = anOrder({ breakdown: linesOf("60+0@0 shipping:20+0@0"), client: { country: "US" } });
    const [group, ...others] = onlyIssue(
      decide(order, { sales: { destinations: { outsideEu: "export", otherSpanish: "export" } } }),
    ).draft.document.groups;
    expect([group?.qualification, group?.regime, others.length]).toEqual(["E2", "02", 0]);
  });

  test("P59 a British company without identifier is not invoiced above the limit", () => {
    const order = anOrder({
      breakdown: linesOf("400+84@21"),
      client: { company: "Shop Ltd", country: "GB" },
    });
    expect(outcomeOf(decide(order, { sales: { destinations: destinationsOf("domestic") } }))).toBe(
      "held recipient_incomplete",
    );
  });
});

describe("refunds", () => {
  test("P37 a full refund is exactly the invoice, though the shop computes a cent more", () => {
    const first = course(anOrder({ breakdown: [{ ...line("148.14+31.11@21"), quantity: decimal("10") }] }));
    const after = next(first, { events: [refundOfAmount("r1", "179.26")] });
    expect(totalsIn(onlyIssue(after.decision))).toBe("-148.14 / -31.11 / -179.25");
    expect(after.decision.state).toBe("rectified");
  });

  const withVoucher = anOrder({
    breakdown: linesOf("18.96+3.98@21 shipping:6.94+1.46@21"),
    discounts: [aDiscount("10")],
  });

  test("P39 more than was paid is held with both figures", () => {
    const first = course(withVoucher);
    expect(totalsIn(onlyIssue(first.decision))).toBe("17.64 / 3.70 / 21.34");
    const after = next(first, { events: [refundOfAmount("r1", "31.34")] });
    expect(outcomeOf(after.decision)).toBe("held over_refund");
    expect(after.decision.reasons[0]?.facts).toEqual({
      requested: eur("31.34"),
      number: "PED-1S-2026-000001",
      remaining: eur("21.34"),
    });
    expect(after.issued).toHaveLength(1);
  });

  test("P39 a full refund takes the invoiced amount", () => {
    const after = next(course(withVoucher), { events: [refundOfAmount("r1", "21.34")] });
    expect(totalsIn(onlyIssue(after.decision))).toBe("-17.64 / -3.70 / -21.34");
  });

  test("P41 an amount alone is clear with one rate", () => {
    const after = next(course(anOrder()), { events: [refundOfAmount("r1", "24.20")] });
    expect(totalsIn(onlyIssue(after.decision))).toBe("-20.00 / -4.20 / -24.20");
  });

  test("P41 with two rates it is held", () => {
    const first = course(TWO_RATES);
    const after = next(first, { events: [refundOfAmount("r1", "20")] });
    expect(outcomeOf(after.decision)).toBe("held refund_lines_needed");
    expect(after.issued).toHaveLength(1);
  });

  const exempt = anOrder({
    breakdown: linesOf("200+0@0 shipping:10+0@0"),
    client: { ...A_COMPANY, vatNumber: "BE0477472701", country: "BE" },
  });

  test("P43 an exempt sale goes back without tax, its delivery too", () => {
    const situation = { sales: { destinations: { euBusiness: "intra_community" } } } as const;
    const first = course(exempt, situation);
    expect(documentIn(onlyIssue(first.decision))).toBe("F1 PED-1-2026");
    const after = next(first, { events: [refundOf("r1", "200+0@0 10+0@0")] }, situation);
    expect(documentIn(onlyIssue(after.decision))).toBe("R1 PED-1R-2026");
    expect(totalsIn(onlyIssue(after.decision))).toBe("-210.00 / 0.00 / -210.00");
    const taxed = next(first, { events: [refundOf("r1", "200+0@0 10+2.10@21")] }, situation);
    expect(outcomeOf(taxed.decision)).toBe("held rate_not_invoiced");
  });

  test("P45 one event, one document; the same id with another amount is held", () => {
    const event = refundOf("r1", "10+2.10@21");
    const once = next(course(anOrder()), { events: [event] });
    expect(totalsIn(onlyIssue(once.decision))).toBe("-10.00 / -2.10 / -12.10");
    const twice = next(once, { events: [event] });
    expect([twice.decision.effects, twice.decision.state]).toEqual([[], "partially_rectified"]);
    const changed = next(twice, { events: [refundOf("r1", "20+4.20@21")] });
    expect(outcomeOf(changed.decision)).toBe("held correction_event_changed");
    expect(changed.decision.reasons[0]?.facts).toEqual({
      event: "r1",
      applied: eur("12.10"),
      received: eur("24.20"),
    });
    expect(changed.issued).toHaveLength(2);
  });

  test("P47 a simplified invoice is rectified by R5", () => {
    const first = course(anOrder({ breakdown: linesOf("6.776860+1.423140@21 1.487603+0.312397@21") }));
    expect(totalsIn(onlyIssue(first.decision))).toBe("8.26 / 1.74 / 10.00");
    const after = next(first, { events: [refundOf("r1", "1.487603+0.312397@21")] });
    expect(documentIn(onlyIssue(after.decision))).toBe("R5 PED-1RS-2026");
    expect(totalsIn(onlyIssue(after.decision))).toBe("-1.49 / -0.31 / -1.80");
  });

  test("P47 a full one by R1 with its recipient, at any amount", () => {
    const first = course(anOrder({ breakdown: linesOf("413.22+86.78@21"), client: A_COMPANY }));
    const effect = onlyIssue(next(first, { events: [refundOfAmount("r1", "500")] }).decision);
    expect(documentIn(effect)).toBe("R1 PED-1R-2026");
    expect(totalsIn(effect)).toBe("-413.22 / -86.78 / -500.00");
    expect(effect.draft.identifier).toEqual({ kind: "nif", nif: "B12345674", entity: true });
  });

  test("P49 cancelled before any invoice: no document", () => {
    const decision = decide(anOrder({ events: [CANCELLATION], isCancelled: true }));
    expect([outcomeOf(decision), decision.effects]).toEqual(["cancelled cancelled_before_invoice", []]);
  });

  test("P49 cancelled after it: a rectification, never an annulment", () => {
    const after = next(course(anOrder()), { events: [CANCELLATION], isCancelled: true });
    expect(totalsIn(onlyIssue(after.decision))).toBe("-100.00 / -21.00 / -121.00");
    expect(after.decision.state).toBe("rectified");
  });

  test("P51 another name of the client changes no invoice", () => {
    const after = next(course(anOrder({ client: A_COMPANY })), {
      client: { ...A_COMPANY, company: "Otra SL" },
    });
    expect([outcomeOf(after.decision), after.decision.effects]).toEqual(["invoiced", []]);
  });
});

describe("days and rates", () => {
  const dollars = (paidAt: string) => anOrder({ currency: "USD", paidAt: Date.parse(paidAt) });
  const days: string[] = [];
  const rates = (day: string) => {
    days.push(day);
    return { outcome: "found", rate: decimal("1.10") } as const;
  };

  test.each([
    ["P77 paid before the rate of the day is out", "2026-08-13T10:00:00+02:00", "2026-08-12"],
    ["P77 paid after it", "2026-08-13T17:00:00+02:00", "2026-08-13"],
  ])("%s", (_, paidAt, day) => {
    const effect = onlyIssue(decide(dollars(paidAt), { rates }));
    expect(days.at(-1)).toBe(day);
    const { request, totalsEur } = effect.draft.document;
    expect([request.exchangeRate, request.exchangeRateDate]).toEqual(["1.1", day]);
    expect([totalsEur.base, totalsEur.tax, totalsEur.total]).toEqual(["90.91", "19.09", "110"]);
  });

  test("P75 an order with a payment date alone is dated by it", () => {
    const at = Date.parse("2026-11-20T23:30:00Z");
    const effect = onlyIssue(decide(anOrder({ orderedAt: at, paidAt: at })));
    expect(effect.draft.document.operationDate).toBe(civilDate("2026-11-21"));
  });
});

describe("P79 each profile numbers its own", () => {
  const profile = (id: string, stem: string, storeId: string) => ({
    id,
    name: `Tienda ${storeId}`,
    storeId,
    stem,
    sales: UNDECLARED,
  });
  const settings = { profiles: [profile("p1", "A", "1"), profile("p2", "B", "2")] };
  const seriesOf = (storeId: string) => documentIn(onlyIssue(decide(anOrder({ storeId }), { settings })));

  test("by the store of the order", () => {
    expect(["1", "2", "1"].map(seriesOf)).toEqual(["F2 AS-2026", "F2 BS-2026", "F2 AS-2026"]);
  });

  test("a store of no profile is held", () => {
    expect(outcomeOf(decide(anOrder({ storeId: "3" }), { settings }))).toBe("held profile_not_matched");
  });

  test("two that match are held", () => {
    const both = { profiles: [...settings.profiles, profile("p3", "C", "1")] };
    const decision = decide(anOrder({ storeId: "1" }), { settings: both });
    expect(codesOf(decision)).toEqual(["profile_ambiguous"]);
    expect(decision.reasons[0]?.facts).toEqual({ profiles: { all: ["Tienda 1", "Tienda 1"] } });
  });

  test("a correction stays in the family of its invoice", () => {
    const first = course(anOrder({ storeId: "1" }), { settings });
    const moved = { profiles: [profile("p2", "B", "1"), profile("p1", "A", "9")] };
    const after = next(first, { events: [refundOfAmount("r1", "121")] }, { settings: moved });
    expect(documentIn(onlyIssue(after.decision))).toBe("R5 ARS-2026");
  });
});

/** Lines of these gross amounts at 21 %, with delivery of 5.00 after them. */
function bundle(gross: string): OrderLine[] {
  const [goods, delivery] = [gross.split(" "), "5"];
  const lines = [...goods, delivery].map((amount) => {
    const base = divide(multiply(decimal(amount), decimal("100")), decimal("121"), 6);
    return line(`${base}+${subtract(decimal(amount), base)}@21`);
  });
  return lines;
}

function line(text: string): OrderLine {
  const [only] = linesOf(text);
  if (!only) throw new Error("no line");
  return only;
}
