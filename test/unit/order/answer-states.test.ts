/** Which answers fit an order in which state: every answer on every state. */
import { describe, expect, test } from "vitest";
import type { OrderAnswer } from "../../../src/domain/order/answers/table.ts";
import type { AnswerKind } from "../../../src/domain/order/reasons.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { answering, later, type Placed, placed, verdict } from "../../support/builders/answers.ts";
import { A_COMPANY, anOrder, CANCELLATION, linesOf, refundOfAmount } from "../../support/builders/orders.ts";

const VOID = { id: "v1", type: "void", lines: [] } as const;

const STATES = {
  stored: placed(anOrder({ isCandidate: false })),
  deferred: placed(anOrder(), { issuer: { consented: false } }),
  "before the cutoff": placed(anOrder(), { settings: { cutoffDate: civilDate("2026-11-28") } }),
  "of another store": placed(anOrder(), { settings: { selectedStores: ["9"] } }),
  cancelled: placed(anOrder({ isCancelled: true, events: [CANCELLATION] })),
  dismissed: placed(anOrder(), { answers: { dismissed: true } }),
  held: placed(anOrder({ breakdown: linesOf("100+10@21") })),
  invoiced: placed(anOrder()),
  annulled: later(placed(anOrder()), { events: [VOID] }, { answers: { confirmedVoids: ["v1"] } }),
  "given back": later(placed(anOrder()), { events: [refundOfAmount("r1", "121")] }),
  replaced: later(placed(anOrder()), { asksFullInvoice: true, client: A_COMPANY }),
  full: placed(anOrder({ client: A_COMPANY })),
} as const satisfies Record<string, Placed>;

const ANSWERS: readonly OrderAnswer[] = [
  { answer: "release" },
  { answer: "assign_profile", profileId: "p1" },
  { answer: "declare_treatment", code: "cod", treatment: { as: "payment" } },
  { answer: "declare_sales", sales: { article42: "retail_sale" } },
  { answer: "enter_recipient", recipient: { vatNumber: "12345678Z" } },
  { answer: "enter_country", country: "FR" },
  { answer: "enter_tax_rate", about: "missing:1", rate: decimal("21") },
  { answer: "enter_exchange_rate", rate: decimal("1.1"), date: civilDate("2026-11-26") },
  { answer: "approve" },
  { answer: "rounding", rate: decimal("21") },
  { answer: "keep_oss_rate", from: civilDate("2026-01-01") },
  { answer: "declare_discount", name: "Cupón", as: "payment" },
  { answer: "mark_distinct", eventId: "r9" },
  { answer: "share_event", eventId: "r9", shares: [{ rate: decimal("21"), gross: decimal("1") }] },
  { answer: "confirm_annulment", eventId: "v9" },
  { answer: "issue_cancellation" },
  { answer: "issue" },
  { answer: "ask_full_invoice", recipient: A_COMPANY },
  { answer: "dismiss", why: "Es una prueba" },
];

type State = keyof typeof STATES;

const BEFORE: readonly State[] = [
  "stored",
  "deferred",
  "before the cutoff",
  "of another store",
  "cancelled",
  "dismissed",
  "held",
];
const AFTER: readonly State[] = ["invoiced", "annulled", "given back", "replaced", "full"];

function all(states: readonly State[], code: string): Partial<Record<State, string>> {
  return Object.fromEntries(states.map((state) => [state, code]));
}

/** Answers about the first invoice: while the order is held, and never after it. */
const waitsFor = (held: string) => ({
  ...all(BEFORE, "order_not_held"),
  held,
  ...all(AFTER, "order_already_invoiced"),
});

const EXPECTED: Readonly<Record<AnswerKind, Partial<Record<State, string>>>> = {
  release: {
    ...all(BEFORE, "order_not_before_cutoff"),
    "before the cutoff": "ok",
    dismissed: "order_dismissed",
    ...all(AFTER, "order_already_invoiced"),
  },
  assign_profile: waitsFor("profile_unknown"),
  declare_treatment: waitsFor("amount_unknown"),
  declare_sales: waitsFor("ok"),
  enter_recipient: waitsFor("ok"),
  enter_country: waitsFor("country_known"),
  enter_tax_rate: waitsFor("tax_rate_not_missing"),
  enter_exchange_rate: waitsFor("exchange_rate_not_needed"),
  approve: waitsFor("approval_not_awaited"),
  rounding: waitsFor("rounding_not_awaited"),
  keep_oss_rate: waitsFor("oss_rate_not_asked"),
  declare_discount: waitsFor("discount_unknown"),
  mark_distinct: all([...BEFORE, ...AFTER], "event_unknown"),
  share_event: all([...BEFORE, ...AFTER], "event_unknown"),
  confirm_annulment: {
    ...all(BEFORE, "order_not_invoiced"),
    ...all(AFTER, "event_unknown"),
    annulled: "invoice_annulled",
  },
  issue_cancellation: {
    ...all(BEFORE, "order_not_invoiced"),
    ...all(AFTER, "ok"),
    annulled: "invoice_annulled",
    "given back": "nothing_left",
  },
  issue: {
    ...all(BEFORE, "order_not_invoiced"),
    ...all(AFTER, "order_not_reactivated"),
  },
  ask_full_invoice: {
    ...all(BEFORE, "order_not_invoiced"),
    invoiced: "ok",
    annulled: "invoice_annulled",
    "given back": "nothing_left",
    replaced: "invoice_already_replaced",
    full: "no_simplified_invoice",
  },
  dismiss: {
    ...all(BEFORE, "ok"),
    cancelled: "nothing_to_dismiss",
    dismissed: "repeat",
    ...all(AFTER, "nothing_to_dismiss"),
  },
};

describe.each(Object.entries(STATES))("an order that is %s", (state, place) => {
  test.each(ANSWERS.map((answer) => [answer.answer, answer] as const))("%s", (kind, answer) => {
    expect(verdict(place, answer)).toBe(Object.entries(EXPECTED[kind]).find(([own]) => own === state)?.[1]);
  });
});

test("every kind of answer is here", () => {
  expect(ANSWERS.map(({ answer }) => answer)).toEqual(Object.keys(EXPECTED));
});

describe("every answer on every state", () => {
  const pairs = Object.entries(STATES).flatMap(([state, place]) =>
    ANSWERS.map((answer) => [state, answer.answer, place, answer] as const),
  );
  const taken = pairs.filter(([, , place, answer]) => verdict(place, answer) === "ok");

  test.each(taken)("%s, %s: an accepted answer is a repeat when it comes again", (_, __, place, answer) => {
    expect(verdict(answering(place, answer), answer)).toBe("repeat");
  });

  test.each(pairs)("%s, %s: JSON leaves it as it is", (_, __, ___, answer) => {
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  });
});
