/** The answers that several orders can get at once, and the settings that remember them. */
import { describe, expect, test } from "vitest";
import { changeSales } from "../../../src/domain/billing/sales-change.ts";
import { UNDECLARED } from "../../../src/domain/billing/sales-settings.ts";
import type { OrderAnswer } from "../../../src/domain/order/answers/table.ts";
import { HOLDING_REASONS, type ReasonCode } from "../../../src/domain/order/reasons.ts";
import {
  answersTogether,
  checkTogether,
  forgottenChange,
  isInForce,
  rememberedChange,
} from "../../../src/domain/order/together.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";

const ONLY_DISMISSED: readonly ReasonCode[] = [
  ...(["status_cancelled", "totals_mismatch", "shop_facts_missing", "shop_facts_contradict"] as const),
  ...(["tax_totals_mismatch", "tax_mismatch", "destination_conflict", "tax_identifier_invalid"] as const),
  ...(["order_date_in_future", "too_many_tax_groups", "not_invoiceable", "reactivated"] as const),
  ...(["changed_after_invoice", "correction_amount_mismatch", "correction_event_changed"] as const),
  ...(["refund_possibly_repeated", "over_refund", "rate_not_invoiced", "correction_increases"] as const),
  ...(["refund_lines_needed", "annulment_review"] as const),
];

const OTHERS: Readonly<Partial<Record<ReasonCode, string>>> = {
  profile_not_matched: "assign_profile dismiss",
  profile_ambiguous: "assign_profile dismiss",
  tag_hold: "approve dismiss",
  discounts_probably_included: "declare_sales dismiss",
  untreated_total: "declare_treatment dismiss",
  treatment_hold: "declare_treatment dismiss",
  treatment_sign: "declare_treatment dismiss",
  discount_kind_unknown: "declare_discount dismiss",
  customer_credit_review: "declare_discount declare_sales dismiss",
  credit_covers_total: "declare_discount declare_sales dismiss",
  voucher_kind_conflict: "declare_sales dismiss",
  zero_rate_basis_missing: "declare_sales dismiss",
  foreign_customer: "declare_sales dismiss",
  territory_review: "declare_sales dismiss",
  oss_rate_unknown: "keep_oss_rate declare_sales dismiss",
  country_unknown: "enter_country dismiss",
  exchange_rate_unavailable: "enter_exchange_rate dismiss",
  currency_not_quoted: "enter_exchange_rate dismiss",
  recipient_incomplete: "declare_sales dismiss",
  manual_issuing: "approve dismiss",
};

describe("answers together", () => {
  test.each(HOLDING_REASONS.map((code) => [code]))("%s is answered together as the list says", (code) => {
    const expected = ONLY_DISMISSED.includes(code) ? "dismiss" : OTHERS[code];
    expect(answersTogether(code).join(" ")).toBe(expected);
  });

  const fee = (code: string): OrderAnswer => ({
    answer: "declare_treatment",
    code,
    treatment: { as: "fee", rate: decimal("21") },
  });
  const dismiss: OrderAnswer = { answer: "dismiss", why: "Pruebas" };
  const article42: OrderAnswer = { answer: "declare_sales", sales: { article42: "hospitality" } };

  test.each<readonly [says: string, code: ReasonCode, about: string[], answer: OrderAnswer, isOk: boolean]>([
    ["an amount by its own code", "untreated_total", ["cod"], fee("COD"), true],
    ["an amount by another code is refused", "untreated_total", ["cod"], fee("box"), false],
    [
      "a discount by its own name",
      "discount_kind_unknown",
      ["cupón"],
      { answer: "declare_discount", name: "CUPÓN", as: "payment" },
      true,
    ],
    [
      "a discount by another name is refused",
      "discount_kind_unknown",
      ["cupón"],
      { answer: "declare_discount", name: "Vale", as: "payment" },
      false,
    ],
    ["a recipient that lacks data by article 4.2", "recipient_incomplete", [], article42, true],
    [
      "a recipient that lacks data under an authorisation is refused",
      "recipient_incomplete",
      [],
      { answer: "declare_sales", sales: { underAuthorisation: true } },
      false,
    ],
    [
      "a recipient that lacks data with something more than article 4.2 is refused",
      "recipient_incomplete",
      [],
      { answer: "declare_sales", sales: { article42: "hospitality", underAuthorisation: true } },
      false,
    ],
    [
      "the recipient of one order is refused",
      "foreign_customer",
      ["FR"],
      { answer: "enter_recipient", recipient: { vatNumber: "B12345674" } },
      false,
    ],
    [
      "a rate of the one-stop shop",
      "oss_rate_unknown",
      ["FR 10"],
      { answer: "keep_oss_rate", from: civilDate("2026-01-01") },
      true,
    ],
    ["a mismatch is dismissed", "totals_mismatch", [], dismiss, true],
    [
      "a mismatch by a rate of rounding is refused",
      "totals_mismatch",
      [],
      { answer: "rounding", rate: decimal("21") },
      false,
    ],
    ["doubts of the shop are not released", "shop_facts_missing", ["x"], { answer: "release" }, false],
  ])("%s", (_, code, about, answer, isOk) => {
    const checked = checkTogether({ code, about }, answer);
    expect(checked.ok).toBe(isOk);
    if (!checked.ok) expect(checked.error).toMatchObject({ code: "answer_not_together", path: "answer" });
  });
});

