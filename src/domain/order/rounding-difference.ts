import type { SalesSettings } from "../billing/sales-settings.ts";
import { NOTHING } from "../invoice/tax-groups.ts";
import {
  absolute,
  add,
  compare,
  type Decimal,
  decimal,
  isAtMost,
  isNegative,
  isPositive,
  isZero,
  multiply,
  round,
  sum,
} from "../shared/decimal.ts";
import { scaleIn, unitOf } from "./fact-text.ts";
import type { OrderFacts } from "./facts.ts";
import { isFree, isUntaxedVoucher, type SoldLine } from "./sold-lines.ts";
import type { RateCorrection } from "./tax-totals.ts";

/** A difference that rounding line by line explains: which rates could take it, and which one does. */
export interface RoundingReading {
  /** As the shop has them, the recargo within. */
  readonly rates: readonly Decimal[];
  readonly taken?: RateCorrection;
}

interface Part {
  readonly shopRate: Decimal;
  readonly line: SoldLine;
  readonly base: Decimal;
  readonly tax: Decimal;
}

/**
 * Undefined if the difference exceeds rounding. The only taxed rate takes it if the shop's tax agrees;
 * otherwise the owner chooses the rate.
 */
export function readRounding(
  facts: OrderFacts,
  lines: readonly SoldLine[],
  { difference, rate }: { readonly difference: Decimal; readonly rate: SalesSettings["roundingRate"] },
): RoundingReading | undefined {
  const sold = lines.filter((line) => !(isFree(line) || isUntaxedVoucher(line)));
  if (!isRounding(difference, sold.length, facts.currency)) return undefined;
  const able = partsOf(sold).filter((part) => canTake(part, difference));
  const taking = confirmed(facts, sold, difference) ?? rate;
  const part =
    able.find(({ shopRate }) => shopRate === taking) ?? able.find(({ line }) => line.rate === taking);
  const rates = able.map(({ shopRate }) => shopRate);
  return part ? { rates, taken: correctionBy(part, difference) } : { rates };
}

const MOST_UNITS = decimal("10");

/** A cent a line, and ten in all. */
function isRounding(difference: Decimal, lines: number, currency: string): boolean {
  const counted = decimal(String(lines));
  const units = compare(counted, MOST_UNITS) > 0 ? MOST_UNITS : counted;
  return isAtMost(absolute(difference), multiply(units, unitOf(scaleIn(currency))));
}

function partsOf(lines: readonly SoldLine[]): Part[] {
  const byRate = Map.groupBy(lines, ({ rate, surchargeRate }) => `${rate} ${surchargeRate ?? ""}`);
  return [...byRate.values()].flatMap((members) => {
    const [line] = members;
    if (!line) return [];
    const shopRate = sum([line.rate, line.surchargeRate ?? NOTHING.base]);
    const inAll = (member: "base" | "tax") => sum(members.map((each) => each[member]));
    return [{ shopRate, line, base: inAll("base"), tax: inAll("tax") }];
  });
}

/** No tax against the sign of its base. */
function canTake({ line, base, tax }: Part, difference: Decimal): boolean {
  if (isZero(line.rate)) return true;
  const after = add(tax, difference);
  return isPositive(base) ? !isNegative(after) : isNegative(base) && !isPositive(after);
}

/** The shop's tax in all is that of the lines and the difference: of one rate alone it can only be there. */
function confirmed(
  { totalTax, currency }: OrderFacts,
  lines: readonly SoldLine[],
  difference: Decimal,
): Decimal | undefined {
  const [only, ...others] = partsOf(lines.filter(({ rate }) => isPositive(rate)));
  if (!only || others.length > 0 || totalTax === undefined) return undefined;
  const scale = scaleIn(currency);
  const ofLines = round(sum(lines.map((line) => add(line.tax, line.surcharge))), scale);
  return round(totalTax, scale) === add(ofLines, difference) ? only.shopRate : undefined;
}

function correctionBy({ line, shopRate }: Part, difference: Decimal): RateCorrection {
  const { rate, surchargeRate } = line;
  const by = isZero(shopRate) ? { ...NOTHING, base: difference } : { ...NOTHING, tax: difference };
  return { rate, ...(surchargeRate === undefined ? {} : { surchargeRate }), by, isBaseOpen: false };
}
