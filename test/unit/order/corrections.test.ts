/** The events of an order that has an invoice. */
import { describe, expect, test } from "vitest";
import { type CorrectionEvent, eventFingerprint } from "../../../src/domain/order/facts.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { eur, percent } from "../../support/builders/facts.ts";
import {
  A_COMPANY,
  A_PERSON,
  aDiscount,
  anOrder,
  CANCELLATION,
  type Course,
  course,
  documentIn,
  grossIn,
  groupsIn,
  linesOf,
  next,
  onlyIssue,
  originsIn,
  outcomeOf,
  refundOf,
  refundOfAmount,
  TWO_RATES,
  totalsIn,
} from "../../support/builders/orders.ts";

describe("parts", () => {
  test("in three parts each takes its share by cumulative rounding", () => {
    let now = course(anOrder({ breakdown: linesOf("10+2.10@21") }));
    const events = ["4.03", "4.03", "4.04"].map((amount, index) => refundOfAmount(`r${index}`, amount));
    for (const [index] of events.entries()) now = next(now, { events: events.slice(0, index + 1) });
    expect(now.issued.slice(1).map(totalsIn)).toEqual([
      "-3.33 / -0.70 / -4.03",
      "-3.33 / -0.70 / -4.03",
      "-3.34 / -0.70 / -4.04",
    ]);
    expect(now.decision.state).toBe("rectified");
  });

  test("several events of one payload act one after the other", () => {
    const events = ["4.03", "4.03", "4.04"].map((amount, index) => refundOfAmount(`r${index}`, amount));
    const after = next(course(anOrder({ breakdown: linesOf("10+2.10@21") })), { events });
    expect(after.decision.effects).toHaveLength(3);
    expect(grossIn(after.issued)).toBe("0");
  });

  test.each([
    [
      "is over what a later one leaves",
      [refundOfAmount("r1", "150"), refundOf("r2", "100+21@21")],
      ["21: -100.00 / -21.00"],
      ["over_refund"],
    ],
    [
      "is clear once a later one has taken the other rate",
      [refundOfAmount("r1", "22"), refundOf("r2", "100+10@10")],
      ["10: -100.00 / -10.00", "21: -18.18 / -3.82"],
      [],
    ],
    [
      "is clear once two later ones have left one rate",
      [refundOfAmount("r1", "22"), refundOf("r2", "50+5@10"), refundOf("r3", "50+5@10")],
      ["10: -50.00 / -5.00", "10: -50.00 / -5.00", "21: -18.18 / -3.82"],
      [],
    ],
  ] as const)("an amount alone %s: the same facts say the same again", (_, events, groups, reasons) => {
    const after = next(course(TWO_RATES), { events });
    const issues = after.decision.effects.filter((effect) => effect.effect === "issue");
    expect(issues.flatMap(groupsIn)).toEqual(groups);
    expect(after.decision.reasons.map(({ code }) => code)).toEqual(reasons);
    const again = next(after, { events });
    expect(again.decision.effects).toEqual([]);
    expect(again.decision.reasons).toEqual(after.decision.reasons);
  });

  test("an owner's act lets no refund of the shop act with it: the same one may be told twice", () => {
    const events = [refundOfAmount("r1", "110")];
    const answers = { events: [refundOf("console:k", "100+10@10")] };
    const after = next(course(TWO_RATES), { events }, { answers });
    expect(groupsIn(onlyIssue(after.decision))).toEqual(["10: -100.00 / -10.00"]);
    expect(after.decision.reasons.map(({ code }) => code)).toEqual(["refund_lines_needed"]);
    const again = next(after, { events }, { answers });
    expect(again.decision.effects).toEqual([]);
    expect(again.decision.reasons.map(({ code }) => code)).toEqual(["refund_possibly_repeated"]);
  });

  test.each([
    ["two cents less than remains take all", "120.98", "-121.00", "rectified"],
    ["two cents more too", "121.02", "-121.00", "rectified"],
    ["three cents less do not", "120.97", "-120.97", "partially_rectified"],
  ])("%s", (_, amount, gross, state) => {
    const after = next(course(anOrder()), { events: [refundOfAmount("r1", amount)] });
    expect(totalsIn(onlyIssue(after.decision)).split(" / ")[2]).toBe(gross);
    expect(after.decision.state).toBe(state);
  });

  test("per rate as the lines say", () => {
    const after = next(course(TWO_RATES), { events: [refundOf("r1", "10+2.10@21 20+2@10")] });
    expect(groupsIn(onlyIssue(after.decision))).toEqual(["21: -10.00 / -2.10", "10: -20.00 / -2.00"]);
  });

  test("an amount that is all that remains, of two rates", () => {
    const after = next(course(TWO_RATES), { events: [refundOfAmount("r1", "231")] });
    expect(groupsIn(onlyIssue(after.decision))).toEqual(["21: -100.00 / -21.00", "10: -100.00 / -10.00"]);
  });

  test("an amount when one rate is left", () => {
    const whole = next(course(TWO_RATES), { events: [refundOf("r1", "100+10@10")] });
    const after = next(whole, { events: [refundOf("r1", "100+10@10"), refundOfAmount("r2", "12.10")] });
    expect(groupsIn(onlyIssue(after.decision))).toEqual(["21: -10.00 / -2.10"]);
  });

  test("the owner says how much goes to each rate", () => {
    const eventShares = {
      r1: [
        { rate: decimal("21"), gross: decimal("12.10") },
        { rate: decimal("10"), gross: decimal("7.90") },
      ],
    };
    const after = next(
      course(TWO_RATES),
      { events: [refundOfAmount("r1", "20")] },
      { answers: { eventShares } },
    );
    expect(groupsIn(onlyIssue(after.decision))).toEqual(["21: -10.00 / -2.10", "10: -7.18 / -0.72"]);
  });

  test("of a group with surcharge, by the combined rate", () => {
    const order = anOrder({ breakdown: linesOf("100+26.20@26.2"), client: A_COMPANY });
    const after = next(course(order), { events: [refundOf("r1", "50+13.10@26.2")] });
    expect(groupsIn(onlyIssue(after.decision))).toEqual(["21: -50.00 / -10.50 + -2.60"]);
  });

  test("a few cents of a group with surcharge take of each amount or leave it, and give nothing", () => {
    const order = anOrder({ breakdown: linesOf("3.52+0.92@26.2"), client: A_COMPANY });
    const amounts = ["0.01", "0.85", "0.02", "3.56"];
    const events = amounts.map((amount, index) => refundOfAmount(`r${index}`, amount));
    const { effects } = next(course(order), { events }).decision;
    const issues = effects.filter((effect) => effect.effect === "issue");
    expect(issues.flatMap(groupsIn)).toEqual([
      "21: -0.01 / 0.00",
      "21: -0.67 / -0.15 + -0.03",
      "21: -0.02 / 0.00",
      "21: -2.82 / -0.59 + -0.15",
    ]);
  });

  test("vouchers that the invoice leaves out go back without effect", () => {
    const order = anOrder({ breakdown: linesOf("100+21@21#a gift_voucher:50+0@0#v") });
    const after = next(course(order), { events: [refundOf("r1", "10+2.10@21#a 50+0@0#v")] });
    expect(totalsIn(onlyIssue(after.decision))).toBe("-10.00 / -2.10 / -12.10");
    const alone = next(course(order), { events: [refundOf("r1", "50+0@0#v")] });
    expect([outcomeOf(alone.decision), alone.decision.effects]).toEqual(["invoiced", []]);
  });

  test("more than the others leave is held, and stops no other event", () => {
    const events = [refundOfAmount("r1", "200"), refundOfAmount("r2", "12.10")];
    const after = next(course(anOrder()), { events });
    expect(outcomeOf(after.decision)).toBe("held over_refund");
    expect(totalsIn(onlyIssue(after.decision))).toBe("-10.00 / -2.10 / -12.10");
  });

  test("nothing remains for a second refund, not even a cent", () => {
    const first = next(course(anOrder()), { events: [refundOfAmount("r1", "121")] });
    const after = next(first, { events: [refundOfAmount("r1", "121"), refundOfAmount("r2", "0.01")] });
    expect(outcomeOf(after.decision)).toBe("held over_refund");
  });

  test("a part of two cents that an earlier part has taken with it comes to nothing, once", () => {
    const order = anOrder({ breakdown: linesOf("0.01+0@21#a 0.01+0@21#b") });
    const events = [refundOf("r1", "0.01+0@21#a"), refundOf("r2", "0.01+0@21#b")];
    const after = next(next(course(order), { events: events.slice(0, 1) }), { events });
    expect(after.issued.slice(1).map(totalsIn)).toEqual(["-0.02 / 0.00 / -0.02"]);
    expect([outcomeOf(after.decision), after.decision.handled.map(({ id }) => id)]).toEqual([
      "rectified",
      ["r2"],
    ]);
    const third = next(after, { events: [...events, refundOf("r3", "0.05+0@21#b")] });
    expect(outcomeOf(third.decision)).toBe("held over_refund");
    const changed = next(after, { events: [...events.slice(0, 1), refundOf("r2", "0.02+0@21#b")] });
    expect(outcomeOf(changed.decision)).toBe("held correction_event_changed");
  });

  test("two rates with half a cent each go back as the cent that they are together", () => {
    const order = anOrder({ breakdown: linesOf("10+2.10@21#a 10+1@10#b") });
    const refund = refundOf("r1", "1+0.005@21#a 1+0.005@10#b", { amount: decimal("-2.01") });
    const after = next(course(order), { events: [refund] });
    expect(totalsIn(onlyIssue(after.decision)).split(" / ")[2]).toBe("-2.01");
  });

  test("a cancellation takes what the refunds left, once", () => {
    const events = [refundOf("r1", "10+2.10@21"), CANCELLATION];
    const after = next(course(anOrder()), { events, isCancelled: true });
    expect(after.issued.slice(1).map(totalsIn)).toEqual([
      "-10.00 / -2.10 / -12.10",
      "-90.00 / -18.90 / -108.90",
    ]);
    expect(next(after, { events }).decision.effects).toEqual([]);
  });

  test("a foreign invoice goes back at its own rate, to the cent in euros", () => {
    const rates = () => ({ outcome: "found", rate: decimal("1.1") }) as const;
    const first = course(anOrder({ currency: "USD" }), { rates });
    const events = [1, 2, 3].map((index) => refundOfAmount(`r${index}`, index < 3 ? "40.33" : "40.34"));
    const after = next(first, { events }, { rates: () => ({ outcome: "found", rate: decimal("2") }) });
    expect(after.issued.map(({ draft }) => draft.document.totalsEur.total)).toEqual([
      "110",
      "-36.66",
      "-36.67",
      "-36.67",
    ]);
  });
});

