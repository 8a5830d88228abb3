/** The sentence of a reason names an answer that exists, and it settles the reason. */
import { describe, expect, test } from "vitest";
import { destinationsOf, UNDECLARED } from "../../../src/domain/billing/sales-settings.ts";
import type { OrderAnswer } from "../../../src/domain/order/answers/table.ts";
import { answersTo, ORDER_REASONS, type ReasonCode } from "../../../src/domain/order/reasons.ts";
import { aboutFact } from "../../../src/domain/order/shop-facts.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  answering,
  asItStands,
  later,
  type Placed,
  placed,
  verdict,
} from "../../support/builders/answers.ts";
import {
  A_COMPANY,
  A_PERSON,
  aDiscount,
  anOrder,
  CANCELLATION,
  groupsIn,
  linesOf,
  outcomeOf,
  refundOf,
  refundOfAmount,
  type Situation,
  TWO_RATES,
  unmapped,
} from "../../support/builders/orders.ts";

type Row = readonly [reason: ReasonCode, place: Placed, answer: OrderAnswer, outcome: string];

const CREDIT = { kind: "customer_credit" } as const;
const WEB = { id: "p1", name: "Web", channel: "web", stem: "W", sales: UNDECLARED };
const STORE = { id: "p2", name: "Tienda", storeId: "2", stem: "T", sales: UNDECLARED };
const PROFILED: Situation = { settings: { profiles: [WEB, STORE] } };
const CANCELLED: Situation = { settings: { statuses: { "6": { name: "Cancelado", cancelled: true } } } };
const NOT_QUOTED: Situation = { rates: () => ({ outcome: "not_quoted" }) };
const REVIEWED: Situation = { sales: { issuingMode: "review" } };
const A_BELGIAN = anOrder({
  client: { ...A_COMPANY, vatNumber: "", country: "BE" },
  breakdown: linesOf("100+0@0"),
});
const VOID = { id: "v1", type: "void", lines: [] } as const;
const rate = (text: string, date = "2026-11-26"): OrderAnswer => ({
  answer: "enter_exchange_rate",
  rate: decimal(text),
  date: civilDate(date),
});
const treatment = (as: "payment" | "discount" | "ignore_non_taxable"): OrderAnswer => ({
  answer: "declare_treatment",
  code: "COD",
  treatment: { as },
});
const fee: OrderAnswer = {
  answer: "declare_treatment",
  code: "COD",
  treatment: { as: "fee", rate: decimal("21") },
};
const shares = (...each: readonly string[]): OrderAnswer => ({
  answer: "share_event",
  eventId: "r1",
  shares: each.map((share) => {
    const [gross = "", of = ""] = share.split("@");
    return { rate: decimal(of), gross: decimal(gross) };
  }),
});

const RATE_OF_10 = { what: "tax_rate", where: "l1", stated: "10", computed: "21" };
const ABOUT_RATE = aboutFact(
  { what: "tax_rate", where: "l1" },
  anOrder({ breakdown: linesOf("100+21@0#l1") }),
);
const ABOUT_RATE_OF_10 = aboutFact(RATE_OF_10, anOrder({ breakdown: linesOf("100+21@10#l1") }));
const TAX_OF_22 = [{ rate: decimal("21"), tax: decimal("22") }];

