import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  multiply,
  round,
  subtract,
  sum,
  unitOf,
  ZERO,
} from "./decimal.ts";

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

/** Gives the units that are missing one by one in the order given, and takes those too many from its end. */
function handOut(
  floors: readonly Decimal[],
  order: readonly number[],
  missing: Decimal,
  scale: number,
): Decimal[] {
  const units = Number(divide(missing, unitOf(scale), 0));
  const places = new Map((units < 0 ? order.toReversed() : order).map((index, place) => [index, place]));
  const [count, each] = [order.length, Math.trunc(Math.abs(units) / order.length)];
  return floors.map((floor, index) => {
    const isAmongFirst = (places.get(index) ?? count) < Math.abs(units) - each * count;
    const share = (each + (isAmongFirst ? 1 : 0)) * Math.sign(units);
    return add(floor, multiply(decimal(String(share)), unitOf(scale)));
  });
}

function floorOf(value: Decimal, scale: number): Decimal {
  const rounded = round(value, scale);
  return compare(rounded, value) > 0 ? subtract(rounded, unitOf(scale)) : rounded;
}
