import { describe, expect, test } from "vitest";
import { ERRORS } from "../../../src/words/words.ts";
import { API_KEY, AUTHORISED, aBody, anEdge, FORGED_KEY, postOf } from "../../support/worlds/http-edge.ts";

const INVOICE = "/api/v1/invoice";

describe("authentication", () => {
  test.each([
    ["no key", undefined],
    ["an empty key", ""],
    ["a forged tag", FORGED_KEY],
    ["a key with something after it", `${API_KEY}0`],
    ["a very long key", "x".repeat(10_000)],
  ])("%s: 401, and no object is asked", async (_, key) => {
    const { app, asked, braked } = anEdge();
    const headers = {
      "Content-Type": "application/json",
      ...(key === undefined ? {} : { "X-API-KEY": key }),
    };
    const response = await app.request(INVOICE, {
      method: "POST",
      headers: { ...headers, "CF-Connecting-IP": "203.0.113.7" },
      body: "not even JSON",
    });
    expect(response.status).toBe(401);
    expect(asked).toEqual([]);
    expect(braked).toEqual(["203.0.113.7"]);
  });

  test("the owner of one IPv6 address has its /64, and counts as that", async () => {
    const { app, braked } = anEdge();
    for (const address of ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"]) {
      await app.request(`${INVOICE}/a`, { headers: { "CF-Connecting-IP": address } });
    }
    expect(braked).toEqual(["2001:db8:1:2::/64", "2001:db8:1:2::/64"]);
  });

  test("an address that fails too often gets 429 with whole seconds", async () => {
    const response = await anEdge({ brake: false }).app.request(`${INVOICE}/a`);
    expect(response.status).toBe(429);
    expect(response.headers.get("Retry-After")).toBe("60");
  });

  test("a brake that is out of order does not change the answer", async () => {
    expect((await anEdge({ brake: new Error("down") }).app.request(`${INVOICE}/a`)).status).toBe(401);
  });

  test("a good key does not touch the brake", async () => {
    const { app, braked } = anEdge({ brake: false });
    expect((await app.request(INVOICE, postOf(aBody()))).status).toBe(201);
    expect(braked).toEqual([]);
  });
});

describe("request id", () => {
  test.each([
    ["visible ASCII is taken", "abc-123!~", "abc-123!~"],
    ["128 characters are", "x".repeat(128), "x".repeat(128)],
    ["129 are replaced", "x".repeat(129), "generated-id"],
    ["empty is replaced", "", "generated-id"],
    ["a space inside is", "a b", "generated-id"],
    ["other letters are", "caf\u00e9", "generated-id"],
  ])("%s", async (_, sent, expected) => {
    const { app, lines } = anEdge();
    const response = await app.request("/nowhere", { headers: { "X-Request-Id": sent } });
    expect(response.headers.get("X-Request-Id")).toBe(expected);
    expect(await response.json()).toMatchObject({ request_id: expected });
    expect(lines[0]?.request_id).toBe("generated-id");
  });

  test("a UUID is found in the log", async () => {
    const { app, lines } = anEdge();
    const id = "7ffd04ac-357a-400a-b62b-6ff900092f63";
    await app.request("/nowhere", { headers: { "X-Request-Id": id } });
    expect(lines[0]?.request_id).toBe(id);
  });
});

describe("methods and paths", () => {
  test.each([
    ["PUT", `${INVOICE}/a`, 405, "invoice_immutable", "GET, HEAD, OPTIONS"],
    ["PATCH", `${INVOICE}/a`, 405, "invoice_immutable", "GET, HEAD, OPTIONS"],
    ["DELETE", `${INVOICE}/a`, 405, "invoice_immutable", "GET, HEAD, OPTIONS"],
    ["PUT", INVOICE, 405, "invoice_immutable", "POST, OPTIONS"],
    ["DELETE", INVOICE, 405, "invoice_immutable", "POST, OPTIONS"],
    ["GET", INVOICE, 405, "method_not_allowed", "POST, OPTIONS"],
    ["POST", `${INVOICE}/a`, 405, "method_not_allowed", "GET, HEAD, OPTIONS"],
    ["PUT", `${INVOICE}/a/cancellation`, 405, "method_not_allowed", "POST, OPTIONS"],
    ["POST", "/health", 405, "method_not_allowed", "GET, HEAD, OPTIONS"],
    ["GET", "/nowhere", 404, "not_found", null],
    ["GET", `${INVOICE}/`, 404, "not_found", null],
    ["GET", `${INVOICE}/a/b`, 404, "not_found", null],
    ["POST", `${INVOICE}/a/cancellation/`, 404, "not_found", null],
    ["OPTIONS", "/nowhere", 404, "not_found", null],
  ])("%s %s: %i %s", async (method, path, status, code, allow) => {
    const response = await anEdge().app.request(path, { method });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ success: false, error_code: code, retryable: false });
    expect(response.headers.get("Allow")).toBe(allow);
  });

  test("OPTIONS lists the methods and allows no other origin", async () => {
    const response = await anEdge().app.request(INVOICE, {
      method: "OPTIONS",
      headers: { Origin: "https://x.example" },
    });
    expect([response.status, response.headers.get("Allow")]).toEqual([204, "POST, OPTIONS"]);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });

  test("HEAD answers as GET without a body", async () => {
    const { app, lines } = anEdge();
    const response = await app.request(`${INVOICE}/a`, { method: "HEAD", headers: { "X-API-KEY": API_KEY } });
    expect([response.status, await response.text(), lines[0]?.method]).toEqual([200, "", "HEAD"]);
  });
});

