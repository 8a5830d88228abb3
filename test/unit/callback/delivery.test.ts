import { describe, expect, test } from "vitest";
import {
  beginAttempt,
  type CallOutcome,
  type Delivery,
  deliveryStatus,
  isDue,
  MOST_ATTEMPTS,
  newDelivery,
  retryDelayMs,
  settleAttempt,
  stopDelivery,
} from "../../../src/domain/callback/delivery.ts";
import { HOUR, MINUTE, NOON, SECOND } from "../../support/builders/callbacks.ts";

const CALM = { chance: 0 };
const BUSY: CallOutcome = { outcome: "failed", cause: "server_error", status: 503 };
const DONE: CallOutcome = { outcome: "delivered", status: 200 };
const GONE: CallOutcome = { outcome: "stopped", cause: "gone", status: 410 };

describe("how long to wait", () => {
  const plan = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

  test.each(plan.map((delay, index) => [index + 1, delay]))("after %i failures", (attempts, delay) => {
    expect(retryDelayMs(attempts, CALM)).toBe(delay);
    expect(retryDelayMs(attempts, { chance: 1 })).toBe(delay * 1.2);
  });

  test("after one more it is given up", () => {
    expect(MOST_ATTEMPTS).toBe(plan.length + 1);
    expect(retryDelayMs(MOST_ATTEMPTS, CALM)).toBeUndefined();
    expect(retryDelayMs(MOST_ATTEMPTS, { chance: 0, retryAfterSeconds: 60 })).toBeUndefined();
  });

  test.each([
    ["longer than planned is kept to", 90, 90 * SECOND],
    ["shorter hurries nothing", 1, 10 * SECOND],
    ["longer than a day is a day", 999_999_999, 24 * HOUR],
  ])("a receiver that asks for it: %s", (_, retryAfterSeconds, delay) => {
    expect(retryDelayMs(1, { chance: 0, retryAfterSeconds })).toBe(delay);
  });
});

function settle(delivery: Delivery, outcome: CallOutcome, change: object = {}, at = NOON): Delivery {
  const attempt = { deliveryId: delivery.id, number: delivery.attempts, outcome, ...change };
  return settleAttempt(delivery, attempt, { at, ...CALM });
}

const FRESH = newDelivery("msg_1", NOON);
const BEGUN = beginAttempt(FRESH, { at: NOON, ...CALM });

test("a delivery is due when it is asked for", () => {
  expect(isDue(FRESH, NOON - 1)).toBe(false);
  expect(isDue(FRESH, NOON)).toBe(true);
  expect(deliveryStatus(FRESH)).toBe("waiting");
});

test("an attempt counts as failed before it is made", () => {
  expect(BEGUN).toEqual({
    ...FRESH,
    attempts: 1,
    dueAt: NOON + 10 * SECOND,
    lastAt: NOON,
    lastOutcome: { outcome: "failed", cause: "interrupted" },
  });
  expect(isDue(BEGUN, NOON + 9_999)).toBe(false);
});

test("delivered: nothing more is due", () => {
  const settled = settle(BEGUN, DONE, {}, NOON + 1);
  expect(settled).toEqual({ ...BEGUN, dueAt: undefined, lastAt: NOON + 1, lastOutcome: DONE });
  expect(deliveryStatus(settled)).toBe("delivered");
});

test("410: nothing more is due", () => {
  const settled = settle(BEGUN, GONE);
  expect(settled.dueAt).toBeUndefined();
  expect(deliveryStatus(settled)).toBe("stopped");
});

test("failed: due again, counted from its end", () => {
  const settled = settle(BEGUN, BUSY, {}, NOON + 9 * SECOND);
  expect(settled).toMatchObject({ attempts: 1, dueAt: NOON + 19 * SECOND, lastOutcome: BUSY });
  expect(deliveryStatus(settled)).toBe("retrying");
});

test("failed with a request to wait, which is not kept after the last attempt", () => {
  const settled = settle(BEGUN, BUSY, { retryAfterSeconds: 600 });
  expect(settled.dueAt).toBe(NOON + 10 * MINUTE);
  expect(JSON.stringify(settled)).not.toContain("retryAfter");
});

test("failed until the end: given up after nine attempts within two days", () => {
  let delivery = FRESH;
  let at = NOON;
  const sent: number[] = [];
  while (delivery.dueAt !== undefined) {
    at = delivery.dueAt;
    sent.push(at);
    delivery = settle(beginAttempt(delivery, { at, ...CALM }), BUSY, {}, at);
  }
  expect(sent).toHaveLength(MOST_ATTEMPTS);
  expect(at - NOON).toBe(44 * HOUR + 36 * MINUTE + 10 * SECOND);
  expect(deliveryStatus(delivery)).toBe("given_up");
});

test("attempts that never settle end as well", () => {
  let delivery = FRESH;
  while (delivery.dueAt !== undefined) delivery = beginAttempt(delivery, { at: delivery.dueAt, ...CALM });
  expect(delivery.attempts).toBe(MOST_ATTEMPTS);
  expect(deliveryStatus(delivery)).toBe("given_up");
});

describe("a result that comes late", () => {
  const second = beginAttempt(BEGUN, { at: NOON + MINUTE, ...CALM });
  test.each([
    ["a failure of an earlier attempt", second, BUSY, { number: 1 }],
    ["a failure of another delivery", BEGUN, BUSY, { deliveryId: "msg_0" }],
    ["a yes to another delivery", BEGUN, DONE, { deliveryId: "msg_0" }],
    ["a failure after the yes", settle(BEGUN, DONE), BUSY, {}],
    ["a failure after the stop", settle(BEGUN, GONE), BUSY, {}],
    ["a yes after the stop", settle(BEGUN, GONE), DONE, {}],
  ])("%s changes nothing", (_, delivery, outcome, change) => {
    expect(settle(delivery, outcome, change)).toBe(delivery);
  });

  test("a yes of an earlier attempt ends the delivery", () => {
    expect(deliveryStatus(settle(second, DONE, { number: 1 }))).toBe("delivered");
  });

  test("so does a late success of the last attempt", () => {
    const last = { ...BEGUN, attempts: MOST_ATTEMPTS, dueAt: undefined };
    expect(deliveryStatus(settle(last, BUSY))).toBe("given_up");
    expect(deliveryStatus(settle(last, DONE))).toBe("delivered");
  });
});

test("a delivery can be stopped before any attempt", () => {
  const delivery = stopDelivery(FRESH, NOON);
  expect(delivery).toMatchObject({
    attempts: 0,
    dueAt: undefined,
    lastOutcome: { cause: "url_not_allowed" },
  });
  expect(deliveryStatus(delivery)).toBe("stopped");
});
