import { expect, test } from "vitest";
import { errorAnswer, invoiceAnswer } from "../../../src/http/contract/answers.ts";
import { ENDPOINTS } from "../../../src/http/endpoints.ts";
import { ERROR_CODES } from "../../../src/http/openapi/error-examples.ts";
import { aBody, anEdge, postOf, SOFTWARE } from "../../support/http-edge.ts";

async function pageOf(path: string): Promise<string> {
  const response = await anEdge().app.request(path);
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
  return response.text();
}

async function openApi() {
  return JSON.parse(await (await anEdge().app.request("/openapi.json")).text());
}

test("OpenAPI lists every route of the table, and no other", async () => {
  const { openapi, paths } = await openApi();
  const listed = Object.entries<object>(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const published = ENDPOINTS.filter((endpoint) => !endpoint.unlisted);
  expect(openapi).toBe("3.1.0");
  expect(listed).toEqual(published.map(({ method, path }) => `${method} ${path}`));
});

test("every reference of OpenAPI leads somewhere", async () => {
  const document = await openApi();
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    (match) => match[1] ?? "",
  );
  expect(references.length).toBeGreaterThan(50);
  for (const reference of new Set(references)) {
    const target = reference.split("/").reduce((node, member) => node?.[member], document);
    expect(target, reference).toBeDefined();
  }
});

test("every code of the error table is an example and in the schema", async () => {
  const { components } = await openApi();
  expect(Object.keys(components.examples)).toEqual(ERROR_CODES);
  expect(components.schemas.Error.properties.error_code.enum).toEqual(ERROR_CODES);
  for (const { value } of Object.values<{ value: { error: string } }>(components.examples)) {
    expect(errorAnswer.parse(value)).toEqual(value);
    expect(value.error).not.toMatch(/[{}—]/);
  }
});

test("the example request is issued and the example answer is one", async () => {
  const { paths } = await openApi();
  const { requestBody, responses } = paths["/api/v1/invoice"].post;
  const request = requestBody.content["application/json"].example;
  expect((await anEdge().app.request("/api/v1/invoice", postOf(request))).status).toBe(201);
  const { data } = responses["201"].content["application/json"].example;
  expect(invoiceAnswer.parse(data)).toMatchObject({ totals: { base: 106.4, tax: 22.34, total: 128.74 } });
});

test("the schema of the body says what the checks do", async () => {
  const { components } = await openApi();
  const { properties, required, additionalProperties } = components.schemas.InvoiceRequest;
  expect(required).toEqual(["external_id", "invoice_type", "description", "currency", "lines"]);
  expect(additionalProperties).toBe(false);
  expect(properties.external_id).toMatchObject({ type: "string", minLength: 1, maxLength: 120 });
  expect(properties.recipient.type).toEqual(["object", "null"]);
  expect(properties.lines).toMatchObject({ minItems: 1, maxItems: 1000 });
  expect(properties.lines.items.properties.tax_rate).toMatchObject({
    type: "number",
    minimum: 0,
    maximum: 100,
  });
  expect(properties.rectifies.items.anyOf.length).toBe(2);
});

test("a schema knows no member that the checks refuse", async () => {
  const { components } = await openApi();
  const names = Object.keys(components.schemas.InvoiceRequest.properties);
  const body = aBody(
    Object.fromEntries(names.filter((name) => !(name in aBody())).map((name) => [name, null])),
  );
  expect((await anEdge().app.request("/api/v1/invoice", postOf(body))).status).toBe(201);
});

test("/docs shows every operation and every code, and needs no other host and no script", async () => {
  const page = await pageOf("/docs");
  for (const { path, unlisted } of ENDPOINTS) if (!unlisted) expect(page).toContain(path);
  for (const code of ERROR_CODES) expect(page).toContain(`id="error-${code}"`);
  expect(page).toContain("lines[].equivalence_surcharge_rate");
  expect(page).not.toMatch(/<script|style=|(?:src|href)="(?:https?:)?\/\//);
});

test("every link of /docs leads to a place of the page", async () => {
  const page = await pageOf("/docs");
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
});

test("/ leads to /docs, and the style sheet is served", async () => {
  const { app } = anEdge();
  expect((await app.request("/")).headers.get("Location")).toBe("/docs");
  const sheet = await app.request("/pages.css");
  expect(sheet.headers.get("Content-Type")).toBe("text/css; charset=utf-8");
});

test("pages may load their style sheet and nothing else", async () => {
  const { headers } = await anEdge().app.request("/docs");
  expect(headers.get("Content-Security-Policy")).toMatch(/^default-src 'none';.*style-src 'self'$/);
});

test("the declaración responsable has its title, a to l in order and the configured values", async () => {
  const page = await pageOf("/declaracion-responsable");
  expect(page).toContain("<h1>DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN</h1>");
  const letters = [...page.matchAll(/<strong>([a-z])\) [^<]+:<\/strong>/g)].map((match) => match[1]);
  expect(letters.join("")).toBe("abcdefghijkl");
  const { producerName, producerNif, producerAddress, name, code, version, declarationPlace } = SOFTWARE;
  for (const value of [producerName, producerNif, producerAddress, name, code, version]) {
    expect(page).toContain(`<p>${value}</p>`);
  }
  expect(page).toContain(`<p>28 de noviembre de 2026, ${declarationPlace}</p>`);
});
