import { describe, expect, test } from "vitest";
import { type CallResult, deliveryStatus, newDelivery } from "../../../src/domain/callback/delivery.ts";
import type { OutgoingMessage } from "../../../src/domain/callback/message.ts";
import { type HeldCallback, withNewDelivery } from "../../../src/domain/callback/pull-callback.ts";
import { type CallbackBook, deliverCallback } from "../../../src/work/callback/deliver-callback.ts";
import {
  aCallback,
  configured,
  MINUTE,
  NOON,
  PUBLIC_POLICY,
  SECOND,
} from "../../support/builders/callbacks.ts";

const DELIVERED: CallResult = { outcome: { outcome: "delivered", status: 200 } };
const BUSY: CallResult = {
  outcome: { outcome: "failed", cause: "server_error", status: 503 },
  retryAfterSeconds: 300,
};

/** A book in memory, with the number of times that something was stored. */
function bookOf(callback: HeldCallback["callback"]) {
  let held: HeldCallback = { setup: configured("1,2"), callback };
  let isDown = false;
  let stored = 0;
  const book: CallbackBook = {
    async change(by) {
      const { callback, value } = by(held);
      if (callback === held.callback) return value;
      if (isDown) throw new Error("not stored");
      held = { ...held, callback };
      stored += 1;
      return value;
    },
  };
  return {
    book,
    stored: () => stored,
    callback: () => held.callback,
    fails: (down: boolean) => {
      isDown = down;
    },
    replace: (by: HeldCallback["callback"]) => {
      held = { ...held, callback: by };
    },
  };
}

function courseOf(answer: (number: number) => CallResult, callback = aCallback()) {
  const kept = bookOf(withNewDelivery(callback, { setup: configured("1,2"), id: "msg_1", at: NOON }));
  const sent: OutgoingMessage[] = [];
  let now = NOON;
  const deliver = (at: number) => {
    now = at;
    return deliverCallback({
      book: kept.book,
      policy: PUBLIC_POLICY,
      now: () => now,
      chance: () => 0,
      send: async (message) => {
        sent.push(message);
        now += SECOND;
        return answer(sent.length);
      },
    });
  };
  return { kept, sent, deliver };
}

test("delivered: stored before and after the one call", async () => {
  const { kept, sent, deliver } = courseOf(() => DELIVERED);
  expect(await deliver(NOON)).toEqual({ outcome: DELIVERED.outcome, attempt: 1, nextAt: undefined });
  expect(sent).toHaveLength(1);
  expect(kept.stored()).toBe(2);
  expect(kept.callback()?.delivery).toEqual({
    ...newDelivery("msg_1", NOON),
    attempts: 1,
    dueAt: undefined,
    lastAt: NOON + SECOND,
    lastOutcome: DELIVERED.outcome,
  });
});

test("an alarm that rings again finds nothing to do, and stores nothing", async () => {
  const { kept, sent, deliver } = courseOf(() => DELIVERED);
  await deliver(NOON);
  expect(await deliver(NOON + MINUTE)).toBeUndefined();
  expect([sent.length, kept.stored()]).toEqual([1, 2]);
});

test("failed, then delivered under the same id", async () => {
  const { sent, deliver } = courseOf((number) => (number === 1 ? BUSY : DELIVERED));
  const first = await deliver(NOON);
  expect(first).toEqual({ outcome: BUSY.outcome, attempt: 1, nextAt: NOON + SECOND + 5 * MINUTE });
  expect(await deliver(NOON + 5 * MINUTE)).toBeUndefined();
  expect(await deliver(first?.nextAt ?? 0)).toMatchObject({ attempt: 2, nextAt: undefined });
  expect(sent.map(({ id }) => id)).toEqual(["msg_1", "msg_1"]);
});

test("two alarms at once call once", async () => {
  const { sent, deliver } = courseOf(() => DELIVERED);
  await Promise.all([deliver(NOON), deliver(NOON)]);
  expect(sent).toHaveLength(1);
});

describe("storage that fails", () => {
  test("before the call: no address is called", async () => {
    const { kept, sent, deliver } = courseOf(() => DELIVERED);
    kept.fails(true);
    await expect(deliver(NOON)).rejects.toThrow("not stored");
    expect(sent).toEqual([]);
  });

  test("after the call: the attempt counts, and the next one comes when it is due", async () => {
    const { kept, sent, deliver } = courseOf(() => {
      kept.fails(true);
      return DELIVERED;
    });
    await expect(deliver(NOON)).rejects.toThrow("not stored");
    kept.fails(false);
    expect(await deliver(NOON + SECOND)).toBeUndefined();
    expect(kept.callback()?.delivery).toMatchObject({ attempts: 1, dueAt: NOON + 10 * SECOND });
    await expect(deliver(NOON + 10 * SECOND)).rejects.toThrow("not stored");
    expect(sent.map(({ id }) => id)).toEqual(["msg_1", "msg_1"]);
  });
});

describe("an owner's change during the call is kept", () => {
  test("removed: nothing comes back", async () => {
    const { kept, deliver } = courseOf(() => {
      kept.replace(undefined);
      return BUSY;
    });
    expect(await deliver(NOON)).toMatchObject({ nextAt: undefined });
    expect(kept.callback()).toBeUndefined();
  });

  test("asked again: the new delivery is due", async () => {
    const again = aCallback({ delivery: newDelivery("msg_2", NOON + 1) });
    const { kept, deliver } = courseOf(() => {
      kept.replace(again);
      return DELIVERED;
    });
    expect(await deliver(NOON)).toMatchObject({ outcome: DELIVERED.outcome, nextAt: NOON + 1 });
    expect(kept.callback()).toBe(again);
  });
});

test("an address that may no longer be called is not called", async () => {
  const { kept, sent, deliver } = courseOf(() => DELIVERED, aCallback({ url: "https://caja.local/" }));
  expect(await deliver(NOON)).toEqual({
    outcome: { outcome: "stopped", cause: "url_not_allowed" },
    attempt: 0,
    nextAt: undefined,
  });
  expect(sent).toEqual([]);
  const delivery = kept.callback()?.delivery;
  expect(delivery && deliveryStatus(delivery)).toBe("stopped");
});
