/** The edge of deliveries: what ends there, and what the object's answer becomes. */
import { describe, expect, test } from "vitest";
import { shopAddress } from "../../../src/domain/connection/shop-address.ts";
import type { DeliveryOutcome } from "../../../src/ledger/rpc.ts";
import { anEdge, CONNECTION_ID, type EdgeOptions, SERVER_SECRET } from "../../support/worlds/http-edge.ts";

const NONCE = "0".repeat(20);
const PLACE = { connectionId: CONNECTION_ID, nonce: NONCE };
const ADDRESS = shopAddress("woocommerce", PLACE, SERVER_SECRET);
const HEADERS = {
  "X-WC-Webhook-Signature": "c2lnbmF0dXJl",
  "X-WC-Webhook-Delivery-ID": "w-1",
  "X-WC-Webhook-Topic": "order.updated",
  "Content-Type": "application/json",
};

async function deliver(init: RequestInit = {}, options: EdgeOptions = {}, path = `woocommerce/${ADDRESS}`) {
  const edge = anEdge(options);
  const request = { method: "POST", headers: HEADERS, body: '{"id":1}', ...init };
  const response = await edge.app.request(`/v1/shops/${path}`, request);
  const body = response.status === 405 ? {} : await response.json<Record<string, unknown>>();
  return { ...edge, response, body };
}

test("passes the bytes and the shop's own headers to the object", async () => {
  const { delivered, response, body } = await deliver();
  expect([response.status, body]).toEqual([
    200,
    { success: true, data: { delivery_id: "w-1", outcome: "accepted" } },
  ]);
  expect(delivered).toEqual([
    {
      ...{ ...PLACE, platform: "woocommerce", signature: "c2lnbmF0dXJl", deliveryId: "w-1" },
      ...{ topic: "order.updated", body: new TextEncoder().encode('{"id":1}'), requestId: "generated-id" },
    },
  ]);
});

describe("answers 404 without the object", () => {
  test.each([
    ["a forged address", `woocommerce/${ADDRESS.slice(0, -1)}x`],
    ["an address of another platform", `shopify/${ADDRESS}`],
    ["an unknown platform", `opencart/${ADDRESS}`],
  ])("%s", async (_, path) => {
    const { delivered, response } = await deliver({}, {}, path);
    expect([response.status, delivered]).toEqual([404, []]);
  });
});

test("a body above 1 MiB is 413, and reaches no object", async () => {
  const { delivered, response, body } = await deliver({ body: "x".repeat(1_048_577) });
  expect([response.status, body.error_code, delivered]).toEqual([413, "payload_too_large", []]);
});

test("WooCommerce's unsigned activation ping is 200, and reaches no object", async () => {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const { delivered, response } = await deliver({ headers, body: "webhook_id=14" });
  expect([response.status, delivered]).toEqual([200, []]);
  const signed = await deliver({ body: "webhook_id=14" });
  expect(signed.delivered).toHaveLength(1);
});

describe("the object's answer", () => {
  const decided: DeliveryOutcome = {
    ...{ outcome: "received", deliveryId: "w-1", as: "decided" },
    order: { idExternal: "9004", state: "held" },
  };
  test("of a held order is 200, because shops switch off what fails", async () => {
    const { response, body } = await deliver({}, { deliver: decided });
    expect([response.status, body.data]).toEqual([
      200,
      { delivery_id: "w-1", outcome: "decided", order_id: "9004", state: "held" },
    ]);
  });

  const rows: readonly (readonly [DeliveryOutcome, number, string, string | null])[] = [
    [{ outcome: "unknown_address" }, 404, "not_found", null],
    [{ outcome: "wrong_signature" }, 401, "shop_signature_invalid", null],
    [{ outcome: "rate_limited", retryAfterSeconds: 7 }, 503, "temporarily_unavailable", "7"],
    [{ outcome: "failed", cause: "TypeError" }, 503, "temporarily_unavailable", "60"],
    [
      { outcome: "unavailable", retryAfterSeconds: 2, cause: "d1" },
      ...([503, "temporarily_unavailable", "2"] as const),
    ],
  ];
  test.each(rows)("%o", async (outcome, status, code, retryAfter) => {
    const { response, body } = await deliver({}, { deliver: outcome });
    expect([response.status, body.error_code]).toEqual([status, code]);
    expect(response.headers.get("Retry-After")).toBe(retryAfter);
  });

  test("of many wrong signatures from one network is 429", async () => {
    const { response } = await deliver({}, { deliver: { outcome: "wrong_signature" }, brake: false });
    expect(response.status).toBe(429);
  });
});
