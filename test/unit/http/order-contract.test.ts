import { zValidator } from "@hono/zod-validator";
import { describe, expect, test } from "vitest";
import { apiKey, exactJson } from "../../../src/api/keyed-request.ts";
import { isSchema, type Schema, schemaOf, whenPresent } from "../../../src/api/openapi/schema.ts";
import { parseExactly } from "../../../src/api/wire/json.ts";
import { orderBody } from "../../../src/api/wire/order-body.ts";
import { toOrderFacts } from "../../../src/api/wire/order-facts.ts";
import { refuseShape } from "../../../src/api/wire/problems.ts";
import { anEdge, postOf } from "../../support/worlds/http-edge.ts";

interface Detail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

const { app } = anEdge();
app.post("/order", apiKey, exactJson, zValidator("json", orderBody, refuseShape), (c) => c.text(""));

/** JSON text that is written as it is, so that numbers beyond a double are possible. */
class Json {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function jsonOf(body: unknown): string {
  return JSON.stringify(body, (_, value) => (value instanceof Json ? JSON.rawJSON(value.text) : value));
}

/** The answer of a route with this contract: nothing where the body has the right shape. */
async function detailsOf(body: unknown): Promise<Detail[]> {
  const response = await app.request("/order", postOf(jsonOf(body)));
  const text = await response.text();
  if (response.status === 200) return [];
  const answer: { error_code: string; details: Detail[] } = JSON.parse(text);
  expect([response.status, answer.error_code]).toEqual([422, "validation_failed"]);
  expect(text).not.toMatch(/\{\w+\??\}|undefined|\[object/);
  return answer.details;
}

async function problemsOf(body: unknown): Promise<string[]> {
  return (await detailsOf(body)).map(({ path, code }) => `${path} ${code}`);
}

type Change = Readonly<Record<string, unknown>>;

function anOrder(change: Change = {}): Record<string, unknown> {
  return {
    id_external: "o-1",
    order_date: "2026-11-27 10:30:00",
    total: 121,
    currency: "EUR",
    breakdown: [aLine()],
    ...change,
  };
}

function aLine(change: Change = {}): Record<string, unknown> {
  return { base_amount: 100, tax_rate: 21, tax_amount: 21, ...change };
}

const inEvent = (change: Change) => ({ correction_events: [{ id_external_event: "e", ...change }] });
const inRefund = (change: Change) => ({ refunds: [{ id_external: "r", amount: 1, ...change }] });
const inDiscount = (change: Change) => ({ discounts: [{ amount: 1, ...change }] });
const inUnmapped = (change: Change) => ({ unmapped_totals: [{ code: "x", value: 1, ...change }] });
const inTaxTotal = (change: Change) => ({ tax_totals: [{ tax_rate: 21, tax_amount: 21, ...change }] });
const inMissing = (change: Change) => ({ missing: [{ what: "tax_rate", ...change }] });
const inEventLine = (change: Change) =>
  inEvent({ lines: [{ base_delta: -1, tax_rate: 21, tax_delta: -0.21, ...change }] });
const inRefundLine = (change: Change) => inRefund({ lines: [aLine(change)] });

type Kind =
  | "text"
  | "id"
  | "number"
  | "positive"
  | "boolean"
  | "time"
  | "day"
  | "country"
  | "list"
  | "object"
  | "any";

interface Place {
  readonly path: string;
  readonly kind: Kind;
  /** The change of an order that puts a value there. */
  readonly at: (value: unknown) => Change;
  readonly isRequired: boolean;
}

const REQUIRED = true;

const within =
  (prefix: string, inside: (change: Change) => Change) =>
  (name: string, kind: Kind, isRequired = false): Place => ({
    path: prefix + name,
    kind,
    at: (value) => inside({ [name]: value }),
    isRequired,
  });

const top = within("", (change) => change);
const client = within("client.", (change) => ({ client: change }));
const delivery = within("delivery.", (change) => ({ delivery: change }));
const line = within("breakdown.0.", (change) => ({ breakdown: [aLine(change)] }));
const discount = within("discounts.0.", inDiscount);
const unmapped = within("unmapped_totals.0.", inUnmapped);
const taxTotal = within("tax_totals.0.", inTaxTotal);
const missing = within("missing.0.", inMissing);
const event = within("correction_events.0.", inEvent);
const eventLine = within("correction_events.0.lines.0.", inEventLine);
const refund = within("refunds.0.", inRefund);
const refundLine = within("refunds.0.lines.0.", inRefundLine);
const shop = within("shop.", (change) => ({ shop: change }));

/** Every field of the contract and the kind of its values. */
const PLACES: readonly Place[] = [
  ...[top("id_external", "id", REQUIRED), top("reference", "id"), top("order_date", "time")],
  ...[top("paid_at", "time"), top("total", "number", REQUIRED), top("total_tax", "number")],
  ...[top("currency", "text", REQUIRED), top("status", "id"), top("id_order_status", "id")],
  ...[top("source_platform", "text"), top("fiscal_event", "text"), top("invoice_action", "text")],
  ...[top("client", "object"), top("delivery", "object"), top("shop", "object")],
  ...[top("breakdown", "list", REQUIRED), top("discounts", "list"), top("unmapped_totals", "list")],
  ...[
    top("tax_totals", "list"),
    top("test", "boolean"),
    top("amount_paid", "number"),
    top("missing", "list"),
  ],
  ...[missing("what", "text", REQUIRED), missing("where", "id")],
  ...[missing("stated", "id"), missing("computed", "id")],
  ...[top("correction_events", "list"), top("refunds", "list"), top("tags", "list")],
  ...[top("source_channel", "text"), top("source_channel_evidence", "text")],
  ...[top("operation_date", "day"), top("updated_at", "time"), top("contract_version", "id")],
  ...[client("id_external", "id"), client("first_name", "text"), client("last_name", "text")],
  ...[client("company", "text"), client("vat_number", "text"), client("id_type", "text")],
  ...[client("email", "text"), client("phone", "text"), client("country", "country")],
  ...[client("address1", "text"), client("postcode", "text"), client("city", "text")],
  ...[delivery("country", "country"), delivery("postcode", "text"), shop("id", "id")],
  ...[top("due_date", "any"), top("payment", "any"), top("buyer_reference", "any")],
  ...[top("order_reference", "any"), top("contract_reference", "any"), top("file_reference", "any")],
  ...[top("invoicing_period", "any"), top("rectification_reason", "any")],
  ...[delivery("date", "any"), delivery("address1", "any"), delivery("city", "any")],
  ...[client("accepts_electronic", "any"), client("endpoint", "any"), client("province", "any")],
  ...[client("surname_1", "any"), client("surname_2", "any"), client("administrative_centres", "any")],
  ...[line("unit", "any"), line("item_code", "any")],
  ...[line("id_external_product", "id"), line("line_id", "id"), line("name", "text")],
  ...[line("line_kind", "text"), line("quantity", "number"), line("base_amount", "number", REQUIRED)],
  ...[line("tax_rate", "number", REQUIRED), line("tax_amount", "number", REQUIRED)],
  ...[line("equivalence_surcharge_rate", "number"), line("equivalence_surcharge_amount", "number")],
  ...[discount("code", "id"), discount("name", "text"), discount("amount", "positive", REQUIRED)],
  ...[discount("tax_amount", "number"), discount("kind", "text"), discount("lines", "list")],
  ...[discount("included", "boolean"), unmapped("code", "id", REQUIRED), unmapped("title", "text")],
  ...[unmapped("value", "number", REQUIRED), unmapped("kind", "text")],
  ...[taxTotal("tax_rate", "number", REQUIRED), taxTotal("tax_amount", "number", REQUIRED)],
  ...[taxTotal("base_amount", "number"), taxTotal("equivalence_surcharge_rate", "number")],
  taxTotal("equivalence_surcharge_amount", "number"),
  ...[event("id_external_event", "id", REQUIRED), event("event_type", "text"), event("occurred_at", "time")],
  ...[event("reason", "text"), event("amount", "number"), event("lines", "list")],
  ...[eventLine("id_external_product", "id"), eventLine("line_id", "id"), eventLine("name", "text")],
  ...[eventLine("quantity_delta", "number"), eventLine("base_delta", "number", REQUIRED)],
  ...[eventLine("tax_rate", "number", REQUIRED), eventLine("tax_delta", "number", REQUIRED)],
  ...[refund("id_external", "id", REQUIRED), refund("date", "time"), refund("amount", "positive", REQUIRED)],
  ...[refund("tax_amount", "number"), refund("lines", "list")],
  ...[refundLine("id_external_product", "id"), refundLine("line_id", "id"), refundLine("name", "text")],
  ...[refundLine("quantity", "number"), refundLine("base_amount", "number", REQUIRED)],
  ...[refundLine("tax_rate", "number", REQUIRED), refundLine("tax_amount", "number", REQUIRED)],
];

function pathsOf(published: Schema, prefix = ""): string[] {
  const schema = whenPresent(published);
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    isSchema(member) ? [prefix + name, ...pathsOf(member, `${prefix}${name}.`)] : [],
  );
  return isSchema(schema.items) ? [...members, ...pathsOf(schema.items, `${prefix}0.`)] : members;
}

test("the fields above are those of the published schema", () => {
  const schema = schemaOf(orderBody, "input");
  expect(pathsOf(schema).sort()).toEqual(PLACES.map(({ path }) => path).sort());
  expect(schema.required).toEqual(["id_external", "total", "currency", "breakdown"]);
});

const HUGE = [new Json("1e12"), new Json("-1234567890123"), new Json("1e999"), new Json("9".repeat(600))];
const NO_NUMBERS = ["NaN", "Infinity", "1,5", "12.10", "0x10", true, {}, [1]];
const WRONG_TEXTS = [true, {}, [], ["x"], "a\u0000b", "a\ud800b", "x".repeat(2001)];
const NO_TIMES = [
  "2026-02-30 10:00:00",
  "2026-11-27 24:00:00",
  "1969-12-31 00:00:00",
  "2100-01-01T00:00:00Z",
];
const WRONG: Readonly<Record<Kind, readonly unknown[]>> = {
  text: [1, ...WRONG_TEXTS],
  id: WRONG_TEXTS,
  number: [...NO_NUMBERS, ...HUGE],
  positive: [...NO_NUMBERS, ...HUGE, -1, -0.01],
  boolean: ["true", "no", 0, 1, {}, []],
  time: [1764235800, true, {}, "yesterday", "27/11/2026", "99999-01-01 00:00:00", ...NO_TIMES],
  day: [20261127, true, {}, "27/11/2026", "2026-11-27 10:30:00", "2026-02-30"],
  country: [1, true, {}, "ESP", "España", "E", "E\u0000"],
  list: ["x", 1, true, {}, { 0: {} }, [true], [[1]]],
  object: ["x", 1, true, [1], [{}]],
  any: [],
};

const BAD = PLACES.flatMap(({ path, kind, at }) =>
  WRONG[kind].map((value): [string, string, Change] => [
    `${path} = ${jsonOf(value).slice(0, 40)}`,
    path,
    at(value),
  ]),
);

describe("bad values of every field are refused at their place", () => {
  test.each(BAD)("%s", async (_, path, change) => {
    const details = await detailsOf(anOrder(change));
    expect(details.length).toBeGreaterThan(0);
    for (const detail of details) expect(detail.path.startsWith(path), detail.path).toBe(true);
  });
});

test.each(PLACES.filter(({ isRequired }) => isRequired))("$path is required", async ({ path, at }) => {
  expect(await problemsOf(anOrder(at(undefined)))).toEqual([`${path} required`]);
  expect(await problemsOf(anOrder(at(null)))).toEqual([`${path} required`]);
  expect((await problemsOf(anOrder(at("")))).length).toBe(1);
});

test.each(PLACES.filter(({ isRequired }) => !isRequired))(
  "$path may be absent, null or empty text",
  async ({ at }) => {
    const whole = { ...anOrder({ paid_at: "2026-11-27T10:30:00Z" }) };
    for (const nothing of [undefined, null, "", "  "])
      expect(await problemsOf({ ...whole, ...at(nothing) })).toEqual([]);
  },
);

test("unknown members are accepted at every level, with any content", async () => {
  const unknown = { extra: { deep: [1, null] }, constructor: 1, toString: "x" };
  const body = anOrder({
    ...unknown,
    client: unknown,
    delivery: unknown,
    shop: unknown,
    breakdown: [aLine(unknown)],
    ...inDiscount(unknown),
    ...inUnmapped(unknown),
    ...inEventLine(unknown),
    ...inRefundLine(unknown),
  });
  expect(await problemsOf(body)).toEqual([]);
});

test("__proto__ is an unknown member like any other and changes nothing", () => {
  const text = JSON.stringify(anOrder()).replace("{", '{"__proto__":{"paid_at":"2020-01-01T00:00:00Z"},');
  const sent = parseExactly(text);
  const order = toOrderFacts(orderBody.parse(sent), { timeZone: "Europe/Madrid", sent });
  expect(order.facts.paidAt).toBe(order.facts.orderedAt);
  expect(order.raw).toBe(text);
});

const CASES: readonly (readonly [string, Change, readonly string[]])[] = [
  ["neither date", { order_date: undefined }, ["order_date required"]],
  ["a zero date alone", { order_date: "0000-00-00 00:00:00" }, ["order_date required"]],
  ["two zero dates", { order_date: "0000-00-00", paid_at: "0000-00-00 00:00:00" }, ["order_date required"]],
  ["what PHP makes of it", { order_date: "-0001-11-30T00:00:00+00:00" }, ["order_date required"]],
  ["the default of .NET", { order_date: "0001-01-01T00:00:00" }, ["order_date required"]],
  ["a wrong date is not also missing", { order_date: "soon" }, ["order_date invalid_value"]],
  ["paid_at without offset is no instant", { paid_at: "2026-11-27 10:30:00" }, ["paid_at invalid_value"]],
  ["order_date is a day and a time", { order_date: "2026-11-27" }, ["order_date invalid_value"]],
  ["an empty breakdown of 121", { breakdown: [] }, ["breakdown too_short"]],
  ["an empty breakdown of 0", { breakdown: [], total: 0 }, []],
  ["an empty breakdown without total", { breakdown: [], total: undefined }, ["total required"]],
  ["5,000 lines", { breakdown: Array(5000).fill(aLine()) }, []],
  ["5,001 lines", { breakdown: Array(5001).fill(aLine()) }, ["breakdown too_long"]],
  ["10,000 lines without members", { breakdown: Array(10_000).fill({}) }, ["breakdown too_long"]],
  ["1,001 discounts", { discounts: Array(1001).fill({ amount: 1 }) }, ["discounts too_long"]],
  ["1,001 tags", { tags: Array(1001).fill("a") }, ["tags too_long"]],
  ["a channel of 32", { source_channel: "x".repeat(32) }, []],
  ["a channel of 33", { source_channel: "x".repeat(33) }, ["source_channel too_long"]],
  ["a store of 33", { shop: { id: "x".repeat(33) } }, ["shop.id too_long"]],
  ["an id of 120", { id_external: "x".repeat(120) }, []],
  ["an id of 121", { id_external: "x".repeat(121) }, ["id_external too_long"]],
  ["an id with a space before", { id_external: " x" }, ["id_external not_trimmed"]],
  ["an id that no path can hold", { id_external: ".." }, ["id_external invalid_value"]],
  ["an unknown currency", { currency: "XYZ" }, ["currency invalid_value"]],
  ["an unknown type of identifier", { client: { id_type: "99" } }, ["client.id_type not_allowed"]],
  ["a country that no list knows", { client: { country: "xk" } }, []],
  ["a postcode as a number", { client: { postcode: 8001 } }, ["client.postcode wrong_type"]],
  ["the version as a word", { contract_version: "latest" }, ["contract_version invalid_value"]],
  ["a version of tomorrow", { contract_version: "12.34" }, []],
  ["unknown words", { fiscal_event: "edited", invoice_action: "maybe" }, []],
  ["unknown kinds", { ...inUnmapped({ kind: "?" }), ...inDiscount({ kind: "?" }) }, []],
  ["a quantity of 0", { breakdown: [aLine({ quantity: 0 })] }, []],
  ["a rate that no country has", { breakdown: [aLine({ tax_rate: -2100 })] }, []],
  ["an empty list for an object", { client: [], delivery: [], shop: [] }, []],
];

test.each(CASES)("%s", async (_, change, expected) => {
  expect(await problemsOf(anOrder(change))).toEqual(expected);
});

test.each([[5], [true], ["order"], [""], [null], [[1]]])("a body that is no object: %j", async (body) => {
  expect((await problemsOf(body)).length).toBe(1);
});

test("all problems are named in one answer", async () => {
  const body = anOrder({
    order_date: "",
    total: "121",
    currency: "euro",
    breakdown: [aLine({ tax_rate: undefined }), aLine({ base_amount: "x" })],
    tags: [{}],
  });
  expect((await problemsOf(body)).sort()).toEqual([
    "breakdown.0.tax_rate required",
    "breakdown.1.base_amount wrong_type",
    "currency invalid_value",
    "order_date required",
    "tags.0 wrong_type",
    "total wrong_type",
  ]);
});

test.each([
  ["as a double has it", "8.264462809917355", "8.26446281"],
  ["a sum of doubles", "0.30000000000000004", "0.3"],
  ["the dust of a difference", "5.684341886080802e-14", "0"],
  ["minus dust", "-5.684341886080802e-14", "0"],
  ["half away from zero", "-0.000000005", "-0.00000001"],
  ["six decimals stay", "8.264463", "8.264463"],
  ["12 integer digits", "999999999999.99", "999999999999.99"],
  ["what rounds to 13", "999999999999.999999999", undefined],
  ["13 integer digits", "1000000000000", undefined],
])("amounts: %s", async (_, source, expected) => {
  const sent = parseExactly(jsonOf(anOrder({ total: new Json(source) })));
  expect(orderBody.safeParse(sent).data?.total).toBe(expected);
  const details = await detailsOf(anOrder({ total: new Json(source) }));
  expect(details.map(({ code }) => code)).toEqual(expected === undefined ? ["number_out_of_range"] : []);
});
