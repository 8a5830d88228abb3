/** Every refusal of an owner's answer, with its facts, in both languages. */
import { describe, expect, test } from "vitest";
import { UNDECLARED } from "../../../src/domain/billing/sales-settings.ts";
import { ANSWER_REFUSALS, type AnswerRefusalCode } from "../../../src/domain/order/answers/answer.ts";
import { type OrderAnswer, withAnswer } from "../../../src/domain/order/answers/table.ts";
import { type CivilDate, civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import type { Facts } from "../../../src/domain/shared/fact.ts";
import { asItStands, later, type Placed, placed } from "../../support/builders/answers.ts";
import { all, anyPercent, eur, percent } from "../../support/builders/facts.ts";
import {
  A_COMPANY,
  A_PERSON,
  aDiscount,
  anOrder,
  CANCELLATION,
  linesOf,
  refundOf,
  refundOfAmount,
  type Situation,
  TWO_RATES,
  unmapped,
} from "../../support/builders/orders.ts";
import { refusalIn } from "../../support/rules/readable.ts";

type Row = readonly [
  code: AnswerRefusalCode,
  what: string,
  place: Placed,
  answer: OrderAnswer,
  facts: Facts,
  path?: string,
];

const day = (date: string): { readonly date: CivilDate } => ({ date: civilDate(date) });
const HELD = placed(anOrder({ breakdown: linesOf("100+10@21") }));
const INVOICED = placed(anOrder());
const VOID = { id: "v1", type: "void", lines: [] } as const;
const ANNULLED = later(INVOICED, { events: [VOID] }, { answers: { confirmedVoids: ["v1"] } });
const GIVEN_BACK = later(INVOICED, { events: [refundOfAmount("r1", "121")] });
const REPLACED = later(INVOICED, { asksFullInvoice: true, client: A_COMPANY });
const REFUND_OF_TWO = later(placed(TWO_RATES), { events: [refundOfAmount("r1", "20")] });
const NUMBER = "PED-1S-2026-000001";

const LINE_RATE = { what: "tax_rate", where: "l9" };
const RATELESS = placed(anOrder({ breakdown: linesOf("100+21@0"), missing: [LINE_RATE] }));
const LINED = placed(anOrder({ breakdown: linesOf("100+21@0#l9"), missing: [LINE_RATE] }));
const aboutIn = ({ course }: Placed) => course.decision.reasons[0]?.about ?? "";

const WEB = { id: "p1", name: "Web", channel: "web", stem: "W", sales: UNDECLARED };
const POS = { id: "p2", name: "Caja", channel: "pos", stem: "C", sales: UNDECLARED };
const OF_WEB: Situation = { settings: { profiles: [WEB, POS] } };

const dollars = (situation: Situation = {}) => placed(anOrder({ currency: "USD" }), situation);
const rate = (text: string, date = "2026-11-26"): OrderAnswer => ({
  answer: "enter_exchange_rate",
  rate: decimal(text),
  date: civilDate(date),
});
const WAITED: Situation = { today: civilDate("2026-11-30") };
const giveDollars = { phrase: "give_rate", currency: "USD" } as const;

const treating = (code: string, fee: string): OrderAnswer => ({
  answer: "declare_treatment",
  code,
  treatment: { as: "fee", rate: decimal(fee) },
});
const naming = (name: string): OrderAnswer => ({ answer: "declare_discount", name, as: "discount" });
const sharing = (...each: readonly string[]): OrderAnswer => ({
  answer: "share_event",
  eventId: "r1",
  shares: each.map((share) => {
    const [gross = "", of = ""] = share.split("@");
    return { rate: decimal(of), gross: decimal(gross) };
  }),
});
const full = (recipient = {}): OrderAnswer => ({ answer: "ask_full_invoice", recipient });
const entering = (recipient: object): OrderAnswer => ({ answer: "enter_recipient", recipient });
const keeping = (from: string): OrderAnswer => ({ answer: "keep_oss_rate", from: civilDate(from) });
const rounding = (rate: string): OrderAnswer => ({ answer: "rounding", rate: decimal(rate) });
const voiding: OrderAnswer = { answer: "confirm_annulment", eventId: "v1" };

const ROWS: readonly Row[] = [
  ["order_already_invoiced", "a release", INVOICED, { answer: "release" }, { number: NUMBER }],
  [
    "order_already_invoiced",
    "by the number that took its place",
    REPLACED,
    { answer: "approve" },
    { number: "PED-1-2026-000002" },
  ],
  ["order_not_invoiced", "a cancellation", HELD, { answer: "issue_cancellation" }, {}],
  ["order_not_invoiced", "an annulment", HELD, voiding, {}],
  ["order_not_invoiced", "a full invoice", HELD, full(A_COMPANY), {}],
  [
    "order_dismissed",
    "a release",
    placed(anOrder(), {
      settings: { cutoffDate: civilDate("2026-11-28") },
      answers: { dismissed: true },
    }),
    { answer: "release" },
    {},
  ],
  [
    "order_not_before_cutoff",
    "an order that is held for something else",
    HELD,
    { answer: "release" },
    { order_date: day("2026-11-27"), cutoff_date: day("2026-01-01") },
  ],
  [
    "order_not_held",
    "of an order that does not ask for one",
    placed(anOrder({ isCandidate: false })),
    naming("X"),
    {},
  ],
  [
    "invoice_already_replaced",
    "a second full invoice",
    REPLACED,
    full(A_COMPANY),
    { number: NUMBER, successor: "PED-1-2026-000002" },
  ],
  ["invoice_annulled", "a full invoice", ANNULLED, full(A_COMPANY), { number: NUMBER }],
  ["invoice_annulled", "a cancellation", ANNULLED, { answer: "issue_cancellation" }, { number: NUMBER }],
  [
    "profile_unknown",
    "a missing profile",
    placed(anOrder(), OF_WEB),
    { answer: "assign_profile", profileId: "p9" },
    { profile: "p9" },
    "profile_id",
  ],
  [
    "profile_matches",
    "where another takes the order",
    placed(anOrder({ sourceChannel: "web", breakdown: linesOf("100+10@21") }), OF_WEB),
    { answer: "assign_profile", profileId: "p2" },
    { profile: "Web" },
    "profile_id",
  ],
  ["amount_unknown", "a code of no amount", HELD, treating("COD ", "21"), { code: "COD" }, "code"],
  [
    "amount_unknown",
    "an amount of nothing",
    placed(anOrder({ breakdown: linesOf("100+10@21"), unmappedTotals: [unmapped("cod", "0")] })),
    treating("cod", "21"),
    { code: "cod" },
    "code",
  ],
  ["discount_unknown", "a name of no discount", HELD, naming("Cupón"), { name: "Cupón" }, "name"],
  [
    "discount_kind_known",
    "a coupon",
    placed(anOrder({ breakdown: linesOf("100+10@21"), discounts: [aDiscount("5")] })),
    naming("Cupón"),
    { name: "Cupón" },
    "name",
  ],
  [
    "discount_kind_known",
    "a discount already in the lines",
    placed(
      anOrder({
        breakdown: linesOf("100+10@21"),
        discounts: [aDiscount("5", { kind: "unknown", included: true })],
      }),
    ),
    naming("Cupón"),
    { name: "Cupón" },
    "name",
  ],
  [
    "tax_rate_not_missing",
    "of an order that lacks nothing",
    HELD,
    { answer: "enter_tax_rate", about: "missing:1", rate: decimal("21") },
    {},
  ],
  [
    "line_of_rate_unknown",
    "of a line that is not there",
    RATELESS,
    { answer: "enter_tax_rate", about: aboutIn(RATELESS), rate: decimal("21") },
    { where: "l9" },
  ],
  [
    "entered_rate_invalid",
    "above 100 %",
    LINED,
    { answer: "enter_tax_rate", about: aboutIn(LINED), rate: decimal("100.5") },
    {},
    "rate",
  ],
  ["oss_rate_not_asked", "of an order at home", HELD, keeping("2026-01-01"), {}],
  ["rounding_not_awaited", "of an order that adds up", HELD, rounding("21"), {}],
  [
    "difference_not_rounding",
    "of more than a cent a line",
    placed(anOrder({ total: decimal("121.02") })),
    rounding("21"),
    { difference: eur("0.02") },
  ],
  [
    "country_known",
    "where the shop names one",
    placed(anOrder({ client: { ...A_PERSON, country: "FR" } })),
    { answer: "enter_country", country: "ES" },
    { country: { country: "FR" } },
    "country",
  ],
  ["exchange_rate_not_needed", "in euros", HELD, rate("1.1"), {}],
  [
    "currency_not_invoiceable",
    "of a metal",
    placed(anOrder({ currency: "XAU" })),
    rate("1.1"),
    { currency: "XAU" },
  ],
  [
    "exchange_rate_known",
    "where the ECB has published one",
    placed(anOrder({ currency: "USD", breakdown: linesOf("100+10@21") }), {
      rates: () => ({ outcome: "found", rate: decimal("1.0542") }),
    }),
    rate("1.1"),
    { currency: "USD", date: day("2026-11-26"), rate: { amount: "1.0542" } },
  ],
  [
    "exchange_rate_awaited",
    "on the second day",
    dollars({ today: civilDate("2026-11-28") }),
    rate("1.1"),
    { currency: "USD", date: day("2026-11-26"), choose_from: day("2026-11-29") },
  ],
  [
    "event_unknown",
    "an event that never came",
    HELD,
    { answer: "mark_distinct", eventId: "r9" },
    { event: "r9" },
    "event_id",
  ],
  ["event_acted", "shares of what went back", GIVEN_BACK, sharing("121@21"), { event: "r1" }, "event_id"],
  [
    "event_with_lines",
    "shares of what says them itself",
    later(INVOICED, { events: [refundOf("r1", "200+42@21")] }),
    sharing("121@21"),
    { event: "r1" },
    "event_id",
  ],
  [
    "event_not_repeated",
    "an event that waits for something else",
    REFUND_OF_TWO,
    { answer: "mark_distinct", eventId: "r1" },
    { event: "r1" },
    "event_id",
  ],
  [
    "event_not_void",
    "a refund",
    REFUND_OF_TWO,
    { answer: "confirm_annulment", eventId: "r1" },
    { event: "r1" },
    "event_id",
  ],
  [
    "no_simplified_invoice",
    "a full one",
    placed(anOrder({ client: A_COMPANY })),
    full(A_COMPANY),
    { number: "PED-1-2026-000001" },
  ],
  ["nothing_left", "a full invoice of it", GIVEN_BACK, full(A_COMPANY), { number: NUMBER }],
  ["nothing_left", "a cancellation", GIVEN_BACK, { answer: "issue_cancellation" }, { number: NUMBER }],
  ["approval_not_awaited", "an order that waits for the shop", HELD, { answer: "approve" }, {}],
  ["dismissal_without_reason", "none", HELD, { answer: "dismiss", why: " \u200b" }, {}, "why"],
  [
    "dismissal_without_reason",
    "of 501 characters",
    HELD,
    { answer: "dismiss", why: "😀".repeat(501) },
    {},
    "why",
  ],
  [
    "dismissal_without_reason",
    "of control characters",
    HELD,
    { answer: "dismiss", why: "a\u0007" },
    {},
    "why",
  ],
  [
    "reason_not_standing",
    "something that is over",
    REFUND_OF_TWO,
    { answer: "dismiss", why: "x", which: [{ code: "over_refund", about: "r1 0" }] },
    { reasons: all("over_refund") },
    "which",
  ],
  ["nothing_to_dismiss", "an order that waits for nothing", INVOICED, { answer: "dismiss", why: "x" }, {}],
  ["nothing_to_dismiss", "no reason at all", HELD, { answer: "dismiss", why: "x", which: [] }, {}],
  ["nothing_declared", "of the sale", HELD, { answer: "declare_sales", sales: {} }, {}],
  ["nothing_declared", "of the recipient", HELD, entering({}), {}],
  [
    "fee_rate_not_allowed",
    "of another territory",
    placed(anOrder({ unmappedTotals: [unmapped("cod", "3")] })),
    treating("cod", "7"),
    { code: "cod", rate: percent("7"), tax_name: "IVA", allowed: anyPercent("0 4 10 21") },
    "treatments.cod",
  ],
  [
    "treatment_sign",
    "a fee below zero",
    placed(anOrder({ unmappedTotals: [unmapped("cod", "-3")] })),
    treating("cod", "21"),
    { title: "cod", value: eur("-3"), code: "cod", treatment: { phrase: "fee" } },
    "treatment",
  ],
  [
    "destinations_contradict",
    "a destination that the shorthand does not name",
    placed(anOrder({ client: { ...A_PERSON, country: "US" } })),
    {
      answer: "declare_sales",
      sales: { foreignSales: "oss", destinations: { outsideEu: "export" } },
    },
    { foreign_sales: "oss", stated: "export" },
    "destinations.outside_eu",
  ],
  [
    "foreign_sales_not_allowed",
    "the one-stop shop from the Canaries",
    placed(anOrder({ client: { ...A_PERSON, country: "FR" } }), { issuer: { territory: "canarias" } }),
    { answer: "declare_sales", sales: { foreignSales: "oss" } },
    { treatment: "oss" },
    "foreign_sales",
  ],
  [
    "authorisation_missing",
    "under none",
    HELD,
    { answer: "declare_sales", sales: { underAuthorisation: true } },
    {},
    "under_authorisation",
  ],
  [
    "oss_rate_from_too_late",
    "a day after the sale",
    placed(anOrder({ client: { ...A_PERSON, country: "DE" }, breakdown: linesOf("100+18@18") }), {
      sales: { destinations: { euConsumer: "oss" } },
    }),
    keeping("2026-11-28"),
    { date: day("2026-11-27") },
    "from",
  ],
  [
    "rounding_rate_unknown",
    "that nothing was sold at",
    placed(anOrder({ total: decimal("121.01") })),
    rounding("10"),
    { rate: percent("10"), rates: { all: [percent("21")] } },
    "rate",
  ],
  [
    "country_invalid",
    "of the sale",
    placed(anOrder({ client: {}, breakdown: linesOf("100+0@0") })),
    { answer: "enter_country", country: "xx" },
    { country: "XX" },
    "country",
  ],
  [
    "country_invalid",
    "of the recipient",
    HELD,
    entering({ country: "UK" }),
    { country: "UK" },
    "recipient.country",
  ],
  [
    "tax_identifier_invalid",
    "of the first invoice",
    HELD,
    entering({ vatNumber: "12345678A" }),
    { identifier: "12345678A", detail: { phrase: "nif_control_character" } },
    "recipient.vat_number",
  ],
  [
    "tax_identifier_invalid",
    "of a full invoice",
    INVOICED,
    full({ ...A_COMPANY, vatNumber: "B12345675" }),
    { identifier: "B12345675", detail: { phrase: "nif_control_character" } },
    "recipient.vat_number",
  ],
  [
    "recipient_incomplete",
    "of a full invoice",
    INVOICED,
    full({ vatNumber: "B12345674", city: "Madrid" }),
    { missing: { all: [{ phrase: "company" }, { phrase: "address1" }, { phrase: "postcode" }] } },
    "recipient",
  ],
  [
    "recipient_incomplete",
    "when nothing is entered",
    INVOICED,
    { answer: "ask_full_invoice" },
    { missing: { all: [{ phrase: "vat_number" }] } },
    "recipient",
  ],
  [
    "exchange_rate_invalid",
    "zero",
    dollars(WAITED),
    rate("0"),
    { detail: { phrase: "rate_not_above_zero" }, fix: giveDollars },
    "rate",
  ],
  [
    "exchange_rate_invalid",
    "of tomorrow",
    dollars(WAITED),
    rate("1.1", "2026-12-01"),
    { detail: { phrase: "rate_date_in_future" }, fix: giveDollars },
    "date",
  ],
  ["exchange_rate_digits", "seven decimals", dollars(WAITED), rate("1.1234567"), {}, "rate"],
  ["exchange_rate_digits", "thirteen digits", dollars(WAITED), rate("1000000000000"), {}, "rate"],
  ...[sharing(), sharing("20@21", "0@10"), sharing("10@21", "10@21"), sharing("19.999@21", "0.001@10")].map(
    (answer): Row => [
      "event_shares_invalid",
      JSON.stringify(answer.answer === "share_event" && answer.shares),
      REFUND_OF_TWO,
      answer,
      { event: "r1" },
      "shares",
    ],
  ),
  [
    "event_shares_mismatch",
    "less than goes back",
    REFUND_OF_TWO,
    sharing("12.10@21", "7.89@10"),
    { event: "r1", amount: eur("20"), shared: eur("19.99") },
    "shares",
  ],
  [
    "sales_not_fitting",
    "the one-stop shop outside the Union",
    placed(anOrder({ client: { ...A_PERSON, country: "US" } })),
    { answer: "declare_sales", sales: { foreignSales: "oss", zeroRateBasis: "E1" } },
    { members: all("destinations") },
    "sales",
  ],
  [
    "sales_not_fitting",
    "article 4.2 above its ceiling",
    placed(anOrder({ breakdown: linesOf("3000+630@21") })),
    { answer: "declare_sales", sales: { article42: "retail_sale" } },
    { members: all("article42") },
    "sales",
  ],
  [
    "event_rate_not_invoiced",
    "a share at 4 %",
    REFUND_OF_TWO,
    sharing("20@4"),
    { event: "r1", rate: percent("4"), number: NUMBER },
    "shares",
  ],
  [
    "event_shares_exceed",
    "more than a rate has",
    later(placed(TWO_RATES), { events: [refundOfAmount("r1", "130")] }),
    sharing("130@10"),
    {
      requested: eur("130"),
      number: NUMBER,
      remaining: eur("110"),
      where: { phrase: "at_rate", rate: percent("10") },
    },
    "shares",
  ],
  ["order_not_reactivated", "a new invoice", GIVEN_BACK, { answer: "issue" }, {}],
  [
    "nothing_to_issue",
    "of sales that are invoiced elsewhere now",
    later(
      later(later(placed(anOrder()), { isCandidate: false, isCancelled: true, events: [CANCELLATION] }), {
        isCandidate: true,
        isCancelled: false,
      }),
      {},
      { sales: { issuingMode: "none" } },
    ),
    { answer: "issue" },
    {},
  ],
  [
    "annulment_after_correction",
    "of a sale that something was given back of",
    later(INVOICED, { events: [refundOfAmount("r1", "12.10"), VOID] }),
    voiding,
    { number: NUMBER },
  ],
  [
    "other_reasons_stand",
    "an approval before the end",
    placed(anOrder({ breakdown: linesOf("100+10@21"), tags: ["vip"] }), {
      sales: { issuingMode: "review" },
      settings: { tagRules: [{ tag: "vip", action: "hold" }] },
    }),
    { answer: "approve" },
    { reasons: all("tax_mismatch") },
  ],
  [
    "reason_not_dismissible",
    "one of the whole order",
    HELD,
    { answer: "dismiss", why: "x", which: [{ code: "tax_mismatch", about: "" }] },
    { reasons: all("tax_mismatch") },
    "which",
  ],
];

test.each(
  ROWS.map(
    ([code, what, place, answer, facts, path]) => [code, what, { place, answer, facts, path }] as const,
  ),
)("%s: %s", (code, _, { place, answer, facts, path }) => {
  expect(refusalIn(withAnswer(answer, asItStands(place)))).toEqual({
    code,
    facts,
    ...(path === undefined ? {} : { path }),
  });
});

test("every refusal has its row", () => {
  const shown = new Set(ROWS.map(([code]) => code));
  expect(ANSWER_REFUSALS.filter((code) => !shown.has(code))).toEqual([]);
});

describe("a rate", () => {
  test.each<[string, Situation, string]>([
    ["may be given from the third day on", { today: civilDate("2026-11-29") }, "ok"],
    ["at once where the ECB quotes none", { rates: () => ({ outcome: "not_quoted" }) }, "ok"],
    ["not before", { today: civilDate("2026-11-28") }, "exchange_rate_awaited"],
  ])("%s", (_, situation, expected) => {
    const result = withAnswer(rate("1.123456"), asItStands(dollars(situation)));
    expect(result.ok ? "ok" : result.error.code).toBe(expected);
  });
});
