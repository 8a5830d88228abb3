import type { Amounts, TaxGroupKey } from "../invoice/document.ts";
import { addAmounts, isNothing, keyText, NOTHING } from "../invoice/tax-groups.ts";
import { roundToTotal, type Weighed } from "../shared/apportion.ts";
import {
  add,
  compare,
  type Decimal,
  divide,
  isNegative,
  isPositive,
  isZero,
  lesser,
  multiply,
  round,
  subtract,
  sum,
  ZERO,
} from "../shared/decimal.ts";
import type { Reduction } from "./other-totals.ts";
import { grossOfLine, isFree, isGoods, type KeyedLine } from "./sold-lines.ts";
import type { RateCorrection } from "./tax-totals.ts";

/** A tax group as the order has it, discounts taken off. */
export interface SoldGroup {
  readonly key: TaxGroupKey;
  readonly amounts: Amounts;
  /** The part of its base that discounts took; printed as a separate line. */
  readonly reducedBase: Decimal;
  /** The same with its tax. */
  readonly taken: Decimal;
}

interface SoldAmounts {
  readonly lines: readonly KeyedLine[];
  readonly reductions: readonly Reduction[];
  /** The difference between the true amounts per rate and the lines. */
  readonly corrections?: readonly RateCorrection[];
  /**
   * The total of the invoice: the order's total without excluded amounts. Undefined if it contradicts the
   * lines.
   */
  readonly total: Decimal | undefined;
  readonly scale: number;
}

/** The amounts that the customer paid count: the order's own per rate, never base x rate. */
export function formSoldGroups(sold: SoldAmounts): SoldGroup[] {
  const { lines, reductions, corrections = [], total, scale } = sold;
  const exact = exactGroups(lines).map((group) => corrected(group, corrections));
  const discount = round(sum(reductions.map(({ amount }) => amount)), scale);
  const before = round(total === undefined ? sum(exact.map(grossOfExact)) : add(total, discount), scale);
  const gross = roundToTotal(
    exact.map((group) => ({ weight: grossOfExact(group), rate: group.key.rate })),
    before,
    scale,
  );
  const groups = exact.map((group, index) => withGross(group, gross[index] ?? ZERO, scale));
  const shares = spreadReductions(groups, reductions, { discount, scale });
  return groups.map((group, index) => reduced(group, shares[index] ?? ZERO, scale));
}

/** A group with nothing in it is in no breakdown. */
export function isInBreakdown(group: { readonly amounts: Amounts }): boolean {
  return !isNothing(group.amounts);
}

interface ExactGroup {
  readonly key: TaxGroupKey;
  readonly lines: readonly KeyedLine[];
  readonly amounts: Amounts;
  /** Its tax is exact: the base takes the rounding of the gross. */
  readonly isBaseOpen?: boolean;
}

interface GrossGroup extends ExactGroup, GroupGross {}

function exactGroups(lines: readonly KeyedLine[]): ExactGroup[] {
  const byKey = new Map<string, KeyedLine[]>();
  for (const line of lines.filter((each) => !isFree(each))) {
    const known = byKey.get(keyText(line.key));
    if (known) known.push(line);
    else byKey.set(keyText(line.key), [line]);
  }
  return [...byKey.values()].flatMap((members) => {
    const [first] = members;
    return first
      ? [{ key: first.key, lines: members, amounts: members.reduce<Amounts>(addAmounts, NOTHING) }]
      : [];
  });
}

/** A rate has one group; of two with one at no rate, the first. */
function corrected(group: ExactGroup, corrections: readonly RateCorrection[]): ExactGroup {
  const own = corrections.find(({ rate, surchargeRate }) =>
    group.lines.some((line) => line.rate === rate && line.surchargeRate === surchargeRate),
  );
  if (!own) return group;
  return { ...group, amounts: addAmounts(group.amounts, own.by), isBaseOpen: own.isBaseOpen };
}

function grossOfExact({ amounts }: ExactGroup): Decimal {
  return grossOfLine(amounts);
}

/** Discounts are measured on goods: the whole gross if the group has nothing else. */
function withGross(group: ExactGroup, gross: Decimal, scale: number): GrossGroup {
  const goods = group.lines.filter(isGoods);
  const products = goods.length === group.lines.length ? gross : round(sum(goods.map(grossOfLine)), scale);
  const { tax, surcharge } = group.amounts;
  const base = group.isBaseOpen ? subtract(subtract(gross, tax), surcharge) : group.amounts.base;
  return { ...group, amounts: { base, tax, surcharge }, gross, products };
}

/** The whole group shrinks in the ratio of its gross: base by the ratio, tax by difference. */
function reduced(group: GrossGroup, share: Decimal, scale: number): SoldGroup {
  const { key, gross, amounts } = group;
  const kept = splitKept(key, amounts, { gross, kept: subtract(gross, share), scale });
  const full = splitKept(key, amounts, { gross, kept: gross, scale });
  return { key, amounts: kept, reducedBase: subtract(full.base, kept.base), taken: share };
}

interface Kept {
  readonly gross: Decimal;
  readonly kept: Decimal;
  readonly scale: number;
}