describe("what is remembered", () => {
  const scope = { territory: "peninsula", date: civilDate("2026-11-27"), hasAuthorisation: false } as const;
  const REMEMBERED: readonly (readonly [says: string, answer: OrderAnswer])[] = [
    ["a treatment", { answer: "declare_treatment", code: "COD", treatment: { as: "payment" } }],
    ["the kind of a discount", { answer: "declare_discount", name: "Cupón", as: "payment" }],
    ["a destination", { answer: "declare_sales", sales: { destinations: { euConsumer: "oss" } } }],
    ["the older word for destinations", { answer: "declare_sales", sales: { foreignSales: "oss" } }],
    ["the reason of lines at 0 %", { answer: "declare_sales", sales: { zeroRateBasis: "E1" } }],
    ["customer credit", { answer: "declare_sales", sales: { customerCredit: "payment" } }],
    ["article 4.2", { answer: "declare_sales", sales: { article42: "hospitality" } }],
  ];

  test.each(REMEMBERED)("%s becomes a setting, and forgetting takes exactly it back", (_, answer) => {
    const base = {
      ...UNDECLARED,
      customerCredit: "review",
      treatments: { box: { as: "discount" } },
    } as const;
    const change = rememberedChange(answer);
    if (!change) throw new Error("it is remembered");
    expect(isInForce(change, base)).toBe(false);
    const remembered = changeSales(base, change, scope);
    if (!remembered.ok) throw new Error(remembered.error.code);
    expect(isInForce(change, remembered.value)).toBe(true);
    const forgotten = changeSales(remembered.value, forgottenChange(change), scope);
    expect(forgotten).toEqual({ ok: true, value: base });
  });

  test.each<readonly [says: string, answer: OrderAnswer]>([
    ["an approval", { answer: "approve" }],
    ["a dismissal", { answer: "dismiss", why: "Pruebas" }],
    ["the rate of one day", { answer: "enter_exchange_rate", rate: decimal("1.1"), date: scope.date }],
    ["a country", { answer: "enter_country", country: "FR" }],
    ["a profile", { answer: "assign_profile", profileId: "p1" }],
    [
      "the kind of a voucher, which has a setting of its own",
      {
        answer: "declare_sales",
        sales: { voucherKind: "single_purpose" },
      },
    ],
    ["nothing declared", { answer: "declare_sales", sales: {} }],
  ])("%s is not remembered", (_, answer) => {
    expect(rememberedChange(answer)).toBeUndefined();
  });

  test("another declaration of the same amount ends what was remembered", () => {
    const change = { treatments: { cod: { as: "payment" } } } as const;
    const sales = { ...UNDECLARED, treatments: { cod: { as: "discount" } } } as const;
    expect(isInForce(change, sales)).toBe(false);
  });
});