describe("the rectification", () => {
  test("says why, and dates from the sale", () => {
    const first = course(anOrder({ reference: "W-7", operationDate: civilDate("2026-11-20") }));
    const event = refundOfAmount("r1", "12.10", { type: "return", reason: "No era su talla" });
    const { document } = onlyIssue(next(first, { events: [event] }).decision).draft;
    expect(document.request.description).toBe("Devolución. Pedido W-7. No era su talla");
    expect(document.operationDate).toBe("2026-11-20");
    expect(document.cited.map(({ number }) => number)).toEqual(["PED-1S-2026-000001"]);
  });

  test("of an order of the one-stop shop is R5 without recipient", () => {
    const order = anOrder({ breakdown: linesOf("500+100@20"), client: { ...A_PERSON, country: "FR" } });
    const situation = { sales: { destinations: { euConsumer: "oss" } } } as const;
    const first = course(order, situation);
    expect(documentIn(onlyIssue(first.decision))).toBe("F2 PED-1-2026");
    const effect = onlyIssue(next(first, { events: [refundOfAmount("r1", "600")] }, situation).decision);
    expect(documentIn(effect)).toBe("R5 PED-1R-2026");
    expect(effect.draft.document.request.flags).toEqual(["no_recipient_article_6_1_d"]);
  });
});

