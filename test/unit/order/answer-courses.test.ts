/** The results of answers in the life of an order, and their stored form. */
import { describe, expect, test } from "vitest";
import { destinationsOf } from "../../../src/domain/billing/sales-settings.ts";
import { answerFacts, type OrderAnswer } from "../../../src/domain/order/answers/table.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { answering, answersIn, later, type Placed, placed, verdict } from "../../support/builders/answers.ts";
import {
  A_COMPANY,
  A_PERSON,
  aDiscount,
  anOrder,
  CANCELLATION,
  documentIn,
  grossIn,
  linesOf,
  onlyIssue,
  originsIn,
  outcomeOf,
  refundOf,
  refundOfAmount,
  totalsIn,
} from "../../support/builders/orders.ts";

const CANCEL: OrderAnswer = { answer: "issue_cancellation" };
const VOID = { id: "v1", type: "void", lines: [] } as const;

describe("the owner's cancellation", () => {
  test("takes what the refunds left, states its cause, and has an origin of its own", () => {
    const place = later(placed(anOrder()), { events: [refundOf("r1", "10+2.10@21")] });
    const after = answering(place, CANCEL);
    const effect = onlyIssue(after.course.decision);
    expect([documentIn(effect), totalsIn(effect)]).toEqual(["R5 PED-1RS-2026", "-90.00 / -18.90 / -108.90"]);
    expect(effect.draft.document.request.description).toBe("Cancelación. Pedido 5001");
    expect(originsIn(after.course)).toEqual(["order:5001", "event:5001:r1", "event:5001:owner:cancellation"]);
    expect(grossIn(after.course.issued)).toBe("0");
    expect(after.course.decision.state).toBe("rectified");
  });

  test("acts once, with any later payload of the shop", () => {
    const after = answering(placed(anOrder()), CANCEL);
    const { answers } = after.answered;
    expect(verdict(after, CANCEL)).toBe("repeat");
    const told = later(after, { events: [CANCELLATION], isCancelled: true }, { answers });
    expect([outcomeOf(told.course.decision), told.course.issued.length]).toEqual(["rectified", 2]);
    const refunded = later(told, { events: [CANCELLATION, refundOfAmount("r1", "121")] }, { answers });
    expect(outcomeOf(refunded.course.decision)).toBe("held over_refund");
  });

  test("of a full invoice that took the place of a simplified one", () => {
    const full = later(placed(anOrder()), { asksFullInvoice: true, client: A_COMPANY });
    const { issued } = answering(full, CANCEL).course;
    expect(issued.slice(2).map((effect) => [documentIn(effect), effect.draft.links[0]?.targetId])).toEqual([
      ["R5 PED-1RS-2026", "in1"],
      ["F3 PED-1-2026", "in3"],
    ]);
  });

  test("without consent it waits, and is asked for once", () => {
    const withdrawn = later(placed(anOrder()), {}, { issuer: { consented: false } });
    const waiting = answering(withdrawn, CANCEL);
    const { answers } = waiting.answered;
    expect(outcomeOf(waiting.course.decision)).toBe("deferred deferred");
    expect(verdict(waiting, CANCEL)).toBe("repeat");
    const again = later(waiting, {}, { issuer: { consented: true }, answers });
    expect(totalsIn(onlyIssue(again.course.decision))).toBe("-100.00 / -21.00 / -121.00");
  });

  test("has an id that no event of the shop has", () => {
    const own = { ...refundOfAmount("owner:cancellation", "21"), type: "return" } as const;
    const after = answering(later(placed(anOrder()), { events: [own] }), CANCEL);
    expect(originsIn(after.course).slice(1)).toEqual([
      "event:5001:owner:cancellation",
      "event:5001:owner:cancellation:2",
    ]);
  });

  test("can be repeated where its rectification was annulled", () => {
    const after = answering(placed(anOrder()), CANCEL);
    const { context } = after.course;
    const { invoice } = context.history;
    if (!invoice) throw new Error("no invoice");
    const rectifiable = {
      ...invoice.rectifiable,
      actedOnBy: invoice.rectifiable.actedOnBy.map((acting) => ({ ...acting, inForce: false })),
    };
    const restored = { ...context, history: { ...context.history, invoice: { ...invoice, rectifiable } } };
    const place: Placed = { ...after, course: { ...after.course, context: restored } };
    const second = answering({ ...place, situation: { answers: context.answers } }, CANCEL);
    expect(answersIn(second).events.map(({ id }) => id)).toEqual([
      "owner:cancellation",
      "owner:cancellation:2",
    ]);
    expect(totalsIn(onlyIssue(second.course.decision))).toBe("-100.00 / -21.00 / -121.00");
  });
});