const BEFORE_THE_INVOICE: readonly Row[] = [
  [
    "totals_mismatch",
    placed(anOrder({ total: decimal("121.01") })),
    { answer: "rounding", rate: decimal("21") },
    "invoiced",
  ],
  [
    "shop_facts_missing",
    placed(anOrder({ breakdown: linesOf("100+21@0#l1"), missing: [{ what: "tax_rate", where: "l1" }] })),
    { answer: "enter_tax_rate", about: ABOUT_RATE, rate: decimal("21") },
    "invoiced",
  ],
  [
    "shop_facts_missing",
    placed(anOrder({ client: {}, missing: [{ what: "country" }] })),
    { answer: "enter_country", country: "es" },
    "invoiced",
  ],
  [
    "shop_facts_missing",
    placed(anOrder({ missing: [{ what: "vat_number" }] })),
    { answer: "enter_recipient", recipient: { vatNumber: "12345678Z" } },
    "invoiced",
  ],
  [
    "shop_facts_missing",
    placed(anOrder({ missing: [{ what: "transactions" }] })),
    { answer: "release" },
    "invoiced",
  ],
  [
    "shop_facts_contradict",
    placed(anOrder({ breakdown: linesOf("100+21@10#l1"), missing: [RATE_OF_10] })),
    { answer: "enter_tax_rate", about: ABOUT_RATE_OF_10, rate: decimal("21") },
    "invoiced",
  ],
  [
    "shop_facts_contradict",
    placed(anOrder({ missing: [{ what: "vat_number", stated: "X", computed: "Y" }] })),
    { answer: "enter_recipient", recipient: { vatNumber: "12345678Z" } },
    "invoiced",
  ],
  [
    "shop_facts_contradict",
    placed(anOrder({ missing: [{ what: "discounts", stated: "20", computed: "0" }] })),
    { answer: "release" },
    "invoiced",
  ],
  ["tax_totals_mismatch", placed(anOrder({ taxTotals: TAX_OF_22 })), { answer: "release" }, "invoiced"],
  ["test_order", placed(anOrder({ isTest: true })), { answer: "release" }, "invoiced"],
  [
    "profile_not_matched",
    placed(anOrder({ sourceChannel: "pos" }), PROFILED),
    { answer: "assign_profile", profileId: "p2" },
    "invoiced",
  ],
  [
    "profile_ambiguous",
    placed(anOrder({ sourceChannel: "web", storeId: "2" }), PROFILED),
    { answer: "assign_profile", profileId: "p1" },
    "invoiced",
  ],
  [
    "tag_hold",
    placed(anOrder({ tags: ["vip"] }), { settings: { tagRules: [{ tag: "VIP", action: "hold" }] } }),
    { answer: "approve" },
    "invoiced",
  ],
  [
    "discounts_probably_included",
    placed(anOrder({ discounts: [aDiscount("21")], total: decimal("121") })),
    { answer: "declare_sales", sales: { discountsIncluded: true } },
    "invoiced",
  ],
  ["untreated_total", placed(anOrder({ unmappedTotals: [unmapped("cod", "3.63")] })), fee, "invoiced"],
  [
    "untreated_total",
    placed(anOrder({ unmappedTotals: [unmapped("cod", "-21")] })),
    treatment("payment"),
    "invoiced",
  ],
  [
    "treatment_hold",
    placed(anOrder({ unmappedTotals: [unmapped("cod", "-21")] }), {
      sales: { treatments: { cod: { as: "hold" } } },
    }),
    treatment("discount"),
    "invoiced",
  ],
  [
    "treatment_sign",
    placed(anOrder({ unmappedTotals: [unmapped("cod", "10")] }), {
      sales: { treatments: { cod: { as: "payment" } } },
    }),
    treatment("ignore_non_taxable"),
    "invoiced",
  ],
  [
    "discount_kind_unknown",
    placed(anOrder({ discounts: [aDiscount("21", { kind: "unknown" })] })),
    { answer: "declare_discount", name: "Cupón", as: "discount" },
    "invoiced",
  ],
  [
    "customer_credit_review",
    placed(anOrder({ discounts: [aDiscount("21", CREDIT)] }), { sales: { customerCredit: "review" } }),
    { answer: "declare_discount", name: "Cupón", as: "payment" },
    "invoiced",
  ],
  [
    "customer_credit_review",
    placed(anOrder({ discounts: [aDiscount("21", CREDIT)] }), { sales: { customerCredit: "review" } }),
    { answer: "declare_sales", sales: { customerCredit: "payment" } },
    "invoiced",
  ],
  [
    "credit_covers_total",
    placed(anOrder({ discounts: [aDiscount("121", CREDIT)] })),
    { answer: "declare_discount", name: "Cupón", as: "discount" },
    "stored zero_total",
  ],
  [
    "voucher_kind_conflict",
    placed(anOrder({ breakdown: linesOf("gift_voucher:50+10.50@21") })),
    { answer: "declare_sales", sales: { voucherKind: "single_purpose" } },
    "invoiced",
  ],
  [
    "zero_rate_basis_missing",
    placed(anOrder({ breakdown: linesOf("100+0@0") })),
    { answer: "declare_sales", sales: { zeroRateBasis: "E1" } },
    "invoiced",
  ],
  [
    "foreign_customer",
    placed(anOrder({ client: { ...A_PERSON, country: "FR" } })),
    { answer: "declare_sales", sales: { destinations: destinationsOf("domestic") } },
    "invoiced",
  ],
  [
    "foreign_customer",
    placed(A_BELGIAN, { sales: { destinations: { euBusiness: "intra_community" } } }),
    { answer: "enter_recipient", recipient: { vatNumber: "BE0477472701" } },
    "invoiced",
  ],
  [
    "destination_conflict",
    placed(A_BELGIAN, { sales: { destinations: { euConsumer: "oss", euBusiness: "intra_community" } } }),
    { answer: "enter_recipient", recipient: { vatNumber: "BE0477472701" } },
    "invoiced",
  ],
  [
    "destination_conflict",
    placed(anOrder({ client: { ...A_PERSON, country: "FR" } }), {
      sales: { destinations: { outsideEu: "export", euConsumer: "oss" } },
      issuer: { territory: "peninsula" },
      answers: { country: "US" },
    }),
    { answer: "declare_sales", sales: { destinations: { outsideEu: "domestic" } } },
    "invoiced",
  ],
  [
    "destination_conflict",
    placed(
      anOrder({
        client: { ...A_COMPANY, vatNumber: "DE282741168", country: "DE" },
        breakdown: linesOf("100+19@19"),
      }),
      { sales: { destinations: { euConsumer: "oss" } } },
    ),
    { answer: "enter_recipient", recipient: { vatNumber: "" } },
    "invoiced",
  ],
  [
    "oss_rate_unknown",
    placed(
      anOrder({
        client: { ...A_PERSON, country: "DE" },
        breakdown: linesOf("100+18@18"),
      }),
      { sales: { destinations: { euConsumer: "oss" } } },
    ),
    { answer: "keep_oss_rate", from: civilDate("2026-11-27") },
    "invoiced",
  ],
  [
    "oss_rate_unknown",
    placed(anOrder({ client: { ...A_PERSON, country: "FR" } }), {
      sales: { destinations: { euConsumer: "oss" } },
    }),
    { answer: "declare_sales", sales: { destinations: { euConsumer: "domestic" } } },
    "invoiced",
  ],
  [
    "territory_review",
    placed(anOrder({ breakdown: linesOf("100+0@0"), delivery: { country: "ES", postcode: "35001" } })),
    { answer: "declare_sales", sales: { destinations: { outsideEu: "export", otherSpanish: "export" } } },
    "invoiced",
  ],
  [
    "country_unknown",
    placed(anOrder({ client: {}, breakdown: linesOf("100+0@0") }), {
      sales: { destinations: { outsideEu: "export", otherSpanish: "export" } },
    }),
    { answer: "enter_country", country: "us" },
    "invoiced",
  ],
  [
    "country_unknown",
    placed(anOrder({ client: { ...A_PERSON, country: "ZZ" } })),
    { answer: "enter_country", country: "es" },
    "invoiced",
  ],
  [
    "exchange_rate_unavailable",
    placed(anOrder({ currency: "USD" }), { today: civilDate("2026-11-29") }),
    rate("1.1"),
    "invoiced",
  ],
  ["currency_not_quoted", placed(anOrder({ currency: "ARS" }), NOT_QUOTED), rate("1610.25"), "invoiced"],
  [
    "tax_identifier_invalid",
    placed(anOrder({ client: { ...A_COMPANY, vatNumber: "B12345675" } })),
    { answer: "enter_recipient", recipient: { vatNumber: "B12345674" } },
    "invoiced",
  ],
  [
    "recipient_incomplete",
    placed(anOrder({ breakdown: linesOf("400+84@21") })),
    { answer: "enter_recipient", recipient: { vatNumber: "12345678-z" } },
    "invoiced",
  ],
  [
    "recipient_incomplete",
    placed(anOrder({ breakdown: linesOf("400+84@21") })),
    { answer: "declare_sales", sales: { article42: "retail_sale" } },
    "invoiced",
  ],
  [
    "recipient_incomplete",
    placed(anOrder({ breakdown: linesOf("400+84@21") }), {
      issuer: { authorisation: { number: "A-1", limit: decimal("500") } },
    }),
    { answer: "declare_sales", sales: { underAuthorisation: true } },
    "invoiced",
  ],
  ["manual_issuing", placed(anOrder(), REVIEWED), { answer: "approve" }, "invoiced"],
  [
    "over_refund",
    placed(anOrder({ events: [refundOfAmount("r1", "200")] })),
    { answer: "dismiss", why: "Está mal", which: [dismissalOf(refundOfAmount("r1", "200"))] },
    "invoiced",
  ],
  [
    "refund_lines_needed",
    placed({ ...TWO_RATES, events: [refundOfAmount("r1", "20")] }),
    shares("12.10@21", "7.90@10"),
    "invoiced",
  ],
  [
    "before_cutoff",
    placed(anOrder(), { settings: { cutoffDate: civilDate("2026-11-28") } }),
    { answer: "release" },
    "invoiced",
  ],
];

