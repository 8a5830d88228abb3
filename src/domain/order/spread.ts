import type { TaxGroupKey } from "../invoice/document.ts";
import {
  add,
  type Decimal,
  isNegative,
  isPositive,
  isZero,
  lesser,
  round,
  subtract,
  sum,
  ZERO,
} from "../shared/decimal.ts";
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

/** An amount to take: of the goods that it is limited to, if any, then of all goods, then of everything. */
interface Portion {
  readonly amount: Decimal;
  readonly own?: readonly Decimal[];
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
  for (const { amount, own } of portionsOf(groups, reductions, { discount, scale })) {
    let rest = amount;
    for (const [limits, most] of [
      [own ?? goods, goods],
      [goods, goods],
      [everything, everything],
    ] as const) {
      const open = taken.map((already, index) =>
        atLeastNothing(lesser(limits[index] ?? ZERO, subtract(most[index] ?? ZERO, already))),
      );
      const part = lesser(rest, sum(open));
      const weighed = open.map((weight, index) => ({ weight, rate: rates[index] ?? ZERO }));
      const shares = spread(part, weighed, scale);
      taken = taken.map((already, index) => add(already, shares[index] ?? ZERO));
      rest = subtract(rest, part);
    }
  }
  return taken;
}

/** Discounts for some lines first, each on its lines; then the others together. */
function portionsOf(
  groups: readonly GroupGross[],
  reductions: readonly Reduction[],
  { discount, scale }: { readonly discount: Decimal; readonly scale: number },
): Portion[] {
  const limited = reductions
    .map(({ amount, lines }) => ({ amount: round(amount, scale), own: goodsNamed(groups, lines, scale) }))
    .filter(({ own }) => own.some(isPositive));
  const rest = subtract(discount, sum(limited.map(({ amount }) => amount)));
  return isZero(rest) ? limited : [...limited, { amount: atLeastNothing(rest) }];
}

/** Nothing where no line is named, or none that the order has: then the discount is for all. */
function goodsNamed(groups: readonly GroupGross[], ids: readonly string[], scale: number): Decimal[] {
  const named = new Set(ids);
  return groups.map(({ lines, gross }) => {
    const chosen = lines.filter((line) => isGoods(line) && line.ids.some((id) => named.has(id)));
    return atLeastNothing(lesser(gross, round(sum(chosen.map(grossOfLine)), scale)));
  });
}

function atLeastNothing(amount: Decimal): Decimal {
  return isNegative(amount) ? ZERO : amount;
}
