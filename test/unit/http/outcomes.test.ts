import { expect, test } from "vitest";
import {
  API_KEY,
  aBody,
  aCancelledView,
  anEdge,
  aView,
  type EdgeOptions,
  postOf,
} from "../../support/worlds/http-edge.ts";

const INVOICE = "/api/v1/invoice";
const CANCELLATION = `${INVOICE}/order-1/cancellation`;
const refusal = { code: "recipient_required", facts: { missing: "vat_number" }, path: "recipient" } as const;

interface Row {
  readonly edge: EdgeOptions;
  readonly status: number;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ISSUES: readonly (readonly [string, Row])[] = [
  ["issued answers 201", { edge: {}, status: 201 }],
  ["a replay answers 200", { edge: { issue: { outcome: "replayed", invoice: aView() } }, status: 200 }],
  [
    "other content under a known external_id is a conflict",
    {
      edge: { issue: { outcome: "conflict", fullNumber: "API-1-2026-000001" } },
      status: 409,
      code: "idempotency_conflict",
    },
  ],
  [
    "a refusal of the rules answers its own code",
    { edge: { issue: { outcome: "refused", refusal } }, status: 422, code: "recipient_required" },
  ],
  [
    "without consent 409",
    {
      edge: { issue: { outcome: "refused", refusal: { code: "invoicing_not_enabled", facts: {} } } },
      status: 409,
      code: "invoicing_not_enabled",
    },
  ],
  [
    "another kind of connection 403",
    {
      edge: {
        issue: {
          outcome: "refused",
          refusal: { code: "direct_invoicing_not_supported_by_connection", facts: { kind: "commerce" } },
        },
      },
      status: 403,
      code: "direct_invoicing_not_supported_by_connection",
    },
  ],
  ["a revoked key 401", { edge: { issue: { outcome: "unauthorized" } }, status: 401, code: "unauthorized" }],
  [
    "a revoked key that is tried too often 429",
    {
      edge: { issue: { outcome: "unauthorized" }, brake: false },
      status: 429,
      code: "rate_limited",
      headers: { "Retry-After": "60" },
    },
  ],
  [
    "the limit 429 with whole seconds",
    {
      edge: { issue: { outcome: "rate_limited", retryAfterSeconds: 1.2 } },
      status: 429,
      code: "rate_limited",
      headers: { "Retry-After": "2" },
    },
  ],
  [
    "unavailable 503 with Retry-After",
    {
      edge: { issue: { outcome: "unavailable", retryAfterSeconds: 0, cause: "queue_full" } },
      status: 503,
      code: "temporarily_unavailable",
      headers: { "Retry-After": "1" },
    },
  ],
  [
    "a failure 500",
    { edge: { issue: { outcome: "failed", cause: "x" } }, status: 500, code: "internal_error" },
  ],
  [
    "anything thrown 500",
    { edge: { issue: new TypeError("B12345674") }, status: 500, code: "internal_error" },
  ],
];

test.each(ISSUES)("POST invoice: %s", async (_, { edge, status, code, headers = {} }) => {
  const response = await anEdge(edge).app.request(INVOICE, postOf(aBody()));
  const body = await response.json();
  expect(response.status).toBe(status);
  if (code === undefined) return expect(body).toMatchObject({ success: true, replayed: status === 200 });
  expect(body).toMatchObject({ success: false, error_code: code, request_id: "generated-id" });
  for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name)).toBe(value);
});

test("a conflict names the invoice that exists", async () => {
  const { app } = anEdge({ issue: { outcome: "conflict", fullNumber: "API-1-2026-000001" } });
  const body = await (await app.request(INVOICE, postOf(aBody()))).text();
  expect(body).toContain("API-1-2026-000001");
  expect(body).toContain("order-1");
});

test("a refusal with a place also has it in details", async () => {
  const { app } = anEdge({ issue: { outcome: "refused", refusal } });
  const body = await (await app.request(INVOICE, postOf(aBody()))).json();
  expect(body).toMatchObject({ details: [{ path: "recipient", code: "recipient_required" }] });
});

