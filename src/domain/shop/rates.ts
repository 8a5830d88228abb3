import { scaleIn, unitOf } from "../order/fact-text.ts";
import type { OrderLine, TaxTotal } from "../order/facts.ts";
import {
  absolute,
  add,
  type Decimal,
  decimal,
  digitsOf,
  divide,
  isAtMost,
  isZero,
  lesser,
  multiply,
  ONE,
  round,
  subtract,
  sum,
  ZERO,
} from "../shared/decimal.ts";
import type { Findings } from "./mapped.ts";
import { lookedUp } from "./native.ts";
import type { ShopTables } from "./tables.ts";

/** A tax of a line under the shop's own id, with the most decimals that the shop gives. */
export interface NativeTax {
  readonly id: string;
  readonly amount: Decimal;
}

/** Amounts of a whole line, as the shop has them. */
export interface NativeLine {
  readonly base: Decimal;
  readonly tax: Decimal;
  readonly quantity: Decimal;
  /** Without taxes that do not apply to the line. */
  readonly taxes: readonly NativeTax[];
  /** The id of the line, else its path. */
  readonly where: string;
}

export type LineTax = Pick<OrderLine, "taxRate" | "tax" | "surchargeRate" | "surcharge">;

/** Percents by the shop's tax id; an id that is absent has a rate that nobody states. */
export type Percents = ReadonlyMap<string, Decimal>;

const PER_CENT = decimal("0.01");
const HALF = decimal("0.5");
const MOST_UNITS = decimal("25");
/** Recargo de equivalencia: Ley 37/1992, article 161. */
const SURCHARGES: ReadonlySet<string> = new Set(["5.2", "1.4", "0.5", "1.75"]);

/** What the platform's rounding may make of the tax of a line: 0.01 and 0.005 a piece, at most 0.25. */
export function lineTolerance(quantity: Decimal, currency: string): Decimal {
  const units = add(ONE, multiply(absolute(quantity), HALF));
  return multiply(unitOf(scaleIn(currency)), lesser(units, MOST_UNITS));
}

/**
 * The percent of each tax: as the document states it, else as the tables have it, else as the order's own
 * amounts prove it.
 */
export function percentsOf(
  lines: readonly NativeLine[],
  stated: Percents,
  tables: Pick<ShopTables, "taxRates">,
  currency: string,
): Percents {
  const ids = new Set([...stated.keys(), ...lines.flatMap(({ taxes }) => taxes.map(({ id }) => id))]);
  const known = new Map<string, Decimal>();
  for (const id of ids) {
    const percent = stated.get(id) ?? lookedUp(tables.taxRates, id) ?? provenPercent(id, lines, currency);
    if (percent !== undefined) known.set(id, percent);
  }
  return known;
}

/** Tax / base over all lines of the tax, if that makes the tax of each of them. */
function provenPercent(id: string, lines: readonly NativeLine[], currency: string): Decimal | undefined {
  const parts = lines.flatMap((line) =>
    line.taxes.filter((tax) => tax.id === id).map(({ amount }) => ({ ...line, amount })),
  );
  const [base, tax] = [sum(parts.map((part) => part.base)), sum(parts.map((part) => part.amount))];
  if (isZero(base)) return isZero(tax) ? ZERO : undefined;
  const percent = divide(multiply(tax, decimal("100")), base, 2);
  const isProven = parts.every(({ amount, ...part }) => makesTax(part, percent, amount, currency));
  return isProven ? percent : undefined;
}

/** Whether the percent of the line's base is this tax, but for rounding. */
export function makesTax(
  { base, quantity }: Pick<NativeLine, "base" | "quantity">,
  percent: Decimal,
  tax: Decimal,
  currency: string,
): boolean {
  const difference = subtract(multiply(multiply(base, percent), PER_CENT), tax);
  return isAtMost(absolute(difference), lineTolerance(quantity, currency));
}

/**
 * Rate and tax of a line. Of two taxes one may be the recargo, which keeps its own amount; others add up.
 * Where no rate is known, the line has the ratio of its amounts, and the order is told to lack the rate.
 */
export function lineTax(line: NativeLine, percents: Percents, currency: string, findings: Findings): LineTax {
  const { base, tax } = line;
  const taxes = line.taxes.filter((each) => isApplied(each, line, percents, currency));
  if (taxes.length === 0 && isZero(tax)) return { taxRate: ZERO, tax };
  const rates = taxes.map(({ id }) => percents.get(id));
  if (rates.length === 0 || rates.includes(undefined)) {
    findings.add("tax_rate", line.where);
    return { taxRate: isZero(base) ? ZERO : divide(multiply(tax, decimal("100")), base, 2), tax };
  }
  const known = rates.filter((rate) => rate !== undefined);
  const index = surchargeIndex(known);
  if (index === undefined) return { taxRate: sum(known), tax };
  const scale = Math.max(scaleIn(currency), digitsOf(tax).fraction);
  const surcharge = round(taxes[index]?.amount ?? ZERO, scale);
  return {
    taxRate: known[1 - index] ?? ZERO,
    tax: subtract(tax, surcharge),
    surchargeRate: known[index] ?? ZERO,
    surcharge,
  };
}

