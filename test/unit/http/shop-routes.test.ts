/** The edge of reports from shops: shapes, answers, and requests to the object. */

import { describe, expect, test } from "vitest";
import { answer as moduleVersionAnswer } from "../../../src/api/endpoints/get-module-version.ts";
import { postClient } from "../../../src/api/endpoints/post-client.ts";
import { answer as inventoryAnswer, postInventory } from "../../../src/api/endpoints/post-inventory.ts";
import { postStatus } from "../../../src/api/endpoints/post-status.ts";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import { upsertAnswer } from "../../../src/api/report-shop.ts";
import { errorAnswer } from "../../../src/api/wire/answers.ts";
import { ACCESS_UNTOUCHED } from "../../../src/domain/viewer/access.ts";
import type { ShopOutcome } from "../../../src/ledger/shop/record-shop.ts";
import { API_KEY, anEdge, FORGED_KEY, postOf, recorded } from "../../support/worlds/http-edge.ts";

const CLIENT = "/api/v1/client";
const STATUS = "/api/v1/status";
const INVENTORY = "/v1/inventory";
const MODULE = "/api/v1/module-version";
const POSTS = [
  [CLIENT, postClient.doc.body?.example],
  [STATUS, postStatus.doc.body?.example],
  [INVENTORY, postInventory.doc.body?.example],
] as const;

async function ask(path: string, init: RequestInit, report?: ShopOutcome | Error) {
  const edge = anEdge(report ? { report } : {});
  const response = await edge.app.request(path, init);
  return { ...edge, response, status: response.status, body: JSON.parse(await response.text()) };
}

const getOf = (key = API_KEY): RequestInit => ({ headers: { "X-API-KEY": key } });
const everyCall = [...POSTS.map(([path, body]) => [path, postOf(body)] as const), [MODULE, getOf()] as const];

describe("the answers", () => {
  test("a customer", async () => {
    const { status, body, asked } = await ask(CLIENT, postOf({ id_external: 88, city: "Cádiz", vip: true }));
    expect([status, body]).toEqual([200, { success: true, data: { received: 1, created: 1, updated: 0 } }]);
    expect(asked[0]?.report).toEqual({ resource: "client", client: { idExternal: "88", city: "Cádiz" } });
  });

  test("statuses: every sent entry counts as received, also a repeated one", async () => {
    const statuses = [
      { id_external: "2", name: "Pagado", paid: true },
      { id_external: "2", name: "Pago aceptado" },
    ];
    const { body, asked } = await ask(STATUS, postOf({ statuses }));
    expect(body.data).toEqual({ received: 2, created: 1, updated: 0 });
    expect(asked[0]?.report).toEqual({
      resource: "status",
      statuses: [{ idExternal: "2", name: "Pago aceptado", paid: false, cancelled: false }],
    });
  });

  test("an inventory, with the state that it led to", async () => {
    const setup = { state: "pending_configuration", storeIds: null } as const;
    const told = recorded({
      created: 1,
      updated: 1,
      standing: { setup, consented: false, access: ACCESS_UNTOUCHED },
    });
    const { body } = await ask(INVENTORY, postOf(postInventory.doc.body?.example), told);
    expect(body).toEqual({
      success: true,
      data: { stores: 2, created: 1, updated: 1, setup_state: "pending_configuration" },
    });
  });

  test.each([
    ["pending_inventory", null, false, false],
    ["pending_configuration", null, true, false],
    ["configured", "", true, true],
    ["configured", "2,1", false, true],
    ["configured", null, false, true],
  ] as const)("module-version: %s, stores %j", async (state, storeIds, consented, ready) => {
    const told = recorded({ standing: { setup: { state, storeIds }, consented, access: ACCESS_UNTOUCHED } });
    const { body } = await ask(MODULE, getOf(), told);
    expect(body).toEqual({
      success: true,
      data: {
        setup_state: state,
        sync_ready: ready,
        store_ids: storeIds,
        contract_version: "1.9",
        invoicing_enabled: consented,
        customer_access_enabled: true,
      },
    });
    expect(moduleVersionAnswer.parse(body.data)).toEqual(body.data);
  });

  test("module-version hands on what the module says of itself", async () => {
    const path = `${MODULE}?platform=prestashop&module_version=2.1.0&contract_version=1.5&debug=1`;
    const { asked } = await ask(path, getOf());
    expect(asked[0]?.report).toEqual({
      resource: "module",
      module: { platform: "prestashop", moduleVersion: "2.1.0", contractVersion: "1.5" },
    });
  });
});

