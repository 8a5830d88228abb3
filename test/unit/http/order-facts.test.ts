import { describe, expect, test } from "vitest";
import { parseExactly } from "../../../src/api/wire/json.ts";
import { orderBody } from "../../../src/api/wire/order-body.ts";
import { toOrderFacts } from "../../../src/api/wire/order-facts.ts";
import { eventFingerprint, fiscalFingerprint } from "../../../src/domain/order/facts.ts";
import type { TimeZone } from "../../../src/domain/shared/instant.ts";

type Change = Readonly<Record<string, unknown>>;

function read(change: Change = {}, timeZone: TimeZone = "Europe/Madrid") {
  const order = {
    id_external: "o-1",
    order_date: "2026-11-27 10:30:00",
    total: 121,
    currency: "EUR",
    breakdown: [{ name: "Silla", quantity: 1, base_amount: 100, tax_rate: 21, tax_amount: 21 }],
    contract_version: "1.8",
    ...change,
  };
  const sent = parseExactly(JSON.stringify(order));
  return toOrderFacts(orderBody.parse(sent), { timeZone, sent });
}

const factsOf = (change: Change = {}, timeZone?: TimeZone) => read(change, timeZone).facts;

describe("dates", () => {
  test.each<[string, string, TimeZone, string]>([
    ["winter in Madrid", "2026-01-15 00:30:00", "Europe/Madrid", "2026-01-14T23:30:00.000Z"],
    ["summer in Madrid", "2026-07-15 00:30:00", "Europe/Madrid", "2026-07-14T22:30:00.000Z"],
    ["winter in the Canaries", "2026-01-15 00:30:00", "Atlantic/Canary", "2026-01-15T00:30:00.000Z"],
    ["the last second of a year", "2026-12-31 23:59:59", "Europe/Madrid", "2026-12-31T22:59:59.000Z"],
    ["before the clock goes forward", "2026-03-29 01:59:59", "Europe/Madrid", "2026-03-29T00:59:59.000Z"],
    ["the hour that does not exist", "2026-03-29 02:30:00", "Europe/Madrid", "2026-03-29T01:30:00.000Z"],
    ["after the clock went forward", "2026-03-29 03:00:00", "Europe/Madrid", "2026-03-29T01:00:00.000Z"],
    ["the hour that comes twice", "2026-10-25 02:30:00", "Europe/Madrid", "2026-10-25T00:30:00.000Z"],
    ["after it", "2026-10-25 03:00:00", "Europe/Madrid", "2026-10-25T02:00:00.000Z"],
    ["that hour in the Canaries", "2026-10-25 01:30:00", "Atlantic/Canary", "2026-10-25T00:30:00.000Z"],
    ["an offset wins", "2026-07-15 00:30:00-03:00", "Europe/Madrid", "2026-07-15T03:30:00.000Z"],
    ["an offset without colon", "2026-07-15T00:30:00+0200", "Europe/Madrid", "2026-07-14T22:30:00.000Z"],
    ["fractions of a second", "2026-07-15T00:30:00.987654321Z", "Europe/Madrid", "2026-07-15T00:30:00.987Z"],
  ])("%s", (_, order_date, zone, expected) => {
    expect(new Date(factsOf({ order_date }, zone).orderedAt).toISOString()).toBe(expected);
  });

  test("each replaces the other where it is missing", () => {
    const paid_at = "2026-11-28T00:00:00Z";
    const both = factsOf({ paid_at });
    expect([both.orderedAt, both.paidAt]).toEqual([
      Date.parse("2026-11-27T09:30:00Z"),
      Date.parse("2026-11-28T00:00:00Z"),
    ]);
    const paid = factsOf({ paid_at, order_date: "0000-00-00 00:00:00" });
    expect([paid.orderedAt, paid.paidAt]).toEqual([both.paidAt, both.paidAt]);
    const ordered = factsOf({ paid_at: "" });
    expect([ordered.orderedAt, ordered.paidAt]).toEqual([both.orderedAt, both.orderedAt]);
  });

  test("other zero dates are absent too", () => {
    const facts = factsOf({ operation_date: "0000-00-00", updated_at: "0000-00-00 00:00:00" });
    expect(facts).not.toHaveProperty("operationDate");
    expect(facts).not.toHaveProperty("updatedAt");
  });
});

