import type { Fact, Facts, Phrase } from "../shared/fact.ts";

/** The kinds of answer that an owner can give about one order. */
export type AnswerKind =
  | ("release" | "assign_profile" | "declare_treatment" | "declare_sales" | "declare_discount" | "rounding")
  | ("enter_country" | "enter_tax_rate" | "enter_exchange_rate" | "keep_oss_rate" | "approve")
  | ("mark_distinct" | "share_event" | "confirm_annulment")
  | ("enter_recipient" | "ask_full_invoice" | "issue_cancellation" | "issue" | "dismiss");

/** The members that the answer `declare_sales` can have, in their order in a sentence. */
export const SALES_MEMBERS = [
  "zeroRateBasis",
  "destinations",
  "voucherKind",
  "customerCredit",
  "article42",
  "underAuthorisation",
  "discountsIncluded",
] as const;
export type SalesMember = (typeof SALES_MEMBERS)[number];

/** A fact in plain texts: a branded decimal or day would need an import, and the console reads this file. */
export type ExampleFact =
  | string
  | { readonly all: readonly ExampleFact[] }
  | { readonly amount: string; readonly currency?: string }
  | { readonly percent: string }
  | { readonly date: string }
  | { readonly country: string }
  | Phrase;

export type ExampleFacts = Readonly<Record<string, ExampleFact>>;

/** Everything that depends on a reason's code, except its words (`words/reasons.ts`). */
export interface ReasonRow {
  readonly code: string;
  /** True if the order waits for its owner. */
  readonly holds: boolean;
  /** The facts that its sentence is made of. */
  readonly facts: readonly string[];
  /** The facts of a second sentence under the same code. */
  readonly otherFacts?: readonly string[];
  /** The answers that the owner can give. Every reason can also be dismissed. */
  readonly answers?: readonly AnswerKind[];
  /** The member of the sale that settles it. If the reason remains, the declaration is wrong. */
  readonly settledBy?: readonly SalesMember[];
  /** Published examples of `facts`, then of `otherFacts`, where the common ones do not fit. */
  readonly exampleFacts?: readonly ExampleFacts[];
}

const eur = (amount: string) => ({ amount, currency: "EUR" });
const percent = (rate: string) => ({ percent: rate });

