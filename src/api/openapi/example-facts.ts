import { civilDate } from "../../domain/shared/civil-date.ts";
import { decimal } from "../../domain/shared/decimal.ts";
import { type Facts, money, percents } from "../../domain/shared/fact.ts";
import type { ErrorCode } from "../../words/errors.ts";

/** What the sentence of a code may be made of, so that the published examples read as real ones. */
export function exampleFacts(code: ErrorCode): Facts {
  return { ...COMMON, ...OWN[code] };
}

const SUCCESSOR = "API-1R-2026-000003";

const COMMON: Facts = {
  allow: "GET, HEAD, OPTIONS",
  amount: money(decimal("-12.10"), "EUR"),
  console_url: "https://console.example",
  count: "14",
  country: "US",
  currency: "USD",
  date: { date: civilDate("2026-11-27") },
  encoding: "gzip",
  external_id: "order-1001",
  identifier: "B12345678",
  invoice_type: "F1",
  kind: "accounting",
  line_id: "l1",
  method: "PUT",
  missing: { all: ["vat_number", "country"] },
  number: "API-1-2026-000042",
  order_id: "5001",
  origin: "https://tienda.example",
  problems: "2 values are not valid",
  rate: { percent: decimal("21") },
  reference: "order-1000",
  seconds: "5",
  state: { phrase: "substituted" },
  successor: SUCCESSOR,
  total: money(decimal("450"), "EUR"),
};

/** Where one code speaks of other things than the rest. */
const OWN: Readonly<Partial<Record<ErrorCode, Facts>>> = {
  malformed_json: { detail: "syntax error at position 17" },
  payload_too_large: { limit: { phrase: "bytes", count: { amount: "1048576" } } },
  inventory_full: { limit: "500", count: "2", ids: "41, 42" },
  documentary_regime_mismatch: {
    combined: { all: ["art7_simplified", "no_recipient_article_6_1_d"] },
    allowed: { phrase: "every_combination" },
  },
  withholding_not_allowed: { invoice_type: "F2" },
  invoice_erased: { year: "2026" },
  order_erased: { why: { phrase: "order_asked" } },
  tax_identifier_type_required: { identifier: "98-7654321" },
  tax_identifier_invalid: { detail: { phrase: "nif_control_character" } },
  exchange_rate_invalid: {
    detail: { phrase: "rate_date_in_future" },
    fix: { phrase: "give_rate", currency: "USD" },
  },
  rectified_reference_invalid: {
    detail: { phrase: "issued_in_future" },
    fix: { phrase: "correct_issue_date" },
  },
  rectified_period_invalid: {
    detail: { phrase: "period_reversed" },
    fix: { phrase: "correct_period" },
  },
  rectified_period_not_negative: { amount: money(decimal("12.1"), "EUR") },
  rectified_invoice_type_mismatch: {
    invoice_type: "R5",
    reference_type: "F1 art6_full",
    fix: { phrase: "send_full" },
    allowed: { phrase: "cites_simplified" },
  },
  rectified_invoice_superseded: { fix: { phrase: "act_on", successor: SUCCESSOR } },
  rectification_incomplete: { missing: { all: ["refund-7", "refund-8"] } },
  rectification_exceeds: {
    requested: money(decimal("72.6"), "EUR"),
    remaining: money(decimal("60.5"), "EUR"),
  },
  replaced_amount_mismatch: { expected: amounts("100", "21"), received: amounts("99", "20.79") },
  cancellation_not_allowed: { fix: { phrase: "act_on_successor", successor: SUCCESSOR } },
  operation_date_not_allowed: {
    date: { date: civilDate("2006-11-26") },
    detail: { phrase: "over_20_years_ago" },
    fix: { phrase: "correct_operation_date" },
  },
  mixed_taxes: { taxes: { all: ["IVA", "IGIC"] } },
  regime_not_allowed: {
    regime: "01",
    with: "qualification E2",
    fix: { phrase: "use_regime", regimes: { either: ["02"] } },
  },
  qualification_rate_mismatch: {
    qualification: "E1",
    field: "tax_rate",
    value: "21",
    fix: { phrase: "send_rate_0" },
  },
  tax_rate_not_allowed: {
    rate: { percent: decimal("5") },
    tax_name: "IVA",
    fix: { phrase: "use_rate", rates: { either: percents(["0", "4", "10", "21"].map(decimal)) } },
  },
  taxable_margin_not_allowed: { fix: { phrase: "remove_margin" } },
  taxable_margin_out_of_range: {
    margin: money(decimal("12.10"), "EUR"),
    amount: money(decimal("10"), "EUR"),
  },
  surcharge_not_allowed: {
    surcharge: { percent: decimal("1.4") },
    fix: { phrase: "use_surcharge", surcharges: { either: percents(["5.2", "1.75"].map(decimal)) } },
  },
  recipient_type_not_allowed: { detail: { phrase: "e5_needs_vat_number" } },
  total_out_of_range: { total: { amount: "1210000000000" } },
  recipient_differs: { fix: { phrase: "send_its_recipient_or_substitute" } },
  simplified_line_not_eligible: { reason: "S2" },
  simplified_limit_exceeded: {
    limit: money(decimal("400"), "EUR"),
    fix: { phrase: "attest_or_send_full" },
  },
  attestation_lines_mismatch: {
    detail: { each: [{ phrase: "lines_missing", lines: { all: ["l2", "l3"] } }] },
  },
  article_4_2_ceiling_exceeded: { total: money(decimal("3000.01"), "EUR") },
  authorisation_mismatch: {
    stated: { phrase: "authorisation", number: "AUT-8", limit: money(decimal("5000"), "EUR") },
  },
  document_too_large: { size: { phrase: "bytes", count: { amount: "2100000" } } },
};

function amounts(base: string, tax: string) {
  const rate = { percent: decimal("21") };
  const of = { base: money(decimal(base), "EUR"), tax: money(decimal(tax), "EUR") };
  return { phrase: "amounts_at", rate, amounts: { phrase: "amounts", ...of } } as const;
}
