import { roundToTotal } from "../shared/apportion.ts";
import { add, type Decimal, HUNDRED, round, sum, ZERO } from "../shared/decimal.ts";
import type { TaxGroupKey } from "./document.ts";
import { isOss, type ResolvedLine } from "./tax-groups.ts";

/** A line's net amount, unrounded, and the key of its tax group. */
export interface GroupedNet {
  readonly group: string;
  readonly net: Decimal;
}

/**
 * Nets that add up to the base of each group: cents go to the largest remainders, ties to the earlier line. A
 * group without a base takes the rounded sum of its lines.
 */
export function sharedBases(
  lines: readonly GroupedNet[],
  bases: ReadonlyMap<string, Decimal>,
  scale: number,
): Decimal[] {
  const nets: Decimal[] = lines.map(() => ZERO);
  const indexed = lines.map((line, index) => ({ ...line, index }));
  for (const [group, members] of Map.groupBy(indexed, (line) => line.group)) {
    const parts = members.map(({ net }) => ({ weight: net, rate: ZERO }));
    const base = bases.get(group) ?? round(sum(parts.map(({ weight }) => weight)), scale);
    const shares = roundToTotal(parts, base, scale);
    members.forEach(({ index }, place) => {
      nets[index] = shares[place] ?? ZERO;
    });
  }
  return nets;
}

/** True if the group shows a rate and a tax: taxed sales and sales of the one-stop shop. */
export function isTaxed(group: Pick<TaxGroupKey, "tax" | "regime" | "qualification">): boolean {
  return group.qualification === "S1" || isOss(group);
}

/** A price with tax in percent of the price without it; of the margin scheme no tax is told apart. */
export function percentWithTax(key: ResolvedLine): Decimal {
  if (!isTaxed(key) || key.margin !== undefined) return HUNDRED;
  return add(add(HUNDRED, key.rate), key.surchargeRate ?? ZERO);
}
