/** Refunds of an order with a full invoice for its ticket (AEAT, FAQ for developers, 27). */
import { describe, expect, test } from "vitest";
import { differencesOf } from "../../../src/domain/invoice/rectifiable.ts";
import type { CorrectionEvent } from "../../../src/domain/order/facts.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { answering, later, placed, verdict } from "../../support/builders/answers.ts";
import { eur, percent } from "../../support/builders/facts.ts";
import {
  A_COMPANY,
  anOrder,
  CANCELLATION,
  type Course,
  course,
  documentIn,
  grossIn,
  groupsIn,
  linesOf,
  next,
  originsIn,
  outcomeOf,
  refundOf,
  refundOfAmount,
  TWO_RATES,
  totalsIn,
} from "../../support/builders/orders.ts";

const ASKED = { asksFullInvoice: true, client: A_COMPANY };
const TEN = anOrder({ breakdown: linesOf("8.26+1.74@21") });

const replaced = (order = TEN) => next(course(order), ASKED);

/** `R5 PED-1RS-2026 -2.48 / -0.52 / -3.00 of in1`, of every document from the third on. */
function told({ issued }: Course, from = 2): string[] {
  return issued
    .slice(from)
    .map((each) => `${documentIn(each)} ${totalsIn(each)} of ${each.draft.links[0]?.targetId}`);
}

describe("an event after the full invoice", () => {
  test("is an R5 of the ticket, and an F3 of that R5 in the name of the first one", () => {
    const after = next(replaced(), { events: [refundOf("r1", "2.48+0.52@21", { type: "return" })] });
    expect(told(after)).toEqual([
      "R5 PED-1RS-2026 -2.48 / -0.52 / -3.00 of in1",
      "F3 PED-1-2026 -2.48 / -0.52 / -3.00 of in3",
    ]);
    expect(originsIn(after).slice(2)).toEqual(["event:5001:r1", "event_replacement:5001:r1"]);
    expect(outcomeOf(after.decision)).toBe("partially_rectified");
    const { request } = after.issued[3]?.draft.document ?? {};
    expect(request?.recipient).toMatchObject({ company: A_COMPANY.company, vatNumber: "B12345674" });
    expect(request?.description).toBe("Devolución. Pedido 5001");
  });

  test("comes again without effect", () => {
    const events = [refundOf("r1", "2.48+0.52@21")];
    expect(next(next(replaced(), { events }), { events }).decision.effects).toEqual([]);
  });

  test("per rate as its lines say", () => {
    const after = next(replaced(TWO_RATES), { events: [refundOf("r1", "10+2.10@21 20+2@10")] });
    for (const document of after.issued.slice(2)) {
      expect(groupsIn(document)).toEqual(["21: -10.00 / -2.10", "10: -20.00 / -2.00"]);
    }
  });

  test("together with others: all R5 first, then an F3 of each", () => {
    const events = [refundOfAmount("r1", "3"), refundOfAmount("r2", "2")];
    expect(originsIn(next(replaced(), { events })).slice(2)).toEqual([
      "event:5001:r1",
      "event:5001:r2",
      "event_replacement:5001:r1",
      "event_replacement:5001:r2",
    ]);
  });

  test("by a cancellation takes all that is left, of both", () => {
    const after = next(replaced(), { events: [CANCELLATION], isCancelled: true });
    expect(told(after)).toEqual([
      "R5 PED-1RS-2026 -8.26 / -1.74 / -10.00 of in1",
      "F3 PED-1-2026 -8.26 / -1.74 / -10.00 of in3",
    ]);
    expect(outcomeOf(after.decision)).toBe("rectified");
  });

  test("continues with the cents of the ticket, after any refund before its F3", () => {
    const parts = ["4.03", "4.03", "4.04"].map((amount, index) => refundOfAmount(`r${index}`, amount));
    let now = next(course(anOrder({ breakdown: linesOf("10+2.10@21") })), { events: parts.slice(0, 1) });
    now = next(now, ASKED);
    now = next(now, { events: parts.slice(0, 2) });
    now = next(now, { events: parts });
    expect(told(now, 1)).toEqual([
      "R5 PED-1RS-2026 -3.33 / -0.70 / -4.03 of in1",
      "F3 PED-1-2026 6.67 / 1.40 / 8.07 of in1",
      "R5 PED-1RS-2026 -3.33 / -0.70 / -4.03 of in1",
      "F3 PED-1-2026 -3.33 / -0.70 / -4.03 of in4",
      "R5 PED-1RS-2026 -3.34 / -0.70 / -4.04 of in1",
      "F3 PED-1-2026 -3.34 / -0.70 / -4.04 of in6",
    ]);
    expect(now.decision.state).toBe("rectified");
  });

  test("in one payload with the request: the R5 first, and one F3 of both", () => {
    const after = next(course(TEN), { ...ASKED, events: [refundOfAmount("r1", "3")] });
    expect(told(after, 1)).toEqual([
      "R5 PED-1RS-2026 -2.48 / -0.52 / -3.00 of in1",
      "F3 PED-1-2026 5.78 / 1.22 / 7.00 of in1",
    ]);
  });

  test("above the ticket's remainder is held, with the ticket's figures", () => {
    const after = next(replaced(), { events: [refundOf("r1", "9+1.89@21")] });
    expect(after.decision.reasons).toMatchObject([
      {
        code: "over_refund",
        facts: { rate: percent("21"), requested: eur("10.89"), remaining: eur("10") },
      },
    ]);
    expect(after.issued).toHaveLength(2);
  });

  test("waits with both without consent", () => {
    const events = [refundOfAmount("r1", "3")];
    const waiting = next(replaced(), { events }, { issuer: { consented: false } });
    expect([outcomeOf(waiting.decision), waiting.issued.length]).toEqual(["deferred deferred", 2]);
    expect(told(next(waiting, {}))).toHaveLength(2);
  });

  test("in another currency takes both at the rate of the invoice", () => {
    const answers = { exchangeRate: { rate: decimal("1.25"), date: "2026-11-26" as never } };
    const situation = { answers, rates: () => ({ outcome: "found", rate: decimal("1.25") }) as const };
    const order = anOrder({ currency: "USD", breakdown: linesOf("8.26+1.74@21") });
    const full = next(course(order, situation), ASKED, situation);
    const after = next(full, { events: [refundOfAmount("r1", "3")] }, situation);
    const [r5, f3] = after.issued.slice(2).map(({ draft }) => draft.document);
    expect(f3?.groups).toEqual(r5?.groups);
    expect(f3?.request.exchangeRate).toBe("1.25");
  });
});