describe("one refund in both forms", () => {
  const refund = refundOfAmount("refund:7", "12.10");
  const asEvent = refundOf("7", "10+2.10@21");

  test("with one id is one", () => {
    const after = next(next(course(anOrder()), { events: [refund] }), { events: [asEvent] });
    expect([outcomeOf(after.decision), after.issued.length]).toEqual(["partially_rectified", 2]);
  });

  test("both in one payload too", () => {
    expect(next(course(anOrder()), { events: [refund, asEvent] }).issued).toHaveLength(2);
  });

  test("with another id of equal amounts the owner says whether it is another", () => {
    const other = refundOf("8", "10+2.10@21");
    const first = next(course(anOrder()), { events: [refund] });
    const asked = next(first, { events: [refund, other] });
    expect(outcomeOf(asked.decision)).toBe("held refund_possibly_repeated");
    const confirmed = next(asked, {}, { answers: { distinctEvents: ["8"] } });
    expect(totalsIn(onlyIssue(confirmed.decision))).toBe("-10.00 / -2.10 / -12.10");
    const { about = "", code } = asked.decision.reasons[0] ?? { code: "zero_total" };
    const dismissed = next(asked, {}, { answers: { dismissals: [{ code, about }] } });
    expect([outcomeOf(dismissed.decision), dismissed.decision.effects]).toEqual(["partially_rectified", []]);
  });

  test("of another amount it is changed", () => {
    const changed = refundOf("7", "20+4.20@21");
    const after = next(next(course(anOrder()), { events: [refund] }), { events: [changed] });
    expect(outcomeOf(after.decision)).toBe("held correction_event_changed");
  });

  test("an event of the same form and amounts is another one", () => {
    const events = [refundOf("1", "10+2.10@21"), refundOf("2", "10+2.10@21")];
    expect(next(course(anOrder()), { events }).issued).toHaveLength(3);
  });
});

