/** The control of the stand-in shops: documents, deliveries with their repeats, misbehaviour, refusals. */
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listener } from "../../../src/sandbox/shops/listener.ts";
import { CREDENTIALS, STAND_IN, standIn } from "../../support/worlds/stand-in.ts";

const WEBHOOKS = [
  { name: "posting", url: "https://cuadre.example/p", secret: "whsec_p", sends: "documents" },
  { name: "fetching", url: "https://cuadre.example/f", secret: "whsec_f", sends: "hint" },
] as const;
const MAGENTO = { headers: { Authorization: `Bearer ${CREDENTIALS.magento.token}` } };

test.each([
  ["no JSON", "PUT", "/woocommerce/_sandbox/orders/1", "{", 422, "no JSON"],
  ["a list in the place of an order", "PUT", "/woocommerce/_sandbox/orders/1", "[]", 422, "REST v3"],
  ["another id than its own", "PUT", "/woocommerce/_sandbox/orders/1", '{"id":2}', 422, "put it under 2"],
  ["an id that is no number", "PUT", "/woocommerce/_sandbox/orders/x", "{}", 422, "digits"],
  [
    "a resource of another platform",
    "PUT",
    "/woocommerce/_sandbox/creditmemos/1",
    "{}",
    404,
    "orders, refunds",
  ],
  ["XML of another kind", "PUT", "/prestashop/_sandbox/orders/1", "<invoices/>", 422, "<prestashop>"],
  ["a time that is none", "PUT", "/magento/_sandbox/orders/1?at=ayer", "{}", 422, "2026-11-20T10:00:00Z"],
  ["half a document of XML", "PUT", "/prestashop/_sandbox/orders/1", "<prestashop>", 422, "cannot be read"],
  ["a memo without its order", "PUT", "/magento/_sandbox/creditmemos/1", "{}", 422, "order_id"],
  ["a refund without an id", "PUT", "/shopify/_sandbox/refunds/1", "{}", 422, "id"],
  [
    "a document that is not there",
    "DELETE",
    "/magento/_sandbox/orders/1",
    undefined,
    404,
    "no orders under 1",
  ],
  ["reading", "GET", "/magento/_sandbox/orders/1", undefined, 405, "PUT"],
  ["another topic", "POST", "/shopify/_sandbox/deliver", '{"topic":"x","id":1}', 422, "orders/create"],
  [
    "an order that is not there",
    "POST",
    "/magento/_sandbox/deliver",
    '{"topic":"order","id":1}',
    404,
    "PUT it first",
  ],
  ["a strange status", "POST", "/magento/_sandbox/misbehave", '{"status":7,"times":1}', 422, "200 to 599"],
  ["a shop of another platform", "PUT", "/bigcartel/_sandbox/orders/1", "{}", 404, "Stand-in shops"],
])("%s is refused with what to do", async (_, method, path, body, status, message) => {
  const stand = standIn();
  const answer = await stand.fetch(`${STAND_IN}${path}`, { method, ...(body === undefined ? {} : { body }) });
  expect(answer.status).toBe(status);
  expect(Object(await answer.json()).message).toContain(message);
});

test.each([
  ["a document of now is dated to now", "", "2026-11-27 12:00"],
  ["one of an earlier moment is dated to that", "?at=2026-11-20T10:00:00Z", "2026-11-20 10:00:00"],
])("%s", async (_, query, expected) => {
  const stand = standIn();
  const order = JSON.stringify({ entity_id: 1, updated_at: "2026-11-01 08:00:00" });
  const put = { method: "PUT", body: order };
  expect((await stand.fetch(`${STAND_IN}/magento/_sandbox/orders/1${query}`, put)).status).toBe(200);
  const read = await stand.fetch(`${STAND_IN}/magento/rest/V1/orders/1`, MAGENTO);
  expect(Object(await read.json()).updated_at).toContain(expected);
});

test.each([
  ["a path that is no UTF-8", `${STAND_IN}/magento/rest/V1/orders/%ff`, MAGENTO.headers, 400],
  ["a key that is no base64", `${STAND_IN}/prestashop/api/orders/1`, { Authorization: "Basic %%%" }, 401],
])("%s is the caller's fault", async (_, url, headers, status) => {
  expect((await standIn().fetch(url, { headers })).status).toBe(status);
});

