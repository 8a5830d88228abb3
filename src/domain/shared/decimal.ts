import Big from "big.js";

declare const decimalBrand: unique symbol;

/**
 * An exact decimal in its shortest plain form ("0", "-1.5", "1210"): never exponent, never "-0", never a
 * trailing zero. A string survives JSON, D1 and RPC unchanged, which neither a double nor a class does.
 */
export type Decimal = string & { readonly [decimalBrand]: "Decimal" };

export const ZERO = canonical(new Big(0));
export const ONE = canonical(new Big(1));
export const HUNDRED = canonical(new Big(100));

const DECIMAL_SOURCE = /^-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$/;

/** Reads the source text of a JSON number; undefined when it is none or its exponent is absurd. */
export function decimalFrom(source: string): Decimal | undefined {
  return DECIMAL_SOURCE.test(source) ? canonical(new Big(source)) : undefined;
}

/** For literals in code and values that were decimals before (a stored document). Throws on anything else. */
export function decimal(source: string): Decimal {
  const value = decimalFrom(source);
  if (value === undefined) throw new Error("not a decimal");
  return value;
}

export function add(a: Decimal, b: Decimal): Decimal {
  return canonical(new Big(a).plus(b));
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return canonical(new Big(a).minus(b));
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return canonical(new Big(a).times(b));
}

export function negate(a: Decimal): Decimal {
  return canonical(new Big(a).times(-1));
}

export function absolute(a: Decimal): Decimal {
  return canonical(new Big(a).abs());
}

export function sum(values: Iterable<Decimal>): Decimal {
  let total = new Big(0);
  for (const value of values) total = total.plus(value);
  return canonical(total);
}

/** Half away from zero, as EN 16931 amounts are rounded. */
export function round(a: Decimal, scale: number): Decimal {
  return canonical(new Big(a).round(scale, Big.roundHalfUp));
}

/** a / b rounded once, half away from zero, at `scale` decimals; b must not be zero. */
export function divide(a: Decimal, b: Decimal, scale: number): Decimal {
  return canonical(new (dividing(scale))(a).div(b));
}

/** value x percent / 100, rounded once. */
export function percentOf(value: Decimal, percent: Decimal, scale: number): Decimal {
  return canonical(new Big(value).times(percent).times("0.01").round(scale, Big.roundHalfUp));
}

/** -1, 0 or 1. */
export function compare(a: Decimal, b: Decimal): number {
  return new Big(a).cmp(b);
}

export function lesser(a: Decimal, b: Decimal): Decimal {
  return compare(a, b) < 0 ? a : b;
}

export function greater(a: Decimal, b: Decimal): Decimal {
  return compare(a, b) > 0 ? a : b;
}

export function isAtMost(a: Decimal, limit: Decimal): boolean {
  return new Big(a).lte(limit);
}

export function isZero(a: Decimal): boolean {
  return a === "0";
}

export function isNegative(a: Decimal): boolean {
  return a.startsWith("-");
}

export function isPositive(a: Decimal): boolean {
  return a !== "0" && !a.startsWith("-");
}

/** The smallest amount of the scale. */
export function unitOf(scale: number): Decimal {
  return decimal(`1e-${scale}`);
}

/** Fixed notation with exactly `scale` decimals ("12.30"); the value must have no more than that. */
export function toFixed(a: Decimal, scale: number): string {
  return new Big(a).toFixed(scale);
}

/** Digits before the point (0 counts as 1) and after it. */
export function digitsOf(a: Decimal): { readonly integer: number; readonly fraction: number } {
  const [integer = "", fraction = ""] = a.replace("-", "").split(".");
  return { integer: integer.length, fraction: fraction.length };
}

function canonical(value: Big): Decimal {
  // The one place where a string becomes a Decimal: toFixed() of a Big is already the shortest plain form.
  const text = value.toFixed();
  return (text === "-0" ? "0" : text) as Decimal;
}

const dividers = new Map<number, typeof Big>();

/** big.js keeps the scale of a division on its constructor: one constructor per scale. */
function dividing(scale: number): typeof Big {
  const known = dividers.get(scale);
  if (known) return known;
  const made = Big();
  made.DP = scale;
  made.RM = Big.roundHalfUp;
  dividers.set(scale, made);
  return made;
}

declare global {
  interface JSON {
    /** ECMAScript 2026; a text that `stringify` writes as it is. */
    rawJSON(text: string): RawNumber;
  }
}

declare const rawNumberBrand: unique symbol;

export interface RawNumber {
  readonly [rawNumberBrand]: true;
}

/** A decimal as a JSON number, digit by digit. */
export function exactNumber(value: Decimal): RawNumber {
  return JSON.rawJSON(value);
}
