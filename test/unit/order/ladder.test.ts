/** Every reason of an order, in the order of the ladder: the smallest order that has it. */
import { describe, expect, test } from "vitest";
import { type SalesSettings, UNDECLARED } from "../../../src/domain/billing/sales-settings.ts";
import { staleWarning } from "../../../src/domain/order/dates.ts";
import type { OrderFacts } from "../../../src/domain/order/facts.ts";
import { type Facts, NOT_STATED, ORDER_REASONS } from "../../../src/domain/order/reasons.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { all, day, eur, percent } from "../../support/builders/facts.ts";
import {
  A_COMPANY,
  A_PERSON,
  aDiscount,
  anOrder,
  CANCELLATION,
  codesOf,
  course,
  decide,
  linesOf,
  next,
  outcomeOf,
  refundOf,
  refundOfAmount,
  type Situation,
  TWO_RATES,
  unmapped,
} from "../../support/builders/orders.ts";

type Row = readonly [code: string, order: OrderFacts, situation: Situation, facts: Facts];

const VOUCHER = linesOf("gift_voucher:50+0@0");
const CREDIT = { kind: "customer_credit" } as const;
const profile = { id: "p1", name: "Web", stem: "W", sales: UNDECLARED };
function underProfile(sales: Partial<SalesSettings>): Situation {
  return { settings: { profiles: [{ ...profile, sales: { ...UNDECLARED, ...sales } }] } };
}

const cancelledStatus = { settings: { statuses: { "6": { name: "Cancelado", cancelled: true } } } };

const THIRTEEN_RATES = Array.from({ length: 13 }, (_, index) => `100+${index + 1}@${index + 1}`).join(" ");

const A_PARISIAN = { ...A_PERSON, country: "FR", postcode: "75001" };

