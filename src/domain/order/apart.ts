import type { SalesSettings } from "../billing/sales-settings.ts";
import { aboutRate, type KeptRate } from "../place/vat-rates.ts";
import type { OwnerAnswers } from "./context.ts";
import { type QuestionParts, questionParts, questionText } from "./question.ts";

/**
 * The settings that decide one order. An order that its owner left out of a remembered answer does not get
 * that answer from the settings, so it goes on asking.
 */
export function salesFor(sales: SalesSettings, { apart = [] }: Pick<OwnerAnswers, "apart">): SalesSettings {
  return apart
    .flatMap((question) => questionParts(question) ?? [])
    .reduce((left, parts) => withoutAnswerTo(parts, left), sales);
}

/** The account's own rates of the one-stop shop that count for one order. */
export function keptRatesFor(
  kept: readonly KeptRate[],
  { apart = [] }: Pick<OwnerAnswers, "apart">,
): readonly KeptRate[] {
  if (apart.length === 0) return kept;
  const asks = (rate: KeptRate) => questionText({ code: "oss_rate_unknown", about: [aboutRate(rate)] });
  return kept.filter((rate) => !apart.includes(asks(rate)));
}

function withoutAnswerTo(
  { code, about: [subject = ""] }: QuestionParts,
  sales: SalesSettings,
): SalesSettings {
  switch (code) {
    case "untreated_total":
    case "treatment_hold":
    case "treatment_sign":
      return { ...sales, treatments: without(sales.treatments, subject) };
    case "discount_kind_unknown":
      return withDiscounts(sales, without(sales.discounts ?? {}, subject));
    case "customer_credit_review":
      return {
        ...withDiscounts(sales, without(sales.discounts ?? {}, subject)),
        customerCredit: "review",
      };
    case "foreign_customer":
    case "territory_review":
      return { ...sales, destinations: {} };
    case "zero_rate_basis_missing": {
      const { zeroRateBasis: _, ...others } = sales;
      return others;
    }
    case "recipient_incomplete": {
      const { article42: _, ...others } = sales;
      return others;
    }
    default:
      return sales;
  }
}

function withDiscounts(
  { discounts: _, ...sales }: SalesSettings,
  discounts: NonNullable<SalesSettings["discounts"]>,
): SalesSettings {
  return Object.keys(discounts).length === 0 ? sales : { ...sales, discounts };
}

function without<Value>(
  members: Readonly<Record<string, Value>>,
  name: string,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(members).filter(([one]) => one !== name));
}