/** Every reason of an order: holding reasons in the order of the ladder, then the settled ones. */
export const ORDER_REASONS = [
  {
    code: "status_cancelled",
    holds: true,
    facts: ["status", "number", "remaining"],
    answers: ["issue_cancellation"],
    exampleFacts: [{ status: "Cancelado" }],
  },
  { code: "profile_not_matched", holds: true, facts: ["channel", "store"], answers: ["assign_profile"] },
  {
    code: "profile_ambiguous",
    holds: true,
    facts: ["profiles"],
    answers: ["assign_profile"],
    exampleFacts: [{ profiles: { all: ["Web", "Tienda de Cádiz"] } }],
  },
  { code: "tag_hold", holds: true, facts: ["tag"], answers: ["approve"] },
  {
    code: "totals_mismatch",
    holds: true,
    facts: ["computed", "total", "difference", "rates"],
    otherFacts: ["computed", "total", "difference"],
    answers: ["declare_sales", "rounding"],
    settledBy: ["discountsIncluded"],
    exampleFacts: [
      {
        computed: eur("3.00"),
        total: eur("3.01"),
        difference: eur("0.01"),
        rates: { all: [percent("21"), percent("10")] },
      },
      { difference: eur("-3.00") },
    ],
  },
  {
    code: "discounts_probably_included",
    holds: true,
    facts: ["discounts"],
    answers: ["declare_sales"],
    exampleFacts: [{ discounts: eur("5.45") }],
  },
  {
    code: "shop_facts_missing",
    holds: true,
    facts: ["what", "where"],
    otherFacts: ["what"],
    answers: ["enter_tax_rate", "enter_country", "enter_recipient", "release"],
    exampleFacts: [{}, { what: { phrase: "transactions" } }],
  },
  {
    code: "shop_facts_contradict",
    holds: true,
    facts: ["what", "where", "stated", "computed"],
    otherFacts: ["what", "stated", "computed"],
    answers: ["enter_tax_rate", "enter_recipient", "release"],
    exampleFacts: [
      { stated: percent("10"), computed: percent("21") },
      { what: { phrase: "discounts" }, stated: eur("20.00"), computed: eur("0.00") },
    ],
  },
  {
    code: "tax_totals_mismatch",
    holds: true,
    facts: ["rate", "stated", "computed"],
    answers: ["release"],
    exampleFacts: [{ stated: eur("0.59"), computed: eur("0.52") }],
  },
  { code: "untreated_total", holds: true, facts: ["title", "value", "code"], answers: ["declare_treatment"] },
  { code: "treatment_hold", holds: true, facts: ["title", "code", "value"], answers: ["declare_treatment"] },
  {
    code: "treatment_sign",
    holds: true,
    facts: ["title", "value", "code", "treatment"],
    otherFacts: ["title", "value", "treatment"],
    answers: ["declare_treatment"],
    exampleFacts: [
      { title: "Tarjeta regalo", code: "giftcard", treatment: { phrase: "payment" } },
      { title: "Cupón", value: eur("-5.00"), treatment: { phrase: "discount" } },
    ],
  },
  { code: "discount_kind_unknown", holds: true, facts: ["name", "amount"], answers: ["declare_discount"] },
  {
    code: "customer_credit_review",
    holds: true,
    facts: ["profile", "amount"],
    otherFacts: ["connection", "amount"],
    answers: ["declare_discount", "declare_sales"],
    settledBy: ["customerCredit"],
  },
  {
    code: "credit_covers_total",
    holds: true,
    facts: ["amount"],
    answers: ["declare_discount", "declare_sales"],
    settledBy: ["customerCredit"],
  },
  {
    code: "voucher_kind_conflict",
    holds: true,
    facts: ["line", "tax", "kind"],
    otherFacts: ["line", "amount", "kind"],
    answers: ["declare_sales"],
    settledBy: ["voucherKind"],
    exampleFacts: [
      { line: "Tarjeta regalo" },
      { line: "Tarjeta regalo", kind: { phrase: "single_purpose" } },
    ],
  },
  {
    code: "tax_mismatch",
    holds: true,
    facts: ["line", "rate", "base", "expected", "tax"],
    otherFacts: ["line", "rate", "date", "tax_name", "territory", "allowed"],
    exampleFacts: [
      { expected: eur("21.00") },
      {
        rate: percent("5"),
        tax_name: "IVA",
        territory: { phrase: "peninsula" },
        allowed: { all: [percent("0"), percent("4"), percent("10"), percent("21")] },
      },
    ],
  },
  {
    code: "zero_rate_basis_missing",
    holds: true,
    facts: ["line"],
    answers: ["declare_sales"],
    settledBy: ["zeroRateBasis"],
  },
  {
    code: "foreign_customer",
    holds: true,
    facts: ["country", "profile"],
    otherFacts: ["country", "connection"],
    answers: ["declare_sales", "enter_recipient"],
    settledBy: ["destinations"],
  },
  {
    code: "territory_review",
    holds: true,
    facts: ["from", "to", "profile"],
    otherFacts: ["from", "to", "connection"],
    answers: ["declare_sales"],
    settledBy: ["destinations"],
    exampleFacts: [
      { from: { phrase: "peninsula" }, to: { phrase: "canarias" } },
      { from: { phrase: "peninsula" }, to: { phrase: "melilla" } },
    ],
  },
  {
    code: "destination_conflict",
    holds: true,
    facts: ["place", "destination", "treatment", "allowed", "line", "rate"],
    otherFacts: ["place", "identifier", "line", "rate"],
    answers: ["declare_sales", "enter_recipient"],
    settledBy: ["destinations"],
    exampleFacts: [
      {
        destination: { phrase: "eu_consumer" },
        treatment: { phrase: "oss" },
        allowed: { all: [percent("2.1"), percent("5.5"), percent("10"), percent("20")] },
        rate: percent("0"),
      },
      { identifier: "DE282741168", place: { country: "DE" }, rate: percent("19") },
    ],
  },
  {
    code: "oss_rate_unknown",
    holds: true,
    facts: ["place", "line", "rate", "date", "allowed"],
    answers: ["keep_oss_rate", "declare_sales"],
    exampleFacts: [{ allowed: { all: [percent("2.1"), percent("5.5"), percent("10"), percent("20")] } }],
  },
  {
    code: "country_unknown",
    holds: true,
    facts: ["code"],
    otherFacts: [],
    answers: ["enter_country"],
    exampleFacts: [{ code: "ZZ" }],
  },
  {
    code: "exchange_rate_unavailable",
    holds: true,
    facts: ["currency", "date", "choose_from"],
    answers: ["enter_exchange_rate"],
  },
  {
    code: "currency_not_quoted",
    holds: true,
    facts: ["currency"],
    answers: ["enter_exchange_rate"],
    exampleFacts: [{ currency: "ARS" }],
  },
  {
    code: "tax_identifier_invalid",
    holds: true,
    facts: ["identifier", "detail"],
    answers: ["enter_recipient"],
    exampleFacts: [{ detail: { phrase: "nif_control_character" } }],
  },
  {
    code: "recipient_incomplete",
    holds: true,
    facts: ["missing", "total", "limit"],
    otherFacts: ["missing"],
    answers: ["enter_recipient", "declare_sales"],
    settledBy: ["article42", "underAuthorisation"],
    exampleFacts: [
      { total: eur("1210.00") },
      { missing: { all: [{ phrase: "address1" }, { phrase: "postcode" }] } },
    ],
  },
  {
    code: "manual_issuing",
    holds: true,
    facts: ["profile"],
    otherFacts: ["connection"],
    answers: ["approve"],
  },
  {
    code: "order_date_in_future",
    holds: true,
    facts: ["date"],
    exampleFacts: [{ date: { date: "2026-12-24" } }],
  },
  { code: "too_many_tax_groups", holds: true, facts: ["count"], exampleFacts: [{ count: { amount: "13" } }] },
  /** A direct invoice would be refused; the facts are those of that refusal. */
  {
    code: "not_invoiceable",
    holds: true,
    facts: ["refusal"],
    exampleFacts: [{ refusal: "negative_total_needs_rectification", amount: eur("-5.00") }],
  },
  {
    code: "reactivated",
    holds: true,
    facts: ["number", "order_total"],
    answers: ["issue"],
    exampleFacts: [{ order_total: eur("121.00") }],
  },
  {
    code: "changed_after_invoice",
    holds: true,
    facts: ["rate", "order_total", "number", "invoiced"],
    otherFacts: ["order_total", "number", "invoiced"],
    exampleFacts: [
      { order_total: eur("60.50"), invoiced: eur("49.00") },
      { order_total: eur("60.50"), invoiced: eur("49.00") },
    ],
  },
  {
    code: "correction_amount_mismatch",
    holds: true,
    facts: ["event", "lines_total", "amount"],
    exampleFacts: [{ lines_total: eur("-24.20"), amount: eur("-24.30") }],
  },
  {
    code: "correction_event_changed",
    holds: true,
    facts: ["event", "applied", "received"],
    exampleFacts: [{ received: eur("36.30") }],
  },
  {
    code: "refund_possibly_repeated",
    holds: true,
    facts: ["name", "date", "number"],
    otherFacts: ["event", "other"],
    answers: ["mark_distinct"],
    exampleFacts: [{ name: { phrase: "an_owner" } }, { event: "refund:17", other: "r-17" }],
  },
  {
    code: "over_refund",
    holds: true,
    facts: ["rate", "requested", "number", "remaining"],
    otherFacts: ["requested", "number", "remaining"],
    answers: ["share_event"],
    exampleFacts: [{ requested: eur("72.60") }, { requested: eur("72.60") }],
  },
  {
    code: "rate_not_invoiced",
    holds: true,
    facts: ["event", "rate", "number"],
    answers: ["share_event"],
    exampleFacts: [{ rate: percent("10") }],
  },
  { code: "correction_increases", holds: true, facts: ["event", "amount"] },
  {
    code: "refund_lines_needed",
    holds: true,
    facts: ["event", "amount", "number", "rates"],
    otherFacts: ["event", "number"],
    answers: ["share_event"],
    exampleFacts: [{ amount: eur("20.00"), rates: { all: [percent("21"), percent("10")] } }],
  },
  {
    code: "annulment_review",
    holds: true,
    facts: ["number"],
    answers: ["confirm_annulment", "issue_cancellation"],
  },
  { code: "deferred", holds: false, facts: ["connection"] },
  {
    code: "before_cutoff",
    holds: false,
    facts: ["order_date", "cutoff_date"],
    answers: ["release"],
    exampleFacts: [{ order_date: { date: "2025-12-31" }, cutoff_date: { date: "2026-01-01" } }],
  },
  { code: "store_not_selected", holds: false, facts: ["store"] },
  { code: "tag_ignored", holds: false, facts: ["tag"] },
  { code: "zero_total", holds: false, facts: [] },
  { code: "nothing_to_invoice", holds: false, facts: [] },
  {
    code: "invoiced_elsewhere",
    holds: false,
    facts: ["profile"],
    otherFacts: ["connection"],
    answers: ["release"],
  },
  { code: "test_order", holds: false, facts: [], answers: ["release"] },
  { code: "not_a_candidate", holds: false, facts: [] },
  { code: "cancelled_before_invoice", holds: false, facts: [] },
  { code: "dismissed", holds: false, facts: [] },
] as const satisfies readonly ReasonRow[];