test.each([
  ["a page of another site", { Origin: "https://evil.example" }],
  ["a name that leads here", { Host: "evil.example" }],
])("%s changes nothing", async (_, headers) => {
  const stand = standIn();
  const path = `${STAND_IN}/magento/_sandbox/orders/1`;
  expect((await stand.fetch(path, { method: "PUT", body: "{}", headers })).status).toBe(403);
  expect((await stand.fetch(path, { method: "DELETE" })).status).toBe(404);
});

describe("a delivery", () => {
  test("is signed over its bytes, by documents or by a hint", async () => {
    const stand = standIn({ webhooks: WEBHOOKS });
    await stand.put("/magento/_sandbox/orders/5", '{"entity_id":5,"grand_total":1.10}');
    const answer = await stand.deliver("magento", { topic: "order", id: 5 });
    expect(await answer.json()).toMatchObject({
      deliveries: [
        { to: "posting", status: 200, answer: { success: true }, retry_in_seconds: null },
        { to: "fetching", status: 200 },
      ],
    });
    const [posted, hinted] = stand.posted;
    expect(posted?.text).toContain('"grand_total":1.10');
    expect(JSON.parse(hinted?.text ?? "")).toEqual({ resource: "order", id: "5" });
    for (const [sent, secret] of [[posted, "whsec_p"] as const, [hinted, "whsec_f"] as const]) {
      const signature = createHmac("sha256", secret)
        .update(sent?.text ?? "")
        .digest("base64");
      expect(sent?.headers.get("X-Cuadre-Signature")).toBe(signature);
      expect(sent?.headers.get("X-Cuadre-Topic")).toBe("order");
    }
  });

  test("goes to one of both where it is asked to", async () => {
    const stand = standIn({ webhooks: WEBHOOKS });
    await stand.put("/woocommerce/_sandbox/orders/5", { id: 5 });
    await stand.deliver("woocommerce", { topic: "order.updated", id: "5", to: "fetching" });
    expect(stand.posted.map(({ url }) => url)).toEqual(["https://cuadre.example/f"]);
  });

  test("of a deleted order names it", async () => {
    const stand = standIn({ webhooks: WEBHOOKS.slice(0, 1) });
    await stand.put("/woocommerce/_sandbox/orders/5", { id: 5 });
    await stand.remove("/woocommerce/_sandbox/orders/5");
    await stand.deliver("woocommerce", { topic: "order.deleted", id: 5 });
    expect(stand.posted[0]?.text).toBe('{"id":5}');
  });

  test("that fails at Shopify is repeated under its id, with growing waits, until it is taken", async () => {
    let failing = true;
    const stand = standIn({
      webhooks: WEBHOOKS.slice(0, 1),
      receive: () => new Response("", { status: failing ? 503 : 200 }),
    });
    await stand.put("/shopify/_sandbox/orders/5", { id: 5 });
    await stand.deliver("shopify", { topic: "orders/paid", id: 5 });
    const next = async () => {
      stand.later.shift()?.callback();
      await new Promise((done) => setImmediate(done));
    };
    expect(stand.later.map(({ delayMs }) => delayMs)).toEqual([10_000]);
    await next();
    expect(stand.later.map(({ delayMs }) => delayMs)).toEqual([30_000]);
    failing = false;
    await next();
    expect(stand.later).toEqual([]);
    const ids = stand.posted.map(({ headers }) => headers.get("X-Shopify-Webhook-Id"));
    expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
  });

  test("that fails at WooCommerce is not repeated, and the sixth failure ends its webhook", async () => {
    const stand = standIn({
      receive: ({ text }) => new Response("", { status: text.startsWith("{") ? 500 : 200 }),
    });
    const { consumer_key: key, consumer_secret: secret } = CREDENTIALS.woocommerce;
    const access = `consumer_key=${key}&consumer_secret=${secret}`;
    const webhooks = `${STAND_IN}/woocommerce/wp-json/wc/v3/webhooks?${access}`;
    const webhook = { topic: "order.updated", delivery_url: "https://cuadre.example/w", secret: "s" };
    await stand.fetch(webhooks, { method: "POST", body: JSON.stringify(webhook) });
    await stand.put("/woocommerce/_sandbox/orders/5", { id: 5 });
    for (let sent = 0; sent < 6; sent += 1)
      await stand.deliver("woocommerce", { topic: "order.updated", id: 5 });
    expect([stand.later, stand.posted.length]).toEqual([[], 7]);
    expect(await (await stand.fetch(webhooks)).json()).toMatchObject([{ status: "disabled" }]);
    expect((await stand.deliver("woocommerce", { topic: "order.updated", id: 5 })).status).toBe(409);
    const { requests } = Object(
      await (await stand.fetch(`${STAND_IN}/requests?platform=woocommerce`)).json(),
    );
    expect(JSON.stringify(requests)).not.toContain(String(secret));
  });
});

