import type { TaxGroup } from "../invoice/document.ts";
import { absolute, add, compare, decimal, multiply, percentOf, subtract, ZERO } from "../shared/decimal.ts";
import { amountOf } from "./fact-text.ts";
import { because, type Reason } from "./reasons.ts";

/** The difference of CuotaRepercutida from rate times base at which the AEAT rejects the record (1142). */
const AEAT_TOLERANCE = decimal("10");
const PER_CENT = decimal("0.01");

/** Each line may be right by its own rounding, and thousands of them together too far off. In euros. */
export function groupTaxReasons(groups: readonly TaxGroup[]): Reason[] {
  const wrong = groups.find(
    ({ qualification, rate, eur }) =>
      qualification === "S1" &&
      compare(absolute(subtract(multiply(multiply(eur.base, rate), PER_CENT), eur.tax)), AEAT_TOLERANCE) > 0,
  );
  if (!wrong) return [];
  const { rate, surchargeRate = ZERO, eur } = wrong;
  const whole = add(rate, surchargeRate);
  return [
    because("tax_mismatch", {
      line: { phrase: "all_at_rate", rate: { percent: whole } },
      rate: { percent: whole },
      base: amountOf(eur.base, "EUR"),
      expected: amountOf(percentOf(eur.base, whole, 2), "EUR"),
      tax: amountOf(add(eur.tax, eur.surcharge), "EUR"),
    }),
  ];
}
