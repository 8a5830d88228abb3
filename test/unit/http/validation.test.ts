import { describe, expect, test } from "vitest";
import { isSchema, type Schema, schemaOf } from "../../../src/api/openapi/schema.ts";
import { invoiceBody } from "../../../src/api/wire/invoice-body.ts";
import { aBody, aLine, anEdge, postOf } from "../../support/worlds/http-edge.ts";

const PERIOD = { from: "2026-01-01", to: "2026-06-30" };

interface Detail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

async function detailsOf(body: unknown, language = "en"): Promise<readonly Detail[]> {
  const { app, asked } = anEdge();
  const response = await app.request("/api/v1/invoice", postOf(body, { "Accept-Language": language }));
  const answer: { error_code?: string; details?: Detail[] } = JSON.parse(await response.text());
  if (response.status === 201) return [];
  expect([response.status, answer.error_code]).toEqual([422, "validation_failed"]);
  expect(asked).toEqual([]);
  return answer.details ?? [];
}

async function problemsOf(body: unknown): Promise<string[]> {
  return (await detailsOf(body)).map(({ path, code }) => `${path} ${code}`);
}

const FULL_LINE = aLine({
  line_id: "l1",
  discount_rate: 5,
  equivalence_surcharge_rate: 5.2,
  type_tax: "01",
  regime: "01",
  qualification: "S1",
  taxable_margin: 1,
  unit: "C62",
  item_code: "SKU-1",
});

/** Every member of the contract at once; the law would not like it, the shape is right. */
const FULL = aBody({
  invoice_type: "R1",
  documentary_regime: "art6_full",
  documentary_flags: ["qualified_simplified_art_7_2_3"],
  exchange_rate: 1,
  exchange_rate_date: "2026-11-27",
  operation_date: "2026-11-27",
  prices_include_tax: false,
  withholding: { rate: 15 },
  disbursements: [{ description: "Tasa", amount: 10 }],
  recipient: {
    company: "Cliente SL",
    vat_number: "B12345674",
    country: "ES",
    address1: "Calle 1",
    postcode: "28001",
    city: "Madrid",
    id_type: "02",
    email: "ana@example.com",
    accepts_electronic: true,
    endpoint: { scheme: "9920", id: "ESB12345674" },
    province: "Madrid",
    first_name: "Cliente",
    surname_1: "SL",
    surname_2: null,
    administrative_centres: [
      { role: "managing_body", code: "L01280796", address1: "Calle 1", postcode: "28001", city: "Madrid" },
    ],
  },
  due_date: "2026-12-27",
  payment: {
    ...{ means: "direct_debit", iban: "ES9121000418450200051332", bic: "CAIXESBB", reference: "RF18" },
    ...{ mandate: "M-7", paid_on: "2026-11-27" },
  },
  buyer_reference: "X",
  order_reference: "X",
  contract_reference: "X",
  file_reference: "X",
  delivery: { date: "2026-11-27", country: "ES", address1: "X", postcode: "28001", city: "Madrid" },
  invoicing_period: { start: "2026-11-01", end: "2026-11-30" },
  rectification_reason: "01",
  lines: [FULL_LINE],
  simplified_attestation: {
    legal_basis: "tax_authority_authorisation",
    buyer_role: "consumer",
    operation: "retail_sale",
    line_ids: ["l1"],
    authorisation: { number: "1", limit: 5000 },
  },
  rectifies: [{ number: "A-1", issue_date: "2026-01-01", invoice_type: "F1", base: 1, tax: 0, surcharge: 0 }],
  rectification_method: "difference",
  rectified_period: PERIOD,
});

type Path = readonly (string | number)[];

/** Every place that the published schema of the body describes. */
function placesOf(schema: Schema, path: Path = []): { path: Path; schema: Schema }[] {
  const own = path.length > 0 ? [{ path, schema }] : [];
  const branch = schema.anyOf?.at(-1);
  if (branch) return [...own, ...placesOf(branch, path).slice(path.length > 0 ? 1 : 0)];
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    isSchema(member) ? placesOf(member, [...path, name]) : [],
  );
  const items = isSchema(schema.items) ? placesOf(schema.items, [...path, 0]) : [];
  return [...own, ...members, ...items];
}

function withValue(tree: unknown, [member, ...rest]: Path, value: unknown): unknown {
  if (member === undefined) return value;
  if (Array.isArray(tree))
    return tree.map((item, index) => (index === member ? withValue(item, rest, value) : item));
  const object = Object(tree);
  return { ...object, [member]: withValue(object[member], rest, value) };
}

const PLACES = placesOf(schemaOf(invoiceBody, "input"));
const WRONG_VALUES: Readonly<Record<string, unknown>> = {
  string: [1],
  number: ["1", { source: "1" }, true],
  boolean: ["true", 0],
  array: ["x", {}],
  object: ["x", [], 5],
};

