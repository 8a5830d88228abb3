/**
 * The published schemas and the checks agree on every body: accepted bodies are allowed, forbidden ones
 * refused.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import { openApiDocument } from "../../../src/api/openapi/document.ts";
import { exampleReasonFacts } from "../../../src/api/openapi/reasons.ts";
import { parseExactly } from "../../../src/api/wire/json.ts";
import { plainFacts } from "../../../src/api/wire/plain-facts.ts";
import { shapeProblems } from "../../../src/api/wire/problems.ts";
import { ORDER_REASONS } from "../../../src/domain/order/reasons.ts";
import { type Contract, contractIn } from "../../support/fuzz/contract.ts";
import { asRead, isBeyondSchema, type JsonSchema, validatorBy } from "../../support/fuzz/json-schema.ts";
import { SOFTWARE } from "../../support/worlds/http-edge.ts";

const CONTRACT: Contract = contractIn(JSON.parse(JSON.stringify(openApiDocument(ENDPOINTS, SOFTWARE))));
const faultsOf = validatorBy(CONTRACT.schemas);

interface Body {
  readonly path: string;
  readonly contract: z.ZodType;
  readonly schema: JsonSchema;
}

const BODIES: readonly Body[] = CONTRACT.operations.flatMap(({ method, path, body }) => {
  const endpoint = ENDPOINTS.find((each) => each.method === method && each.path === path);
  const contract = endpoint?.doc.body?.schema;
  return body && contract ? [{ path, contract, schema: body.schema }] : [];
});

/** Where the two do not agree about a value; empty where they do. */
function disagreement({ contract, schema }: Body, body: unknown): string[] {
  const text = JSON.stringify(body) ?? "null";
  const sent = parseExactly(text);
  // As any reader of JSON has it: members that are undefined are not there.
  const value: unknown = JSON.parse(text);
  const read = contract.safeParse(sent);
  if (read.success) return faultsOf(schema, asRead(value)).map((fault) => `taken, and forbidden: ${fault}`);
  if (faultsOf(schema, value).length > 0) return [];
  const { details = [] } = shapeProblems({ ...read, data: sent }, "en");
  const unsaid = details.filter(({ path, code }) => !isBeyondSchema(path, code));
  return unsaid.map(({ path, code }) => `refused, and allowed: ${path} ${code}`);
}

type Path = readonly (string | number)[];

/** The valid values of a member; of the two ways of citing, the one with more members. */
function present(schema: JsonSchema): JsonSchema {
  const filled = schema.anyOf?.filter(({ const: only, maxItems }) => only !== "" && maxItems !== 0);
  return filled?.at(-1) ?? schema;
}

/** A value with every member that the schema knows, so that each has a place to be changed at. */
function wholeOf(published: JsonSchema): unknown {
  const schema = present(published);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [type] = [schema.type ?? "null"].flat();
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [name, wholeOf(member)]),
      );
    case "array":
      return [wholeOf(schema.items ?? {})];
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    default:
      return textOf(schema);
  }
}

function textOf({ pattern, format }: JsonSchema): string {
  if (format === "date") return "2026-11-27";
  if (pattern === undefined) return "text";
  const candidates = ["EUR", "ES", "01", "1.9", "2026-11-27", "2026-11-27T10:30:00Z", "text"];
  const own = new RegExp(`^${pattern.split("|^").at(-1)?.replace(/^\^/, "")}`, "u");
  return candidates.find((candidate) => own.test(candidate)) ?? "text";
}

