/** Amounts computed again, apart from the product: BigInt in units of the last decimal, no library. */

/** `unitsOf("-1.5", 2)` is -150n. */
export function unitsOf(text: string, scale: number): bigint {
  const [integer = "0", fraction = ""] = text.replace("-", "").split(".");
  const units = BigInt(integer + fraction.padEnd(scale, "0"));
  return text.startsWith("-") ? -units : units;
}

/** `textOf(-150n, 2)` is "-1.50". */
export function textOf(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const point = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return units < 0n ? `-${text}` : text;
}

/** Half away from zero. */
export function dividedHalfUp(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n !== denominator < 0n;
  const [n, d] = [numerator < 0n ? -numerator : numerator, denominator < 0n ? -denominator : denominator];
  const quotient = (2n * n + d) / (2n * d);
  return isNegative ? -quotient : quotient;
}