describe("an event that was dismissed", () => {
  test("waits again when it comes with other content", () => {
    const events = [refundOfAmount("r1", "200")];
    const held = next(course(anOrder()), { events });
    const about = `r1 ${eventFingerprint(refundOfAmount("r1", "200")).slice(0, 16)}`;
    const answers = { dismissals: [{ code: "over_refund", about }] } as const;
    expect(outcomeOf(next(held, {}, { answers }).decision)).toBe("invoiced");
    const again = next(held, { events: [refundOfAmount("r1", "300")] }, { answers });
    expect(outcomeOf(again.decision)).toBe("held over_refund");
  });
});

describe("a void", () => {
  const events = [{ id: "v1", type: "void", lines: [] }] as const;
  const answers = { confirmedVoids: ["v1"] };

  test("confirmed, it annuls the invoice", () => {
    const after = next(course(anOrder()), { events }, { answers });
    expect(after.decision.effects).toMatchObject([{ effect: "annul", invoiceId: "in1" }]);
    expect(after.decision.state).toBe("cancelled");
    const later = next(after, { events: [...events, refundOfAmount("r1", "121")] }, { answers });
    expect([outcomeOf(later.decision), later.decision.effects]).toEqual(["cancelled", []]);
  });

  test("once a correction has acted it cannot", () => {
    const first = next(course(anOrder()), { events: [refundOfAmount("r1", "12.10")] });
    const after = next(first, { events: [refundOfAmount("r1", "12.10"), ...events] }, { answers });
    expect(outcomeOf(after.decision)).toBe("held annulment_review");
    expect(after.decision.effects).toEqual([]);
  });

  test("a replaced order is annulled from its last invoice on", () => {
    const full = next(course(anOrder()), { asksFullInvoice: true, client: A_COMPANY });
    const after = next(full, { events }, { answers });
    expect(after.decision.effects.map((effect) => effect.effect === "annul" && effect.invoiceId)).toEqual([
      "in2",
      "in1",
    ]);
  });
});

describe("without consent", () => {
  const withdrawn = { issuer: { consented: false } };

  test("due work waits, and acts when consent is given again", () => {
    const events = [refundOfAmount("r1", "12.10")];
    const waiting = next(course(anOrder()), { events }, withdrawn);
    expect([outcomeOf(waiting.decision), waiting.decision.effects]).toEqual(["deferred deferred", []]);
    expect(next(waiting, {}).issued).toHaveLength(2);
  });

  test("an invoiced order without due work has the state of its documents", () => {
    expect(outcomeOf(next(course(anOrder()), {}, withdrawn).decision)).toBe("invoiced");
  });

  test("a cutoff moved later leaves corrections alone", () => {
    const later = { settings: { cutoffDate: civilDate("2026-12-31"), selectedStores: ["9"] } };
    expect(next(course(anOrder()), { events: [refundOfAmount("r1", "12.10")] }, later).issued).toHaveLength(
      2,
    );
  });
});

