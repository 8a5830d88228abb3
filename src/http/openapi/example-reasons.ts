import { ORDER_REASONS, type ReasonCode } from "../../domain/order/reasons.ts";
import { civilDate } from "../../domain/shared/civil-date.ts";
import { decimal } from "../../domain/shared/decimal.ts";
import { type Facts, money, percents } from "../../domain/shared/fact.ts";
import { reasonMessage } from "../reasons.ts";

/** A row of the published table: a code with each of its forms, as an order could have it. */
export interface PublishedReason {
  readonly code: ReasonCode;
  /** Whether the order waits for the owner. */
  readonly holds: boolean;
  readonly forms: readonly { readonly facts: readonly string[]; readonly message: string }[];
}

export function publishedReasons(): PublishedReason[] {
  return ORDER_REASONS.map(({ code, holds }) => ({
    code,
    holds,
    forms: exampleReasonFacts(code).map((facts) => ({
      facts: Object.keys(facts),
      message: reasonMessage({ code, facts }, "en"),
    })),
  }));
}

/** Facts that a reason could have: of its sentence, then of its other one where it has two. */
export function exampleReasonFacts(code: ReasonCode): readonly Facts[] {
  const row = ORDER_REASONS.find((each) => each.code === code);
  const forms: readonly (readonly string[])[] = row
    ? [row.facts, ...("otherFacts" in row ? [row.otherFacts] : [])]
    : [];
  return forms.map((names, index) => {
    const known: Facts = { ...COMMON, ...OWN[code]?.[index] };
    const named = names.map((name) => [name, known[name] ?? name] as const);
    return { ...Object.fromEntries(named), ...(code === "not_invoiceable" ? OWN[code]?.[index] : {}) };
  });
}

const eur = (amount: string) => money(decimal(amount), "EUR");
const day = (date: string) => ({ date: civilDate(date) });

const COMMON: Facts = {
  amount: eur("24.2"),
  applied: eur("24.2"),
  base: eur("100"),
  channel: "web",
  choose_from: day("2026-11-29"),
  code: "cod_fee",
  computed: eur("121"),
  connection: "Tienda",
  country: { country: "FR" },
  currency: "USD",
  date: day("2026-11-26"),
  event: "r-17",
  identifier: "B12345675",
  kind: { phrase: "multi_purpose" },
  limit: eur("400"),
  line: "Taza azul",
  missing: { all: [{ phrase: "vat_number" }] },
  name: "Cupón",
  number: "PED-1S-2026-000042",
  place: { country: "FR" },
  profile: "Web",
  rate: { percent: decimal("21") },
  remaining: eur("49"),
  store: "2",
  tag: "mayorista",
  tax: eur("10"),
  title: "Contra reembolso",
  total: eur("118"),
  value: eur("3"),
};

/** Where one form speaks of other things than the rest. */
const OWN: Readonly<Partial<Record<ReasonCode, readonly Facts[]>>> = {
  profile_ambiguous: [{ profiles: { all: ["Web", "Tienda de Cádiz"] } }],
  totals_mismatch: [
    {
      computed: eur("3"),
      total: eur("3.01"),
      difference: eur("0.01"),
      rates: { all: percents([decimal("21"), decimal("10")]) },
    },
    { difference: eur("-3") },
  ],
  tax_totals_mismatch: [{ stated: eur("0.59"), computed: eur("0.52") }],
  discounts_probably_included: [{ discounts: eur("5.45") }],
  treatment_sign: [
    { title: "Tarjeta regalo", code: "giftcard", treatment: { phrase: "payment" } },
    { title: "Cupón", value: eur("-5"), treatment: { phrase: "discount" } },
  ],
  voucher_kind_conflict: [
    { line: "Tarjeta regalo" },
    { line: "Tarjeta regalo", kind: { phrase: "single_purpose" } },
  ],
  tax_mismatch: [
    { expected: eur("21") },
    {
      rate: { percent: decimal("5") },
      tax_name: "IVA",
      territory: { phrase: "peninsula" },
      allowed: { all: percents(["0", "4", "10", "21"].map(decimal)) },
    },
  ],
  territory_review: [
    { from: { phrase: "peninsula" }, to: { phrase: "canarias" } },
    { from: { phrase: "peninsula" }, to: { phrase: "melilla" } },
  ],
  destination_conflict: [
    {
      destination: { phrase: "eu_consumer" },
      treatment: { phrase: "oss" },
      allowed: { all: percents(["2.1", "5.5", "10", "20"].map(decimal)) },
      rate: { percent: decimal("0") },
    },
    { identifier: "DE282741168", place: { country: "DE" }, rate: { percent: decimal("19") } },
  ],
  oss_rate_unknown: [{ allowed: { all: percents(["2.1", "5.5", "10", "20"].map(decimal)) } }],
  country_unknown: [{ code: "ZZ" }],
  currency_not_quoted: [{ currency: "ARS" }],
  tax_identifier_invalid: [{ detail: { phrase: "nif_control_character" } }],
  recipient_incomplete: [
    { total: eur("1210") },
    { missing: { all: [{ phrase: "address1" }, { phrase: "postcode" }] } },
  ],
  order_date_in_future: [{ date: day("2026-12-24") }],
  too_many_tax_groups: [{ count: { amount: "13" } }],
  not_invoiceable: [{ refusal: "negative_total_needs_rectification", amount: eur("-5") }],
  status_cancelled: [{ status: "Cancelado" }],
  reactivated: [{ order_total: eur("121") }],
  changed_after_invoice: [
    { order_total: eur("60.5"), invoiced: eur("49") },
    { order_total: eur("60.5"), invoiced: eur("49") },
  ],
  correction_amount_mismatch: [{ lines_total: eur("-24.2"), amount: eur("-24.3") }],
  correction_event_changed: [{ received: eur("36.3") }],
  refund_possibly_repeated: [{ event: "refund:17", other: "r-17" }],
  over_refund: [{ requested: eur("72.6") }, { requested: eur("72.6") }],
  rate_not_invoiced: [{ rate: { percent: decimal("10") } }],
  refund_lines_needed: [{ amount: eur("20"), rates: { all: percents(["21", "10"].map(decimal)) } }],
  before_cutoff: [{ order_date: day("2025-12-31"), cutoff_date: day("2026-01-01") }],
};
