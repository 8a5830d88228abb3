import { add, type Decimal, divide, isZero, multiply, subtract, sum, ZERO } from "../../shared/decimal.ts";
import type { Findings } from "../mapped.ts";
import type { Native } from "../native.ts";
import { makesTax, type NativeLine, type NativeTax, type Percents } from "../rates.ts";
import { appliedTo, nativeTaxes } from "./members.ts";

type Untaxed = Omit<NativeLine, "taxes">;

const DECIMALS = 6;

/**
 * The taxes of an item: as applied to it, else the one of its percent. A percent that is the sum of two taxes
 * of the order is both of them.
 */
export function itemTaxes(
  item: Native,
  line: Untaxed,
  order: Native,
  percents: Percents,
  findings: Findings,
): readonly NativeTax[] {
  const id = item.at("item_id").id();
  const applied = appliedTo(order, (entry) => id !== undefined && entry.at("item_id").id() === id);
  if (applied.length > 0) return nativeTaxes(applied, findings);
  const percent = item.at("tax_percent").amount();
  if (percent === undefined) return isZero(line.tax) ? [] : [{ id: `item ${line.where}`, amount: line.tax }];
  if (isZero(percent) && isZero(line.tax)) return [];
  const known = [...percents].find(([, rate]) => rate === percent)?.[0];
  if (known !== undefined) return [{ id: known, amount: line.tax }];
  return pairOf(percent, line.tax, percents) ?? [{ id: percentId(percent), amount: line.tax }];
}

/** The id of a tax that only its percent names. */
export function percentId(percent: Decimal): string {
  return `${percent} %`;
}

/** Each of the two has its share of the tax. */
function pairOf(percent: Decimal, tax: Decimal, percents: Percents): readonly NativeTax[] | undefined {
  const entries = [...percents].filter(([, rate]) => !isZero(rate));
  const pairs = entries.flatMap((first, index) =>
    entries.slice(index + 1).map((second) => [first, second] as const),
  );
  const [pair, ...more] = pairs.filter(([[, a], [, b]]) => add(a, b) === percent);
  if (pair === undefined || more.length > 0) return undefined;
  const [[first], [second, rate]] = pair;
  const share = divide(multiply(tax, rate), percent, DECIMALS);
  return [
    { id: first, amount: subtract(tax, share) },
    { id: second, amount: share },
  ];
}

/**
 * The tax of shipping: as applied to it, else the only rate of the order that makes it, else one of its own
 * that its amounts must prove.
 */
export function shippingTaxes(
  line: Untaxed,
  order: Native,
  percents: Percents,
  currency: string,
  findings: Findings,
): readonly NativeTax[] {
  const applied = appliedTo(order, (entry) => entry.at("type").text(40) === "shipping");
  if (applied.length > 0) return nativeTaxes(applied, findings);
  if (isZero(line.tax)) return [];
  const rates = new Map([...percents].map(([id, rate]) => [rate, id]));
  const fitting = [...rates].filter(([rate]) => makesTax(line, rate, line.tax, currency));
  const [only] = fitting;
  const id = fitting.length === 1 && only ? only[1] : "shipping";
  return [{ id, amount: line.tax }];
}

/** Amounts with their tax, of members that are no line. */
export function withTax(order: Native, member: string, tax: string, findings: Findings): Decimal {
  const places = [member, tax].map((name) => order.first(name, `extension_attributes.${name}`));
  return sum(places.map((place) => findings.optionalAmount(place) ?? ZERO));
}