const BEFORE_THE_INVOICE: readonly Row[] = [
  [
    "profile_not_matched",
    anOrder({ sourceChannel: "pos", storeId: "2" }),
    { settings: { profiles: [{ ...profile, channel: "web" }] } },
    { channel: "pos", store: "2" },
  ],
  [
    "profile_ambiguous",
    anOrder(),
    { settings: { profiles: [profile, { ...profile, id: "p2", name: "Tienda" }] } },
    { profiles: all("Web Tienda") },
  ],
  [
    "tag_hold",
    anOrder({ tags: ["mayorista"] }),
    { settings: { tagRules: [{ tag: " Mayorista", action: "hold" }] } },
    { tag: "mayorista" },
  ],
  [
    "totals_mismatch",
    anOrder({ total: decimal("120.99") }),
    {},
    {
      computed: eur("121.00"),
      total: eur("120.99"),
      difference: eur("-0.01"),
      rates: { all: [percent("21")] },
    },
  ],
  [
    "shop_facts_missing",
    anOrder({ missing: [{ what: "tax_rate", where: "l1" }] }),
    {},
    { what: { phrase: "tax_rate" }, where: "l1" },
  ],
  [
    "shop_facts_missing",
    anOrder({ missing: [{ what: "transactions" }] }),
    {},
    { what: { phrase: "transactions" } },
  ],
  [
    "shop_facts_contradict",
    anOrder({ missing: [{ what: "weee", where: "header", stated: "20", computed: "0" }] }),
    {},
    { what: "weee", where: "header", stated: eur("20.00"), computed: eur("0.00") },
  ],
  [
    "shop_facts_contradict",
    anOrder({ missing: [{ what: "discounts", stated: "20", computed: "0" }] }),
    {},
    { what: { phrase: "discounts" }, stated: eur("20.00"), computed: eur("0.00") },
  ],
  [
    "tax_totals_mismatch",
    anOrder({ taxTotals: [{ rate: decimal("21"), tax: decimal("22") }] }),
    {},
    { rate: percent("21"), stated: eur("22.00"), computed: eur("21.00") },
  ],
  [
    "untreated_total",
    anOrder({ unmappedTotals: [{ ...unmapped("cod", "3"), title: "Contra reembolso" }] }),
    {},
    { title: "Contra reembolso", value: eur("3.00"), code: "cod" },
  ],
  [
    "treatment_hold",
    anOrder({ unmappedTotals: [unmapped("cod", "3")] }),
    { sales: { treatments: { cod: { as: "hold" } } } },
    { title: "cod", value: eur("3.00"), code: "cod" },
  ],
  [
    "treatment_sign",
    anOrder({ unmappedTotals: [unmapped("card", "3")] }),
    { sales: { treatments: { card: { as: "payment" } } } },
    { title: "card", value: eur("3.00"), code: "card", treatment: { phrase: "payment" } },
  ],
  [
    "discount_kind_unknown",
    anOrder({ discounts: [aDiscount("5", { kind: "unknown" })] }),
    {},
    { name: "Cupón", amount: eur("5.00") },
  ],
  [
    "customer_credit_review",
    anOrder({ discounts: [aDiscount("5", CREDIT)] }),
    { sales: { customerCredit: "review" } },
    { connection: "Tienda", amount: eur("5.00") },
  ],
  ["credit_covers_total", anOrder({ discounts: [aDiscount("121", CREDIT)] }), {}, { amount: eur("121.00") }],
  [
    "voucher_kind_conflict",
    anOrder({ breakdown: linesOf("gift_voucher:50+10.50@21") }),
    {},
    { line: "Artículo", tax: eur("10.50"), kind: { phrase: "multi_purpose" } },
  ],
  [
    "tax_mismatch",
    anOrder({ breakdown: linesOf("100+10@21") }),
    {},
    { line: "Artículo", rate: percent("21"), base: eur("100.00"), expected: eur("21.00"), tax: eur("10.00") },
  ],
  [
    "tax_mismatch",
    anOrder({ breakdown: linesOf("100+5@5") }),
    {},
    {
      line: "Artículo",
      rate: percent("5"),
      date: day("2026-11-27"),
      tax_name: "IVA",
      territory: { phrase: "peninsula" },
      allowed: { all: ["0", "4", "10", "21"].map(percent) },
    },
  ],
  ["zero_rate_basis_missing", anOrder({ breakdown: linesOf("100+0@0") }), {}, { line: "Artículo" }],
  [
    "foreign_customer",
    anOrder({ client: { ...A_PERSON, country: "FR" } }),
    {},
    { country: { country: "FR" }, connection: "Tienda" },
  ],
  [
    "territory_review",
    anOrder({ delivery: { country: "ES", postcode: "52001" } }),
    {},
    { from: { phrase: "peninsula" }, to: { phrase: "melilla" }, connection: "Tienda" },
  ],
  [
    "destination_conflict",
    anOrder({ client: A_PARISIAN, breakdown: linesOf("100+0@0") }),
    { sales: { destinations: { euConsumer: "oss" } } },
    {
      place: { country: "FR" },
      destination: { phrase: "eu_consumer" },
      treatment: { phrase: "oss" },
      allowed: { all: ["2.1", "5.5", "10", "20"].map(percent) },
      line: "Artículo",
      rate: percent("0"),
    },
  ],
  [
    "destination_conflict",
    anOrder({
      client: { ...A_COMPANY, country: "DE", vatNumber: "DE282741168" },
      breakdown: linesOf("100+19@19"),
    }),
    {},
    {
      place: { country: "DE" },
      identifier: "DE282741168",
      line: "Artículo",
      rate: percent("19"),
    },
  ],
  [
    "oss_rate_unknown",
    anOrder({ client: A_PARISIAN, breakdown: linesOf("100+20@20 100+21@21") }),
    { sales: { destinations: { euConsumer: "oss" } } },
    {
      place: { country: "FR" },
      line: "Artículo",
      rate: percent("21"),
      date: day("2026-11-27"),
      allowed: { all: ["2.1", "5.5", "10", "20"].map(percent) },
    },
  ],
  ["country_unknown", anOrder({ client: {}, breakdown: linesOf("100+0@0") }), {}, {}],
  ["country_unknown", anOrder({ client: { ...A_PERSON, country: "ZZ" } }), {}, { code: "ZZ" }],
  [
    "exchange_rate_unavailable",
    anOrder({ currency: "USD" }),
    {},
    { currency: "USD", date: day("2026-11-26"), choose_from: day("2026-11-29") },
  ],
  [
    "currency_not_quoted",
    anOrder({ currency: "ARS" }),
    { rates: () => ({ outcome: "not_quoted" }) },
    { currency: "ARS" },
  ],
  [
    "tax_identifier_invalid",
    anOrder({ client: { ...A_COMPANY, vatNumber: "B12345675" } }),
    {},
    { identifier: "B12345675", detail: { phrase: "nif_control_character" } },
  ],
  [
    "recipient_incomplete",
    anOrder({ breakdown: linesOf("1000+210@21") }),
    {},
    { missing: { all: [{ phrase: "vat_number" }] }, total: eur("1210.00"), limit: eur("400.00") },
  ],
  ["manual_issuing", anOrder(), { sales: { issuingMode: "review" } }, { connection: "Tienda" }],
  [
    "order_date_in_future",
    anOrder({ operationDate: civilDate("2026-11-28") }),
    {},
    { date: day("2026-11-28") },
  ],
  [
    "not_invoiceable",
    anOrder({ operationDate: civilDate("2006-11-26") }),
    {},
    {
      refusal: "operation_date_not_allowed",
      date: day("2006-11-26"),
      detail: { phrase: "over_20_years_ago" },
      fix: { phrase: "correct_operation_date" },
    },
  ],
];