type OrderReason = (typeof ORDER_REASONS)[number];
export type ReasonCode = OrderReason["code"];
export type HoldingReasonCode = Extract<OrderReason, { readonly holds: true }>["code"];

/** In the order of the ladder. */
export const HOLDING_REASONS: readonly HoldingReasonCode[] = ORDER_REASONS.flatMap((row) =>
  row.holds ? [row.code] : [],
);

/** Warnings about an order that was processed anyway. */
export const ORDER_WARNINGS = [
  { code: "company_unverified", facts: [] },
  { code: "connection_for_tests", facts: [] },
  { code: "issued_late", facts: ["issue_date", "due_date"] },
  { code: "rectify_in_previous_system", facts: ["cutoff_date"] },
  { code: "total_tax_differs", facts: ["total_tax", "computed"] },
  { code: "tax_totals_differ", facts: ["rate", "stated", "computed"] },
  { code: "partly_paid", facts: ["paid", "payable"] },
  { code: "overpaid", facts: ["paid", "payable"] },
  { code: "stale_payload", facts: ["received", "stored"] },
  { code: "field_beyond_contract", facts: ["field", "since", "declared"] },
  { code: "einvoice_field_ignored", facts: ["field"] },
] as const;

export type OrderWarningCode = (typeof ORDER_WARNINGS)[number]["code"];