describe("facts that changed after the invoice", () => {
  const partly = () => next(course(TWO_RATES), { events: [refundOf("r1", "100+10@10")] });
  const net = { breakdown: linesOf("100+21@21"), total: decimal("121") };

  test.each<[string, () => Course]>([
    ["the same amounts under other names", () => next(course(TWO_RATES), { breakdown: named("Silla") })],
    ["net of what went back", () => next(partly(), net)],
    [
      "net of what goes back with them",
      () => next(course(TWO_RATES), { ...net, events: [refundOf("r1", "100+10@10")] }),
    ],
    ["as sold, after something went back", () => next(partly(), { breakdown: named("Mesa") })],
    [
      "as sold, where a refund came before the invoice",
      () =>
        next(course({ ...TWO_RATES, events: [refundOf("r1", "100+10@10")] }), { breakdown: named("Mesa") }),
    ],
    [
      "a discount sent as lower prices",
      () =>
        next(course(anOrder({ discounts: [aDiscount("21")] })), {
          breakdown: linesOf("82.64+17.36@21"),
          discounts: [],
          total: decimal("100"),
        }),
    ],
  ])("in order: %s", (_, changed) => {
    expect(changed().decision.reasons).toEqual([]);
  });

  test("as sold, though a full invoice later has less", () => {
    const full = next(partly(), { asksFullInvoice: true, client: A_COMPANY });
    expect(next(full, { breakdown: named("Mesa") }).decision.reasons).toEqual([]);
    expect(next(full, net).decision.reasons).toEqual([]);
  });

  test.each<[string, () => Course]>([
    ["less, and no event says why", () => next(course(TWO_RATES), net)],
    [
      "the same total at other rates",
      () => next(course(anOrder()), { breakdown: linesOf("110+11@10"), total: decimal("121") }),
    ],
    ["figures that contradict each other", () => next(course(anOrder()), { total: decimal("120") })],
    ["another currency", () => next(course(anOrder()), { currency: "USD" })],
  ])("held: %s", (_, changed) => {
    expect(outcomeOf(changed().decision)).toBe("held changed_after_invoice");
    expect(changed().issued).toHaveLength(1);
  });

  test("the owner keeps the invoice as it is, until they change again", () => {
    const held = next(course(TWO_RATES), net);
    const { code, about = "" } = held.decision.reasons[0] ?? { code: "zero_total" };
    const answers = { dismissals: [{ code, about }] };
    expect(outcomeOf(next(held, {}, { answers }).decision)).toBe("invoiced");
    const again = next(held, { breakdown: linesOf("1+0.21@21"), total: decimal("1.21") }, { answers });
    expect(outcomeOf(again.decision)).toBe("held changed_after_invoice");
  });

  test("settings that changed are no change of the facts", () => {
    const order = anOrder({ breakdown: linesOf("100+0@0") });
    const first = course(order, { sales: { zeroRateBasis: "E1" } });
    expect(outcomeOf(next(first, {}).decision)).toBe("invoiced");
  });

  function named(name: string) {
    return TWO_RATES.breakdown.map((line) => ({ ...line, name }));
  }
});

describe("a status that means cancelled", () => {
  const situation = { settings: { statuses: { "6": { name: "Cancelado", cancelled: true } } } };

  test("waits until an event comes", () => {
    const held = next(course(anOrder(), situation), { status: "6" }, situation);
    expect(outcomeOf(held.decision)).toBe("held status_cancelled");
    const after = next(held, { events: [refundOfAmount("r1", "12.10")] }, situation);
    expect(outcomeOf(after.decision)).toBe("partially_rectified");
    expect(outcomeOf(next(after, {}, situation).decision)).toBe("partially_rectified");
  });

  test("a refund from before it says nothing of the rest", () => {
    const refunded = next(
      course(anOrder(), situation),
      { events: [refundOfAmount("r1", "12.10")] },
      situation,
    );
    const held = next(refunded, { status: "6" }, situation);
    expect(outcomeOf(held.decision)).toBe("held status_cancelled");
    expect(held.decision.reasons[0]?.facts.remaining).toEqual(eur("108.90"));
    const rest = { events: [refundOfAmount("r1", "12.10"), refundOfAmount("r2", "108.90")] };
    expect(outcomeOf(next(held, rest, situation).decision)).toBe("rectified");
  });

  test("a refund that comes with it is the refund that it waits for", () => {
    const change = { status: "6", events: [refundOfAmount("r1", "12.10")] };
    const after = next(course(anOrder(), situation), change, situation);
    expect(outcomeOf(after.decision)).toBe("partially_rectified");
    expect(outcomeOf(next(after, {}, situation).decision)).toBe("partially_rectified");
  });
});

