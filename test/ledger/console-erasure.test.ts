/** Erasure as the console asks for it. */
import { beforeEach, describe, expect, test } from "vitest";
import { type Browser, ownerOf } from "../support/worlds/console.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import type { Shop } from "../support/worlds/shop.ts";

const CLIENT = { id_external: "c1", first_name: "Ana", last_name: "Pérez", country: "ES" };

let shop: Shop;
let owner: Browser;
let base: string;

beforeEach(async () => {
  shop = await openCommerce();
  owner = await ownerOf(shop);
  base = `/api/accounts/${shop.accountId}/connections/${shop.connectionId}/erasure`;
  const connector = orderConnector(shop);
  await connector.send(aSentOrder("o1", { client: CLIENT, reference: "WEB-1", fiscal_event: "none" }));
  await connector.send(aSentOrder("o2", { client: CLIENT }));
});

test("the erased and the remaining data are shown before", async () => {
  const { status, body } = await owner.call("POST", `${base}/preview`, { of: "client", id: "c1" });
  expect(status).toBe(200);
  expect(body.data).toEqual({
    client: false,
    orders: [{ id: "o1", reference: "WEB-1" }],
    kept: [
      {
        ...{ id: "o2", reference: "o2", numbers: [expect.stringMatching(/^PED-1S-\d{4}-000001$/)] },
        until: expect.stringMatching(/^\d{4}-12-31$/),
      },
    ],
    hasMore: false,
    gone: null,
  });
  const again = await owner.call("POST", `${base}/preview`, { of: "client", id: "c1" });
  expect(again.body.data).toEqual(body.data);
});

test("it is done once the id has been written a second time", async () => {
  const wrong = await owner.call("POST", base, { of: "client", id: "c1", confirmation: "C1" });
  expect(wrong).toMatchObject({
    status: 422,
    body: { error_code: "id_mismatch", details: [{ path: "confirmation" }] },
  });
  const done = await owner.call("POST", base, { of: "client", id: "c1", confirmation: "c1" });
  expect(done).toMatchObject({ status: 200, body: { data: { orders: [], kept: [{ id: "o2" }] } } });
  const { body } = await owner.call("GET", `/api/accounts/${shop.accountId}/activity`);
  expect(body.data.items[0]).toMatchObject({ verb: "erase_client", facts: { orders: "1", kept: "1" } });
});

test("an order with an invoice is refused with the law and the day", async () => {
  const { status, body } = await owner.call("POST", base, { of: "order", id: "o2", confirmation: "o2" });
  expect(status).toBe(409);
  expect(body.error_code).toBe("erasure_not_allowed");
  expect(body.error).toMatch(
    /PED-1S-\d{4}-000001.*31\/12\/\d{4}.*artículo 30 del Código de Comercio.*17\.3\.b del RGPD/,
  );
});

describe("an erased order", () => {
  beforeEach(async () => {
    await owner.call("POST", base, { of: "order", id: "o1", confirmation: "o1" });
  });

  test("says so, and may be admitted again", async () => {
    const asked = () => owner.call("POST", `${base}/preview`, { of: "order", id: "o1" });
    expect((await asked()).body.data).toMatchObject({ orders: [], gone: { because: "asked" } });
    expect((await owner.call("POST", `${base}/admission`, { id: "o1" })).status).toBe(200);
    expect(await asked()).toMatchObject({ status: 404, body: { error_code: "nothing_to_erase" } });
  });

  test("has no page", async () => {
    const page = `/api/accounts/${shop.accountId}/connections/${shop.connectionId}/order?order_id=o1`;
    expect((await owner.call("GET", page)).status).toBe(404);
  });
});

test("an accountant looks, and erases nothing", async () => {
  const accountant = await ownerOf(shop, "accountant");
  expect((await accountant.call("POST", `${base}/preview`, { of: "order", id: "o1" })).status).toBe(200);
  for (const [path, body] of [
    [base, { of: "order", id: "o1", confirmation: "o1" }],
    [`${base}/admission`, { id: "o1" }],
  ] as const) {
    expect(await accountant.call("POST", path, body)).toMatchObject({
      status: 403,
      body: { error_code: "read_only" },
    });
  }
});

test.each([
  ["nothing", {}],
  ["another sort", { of: "shop", id: "1" }],
  ["no id", { of: "order", id: "" }],
  ["more than is asked for", { of: "order", id: "1", all: true }],
])("%s is no question", async (_, asked) => {
  const { status, body } = await owner.call("POST", `${base}/preview`, asked);
  expect([status, body.error_code]).toEqual([422, "validation_failed"]);
});
