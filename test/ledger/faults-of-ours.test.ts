/** Faults on our side while the whole product runs: answered as ours and retryable, without their cause. */
import { env, exports, waitUntil } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApp } from "../../src/api/app.ts";
import { createConsoleApp } from "../../src/console/app.ts";
import { consoleDeps } from "../../src/console/wiring.ts";
import { appDeps } from "../../src/wiring.ts";
import { failBefore } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapEnv } from "../support/faults/wrapped-d1.ts";
import { expectOrdersConsistent } from "../support/rules/consistency.ts";
import { ownerOf } from "../support/worlds/console.ts";
import { apiOver, ownerOver } from "../support/worlds/deployment.ts";
import { bodyOf } from "../support/worlds/http-calls.ts";
import { aSentOrder, openCommerce } from "../support/worlds/order-calls.ts";
import { callerOf, ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

const SECRET = "Ana Pérez 12345678Z";
const EN = "Something of ours failed, not your request; repeat the same request, it will not be duplicated";
const ES = "Ha fallado algo nuestro, no tu petición; repite la misma petición, no se duplicará";

/** The database refuses the row, naming a person as no message of ours does. */
const BROKEN_TABLE = `CREATE TRIGGER broken_table BEFORE INSERT ON invoice BEGIN
  SELECT RAISE(ABORT, '${SECRET}'); END`;

let printed: string[];

beforeEach(() => {
  printed = [];
  for (const method of ["log", "error", "warn", "info", "debug"] as const)
    vi.spyOn(console, method).mockImplementation((...said) => void printed.push(said.map(String).join(" ")));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await env.LEDGER_000.exec("DROP TRIGGER IF EXISTS broken_table");
});

interface Answer {
  readonly status: number;
  readonly id: string | null;
  readonly text: string;
}

async function answerOf(response: Response): Promise<Answer> {
  return {
    status: response.status,
    id: response.headers.get("X-Request-Id"),
    text: await response.text(),
  };
}

/** The body, the line of the request, and that neither gives anything away. */
function expectOurs({ status, id, text }: Answer, sentence: string, line: object): void {
  expect(status).toBe(500);
  expect(id).toMatch(/./);
  expect(JSON.parse(text)).toEqual({
    ...{ success: false, error_code: "internal_error", retryable: true, request_id: id },
    error: expect.stringContaining(sentence),
  });
  const lines = printed.map((each): Readonly<Record<string, unknown>> => JSON.parse(each));
  const ofRequest = lines.filter((each) => each.request_id === id && "status" in each);
  expect(ofRequest).toEqual([
    {
      ...{ request_id: id, status: 500, error_code: "internal_error", method: "POST" },
      ...{ duration_ms: expect.any(Number), ...line },
    },
  ]);
  for (const told of [text, ...printed]) {
    expect(told).not.toMatch(/Ana|Pérez|12345678Z|broken_table|RAISE|SQLITE|D1_ERROR|\bat .*\.ts/);
  }
}

const send = async (shop: Shop, path: string, body: object, language = "en") =>
  answerOf(
    await exports.default.fetch(`https://api.example${path}`, {
      method: "POST",
      headers: { "X-API-KEY": shop.key, "Content-Type": "application/json", "Accept-Language": language },
      body: JSON.stringify(body),
    }),
  );

test.each<[string, string, () => Promise<Shop>, object]>([
  ["an invoice", "/api/v1/invoice", () => openShop(), bodyOf("e1", "F1", "1x100@21")],
  ["an order", "/api/v1/order", () => openCommerce(), aSentOrder("1")],
])("%s that the database refuses answers 500, and the repeat is taken", async (_, path, open, body) => {
  const shop = await open();
  await env.LEDGER_000.exec(BROKEN_TABLE.replaceAll("\n", " "));
  const line = { route: path, connection_id: shop.connectionId, cause: "poisonous_batch" };
  for (const [language, sentence] of [
    ["en", EN],
    ["es", ES],
  ] as const) {
    expectOurs(await send(shop, path, body, language), sentence, { ...line, d1_trips: expect.any(Number) });
    printed = [];
  }
  await env.LEDGER_000.exec("DROP TRIGGER broken_table");
  expect((await send(shop, path, body)).status).toBe(201);
  const { invoices } = await expectOrdersConsistent(shop.connectionId);
  expect(invoices).toHaveLength(1);
});

test("a binding that throws makes the public API answer 500", async () => {
  const shop = await openShop();
  const limit = () => {
    throw new TypeError(SECRET);
  };
  const app = createApp(appDeps(apiOver({ ...env, FAILED_AUTHENTICATION_LIMIT: { limit } }), waitUntil));
  const headers = { "X-API-KEY": `${shop.key}x`, "Content-Type": "application/json" };
  const answer = await answerOf(
    await app.request("https://api.example/api/v1/invoice", { method: "POST", headers, body: "{}" }),
  );
  expectOurs(answer, EN, {
    ...{ route: "/api/v1/invoice", error_name: "TypeError", d1_trips: 0 },
    frames: expect.stringContaining("src/platform/brake.ts:"),
  });
});

test("the console answers 500 in the same form", async () => {
  const shop = await openShop();
  const { cookies } = await ownerOf(shop);
  const app = createConsoleApp(consoleDeps(ownerOver(wrapEnv(env))));
  faults.when(
    (_, binding) => binding === "LEDGER_000",
    failBefore(() => new TypeError(SECRET)),
    { times: 9 },
  );
  printed = [];
  const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const path = `/api/accounts/${shop.accountId}/overview`;
  const response = await app.request(`http://127.0.0.1:8788${path}`, { headers: { Cookie } });
  faults.reset();
  const line = {
    ...{ method: "GET", route: "/api/accounts/:account/overview", cause: "TypeError" },
    frames: expect.stringMatching(/src\/db\/\S+\.ts:\d+:\d+/),
  };
  expectOurs(await answerOf(response), ES, line);
});

test("a fault in an object is a line with its places, and names no person", async () => {
  const shop = await openShop();
  const object = ledgerStub(shop);
  await object.readInvoice(callerOf(shop), "x");
  faults.when(
    (_, binding) => binding === "LEDGER_000",
    failBefore(() => new TypeError(SECRET)),
  );
  printed = [];
  await object.readInvoice(callerOf(shop), "y");
  faults.reset();
  expect(printed.map((line): unknown => JSON.parse(line))).toEqual([
    {
      ...{ level: "alarm", alarm: "d1_failed", connection_id: shop.connectionId, error: "TypeError" },
      frames: expect.stringMatching(/^(?:[\w.$<>#]+ \()?(?:src|test)\/\S+\.ts:\d+:\d+/),
    },
  ]);
  expect(printed.join()).not.toMatch(/Ana|12345678Z/);
});