/** Members that belong together, and texts with a form of their own. */
const OWN: Readonly<Record<string, object>> = {
  "/api/v1/invoices/{invoice_id}/email": { to: "ana@example.com" },
  "/api/v1/invoice": {
    invoice_type: "R1",
    currency: "EUR",
    rectified_period: null,
    payment: {
      ...{ means: "direct_debit", iban: "ES91 2100 0418 4502 0005 1332", bic: "CAIXESBB" },
      ...{ reference: "RF18", mandate: "M-7", paid_on: "2026-11-27" },
    },
    recipient: {
      ...{ company: "Ana Ruiz Gil", vat_number: "12345678Z", country: "ES", id_type: "02" },
      ...{ address1: "Calle 1", postcode: "28001", city: "Madrid", province: "Madrid" },
      ...{ email: "ana@example.com", accepts_electronic: true, endpoint: { scheme: "9920", id: "x" } },
      ...{ first_name: "Ana", surname_1: "Ruiz", surname_2: "Gil" },
      administrative_centres: [
        { role: "accounting_office", code: "L01280796", address1: "x", postcode: "1", city: "x" },
      ],
    },
  },
};

function wholeBody({ path, schema }: Body): unknown {
  const whole = Object(wholeOf(schema));
  const attested = whole.simplified_attestation;
  const changed = attested && {
    simplified_attestation: { ...attested, legal_basis: "tax_authority_authorisation" },
  };
  const lines = path === "/api/v1/invoice" ? whole.lines.map(withUnit) : whole.lines;
  return { ...whole, ...(lines ? { lines } : {}), ...OWN[path], ...changed };
}

function withUnit(line: object) {
  return { ...line, unit: "C62" };
}

interface Place {
  readonly path: Path;
  /** The schema without its words. */
  readonly said: string;
}

function placesIn(published: JsonSchema, path: Path = [], isRequired = true): Place[] {
  const { properties = {}, required = [], items } = present(published);
  const said = JSON.stringify([published, isRequired], (name, value) =>
    name === "description" ? null : value,
  );
  return [
    { path, said },
    ...Object.entries(properties).flatMap(([name, member]) =>
      placesIn(member, [...path, name], required.includes(name)),
    ),
    ...(items ? placesIn(items, [...path, 0]) : []),
  ];
}

/** The first of the places with the same schema. */
function kindsOfPlaces({ schema }: Body): Place[] {
  return [...Map.groupBy(placesIn(schema), ({ said }) => said).values()].flatMap(([first]) => first ?? []);
}

function withValue(tree: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(tree))
    return tree.map((own, index) => (index === name ? withValue(own, rest, value) : own));
  const object = Object(tree);
  return { ...object, [name]: withValue(object[name], rest, value) };
}

const VALUES: readonly unknown[] = [
  ...[undefined, null, true, false, 0, 1, -1, 1.5, 1e11, -1e11, 1e12, 1e300, 0.0000001, 20261127],
  ...[
    "",
    " ",
    "\t",
    "\u3000",
    "x",
    " x ",
    "\u2028x\u2028",
    "a\u2028b",
    "a\u0000b",
    "\ufeff",
    "ñ",
    "n\u0303",
    "😀",
  ],
  ...["x".repeat(32), "x".repeat(33), ` ${"x".repeat(255)} `, "x".repeat(256), "x".repeat(2049)],
  ...[
    "n\u0303".repeat(120),
    "0000-00-00",
    "0000-00-00 00:00:00",
    " 0000-00-00 ",
    "-0001-11-30T00:00:00+00:00",
  ],
  ...["0001-01-01", "0001-01-01T00:00:00", "0001-01-010", "0000-00-00x\u2028y", "0000-00-01", "0000"],
  ...[
    "2026-11-27",
    " 2026-11-27 ",
    "2026-02-30",
    "2026-11-27 10:30:00",
    "2026-11-27T10:30:00",
    "2026-11-27T10:30",
  ],
  ...["2026-11-27T10:30:00Z", "2026-11-27 10:30:00 +01:00", "2026-11-27t10:30:00.123456789z", "27/11/2026"],
  ...[
    "2026-11-27T10:30:00+0100",
    "2026-11-27T10:30:00.1234567891Z",
    "1969-01-01 00:00:00",
    "2026-11-27T25:00:00Z",
  ],
  ...[
    "EUR",
    "eur",
    " EUR ",
    "EURO",
    "XYZ",
    "ES",
    "es",
    " ES ",
    "ESP",
    "01",
    "1",
    "001",
    "1.9",
    "1.",
    "v1",
    "latest",
  ],
  ...["F1", "R5", "S1", "link", "embed", "true", "1", "NaN", "..", "a,b"],
  ...[[], [null], [""], ["x"], [[]], [{}], [1], {}, { x: 1 }, { "": null }],
];