describe("held before the invoice", () => {
  test("more than twelve tax groups are reported together with their cause", () => {
    const order = anOrder({ breakdown: linesOf(THIRTEEN_RATES), client: { ...A_PERSON, country: "FR" } });
    const decision = decide(order, { sales: { destinations: { euConsumer: "oss" } } });
    expect(outcomeOf(decision)).toBe("held oss_rate_unknown too_many_tax_groups");
    expect(decision.reasons[1]?.facts).toEqual({ count: { amount: "13" } });
  });

  test.each(BEFORE_THE_INVOICE)("%s", (code, order, situation, facts) => {
    const decision = decide(order, situation);
    expect(outcomeOf(decision)).toBe(`held ${code}`);
    expect(decision.reasons[0]?.facts).toEqual(facts);
    expect(decision.effects).toEqual([]);
  });

  test.each(OTHERWISE)("%s, of other facts", (code, order, situation, facts) => {
    const decision = decide(order, situation);
    expect(outcomeOf(decision)).toBe(`held ${code}`);
    expect(decision.reasons[0]?.facts).toEqual(facts);
  });

  test("before the invoice there is only the reference of the order to name", () => {
    const decision = decide(anOrder({ reference: "A/7", events: [refundOf("r1", "10+1@10")] }));
    expect(outcomeOf(decision)).toBe("held rate_not_invoiced");
    expect(decision.reasons[0]?.facts).toMatchObject({ number: "A/7" });
  });

  test("discounts_probably_included is reported next to the mismatch", () => {
    const decision = decide(anOrder({ discounts: [aDiscount("10")], total: decimal("121") }));
    expect(outcomeOf(decision)).toBe("held totals_mismatch discounts_probably_included");
    expect(decision.reasons[1]?.facts).toEqual({ discounts: eur("10.00") });
  });
});