test("a thrown message reaches neither the caller nor the log", async () => {
  const { app, lines } = anEdge({ issue: new TypeError("B12345674 of Ana") });
  const body = await (await app.request(INVOICE, postOf(aBody()))).text();
  expect(body + JSON.stringify(lines)).not.toContain("Ana");
  expect(lines).toMatchObject([{ status: 500, error_code: "internal_error", error_name: "TypeError" }]);
});

test("the object gets caller and prepared request, never the key", async () => {
  const { app, asked } = anEdge();
  await app.request(INVOICE, postOf(aBody(), { "X-Request-Id": "r-1" }));
  expect(asked[0]?.caller.requestId).toBe("r-1");
  expect(asked[0]?.invoice?.request.externalId).toBe("order-1");
  expect(JSON.stringify(asked)).not.toContain(API_KEY);
});

test.each([
  ["cancelled answers 201", {}, 201, undefined],
  ["a second time 200", { cancel: { outcome: "replayed", invoice: aCancelledView() } }, 200, undefined],
  [
    "an unknown invoice 404",
    { cancel: { outcome: "refused", refusal: { code: "invoice_not_found", facts: {} } } },
    404,
    "invoice_not_found",
  ],
  [
    "a rectified one 422",
    { cancel: { outcome: "refused", refusal: { code: "cancellation_not_allowed", facts: {} } } },
    422,
    "cancellation_not_allowed",
  ],
  ["a revoked key 401", { cancel: { outcome: "unauthorized" } }, 401, "unauthorized"],
] satisfies [string, EdgeOptions, number, string | undefined][])(
  "POST cancellation: %s",
  async (_, edge, status, code) => {
    const response = await anEdge(edge).app.request(CANCELLATION, postOf({ reason: " Nunca  " }));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(code ? { error_code: code } : { data: { cancelled: true } });
  },
);

test("the reason is trimmed and goes with the external_id", async () => {
  const { app, asked } = anEdge();
  await app.request(CANCELLATION, postOf({ reason: " Nunca " }));
  expect(asked[0]?.cancellation).toEqual({ externalId: "order-1", reason: "Nunca" });
});

test.each([
  ["found 200", {}, 200],
  ["unknown 404", { read: { outcome: "unknown" } }, 404],
  ["revoked 401", { read: { outcome: "unauthorized" } }, 401],
  ["unavailable 503", { read: { outcome: "unavailable", retryAfterSeconds: 3, cause: "d1" } }, 503],
] satisfies [string, EdgeOptions, number][])("GET invoice: %s", async (_, edge, status) => {
  const response = await anEdge(edge).app.request(`${INVOICE}/order-1`, {
    headers: { "X-API-KEY": API_KEY },
  });
  expect(response.status).toBe(status);
});

test.each([
  ["percent-encoded text", "a%20b%2Fc%C3%B1", "a b/cñ"],
  ["a plus stays a plus", "a+b", "a+b"],
  ["an encoded percent sign", "100%25", "100%"],
  ["encoded twice is decoded once", "%2520", "%20"],
])("external_id in the path: %s", async (_, encoded, externalId) => {
  const { app, asked } = anEdge();
  await app.request(`${INVOICE}/${encoded}`, { headers: { "X-API-KEY": API_KEY } });
  expect(asked[0]?.externalId).toBe(externalId);
});

test.each([
  ["a broken escape", "%ZZ"],
  ["bytes that are no UTF-8", "%FF"],
  ["a control character", "a%00b"],
  ["more than 120 characters", "a".repeat(121)],
])("external_id in the path: %s is found nowhere", async (_, encoded) => {
  const { app, asked } = anEdge();
  const response = await app.request(`${INVOICE}/${encoded}`, { headers: { "X-API-KEY": API_KEY } });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error_code: "invoice_not_found" });
  expect(asked).toEqual([]);
});
