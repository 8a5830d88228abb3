/** The owner's pages of a connected shop: what they show, and what they never show. */

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import worker from "../../src/worker.ts";
import { ownerOf } from "../support/worlds/console.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import { act, type Shop } from "../support/worlds/shop.ts";

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
    expect((await read()).shop.statuses).toEqual([
      { status: "wc-enviado", name: null, means: "invoice", orders: 0 },
    ]);
    const stale = await owner.call("PUT", `${base}/statuses`, { statuses: [], version: versions.statuses });
    expect([stale.status, stale.body.error_code]).toEqual([409, "changed_meanwhile"]);
  });

  test("is gone once it was disconnected, with its secrets", async () => {
    await owner.call("PUT", base, { platform: "woocommerce" });
    expect((await owner.call("DELETE", base)).status).toBe(200);
    expect(await read()).toMatchObject({ shop: null });
  });
});

const FETCHED = { platform: "woocommerce", url: "https://tienda.es", credentials: CREDENTIALS };
const run = (sql: string, ...values: unknown[]) =>
  env.LEDGER_000.prepare(sql)
    .bind(shop.connectionId, ...values)
    .run();

async function keptDocument(id: string, status: string, missing: readonly object[], text = "{}") {
  await run(
    `INSERT INTO shop_document (connection_id, id_external, status, documents, sha256, source, modified_at,
      received_at, settings_version, missing) VALUES (?, ?, ?, ?, 'x', 'fetched', 1000, ?, 1, ?)`,
    ...[id, status, btoa(text), Number(id), JSON.stringify(missing)],
  );
}

describe("health", () => {
  test("names unmapped statuses with their counts, and what the shop lacks", async () => {
    await owner.call("PUT", base, FETCHED);
    await keptDocument("1", "completed", []);
    await keptDocument("2", "wc-raro", [{ what: "tax_rate" }, { what: "tax_rate", where: "2" }]);
    await keptDocument("3", "wc-raro", [{ what: "tax_rate" }, { what: "country" }]);
    await run("UPDATE shop_document SET status = 'wc-otro' WHERE connection_id = ? AND id_external = '3'");
    const { shop: shown } = await read();
    expect(shown.health.unmapped).toEqual([
      { status: "wc-otro", name: null, orders: 1 },
      { status: "wc-raro", name: null, orders: 1 },
    ]);
    expect(shown.health.missing).toEqual([
      { what: "tax_rate", orders: 2, isMore: false },
      { what: "country", orders: 1, isMore: false },
    ]);
    expect(shown).toMatchObject({ statusesFrom: "preset", canFetch: true, tested: null, backfill: null });
    expect(shown.statuses).toContainEqual({ status: "completed", name: null, means: "invoice", orders: 1 });
    await run("DELETE FROM shop_document WHERE connection_id = ?");
    expect((await read()).shop.health.unmapped).toEqual([]);
  });

  test("has the last test, and the names of PrestaShop's states", async () => {
    await owner.call("PUT", base, { platform: "prestashop" });
    const tested = { answer: "given", value: { version: "8.1.7", scopes: ["orders"], lacking: [] } };
    const tables = { orderStates: { "12": { paid: false, name: "Preparado" } } };
    await run(
      "UPDATE shop SET tested = ?2, tested_at = 1000, tables = ?3 WHERE connection_id = ?1",
      ...[JSON.stringify(tested), JSON.stringify(tables)],
    );
    await keptDocument("1", "12", []);
    const { shop: shown } = await read();
    expect(shown.tested).toMatchObject({
      ...{ result: "given", cause: null, version: "8.1.7", currency: null, scopes: ["orders"], lacking: [] },
      at: expect.stringContaining("1970-01-01"),
    });
    expect(shown.health.unmapped).toEqual([{ status: "12", name: "Preparado", orders: 1 }]);
    expect(shown.webhooks).toMatchObject({ offered: false, state: "none", topics: [] });
  });
});

describe("webhooks", () => {
  test("are asked for, and shown until they are made, fail or are refused", async () => {
    await owner.call("PUT", base, FETCHED);
    expect((await read()).shop.webhooks).toMatchObject({ offered: true, state: "none" });
    expect((await owner.post(`${base}/webhooks`)).status).toBe(202);
    await run("UPDATE shop_webhook_task SET due_at = 1000, failure = NULL WHERE connection_id = ?");
    expect((await read()).shop.webhooks).toMatchObject({ state: "pending", topics: { length: 4 } });
    await run("UPDATE shop_webhook_task SET failure = 'timeout' WHERE connection_id = ?");
    expect((await read()).shop.webhooks).toMatchObject({ state: "failing", failure: "timeout" });
    await run("UPDATE shop_webhook_task SET failure = 'refused', due_at = NULL WHERE connection_id = ?");
    expect((await read()).shop.webhooks).toMatchObject({ state: "refused", nextAt: null });
    await run("UPDATE shop_webhook_task SET failure = NULL, made_at = 1000 WHERE connection_id = ?");
    expect((await read()).shop.webhooks).toMatchObject({ state: "made" });
  });

  test("a shop without access is told why there are none", async () => {
    await owner.call("PUT", base, { platform: "magento" });
    const refused = await owner.post(`${base}/webhooks`);
    expect([refused.status, refused.body.error_code]).toEqual([409, "shop_webhooks_by_module"]);
  });
});

