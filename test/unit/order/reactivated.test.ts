/** An order that was cancelled after its invoice and that the shop takes up again. */
import { describe, expect, test } from "vitest";
import { type OrderAnswer, withAnswers } from "../../../src/domain/order/answers/table.ts";
import type { CorrectionEvent, OrderFacts } from "../../../src/domain/order/facts.ts";
import { inGeneration } from "../../../src/domain/order/facts.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  answering,
  asItStands,
  later,
  type Placed,
  placed,
  sends,
  verdict,
} from "../../support/builders/answers.ts";
import { eur } from "../../support/builders/facts.ts";
import {
  A_COMPANY,
  anOrder,
  CANCELLATION,
  grossIn,
  linesOf,
  onlyIssue,
  originsIn,
  outcomeOf,
  refundOf,
  refundOfAmount,
  type Situation,
  totalsIn,
  unmapped,
} from "../../support/builders/orders.ts";

const ISSUE: OrderAnswer = { answer: "issue" };
const NUMBER = "PED-1S-2026-000001";
const VOID: CorrectionEvent = { id: "v1", type: "void", lines: [] };

const cancels = (place: Placed, change: Partial<OrderFacts> = {}) =>
  sends(place, {
    isCandidate: false,
    isCancelled: true,
    ...change,
    events: [...(change.events ?? []), CANCELLATION],
  });
const asksAgain = (place: Placed, change: Partial<OrderFacts> = {}) =>
  sends(place, { isCandidate: true, isCancelled: false, ...change });

const reactivated = (order = anOrder(), situation: Situation = {}) =>
  asksAgain(cancels(placed(order, situation)));
const outcome = ({ course }: Placed) => outcomeOf(course.decision);
const totals = ({ course }: Placed) => course.issued.map(totalsIn);

describe("held", () => {
  test("after the invoice was taken back, with the figures of the new one", () => {
    const place = reactivated();
    expect(outcome(place)).toBe("held reactivated");
    expect(place.course.decision.reasons[0]?.facts).toEqual({ number: NUMBER, order_total: eur("121") });
    expect(place.course.decision.effects).toEqual([]);
  });

  test.each<[string, Partial<OrderFacts>]>([
    ["by the candidate", {}],
    ["by a full invoice that is asked for", { isCandidate: false, asksFullInvoice: true, client: A_COMPANY }],
    ["with other lines, of any amount", { breakdown: linesOf("50+10.50@21"), total: decimal("60.5") }],
    ["with lines that contradict each other", { breakdown: linesOf("100+10@21") }],
  ])("%s", (_, change) => {
    expect(outcome(asksAgain(cancels(placed(anOrder())), change))).toBe("held reactivated");
  });

  test.each<[string, () => Placed, string]>([
    [
      "it asks for nothing",
      () => sends(cancels(placed(anOrder())), { isCandidate: false, isCancelled: false }),
      "rectified",
    ],
    [
      "its status is a cancelled one",
      () => asksAgain(cancels(placed(anOrder(), CANCELLED_STATUS)), { status: "6" }),
      "rectified",
    ],
    [
      "a refund alone took all, and nothing was cancelled",
      () => asksAgain(sends(placed(anOrder()), { events: [refundOfAmount("r1", "121")] })),
      "rectified",
    ],
    [
      "the owner cancelled it",
      () => asksAgain(answering(placed(anOrder()), { answer: "issue_cancellation" })),
      "rectified",
    ],
    [
      "a full invoice was asked for before",
      () => sends(cancels(asksFull(placed(anOrder()))), { isCandidate: false, isCancelled: false }),
      "rectified",
    ],
  ])("not, where %s", (_, place, expected) => {
    expect(outcome(place())).toBe(expected);
  });

  const CANCELLED_STATUS: Situation = {
    settings: { statuses: { "6": { name: "Cancelado", cancelled: true } } },
  };
  const asksFull = (place: Placed) => sends(place, { asksFullInvoice: true, client: A_COMPANY });

  test("together with an event without anything left", () => {
    const place = asksAgain(cancels(placed(anOrder())), { events: [refundOfAmount("r1", "12.10")] });
    expect(outcome(place)).toBe("held reactivated over_refund");
    expect(totals(answering(place, ISSUE)).at(-1)).toBe("90.00 / 18.90 / 108.90");
  });

  test("until the owner dismisses it, and again when it comes back with other facts", () => {
    const place = answering(reactivated(), { answer: "dismiss", why: "Se queda cancelado" });
    expect(outcome(place)).toBe("rectified");
    expect(outcome(asksAgain(place))).toBe("rectified");
    expect(outcome(asksAgain(place, { breakdown: linesOf("50+10.50@21"), total: decimal("60.5") }))).toBe(
      "held reactivated",
    );
  });
});