describe.each(BODIES)("$path", (body) => {
  const whole = wholeBody(body);

  test("takes a body that has every member", () => {
    expect([
      disagreement(body, whole),
      body.contract.safeParse(parseExactly(JSON.stringify(whole))).error,
    ]).toEqual([[], undefined]);
  });

  test("every value in every place is taken where the schema allows it, and nowhere else", () => {
    const found = kindsOfPlaces(body).flatMap(({ path }) =>
      VALUES.flatMap((value) =>
        disagreement(body, withValue(whole, path, value)).map(
          (fault) => `${path.join(".")} = ${JSON.stringify(value)?.slice(0, 40)}: ${fault}`,
        ),
      ),
    );
    expect(found).toEqual([]);
  });

  test("so is any value in any places", () => {
    const anything = fc.oneof(
      fc.constantFrom(...VALUES),
      fc.jsonValue({ maxDepth: 2 }),
      fc.string({ unit: "binary" }),
    );
    const changes = fc.array(
      fc.tuple(fc.constantFrom(...placesIn(body.schema).map(({ path }) => path)), anything),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    fc.assert(
      fc.property(changes, (made) => {
        const changed = made.reduce<unknown>((tree, [path, value]) => withValue(tree, path, value), whole);
        expect(disagreement(body, changed)).toEqual([]);
      }),
      { numRuns: 200, seed: 14 },
    );
  });
});

test("empty values from shops are in the schema of the order", () => {
  const order = BODIES.find(({ path }) => path === "/api/v1/order");
  const members = order?.schema.properties ?? {};
  const allowed = (name: string, value: unknown) => faultsOf(members[name] ?? {}, value).length === 0;
  for (const name of ["order_date", "paid_at", "updated_at", "operation_date"]) {
    for (const nothing of [
      "",
      null,
      "0000-00-00 00:00:00",
      "-0001-11-30T00:00:00+00:00",
      "0001-01-01T00:00:00",
    ])
      expect([name, nothing, allowed(name, nothing)]).toEqual([name, nothing, true]);
    expect([name, allowed(name, "soon"), allowed(name, "0000-00-001")]).toEqual([name, false, false]);
  }
  for (const name of ["client", "delivery", "shop"]) {
    expect([name, allowed(name, []), allowed(name, ""), allowed(name, [{}])]).toEqual([
      name,
      true,
      true,
      false,
    ]);
  }
  expect([allowed("discounts", ""), allowed("total", ""), allowed("total_tax", "")]).toEqual([
    true,
    false,
    true,
  ]);
});

test("every reason in each of its forms has the published shape, and of another code it has not", () => {
  const schema = CONTRACT.schemas.Reason ?? {};
  const told = ORDER_REASONS.flatMap(({ code }) =>
    exampleReasonFacts(code).map((facts) => ({ code, message: "x", facts: plainFacts(facts) })),
  );
  // As it is written: facts hold numbers digit by digit.
  const reasons: readonly { readonly code: string }[] = JSON.parse(JSON.stringify(told));
  expect(reasons.length).toBeGreaterThan(ORDER_REASONS.length);
  for (const reason of reasons) {
    expect([reason, faultsOf(schema, reason)]).toEqual([reason, []]);
    expect(faultsOf(schema, { ...reason, code: "of_tomorrow" }).length).toBe(1);
  }
  const [held] = reasons.filter(({ code }) => code === "over_refund");
  expect(faultsOf(schema, { ...held, code: "tag_hold" }).length).toBe(1);
  expect(faultsOf(schema, { ...held, facts: {} }).length).toBe(1);
});
