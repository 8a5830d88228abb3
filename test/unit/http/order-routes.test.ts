/** The edge of orders: requests to the object, answers to connectors, and refusals. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exampleReasonFacts } from "../../../src/api/openapi/reasons.ts";
import { errorAnswer } from "../../../src/api/wire/answers.ts";
import { ORDER_EXAMPLE } from "../../../src/api/wire/order-examples.ts";
import { orderAnswer } from "../../../src/api/wire/order-response.ts";
import { ORDER_STATES } from "../../../src/domain/order/decision.ts";
import { ORDER_REASONS } from "../../../src/domain/order/reasons.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import type { OrderView, ReadOrderOutcome } from "../../../src/ledger/orders/order-outcomes.ts";
import { day, eur } from "../../support/builders/facts.ts";
import { often } from "../../support/rules/often.ts";
import { faultOf } from "../../support/rules/readable.ts";
import {
  AUTHORISED,
  anEdge,
  anOrderInvoice,
  anOrderView,
  type EdgeOptions,
  FORGED_KEY,
  postOf,
  taken,
} from "../../support/worlds/http-edge.ts";

const ORDER = "/api/v1/order";
const SPANISH = { "Accept-Language": "es-ES,es;q=0.9,en;q=0.5" };

async function ask(path: string, init: RequestInit, options: EdgeOptions = {}) {
  const edge = anEdge(options);
  const response = await edge.app.request(path, init);
  const text = await response.text();
  return { ...edge, response, status: response.status, text, body: JSON.parse(text) };
}

const submit = (body: unknown, options: EdgeOptions = {}, query = "") =>
  ask(`${ORDER}${query}`, postOf(body), options);
const read = (id: string, options: EdgeOptions = {}) =>
  ask(`${ORDER}/${id}`, { headers: AUTHORISED }, options);

/** The answer about an order with this state. */
async function dataOf(change: Partial<OrderView>, headers: Readonly<Record<string, string>> = {}) {
  const { body } = await ask(ORDER, postOf(ORDER_EXAMPLE, headers), { submit: taken(change) });
  expect(body.success).toBe(true);
  return orderAnswer.parse(body.data);
}

describe("POST", () => {
  test.each([
    ["not known before: 201", true, 201],
    ["known before: 200", false, 200],
  ])("%s", async (_, created, status) => {
    const answer = await submit(ORDER_EXAMPLE, { submit: taken({}, created) });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      success: true,
      data: {
        id_external: "5001",
        state: "invoiced",
        reasons: [],
        invoices: [
          {
            invoice_id: "in0000000000000000002",
            series: "PED-1S-2026",
            number: 1,
            full_number: "PED-1S-2026-000001",
            invoice_type: "F2",
            base: 100,
            tax: 21,
            surcharge: 0,
            total: 121,
            currency: "EUR",
            issue_date: "2026-11-27",
            kind: "invoice",
            state: "pending_submission",
            taxes: [
              {
                type_tax: "01",
                regime: "01",
                qualification: "S1",
                tax_rate: 21,
                base: 100,
                tax: 21,
                equivalence_surcharge_rate: 0,
                equivalence_surcharge: 0,
              },
            ],
          },
        ],
        contract_version: "1.8",
        warnings: [],
      },
    });
  });

  test("the object gets the facts, and the body to the last digit and the last member", async () => {
    const text =
      '{"id_external":77,"order_date":"2026-11-27 10:30:00","total":10.00,"currency":"eur",' +
      '"vip":{"level":1e2},"breakdown":[{"base_amount":8.264463,"tax_rate":21,"tax_amount":1.735537}]}';
    const { asked, status } = await submit(text);
    expect(status).toBe(201);
    expect(asked).toMatchObject([
      {
        order: {
          preview: false,
          asSent: text,
          sent: {
            idExternal: "77",
            total: "10",
            currency: "EUR",
            breakdown: [{ base: "8.264463", taxRate: "21", tax: "1.735537" }],
          },
        },
      },
    ]);
    expect(asked[0]?.order?.sent).not.toHaveProperty("contractVersion");
  });

  test("the request to the object survives serialisation", async () => {
    const { asked } = await submit(ORDER_EXAMPLE);
    const order = asked[0]?.order;
    expect(structuredClone(order)).toStrictEqual(order);
  });

  test("a body may be sent in the encoding of any JSON", async () => {
    const answer = await ask(
      ORDER,
      postOf(ORDER_EXAMPLE, { "Content-Type": "application/json; charset=utf-8" }),
    );
    expect(answer.status).toBe(201);
  });
});