describe("log", () => {
  test("one line for a request, with its members and nothing else", async () => {
    const { app, lines } = anEdge();
    await app.request(INVOICE, postOf(aBody()));
    expect(lines).toEqual([
      {
        request_id: "generated-id",
        connection_id: expect.stringMatching(/^cn/),
        route: INVOICE,
        method: "POST",
        status: 201,
        duration_ms: 25,
        d1_trips: 2,
      },
    ]);
  });

  test("the route is the pattern: neither external_id nor query nor key are in the line", async () => {
    const { app, lines } = anEdge({ read: { outcome: "unknown" } });
    await app.request(`${INVOICE}/secret-order?include=xml`, { headers: { "X-API-KEY": API_KEY } });
    expect(lines[0]).toMatchObject({
      route: `${INVOICE}/{external_id}`,
      error_code: "invoice_not_found",
      d1_trips: 1,
    });
    expect(JSON.stringify(lines)).not.toMatch(/secret-order|include|ck_live/);
  });

  test("an unknown path is not written down", async () => {
    const { app, lines } = anEdge();
    await app.request("/nowhere/some-token");
    expect(lines).toMatchObject([{ route: "(none)", status: 404, error_code: "not_found" }]);
    expect(JSON.stringify(lines)).not.toContain("some-token");
  });

  test.each([
    ["a code is written", "queue_full", "queue_full"],
    ["prose is not", "D1_ERROR: near Ana", undefined],
  ])("cause: %s", async (_, cause, expected) => {
    const { app, lines } = anEdge({ issue: { outcome: "unavailable", retryAfterSeconds: 1, cause } });
    await app.request(INVOICE, postOf(aBody()));
    expect(lines[0]?.cause).toBe(expected);
  });
});

test.each([
  [undefined, "en"],
  ["es", "es"],
  ["es-ES,es;q=0.9,en;q=0.8", "es"],
  ["en-GB,es;q=0.9", "en"],
  ["en;q=0.2, es;q=0.3", "es"],
  ["fr", "en"],
  ["es;q=0", "en"],
  ["*", "en"],
  ["est", "en"],
])("Accept-Language %s: sentences in %s", async (accepted, language) => {
  const headers = accepted === undefined ? {} : { "Accept-Language": accepted };
  const answer = JSON.parse(await (await anEdge().app.request("/nowhere", { headers })).text());
  expect(answer.error).toBe(ERRORS.not_found.sentence[language === "es" ? "es" : "en"]);
});

test.each(["/nowhere", "/health", "/docs", INVOICE])(
  "%s is neither framed nor sniffed nor kept",
  async (path) => {
    const { headers } = await anEdge().app.request(path);
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Cache-Control")).toBe("no-store");
  },
);

describe("health", () => {
  test("200 when an invoice can be issued", async () => {
    const response = await anEdge().app.request("/health");
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        success: true,
        data: {
          status: "ok",
          version: "1.2.3",
          parts: { ledger: true },
          schema: { oldest: "0000_tables.sql", newest: "0001_append_only.sql" },
          checked_at: "2026-11-27T10:00:00.000Z",
        },
      },
    ]);
  });

  test("503 names what fails", async () => {
    const parts = [
      { name: "ledger", healthy: false },
      { name: "directory", healthy: true },
    ];
    const schema = { oldest: "none", newest: "none" };
    const { app } = anEdge({
      deps: { health: async () => ({ healthy: false, parts, schema, checkedAt: 0 }) },
    });
    const response = await app.request("/health");
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    expect(await response.json()).toMatchObject({ details: [{ path: "ledger", code: "failing" }] });
  });
});

test("a body is not read before the key is proven", async () => {
  const body = new ReadableStream(
    {
      pull() {
        throw new Error("was read");
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { ...AUTHORISED, "X-API-KEY": FORGED_KEY };
  const init = { method: "POST", headers, body, duplex: "half" };
  expect((await anEdge().app.request(new Request(`http://edge${INVOICE}`, init))).status).toBe(401);
});