/** The same codes with their other facts. */
const OTHERWISE: readonly Row[] = [
  [
    "totals_mismatch",
    anOrder({ total: decimal("120") }),
    {},
    { computed: eur("121.00"), total: eur("120.00"), difference: eur("-1.00") },
  ],
  [
    "treatment_sign",
    anOrder({ discounts: [aDiscount("-5")] }),
    {},
    { title: "Cupón", value: eur("-5.00"), treatment: { phrase: "discount" } },
  ],
  [
    "customer_credit_review",
    anOrder({ discounts: [aDiscount("5", CREDIT)] }),
    underProfile({ customerCredit: "review" }),
    { profile: "Web", amount: eur("5.00") },
  ],
  [
    "voucher_kind_conflict",
    anOrder({ discounts: [aDiscount("5", { kind: "gift_card" })] }),
    { sales: { voucherKind: "single_purpose" } },
    { line: "Cupón", amount: eur("5.00"), kind: { phrase: "single_purpose" } },
  ],
  [
    "foreign_customer",
    anOrder({ client: { ...A_PERSON, country: "FR" } }),
    underProfile({}),
    { country: { country: "FR" }, profile: "Web" },
  ],
  [
    "territory_review",
    anOrder({ delivery: { country: "ES", postcode: "35001" } }),
    underProfile({}),
    { from: { phrase: "peninsula" }, to: { phrase: "canarias" }, profile: "Web" },
  ],
  [
    "recipient_incomplete",
    anOrder({
      client: { company: "X SL", vatNumber: "B12345674", country: "ES", address1: "Calle 1", city: "Lugo" },
    }),
    {},
    { missing: { all: [{ phrase: "postcode" }] } },
  ],
  ["manual_issuing", anOrder(), underProfile({ issuingMode: "review" }), { profile: "Web" }],
  [
    "profile_not_matched",
    anOrder(),
    { settings: { profiles: [{ ...profile, channel: "web" }] } },
    { channel: NOT_STATED, store: NOT_STATED },
  ],
];

type Later = readonly [
  code: string,
  first: OrderFacts,
  change: Partial<OrderFacts>,
  situation: Situation,
  facts: Facts,
];

const NUMBER = "PED-1S-2026-000001";

const AFTER_THE_INVOICE: readonly Later[] = [
  [
    "status_cancelled",
    anOrder(),
    { status: "6" },
    cancelledStatus,
    { status: "Cancelado", number: NUMBER, remaining: eur("121.00") },
  ],
  [
    "changed_after_invoice",
    anOrder(),
    { breakdown: linesOf("50+10.50@21"), total: decimal("60.50") },
    {},
    { rate: percent("21"), order_total: eur("60.50"), number: NUMBER, invoiced: eur("121.00") },
  ],
  [
    "changed_after_invoice",
    TWO_RATES,
    { breakdown: linesOf("100+21@21 50+5@10"), total: decimal("176") },
    {},
    { rate: percent("10"), order_total: eur("55.00"), number: NUMBER, invoiced: eur("110.00") },
  ],
  [
    "changed_after_invoice",
    TWO_RATES,
    { breakdown: linesOf("50+10.50@21 50+5@10"), total: decimal("115.50") },
    {},
    { order_total: eur("115.50"), number: NUMBER, invoiced: eur("231.00") },
  ],
  [
    "correction_amount_mismatch",
    anOrder(),
    { events: [refundOf("r1", "10+2.10@21", { amount: decimal("-12.11") })] },
    {},
    { event: "r1", lines_total: eur("-12.10"), amount: eur("-12.11") },
  ],
  [
    "over_refund",
    anOrder(),
    { events: [refundOf("r1", "100.03+21@21")] },
    {},
    { rate: percent("21"), requested: eur("121.03"), number: NUMBER, remaining: eur("121.00") },
  ],
  [
    "over_refund",
    TWO_RATES,
    { events: [refundOf("r1", "10+2.10@21 100.03+10@10")] },
    {},
    { rate: percent("10"), requested: eur("110.03"), number: NUMBER, remaining: eur("110.00") },
  ],
  [
    "over_refund",
    TWO_RATES,
    { events: [refundOfAmount("r1", "231.03")] },
    {},
    { requested: eur("231.03"), number: NUMBER, remaining: eur("231.00") },
  ],
  [
    "rate_not_invoiced",
    anOrder(),
    { events: [refundOf("r1", "10+1@10")] },
    {},
    { event: "r1", rate: percent("10"), number: NUMBER },
  ],
  [
    "correction_increases",
    anOrder(),
    { events: [refundOf("r1", "-10+-2.10@21")] },
    {},
    { event: "r1", amount: eur("12.10") },
  ],
  [
    "correction_increases",
    TWO_RATES,
    { events: [refundOf("r1", "-10+-2.10@21 50+5@10")] },
    {},
    { event: "r1", amount: eur("12.10") },
  ],
  [
    "refund_lines_needed",
    TWO_RATES,
    { events: [refundOfAmount("r1", "20")] },
    {},
    { event: "r1", amount: eur("20.00"), number: NUMBER, rates: { all: ["21", "10"].map(percent) } },
  ],
  [
    "refund_lines_needed",
    anOrder(),
    { events: [{ id: "r1", type: "refund", lines: [] }] },
    {},
    { event: "r1", number: NUMBER },
  ],
  [
    "annulment_review",
    anOrder(),
    { events: [{ id: "v1", type: "void", lines: [] }] },
    {},
    { number: NUMBER },
  ],
];