const WRONG_TYPES = PLACES.flatMap(({ path, schema }) => {
  const type = [schema.type ?? "object"].flat().find((name) => name !== "null") ?? "";
  const values = WRONG_VALUES[type];
  return (Array.isArray(values) ? values : []).map((value): [string, Path] => [
    `${path.join(".")} = ${JSON.stringify(value)}`,
    [...path, value],
  ]);
});

const OBJECT_PLACES: readonly [string, Path][] = [
  ["the body", []],
  ["recipient", ["recipient"]],
  ["a line", ["lines", 0]],
  ["withholding", ["withholding"]],
  ["a disbursement", ["disbursements", 0]],
  ["the attestation", ["simplified_attestation"]],
  ["the authorisation", ["simplified_attestation", "authorisation"]],
  ["a cited invoice", ["rectifies", 0]],
  ["a period", ["rectified_period"]],
  ["a payment", ["payment"]],
  ["a delivery", ["delivery"]],
  ["an invoicing period", ["invoicing_period"]],
  ["an endpoint", ["recipient", "endpoint"]],
  ["a centre", ["recipient", "administrative_centres", 0]],
];

test("the full body has the right shape", async () => {
  expect(await problemsOf(FULL)).toEqual([]);
});

test("every member of the contract is in the full body", () => {
  expect(PLACES.length).toBeGreaterThan(45);
});

test.each(WRONG_TYPES)("a wrong type is refused: %s", async (_, pathAndValue) => {
  const path = pathAndValue.slice(0, -1);
  const problems = await problemsOf(withValue(FULL, path, pathAndValue.at(-1)));
  const code = OBJECT_PLACES.some(([, place]) => place.join() === path.join())
    ? "object_expected"
    : "wrong_type";
  expect(problems).toContain(`${path.join(".")} ${code}`);
});

describe.each(["taxrate", "constructor", "toString"])("unknown member %s", (name) => {
  test.each(OBJECT_PLACES)("is refused in %s", async (_, path) => {
    expect(await problemsOf(withValue(FULL, [...path, name], 1))).toContain(
      `${[...path, name].join(".")} unknown_field`,
    );
  });
});

test("__proto__ is an unknown member like any other and changes nothing", async () => {
  const text = JSON.stringify(aBody()).replace("{", '{"__proto__":{"prices_include_tax":true},');
  expect(await problemsOf(text)).toEqual(["__proto__ unknown_field"]);
});

test("a member that is null counts as absent, unless it is required or unknown", async () => {
  expect(await problemsOf(aBody({ recipient: null, exchange_rate: null, rectifies: null }))).toEqual([]);
  expect(await problemsOf(aBody({ currency: null }))).toEqual(["currency required"]);
  expect(await problemsOf(aBody({ taxrate: null }))).toEqual(["taxrate unknown_field"]);
});

test("all problems are named, not only the first", async () => {
  const lines = [aLine({ tax_rate: 101, qty: 1, line_id: "a" }), aLine({ quantity: 0, line_id: " a " })];
  expect(
    (await problemsOf(aBody({ invoice_type: "R1", lines, operation_date: "2026-02-30" }))).sort(),
  ).toEqual([
    "lines.0.qty unknown_field",
    "lines.0.tax_rate number_out_of_range",
    "lines.1.line_id duplicate_line_id",
    "lines.1.quantity number_out_of_range",
    "operation_date invalid_date",
    "rectification_method required",
    "rectifies required",
  ]);
});

test.each([
  ["of this connection", { external_id: "a" }],
  ["of elsewhere", { number: "X-1", issue_date: "2026-01-02", invoice_type: "F1", base: 1, tax: 0.21 }],
])("an invoice %s is cited once", async (_, cited) => {
  const rectifies = [cited, { external_id: "b" }, cited];
  const body = aBody({ invoice_type: "R1", rectification_method: "substitution", rectifies });
  expect(await problemsOf(body)).toEqual(["rectifies.2 duplicate_reference"]);
});

test("a missing number does not hide what members do not agree on", async () => {
  const { price_unit: _, ...line } = aLine();
  const problems = await problemsOf(aBody({ lines: [line], rectification_method: "difference" }));
  expect(problems).toEqual(["lines.0.price_unit required", "rectification_method not_allowed"]);
});

test("at most 100 are named, and the sentence counts them all", async () => {
  const { app } = anEdge();
  const lines = Array(150).fill(aLine({ tax_rate: -1 }));
  const answer = JSON.parse(await (await app.request("/api/v1/invoice", postOf(aBody({ lines })))).text());
  expect(answer.details.length).toBe(100);
  expect(answer.error).toContain("150 values");
});