describe("the answers", () => {
  test.each(ORDER_STATES)("state %s", async (state) => {
    expect((await dataOf({ state })).state).toBe(state);
  });

  test.each(ORDER_REASONS.map(({ code }) => code))("reason %s", async (code) => {
    for (const facts of exampleReasonFacts(code)) {
      for (const [language, headers] of [
        ["en", {}],
        ["es", SPANISH],
      ] as const) {
        const { reasons } = await dataOf({ state: "held", reasons: [{ code, facts }] }, headers);
        expect(reasons.map((reason) => reason.code)).toEqual([code]);
        expect(faultOf(reasons[0]?.message ?? "", language)).toBeUndefined();
        expect(Object.keys(reasons[0]?.facts ?? {})).toEqual(Object.keys(facts).sort());
      }
    }
  });

  test("title, sentence and facts of a reason, in the language asked for", async () => {
    const reasons = [
      { code: "untreated_total", facts: { title: "Reembolso", value: eur("3"), code: "cod" }, about: "cod" },
    ] as const;
    const facts = { code: "cod", title: "Reembolso", value: { amount: 3, currency: "EUR" } };
    expect((await dataOf({ reasons })).reasons).toEqual([
      {
        code: "untreated_total",
        message:
          "The total includes “Reembolso” (3.00\u00a0€) and we do not know what it is. The shop sent it outside " +
          "the lines, with the code “cod”; say how it is treated, and it will serve for coming orders too.",
        facts,
      },
    ]);
    const [spanish] = (await dataOf({ reasons }, SPANISH)).reasons;
    expect(spanish?.message).toMatch(/^El total incluye «Reembolso» \(3,00\u00a0€\) y no sabemos qué es\. /);
    expect(spanish?.facts).toEqual(facts);
  });

  test("warnings with their facts", async () => {
    const warnings = [
      { code: "issued_late", facts: { issue_date: day("2026-12-20"), due_date: day("2026-12-15") } },
      { code: "field_beyond_contract", facts: { field: "tags", since: "1.4", declared: "1.0" } },
    ] as const;
    const answered = (await dataOf({ warnings })).warnings;
    expect(answered.map(({ code, facts }) => ({ code, facts }))).toEqual([
      { code: "issued_late", facts: { issue_date: "2026-12-20", due_date: "2026-12-15" } },
      { code: "field_beyond_contract", facts: { field: "tags", since: "1.4", declared: "1.0" } },
    ]);
    expect(answered[0]?.message).toContain("20 Dec 2026 and was due on 15 Dec 2026");
  });

  test("every invoice, oldest first, each with its kind and the state of its record", async () => {
    const numbered = (number: number, state: "accepted" | "cancelled") => ({
      issued: { invoiceId: `in${number}`, number, fullNumber: `PED-1S-2026-${number}`, state },
    });
    const { invoices } = await dataOf({
      invoices: [
        anOrderInvoice(numbered(1, "accepted")),
        anOrderInvoice({ kind: "rectification", invoiceType: "R5", ...numbered(2, "cancelled") }),
        anOrderInvoice({ kind: "replacement", invoiceType: "F3" }),
      ],
    });
    expect(invoices.map(({ kind, invoice_type, state }) => [kind, invoice_type, state])).toEqual([
      ["invoice", "F2", "accepted"],
      ["rectification", "R5", "cancelled"],
      ["replacement", "F3", "pending_submission"],
    ]);
  });

  test("amounts are digits, with at most the decimals of the currency", async () => {
    const totals = {
      base: decimal("9007199254740993"),
      tax: decimal("0.5"),
      surcharge: decimal("0"),
      total: decimal("9007199254740993.5"),
    };
    const yen = anOrderInvoice({ currency: "JPY", totals });
    const { text } = await submit(ORDER_EXAMPLE, { submit: taken({ invoices: [yen] }) });
    expect(text).toContain('"base":9007199254740993,"tax":1,"surcharge":0,"total":9007199254740994,');
  });

  test("the same decision is the same text, in any order of its facts", async () => {
    const facts = { title: "A", value: eur("3"), code: "a" };
    const turned = Object.fromEntries(Object.entries(facts).toReversed());
    const texts = [facts, turned].map(async (each) => {
      const reasons = [{ code: "untreated_total" as const, facts: each }];
      return (await submit(ORDER_EXAMPLE, { submit: taken({ reasons }) })).text;
    });
    expect(new Set(await Promise.all(texts)).size).toBe(1);
  });
});