/** One of several taxes that takes nothing where it should does not apply. */
function isApplied(tax: NativeTax, line: NativeLine, percents: Percents, currency: string): boolean {
  const percent = percents.get(tax.id);
  const isOne = line.taxes.length > 1 && isZero(tax.amount) && percent !== undefined;
  return !isOne || makesTax(line, percent, ZERO, currency);
}

function surchargeIndex(rates: readonly Decimal[]): 0 | 1 | undefined {
  const [first, second] = rates.map((rate) => SURCHARGES.has(rate));
  if (rates.length !== 2 || first === second) return undefined;
  return first ? 0 : 1;
}

/** The rate of a line as refunds name it: recargo within. */
export function wholeRate({ taxRate, surchargeRate }: Pick<LineTax, "taxRate" | "surchargeRate">): Decimal {
  return add(taxRate, surchargeRate ?? ZERO);
}

/** The tax of a line, recargo within. */
export function wholeTax({ tax, surcharge }: Pick<LineTax, "tax" | "surcharge">): Decimal {
  return add(tax, surcharge ?? ZERO);
}

/** The platform's total of one tax. */
export interface NativeTaxTotal {
  readonly id: string;
  readonly base?: Decimal;
  readonly tax: Decimal;
}

/**
 * The platform's totals per rate of the lines. A recargo joins the rate that it has on the lines, taxes that
 * add up on a line add up here. Totals that the lines do not group in the same way are left out as a whole:
 * they would say something that the platform does not.
 */
export function taxTotals(
  totals: readonly NativeTaxTotal[],
  percents: Percents,
  lines: readonly NativeLine[],
): readonly TaxTotal[] {
  const groups = new Map<string, { parts: Map<Decimal, Decimal>; base: Decimal | undefined }>();
  for (const total of totals) {
    const percent = percents.get(total.id);
    if (percent === undefined || (isZero(percent) && isZero(total.tax))) continue;
    const rates = ratesBeside(percent, percents, lines);
    if (rates === undefined) return [];
    const key = [...rates].toSorted().join("+");
    const group = groups.get(key) ?? { parts: new Map(), base: total.base };
    const isFirst = !groups.has(key);
    const isOther = !isFirst && !group.parts.has(percent);
    group.parts.set(percent, add(group.parts.get(percent) ?? ZERO, total.tax));
    // Two taxes of the same lines have the same base; two totals of one tax have a part each.
    if (!isFirst && !isOther) {
      const isKnown = group.base !== undefined && total.base !== undefined;
      group.base = isKnown ? add(group.base ?? ZERO, total.base ?? ZERO) : undefined;
    }
    groups.set(key, group);
  }
  return [...groups.values()].map(({ parts, base }) => {
    const rates = [...parts.keys()];
    const index = surchargeIndex(rates);
    const stated = base === undefined ? {} : { base };
    if (index === undefined) return { rate: sum(rates), ...stated, tax: sum(parts.values()) };
    const [rate = ZERO, surchargeRate = ZERO] = [rates[1 - index], rates[index]];
    return {
      rate,
      ...stated,
      tax: parts.get(rate) ?? ZERO,
      surchargeRate,
      surcharge: parts.get(surchargeRate) ?? ZERO,
    };
  });
}

/**
 * The rates that a percent has beside it on all of its lines; undefined where lines differ. A main rate may
 * also stand without its recargo.
 */
function ratesBeside(
  percent: Decimal,
  percents: Percents,
  lines: readonly NativeLine[],
): readonly Decimal[] | undefined {
  const sets = lines
    .map(({ taxes }) => taxes.filter(({ amount }) => !isZero(amount)))
    .map((taxes) => taxes.flatMap(({ id }) => percents.get(id) ?? []))
    .filter((rates) => rates.includes(percent))
    .map((rates) => [...new Set(rates)]);
  const pairs = sets.filter((rates) => rates.length > 1);
  const kinds = new Map(pairs.map((rates) => [rates.toSorted().join("+"), rates]));
  if (kinds.size === 0) return [percent];
  const [only] = kinds.values();
  if (kinds.size > 1 || only === undefined) return undefined;
  if (pairs.length === sets.length) return only;
  // Shipping without recargo beside goods with it is one rate to the platform.
  const isMain = surchargeIndex(only) !== undefined && !SURCHARGES.has(percent);
  return isMain ? only : undefined;
}