describe.each(everyCall)("%s", (path, init) => {
  test("423 in its exact shape", async () => {
    const refusal = { code: "sync_not_ready", facts: {} } as const;
    const { status, body } = await ask(path, init, { outcome: "refused", refusal });
    expect(status).toBe(423);
    expect(body).toEqual({
      success: false,
      error: expect.stringMatching(/^The owner has not chosen the shops yet \(step 2\)/),
      error_code: "sync_not_ready",
      retryable: true,
      request_id: "generated-id",
    });
    expect(errorAnswer.parse(body)).toEqual(body);
  });

  test("403 for another kind, which it names", async () => {
    const refusal = { code: "orders_not_supported_by_connection", facts: { kind: "accounting" } } as const;
    const { status, body } = await ask(path, init, { outcome: "refused", refusal });
    expect([status, body.error_code, body.retryable]).toEqual([
      403,
      "orders_not_supported_by_connection",
      false,
    ]);
    expect(body.error).toContain("“accounting”");
  });

  test.each<[number, ShopOutcome | Error]>([
    [401, { outcome: "unauthorized" }],
    [429, { outcome: "rate_limited", retryAfterSeconds: 3 }],
    [503, { outcome: "unavailable", retryAfterSeconds: 2, cause: "d1" }],
    [500, { outcome: "failed", cause: "x" }],
    [500, new TypeError("of Ana")],
  ])("%i as the object says", async (status, outcome) => {
    const answer = await ask(path, init, outcome);
    expect(answer.status).toBe(status);
    expect(answer.response.headers.has("Retry-After")).toBe(status === 429 || status === 503);
    expect(JSON.stringify([answer.body, answer.lines])).not.toContain("Ana");
  });

  test("a forged key reaches no object", async () => {
    const headers = { ...init.headers, "X-API-KEY": FORGED_KEY };
    const { status, asked } = await ask(path, { ...init, headers });
    expect([status, asked]).toEqual([401, []]);
  });

  test("the log line has the route and the trips, and nothing that was sent", async () => {
    const { lines } = await ask(path, init);
    expect(lines).toMatchObject([{ route: path, status: 200, d1_trips: 1 }]);
    const { lines: ofQuery } = await ask(`${path}?platform=secret`, init);
    expect(ofQuery).toMatchObject([{ route: path }]);
    expect(JSON.stringify([lines, ofQuery])).not.toMatch(/secret|Lucía|ck_live/);
  });
});

describe.each(POSTS)("%s", (path, example) => {
  test.each([
    ["no JSON", "{", {}, 400, "malformed_json"],
    ["a member twice", '{"stores":[],"stores":[]}', {}, 400, "malformed_json"],
    [
      "another type",
      JSON.stringify(example),
      { "Content-Type": "text/plain" },
      415,
      "unsupported_media_type",
    ],
    ["too much", JSON.stringify({ x: "x".repeat(1_048_576) }), {}, 413, "payload_too_large"],
    ["nothing in it", "{}", {}, 422, "validation_failed"],
    ["a list", "[1]", {}, 422, "validation_failed"],
    ["null", "null", {}, 422, "validation_failed"],
  ])("%s", async (_, text, headers, status, code) => {
    const answer = await ask(path, postOf(text, headers));
    expect([answer.status, answer.body.error_code, answer.asked]).toEqual([status, code, []]);
  });

  test("the published example is accepted", async () => {
    expect((await ask(path, postOf(example))).status).toBe(200);
  });

  test.each(["GET", "PUT", "PATCH", "DELETE"])("%s is 405", async (method) => {
    const { status, body, response } = await ask(path, { method });
    expect([status, body.error_code]).toEqual([405, "method_not_allowed"]);
    expect(response.headers.get("Allow")).toBe("POST, OPTIONS");
  });
});

test("every problem of a body is named at its place", async () => {
  const stores = [{ id: "x".repeat(33) }, { name: "Sin id" }, { id: "1", orders_count: 1.5 }];
  const { body } = await ask(INVENTORY, postOf({ stores, orders_total: "7" }));
  expect(body.details.map(({ path }: { path: string }) => path)).toEqual([
    "stores.0.id",
    "stores.1.id",
    "stores.2.orders_count",
    "orders_total",
  ]);
});

test("a query that cannot be recorded is 422", async () => {
  const { status, body } = await ask(`${MODULE}?platform=${"x".repeat(65)}`, getOf());
  expect([status, body.details[0].path]).toEqual([422, "platform"]);
});

test("POST on module-version is 405", async () => {
  const { status, response } = await ask(MODULE, postOf({}));
  expect([status, response.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
});

test("published example answers have the published shape", () => {
  const shapes = { [CLIENT]: upsertAnswer, [STATUS]: upsertAnswer, [INVENTORY]: inventoryAnswer };
  for (const [path, shape] of Object.entries({ ...shapes, [MODULE]: moduleVersionAnswer })) {
    const example = ENDPOINTS.find((endpoint) => endpoint.path === path)?.doc.answers[200]?.example;
    expect(shape.parse(example)).toEqual(example);
  }
});

test("every refusal of the gate is documented where it can be met", () => {
  const errorsOf = (path: string) => ENDPOINTS.find((endpoint) => endpoint.path === path)?.doc.errors;
  for (const [path] of everyCall) expect(errorsOf(path)).toContain("orders_not_supported_by_connection");
  expect(
    [CLIENT, STATUS, INVENTORY, MODULE].filter((path) => errorsOf(path)?.includes("sync_not_ready")),
  ).toEqual([CLIENT]);
});
