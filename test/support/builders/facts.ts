import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { type Fact, money, percents as percentsOf } from "../../../src/domain/shared/fact.ts";

/** Facts of refusals, written briefly. */

export function eur(amount: string): Fact {
  return money(decimal(amount), "EUR");
}

export function percent(rate: string): Fact {
  return { percent: decimal(rate) };
}

export function day(date: string): Fact {
  return { date: civilDate(date) };
}

/** `0 4 10 21` is 0 %, 4 %, 10 % or 21 %. */
export function anyPercent(rates: string): Fact {
  return { either: percentsOf(rates.split(" ").map(decimal)) };
}

/** `l1 l2` is l1 and l2. */
export function all(names: string): Fact {
  return { all: names.split(" ") };
}

/** `100.00 + 21.00`, with the surcharge as a third, and the rate before a colon where there is one. */
export function amounts(text: string): Fact {
  const [, rate, sum = ""] = /^(?:(\S+): )?(.*)$/.exec(text) ?? [];
  const [base = "", tax = "", surcharge] = sum.split(" + ");
  const shown: Fact =
    surcharge === undefined
      ? { phrase: "amounts", base: eur(base), tax: eur(tax) }
      : { phrase: "amounts_with_surcharge", base: eur(base), tax: eur(tax), surcharge: eur(surcharge) };
  return rate === undefined ? shown : { phrase: "amounts_at", rate: percent(rate), amounts: shown };
}

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
