/** Which payload of an order counts. */
import { expect, test } from "vitest";
import { newestFacts } from "../../../src/domain/order/facts.ts";
import { instantOf } from "../../../src/domain/shared/instant.ts";
import { anOrder, CANCELLATION, refundOf } from "../../support/builders/orders.ts";

const AT_00_30 = instantOf("2026-11-20T00:30:00Z");
const AT_00_40 = instantOf("2026-11-20T00:40:00Z");
const CANCELLED = { isCandidate: false, isCancelled: true, events: [CANCELLATION] };

test("an older payload cancels nothing", () => {
  const known = anOrder({ updatedAt: AT_00_40 });
  const { facts, stale } = newestFacts(known, anOrder({ ...CANCELLED, updatedAt: AT_00_30 }));
  expect(facts).toEqual(known);
  expect(stale).toEqual({ received: AT_00_30, stored: AT_00_40 });
});

test("an older payload asks for no full invoice", () => {
  const known = anOrder({ updatedAt: AT_00_40 });
  const received = anOrder({ asksFullInvoice: true, updatedAt: AT_00_30 });
  expect(newestFacts(known, received).facts.asksFullInvoice).toBe(false);
});

test("an event of an older payload acts when it has an id of its own", () => {
  const refund = refundOf("r1", "10+2.10@21");
  const received = anOrder({ ...CANCELLED, events: [refund, CANCELLATION], updatedAt: AT_00_30 });
  expect(newestFacts(anOrder({ updatedAt: AT_00_40 }), received).facts.events).toEqual([refund]);
});

test("a newer payload that asks for the invoice takes the cancellation back", () => {
  const known = anOrder({ ...CANCELLED, updatedAt: AT_00_30 });
  const { facts } = newestFacts(known, anOrder({ updatedAt: AT_00_40 }));
  expect([facts.isCancelled, facts.isCandidate, facts.events]).toEqual([false, true, []]);
});

test("a newer payload that cancels once more cancels once", () => {
  const known = anOrder({ ...CANCELLED, updatedAt: AT_00_30 });
  const { facts } = newestFacts(known, anOrder({ ...CANCELLED, updatedAt: AT_00_40 }));
  expect(facts.events).toEqual([CANCELLATION]);
});

test("a cancellation that has acted is kept", () => {
  const known = anOrder({ ...CANCELLED, updatedAt: AT_00_30 });
  const { facts } = newestFacts(known, anOrder({ updatedAt: AT_00_40 }), {
    acted: [{ id: CANCELLATION.id }],
    isInvoiced: true,
  });
  expect(facts.events).toEqual([CANCELLATION]);
});

test.each([
  ["before the invoice the newest word counts", false, false],
  ["after it, a full invoice that was once asked for stays asked for", true, true],
])("%s", (_, isInvoiced, expected) => {
  const known = anOrder({ asksFullInvoice: true, updatedAt: AT_00_30 });
  const { facts } = newestFacts(known, anOrder({ updatedAt: AT_00_40 }), { acted: [], isInvoiced });
  expect(facts.asksFullInvoice).toBe(expected);
});
