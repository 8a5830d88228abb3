import { scaleIn } from "../order/fact-text.ts";
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
  unitOf,
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
  /** The taxes that apply to the line. */
  readonly taxes: readonly NativeTax[];
  /** The id of the line, else its path. */
  readonly where: string;
}

export type LineTax = Pick<OrderLine, "taxRate" | "tax" | "surchargeRate" | "surcharge">;

/** Percents by the shop's tax id; the rate of an absent id is unknown. */
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

/** The rate by which refunds name the line: VAT and recargo together. */
export function wholeRate({ taxRate, surchargeRate }: Pick<LineTax, "taxRate" | "surchargeRate">): Decimal {
  return add(taxRate, surchargeRate ?? ZERO);
}

/** VAT and recargo of a line together. */
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
  const taxed = totals.filter(({ id, tax }) => {
    const percent = percents.get(id);
    return percent !== undefined && !(isZero(percent) && isZero(tax));
  });
  const groups = new Map<string, NativeTaxTotal[]>();
  for (const total of taxed) {
    const ids = idsBeside(total.id, percents, lines);
    if (ids === undefined) return [];
    const key = JSON.stringify(ids.toSorted());
    groups.set(key, [...(groups.get(key) ?? []), total]);
  }
  const merged = new Map<string, TaxTotal>();
  for (const group of groups.values()) {
    const total = totalOf(group, percents);
    const key = `${total.rate}+${total.surchargeRate}`;
    merged.set(key, together(merged.get(key), total));
  }
  return [...merged.values()];
}

/** The totals of taxes that stand on the same lines, and so have the same base. */
function totalOf(group: readonly NativeTaxTotal[], percents: Percents): TaxTotal {
  const byId = new Map<string, NativeTaxTotal>();
  for (const total of group) {
    const { base, tax } = byId.get(total.id) ?? {};
    const bases = base === undefined || total.base === undefined ? {} : { base: add(base, total.base) };
    byId.set(total.id, tax === undefined ? total : { id: total.id, ...bases, tax: add(tax, total.tax) });
  }
  const parts = [...byId.values()];
  const rates = parts.map(({ id }) => percents.get(id) ?? ZERO);
  const index = surchargeIndex(rates);
  const base = parts[0]?.base;
  const stated = base === undefined ? {} : { base };
  if (index === undefined) return { rate: sum(rates), ...stated, tax: sum(parts.map(({ tax }) => tax)) };
  const [main, surcharge] = [parts[1 - index], parts[index]];
  return {
    rate: rates[1 - index] ?? ZERO,
    ...stated,
    tax: main?.tax ?? ZERO,
    surchargeRate: rates[index] ?? ZERO,
    surcharge: surcharge?.tax ?? ZERO,
  };
}

function together(before: TaxTotal | undefined, { base, ...total }: TaxTotal): TaxTotal {
  if (before === undefined) return base === undefined ? total : { ...total, base };
  const { surcharge } = total;
  return {
    ...total,
    tax: add(before.tax, total.tax),
    ...(surcharge === undefined ? {} : { surcharge: add(before.surcharge ?? ZERO, surcharge) }),
    ...(base === undefined || before.base === undefined ? {} : { base: add(before.base, base) }),
  };
}

/**
 * The taxes that stand on all lines of a tax; undefined where its lines differ. A main rate may also stand
 * without its recargo: shipping beside goods with it is one rate to the platform.
 */
function idsBeside(
  id: string,
  percents: Percents,
  lines: readonly NativeLine[],
): readonly string[] | undefined {
  const sets = lines
    .map(({ taxes }) => taxes.filter(({ amount }) => !isZero(amount)).map((tax) => tax.id))
    .filter((ids) => ids.includes(id))
    .map((ids) => [...new Set(ids)].toSorted());
  const pairs = sets.filter((ids) => ids.length > 1);
  const kinds = new Map(pairs.map((ids) => [JSON.stringify(ids), ids]));
  if (kinds.size === 0) return [id];
  const [only] = kinds.values();
  if (kinds.size > 1 || only === undefined) return undefined;
  if (pairs.length === sets.length) return only;
  const rates = only.map((each) => percents.get(each) ?? ZERO);
  const isMain = surchargeIndex(rates) !== undefined && !SURCHARGES.has(percents.get(id) ?? ZERO);
  return isMain ? only : undefined;
}
