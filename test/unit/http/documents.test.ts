import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import { ERROR_CODES } from "../../../src/api/openapi/error-examples.ts";
import { errorAnswer } from "../../../src/api/wire/answers.ts";
import { invoiceAnswer, invoicePreviewAnswer } from "../../../src/api/wire/invoice-response.ts";
import { parseExactly } from "../../../src/api/wire/json.ts";
import { orderBody } from "../../../src/api/wire/order-body.ts";
import { toOrderFacts } from "../../../src/api/wire/order-facts.ts";
import { orderAnswer } from "../../../src/api/wire/order-response.ts";
import { ORDER_REASONS } from "../../../src/domain/order/reasons.ts";
import { CONTRACT_FIELDS } from "../../../src/domain/order/sent-order.ts";
import { course, next, refundOf, totalsIn } from "../../support/builders/orders.ts";
import { aBody, anEdge, postOf, SOFTWARE } from "../../support/worlds/http-edge.ts";

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

test("of the example request the document also shows the replay and the preview, distinguished by replayed", async () => {
  const { paths } = await openApi();
  const { responses } = paths["/api/v1/invoice"].post;
  const { schema, examples } = responses["200"].content["application/json"];
  const { replayed, preview } = examples;
  expect([replayed.value.replayed, preview.value.replayed]).toEqual([true, false]);
  const { number, full_number, invoice_id, verifactu, ...sale } = invoiceAnswer.parse(replayed.value.data);
  expect(invoicePreviewAnswer.parse(preview.value.data)).toEqual({ ...sale, preview: true });
  expect(schema.oneOf.map((each: { properties: object }) => each.properties)).toMatchObject([
    { replayed: { const: true }, data: { $ref: "#/components/schemas/Invoice" } },
    { replayed: { const: false }, data: { $ref: "#/components/schemas/InvoicePreview" } },
  ]);
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

test("every field of an order says what it means, and which version brought it", async () => {
  const { components } = await openApi();
  const { properties } = components.schemas.OrderRequest;
  const described = fieldsOf(properties);
  for (const [field, description] of described)
    expect([field, description]).toEqual([field, expect.any(String)]);
  for (const { since, field } of CONTRACT_FIELDS) {
    expect(described.get(field), field).toContain(`Contract ${since}.`);
  }
});

function fieldsOf(properties: Record<string, OrderField>, prefix = ""): Map<string, string | undefined> {
  return new Map(
    Object.entries(properties).flatMap(([name, field]) => [
      [prefix + name, field.description] as const,
      ...formsOf(field).flatMap((form) => [
        ...fieldsOf(form.properties ?? {}, `${prefix}${name}.`),
        ...fieldsOf(form.items?.properties ?? {}, `${prefix}${name}[].`),
      ]),
    ]),
  );
}

function formsOf(field: OrderField): readonly OrderField[] {
  return field.anyOf ?? [field];
}

interface OrderField {
  readonly description?: string;
  readonly properties?: Record<string, OrderField>;
  readonly items?: OrderField;
  readonly anyOf?: readonly OrderField[];
}

test("the example orders are what the decision makes of the example request", async () => {
  const { paths } = await openApi();
  const { requestBody, responses } = paths["/api/v1/order"].post;
  const sent = parseExactly(JSON.stringify(requestBody.content["application/json"].example));
  const { facts } = toOrderFacts(orderBody.parse(sent), { timeZone: "Europe/Madrid", sent });
  const sold = course(facts);
  const { invoiced } = responses["201"].content["application/json"].examples;
  const { partially_rectified: later } = responses["200"].content["application/json"].examples;
  expect(orderAnswer.parse(invoiced.value.data)).toMatchObject({
    state: sold.decision.state,
    warnings: sold.decision.warnings,
    invoices: [{ base: 40.5, tax: 8.5, total: 49 }],
  });
  const refunded = next(sold, { events: [refundOf("r-1", "20+4.20@21")] });
  expect(later.value.data.state).toBe(refunded.decision.state);
  const shown = later.value.data.invoices.map((each: Record<string, number>) =>
    ["base", "tax", "total"].map((name) => each[name]?.toFixed(2)).join(" / "),
  );
  expect(shown).toEqual(refunded.issued.map(totalsIn));
});

test("every example of an order has the published shape", async () => {
  const { paths } = await openApi();
  const operations = [paths["/api/v1/order"].post, paths["/api/v1/order/{id_external}"].get];
  const contents = operations.flatMap(({ responses }) =>
    ["200", "201"].flatMap((status) => responses[status]?.content["application/json"] ?? []),
  );
  const shown = contents.flatMap(({ examples }) => Object.values<{ value: { data: unknown } }>(examples));
  expect(shown.length).toBeGreaterThan(5);
  for (const { value } of shown) expect(orderAnswer.parse(value.data)).toEqual(value.data);
});

test("the reasons of orders are published whole, for machines and for people", async () => {
  const published: { code: string; holds: boolean; forms: { message: string }[] }[] = (await openApi())[
    "x-order-reasons"
  ];
  expect(published.map(({ code, holds }) => ({ code, holds }))).toEqual(
    ORDER_REASONS.map(({ code, holds }) => ({ code, holds })),
  );
  const page = await pageOf("/docs");
  for (const { code, forms } of published) {
    expect(page).toContain(`id="reason-${code}"`);
    for (const { message } of forms) expect(message).not.toMatch(/[{}—]|undefined|\[object/);
  }
  expect(page).toContain("It cannot be invoiced as it is.");
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

describe("operations", () => {
  interface Listed {
    readonly operationId: string;
    readonly summary: string;
    readonly tags: readonly string[];
    readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  }

  async function listed() {
    const { tags, paths, webhooks, components } = await openApi();
    const all = [...Object.values<object>(paths), ...Object.values<object>(webhooks)];
    const operations = all.flatMap((methods) => Object.values<Listed>({ ...methods }));
    const names: readonly string[] = tags.map(({ name }: { name: string }) => name);
    return { names, operations, schemes: components.securitySchemes };
  }

  test("have an id of their own, a summary and one tag that the document describes", async () => {
    const { names, operations } = await listed();
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operationId, summary, tags } of operations) {
      expect([operationId, summary.length > 5, tags.length]).toEqual([operationId, true, 1]);
      expect(names).toContain(tags[0]);
    }
    expect(new Set(operations.flatMap(({ tags }) => tags))).toEqual(new Set(names));
  });

  test("state their security: webhooks by their signature", async () => {
    const { operations, schemes } = await listed();
    for (const { operationId, security } of operations) {
      const named = security.flatMap((one) => Object.keys(one));
      for (const scheme of named) expect(schemes).toHaveProperty(scheme);
      expect([operationId, named.includes("WebhookSignature")]).toEqual([
        operationId,
        /^on[A-Z]/.test(operationId),
      ]);
    }
  });
});

test("words of orders are lists of their own name, and the members that take them take any other text", async () => {
  const { components } = await openApi();
  const { properties } = components.schemas.OrderRequest;
  expect(components.schemas.FiscalEvent).toEqual({
    type: "string",
    enum: ["none", "invoice_candidate", "cancelled", "full_invoice_requested"],
  });
  expect(properties.fiscal_event.anyOf).toEqual([
    { $ref: "#/components/schemas/FiscalEvent" },
    { type: ["string", "null"], maxLength: 255 },
  ]);
});

test("the page lists the additions of the newest contract version to orders and invoices", async () => {
  const page = await pageOf("/docs");
  const section = page.slice(page.indexOf('id="latest"'));
  for (const told of [
    "tax_totals",
    "preview=true",
    "disbursements",
    "lines[].taxable_margin",
    "rectified_period",
  ])
    expect(section.slice(0, 2_000)).toContain(told);
});