describe("preview", () => {
  const { issued: _, ...wouldBe } = anOrderInvoice();

  test("always 200, in the same shape, and without a number", async () => {
    for (const created of [true, false]) {
      const answer = await submit(
        ORDER_EXAMPLE,
        { submit: taken({ invoices: [wouldBe] }, created) },
        "?preview=true",
      );
      expect([answer.status, answer.body.data.preview]).toEqual([200, true]);
      expect(answer.asked[0]?.order?.preview).toBe(true);
      const { invoices } = orderAnswer.parse(answer.body.data);
      expect(invoices[0]).toMatchObject({
        invoice_id: null,
        series: "PED-1S-2026",
        number: null,
        full_number: null,
        total: 121,
        state: null,
      });
    }
  });

  test("false is no preview", async () => {
    const answer = await submit(ORDER_EXAMPLE, {}, "?preview=false");
    expect([answer.status, answer.asked[0]?.order?.preview]).toEqual([201, false]);
    expect(answer.body.data).not.toHaveProperty("preview");
  });

  test.each(["prevew", "PREVIEW", "debug"])("?%s=true is refused", async (name) => {
    const { status, body, asked } = await submit(ORDER_EXAMPLE, {}, `?${name}=true`);
    expect([status, body.error_code, asked]).toEqual([422, "validation_failed", []]);
    expect(body.details).toMatchObject([{ path: name, code: "unknown_parameter" }]);
  });

  test.each(["", "1", "TRUE", "yes", "true,false", "true&preview=false", "%00"])(
    "?preview=%s is refused",
    async (value) => {
      const { status, body, asked } = await submit(ORDER_EXAMPLE, {}, `?preview=${value}`);
      expect([status, body.error_code, asked]).toEqual([422, "validation_failed", []]);
      expect(body.details).toMatchObject([{ path: "preview" }]);
      expect(body.details[0].message).not.toMatch(/[{}—]|undefined/);
    },
  );
});

describe("GET", () => {
  test("answers the same as the submission did", async () => {
    const order = anOrderView({
      state: "held",
      reasons: [{ code: "deferred", facts: { connection: "Tienda" } }],
    });
    const written = await submit(ORDER_EXAMPLE, { submit: { outcome: "taken", order, created: true } });
    const answer = await read("5001", { readOrder: { outcome: "found", order } });
    expect([answer.status, answer.body]).toEqual([200, written.body]);
    expect(answer.asked).toMatchObject([{ idExternal: "5001" }]);
  });

  test("404 that says what to do", async () => {
    const { status, body } = await read("5%2F7", { readOrder: { outcome: "unknown" } });
    expect(status).toBe(404);
    expect(body).toEqual({
      success: false,
      error: "There is no order with the identifier “5/7” on this connection; submit it first.",
      error_code: "order_not_found",
      retryable: false,
      request_id: "generated-id",
    });
    const headers = { ...AUTHORISED, ...SPANISH };
    const spanish = await ask(`${ORDER}/5`, { headers }, { readOrder: { outcome: "unknown" } });
    expect(spanish.body.error).toBe(
      "No hay ningún pedido con el identificador «5» en esta conexión; envíalo antes.",
    );
  });

  test.each([
    ["broken escapes", "%FF"],
    ["a control character", "a%00b"],
    ["more than an id can have", "x".repeat(121)],
  ])("%s: 404, and no object is asked", async (_, id) => {
    const { status, body, asked } = await read(id);
    expect([status, body.error_code, asked]).toEqual([404, "order_not_found", []]);
  });

  test("any path is an answer", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40 }), async (id) => {
        const path = encodeURIComponent(id.toWellFormed());
        expect([200, 404]).toContain((await read(path)).status);
      }),
      often(200),
    );
  });
});