describe("held after the invoice", () => {
  test.each(AFTER_THE_INVOICE)("%s", (code, first, change, situation, facts) => {
    const after = next(course(first), change, situation);
    expect(outcomeOf(after.decision)).toBe(`held ${code}`);
    expect(after.decision.reasons[0]?.facts).toEqual(facts);
    expect(after.issued).toHaveLength(1);
  });

  const acted = () => next(course(anOrder()), { events: [refundOf("r1", "10+2.10@21")] });

  test("correction_event_changed", () => {
    const after = next(acted(), { events: [refundOf("r1", "10+2.10@21", { type: "return" })] });
    expect(outcomeOf(after.decision)).toBe("held correction_event_changed");
  });

  test("refund_possibly_repeated", () => {
    const after = next(acted(), {
      events: [refundOf("r1", "10+2.10@21"), refundOfAmount("refund:9", "12.10")],
    });
    expect(outcomeOf(after.decision)).toBe("held refund_possibly_repeated");
    expect(after.decision.reasons[0]?.facts).toEqual({ event: "refund:9", other: "r1" });
  });
});

describe("not held, and without an invoice", () => {
  test.each<Row>([
    ["deferred", anOrder(), { issuer: { consented: false } }, { connection: "Tienda" }],
    [
      "before_cutoff",
      anOrder({ orderedAt: Date.parse("2025-12-31T23:59:59+01:00") }),
      {},
      { order_date: day("2025-12-31"), cutoff_date: day("2026-01-01") },
    ],
    [
      "store_not_selected",
      anOrder({ storeId: "3" }),
      { settings: { selectedStores: ["1", "2"] } },
      { store: "3" },
    ],
    [
      "tag_ignored",
      anOrder({ tags: ["prueba"], total: decimal("1") }),
      { settings: { tagRules: [{ tag: "Prueba", action: "ignore" }] } },
      { tag: "prueba" },
    ],
    ["zero_total", anOrder({ discounts: [aDiscount("121")] }), {}, {}],
    ["nothing_to_invoice", anOrder({ breakdown: VOUCHER }), {}, {}],
    [
      "invoiced_elsewhere",
      anOrder({ total: decimal("1") }),
      { sales: { issuingMode: "none" } },
      { connection: "Tienda" },
    ],
    ["test_order", anOrder({ isTest: true }), {}, {}],
    ["not_a_candidate", anOrder({ isCandidate: false }), {}, {}],
    [
      "invoiced_elsewhere",
      anOrder({ total: decimal("1") }),
      underProfile({ issuingMode: "none" }),
      { profile: "Web" },
    ],
    ["cancelled_before_invoice", anOrder({ events: [CANCELLATION], isCancelled: true }), {}, {}],
    ["dismissed", anOrder({ total: decimal("1") }), { answers: { dismissed: true } }, {}],
  ])("%s", (code, order, situation, facts) => {
    const decision = decide(order, situation);
    expect(codesOf(decision)).toEqual([code]);
    expect(decision.state).toBe(STATES[code] ?? "stored");
    expect(decision.reasons[0]?.facts).toEqual(facts);
    expect(decision.effects).toEqual([]);
  });

  const STATES: Readonly<Record<string, string>> = {
    deferred: "deferred",
    before_cutoff: "before_cutoff",
    store_not_selected: "store_not_selected",
    cancelled_before_invoice: "cancelled",
  };
});

