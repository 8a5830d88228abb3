import type { Amounts, TaxGroupKey } from "../invoice/document.ts";
import { grossOf } from "../invoice/tax-groups.ts";
import { add, type Decimal, sum, ZERO } from "../shared/decimal.ts";
import type { RateAmount } from "./context.ts";
import { shopRate } from "./take-back.ts";

/** The gross of a group at the rate as the shop has it. */
export function ofRate(key: TaxGroupKey, amounts: Amounts): RateAmount {
  return { rate: shopRate(key), gross: grossOf(amounts) };
}

export function byRate(amounts: readonly RateAmount[]): ReadonlyMap<Decimal, Decimal> {
  const sums = new Map<Decimal, Decimal>();
  for (const { rate, gross } of amounts) sums.set(rate, add(sums.get(rate) ?? ZERO, gross));
  return sums;
}

/** Rates that come to something else in one than in the other. */
export function changedRates(a: readonly RateAmount[], b: readonly RateAmount[]): readonly Decimal[] {
  const [ofA, ofB] = [byRate(a), byRate(b)];
  const rates = [...new Set([...ofA.keys(), ...ofB.keys()])];
  return rates.filter((rate) => (ofA.get(rate) ?? ZERO) !== (ofB.get(rate) ?? ZERO));
}

export function grossIn(amounts: readonly RateAmount[]): Decimal {
  return sum(amounts.map(({ gross }) => gross));
}