describe("the owner's word", () => {
  test("issues a new invoice of the order's current facts", () => {
    const after = answering(reactivated(), ISSUE);
    expect(outcome(after)).toBe("invoiced");
    expect(totals(after)).toEqual([
      "100.00 / 21.00 / 121.00",
      "-100.00 / -21.00 / -121.00",
      "100.00 / 21.00 / 121.00",
    ]);
    expect(originsIn(after.course)).toEqual([
      "order:5001",
      "event:5001:fiscal_event:cancelled",
      "reissue:2:5001",
    ]);
    expect(onlyIssue(after.course.decision).draft.document.request.externalId).toBe("reissue:2:5001");
  });

  test("is a repeat when it comes again, and no word before", () => {
    const place = reactivated();
    expect(verdict(answering(place, ISSUE), ISSUE)).toBe("repeat");
    expect(verdict(placed(anOrder()), ISSUE)).toBe("order_not_reactivated");
    expect(verdict(placed(anOrder({ breakdown: linesOf("100+10@21") })), ISSUE)).toBe("order_not_invoiced");
  });

  test("of other lines invoices those", () => {
    const change = { breakdown: linesOf("50+10.50@21 10+1@10"), total: decimal("71.5") };
    const after = answering(asksAgain(cancels(placed(anOrder())), change), ISSUE);
    expect(totals(after).at(-1)).toBe("60.00 / 11.50 / 71.50");
    expect(outcome(sends(after, change))).toBe("invoiced");
  });

  test("to a client who is known now gives a full one", () => {
    const place = asksAgain(cancels(placed(anOrder())), { client: A_COMPANY });
    expect(onlyIssue(answering(place, ISSUE).course.decision).draft.document.request.invoiceType).toBe("F1");
  });

  test("counts as approval, and as release from reasons for new orders only", () => {
    const later = { sales: { issuingMode: "review" }, settings: { selectedStores: ["9"] } } as const;
    const place = reactivated(anOrder({ isTest: true }), { answers: { testReleased: true } });
    expect(outcome(answering({ ...place, situation: { ...place.situation, ...later } }, ISSUE))).toBe(
      "invoiced",
    );
  });

  test("waits for reasons against the invoice, and issues when they are answered", () => {
    const change = { unmappedTotals: [unmapped("cod", "12.10")], total: decimal("133.1") };
    const held = answering(asksAgain(cancels(placed(anOrder())), change), ISSUE);
    expect(outcome(held)).toBe("held untreated_total");
    const treatment = { as: "fee", rate: decimal("21") } as const;
    const after = answering(held, { answer: "declare_treatment", code: "cod", treatment });
    expect(totals(after).at(-1)).toBe("110.00 / 23.10 / 133.10");
  });

  test("and other answers count together, in any order", () => {
    const change = { unmappedTotals: [unmapped("cod", "12.10")], total: decimal("133.1") };
    const order = asItStands(asksAgain(cancels(placed(anOrder())), change));
    const treatment = { as: "fee", rate: decimal("21") } as const;
    const declaring: OrderAnswer = { answer: "declare_treatment", code: "cod", treatment };
    for (const given of [
      [declaring, ISSUE],
      [ISSUE, declaring],
    ]) {
      const { effective: news, refusals } = withAnswers(given, order);
      expect([news.map(({ answer }) => answer), refusals]).toEqual([["issue", "declare_treatment"], []]);
    }
  });

  test("can be taken back while the new invoice waits", () => {
    const change = { breakdown: linesOf("100+10@21"), total: decimal("121") };
    const held = answering(asksAgain(cancels(placed(anOrder())), change), ISSUE);
    expect(outcome(held)).toBe("held totals_mismatch tax_mismatch");
    const after = answering(held, { answer: "dismiss", why: "No sigue" });
    expect(outcome(after)).toBe("rectified");
    expect(after.course.issued).toHaveLength(2);
  });

  test("lapses while the shop cancels before the new invoice", () => {
    const held = answering(
      asksAgain(cancels(placed(anOrder())), {
        unmappedTotals: [unmapped("cod", "12.10")],
        total: decimal("133.1"),
      }),
      ISSUE,
    );
    const cancelled = cancels(held, { unmappedTotals: [], total: decimal("121") });
    expect(outcome(cancelled)).toBe("rectified");
    expect(originsIn(asksAgain(cancelled).course).at(-1)).toBe("reissue:2:5001");
  });

  test("waits for consent", () => {
    const place = answering(later(reactivated(), {}, { issuer: { consented: false } }), ISSUE);
    expect(outcome(place)).toBe("deferred deferred");
    const after = later(place, {}, { issuer: {}, answers: place.answered.answers });
    expect(originsIn(after.course).at(-1)).toBe("reissue:2:5001");
  });

  test("is refused where nothing is to be issued", () => {
    expect(verdict(reactivated(anOrder(), {}), ISSUE)).toBe("ok");
    const gone = asksAgain(cancels(sends(placed(anOrder()), { events: [refundOfAmount("r1", "60.50")] })), {
      events: [refundOfAmount("r1", "60.50"), refundOfAmount("r2", "60.50")],
    });
    expect(verdict(gone, ISSUE)).toBe("nothing_to_issue");
    const elsewhere = later(reactivated(), {}, { sales: { issuingMode: "none" } });
    expect(verdict(elsewhere, ISSUE)).toBe("nothing_to_issue");
  });
});