test("every reason has its row here", () => {
  const shown = [
    ...BEFORE_THE_INVOICE.map(([code]) => code),
    ...AFTER_THE_INVOICE.map(([code]) => code),
    "discounts_probably_included",
    "too_many_tax_groups",
    "correction_event_changed",
    "refund_possibly_repeated",
    "reactivated",
  ];
  const holding = ORDER_REASONS.filter((row) => row.holds).map(({ code }) => code);
  expect(new Set(shown)).toEqual(new Set(holding));
});

test("the facts of every reason are those of one of its sentences", () => {
  const told = [
    ...[...BEFORE_THE_INVOICE, ...OTHERWISE].map(([code, , , facts]) => ({ code, facts })),
    ...AFTER_THE_INVOICE.map(([code, , , , facts]) => ({ code, facts })),
  ];
  for (const { code, facts } of told.filter((each) => each.code !== "not_invoiceable")) {
    const row = ORDER_REASONS.find((each) => each.code === code);
    const forms: readonly (readonly string[])[] = row
      ? [row.facts, ...("otherFacts" in row ? [row.otherFacts] : [])]
      : [];
    expect(forms.map((names) => [...names].sort())).toContainEqual(Object.keys(facts).sort());
  }
});

test("facts older than the stored ones are reported with both times, in the issuer's zone", () => {
  const received = Date.parse("2026-11-27T09:30:00Z");
  expect(staleWarning({ received, stored: received + 1000 }, "Atlantic/Canary")).toEqual({
    code: "stale_payload",
    facts: {
      received: { moment: "2026-11-27T09:30:00+00:00" },
      stored: { moment: "2026-11-27T09:30:01+00:00" },
    },
  });
});

