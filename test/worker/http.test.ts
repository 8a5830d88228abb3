/** The whole path in workerd: HTTP, object, D1. */
import { exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { A_SENT_COMPANY } from "../support/builders/sent-bodies.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

const BODY = {
  external_id: "e1",
  invoice_type: "F1",
  description: "Servicios de consultoría",
  currency: "EUR",
  recipient: A_SENT_COMPANY,
  lines: [{ line_id: "l1", description: "Consultoría", quantity: 1, price_unit: 100, tax_rate: 21 }],
};

interface Answer {
  readonly status: number;
  readonly body: {
    readonly replayed?: boolean;
    readonly error_code?: string;
    readonly data: {
      readonly series: string;
      readonly number: number;
      readonly full_number: string;
      readonly totals: Readonly<Record<string, number>>;
      readonly verifactu: { readonly hash: string };
      readonly cancellation?: object;
    };
  };
}

async function send(method: string, path: string, key: string | undefined, body?: unknown): Promise<Answer> {
  const response = await exports.default.fetch(`https://api.example${path}`, {
    method,
    headers: { ...(key === undefined ? {} : { "X-API-KEY": key }), "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json<Answer["body"]>() };
}

function post(shop: Shop, body: unknown): Promise<Answer> {
  return send("POST", "/api/v1/invoice", shop.key, body);
}

describe("P01: simultaneous sales", () => {
  test("50 at once get 50 consecutive numbers, each 100.00 / 21.00 / 121.00", async () => {
    const shop = await openShop();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => post(shop, { ...BODY, external_id: `e${index}` })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(201));
    const numbers = answers.map((answer) => answer.body.data.number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    for (const { body } of answers) {
      expect(body.data.totals).toEqual({ base: 100, tax: 21, surcharge: 0, total: 121 });
      expect(body.data.series).toMatch(/^API-1-\d{4}$/);
    }
  });

  test("20 at once with one external_id are one invoice: one 201, nineteen replays", async () => {
    const shop = await openShop();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(shop, BODY)));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 200 && answer.body.replayed === true)).toHaveLength(
      19,
    );
    expect(new Set(answers.map((answer) => answer.body.data.full_number)).size).toBe(1);
  });
});

test("an answer is the same when read back, and a replay however the body is spelt", async () => {
  const shop = await openShop();
  const issued = await post(shop, BODY);
  const read = await send("GET", "/api/v1/invoice/e1", shop.key);
  expect(read.body.data).toEqual(issued.body.data);
  const spelt = JSON.stringify({ ...BODY, documentary_regime: "art6_full", operation_date: null }).replace(
    '"price_unit":100',
    '"price_unit":1.000e2',
  );
  const replay = await post(shop, spelt);
  expect(replay).toMatchObject({ status: 200, body: { replayed: true, data: issued.body.data } });
  const changed = await post(shop, { ...BODY, lines: [{ ...BODY.lines[0], quantity: 2 }] });
  expect(changed).toMatchObject({ status: 409, body: { error_code: "idempotency_conflict" } });
});

test("P51: an issued invoice cannot be changed or deleted", async () => {
  const shop = await openShop();
  const issued = await post(shop, BODY);
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    const answer = await send(method, "/api/v1/invoice/e1", shop.key, BODY);
    expect(answer).toMatchObject({ status: 405, body: { error_code: "invoice_immutable" } });
  }
  expect((await send("GET", "/api/v1/invoice/e1", shop.key)).body.data).toEqual(issued.body.data);
});

test("a cancellation is an ANULACION after the ALTA, and a replay when repeated", async () => {
  const shop = await openShop();
  const issued = await post(shop, BODY);
  const cancelled = await send("POST", "/api/v1/invoice/e1/cancellation", shop.key, { reason: "Prueba" });
  expect(cancelled).toMatchObject({
    status: 201,
    body: { replayed: false, data: { cancelled: true, verifactu: issued.body.data.verifactu } },
  });
  expect(cancelled.body.data.cancellation).toMatchObject({
    kind: "ANULACION",
    position: 2,
    previous_hash: issued.body.data.verifactu.hash,
    state: "pending_submission",
    reason: "Prueba",
  });
  const repeated = await send("POST", "/api/v1/invoice/e1/cancellation", shop.key, { reason: "Otra" });
  expect(repeated).toMatchObject({ status: 200, body: { replayed: true, data: cancelled.body.data } });
  const refused = await send("POST", "/api/v1/invoice/none/cancellation", shop.key, { reason: "Prueba" });
  expect(refused).toMatchObject({ status: 404, body: { error_code: "invoice_not_found" } });
});

test("before consent 409 invoicing_not_enabled, on another kind 403, and the external_id stays free", async () => {
  const unconsented = await openShop({ consented: false });
  expect(await post(unconsented, BODY)).toMatchObject({
    status: 409,
    body: { error_code: "invoicing_not_enabled" },
  });
  expect(await send("GET", "/api/v1/invoice/e1", unconsented.key)).toMatchObject({ status: 404 });
  const shop = await openShop({ connection: { kind: "commerce" } });
  expect(await post(shop, BODY)).toMatchObject({
    status: 403,
    body: { error_code: "direct_invoicing_not_supported_by_connection" },
  });
});

test("no key, a forged key, a key of another connection: 401, and no one sees another's invoice", async () => {
  const mine = await openShop();
  const other = await openShop();
  await post(mine, BODY);
  for (const key of [undefined, "ck_live_x", mine.key.slice(0, -1), `${mine.key}0`]) {
    expect(await send("GET", "/api/v1/invoice/e1", key)).toMatchObject({ status: 401 });
  }
  expect(await send("GET", "/api/v1/invoice/e1", other.key)).toMatchObject({
    status: 404,
    body: { error_code: "invoice_not_found" },
  });
});

test("a refusal uses no number: the next invoice is the first", async () => {
  const shop = await openShop();
  const refused = await post(shop, { ...BODY, lines: [{ ...BODY.lines[0], tax_rate: 5 }] });
  expect(refused).toMatchObject({ status: 422, body: { error_code: "tax_rate_not_allowed" } });
  expect((await post(shop, BODY)).body.data.number).toBe(1);
});

test("1,000 lines are issued in one group, 1,001 are refused", async () => {
  const shop = await openShop();
  const line = (index: number) => ({
    description: "Línea",
    quantity: 1,
    price_unit: 0.01,
    tax_rate: 21,
    line_id: `${index}`,
  });
  const lines = Array.from({ length: 1_001 }, (_, index) => line(index));
  const issued = await post(shop, { ...BODY, lines: lines.slice(0, 1_000) });
  expect(issued).toMatchObject({
    status: 201,
    body: { data: { totals: { base: 10, tax: 2.1, total: 12.1 } } },
  });
  expect(await post(shop, { ...BODY, external_id: "e2", lines })).toMatchObject({ status: 422 });
});

test("/health says that an invoice can be issued", async () => {
  const response = await exports.default.fetch("https://api.example/health");
  expect(response.status).toBe(200);
});