describe("an order with its full invoice", () => {
  const VOID: CorrectionEvent = { id: "v1", type: "void", lines: [] };

  test("is not annulled once something went back", () => {
    const place = later(later(placed(TEN), ASKED), { events: [refundOfAmount("r1", "3"), VOID] });
    expect(verdict(place, { answer: "confirm_annulment", eventId: "v1" })).toBe("annulment_after_correction");
  });

  test("with an F3 annulled alone is corrected as a ticket", () => {
    const full = replaced();
    const { invoice, replacement } = full.context.history;
    if (!invoice || !replacement) throw new Error("an order with both invoices");
    const history = {
      ...full.context.history,
      invoice: { ...invoice, rectifiable: { ...invoice.rectifiable, actedOnBy: [] } },
      replacement: { ...replacement, rectifiable: { ...replacement.rectifiable, cancelled: true } },
    };
    const annulled = { ...full, context: { ...full.context, history } };
    expect(told(next(annulled, { events: [refundOfAmount("r1", "3")] }))).toEqual([
      "R5 PED-1RS-2026 -2.48 / -0.52 / -3.00 of in1",
    ]);
  });

  test("with an annulled F3 of an R5 gets no second one", () => {
    const after = next(replaced(), { events: [refundOfAmount("r1", "3")] });
    const { history } = after.context;
    const { invoice } = history;
    if (!invoice) throw new Error("an order with an invoice");
    const rectifiable = {
      ...invoice.rectifiable,
      actedOnBy: invoice.rectifiable.actedOnBy.map((part) => ({ ...part, actedOnBy: [] })),
    };
    const annulled = { ...history, invoice: { ...invoice, rectifiable } };
    const again = next({ ...after, context: { ...after.context, history: annulled } }, {});
    expect([outcomeOf(again.decision), again.decision.effects]).toEqual(["partially_rectified", []]);
  });

  test("after an R1 has taken something is continued by R1", () => {
    const full = replaced();
    const { replacement } = full.context.history;
    if (!replacement) throw new Error("an order with a full invoice");
    const r1 = {
      invoiceId: "in9",
      externalId: "in9",
      number: "PED-1R-2026-000001",
      kind: "difference",
      taken: replacement.rectifiable.groups.map((group) => ({
        ...group,
        amounts: { base: decimal("-2.48"), tax: decimal("-0.52"), surcharge: decimal("0") },
      })),
      inForce: true,
      actedOnBy: [],
    } as const;
    const rectifiable = { ...replacement.rectifiable, actedOnBy: [r1] };
    expect(differencesOf(rectifiable)).toHaveLength(1);
    const history = { ...full.context.history, replacement: { ...replacement, rectifiable } };
    const after = next({ ...full, context: { ...full.context, history } }, { events: [CANCELLATION] });
    expect(told(after)).toEqual(["R1 PED-1R-2026 -5.78 / -1.22 / -7.00 of in2"]);
  });

  test("that comes back after its cancellation is invoiced anew", () => {
    const gone = later(later(placed(TEN), ASKED), {
      isCandidate: false,
      isCancelled: true,
      events: [CANCELLATION],
    });
    const back = later(gone, { isCandidate: true, isCancelled: false, asksFullInvoice: false });
    const after = answering(back, { answer: "issue" }).course;
    expect(originsIn(after).at(-1)).toBe("reissue:2:5001");
    expect(grossIn(after.issued.slice(0, -1).filter((each) => !documentIn(each).startsWith("F3")))).toBe("0");
    expect(after.issued.slice(-1).map(totalsIn)).toEqual(["8.26 / 1.74 / 10.00"]);
  });
});
