import {
  add,
  compare,
  type Decimal,
  divide,
  isZero,
  multiply,
  round,
  subtract,
  sum,
  ZERO,
} from "../shared/decimal.ts";
import { unitOf } from "./fact-text.ts";

/** A part of a whole, and the rate by which ties are broken. */
export interface Weighed {
  readonly weight: Decimal;
  readonly rate: Decimal;
}

/**
 * Rounds so that the parts add up to `total`: cents go to the largest remainders, ties to the higher rate.
 */
export function roundToTotal(parts: readonly Weighed[], total: Decimal, scale: number): Decimal[] {
  const floors = parts.map(({ weight }) => floorOf(weight, scale));
  const remainders = parts.map(({ weight, rate }, index) => ({
    index,
    rate,
    remainder: subtract(weight, floors[index] ?? ZERO),
  }));
  const order = remainders.toSorted((a, b) => compare(b.remainder, a.remainder) || compare(b.rate, a.rate));
  return handOut(
    floors,
    order.map(({ index }) => index),
    subtract(total, sum(floors)),
    scale,
  );
}

/** Digits of a quotient beyond the cent: enough that no two remainders are taken for equal. */
const QUOTIENT_DIGITS = 20;

/** Spreads `amount` in proportion to the weights, none of which is negative. */
export function spread(amount: Decimal, parts: readonly Weighed[], scale: number): Decimal[] {
  const whole = sum(parts.map(({ weight }) => weight));
  if (isZero(whole)) return parts.map(() => ZERO);
  const exact = parts.map(({ weight, rate }) => ({
    weight: divide(multiply(amount, weight), whole, QUOTIENT_DIGITS),
    rate,
  }));
  return roundToTotal(exact, amount, scale);
}

/** Gives the units that are missing one by one in the order given, and takes those too many from its end. */
function handOut(floors: readonly Decimal[], order: readonly number[], missing: Decimal, scale: number) {
  const amounts = [...floors];
  const unit = unitOf(scale);
  let units = Number(divide(missing, unit, 0));
  const isTooMuch = units < 0;
  const queue = isTooMuch ? order.toReversed() : order;
  while (units !== 0 && queue.length > 0) {
    for (const index of queue) {
      if (units === 0) break;
      const amount = amounts[index] ?? ZERO;
      amounts[index] = isTooMuch ? subtract(amount, unit) : add(amount, unit);
      units += isTooMuch ? 1 : -1;
    }
  }
  return amounts;
}

function floorOf(value: Decimal, scale: number): Decimal {
  const rounded = round(value, scale);
  return compare(rounded, value) > 0 ? subtract(rounded, unitOf(scale)) : rounded;
}
