/** The owner's pages of a connected shop: what they show, and what they never show. */

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import worker from "../../src/worker.ts";
import { ownerOf } from "../support/worlds/console.ts";
import { openCommerce } from "../support/worlds/order-calls.ts";
import type { Shop } from "../support/worlds/shop.ts";

const CREDENTIALS = { consumer_key: "ck_0123456789abcdef", consumer_secret: "cs_0123456789abcdef" };

let shop: Shop;
let owner: Awaited<ReturnType<typeof ownerOf>>;
let base: string;

beforeEach(async () => {
  shop = await openCommerce();
  owner = await ownerOf(shop);
  base = `/api/accounts/${shop.accountId}/connections/${shop.connectionId}/shop`;
});

const read = async () => (await owner.get(base)).body.data;

test("without a shop there is nothing to show", async () => {
  expect(await read()).toMatchObject({ shop: null });
});

describe("a connected shop", () => {
  test("shows its secret once, its address always, and of credentials the last characters", async () => {
    const connected = await owner.call("PUT", base, {
      platform: "woocommerce",
      url: "https://tienda.es",
      credentials: CREDENTIALS,
    });
    expect(connected.body.data.secret).toMatch(/^whsec_/);
    const again = await owner.call("PUT", base, {
      platform: "woocommerce",
      url: "https://tienda.es",
      credentials: CREDENTIALS,
    });
    expect(again.body.data).toEqual({});
    const { shop: shown } = await read();
    expect(shown).toMatchObject({
      ...{ platform: "woocommerce", url: "https://tienda.es", hasPreviousSecret: false },
      credentials: { consumer_key: "cdef", consumer_secret: "cdef" },
      addressUrl: expect.stringMatching(/\/v1\/shops\/woocommerce\/sa_cn000\w{16}_\w{20}_[0-9a-f]{32}$/),
    });
    expect(JSON.stringify(await read())).not.toContain(CREDENTIALS.consumer_secret);
    expect(JSON.stringify((await owner.get(`/api/accounts/${shop.accountId}/activity`)).body)).not.toMatch(
      /whsec_|cs_0123/,
    );
  });

  test("is delivered to at the address that is shown, and lists the delivery", async () => {
    const { secret } = (await owner.call("PUT", base, { platform: "woocommerce" })).body.data;
    const { addressUrl } = (await read()).shop;
    const body = '{"id":9004}';
    const signature = createHmac("sha256", secret).update(body).digest("base64");
    const request = new Request<unknown, IncomingRequestCfProperties>(
      `https://api.example${new URL(addressUrl).pathname}`,
      {
        method: "POST",
        body,
        headers: {
          "X-WC-Webhook-Signature": signature,
          "X-WC-Webhook-Delivery-ID": "w-1",
          "X-WC-Webhook-Topic": "order.updated",
          "CF-Connecting-IP": crypto.randomUUID(),
        },
      },
    );
    const response = await worker.fetch(request, env, createExecutionContext());
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { data: { delivery_id: "w-1", outcome: "unreadable" } },
    ]);
    expect((await owner.get(`${base}/deliveries`)).body.data).toMatchObject({
      items: [{ deliveryId: "w-1", outcome: "unreadable", why: { missing: expect.any(Array) } }],
      next: null,
    });
    expect((await read()).shop.health).toMatchObject({
      deliveredAt: expect.stringMatching(/Z$|[+-]\d\d:\d\d$/),
    });
  });

  test("keeps the owner's map of statuses, and refuses a form that is older than it", async () => {
    await owner.call("PUT", base, { platform: "woocommerce" });
    const { versions } = (await read()).shop;
    const statuses = [{ status: "wc-enviado", means: "invoice" }];
    expect(
      (await owner.call("PUT", `${base}/statuses`, { statuses, version: versions.statuses })).status,
    ).toBe(200);
    expect((await read()).shop.statuses).toEqual([{ status: "wc-enviado", means: "invoice", orders: 0 }]);
    const stale = await owner.call("PUT", `${base}/statuses`, { statuses: [], version: versions.statuses });
    expect([stale.status, stale.body.error_code]).toEqual([409, "changed_meanwhile"]);
  });

  test("is gone once it was disconnected, with its secrets", async () => {
    await owner.call("PUT", base, { platform: "woocommerce" });
    expect((await owner.call("DELETE", base)).status).toBe(200);
    expect(await read()).toMatchObject({ shop: null });
  });
});

test.each([
  ["another member", { platform: "woocommerce", password: "x" }, 422, "validation_failed"],
  ["another platform", { platform: "opencart" }, 422, "validation_failed"],
  [
    "an address without credentials",
    { platform: "magento", url: "https://t.es" },
    422,
    "shop_credentials_incomplete",
  ],
  [
    "an address that may not be called",
    { platform: "magento", url: "https://127.0.0.1", credentials: { token: "t" } },
    ...([422, "callback_url_ip_address"] as const),
  ],
] as const)("%s is refused", async (_, sent, status, code) => {
  const refused = await owner.call("PUT", base, sent);
  expect([refused.status, refused.body.error_code]).toEqual([status, code]);
});