describe("a full invoice", () => {
  const asked = () => later(placed(anOrder()), { asksFullInvoice: true });
  const noNif: OrderAnswer = { answer: "dismiss", why: "No quiere dar su NIF" };

  test("is issued to whom the owner names", () => {
    const after = answering(placed(anOrder()), { answer: "ask_full_invoice", recipient: A_COMPANY });
    const effect = onlyIssue(after.course.decision);
    expect([documentIn(effect), effect.draft.document.request.recipient?.company]).toEqual([
      "F3 PED-1-2026",
      "Cliente Ejemplo SL",
    ]);
  });

  test("to the client of the shop when no other is named", () => {
    const known = later(placed(anOrder()), { client: A_COMPANY });
    expect(outcomeOf(known.course.decision)).toBe("invoiced");
    const after = answering(known, { answer: "ask_full_invoice" });
    expect(documentIn(onlyIssue(after.course.decision))).toBe("F3 PED-1-2026");
  });

  test("that was dismissed waits again when the shop asks with other data", () => {
    const { answered, ...place } = answering(asked(), noNif);
    const { answers } = answered;
    expect(outcomeOf(later(place, { status: "5" }, { answers }).course.decision)).toBe("invoiced");
    const again = later(place, { client: { ...A_PERSON, vatNumber: "12345678A" } }, { answers });
    expect(outcomeOf(again.course.decision)).toBe("held tax_identifier_invalid");
  });

  test("that the owner asked for and dismissed does not come back automatically", () => {
    const withdrawn = later(placed(anOrder()), { client: A_COMPANY }, { issuer: { consented: false } });
    const waiting = answering(withdrawn, { answer: "ask_full_invoice" });
    const { answers } = waiting.answered;
    const gone = later(waiting, { client: A_PERSON }, { answers, issuer: { consented: true } });
    expect(outcomeOf(gone.course.decision)).toBe("held recipient_incomplete");
    const dismissed = answering(gone, noNif);
    const known = later(dismissed, { client: A_COMPANY }, { answers: dismissed.answered.answers });
    expect([outcomeOf(known.course.decision), known.course.issued.length]).toEqual(["invoiced", 1]);
  });

  test("that was dismissed can be asked for", () => {
    const dismissed = answering(asked(), noNif);
    const after = answering(dismissed, { answer: "ask_full_invoice", recipient: A_COMPANY });
    expect(documentIn(onlyIssue(after.course.decision))).toBe("F3 PED-1-2026");
  });
});

describe("an event that was dismissed", () => {
  test("can be confirmed all the same", () => {
    const dismissed = answering(later(placed(anOrder()), { events: [VOID] }), {
      answer: "dismiss",
      why: "Sí hubo venta",
    });
    const after = answering(dismissed, { answer: "confirm_annulment", eventId: "v1" });
    expect(after.course.decision.effects).toMatchObject([{ effect: "annul", invoiceId: "in1" }]);
  });

  test("a void that a correction has overtaken is refused, also when it was confirmed in time", () => {
    const withdrawn = later(placed(anOrder()), { events: [VOID] }, { issuer: { consented: false } });
    const confirmed = answering(withdrawn, { answer: "confirm_annulment", eventId: "v1" });
    const { answers } = confirmed.answered;
    const events = [refundOfAmount("r1", "12.10"), VOID];
    const overtaken = later(confirmed, { events }, { answers, issuer: { consented: true } });
    expect(outcomeOf(overtaken.course.decision)).toBe("held annulment_review");
    expect(verdict(overtaken, { answer: "confirm_annulment", eventId: "v1" })).toBe(
      "annulment_after_correction",
    );
  });
});

describe("a recipient", () => {
  const place = (client: object) => placed(anOrder({ client, breakdown: linesOf("400+84@21") }));

  test("an empty text takes away what the shop said", () => {
    const after = answering(place({ ...A_COMPANY, vatNumber: "" }), {
      answer: "enter_recipient",
      recipient: { firstName: "Ana", lastName: "Pérez", company: "", vatNumber: "12345678Z" },
    });
    const { recipient } = onlyIssue(after.course.decision).draft.document.request;
    expect(recipient).toMatchObject({ company: "Ana Pérez", vatNumber: "12345678Z" });
  });

  test("the type of the shop's identifier is not that of another", () => {
    const shops = { ...A_PERSON, vatNumber: "<>", idType: "04", country: "US" };
    const after = answering(place({ ...shops, country: "ES" }), {
      answer: "enter_recipient",
      recipient: { vatNumber: "12345678Z" },
    });
    expect(onlyIssue(after.course.decision).draft.identifier).toMatchObject({ kind: "nif" });
  });

  test("an earlier entry is entered anew", () => {
    const first = answering(place({}), {
      answer: "enter_recipient",
      recipient: { company: "X", vatNumber: "B12345674" },
    });
    const second = answering(first, {
      answer: "enter_recipient",
      recipient: { firstName: " Ana ", vatNumber: "12345678Z", country: "es" },
    });
    expect(answersIn(second).recipient).toEqual({ firstName: "Ana", vatNumber: "12345678Z", country: "ES" });
  });
});