describe("a full invoice later", () => {
  const asked = { asksFullInvoice: true, client: A_COMPANY };

  test("takes the place of the simplified one, less what went back", () => {
    const first = next(course(TWO_RATES), { events: [refundOf("r1", "100+10@10")] });
    const after = next(first, asked);
    const effect = onlyIssue(after.decision);
    expect(documentIn(effect)).toBe("F3 PED-1-2026");
    expect(groupsIn(effect)).toEqual(["21: 100.00 / 21.00"]);
    expect(effect.draft.document.cited.map(({ number }) => number)).toEqual([
      "PED-1S-2026-000001",
      "PED-1RS-2026-000002",
    ]);
    expect(next(after, asked).decision.effects).toEqual([]);
  });

  test("after the corrections of the same payload", () => {
    const after = next(course(TWO_RATES), { ...asked, events: [refundOf("r1", "100+10@10")] });
    expect(after.issued.map(documentIn)).toEqual(["F2 PED-1S-2026", "R5 PED-1RS-2026", "F3 PED-1-2026"]);
    expect(after.decision.state).toBe("partially_rectified");
  });

  test("the owner may ask for it with the data of the client", () => {
    const answers = { fullInvoice: true, recipient: A_COMPANY };
    expect(documentIn(onlyIssue(next(course(anOrder()), {}, { answers }).decision))).toBe("F3 PED-1-2026");
  });

  test.each<[string, () => Course, string]>([
    [
      "an identifier that merely arrives issues nothing",
      () => next(course(anOrder()), { client: A_COMPANY }),
      "invoiced",
    ],
    [
      "asked without complete data it is held",
      () => next(course(anOrder()), { asksFullInvoice: true }),
      "held recipient_incomplete",
    ],
    [
      "asked with a wrong identifier too",
      () => next(course(anOrder()), { asksFullInvoice: true, client: { ...A_COMPANY, vatNumber: "B1" } }),
      "held tax_identifier_invalid",
    ],
    ["not of a full one", () => next(course(anOrder({ client: A_COMPANY })), asked), "invoiced"],
    [
      "not of an order refunded whole",
      () => next(next(course(anOrder()), { events: [refundOfAmount("r1", "121")] }), asked),
      "rectified",
    ],
  ])("%s", (_, changed, outcome) => {
    expect([outcomeOf(changed().decision), changed().decision.effects]).toEqual([outcome, []]);
  });
});

test("origins never repeat, with any characters in the ids", () => {
  const first = course(anOrder({ idExternal: "a:b" }));
  const after = next(first, {
    events: [refundOfAmount("refund:c", "12.10"), refundOfAmount("d:e", "24.20")],
  });
  expect(originsIn(after)).toEqual(["order:a:b", "event:a%3Ab:c", "event:a%3Ab:d:e"]);
});

describe("an increase on one line", () => {
  test.each([
    ["together with a return at the same rate", "100+21@21 -50-10.50@21"],
    ["together with a return at another rate", "100+21@21 -50-5@10"],
    ["of the tax alone", "100+21@21 -0-10.50@21"],
  ])("waits, %s", (_, lines) => {
    const text = lines.replaceAll(/-(\d+)-([\d.]+)@/g, "-$1+-$2@");
    const after = next(course(TWO_RATES), { events: [refundOf("r1", text)] });
    expect([outcomeOf(after.decision), after.decision.effects]).toEqual(["held correction_increases", []]);
  });

  test.each([
    ["base up, tax down", "-50+10@21", "50"],
    ["base down, tax up", "50+-10.50@21", "10.50"],
    ["on two lines of two rates", "-50+-10.50@21 -50+-5@10", "115.50"],
  ])("is sent as its additions: %s", (_, lines, amount) => {
    const after = next(course(TWO_RATES), { events: [refundOf("r1", lines)] });
    expect(after.decision.reasons).toMatchObject([
      { code: "correction_increases", facts: { event: "r1", amount: eur(amount) } },
    ]);
  });

  test.each(["refund:9", "r1"])("waits in both forms of a refund (%s)", (id) => {
    const after = next(course(TWO_RATES), { events: [refundOf(id, "100+21@21 -50+-10.50@21")] });
    expect([outcomeOf(after.decision), after.decision.effects]).toEqual(["held correction_increases", []]);
  });

  test.each(["-1", "1"])(
    "is not a quantity, which platforms write with and without sign (%s)",
    (quantity) => {
      const [line] = refundOf("r1", "50+10.50@21").lines;
      if (!line) throw new Error("an event with one line");
      const lines = [{ ...line, quantityDelta: decimal(quantity) }];
      const after = next(course(TWO_RATES), { events: [{ id: "r1", type: "return", lines }] });
      expect(totalsIn(onlyIssue(after.decision))).toBe("-50.00 / -10.50 / -60.50");
      expect(onlyIssue(after.decision).draft.document.lineAmounts).toEqual(["-50"]);
    },
  );
});

