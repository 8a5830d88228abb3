/** The query of a route: an unknown parameter is refused before anything is read. */
import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import { PARAMETERS } from "../../../src/api/wire/parameters.ts";
import { API_KEY, anEdge, FORGED_KEY, postOf } from "../../support/worlds/http-edge.ts";

const ROUTES = ENDPOINTS.filter(({ doc }) => doc.needsKey).map(({ method, path, doc }) => ({
  route: `${method} ${path}`,
  method,
  path: path.replace("{invoice_id}", "in00000000000000000001").replace(/\{\w+\}/, "order-1"),
  body: doc.body?.example,
  isStrict: doc.takesAnyParameter !== true,
  own: doc.parameters.flatMap((key) => (PARAMETERS[key].in === "query" ? [PARAMETERS[key].name] : [])),
}));
type Route = (typeof ROUTES)[number];

const STRICT = ROUTES.filter(({ isStrict }) => isStrict);

async function ask({ method, path, body }: Route, query: string, key = API_KEY) {
  const { app, asked } = anEdge();
  const headers = { "X-API-KEY": key };
  const init = method === "GET" ? { headers } : postOf(body ?? {}, headers);
  const response = await app.request(`${path}?${query}`, init);
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  const text = await response.text();
  const answer = isJson ? JSON.parse(text) : {};
  const details: readonly { readonly path: string; readonly code: string; readonly message: string }[] =
    answer.details ?? [];
  return { status: response.status, answer, details, asked };
}

async function problemsOf(route: Route, query: string): Promise<string[]> {
  const { status, answer, details, asked } = await ask(route, query);
  expect([status, answer.error_code, asked]).toEqual([422, "validation_failed", []]);
  for (const { message } of details) expect(message).not.toMatch(/[{}—]|undefined/);
  return details.map(({ path, code }) => `${path} ${code}`);
}

test("twenty routes need the key, and one of them accepts any parameter", () => {
  expect(ROUTES.filter(({ isStrict }) => !isStrict).map(({ route }) => route)).toEqual([
    "GET /api/v1/module-version",
  ]);
  expect(STRICT.length).toBe(19);
});

describe.each(STRICT)("$route", (route) => {
  test.each([
    "prevew=true",
    "PREVIEW=true",
    "Preview=true",
    "INCLUDE=xml",
    "debug=1",
    "%70revie=1",
    "__proto__=1",
  ])("refuses ?%s", async (query) => {
    const name = decodeURIComponent(query.split("=")[0] ?? "");
    expect(await problemsOf(route, query)).toEqual([`${name} unknown_parameter`]);
  });

  test("refuses a parameter without a name, and one without a value", async () => {
    expect(await problemsOf(route, "=true")).toEqual([" unknown_parameter"]);
    expect(await problemsOf(route, "dry_run")).toEqual(["dry_run unknown_parameter"]);
  });

  test("names each unknown parameter once, and the valid ones", async () => {
    const { details } = await ask(route, "x=1&y=2&x=3");
    expect(details.map(({ path }) => path)).toEqual(["x", "y"]);
    const ending =
      route.own.length > 0 ? `one of these: ${route.own.join(", ")}.` : "there are none; remove it.";
    for (const { message } of details) expect(message.endsWith(ending), message).toBe(true);
  });

  test("answers 401 to a forged key, with any query", async () => {
    expect((await ask(route, "prevew=true", FORGED_KEY)).status).toBe(401);
  });

  test("takes an empty query", async () => {
    const { status, answer } = await ask(route, "");
    // The edge's own invoice is one that no electronic format can say.
    if (answer.error_code !== "format_cannot_express") expect(status).toBeLessThan(300);
  });
});

const ORDER = ROUTES.find(({ path }) => path === "/api/v1/order");
const INVOICE = ROUTES.find(({ path }) => path === "/api/v1/invoice");

describe.each([
  ["an order", ORDER],
  ["an invoice", INVOICE],
])("%s", (_, route) => {
  test.each([
    ["preview=true&preview=true", ["preview repeated_parameter"]],
    ["preview=false&preview=true", ["preview repeated_parameter"]],
    ["preview=TRUE", ["preview not_allowed"]],
    ["preview=1", ["preview not_allowed"]],
    ["preview=", ["preview not_allowed"]],
    ["preview", ["preview not_allowed"]],
    ["preview=%74rue%20", ["preview not_allowed"]],
    ["prevew=true&preview=yes", ["prevew unknown_parameter", "preview not_allowed"]],
    ["preview=no&preview=yes", ["preview repeated_parameter", "preview not_allowed"]],
  ])("with ?%s gets all problems, and nothing is read", async (query, problems) => {
    expect(route && (await problemsOf(route, query))).toEqual(problems);
  });

  test.each([
    ["preview=true", true],
    ["preview=false", false],
    ["", false],
  ])("with ?%s is a preview: %s", async (query, isPreview) => {
    const { asked, status } = (route && (await ask(route, query))) ?? {};
    const [one] = asked ?? [];
    expect(one?.order?.preview ?? one?.previewed !== undefined).toBe(isPreview);
    expect(status).toBe(isPreview ? 200 : 201);
  });
});

test("an encoded name is the name that it spells", async () => {
  expect(ORDER && (await ask(ORDER, "%70review=%74rue")).answer.data.preview).toBe(true);
});

test.each(["/health", "/docs", "/openapi.json", "/pages.css", "/declaracion-responsable", "/v/x"])(
  "%s is public, and ignores the query",
  async (path) => {
    const { app } = anEdge();
    const plain = await app.request(path);
    const asked = await app.request(`${path}?utm_source=mail&preview=TRUE`);
    expect(asked.status).toBe(plain.status);
  },
);

test("module-version ignores unknown parameters", async () => {
  const route = ROUTES.find(({ isStrict }) => !isStrict);
  const answered = route && (await ask(route, "platform=prestashop&platform=x&Nonce=1&preview=TRUE"));
  expect(answered?.status).toBe(200);
  expect(answered?.asked[0]?.report).toEqual({ resource: "module", module: { platform: "prestashop" } });
});