describe("declarations for one order", () => {
  test("add up, and a later one of the same takes the place of the one before", () => {
    const place = placed(
      anOrder({ breakdown: linesOf("100+10@21"), client: { ...A_PERSON, country: "NL" } }),
    );
    const first = answering(place, { answer: "declare_sales", sales: { foreignSales: "domestic" } });
    const second = answering(first, { answer: "declare_sales", sales: { zeroRateBasis: "E6" } });
    const third = answering(second, { answer: "declare_sales", sales: { foreignSales: "oss" } });
    expect(answersIn(third).sales).toEqual({
      destinations: { ...destinationsOf("domestic"), euConsumer: "oss" },
      zeroRateBasis: "E6",
    });
  });

  test("codes and names are compared as orders have them", () => {
    const order = anOrder({
      breakdown: linesOf("100+10@21"),
      discounts: [aDiscount("5", { name: " Saldo\u0007", kind: "unknown" })],
      unmappedTotals: [{ code: "constructor", value: decimal("3"), kind: "promotional" }],
    });
    const named = answering(placed(order), { answer: "declare_discount", name: "Saldo ", as: "payment" });
    const treated = answering(named, {
      answer: "declare_treatment",
      code: " Constructor ",
      treatment: { as: "ignore_non_taxable" },
    });
    expect(answersIn(treated)).toMatchObject({
      discounts: { Saldo: "payment" },
      treatments: { constructor: { as: "ignore_non_taxable" } },
    });
  });

  test("an order that was dismissed is never invoiced", () => {
    const place = placed(anOrder({ breakdown: linesOf("100+10@21") }));
    const after = answering(place, { answer: "dismiss", why: "Es una prueba" });
    expect(answersIn(after).dismissed).toBe(true);
    const corrected = later(
      after,
      { breakdown: linesOf("100+21@21"), total: decimal("121") },
      {
        answers: answersIn(after),
      },
    );
    expect([corrected.course.decision.state, corrected.course.issued]).toEqual(["stored", []]);
  });
});

describe("the audit log", () => {
  test.each<[OrderAnswer, object]>([
    [{ answer: "release" }, {}],
    [{ answer: "approve" }, {}],
    [{ answer: "issue_cancellation" }, {}],
    [{ answer: "assign_profile", profileId: "p1" }, { profile_id: "p1" }],
    [
      { answer: "declare_treatment", code: "COD", treatment: { as: "fee", rate: decimal("21") } },
      { code: "cod", treatment: "fee", rate: "21" },
    ],
    [
      { answer: "declare_treatment", code: "cod", treatment: { as: "payment" } },
      { code: "cod", treatment: "payment" },
    ],
    [
      { answer: "declare_sales", sales: { foreignSales: "oss", underAuthorisation: false } },
      { euConsumer: "oss", underAuthorisation: "false" },
    ],
    [{ answer: "enter_country", country: "FR" }, { country: "FR" }],
    [
      { answer: "enter_exchange_rate", rate: decimal("1.1"), date: civilDate("2026-11-26") },
      { rate: "1.1", date: "2026-11-26" },
    ],
    [
      { answer: "declare_discount", name: "Cupón", as: "payment" },
      { name: "Cupón", as: "payment" },
    ],
    [{ answer: "mark_distinct", eventId: "r1" }, { event_id: "r1" }],
    [{ answer: "confirm_annulment", eventId: "v1" }, { event_id: "v1" }],
    [
      {
        answer: "share_event",
        eventId: "r1",
        shares: [
          { rate: decimal("21"), gross: decimal("12.1") },
          { rate: decimal("10"), gross: decimal("7.9") },
        ],
      },
      { event_id: "r1", shares: "21 %: 12.1, 10 %: 7.9" },
    ],
    [{ answer: "ask_full_invoice" }, {}],
    [{ answer: "dismiss", why: " Es una prueba " }, { why: "Es una prueba" }],
    [
      { answer: "dismiss", why: "x", which: [{ code: "over_refund", about: "r1 0" }] },
      { why: "x", which: "over_refund" },
    ],
  ])("%j", (answer, details) => {
    expect(answerFacts(answer)).toEqual({ answer: answer.answer, ...details });
  });

  test.each<OrderAnswer["answer"]>(["enter_recipient", "ask_full_invoice"])(
    "%s has nothing about a person",
    (kind) => {
      const recipient = {
        firstName: "Ana",
        lastName: "Pérez",
        company: "Cliente Ejemplo SL",
        vatNumber: "12345678Z",
        address1: "Gran Vía 1",
        postcode: "28013",
        city: "Madrid",
      };
      const answer =
        kind === "enter_recipient"
          ? { answer: kind, recipient }
          : { answer: "ask_full_invoice" as const, recipient };
      expect(answerFacts(answer)).toEqual({
        answer: kind,
        members: "firstName, lastName, company, vatNumber, address1, postcode, city",
        identifier: "******78Z",
      });
    },
  );

  test("of a short identifier nothing is left, and of none nothing is said", () => {
    const facts = (vatNumber: string) => answerFacts({ answer: "enter_recipient", recipient: { vatNumber } });
    expect(facts("AB1234")).toMatchObject({ identifier: "******" });
    expect(facts("")).toEqual({ answer: "enter_recipient", members: "vatNumber" });
  });
});