describe("a hold has the figures of its rate", () => {
  const sold = anOrder({ breakdown: linesOf("100+21@21 shipping:10+1@10") });
  const shipping = (id: string) => refundOf(id, "10+1@10");

  test("shipping that goes back a second time finds nothing at its rate", () => {
    const first = next(course(sold), { events: [shipping("r1")] });
    const again = next(first, { events: [shipping("r1"), shipping("r2")] });
    expect(outcomeOf(again.decision)).toBe("held over_refund");
    expect(again.decision.reasons[0]?.facts).toEqual({
      rate: percent("10"),
      requested: eur("11"),
      number: "PED-1S-2026-000001",
      remaining: eur("0"),
    });
  });

  test("before the invoice as well, by the order's reference", () => {
    const held = course({ ...sold, events: [shipping("r1"), shipping("r2")] });
    expect(held.decision.reasons).toMatchObject([
      { code: "over_refund", facts: { rate: percent("10"), number: "5001", remaining: eur("0") } },
    ]);
  });

  test("changed facts with the same total name the changed rate", () => {
    const after = next(course(sold), { breakdown: linesOf("100+21@21 shipping:9.09+1.91@21") });
    expect(after.decision.reasons).toMatchObject([
      {
        code: "changed_after_invoice",
        facts: { rate: percent("21"), order_total: eur("132"), invoiced: eur("121") },
      },
    ]);
    const one = next(course(sold), {
      breakdown: linesOf("100+21@21 shipping:20+2@10"),
      total: decimal("143"),
    });
    expect(one.decision.reasons[0]?.facts).toMatchObject({
      rate: percent("10"),
      order_total: eur("22"),
      invoiced: eur("11"),
    });
  });
});

describe("one return in several forms", () => {
  const order = anOrder({ breakdown: linesOf("20+4.20@21#a 10+1@10#b") });
  const full = refundOf("r1", "10+2.10@21#a", { amount: decimal("-12.10") });
  const both = (first: CorrectionEvent, second: CorrectionEvent) =>
    next(next(course(order), { events: [first] }), { events: [second] });

  test.each<[string, CorrectionEvent, CorrectionEvent]>([
    ["its lines, then its amount alone", full, refundOfAmount("r1", "12.10")],
    ["other ids of its lines", full, refundOf("r1", "10+2.10@21#x", { amount: decimal("-12.10") })],
    ["one line, then two of its rate", full, refundOf("r1", "4+0.84@21#a 6+1.26@21#a")],
    ["another split of the tax", full, refundOf("r1", "10.01+2.09@21#a")],
    ["lines without the amount", full, refundOf("r1", "10+2.10@21#a")],
  ])("%s: it acts once", (_, first, second) => {
    const life = both(first, second);
    expect([outcomeOf(life.decision), life.issued.length]).toEqual(["partially_rectified", 2]);
  });

  test.each<[string, CorrectionEvent]>([
    ["another amount", refundOfAmount("r1", "12.11")],
    ["another rate", refundOf("r1", "11+1.10@10#b")],
    ["lines that are not the amount", refundOf("r1", "10+2.10@21#a", { amount: decimal("-10.00") })],
    ["a sale that never was", { ...full, type: "void" }],
  ])("%s is another content", (_, second) => {
    const life = both(full, second);
    expect([outcomeOf(life.decision), life.issued.length]).toEqual(["held correction_event_changed", 2]);
  });

  test("an amount that took everything, then its lines", () => {
    const life = both(refundOfAmount("r1", "35.20"), refundOf("r1", "20+4.20@21#a 10+1@10#b"));
    expect([outcomeOf(life.decision), life.issued.length]).toEqual(["rectified", 2]);
  });
});