describe("what the order asks for", () => {
  test.each([
    ["neither", {}, [false, false, false]],
    ["a candidate", { fiscal_event: "invoice_candidate" }, [true, false, false]],
    ["by action", { invoice_action: "create_invoice" }, [true, false, false]],
    ["a cancelled one", { fiscal_event: "cancelled", invoice_action: "create_invoice" }, [true, true, false]],
    ["a full invoice", { fiscal_event: "full_invoice_requested" }, [false, false, true]],
    ["another word", { fiscal_event: "Invoice_Candidate", invoice_action: "issue" }, [false, false, false]],
  ])("%s", (_, change, expected) => {
    const { isCandidate, isCancelled, asksFullInvoice } = factsOf(change);
    expect([isCandidate, isCancelled, asksFullInvoice]).toEqual(expected);
  });
});

describe("events", () => {
  const event = { id_external_event: "e", event_type: "refund", amount: -1 };
  const idsOf = (change: Change) => factsOf(change).events.map(({ id, type }) => `${id} ${type}`);

  test.each<[string, Change, string[]]>([
    ["refunds are events", { refunds: [{ id_external: 7, amount: 1 }] }, ["refund:7 refund"]],
    [
      "not together with events",
      { refunds: [{ id_external: 7, amount: 1 }], correction_events: [event] },
      ["e refund"],
    ],
    [
      "but together with an empty list",
      { refunds: [{ id_external: 7, amount: 1 }], correction_events: [] },
      ["refund:7 refund"],
    ],
    [
      "a cancellation comes last",
      { fiscal_event: "cancelled", correction_events: [event] },
      ["e refund", "fiscal_event:cancelled cancellation"],
    ],
    ["the same twice is one", { correction_events: [event, { ...event, reason: "again" }] }, ["e refund"]],
    [
      "other content is kept as well",
      { correction_events: [event, { ...event, amount: -2 }] },
      ["e refund", "e refund"],
    ],
    ["an unknown type", { correction_events: [{ ...event, event_type: "REFUND" }] }, ["e unknown"]],
    ["no type", { correction_events: [{ id_external_event: "e" }] }, ["e unknown"]],
    ["a void", { correction_events: [{ ...event, event_type: "void" }] }, ["e void"]],
  ])("%s", (_, change, expected) => {
    expect(idsOf(change)).toEqual(expected);
  });

  const line = {
    line_id: "l",
    name: "Silla",
    quantity_delta: -1,
    base_delta: -10,
    tax_rate: 21,
    tax_delta: -2.1,
  };
  const fingerprintOf = (change: Change) =>
    factsOf({ correction_events: [{ ...event, lines: [line], ...change }] }).events.map(eventFingerprint);

  test.each<[string, Change, boolean]>([
    ["nothing", {}, true],
    ["its id, which is compared apart", { id_external_event: "f" }, true],
    ["its reason", { reason: "Otra" }, true],
    ["its time", { occurred_at: "2026-01-01T00:00:00Z" }, true],
    ["the name of a line", { lines: [{ ...line, name: "Sillas" }] }, true],
    ["the spelling of a number", { lines: [{ ...line, base_delta: -10.0000000001 }] }, true],
    ["its type", { event_type: "return" }, false],
    ["its amount", { amount: -1.01 }, false],
    ["a delta", { lines: [{ ...line, tax_delta: -2.11 }] }, false],
    ["the line concerned", { lines: [{ ...line, line_id: "m" }] }, false],
    ["a line more", { lines: [line, line] }, false],
  ])("content after a change of %s", (_, change, isSame) => {
    expect(fingerprintOf(change)[0] === fingerprintOf({})[0]).toBe(isSame);
  });
});

