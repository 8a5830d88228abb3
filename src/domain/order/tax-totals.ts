import type { Amounts } from "../invoice/document.ts";
import { addAmounts, NOTHING, subtractAmounts } from "../invoice/tax-groups.ts";
import {
  absolute,
  compare,
  type Decimal,
  isAtMost,
  isNegative,
  isPositive,
  isZero,
  multiply,
  round,
  subtract,
  sum,
  ZERO,
} from "../shared/decimal.ts";
import type { Fact } from "../shared/fact.ts";
import { amountOf, scaleIn } from "./fact-text.ts";
import type { OrderFacts, TaxTotal } from "./facts.ts";
import { type Combinable, roundingOf } from "./line-taxes.ts";
import { because, type Facts, NOT_STATED, type Reason } from "./reasons.ts";
import { grossOfLine, isFree, isUntaxedVoucher, type SoldLine, surchargeOf } from "./sold-lines.ts";

/** The difference of a rate's amounts from its lines, before rounding. */
export interface RateCorrection {
  readonly rate: Decimal;
  readonly surchargeRate?: Decimal;
  readonly by: Amounts;
  /** The shop states the tax and not the base, so the base takes the rounding of the total. */
  readonly isBaseOpen: boolean;
}

export interface TaxTotalsReading {
  readonly corrections: readonly RateCorrection[];
  /** The first rate of which shop and lines say something else, however little. */
  readonly difference?: Facts;
  readonly reasons: readonly Reason[];
}

/** Rate and recargo of a rate that has both in one, as the lines are read. */
export type ReadCombined = <Line extends Combinable>(lines: readonly Line[]) => Line[];

type Member = "tax" | "base" | "surcharge";

/** An entry in the form of its lines; undefined members are taken from the lines. */
interface Stated extends Readonly<Record<Member, Decimal | undefined>> {
  readonly rate: Decimal;
  readonly surchargeRate?: Decimal;
  readonly lines: readonly SoldLine[];
}

/**
 * The shop's totals per positive rate compared with its lines. A small difference is the shop's rounding; a
 * larger one contradicts the order.
 */
export function readTaxTotals(
  facts: OrderFacts,
  allLines: readonly SoldLine[],
  read: ReadCombined,
): TaxTotalsReading {
  const { currency } = facts;
  const lines = read(allLines.filter(isTaxable));
  const stated = statedRates(facts.taxTotals ?? [], lines, read);
  const reason = contradiction(stated, lines, currency);
  if (reason) return { corrections: [], reasons: [because("tax_totals_mismatch", reason)] };
  const difference = stated.map((each) => differing(each, currency)).find(Boolean);
  return {
    corrections: stated.flatMap((each) => correctionsOf(each, scaleIn(currency))),
    ...(difference ? { difference } : {}),
    reasons: [],
  };
}

/** Untaxed lines and vouchers that are taxed when used are in no total of a positive rate. */
function isTaxable(line: SoldLine): boolean {
  return isPositive(line.rate) && !isUntaxedVoucher(line);
}

function statedRates(
  totals: readonly TaxTotal[],
  lines: readonly SoldLine[],
  read: ReadCombined,
): readonly Stated[] {
  const isSold = (rate: Decimal) => lines.some((line) => !isFree(line) && isRateOf(line, rate));
  const entries = totals
    .filter((total) => !isEmpty(total) || isSold(total.rate))
    .map((total) => combinable(total));
  const rates = read(entries.map(({ entry }) => entry));
  return entries.map(({ total, entry }, index) => {
    const { rate, surchargeRate } = rates[index] ?? entry;
    const covered = coveredLines({ rate, ...surchargeOf(surchargeRate) }, lines, rates);
    const base = total.base ?? sum(covered.map((line) => line.base));
    const [{ tax, surcharge } = entry] = read([{ ...entry, base }]);
    const isSurchargeSaid = surchargeRate !== undefined && !isZero(surchargeRate);
    return {
      rate,
      ...surchargeOf(surchargeRate),
      lines: covered,
      tax,
      base: total.base,
      surcharge: isSurchargeSaid || !isZero(surcharge) ? surcharge : undefined,
    };
  });
}

/** As it is, or with the recargo within. */
function isRateOf(line: SoldLine, rate: Decimal): boolean {
  return line.rate === rate || sum([line.rate, line.surchargeRate ?? ZERO]) === rate;
}

/** An entry without amounts, or a zero tax at a zero rate: platforms list both. */
function isEmpty({ rate, base = ZERO, tax, surcharge = ZERO }: TaxTotal): boolean {
  return isZero(tax) && isZero(surcharge) && (isZero(base) || isZero(rate));
}

function combinable(total: TaxTotal): { readonly total: TaxTotal; readonly entry: Combinable } {
  const { rate, base = ZERO, tax, surchargeRate, surcharge = ZERO } = total;
  return { total, entry: { rate, base, tax, surcharge, ...surchargeOf(surchargeRate) } };
}