const OTHER_FORM = [refundOfAmount("refund:7", "12.10"), refundOf("8", "10+2.10@21")];

const REACTIVATED = later(
  later(placed(anOrder()), { isCandidate: false, isCancelled: true, events: [CANCELLATION] }),
  { isCandidate: true, isCancelled: false },
);

const AFTER_THE_INVOICE: readonly Row[] = [
  [
    "status_cancelled",
    later(placed(anOrder({ status: "5" }), CANCELLED), { status: "6" }),
    { answer: "issue_cancellation" },
    "rectified",
  ],
  ["reactivated", REACTIVATED, { answer: "issue" }, "invoiced"],
  [
    "changed_after_invoice",
    later(placed(TWO_RATES), { breakdown: linesOf("100+21@21"), total: decimal("121") }),
    { answer: "dismiss", why: "La factura es buena" },
    "invoiced",
  ],
  [
    "refund_possibly_repeated",
    later(later(placed(anOrder()), { events: OTHER_FORM.slice(0, 1) }), { events: OTHER_FORM }),
    { answer: "mark_distinct", eventId: "8" },
    "partially_rectified",
  ],
  [
    "over_refund",
    later(placed(anOrder()), { events: [refundOfAmount("r1", "200")] }),
    { answer: "dismiss", why: "Está mal" },
    "invoiced",
  ],
  [
    "refund_lines_needed",
    later(placed(TWO_RATES), { events: [refundOfAmount("r1", "20")] }),
    shares("7.90@10", "12.10@21"),
    "partially_rectified",
  ],
  [
    "annulment_review",
    later(placed(anOrder()), { events: [VOID] }),
    { answer: "confirm_annulment", eventId: "v1" },
    "cancelled",
  ],
  [
    "annulment_review",
    later(placed(anOrder()), { events: [VOID] }),
    { answer: "dismiss", why: "Sí hubo venta" },
    "invoiced",
  ],
  [
    "tax_identifier_invalid",
    later(placed(anOrder()), { asksFullInvoice: true, client: { ...A_COMPANY, vatNumber: "B12345675" } }),
    { answer: "enter_recipient", recipient: { vatNumber: "B12345674" } },
    "invoiced",
  ],
  [
    "recipient_incomplete",
    later(placed(anOrder()), { asksFullInvoice: true }),
    { answer: "enter_recipient", recipient: { vatNumber: "12345678Z" } },
    "invoiced",
  ],
  [
    "recipient_incomplete",
    later(placed(anOrder()), { asksFullInvoice: true }),
    { answer: "dismiss", why: "Sin NIF no hay completa" },
    "invoiced",
  ],
];