function attested(legalBasis: string, authorisation: object | null) {
  return { legal_basis: legalBasis, buyer_role: "consumer", line_ids: ["l1"], authorisation };
}

const CASES: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
  ["external_id of 120 characters", { external_id: "x".repeat(120) }, []],
  ["external_id of 120 emoji", { external_id: "🧾".repeat(120) }, []],
  ["external_id of 121", { external_id: "x".repeat(121) }, ["external_id too_long"]],
  ["external_id empty", { external_id: "" }, ["external_id too_short"]],
  ["external_id with a space before", { external_id: " x" }, ["external_id not_trimmed"]],
  ["external_id with a no-break space at its end", { external_id: "x\u00a0" }, ["external_id not_trimmed"]],
  ["external_id that no path can hold", { external_id: ".." }, ["external_id invalid_value"]],
  ["external_id with a line feed", { external_id: "a\nb" }, ["external_id control_character"]],
  ["an empty description", { description: "   " }, ["description too_short"]],
  ["a description of 1,001", { description: "x".repeat(1001) }, ["description too_long"]],
  ["1,000 and spaces around", { description: ` ${"x".repeat(1000)} ` }, []],
  ["a NUL", { description: "a\u0000b" }, ["description control_character"]],
  ["a lone surrogate", { description: "a\ud800b" }, ["description control_character"]],
  ["an unknown type", { invoice_type: "F9" }, ["invoice_type not_allowed"]],
  ["a currency in small letters", { currency: "eur" }, ["currency invalid_value"]],
  ["a currency of yesterday", { currency: "HRK" }, ["currency invalid_value"]],
  ["gold", { currency: "XAU" }, ["currency invalid_value"]],
  ["a country that is none", { recipient: { country: "ZZ" } }, ["recipient.country invalid_value"]],
  ["a code that only the AEAT knows", { recipient: { country: "QU" } }, ["recipient.country invalid_value"]],
  ["a code that ISO only reserves", { recipient: { country: "UK" } }, ["recipient.country invalid_value"]],
  ["a country that the AEAT does not list", { recipient: { country: "GP" } }, []],
  [
    "an authorisation next to article 4.2",
    { simplified_attestation: attested("article_4_2", { number: "1", limit: 5000 }) },
    ["simplified_attestation.authorisation not_allowed"],
  ],
  ["a null authorisation", { simplified_attestation: attested("article_4_2", null) }, []],
  [
    "an authorisation with its own basis",
    { simplified_attestation: attested("tax_authority_authorisation", { number: "1", limit: 5000 }) },
    [],
  ],
  ["30 February", { operation_date: "2026-02-30" }, ["operation_date invalid_date"]],
  ["29 February 2024", { operation_date: "2024-02-29" }, []],
  ["a date with time", { operation_date: "2026-01-01T00:00:00Z" }, ["operation_date invalid_date"]],
  ["no lines", { lines: [] }, ["lines too_short"]],
  ["quantity 0", { lines: [aLine({ quantity: 0 })] }, ["lines.0.quantity number_out_of_range"]],
  ["a negative quantity", { lines: [aLine({ quantity: -1 })] }, []],
  ["a negative price", { lines: [aLine({ price_unit: -1 })] }, []],
  [
    "a disbursement of 0",
    { disbursements: [{ description: "Tasa", amount: 0 }] },
    ["disbursements.0.amount number_out_of_range"],
  ],
  [
    "a disbursement below 0",
    { disbursements: [{ description: "Tasa", amount: -10 }] },
    ["disbursements.0.amount number_out_of_range"],
  ],
  ["a negative rate", { lines: [aLine({ tax_rate: -1 })] }, ["lines.0.tax_rate number_out_of_range"]],
  ["a discount of 100", { lines: [aLine({ discount_rate: 100 })] }, []],
  [
    "a discount of 101",
    { lines: [aLine({ discount_rate: 101 })] },
    ["lines.0.discount_rate number_out_of_range"],
  ],
  ["a regime of one digit", { lines: [aLine({ regime: "1" })] }, ["lines.0.regime invalid_value"]],
  [
    "R1 with an empty rectifies",
    { invoice_type: "R1", rectification_method: "difference", rectifies: [] },
    ["rectifies too_short"],
  ],
  [
    "R4 of a period",
    { invoice_type: "R4", rectification_method: "difference", rectified_period: PERIOD },
    [],
  ],
  [
    "R1 of a period with an empty rectifies",
    { invoice_type: "R1", rectification_method: "difference", rectified_period: PERIOD, rectifies: [] },
    [],
  ],
  [
    "R4 of a period by substitution",
    { invoice_type: "R4", rectification_method: "substitution", rectified_period: PERIOD },
    ["rectified_period not_allowed"],
  ],
  [
    "R5 of a period",
    { invoice_type: "R5", rectification_method: "difference", rectified_period: PERIOD },
    ["rectified_period not_allowed", "rectifies required"],
  ],
  ["F1 of a period", { rectified_period: PERIOD }, ["rectified_period not_allowed"]],
  [
    "half a period",
    { invoice_type: "R4", rectification_method: "difference", rectified_period: { from: "2026-01-01" } },
    ["rectified_period.to required"],
  ],
  ["F3 without rectifies", { invoice_type: "F3" }, ["rectifies required"]],
  [
    "F3 with a method",
    { invoice_type: "F3", rectifies: [{ external_id: "a" }], rectification_method: "difference" },
    ["rectification_method not_allowed"],
  ],
  ["F1 with rectifies", { invoice_type: "F1", rectifies: [{ external_id: "a" }] }, ["rectifies not_allowed"]],
  ["F1 with an empty rectifies", { invoice_type: "F1", rectifies: [] }, []],
  ["F2 with a method", { rectification_method: "difference" }, ["rectification_method not_allowed"]],
  [
    "a cited invoice of nowhere",
    { invoice_type: "F3", rectifies: [{}] },
    ["rectifies.0.external_id required"],
  ],
  [
    "one cited without its tax",
    {
      invoice_type: "F3",
      rectifies: [{ number: "A", issue_date: "2026-01-01", invoice_type: "F2", base: 1 }],
    },
    ["rectifies.0.tax required"],
  ],
  [
    "one cited in both ways",
    { invoice_type: "F3", rectifies: [{ external_id: "a", number: "A" }] },
    ["rectifies.0.number unknown_field"],
  ],
  [
    "a cited number that the AEAT refuses",
    {
      invoice_type: "F3",
      rectifies: [{ number: "A=1", issue_date: "2026-01-01", invoice_type: "F2", base: 1, tax: 0 }],
    },
    ["rectifies.0.number invalid_value"],
  ],
];

