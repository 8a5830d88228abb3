import type { TaxGroupKey } from "../invoice/document.ts";
import { add, compare, type Decimal, isNegative, isPositive, isZero, round, subtract, sum, ZERO } from "../shared/decimal.ts";
import { spread } from "./apportion.ts";
import { grossOfLine, isGoods, type KeyedLine } from "./sold-lines.ts";
import type { Reduction } from "./unmapped-totals.ts";

/** A tax group before discounts, rounded. */
export interface GroupGross {
  readonly key: TaxGroupKey;
  readonly lines: readonly KeyedLine[];
  readonly gross: Decimal;
  /** Of it, goods: neither delivery nor fees. */
  readonly products: Decimal;
}

/** An amount to take, and what it may be taken from, group by group, one after the other. */
interface Portion {
  readonly amount: Decimal;
  readonly from: readonly (readonly Decimal[])[];
}

/**
 * What the discounts take of each group, in all: of the goods in proportion to their gross, of delivery and
 * fees only what exceeds the goods. What exceeds everything is taken of nothing.
 */
export function spreadReductions(
  groups: readonly GroupGross[],
  reductions: readonly Reduction[],
  { discount, scale }: { readonly discount: Decimal; readonly scale: number },
): Decimal[] {
  const rates = groups.map(({ key }) => key.rate);
  const goods = groups.map(({ gross, products }) => atLeastNothing(lesser(gross, products)));
  const everything = groups.map(({ gross }) => atLeastNothing(gross));
  let taken = groups.map(() => ZERO);
  for (const { amount, from } of portionsOf(groups, reductions, { discount, scale, goods, everything })) {
    let rest = amount;
    for (const capacity of from) {
      const open = capacity.map((most, index) => atLeastNothing(subtract(most, taken[index] ?? ZERO)));
      const part = lesser(rest, sum(open));
      const weighed = open.map((weight, index) => ({ weight, rate: rates[index] ?? ZERO }));
      const shares = spread(part, weighed, scale);
      taken = taken.map((already, index) => add(already, shares[index] ?? ZERO));
      rest = subtract(rest, part);
    }
  }
  return taken;
}

interface Capacities {
  readonly discount: Decimal;
  readonly scale: number;
  readonly goods: readonly Decimal[];
  readonly everything: readonly Decimal[];
}

/** Discounts for some lines first, each on its lines; then the others together. */
function portionsOf(
  groups: readonly GroupGross[],
  reductions: readonly Reduction[],
  { discount, scale, goods, everything }: Capacities,
): Portion[] {
  const limited = reductions
    .map(({ amount, lines }) => ({ amount: round(amount, scale), on: goodsNamed(groups, lines, scale) }))
    .filter(({ on }) => on.some(isPositive))
    .map(({ amount, on }) => ({ amount, from: [on, goods, everything] }));
  const rest = subtract(discount, sum(limited.map(({ amount }) => amount)));
  return isZero(rest) ? limited : [...limited, { amount: atLeastNothing(rest), from: [goods, everything] }];
}

/** Nothing where no line is named, or none that the order has: then the discount is for all. */
function goodsNamed(groups: readonly GroupGross[], ids: readonly string[], scale: number): Decimal[] {
  const named = new Set(ids);
  return groups.map(({ lines, gross }) => {
    const chosen = lines.filter((line) => isGoods(line) && line.ids.some((id) => named.has(id)));
    return atLeastNothing(lesser(gross, round(sum(chosen.map(grossOfLine)), scale)));
  });
}

function lesser(a: Decimal, b: Decimal): Decimal {
  return compare(a, b) < 0 ? a : b;
}

function atLeastNothing(amount: Decimal): Decimal {
  return isNegative(amount) ? ZERO : amount;
}