const ROWS = [...BEFORE_THE_INVOICE, ...AFTER_THE_INVOICE].map(
  ([code, place, answer, outcome]) => [code, answer.answer, place, answer, outcome] as const,
);

test.each(ROWS)("%s is settled by %s", (code, kind, place, answer, outcome) => {
  expect(asItStands(place).reasons.map((reason) => reason.code)).toContain(code);
  expect(answersTo(code)).toContain(kind);
  const after = answering(place, answer);
  expect(outcomeOf(after.course.decision)).toBe(outcome);
  expect(after.answered.isRepeat).toBe(false);
});

/** Reasons that only the shop or the calendar can settle; the order can always be dismissed. */
const FOR_THE_SHOP: readonly ReasonCode[] = [
  "tax_mismatch",
  "order_date_in_future",
  "too_many_tax_groups",
  "not_invoiceable",
  "correction_amount_mismatch",
  "correction_event_changed",
  "rate_not_invoiced",
  "correction_increases",
];

test("every reason that holds has its answer here, or is for the shop to settle", () => {
  const settled = new Set<string>([...ROWS.map(([code]) => code), ...FOR_THE_SHOP]);
  const left = ORDER_REASONS.filter(({ code, holds }) => holds && !settled.has(code));
  expect(left.map(({ code }) => code)).toEqual([]);
});

