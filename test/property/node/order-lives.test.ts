/** Events, cancellations, answers and full invoices in any order: no rate goes below zero, none is sold twice. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { decideOrder } from "../../../src/domain/order/decide-order.ts";
import type { CorrectionEvent } from "../../../src/domain/order/facts.ts";
import { orderOriginOf } from "../../../src/domain/order/order-origin.ts";
import { answering, type Placed, placed, sends, verdict } from "../../support/builders/answers.ts";
import { textOf, unitsOf } from "../../support/builders/facts.ts";
import {
  A_COMPANY,
  A_PERSON,
  anOrder,
  CANCELLATION,
  linesOf,
  originsIn,
  refundOf,
  refundOfAmount,
} from "../../support/builders/orders.ts";
import { often } from "../../support/rules/often.ts";

const SOLD = anOrder({ breakdown: linesOf("10+2.10@21 9.09+0.91@10") });
const GROSS: Readonly<Record<string, bigint>> = { "21": 1210n, "10": 1000n };

type Step =
  | { readonly do: "refund"; readonly rate: "21" | "10"; readonly cents: bigint }
  | { readonly do: "amount"; readonly cents: bigint }
  | { readonly do: "cancelled" | "candidate" | "full" | "none" }
  | { readonly do: "issue" | "cancel" | "ask" | "dismiss" };

const cents = fc.bigInt({ min: 1n, max: 1400n });
const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("refund"), rate: fc.constantFrom("21", "10"), cents }),
  },
  fc.record({ do: fc.constant("amount"), cents }),
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("cancelled", "candidate", "full", "none") }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("issue", "issue", "issue", "cancel", "ask", "ask", "dismiss"),
    }),
  },
);

const ANSWERS = {
  issue: { answer: "issue" },
  cancel: { answer: "issue_cancellation" },
  ask: { answer: "ask_full_invoice", recipient: A_COMPANY },
  dismiss: { answer: "dismiss", why: "Por teléfono" },
} as const;

test("after any sequence the amount in force is between nothing and the sale, and each document exists once", () => {
  const [reached, used] = [new Set<string>(), new Set<string>()];
  fc.assert(
    fc.property(fc.array(aStep, { minLength: 3, maxLength: 18 }), fc.boolean(), (steps, isNamed) => {
      let place: Placed = placed({ ...SOLD, client: isNamed ? A_COMPANY : A_PERSON });
      let events: readonly CorrectionEvent[] = [];
      for (const step of steps) {
        used.add(step.do === "refund" ? `refund ${step.rate}` : step.do);
        if (step.do === "refund") events = [...events, refund(step, events.length)];
        if (step.do === "amount")
          events = [...events, refundOfAmount(`r${events.length}`, textOf(step.cents, 2))];
        place = taken(place, step, events);
        expectSound(place);
        expectSettled(place);
        for (const origin of originsIn(place.course)) reached.add(origin.replace(/:.*/s, ""));
      }
    }),
    often(400, 20_261_129),
  );
  expect([...reached].sort()).toEqual([
    "event",
    "event_replacement",
    "order",
    "reissue",
    "reissue_replacement",
    "replacement",
  ]);
  expect([...used].sort(), "the steps are of every kind").toEqual(
    [
      ...["refund 21", "refund 10", "amount", "cancelled", "candidate", "full", "none"],
      ...Object.keys(ANSWERS),
    ].sort(),
  );
});

function refund({ rate, cents }: Extract<Step, { do: "refund" }>, count: number): CorrectionEvent {
  return refundOf(`r${count}`, `${textOf(cents, 2)}+0@${rate}`);
}

function taken(place: Placed, step: Step, events: readonly CorrectionEvent[]): Placed {
  switch (step.do) {
    case "issue":
    case "cancel":
    case "ask":
    case "dismiss": {
      const answer = ANSWERS[step.do];
      return verdict(place, answer) === "ok" ? answering(place, answer) : place;
    }
    case "cancelled":
      return sends(place, { isCandidate: false, isCancelled: true, events: [...events, CANCELLATION] });
    case "none":
      return sends(place, { isCandidate: false, isCancelled: false, events });
    case "full":
      return sends(place, {
        isCandidate: false,
        isCancelled: false,
        asksFullInvoice: true,
        client: A_COMPANY,
        events,
      });
    default:
      return sends(place, { isCandidate: true, isCancelled: false, events });
  }
}

/** The same facts, decided a second time, issue nothing, and ask for the same. */
function expectSettled({ course: { context, decision } }: Placed): void {
  const { effects, state, reasons } = decideOrder(context);
  expect({ effects, state, reasons }).toEqual({
    effects: [],
    state: decision.state,
    reasons: decision.reasons,
  });
}

type Cents = Readonly<Record<string, bigint>>;

/** Counted from the documents alone. A generation ends with the next first invoice. */
function expectSound(place: Placed): void {
  const origins = originsIn(place.course);
  expect(new Set(origins).size).toBe(origins.length);
  const generations: { tickets: Cents; full?: Cents }[] = [];
  for (const [index, { draft }] of place.course.issued.entries()) {
    const of = orderOriginOf(origins[index] ?? "")?.of;
    if (of === "order") generations.push({ tickets: {} });
    const last = generations.at(-1);
    if (!last) throw new Error("a first invoice comes first");
    const isFull = of === "replacement" || of === "event_replacement";
    if (isFull) last.full = plus(last.full ?? {}, draft);
    else last.tickets = plus(last.tickets, draft);
  }
  for (const [index, { tickets, full }] of generations.entries()) {
    const isLast = index === generations.length - 1;
    for (const [rate, sold] of Object.entries(GROSS)) {
      const left = tickets[rate] ?? 0n;
      expect(left >= 0n && left <= sold).toBe(true);
      if (!isLast) expect(left).toBe(0n);
      if (full) expect(full[rate] ?? 0n).toBe(left);
    }
  }
}

function plus(sums: Cents, { document }: Placed["course"]["issued"][number]["draft"]): Cents {
  const after: Record<string, bigint> = { ...sums };
  for (const { rate, amounts } of document.groups) {
    after[rate] = (after[rate] ?? 0n) + unitsOf(amounts.base, 2) + unitsOf(amounts.tax, 2);
  }
  return after;
}