describe("a backfill", () => {
  const begun = async () => {
    await owner.call("PUT", base, FETCHED);
    expect((await owner.post(`${base}/backfill`, {})).status).toBe(202);
  };
  const outlook = JSON.stringify({
    ...{ reference: "R-1", orderedAt: 1000, status: "completed", total: "121", currency: "EUR" },
    ...{ reasons: [], warnings: [], missing: [], invoices: [] },
  });
  const list = async (count: number) => {
    await run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       INSERT INTO shop_backfill_order (connection_id, native_id, place, would, outlook, confirmed)
       SELECT ?1, i, i, iif(i % 2, 'invoiced', 'held'), ?3, 0 FROM n`,
      ...[count, outlook],
    );
    await run("UPDATE shop_backfill SET state = 'listed', due_at = NULL WHERE connection_id = ?");
  };

  test("begins once, and its list is read page by page and by state", async () => {
    await begun();
    expect((await owner.post(`${base}/backfill`, { from: "today" })).body.error_code).toBe(
      "shop_backfill_running",
    );
    await list(60);
    const first = (await owner.get(`${base}/backfill`)).body.data;
    expect(first.items).toHaveLength(50);
    expect(first.items[0]).toEqual({
      ...{ orderId: "1", reference: "R-1", status: "completed", would: "invoiced", total: "121" },
      ...{ currency: "EUR", reasons: [], warnings: [], missing: [], invoices: [] },
      ...{ confirmed: false, decidedAt: null, failure: null },
      orderedAt: expect.stringContaining("1970-01-01"),
    });
    const second = (await owner.get(`${base}/backfill?cursor=${first.next}`)).body.data;
    expect([second.items.length, second.next]).toEqual([10, null]);
    const held = (await owner.get(`${base}/backfill?would=held`)).body.data;
    expect([held.items.length, held.items[0].orderId, held.next]).toEqual([30, "2", null]);
    expect(first.backfill).toMatchObject({
      ...{ state: "listed", from: "2026-01-01", listed: 60, lookedAt: 60, confirmed: 0, decided: 0 },
      ...{ failing: 0, hasMore: false, failure: null },
      counts: [
        { would: "held", orders: 30, confirmed: 0 },
        { would: "invoiced", orders: 30, confirmed: 0 },
      ],
    });
    expect((await read()).shop.backfill).toEqual(first.backfill);
  });

  test("is confirmed by its version, in one of three ways", async () => {
    await begun();
    await list(4);
    const { version } = (await owner.get(`${base}/backfill`)).body.data.backfill;
    const confirm = (sent: object) => owner.post(`${base}/backfill/confirm`, sent);
    expect((await confirm({ version: "another", all: true })).body.error_code).toBe("changed_meanwhile");
    expect((await confirm({ version })).status).toBe(422);
    expect((await confirm({ version, all: true, would: ["held"] })).status).toBe(422);
    const unknown = await confirm({ version, orders: ["99"] });
    expect([unknown.status, unknown.body.error_code]).toEqual([422, "shop_backfill_order_unknown"]);
    expect((await confirm({ version, orders: ["1"] })).status).toBe(202);
    expect((await confirm({ version, would: ["held"] })).status).toBe(202);
    const { backfill } = (await owner.get(`${base}/backfill`)).body.data;
    expect(backfill).toMatchObject({ state: "confirmed", confirmed: 3 });
    expect((await owner.call("DELETE", `${base}/backfill`)).status).toBe(200);
    expect((await owner.get(`${base}/backfill`)).body.data).toEqual({
      backfill: null,
      items: [],
      next: null,
    });
  });

  test("changes are the owner's, and reading is the accountant's too", async () => {
    await begun();
    const accountant = await ownerOf(shop, "accountant");
    const posts = ["/backfill", "/backfill/confirm", "/webhooks"];
    for (const path of posts) expect((await accountant.post(`${base}${path}`, {})).status).toBe(403);
    expect((await accountant.call("DELETE", `${base}/backfill`)).status).toBe(403);
    for (const path of ["/backfill", "/seen"]) {
      expect((await accountant.get(`${base}${path}`)).status).toBe(200);
    }
  });
});

describe("the native document of an order", () => {
  test("is shown as the shop sent it, with its deliveries and what is missing", async () => {
    await owner.call("PUT", base, FETCHED);
    const text = '{"order":{"id":7,"total":"121.00","rate":21.0000}}';
    await keptDocument("7", "completed", [{ what: "tax_rate", where: "2" }], text);
    await run(
      `INSERT INTO shop_delivery (connection_id, delivery_id, topic, sha256, size_bytes, outcome, order_id,
        received_at, repeats) VALUES (?, 'w-1', 'order.updated', 'x', 1, 'accepted', '7', 2000, 1)`,
    );
    expect((await owner.get(`${base}/orders/7/document`)).body.data).toMatchObject({
      ...{ orderId: "7", platform: "woocommerce", source: "fetched", status: "completed", text },
      ...{ sizeBytes: text.length, missing: [{ what: "tax_rate", where: "2" }], fetch: null },
      deliveries: [{ deliveryId: "w-1", topic: "order.updated", outcome: "accepted", repeats: 1 }],
      receivedAt: expect.stringContaining("1970-01-01"),
    });
  });

  const fetching =
    "INSERT INTO shop_fetch (connection_id, native_id, because, due_at, hints, attempts, failure)";
  test.each([
    ["is read", "reading", [`${fetching} VALUES (?, '7', 'delivery', 1, 1, 0, NULL)`]],
    [
      "could not be read yet",
      "failing",
      [`${fetching} VALUES (?, '7', 'delivery', 1, 1, 2, 'server_error')`],
    ],
    ["makes no order", "unreadable", [`${fetching} VALUES (?, '7', 'delivery', 1, 1, 2, 'unreadable')`]],
    ["is not at the shop", "unknown", []],
  ] as const)("an order that %s: its delivery is told as %s", async (_, came, statements) => {
    await owner.call("PUT", base, FETCHED);
    await delivered("accepted");
    for (const sql of statements) await run(sql);
    expect(await told()).toEqual([came]);
  });

  test.each([
    ["invoiced", {}, "invoice"],
    ["held", { client: { vat_number: "B00000000", country: "ES" } }, "held"],
    ["stored", { fiscal_event: "none" }, "nothing"],
  ] as const)(
    "an order that is %s since: its delivery says so, also while a newer hint is read",
    async (state, change, came) => {
      await owner.call("PUT", base, FETCHED);
      const sent = await orderConnector(shop).send(aSentOrder("7", change));
      expect("order" in sent && sent.order.state).toBe(state);
      await delivered("accepted");
      expect(await told()).toEqual([came]);
      await keptDocument("7", "completed", []);
      await env.LEDGER_000.prepare("UPDATE shop_document SET received_at = 3000 WHERE connection_id = ?")
        .bind(shop.connectionId)
        .run();
      await run(`${fetching} VALUES (?, '7', 'delivery', 1, 1, 0, NULL)`);
      expect(await told()).toEqual([came]);
    },
  );

  const delivered = (outcome: string) =>
    run(
      `INSERT INTO shop_delivery (connection_id, delivery_id, topic, sha256, size_bytes, outcome, order_id,
        received_at, repeats) VALUES (?, 'w-1', 'order.updated', 'x', 1, '${outcome}', '7', 2000, 0)`,
    );
  const told = async () => {
    const { items } = (await owner.get(`${base}/deliveries`)).body.data as {
      readonly items: readonly { readonly came: string | null }[];
    };
    return items.map(({ came }) => came);
  };

  test("of an unknown order, and of another company, is not there", async () => {
    await owner.call("PUT", base, FETCHED);
    await keptDocument("7", "completed", []);
    expect((await owner.get(`${base}/orders/8/document`)).status).toBe(404);
    const other = await openCommerce();
    const stranger = await ownerOf(other);
    const theirs = `/api/accounts/${other.accountId}/connections/${other.connectionId}/shop`;
    expect((await stranger.get(`${theirs}/orders/7/document`)).status).toBe(404);
    expect((await stranger.get(`${base}/orders/7/document`)).status).toBe(404);
  });
});

test("the newest orders show their rates, and amounts outside the lines with their treatments", async () => {
  await owner.call("PUT", base, FETCHED);
  const connector = orderConnector(shop);
  const treatments = { tip: { as: "ignore_non_taxable" } } as const;
  await act(shop, { verb: "declare_sales", change: { treatments } });
  for (const id of ["1", "2"]) {
    const unmapped = [{ code: "tip", title: "Propina", value: 2.5 }];
    await connector.send(aSentOrder(id, { total: 123.5, unmapped_totals: unmapped, fiscal_event: "none" }));
    await keptDocument(id, "completed", []);
  }
  const seen = (await owner.get(`${base}/seen`)).body.data;
  expect(seen.orders).toBe(2);
  expect(seen.rates).toEqual([{ rate: "21", surcharge: null, orders: 2, lines: expect.any(Number) }]);
  expect(seen.unmapped).toEqual([
    {
      ...{ code: "tip", title: "Propina", currency: "EUR", orders: 2, total: "5" },
      ...{ profileId: null, profile: null, treatment: { as: "ignore_non_taxable", rate: null } },
    },
  ]);
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