test.each(CASES)("%s", async (_, change, expected) => {
  expect(await problemsOf(aBody(change))).toEqual(expected);
});

test.each([
  ["12 and 6 digits", "123456789012.123456", "123456789012.123456"],
  ["trailing zeros", "1.1000000000", "1.1"],
  ["an exponent", "1.5e3", "1500"],
  ["a capital exponent with sign", "15E-1", "1.5"],
  ["minus zero rounds to zero", "-0.0", "0"],
  ["what a double cannot hold", "0.1", "0.1"],
  ["13 integer digits", "1234567890123", undefined],
  ["7 decimals", "0.1234567", undefined],
  ["1e12", "1e12", undefined],
  ["1e-7", "1e-7", undefined],
  ["1e999", "1e999", undefined],
  ["an absurd exponent", "1e999999999", undefined],
  ["a thousand digits", "9".repeat(1000), undefined],
])("numbers: %s", async (_, source, expected) => {
  const { app, asked } = anEdge();
  const text = JSON.stringify(aBody()).replace('"price_unit":100', `"price_unit":${source}`);
  const response = await app.request("/api/v1/invoice", postOf(text));
  expect(asked[0]?.invoice?.request.lines[0]?.priceUnit).toBe(expected);
  if (expected === undefined) expect(await response.text()).toContain("number_out_of_range");
});

test("text is kept trimmed and in NFC, external_id exactly as sent", async () => {
  const { app, asked } = anEdge();
  await app.request("/api/v1/invoice", postOf(aBody({ external_id: "e\u0301", description: " e\u0301 " })));
  expect(asked[0]?.invoice?.request).toMatchObject({ externalId: "e\u0301", description: "\u00e9" });
});

test.each([
  [
    "en",
    "“simplified_attestation.authorisation” does not go with legal_basis article_4_2; remove it or correct legal_basis.",
  ],
  [
    "es",
    "«simplified_attestation.authorisation» no va con legal_basis article_4_2; quítalo o corrige legal_basis.",
  ],
])("an authorisation next to article 4.2 is refused in words (%s)", async (language, message) => {
  const attestation = attested("article_4_2", { number: "1", limit: 5000 });
  const [detail] = await detailsOf(aBody({ simplified_attestation: attestation }), language);
  expect(detail?.message).toBe(message);
});

test("sentences are Spanish where Spanish is preferred", async () => {
  const [detail] = await detailsOf(aBody({ lines: [] }), "fr, es-MX;q=0.9, en;q=0.8");
  expect(detail?.message).toBe("«lines» está vacío; dale un valor.");
});

test("no sentence shows a placeholder", async () => {
  const details = await detailsOf({ ...FULL, lines: [{}], currency: "x", taxrate: 1 });
  expect(JSON.stringify(details)).not.toMatch(/\{\w+\??\}|undefined/);
});
