import { describe, expect, test } from "vitest";
import { newDelivery } from "../../../src/domain/callback/delivery.ts";
import {
  beginCall,
  nextCallAt,
  registered,
  settleCall,
  withNewDelivery,
} from "../../../src/domain/callback/pull-callback.ts";
import type { Setup } from "../../../src/domain/connection/setup.ts";
import {
  aCallback,
  aSecret,
  configured,
  NOON,
  PENDING,
  PUBLIC_POLICY,
  SECOND,
} from "../../support/builders/callbacks.ts";

const asking = (setup: Setup, id = "msg_1", at = NOON) => ({ setup, id, at });
const REGISTRATION = { url: "https://tienda.es/pull", secret: aSecret(1) };
const MOMENT = { at: NOON, chance: 0, policy: PUBLIC_POLICY };
const DUE = aCallback({ delivery: newDelivery("msg_1", NOON) });

describe("registered", () => {
  test("before step 2: it waits", () => {
    expect(registered(undefined, REGISTRATION, asking(PENDING))).toEqual(aCallback());
  });

  test.each([[""], ["1,2"], [null]])("after it, with %j: it is called at once", (storeIds) => {
    expect(registered(undefined, REGISTRATION, asking(configured(storeIds)))).toEqual(DUE);
  });

  test("again: no event, after any result of the last call", () => {
    const current = aCallback({ delivery: { ...newDelivery("msg_0", 0), dueAt: undefined } });
    const again = registered(current, { ...REGISTRATION, secret: aSecret(2) }, asking(configured("")));
    expect(again).toBe(current);
  });

  test("elsewhere: the same secrets, a delivery of its own", () => {
    const secrets = { current: aSecret(2), previous: aSecret(1) };
    const current = aCallback({ secrets, delivery: newDelivery("msg_0", 0) });
    const moved = registered(
      current,
      { url: "https://tienda.es/otro", secret: aSecret(3) },
      asking(configured("")),
    );
    expect(moved).toEqual({ url: "https://tienda.es/otro", secrets, delivery: newDelivery("msg_1", NOON) });
  });
});

describe("asked", () => {
  test("before step 2: nothing is sent", () => {
    const callback = aCallback();
    expect(withNewDelivery(callback, asking(PENDING))).toBe(callback);
    expect(nextCallAt(callback)).toBeUndefined();
  });

  test("by step 2 or by the owner: due now, under an id of its own", () => {
    const again = withNewDelivery(DUE, asking(configured("1"), "msg_2", NOON + 1));
    expect(again).toEqual(aCallback({ delivery: newDelivery("msg_2", NOON + 1) }));
    expect(nextCallAt(again)).toBe(NOON + 1);
  });
});

describe("a call begins", () => {
  test.each<[string, string | null, string, string]>([
    ["some stores", "1,2", "?store_ids=1%2C2", '"1,2"'],
    ["all of them: the parameter is there, and empty", "", "?store_ids=", '""'],
    ["not managed here: no parameter, the local selection rules", null, "", "null"],
  ])("%s", (_, storeIds, query, signed) => {
    const { callback, begun: told } = beginCall({ setup: configured(storeIds), callback: DUE }, MOMENT);
    expect(told).toEqual({
      step: "call",
      number: 1,
      message: {
        id: "msg_1",
        url: `https://tienda.es/pull${query}`,
        body: `{"type":"pull.requested","timestamp":"2026-11-28T12:00:00.000Z","data":{"store_ids":${signed}}}`,
        secrets: { current: aSecret(1) },
        at: NOON,
      },
    });
    expect(callback?.delivery).toMatchObject({ attempts: 1, dueAt: NOON + 10 * SECOND });
  });

  test("a second attempt sends the same body under the same id, at another time", () => {
    const held = { setup: configured("1"), callback: DUE };
    const first = beginCall(held, MOMENT);
    const second = beginCall({ ...held, callback: first.callback }, { ...MOMENT, at: NOON + 10 * SECOND });
    if (first.begun.step !== "call" || second.begun.step !== "call") throw new Error("two calls");
    expect(second.begun).toEqual({
      ...first.begun,
      number: 2,
      message: { ...first.begun.message, at: NOON + 10 * SECOND },
    });
  });

  test.each([
    ["no address is registered", undefined],
    ["nothing was asked", aCallback()],
    ["it is not due yet", aCallback({ delivery: newDelivery("msg_1", NOON + 1) })],
    ["it has ended", aCallback({ delivery: { ...newDelivery("msg_1", NOON), dueAt: undefined } })],
  ])("not where %s", (_, callback) => {
    const begun = beginCall({ setup: configured(""), callback }, MOMENT);
    expect(begun.begun).toEqual({ step: "none" });
    expect(begun.callback).toBe(callback);
  });

  test("not to an address that may no longer be called", () => {
    const policy = { ...PUBLIC_POLICY, ownHosts: ["tienda.es"] };
    const { callback, begun: told } = beginCall(
      { setup: configured(""), callback: DUE },
      { ...MOMENT, policy },
    );
    expect(told).toEqual({ step: "stopped" });
    expect(callback?.delivery).toMatchObject({ dueAt: undefined, lastOutcome: { cause: "url_not_allowed" } });
  });
});

describe("a call is settled", () => {
  const { callback: begun } = beginCall({ setup: configured(""), callback: DUE }, MOMENT);
  const attempt = { deliveryId: "msg_1", number: 1, outcome: { outcome: "delivered", status: 204 } } as const;

  test("delivered", () => {
    const settled = settleCall(begun, attempt, { at: NOON + SECOND, chance: 0 });
    expect(settled?.delivery).toMatchObject({ dueAt: undefined, lastOutcome: attempt.outcome });
    expect(nextCallAt(settled)).toBeUndefined();
  });

  test.each([
    ["removed", undefined],
    ["asked for again", withNewDelivery(DUE, asking(configured(""), "msg_2"))],
    ["registered elsewhere, before step 2", aCallback({ url: "https://otra.es/" })],
  ])("a callback that was %s during the attempt is kept", (_, callback) => {
    expect(settleCall(callback, attempt, { at: NOON, chance: 0 })).toBe(callback);
  });
});