describe("a shop that misbehaves", () => {
  test.each([
    [200, 200, "text/html; charset=utf-8"],
    [302, 302, null],
    [429, 429, "text/html; charset=utf-8"],
    [500, 500, "text/html; charset=utf-8"],
    [403, 403, "application/json; charset=utf-8"],
  ])("answers %i so often, and then the truth", async (status, answered, type) => {
    const stand = standIn();
    await stand.put("/magento/_sandbox/orders/5", { entity_id: 5 });
    await stand.misbehave("magento", { status, times: 2 });
    const ask = () => stand.fetch(`${STAND_IN}/magento/rest/V1/orders/5`, MAGENTO);
    for (const answer of [await ask(), await ask()]) {
      expect([answer.status, answer.headers.get("Content-Type")]).toEqual([answered, type]);
      if (status === 429) expect(answer.headers.get("Retry-After")).toBe("2");
    }
    expect((await ask()).status).toBe(200);
  });

  test("breaks a connection", async () => {
    const stand = standIn();
    await stand.misbehave("magento", { status: 0, times: 1 });
    await expect(stand.fetch(`${STAND_IN}/magento/rest/V1/orders/5`, MAGENTO)).rejects.toThrow(
      "fetch failed",
    );
  });
});

test("above its pace a shop answers 429, and the truth after the wait", async () => {
  const stand = standIn();
  await stand.put("/magento/_sandbox/orders/5", { entity_id: 5 });
  const statuses: number[] = [];
  for (let calls = 0; calls < 9; calls += 1) {
    const answer = await stand.fetch(`${STAND_IN}/magento/rest/V1/orders/5`, MAGENTO);
    // Its clock stands still between the calls.
    stand.now -= 1_000;
    statuses.push(answer.status);
    if (answer.status === 429) expect(answer.headers.get("Retry-After")).toBe("1");
  }
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  stand.now += 1_000;
  expect((await stand.fetch(`${STAND_IN}/magento/rest/V1/orders/5`, MAGENTO)).status).toBe(200);
});

test("documents outlive a restart, also one that a kill has interrupted in its last line", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stand-in-"));
  const journal = join(folder, "shops.jsonl");
  const first = standIn({ journal });
  await first.put("/magento/_sandbox/orders/5", '{"entity_id":5,"grand_total":1.10}');
  await first.put("/magento/_sandbox/orders/6", { entity_id: 6 });
  await first.remove("/magento/_sandbox/orders/6");
  writeFileSync(journal, `${readFileSync(journal, "utf8")}{"shop":"magento","resou`);
  const second = standIn({ journal });
  const read = async (id: number) => second.fetch(`${STAND_IN}/magento/rest/V1/orders/${id}`, MAGENTO);
  expect(await (await read(5)).text()).toContain('"grand_total":1.10');
  expect((await read(6)).status).toBe(404);
  expect(readFileSync(journal, "utf8").trim().split("\n")).toHaveLength(1);
  rmSync(folder, { recursive: true });
});

test("over HTTP: bodies, headers and a broken connection arrive as they are", async () => {
  const stand = standIn();
  const server = createServer(
    listener(STAND_IN, async (request) => {
      if (request.url.endsWith("/cut")) return "cut";
      return stand.fetch(request.url, {
        method: request.method,
        headers: request.headers,
        ...(request.method === "PUT" ? { body: await request.text() } : {}),
      });
    }),
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const url = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  const put = await fetch(`${url}/magento/_sandbox/orders/5`, {
    method: "PUT",
    body: '{"grand_total":1.10}',
  });
  expect(put.status).toBe(200);
  const read = await fetch(`${url}/magento/rest/V1/orders/5`, MAGENTO);
  expect(await read.text()).toContain('"grand_total":1.10');
  await expect(fetch(`${url}/cut`)).rejects.toThrow("fetch failed");
  const large = await fetch(`${url}/magento/_sandbox/orders/5`, {
    method: "PUT",
    body: "x".repeat(9_000_000),
  });
  expect(large.status).toBe(413);
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});