test("every answer that is named for a reason settles it in a row", () => {
  const shown = new Set(ROWS.map(([code, kind]) => `${code} ${kind}`));
  const named = ORDER_REASONS.flatMap(({ code }) =>
    answersTo(code)
      .filter((kind) => kind !== "dismiss")
      .map((kind) => `${code} ${kind}`),
  );
  expect(named.filter((each) => !shown.has(each))).toEqual(ELSEWHERE);
});

/** Shown in tests of their own, because the answer does something else besides. */
const ELSEWHERE = [
  "totals_mismatch declare_sales",
  "credit_covers_total declare_sales",
  "over_refund share_event",
  "rate_not_invoiced share_event",
  "annulment_review issue_cancellation",
  "invoiced_elsewhere release",
];

describe("the others", () => {
  test("a fee of a one-stop-shop sale, by the rate of the place", () => {
    const order = anOrder({
      client: { ...A_PERSON, country: "DE" },
      breakdown: linesOf("100+19@19"),
      unmappedTotals: [unmapped("cod", "11.90")],
    });
    const place = placed(order, {
      sales: {
        destinations: { euConsumer: "oss" },
        treatments: { cod: { as: "fee", rate: decimal("21") } },
      },
    });
    expect(asItStands(place).reasons.map(({ code }) => code)).toEqual(["oss_rate_unknown"]);
    const after = answering(place, {
      answer: "declare_treatment",
      code: "cod",
      treatment: { as: "fee", rate: decimal("19") },
    });
    expect(outcomeOf(after.course.decision)).toBe("invoiced");
    expect(after.course.issued[0] && groupsIn(after.course.issued[0])).toEqual(["19: 110.00 / 20.90"]);
  });

  test("an order that does not add up, by the declaration that its discounts are included", () => {
    const place = placed(anOrder({ discounts: [aDiscount("21")], total: decimal("121") }));
    expect(asItStands(place).reasons.map(({ code }) => code)).toContain("totals_mismatch");
    const answer = { answer: "declare_sales", sales: { discountsIncluded: true } } as const;
    expect(outcomeOf(answering(place, answer).course.decision)).toBe("invoiced");
  });

  test("credit that covers the total, by the declaration that it pays", () => {
    const place = placed(anOrder({ discounts: [aDiscount("121", CREDIT)] }));
    const answer = { answer: "declare_sales", sales: { customerCredit: "payment" } } as const;
    expect(outcomeOf(answering(place, answer).course.decision)).toBe("invoiced");
  });

  test("a sale that was invoiced elsewhere when it came, once that is no longer so", () => {
    const place = placed(anOrder(), { sales: { issuingMode: "none" } });
    expect(outcomeOf(place.course.decision)).toBe("stored invoiced_elsewhere");
    expect(verdict(place, { answer: "release" })).toBe("order_not_before_cutoff");
    const today = later(place, {}, { sales: {} });
    expect(outcomeOf(today.course.decision)).toBe("stored invoiced_elsewhere");
    expect(outcomeOf(answering(today, { answer: "release" }).course.decision)).toBe("invoiced");
  });

  test("shares that others have overtaken can be given anew", () => {
    const first = answering(later(placed(TWO_RATES), { events: [refundOfAmount("r1", "20")] }, WITHDRAWN), {
      answer: "share_event",
      eventId: "r1",
      shares: [{ rate: decimal("10"), gross: decimal("20") }],
    });
    const events = [refundOf("r0", "90+9@10"), refundOfAmount("r1", "20")];
    const overtaken = later(
      first,
      { events },
      { issuer: { consented: true }, answers: first.answered.answers },
    );
    expect(outcomeOf(overtaken.course.decision)).toBe("held over_refund");
    const anew = answering(overtaken, shares("9@21", "11@10"));
    expect(outcomeOf(anew.course.decision)).toBe("partially_rectified");
  });

  test("a sale that the shop takes for void, by giving back what remains", () => {
    const events = [refundOfAmount("r1", "12.10"), VOID];
    const place = later(placed(anOrder()), { events });
    const after = answering(place, { answer: "issue_cancellation" });
    expect(outcomeOf(after.course.decision)).toBe("held annulment_review");
    const done = answering(after, { answer: "dismiss", why: "Sí hubo venta" });
    expect(outcomeOf(done.course.decision)).toBe("rectified");
  });
});