/** The outcomes of both calls. */
type No = Exclude<ReadOrderOutcome, { readonly outcome: "found" | "unknown" }> | Error;
type Call = readonly [method: string, path: string, init: RequestInit, answering: (no: No) => EdgeOptions];

const CALLS: readonly Call[] = [
  ["POST", ORDER, postOf(ORDER_EXAMPLE), (no) => ({ submit: no })],
  ["GET", `${ORDER}/5001`, { headers: AUTHORISED }, (no) => ({ readOrder: no })],
];

describe.each(CALLS)("%s", (_, path, init, answering) => {
  test("423 in its exact shape", async () => {
    const refusal = { code: "sync_not_ready", facts: {} } as const;
    const { status, body } = await ask(path, init, answering({ outcome: "refused", refusal }));
    expect(status).toBe(423);
    expect(body).toEqual({
      success: false,
      error:
        "The owner has not chosen the shops yet (step 2); pause and try again later without using up retries.",
      error_code: "sync_not_ready",
      retryable: true,
      request_id: "generated-id",
    });
    expect(errorAnswer.parse(body)).toEqual(body);
  });

  test("403 for a kind that takes no orders, which it names", async () => {
    const refusal = { code: "orders_not_supported_by_connection", facts: { kind: "accounting" } } as const;
    const { status, body } = await ask(path, init, answering({ outcome: "refused", refusal }));
    expect([status, body.error_code, body.retryable]).toEqual([
      403,
      "orders_not_supported_by_connection",
      false,
    ]);
    expect(body.error).toContain("“accounting”");
  });

  test.each<[number, No]>([
    [401, { outcome: "unauthorized" }],
    [429, { outcome: "rate_limited", retryAfterSeconds: 3 }],
    [503, { outcome: "unavailable", retryAfterSeconds: 2, cause: "d1" }],
    [500, { outcome: "failed", cause: "x" }],
    [500, new TypeError("of Lucía")],
  ])("%i as the object says", async (status, outcome) => {
    const answer = await ask(path, init, answering(outcome));
    expect(answer.status).toBe(status);
    expect(answer.response.headers.has("Retry-After")).toBe(status === 429 || status === 503);
    expect(JSON.stringify([answer.body, answer.lines])).not.toContain("Lucía");
  });

  test("a forged key reaches no object", async () => {
    const headers = { ...init.headers, "X-API-KEY": FORGED_KEY };
    const { status, asked } = await ask(path, { ...init, headers });
    expect([status, asked]).toEqual([401, []]);
  });

  test("the log line has the route and the trips, and nothing that was sent", async () => {
    const { lines } = await ask(path === ORDER ? `${path}?preview=true` : path, init);
    const route = path === ORDER ? ORDER : `${ORDER}/{id_external}`;
    expect(lines).toMatchObject([{ route, status: 200, d1_trips: expect.any(Number) }]);
    expect(JSON.stringify(lines)).not.toMatch(/5001|Lucía|preview|ck_live/);
  });

  test.each(["PUT", "PATCH", "DELETE"])("%s is 405, and no invoice", async (method) => {
    const { status, body } = await ask(path, { method });
    expect([status, body.error_code]).toEqual([405, "method_not_allowed"]);
  });
});

test("an order too large to be kept is 422", async () => {
  const size = { phrase: "bytes", count: { amount: "1900001" } } as const;
  const refusal = { code: "document_too_large", facts: { size } } as const;
  const { status, body } = await submit(ORDER_EXAMPLE, { submit: { outcome: "refused", refusal } });
  expect([status, body.error_code]).toEqual([422, "document_too_large"]);
  expect(body.error).toContain("1,900,001 bytes");
});