describe("what went back before", () => {
  const refund = refundOf("r1", "10+2.10@21");

  test("is not sold anew", () => {
    const place = asksAgain(cancels(sends(placed(anOrder()), { events: [refund] })));
    const after = answering(place, ISSUE);
    expect(totals(after)).toEqual([
      "100.00 / 21.00 / 121.00",
      "-10.00 / -2.10 / -12.10",
      "-90.00 / -18.90 / -108.90",
      "90.00 / 18.90 / 108.90",
    ]);
    expect(outcome(sends(after, { events: [refund] }))).toBe("invoiced");
  });

  test("is not taken off twice where the shop sends the order without it", () => {
    const net = { breakdown: linesOf("90+18.90@21"), total: decimal("108.9"), events: [refund] };
    const place = asksAgain(cancels(sends(placed(anOrder()), { events: [refund] })), net);
    const after = answering(place, ISSUE);
    expect(totals(after).at(-1)).toBe("90.00 / 18.90 / 108.90");
    const third = answering(asksAgain(cancels(after, net), net), ISSUE);
    expect(totals(third).at(-1)).toBe("90.00 / 18.90 / 108.90");
  });

  test("before the first invoice stays out of every one", () => {
    const place = placed(anOrder({ events: [refund] }));
    const third = answering(asksAgain(cancels(answering(asksAgain(cancels(place)), ISSUE))), ISSUE);
    expect(totals(third).filter((_, index) => index % 2 === 0)).toEqual(
      Array.from({ length: 3 }, () => "90.00 / 18.90 / 108.90"),
    );
  });

  test("acts on no later invoice", () => {
    const after = answering(asksAgain(cancels(sends(placed(anOrder()), { events: [refund] }))), ISSUE);
    expect(sends(after, { events: [refund] }).course.decision.effects).toEqual([]);
    const more = sends(after, { events: [refund, refundOfAmount("r2", "8.90")] });
    expect(totalsIn(onlyIssue(more.course.decision))).toBe("-7.36 / -1.54 / -8.90");
  });

  test("holds the new invoice where it comes changed", () => {
    const changed = { events: [refundOf("r1", "20+4.20@21")] };
    const place = asksAgain(cancels(sends(placed(anOrder()), { events: [refund] })), changed);
    expect(outcome(answering(place, ISSUE))).toBe("held correction_event_changed");
  });
});