/** A single entry covers all lines of its rate; several are distinguished by their recargo. */
function coveredLines(
  { rate, surchargeRate }: Pick<Stated, "rate" | "surchargeRate">,
  lines: readonly SoldLine[],
  entries: readonly Combinable[],
): readonly SoldLine[] {
  const ofRate = lines.filter((line) => line.rate === rate);
  if (entries.filter((entry) => entry.rate === rate).length === 1) return ofRate;
  return ofRate.filter((line) => line.surchargeRate === surchargeRate);
}

/** An unknown rate, a repeated one, a missing one, or an amount too far from its lines. */
function contradiction(
  stated: readonly Stated[],
  lines: readonly SoldLine[],
  currency: string,
): Facts | undefined {
  const shown = (amount: Decimal) => amountOf(amount, currency);
  for (const [index, each] of stated.entries()) {
    const twin = stated.slice(0, index).find((other) => keyOf(other) === keyOf(each));
    if (twin) {
      const both = sum([each.tax ?? ZERO, twin.tax ?? ZERO]);
      return figures(each, shown(both), shown(sumOf(each.lines, "tax")));
    }
    const { surchargeRate } = each;
    const isForeign =
      surchargeRate !== undefined && !each.lines.some((line) => line.surchargeRate === surchargeRate);
    const most = isForeign || isAgainstBase(each) ? ZERO : roundingOf(each.lines, currency);
    const far = differing(each, currency, (difference) => isAtMost(difference, most));
    if (far) return far;
  }
  const covered = new Set(stated.flatMap((each) => each.lines));
  const missing = lines.find((line) => !isFree(line) && !covered.has(line));
  if (!missing) return undefined;
  const ofRate = lines.filter(
    ({ rate, surchargeRate }) => rate === missing.rate && surchargeRate === missing.surchargeRate,
  );
  return figures(missing, NOT_STATED, shown(sumOf(ofRate, "tax")));
}

/** Even a small tax may not have the opposite sign of its base. */
function isAgainstBase({ tax = ZERO, lines }: Stated): boolean {
  return isNegative(multiply(tax, sumOf(lines, "base")));
}

const MEMBERS: readonly Member[] = ["tax", "base", "surcharge"];

/** The first amount that the shop states otherwise than its lines, unless that is near enough. */
function differing(
  stated: Stated,
  currency: string,
  isNear: (difference: Decimal) => boolean = isZero,
): Facts | undefined {
  for (const member of MEMBERS) {
    const [says, computed] = [stated[member], sumOf(stated.lines, member)];
    if (says === undefined) continue;
    const difference = absolute(subtract(says, computed));
    if (isNear(difference)) continue;
    return figures(stated, amountOf(says, currency), amountOf(computed, currency));
  }
  return undefined;
}

function figures(
  { rate, surchargeRate }: Pick<Stated, "rate" | "surchargeRate">,
  stated: Fact,
  computed: Fact,
): Facts {
  return { rate: { percent: sum([rate, surchargeRate ?? ZERO]) }, stated, computed };
}

function keyOf({ rate, surchargeRate }: Pick<Stated, "rate" | "surchargeRate">): string {
  return `${rate} ${surchargeRate ?? ""}`;
}

function sumOf(lines: readonly SoldLine[], member: Member): Decimal {
  return sum(lines.map((line) => line[member]));
}

/**
 * If a rate is sold with and without recargo, the larger part takes the shop's rounding; the other part is
 * rounded on its own.
 */
function correctionsOf(stated: Stated, scale: number): RateCorrection[] {
  const { rate } = stated;
  const parts = [...new Set(stated.lines.map((line) => line.surchargeRate))].map((surchargeRate) => {
    const lines = stated.lines.filter((line) => line.surchargeRate === surchargeRate);
    return { surchargeRate, amounts: lines.reduce<Amounts>(addAmounts, NOTHING) };
  });
  const [main, ...others] = parts.toSorted((a, b) =>
    compare(absolute(grossOfLine(b.amounts)), absolute(grossOfLine(a.amounts))),
  );
  if (!main) return [];
  const isBaseOpen = stated.base === undefined;
  const rounded = others.map(({ surchargeRate, amounts }) => {
    const whole = {
      base: isBaseOpen ? amounts.base : round(amounts.base, scale),
      tax: round(amounts.tax, scale),
      surcharge: round(amounts.surcharge, scale),
    };
    const by = subtractAmounts(whole, amounts);
    return { rate, ...surchargeOf(surchargeRate), by, isBaseOpen };
  });
  const inAll = (member: Member) => {
    const says = stated[member];
    return says === undefined ? ZERO : subtract(says, sumOf(stated.lines, member));
  };
  const all = { base: inAll("base"), tax: inAll("tax"), surcharge: inAll("surcharge") };
  const by = rounded.reduce<Amounts>((left, other) => subtractAmounts(left, other.by), all);
  return [{ rate, ...surchargeOf(main.surchargeRate), by, isBaseOpen }, ...rounded];
}
