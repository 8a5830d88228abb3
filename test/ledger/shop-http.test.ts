/** Reports of shops, the whole path in workerd: HTTP, object, D1. */
import { exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { openShop, type Shop } from "../support/worlds/shop.ts";
import { completeSetup, openGuidedShop } from "../support/worlds/shop-reports.ts";

async function send(shop: Shop, method: string, path: string, body?: unknown) {
  const response = await exports.default.fetch(`https://api.example${path}`, {
    method,
    headers: { "X-API-KEY": shop.key, "Content-Type": "application/json", "X-Request-Id": "r1" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json<Record<string, unknown>>() };
}

const INVENTORY = {
  stores: [
    { id: 2, name: "Tienda" },
    { id: "1", orders_count: 7 },
  ],
  orders_total: 7,
};
const STATUSES = { statuses: [{ id_external: "6", name: "Cancelado", cancelled: true }] };
const CLIENT = { id_external: "88", first_name: "Lucía", country: "ES" };

const postInventory = (shop: Shop, body: unknown = INVENTORY) => send(shop, "POST", "/v1/inventory", body);
const postClient = (shop: Shop, body: unknown = CLIENT) => send(shop, "POST", "/api/v1/client", body);
const postStatus = (shop: Shop, body: unknown = STATUSES) => send(shop, "POST", "/api/v1/status", body);
const moduleVersion = (shop: Shop, query = "") => send(shop, "GET", `/api/v1/module-version${query}`);
const standingOf = async (shop: Shop) => (await moduleVersion(shop)).body.data;

const NOT_READY = {
  status: 423,
  body: {
    success: false,
    error:
      "The owner has not chosen the shops yet (step 2); pause and try again later without using up retries.",
    error_code: "sync_not_ready",
    retryable: true,
    request_id: "r1",
  },
};

test("the guided setup, from the key to the first customer", async () => {
  const shop = await openGuidedShop();
  const beginning = {
    setup_state: "pending_inventory",
    sync_ready: false,
    store_ids: null,
    contract_version: "1.9",
    invoicing_enabled: false,
    customer_access_enabled: true,
  };
  expect(await standingOf(shop)).toEqual(beginning);
  expect(await postClient(shop)).toEqual(NOT_READY);
  expect(await postStatus(shop)).toMatchObject({ status: 200 });

  expect(await postInventory(shop)).toEqual({
    status: 200,
    body: {
      success: true,
      data: { stores: 2, created: 2, updated: 0, setup_state: "pending_configuration" },
    },
  });
  expect(await standingOf(shop)).toEqual({ ...beginning, setup_state: "pending_configuration" });
  expect(await postClient(shop)).toEqual(NOT_READY);

  const choice = { userId: "owner", storeIds: ["1", "2"] };
  expect(await completeSetup(shop, choice)).toEqual({ outcome: "done" });
  expect(await standingOf(shop)).toEqual({
    ...beginning,
    setup_state: "configured",
    sync_ready: true,
    store_ids: "2,1",
  });
  expect(await postClient(shop)).toEqual({
    status: 200,
    body: { success: true, data: { received: 1, created: 1, updated: 0 } },
  });
});

test("a later inventory takes nothing back: the connection stays configured", async () => {
  const shop = await openGuidedShop();
  await postInventory(shop);
  await completeSetup(shop, { userId: "owner", storeIds: "all" });
  const later = await postInventory(shop, { stores: [{ id: "2" }, { id: "3", name: "Nueva" }] });
  expect(later.body.data).toEqual({ stores: 2, created: 1, updated: 1, setup_state: "configured" });
  expect(await standingOf(shop)).toMatchObject({
    setup_state: "configured",
    sync_ready: true,
    store_ids: "",
  });
  expect((await postClient(shop)).status).toBe(200);
});

describe("every call again changes nothing and is counted as an update", () => {
  test.each([
    [
      "a customer",
      postClient,
      { received: 1, created: 1, updated: 0 },
      { received: 1, created: 0, updated: 1 },
    ],
    [
      "statuses",
      postStatus,
      { received: 1, created: 1, updated: 0 },
      { received: 1, created: 0, updated: 1 },
    ],
    [
      "an inventory",
      postInventory,
      { stores: 2, created: 2, updated: 0, setup_state: "configured" },
      { stores: 2, created: 0, updated: 2, setup_state: "configured" },
    ],
  ])("%s", async (_, call, first, second) => {
    const shop = await openShop();
    expect((await call(shop)).body.data).toEqual(first);
    expect((await call(shop)).body.data).toEqual(second);
  });
});

describe("kinds of connection", () => {
  test("an API connection, and a shop older than the guided setup, are never gated", async () => {
    for (const kind of ["api", "commerce"]) {
      const shop = await openShop({ connection: { kind }, consented: kind === "api" });
      expect(await standingOf(shop)).toMatchObject({
        setup_state: "configured",
        sync_ready: true,
        store_ids: null,
        invoicing_enabled: kind === "api",
      });
      const answers = [await postClient(shop), await postStatus(shop), await postInventory(shop)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(answers[2]?.body.data).toMatchObject({ setup_state: "configured" });
    }
  });

  test("one without orders reports nothing either", async () => {
    const shop = await openShop({ connection: { kind: "accounting" }, consented: false });
    const answers = [
      await postClient(shop),
      await postStatus(shop),
      await postInventory(shop),
      await moduleVersion(shop),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 403,
        body: {
          success: false,
          error:
            "A connection of kind “accounting” does not accept orders; use a commerce or API connection.",
          error_code: "orders_not_supported_by_connection",
          retryable: false,
        },
      });
  });
});

test("ids of two connections never meet, not even in one account", async () => {
  const shop = await openShop();
  const sister = await openShop({ accountId: shop.accountId });
  const stranger = await openShop({ ledger: "001" });
  for (const call of [postClient, postStatus, postInventory]) {
    for (const one of [shop, sister, stranger]) {
      expect((await call(one)).body.data).toMatchObject({ updated: 0 });
    }
  }
  const mixed = { ...shop, key: sister.key.replace(sister.connectionId, shop.connectionId) };
  expect(await postClient(mixed)).toMatchObject({ status: 401, body: { error_code: "unauthorized" } });
});

test("20 at once of one customer are one row: created once", async () => {
  const shop = await openShop();
  const answers = await Promise.all(Array.from({ length: 20 }, () => postClient(shop)));
  const created = answers.map(({ body }) => body.data).filter((data) => Object(data).created === 1);
  expect([answers.every(({ status }) => status === 200), created.length]).toEqual([true, 1]);
});

test("the largest inventory and the longest list of statuses", async () => {
  const shop = await openShop();
  const stores = Array.from({ length: 100 }, (_, id) => ({ id, name: "ñ".repeat(255) }));
  expect((await postInventory(shop, { stores })).body.data).toMatchObject({ stores: 100, created: 100 });
  const statuses = Array.from({ length: 200 }, (_, id) => ({ id_external: id, name: "ñ".repeat(255) }));
  expect((await postStatus(shop, { statuses })).body.data).toEqual({
    received: 200,
    created: 200,
    updated: 0,
  });
  expect((await postInventory(shop, { stores: [...stores, { id: "one more" }] })).status).toBe(422);
});
