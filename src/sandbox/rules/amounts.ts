/** Amounts and rates in hundredths, exact. */

/** Hundredths of a text that the schema has let pass: `121.1` is 12110n. */
export function hundredths(text: string): bigint {
  const [whole = "0", fraction = ""] = text.replace(/^[+-]/, "").split(".");
  const units = BigInt(whole + fraction.padEnd(2, "0"));
  return text.startsWith("-") ? -units : units;
}

export function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units;
}

/** The service lets every comparison of amounts be off by ten euros. */
export const TOLERANCE = 1_000n;

export function isNear(one: bigint, other: bigint): boolean {
  return magnitude(one - other) <= TOLERANCE;
}

/** Whether a tax amount matches rate and base, computed without rounding. */
export function isTaxOf(tax: bigint, base: bigint, rate: bigint): boolean {
  return magnitude(tax * 10_000n - base * rate) <= TOLERANCE * 10_000n;
}

/** 0 matches either sign. */
export function haveSameSign(one: bigint, other: bigint): boolean {
  return one * other >= 0n;
}

/** Without zeros at the end, as a query answers: `121.00` is `121`. */
export function shortened(text: string): string {
  const units = hundredths(text);
  const digits = String(magnitude(units)).padStart(3, "0");
  const plain = `${digits.slice(0, -2)}.${digits.slice(-2)}`.replace(/\.?0+$/, "");
  return units < 0n ? `-${plain}` : plain;
}