const WITHDRAWN: Situation = { issuer: { consented: false } };

describe("events that are to be dismissed", () => {
  const first = () => placed(anOrder());
  const applied = () => later(first(), { events: [refundOf("r1", "10+2.10@21")] });

  test.each<[ReasonCode, Placed]>([
    [
      "correction_amount_mismatch",
      later(first(), { events: [refundOf("r1", "10+2.10@21", { amount: decimal("-12") })] }),
    ],
    ["correction_event_changed", later(applied(), { events: [refundOf("r1", "20+4.20@21")] })],
    [
      "refund_possibly_repeated",
      later(later(first(), { events: OTHER_FORM.slice(0, 1) }), { events: OTHER_FORM }),
    ],
    ["rate_not_invoiced", later(first(), { events: [refundOf("r1", "10+1@10")] })],
    ["correction_increases", later(first(), { events: [refundOf("r1", "-10+-2.10@21")] })],
    ["refund_lines_needed", later(placed(TWO_RATES), { events: [refundOfAmount("r1", "20")] })],
    ["status_cancelled", later(placed(anOrder({ status: "5" }), CANCELLED), { status: "6" })],
  ])("%s", (code, place) => {
    expect(outcomeOf(place.course.decision)).toBe(`held ${code}`);
    const documents = place.course.issued.length;
    const after = answering(place, { answer: "dismiss", why: "Ya está bien así" });
    expect([after.course.decision.reasons, after.course.issued.length]).toEqual([[], documents]);
  });
});

test("a dismissal of one thing leaves the others", () => {
  const events = [refundOfAmount("r1", "200"), refundOfAmount("r2", "300")];
  const place = later(placed(anOrder()), { events });
  const which = [dismissalOf(refundOfAmount("r1", "200"))];
  const after = answering(place, { answer: "dismiss", why: "Repetida", which });
  expect(outcomeOf(after.course.decision)).toBe("held over_refund");
});

function dismissalOf(event: ReturnType<typeof refundOfAmount>) {
  const place = placed(anOrder({ events: [event] }));
  const [reason] = asItStands(place).reasons;
  return { code: reason?.code ?? "zero_total", about: reason?.about ?? "" } as const;
}