export type { Facts } from "../shared/fact.ts";

/** Used in a sentence if the shop did not give the value. */
export const NOT_STATED: Fact = { phrase: "not_stated" };

export interface Reason {
  readonly code: ReasonCode;
  readonly facts: Facts;
  /** Which event, discount, code or facts it is about: a dismissal applies only to that one. */
  readonly about?: string;
}

export interface OrderWarning {
  readonly code: OrderWarningCode;
  readonly facts: Facts;
}

export function because(code: ReasonCode, facts: Facts = {}, about?: string): Reason {
  return { code, facts, ...(about === undefined ? {} : { about }) };
}

export function holds({ code }: Reason): boolean {
  return rowOf(code)?.holds ?? false;
}

/** Before the invoice a dismissal covers the order, afterwards the reason: every reason can be dismissed. */
export function answersTo(code: ReasonCode): readonly AnswerKind[] {
  return [...(rowOf(code)?.answers ?? []), "dismiss"];
}

/** The answers that fit this reason: a fact is entered by the form of its name. */
export function answersToReason({ code, facts }: Reason): readonly AnswerKind[] {
  const { what, where } = facts;
  const name = typeof what === "object" && "phrase" in what ? what.phrase : "";
  return answersTo(code).filter((answer) => {
    if (answer === "rounding") return Object.hasOwn(facts, "rates");
    if (what === undefined) return true;
    if (answer === "enter_tax_rate") return name === "tax_rate" && where !== undefined;
    if (answer === "enter_country") return name === "country";
    if (answer === "enter_recipient") return CLIENT_FACTS.some((known) => known === name);
    return true;
  });
}

/** Facts of the customer that a shop may lack. */
export const CLIENT_FACTS = [
  "vat_number",
  "first_name",
  "last_name",
  "company",
  "address1",
  "postcode",
  "city",
] as const;

export function membersSettling(code: ReasonCode): readonly SalesMember[] {
  return rowOf(code)?.settledBy ?? [];
}

/** In the order of the ladder, regardless of the order of the checks. */
export function inLadderOrder(reasons: readonly Reason[]): Reason[] {
  return reasons.toSorted((a, b) => rankOf(a.code) - rankOf(b.code));
}

function rowOf(code: ReasonCode): ReasonRow | undefined {
  return ORDER_REASONS.find((row) => row.code === code);
}

function rankOf(code: ReasonCode): number {
  return ORDER_REASONS.findIndex((row) => row.code === code);
}