function splitKept(key: TaxGroupKey, exact: Amounts, { gross, kept, scale }: Kept): Amounts {
  if (isZero(key.rate) || isZero(kept)) return { base: kept, tax: ZERO, surcharge: ZERO };
  const inRatio = (amount: Decimal) => divide(multiply(amount, kept), gross, scale);
  const base = within(inRatio(exact.base), kept);
  const surcharge = within(inRatio(exact.surcharge), subtract(kept, base));
  return { base, tax: subtract(subtract(kept, base), surcharge), surcharge };
}

/** A part of the whole with its sign: of a cent, rounding may make more than there is. */
function within(part: Decimal, whole: Decimal): Decimal {
  if (isPositive(whole)) return isNegative(part) ? ZERO : compare(part, whole) > 0 ? whole : part;
  return isPositive(part) ? ZERO : compare(part, whole) < 0 ? whole : part;
}

/** A tax group before discounts, rounded. */
interface GroupGross {
  readonly key: TaxGroupKey;
  readonly lines: readonly KeyedLine[];
  readonly gross: Decimal;
  /** Its goods, without delivery and fees. */
  readonly products: Decimal;
}

/**
 * An amount to take: of the lines that it is limited to, if any, then of all goods, then of everything.
 * `own` holds what these lines have of each part: of the goods of each group, then of its delivery and fees.
 */
interface Portion {
  readonly amount: Decimal;
  readonly own?: readonly Decimal[];
}

/**
 * The part of the discounts per group: goods in proportion to their gross, delivery and fees only for the
 * excess or where a discount names them. An excess over everything is taken from nothing.
 */
function spreadReductions(
  groups: readonly GroupGross[],
  reductions: readonly Reduction[],
  { discount, scale }: { readonly discount: Decimal; readonly scale: number },
): Decimal[] {
  const goods = groups.map(({ gross, products }) => atLeastNothing(lesser(gross, products)));
  const others = groups.map(({ gross }, index) => subtract(atLeastNothing(gross), goods[index] ?? ZERO));
  const onlyGoods = [...goods, ...others.map(() => ZERO)];
  const everything = [...goods, ...others];
  const rates = [...groups, ...groups].map(({ key }) => key.rate);
  let taken = everything.map(() => ZERO);
  for (const { amount, own } of portionsOf(groups, reductions, { discount, scale })) {
    let rest = amount;
    for (const limits of [own ?? onlyGoods, onlyGoods, everything]) {
      const open = everything.map((most, index) =>
        atLeastNothing(lesser(limits[index] ?? ZERO, subtract(most, taken[index] ?? ZERO))),
      );
      const part = lesser(rest, sum(open));
      const weighed = open.map((weight, index) => ({ weight, rate: rates[index] ?? ZERO }));
      const shares = spread(part, weighed, scale);
      taken = taken.map((already, index) => add(already, shares[index] ?? ZERO));
      rest = subtract(rest, part);
    }
  }
  return groups.map((_, index) => add(taken[index] ?? ZERO, taken[groups.length + index] ?? ZERO));
}

/** Discounts for some lines first, each on its lines; then the others together. */
function portionsOf(
  groups: readonly GroupGross[],
  reductions: readonly Reduction[],
  { discount, scale }: { readonly discount: Decimal; readonly scale: number },
): Portion[] {
  const limited = reductions
    .map(({ amount, lines }) => ({ amount: round(amount, scale), own: linesNamed(groups, lines, scale) }))
    .filter(({ own }) => own.some(isPositive));
  const rest = subtract(discount, sum(limited.map(({ amount }) => amount)));
  return isZero(rest) ? limited : [...limited, { amount: atLeastNothing(rest) }];
}

/** Nothing where no line is named, or none that the order has: then the discount is for all. */
function linesNamed(groups: readonly GroupGross[], ids: readonly string[], scale: number): Decimal[] {
  const named = new Set(ids);
  const grossOfNamed = (areGoods: boolean) =>
    groups.map(({ lines, gross }) => {
      const chosen = lines.filter(
        (line) => isGoods(line) === areGoods && line.ids.some((id) => named.has(id)),
      );
      return atLeastNothing(lesser(gross, round(sum(chosen.map(grossOfLine)), scale)));
    });
  return [...grossOfNamed(true), ...grossOfNamed(false)];
}

function atLeastNothing(amount: Decimal): Decimal {
  return isNegative(amount) ? ZERO : amount;
}

/** Digits of a quotient beyond the cent: enough that no two remainders are taken for equal. */
const QUOTIENT_DIGITS = 20;

/** Spreads `amount` in proportion to the weights, none of which is negative. */
function spread(amount: Decimal, parts: readonly Weighed[], scale: number): Decimal[] {
  const whole = sum(parts.map(({ weight }) => weight));
  if (isZero(whole)) return parts.map(() => ZERO);
  const exact = parts.map(({ weight, rate }) => ({
    weight: divide(multiply(amount, weight), whole, QUOTIENT_DIGITS),
    rate,
  }));
  return roundToTotal(exact, amount, scale);
}
