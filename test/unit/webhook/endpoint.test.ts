import { describe, expect, test } from "vitest";
import { type CallOutcome, newDelivery } from "../../../src/domain/callback/delivery.ts";
import { isDown, statusOf } from "../../../src/domain/webhook/delivery.ts";
import {
  chosenEvents,
  findLiveWebhook,
  findWebhook,
  MOST_WEBHOOKS,
  newSources,
  registerWebhook,
  type WebhookEndpoint,
} from "../../../src/domain/webhook/endpoint.ts";
import { WEBHOOK_EVENTS } from "../../../src/domain/webhook/event.ts";
import { aSecret, MINUTE, NOON, PUBLIC_POLICY } from "../../support/builders/callbacks.ts";
import { refusalIn } from "../../support/rules/readable.ts";

const WISH = { url: "https://receptor.es/avisos", events: ["invoice.issued"] };
const SCOPE = { policy: PUBLIC_POLICY, at: NOON };

function anEndpoint(change: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    id: "wh1",
    url: WISH.url,
    secrets: { current: aSecret(1) },
    events: ["invoice.issued"],
    createdAt: NOON,
    ...change,
  };
}

const ENDED = anEndpoint({ ended: { at: NOON, because: "gone" } });
const others = (count: number) =>
  Array.from({ length: count }, (_, index) => anEndpoint({ url: `https://r${index}.es/` }));

describe("registered", () => {
  test.each([
    ["the first", []],
    ["where the same address has ended", [ENDED]],
    ["up to the limit, without ended ones", [ENDED, ...others(MOST_WEBHOOKS - 1)]],
  ])("%s", (_, known) => {
    const registration = registerWebhook(WISH, known, SCOPE);
    expect(registration).toEqual({ ok: true, value: { step: "open", ...WISH } });
  });

  test.each([
    ["callback_url_ip_address", { ...WISH, url: "https://10.0.0.1/" }, []],
    ["webhook_event_unknown", { ...WISH, events: ["invoice.issued", "webhook.test"] }, []],
    ["webhook_event_unknown", { ...WISH, events: ["toString"] }, []],
    ["webhook_events_missing", { ...WISH, events: [] }, []],
    ["webhook_already_registered", { ...WISH, events: ["order.held"] }, [anEndpoint()]],
    ["webhook_already_registered", WISH, [anEndpoint({ createdAt: NOON - 10 * MINUTE })]],
    ["too_many_webhooks", WISH, others(MOST_WEBHOOKS)],
  ])("not: %s", (code, wish, known) => {
    expect(refusalIn(registerWebhook(wish, known, SCOPE)).code).toBe(code);
  });

  test("again at once it is the same registration", () => {
    const endpoint = anEndpoint({ createdAt: NOON - 9 * MINUTE });
    expect(registerWebhook(WISH, [endpoint], SCOPE)).toEqual({
      ok: true,
      value: { step: "repeat", endpoint },
    });
  });
});

test("events are chosen once each, in the order of the list", () => {
  const asked = ["order.held", "invoice.issued", "order.held"];
  expect(chosenEvents(asked)).toEqual({ ok: true, value: ["invoice.issued", "order.held"] });
  expect(chosenEvents(WEBHOOK_EVENTS)).toEqual({ ok: true, value: WEBHOOK_EVENTS });
});

test("sources that were not listened to before", () => {
  expect(newSources(["invoice.issued"], ["order.invoiced", "record.rejected"])).toEqual(["changed"]);
  expect(newSources(["order.held"], [...WEBHOOK_EVENTS]).toSorted()).toEqual(["changed", "issued", "mailed"]);
});

test("an ended one is found, and not changed", () => {
  expect(findWebhook("wh1", [ENDED]).ok).toBe(true);
  expect(refusalIn(findLiveWebhook("wh1", [ENDED])).code).toBe("webhook_ended");
  expect(refusalIn(findWebhook("wh2", [ENDED])).code).toBe("webhook_not_found");
});

describe("a delivery", () => {
  const made = newDelivery("msg_1", NOON);
  const busy: CallOutcome = { outcome: "failed", cause: "server_error", status: 503 };
  const done: CallOutcome = { outcome: "delivered", status: 200 };

  test.each([
    ["waiting", made],
    ["retrying", { ...made, attempts: 1, lastOutcome: busy }],
    ["given_up", { ...made, attempts: 9, dueAt: undefined, lastOutcome: busy }],
    ["delivered", { ...made, attempts: 1, dueAt: undefined, lastOutcome: done }],
    ["waiting", { ...made, attempts: 1, lastOutcome: done }],
  ])("is %s", (status, delivery) => {
    expect(statusOf(delivery)).toBe(status);
  });

  test.each<[boolean, CallOutcome]>([
    [true, busy],
    [true, { outcome: "failed", cause: "no_connection" }],
    [true, { outcome: "failed", cause: "timeout" }],
    [true, { outcome: "failed", cause: "client_error", status: 429 }],
    [false, { outcome: "failed", cause: "client_error", status: 400 }],
    [false, { outcome: "failed", cause: "redirect", status: 302 }],
    [false, done],
  ])("the receiver is down: %s", (down, outcome) => {
    expect(isDown(outcome)).toBe(down);
  });
});