describe("bodies that are refused", () => {
  const line = { base_amount: 1, tax_rate: 21, tax_amount: 0.21 };

  test.each([
    ["no JSON", "{", {}, 400, "malformed_json"],
    ["a member twice", '{"total":1,"total":1}', {}, 400, "malformed_json"],
    ["too deep", `${"[".repeat(33)}${"]".repeat(33)}`, {}, 400, "malformed_json"],
    ["another type", "{}", { "Content-Type": "text/plain" }, 415, "unsupported_media_type"],
    ["too much", JSON.stringify({ x: "x".repeat(1_048_576) }), {}, 413, "payload_too_large"],
    ["nothing in it", "{}", {}, 422, "validation_failed"],
    ["a list", "[1]", {}, 422, "validation_failed"],
    ["null", "null", {}, 422, "validation_failed"],
    ["a number", "7", {}, 422, "validation_failed"],
  ])("%s", async (_, text, headers, status, code) => {
    const answer = await ask(ORDER, postOf(text, headers));
    expect([answer.status, answer.body.error_code, answer.asked]).toEqual([status, code, []]);
  });

  test.each([
    ["5,000 lines are an order", 5000, 201],
    ["5,001 are not", 5001, 422],
    ["nor are 10,000", 10_000, 422],
  ])("%s", async (_, count, status) => {
    const breakdown = Array.from({ length: count }, () => line);
    const answer = await submit({ ...ORDER_EXAMPLE, total: count * 1.21, breakdown });
    expect(answer.status).toBe(status);
    if (status === 422) {
      expect(answer.body.details).toEqual([
        {
          path: "breakdown",
          code: "too_long",
          message: "“breakdown” has more than 5000 entries; shorten it.",
        },
      ]);
      expect(answer.asked).toEqual([]);
    }
  });

  test("every problem at once, each at its place", async () => {
    const { body } = await submit({
      id_external: "",
      order_date: "yesterday",
      total: "49",
      currency: "euros",
      breakdown: [{ ...line, tax_rate: null }, 7],
      discounts: {},
    });
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual([
      "id_external",
      "order_date",
      "total",
      "currency",
      "breakdown.0.tax_rate",
      "breakdown.1",
      "discounts",
    ]);
  });

  test.each([
    ["1e999", 422],
    ["-0", 201],
    ["1e-400", 201],
    ["999999999999.99999999", 201],
    ["1000000000000", 422],
    ["0.1e1", 201],
    [`0.${"1".repeat(390)}`, 201],
    [`${"9".repeat(400)}`, 422],
  ])("a total of %s", async (total, status) => {
    const text = JSON.stringify({ ...ORDER_EXAMPLE, total: 0 }).replace('"total":0', `"total":${total}`);
    expect((await submit(text)).status).toBe(status);
  });
});

type Path = readonly string[];

function pathsOf(tree: unknown, path: Path = []): Path[] {
  if (typeof tree !== "object" || tree === null) return [path];
  return [path, ...Object.entries(tree).flatMap(([name, value]) => pathsOf(value, [...path, name]))];
}

function withValue(tree: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(tree))
    return tree.map((item, index) => (String(index) === name ? withValue(item, rest, value) : item));
  const object = Object(tree);
  return { ...object, [name]: withValue(object[name], rest, value) };
}

test("any value at any place is taken or refused, never an error of ours", async () => {
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: "binary" }),
    fc.double({ noNaN: true }),
    fc.constantFrom("true", "0000-00-00 00:00:00", [], {}, null, -1, "\u0000"),
  );
  const places = pathsOf(ORDER_EXAMPLE).filter(({ length }) => length > 0);
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), values, async (path, value) => {
      const { status } = await submit(withValue(ORDER_EXAMPLE, path, value));
      statuses.add(status);
      expect([201, 422]).toContain(status);
    }),
    often(500),
  );
  expect(statuses).toEqual(new Set([201, 422]));
});