describe("the ladder", () => {
  test("every reason to hold is collected, in its order", () => {
    const order = anOrder({
      breakdown: linesOf("100+10@21"),
      total: decimal("100"),
      unmappedTotals: [unmapped("a", "1")],
      discounts: [aDiscount("5", { kind: "unknown" })],
      tags: ["mayorista"],
      client: { ...A_COMPANY, vatNumber: "B12345675" },
      operationDate: civilDate("2026-12-01"),
    });
    const decision = decide(order, {
      sales: { issuingMode: "review" },
      settings: { tagRules: [{ tag: "mayorista", action: "hold" }] },
    });
    expect(codesOf(decision)).toEqual([
      "tag_hold",
      "totals_mismatch",
      "untreated_total",
      "discount_kind_unknown",
      "tax_mismatch",
      "tax_identifier_invalid",
      "manual_issuing",
      "order_date_in_future",
    ]);
  });

  test("without a profile only reasons that no profile could change are reported with it", () => {
    const order = anOrder({ total: decimal("1"), unmappedTotals: [unmapped("a", "1")] });
    const decision = decide(order, { settings: { profiles: [{ ...profile, channel: "web" }] } });
    expect(codesOf(decision)).toEqual(["profile_not_matched", "totals_mismatch"]);
  });

  test.each<[string, OrderFacts, Situation, string]>([
    [
      "consent comes before the cutoff",
      anOrder({ orderedAt: 0 }),
      { issuer: { consented: false } },
      "deferred deferred",
    ],
    [
      "the day of the cutoff is included",
      anOrder({ orderedAt: Date.parse("2026-01-01T00:00:00+01:00") }),
      {},
      "invoiced",
    ],
    [
      "an order from before it that was released",
      anOrder({ orderedAt: Date.parse("2025-06-01T00:00:00Z") }),
      { answers: { released: true } },
      "invoiced",
    ],
    ["all stores", anOrder({ storeId: "9" }), { settings: { selectedStores: "all" } }, "invoiced"],
    [
      "a store among those selected",
      anOrder({ storeId: "2" }),
      { settings: { selectedStores: ["1", "2"] } },
      "invoiced",
    ],
    [
      "no store where some are selected",
      anOrder(),
      { settings: { selectedStores: ["1"] } },
      "store_not_selected store_not_selected",
    ],
    [
      "approved in review mode",
      anOrder(),
      { sales: { issuingMode: "review" }, answers: { approved: true } },
      "invoiced",
    ],
    ["dismissed", anOrder({ total: decimal("1") }), { answers: { dismissed: true } }, "stored dismissed"],
    [
      "assigned to a profile",
      anOrder(),
      { settings: { profiles: [profile, { ...profile, id: "p2" }] }, answers: { profileId: "p2" } },
      "invoiced",
    ],
    [
      "a status that means cancelled",
      anOrder({ status: "6" }),
      cancelledStatus,
      "cancelled cancelled_before_invoice",
    ],
    [
      "a status that means cancelled, of an order that asked for nothing",
      anOrder({ status: "6", isCandidate: false }),
      cancelledStatus,
      "cancelled cancelled_before_invoice",
    ],
    [
      "a test with a status that means cancelled",
      anOrder({ status: "6", isTest: true, isCandidate: false }),
      cancelledStatus,
      "stored test_order",
    ],
    [
      "a status called like a member of every object",
      anOrder({ status: "constructor" }),
      cancelledStatus,
      "invoiced",
    ],
    [
      "a code called so",
      anOrder({ unmappedTotals: [unmapped("constructor", "1")] }),
      {},
      "held untreated_total",
    ],
    [
      "an amount of nothing needs no treatment",
      anOrder({ unmappedTotals: [unmapped("a", "0")] }),
      {},
      "invoiced",
    ],
    [
      "a full refund before the invoice",
      anOrder({ events: [refundOfAmount("r1", "121")] }),
      {},
      "cancelled cancelled_before_invoice",
    ],
    [
      "a void before the invoice",
      anOrder({ events: [{ id: "v", type: "void", lines: [] }] }),
      {},
      "cancelled cancelled_before_invoice",
    ],
    [
      "cancelled without having been a candidate",
      anOrder({ isCandidate: false, isCancelled: true, events: [CANCELLATION] }),
      {},
      "cancelled cancelled_before_invoice",
    ],
    [
      "an unknown event says nothing",
      anOrder({ events: [{ id: "u", type: "unknown", amount: decimal("-5"), lines: [] }] }),
      {},
      "invoiced",
    ],
    ["an empty order of nothing", anOrder({ breakdown: [] }), {}, "stored zero_total"],
    [
      "a total of 1e12",
      anOrder({ breakdown: linesOf("999999999999+209999999999.79@21"), client: A_COMPANY }),
      {},
      "held not_invoiceable",
    ],
    ["a negative order", anOrder({ breakdown: linesOf("-100+-21@21") }), {}, "held not_invoiceable"],
    [
      "a currency that is none",
      anOrder({ currency: "ZZZ" }),
      { answers: { exchangeRate: { rate: decimal("2"), date: civilDate("2026-11-20") } } },
      "held currency_not_quoted",
    ],
  ])("%s", (_, order, situation, outcome) => {
    expect(outcomeOf(decide(order, situation))).toBe(outcome);
  });

  test("a correction of an order from before the cutoff belongs to the system before", () => {
    const order = anOrder({
      orderedAt: Date.parse("2025-06-01T00:00:00Z"),
      events: [refundOfAmount("r1", "10")],
    });
    const decision = decide(order);
    expect(outcomeOf(decision)).toBe("before_cutoff before_cutoff");
    expect(decision.warnings).toEqual([
      { code: "rectify_in_previous_system", facts: { cutoff_date: day("2026-01-01") } },
    ]);
  });
});