describe("cancellations", () => {
  test("each invoice is cancelled once, and the third generation has ids of its own", () => {
    const second = answering(reactivated(), ISSUE);
    const gone = cancels(cancels(second));
    expect(outcome(gone)).toBe("rectified");
    const third = cancels(answering(asksAgain(gone), ISSUE));
    expect(originsIn(third.course)).toEqual([
      "order:5001",
      "event:5001:fiscal_event:cancelled",
      "reissue:2:5001",
      "event:5001:fiscal_event:cancelled:2",
      "reissue:3:5001",
      "event:5001:fiscal_event:cancelled:3",
    ]);
    expect(grossIn(third.course.issued)).toBe("0");
    expect(outcome(asksAgain(third))).toBe("held reactivated");
  });

  test("of before act on no new invoice, whether they took something or not", () => {
    const own: CorrectionEvent = { id: "c1", type: "cancellation", lines: [] };
    const place = asksAgain(cancels(placed(anOrder()), { events: [own] }), { events: [own, VOID] });
    const after = answering(place, ISSUE);
    expect(outcome(sends(after, { events: [own, VOID] }))).toBe("invoiced");
    const other = sends(after, { events: [own, VOID, { ...own, id: "c2" }] });
    expect(totalsIn(onlyIssue(other.course.decision))).toBe("-100.00 / -21.00 / -121.00");
  });

  test("of the owner's are over with their invoice, and act on the new one as well", () => {
    const first = answering(placed(anOrder()), { answer: "issue_cancellation" });
    const place = asksAgain(cancels(first));
    expect(totals(answering(place, ISSUE)).at(-1)).toBe("100.00 / 21.00 / 121.00");
    const after = answering(answering(reactivated(), ISSUE), { answer: "issue_cancellation" });
    expect(outcome(after)).toBe("rectified");
    expect(totals(after).at(-1)).toBe("-100.00 / -21.00 / -121.00");
  });

  test("a void annuls the new invoice alone", () => {
    const after = sends(answering(reactivated(), ISSUE), { events: [VOID] });
    expect(outcome(after)).toBe("held annulment_review");
    const gone = answering(after, { answer: "confirm_annulment", eventId: "v1" });
    expect(gone.course.decision.effects).toMatchObject([{ effect: "annul", invoiceId: "in3" }]);
  });

  test.each([
    [CANCELLATION, 1, "fiscal_event:cancelled"],
    [CANCELLATION, 2, "fiscal_event:cancelled:2"],
    [{ ...CANCELLATION, type: "refund" } as const, 2, "fiscal_event:cancelled"],
  ])("are named by the invoice that they are of (%#)", (event, generation, id) => {
    expect(inGeneration(event, generation).id).toBe(id);
  });
});

test("a full invoice of the new one takes its own origin", () => {
  const after = sends(answering(reactivated(), ISSUE), { asksFullInvoice: true, client: A_COMPANY });
  expect(originsIn(after.course).at(-1)).toBe("reissue_replacement:2:5001");
  expect(onlyIssue(after.course.decision).draft.document.request.invoiceType).toBe("F3");
});

test("ids of shops forge no origin of another order", () => {
  const forging = answering(reactivated(anOrder({ idExternal: "2:5001" })), ISSUE);
  expect(originsIn(forging.course)).toEqual([
    "order:2:5001",
    "event:2%3A5001:fiscal_event:cancelled",
    "reissue:2:2:5001",
  ]);
});
