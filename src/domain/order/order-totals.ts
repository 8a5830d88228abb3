import type { SalesSettings } from "../billing/sales-settings.ts";
import { grossOf, NOTHING } from "../invoice/tax-groups.ts";
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
  subtract,
  sum,
  unitOf,
} from "../shared/decimal.ts";
import { type Fact, percents } from "../shared/fact.ts";
import type { OrderContext } from "./context.ts";
import { operationDateOf } from "./dates.ts";
import { amountOf, scaleIn } from "./fact-text.ts";
import { fiscalFingerprint, type OrderFacts } from "./facts.ts";
import { type Combinable, readCombinedRates } from "./line-taxes.ts";
import { isIncluded } from "./other-totals.ts";
import { because, type OrderWarning, type Reason } from "./reasons.ts";
import { grossOfLine, isFree, isUntaxedVoucher, type SoldLine, soldLines } from "./sold-lines.ts";
import { type RateCorrection, readTaxTotals } from "./tax-totals.ts";

/** How the amounts add up to the order's total: by its lines, by the shop's tax totals, or not at all. */
interface TotalsReading {
  readonly corrections: readonly RateCorrection[];
  readonly warnings: readonly OrderWarning[];
  readonly reasons: readonly Reason[];
}

type TotalsSales = Pick<SalesSettings, "discountsIncluded" | "roundingRate">;

/** The shop's tax totals go before its lines; of an order without them, cents of rounding are settled. */
export function readTotals(context: OrderContext, sales: TotalsSales): TotalsReading {
  const { facts, issuer } = context;
  const read = <Line extends Combinable>(lines: readonly Line[]) =>
    readCombinedRates(lines, issuer, operationDateOf(context));
  const lines = soldLines(facts);
  const identity = identityOf(facts, sales);
  const { difference } = identity;
  if (statesTaxTotals(context)) {
    const totals = readTaxTotals(facts, lines, read);
    const { corrections } = totals;
    const stated = identityOf(
      facts,
      sales,
      corrections.map(({ by }) => grossOf(by)),
    );
    if (totals.reasons.length === 0 && isZero(stated.difference)) return settled({ corrections });
    if (isZero(difference)) {
      const warnings = totals.difference ? [differs(totals.difference)] : [];
      return { ...settled({ warnings }), reasons: totals.reasons };
    }
    const asSaid = stated.holdsWithoutDiscounts ? stated : identity;
    return { ...settled({}), reasons: [...mismatchReasons(asSaid, facts.currency), ...totals.reasons] };
  }
  if (isZero(difference)) return settled({});
  // A discount that the lines have already is a discount, however small.
  const rounding = identity.holdsWithoutDiscounts
    ? undefined
    : readRounding(facts, read(lines), { difference, rate: sales.roundingRate });
  if (rounding?.taken) return settled({ corrections: [rounding.taken] });
  const rates = rounding && rounding.rates.length > 0 ? percents(rounding.rates) : undefined;
  return { ...settled({}), reasons: mismatchReasons(identity, facts.currency, rates) };
}

/** False if the owner has answered that for these facts the lines count. */
function statesTaxTotals({ facts, answers }: OrderContext): boolean {
  if (facts.taxTotals === undefined) return false;
  return answers.linesCountFor === undefined || answers.linesCountFor !== fiscalFingerprint(facts);
}

function settled(reading: Partial<TotalsReading>): TotalsReading {
  return { corrections: [], warnings: [], reasons: [], ...reading };
}

function differs(facts: Reason["facts"]): OrderWarning {
  return { code: "tax_totals_differ", facts };
}

/** The lines less discounts plus the rest, compared with the order's total. */
interface Identity {
  readonly computed: Decimal;
  readonly total: Decimal;
  /** The total less the computed sum. */
  readonly difference: Decimal;
  readonly discounts: Decimal;
  readonly holdsWithoutDiscounts: boolean;
}

/**
 * To the cent, compared after rounding the sum; `corrected` is the difference of the true amounts from the
 * lines.
 */
export function identityOf(
  facts: OrderFacts,
  sales: Pick<SalesSettings, "discountsIncluded">,
  corrected: readonly Decimal[] = [],
): Identity {
  const scale = scaleIn(facts.currency);
  const discounts = sum(
    facts.discounts.filter((each) => !isIncluded(each, sales)).map(({ amount }) => amount),
  );
  const without = sum([
    ...soldLines(facts).map(grossOfLine),
    ...corrected,
    ...facts.unmappedTotals.map(({ value }) => value),
  ]);
  const computed = round(subtract(without, discounts), scale);
  const total = round(facts.total, scale);
  return {
    computed,
    total,
    difference: subtract(total, computed),
    discounts,
    holdsWithoutDiscounts: !isZero(discounts) && round(without, scale) === total,
  };
}

/** Both amounts; `rates` are the ones that could take a rounding difference. */
function mismatchReasons(identity: Identity, currency: string, rates?: readonly Fact[]): Reason[] {
  const { computed, total, difference, discounts, holdsWithoutDiscounts } = identity;
  const shown = (amount: Decimal) => amountOf(amount, currency);
  const mismatch = because("totals_mismatch", {
    computed: shown(computed),
    total: shown(total),
    difference: shown(difference),
    ...(rates ? { rates: { all: rates } } : {}),
  });
  if (!holdsWithoutDiscounts) return [mismatch];
  return [mismatch, because("discounts_probably_included", { discounts: shown(discounts) })];
}

/** The shop's tax in all makes no invoice; a difference only shows that it computes otherwise. */
export function taxWarnings(facts: OrderFacts, invoicedTax: Decimal | undefined): OrderWarning[] {
  const { totalTax, currency } = facts;
  if (totalTax === undefined) return [];
  const scale = scaleIn(currency);
  const ofLines = round(sum(soldLines(facts).map((line) => add(line.tax, line.surcharge))), scale);
  const stated = round(totalTax, scale);
  if (stated === ofLines || stated === invoicedTax) return [];
  // The discounts' share of the tax is known only with the invoice.
  const isLowered = facts.discounts.length + facts.unmappedTotals.length > 0;
  if (invoicedTax === undefined && isLowered) return [];
  const figures = { total_tax: amountOf(stated, currency), computed: amountOf(ofLines, currency) };
  return [{ code: "total_tax_differs", facts: figures }];
}

/** A difference that rounding line by line explains: which rates could take it, and which one does. */
interface RoundingReading {
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
function readRounding(
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