test.each<[string, Change, boolean]>([
  ["the client", { client: { company: "Otra" } }, true],
  ["the status", { status: "sent" }, true],
  ["tags and channel", { tags: ["a"], source_channel: "b" }, true],
  ["an event", { correction_events: [{ id_external_event: "e" }] }, true],
  ["what the shop says of the tax", { total_tax: 20 }, true],
  ["the total", { total: 122 }, false],
  ["the currency", { currency: "USD" }, false],
  ["a discount", { discounts: [{ amount: 1 }] }, false],
  ["its kind", { discounts: [{ amount: 1, kind: "loyalty" }] }, false],
  ["an unmapped total", { unmapped_totals: [{ code: "x", value: 0 }] }, false],
  ["a line", { breakdown: [], total: 0 }, false],
  ["what the shop says of the tax by rate", { tax_totals: [{ tax_rate: 21, tax_amount: 21 }] }, false],
  ["a list of nothing in its place", { tax_totals: [] }, true],
  ["being a test", { test: true }, true],
])("the order as sold, after a change of %s", (_, change, isSame) => {
  expect(fiscalFingerprint(factsOf(change)) === fiscalFingerprint(factsOf())).toBe(isSame);
});

test("the fingerprint of one order is for ever", () => {
  expect(fiscalFingerprint(factsOf())).toBe(
    "7b5e35f2e8380a23acaab5ea4ca50459dd0c19be8b2201e3e49ea2452deb417b",
  );
});

describe("fields newer than the contract that the order declares", () => {
  const NEW: Change = {
    refunds: [{ id_external: "r", amount: 1 }],
    correction_events: [{ id_external_event: "e" }],
    source_channel: "web",
    source_channel_evidence: "a=b",
    tags: ["a"],
    paid_at: "2026-11-27T10:30:00Z",
    unmapped_totals: [{ code: "x", value: 0, kind: "loyalty" }],
    breakdown: [{ line_kind: "fee", base_amount: 100, tax_rate: 21, tax_amount: 21 }],
    discounts: [
      { amount: 1, kind: "loyalty" },
      { amount: 1, kind: "loyalty" },
    ],
    tax_totals: [{ tax_rate: 21, tax_amount: 21 }],
    test: false,
  };
  const fieldsOf = (declared: unknown, change = NEW) =>
    read({ ...change, contract_version: declared }).warnings.map(({ since, field }) => `${since} ${field}`);
  const ALL = [
    "1.2 refunds",
    "1.3 correction_events",
    "1.3 source_channel",
    "1.3 source_channel_evidence",
    "1.4 tags",
    "1.5 paid_at",
    "1.5 unmapped_totals",
    "1.5 breakdown[].line_kind",
    "1.8 discounts[].kind",
    "1.8 unmapped_totals[].kind",
    "1.9 tax_totals",
    "1.9 test",
  ];

  test.each([
    ["none", undefined, ALL],
    ["1.0", "1.0", ALL],
    ["1 as a number", 1, ALL],
    ["1.1", "1.1", ALL],
    ["1.2", "1.2", ALL.slice(1)],
    ["1.3", 1.3, ALL.slice(4)],
    ["1.4", "1.4", ALL.slice(5)],
    ["1.7", "1.7", ALL.slice(8)],
    ["1.8", "1.8", ALL.slice(10)],
    ["1.9", "1.9", []],
    ["1.10 is newer than 1.9", "1.10", []],
    ["2", 2, []],
  ])("declared: %s", (_, declared, expected) => {
    expect(fieldsOf(declared)).toEqual(expected);
  });

  test("an empty value is no field", () => {
    const empty = {
      refunds: [],
      correction_events: null,
      source_channel: "",
      tags: [],
      paid_at: "0000-00-00",
    };
    expect(fieldsOf("1.0", { ...empty, unmapped_totals: "", discounts: [{ amount: 1, kind: "" }] })).toEqual(
      [],
    );
  });

  test("the warning names the declared version", () => {
    expect(read({ tags: ["a"], contract_version: 1 }).warnings).toEqual([
      { code: "field_beyond_contract", field: "tags", since: "1.4", declared: "1.0" },
    ]);
    expect(read({ tags: ["a"], contract_version: undefined }).facts.contractVersion).toBe("1.0");
  });
});

test("the order is kept as it was sent, unknown members and digits included", () => {
  const text =
    '{"id_external":12,"x":{"y":[1.50,1e3,-0]},"order_date":"2026-11-27 10:30:00","total":1.10,' +
    '"currency":"EUR","breakdown":[{"base_amount":1.00,"tax_rate":10.0,"tax_amount":0.10,"z":null}]}';
  const sent = parseExactly(text);
  expect(toOrderFacts(orderBody.parse(sent), { timeZone: "Europe/Madrid", sent }).raw).toBe(text);
});
