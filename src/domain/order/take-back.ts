import type { Amounts, TaxGroup, TaxGroupKey } from "../invoice/document.ts";
import { type RectifiableInvoice, takenFrom } from "../invoice/rectifiable.ts";
import {
  addAmounts,
  grossOf,
  isNothing,
  keyOf,
  keyText,
  NOTHING,
  subtractAmounts,
} from "../invoice/tax-groups.ts";
import {
  absolute,
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  greater,
  isAtMost,
  isPositive,
  isZero,
  lesser,
  multiply,
  subtract,
  sum,
  unitOf,
  ZERO,
} from "../shared/decimal.ts";
import { err, ok, type Result } from "../shared/result.ts";
import type { RateAmount } from "./context.ts";

/** A sold or invoiced group, and its returns so far (with the sign of the group). */
export interface Balance {
  readonly key: TaxGroupKey;
  readonly invoiced: Amounts;
  readonly taken: Amounts;
}

export function balancesOf(invoice: RectifiableInvoice): Balance[] {
  const taken = takenFrom(invoice);
  return invoice.groups.map((group) => ({
    key: keyOf(group),
    invoiced: group.amounts,
    taken: subtractAmounts(NOTHING, taken.get(keyText(group))?.amounts ?? NOTHING),
  }));
}

export function remainingIn({ invoiced, taken }: Balance): Amounts {
  return subtractAmounts(invoiced, taken);
}

export function remainingTotal(balances: readonly Balance[]): Decimal {
  return sum(balances.map((balance) => grossOf(remainingIn(balance))));
}

/** The rate as the shop has it: its surcharge may be within. */
export function shopRate({ rate, surchargeRate }: TaxGroupKey): Decimal {
  return add(rate, surchargeRate ?? ZERO);
}

/** The group that a shop means by a rate. */
export function balanceAt(balances: readonly Balance[], rate: Decimal): Balance | undefined {
  const exact = balances.find(({ key }) => shopRate(key) === rate);
  return exact ?? balances.find(({ key }) => key.rate === rate);
}

/** Two cents: the rounding that a shop may leave in a group that is returned whole. */
const NEAR_UNITS = decimal("2");

export function isNear(a: Decimal, b: Decimal, scale: number): boolean {
  return isAtMost(absolute(subtract(a, b)), multiply(NEAR_UNITS, unitOf(scale)));
}

export function isWholeRest(gross: Decimal, remaining: Decimal, scale: number): boolean {
  return isPositive(remaining) && isNear(gross, remaining, scale);
}

/** The amounts that one event takes per group, with the group's sign. Parallel to the balances. */
export type Taking = readonly Amounts[];

export function takeEverything(balances: readonly Balance[]): Taking {
  return balances.map(remainingIn);
}

/** More than remains, of a rate or else in all. */
export interface Excess {
  readonly rate?: Decimal;
  readonly requested: Decimal;
  readonly remaining: Decimal;
}

/** Gross per rate, split as the invoice was, by cumulative rounding: parts add up to the whole. */
export function takeGross(
  balances: readonly Balance[],
  takings: readonly RateAmount[],
  scale: number,
): Result<Taking, Excess> {
  const taking = balances.map(() => NOTHING);
  for (const [index, balance] of balances.entries()) {
    const gross = sum(
      takings.filter(({ rate }) => balanceAt(balances, rate) === balance).map((each) => each.gross),
    );
    if (isZero(gross)) continue;
    const remaining = grossOf(remainingIn(balance));
    const isWhole = isWholeRest(gross, remaining, scale);
    const isTooMuch = !isWhole && compare(gross, remaining) > 0;
    if (isTooMuch) return err({ rate: shopRate(balance.key), requested: gross, remaining });
    taking[index] = isWhole ? remainingIn(balance) : partOf(balance, gross, scale);
  }
  const [all, remaining] = [sum(taking.map(grossOf)), remainingTotal(balances)];
  return compare(all, remaining) > 0 ? err({ requested: all, remaining }) : ok(taking);
}

export function afterTaking(balances: readonly Balance[], taking: Taking): Balance[] {
  return balances.map((balance, index) => ({
    ...balance,
    taken: addAmounts(balance.taken, taking[index] ?? NOTHING),
  }));
}

/** The gross amounts taken, by the shop's rates. */
export function ratesTaken(balances: readonly Balance[], taking: Taking): RateAmount[] {
  return balances
    .map(({ key }, index) => ({ rate: shopRate(key), gross: grossOf(taking[index] ?? NOTHING) }))
    .filter(({ gross }) => !isZero(gross));
}

/** The groups of a rectification by difference: the amounts taken, negative. */
export function differenceGroups(
  balances: readonly Balance[],
  taking: Taking,
  toEur: (amounts: Amounts) => Amounts,
): TaxGroup[] {
  return balances.flatMap((balance, index) => {
    const part = taking[index] ?? NOTHING;
    if (isNothing(part)) return [];
    // Converted cumulatively, so that parts at one rate add up to the exact negative of the whole.
    const before = toEur(balance.taken);
    const now = toEur(addAmounts(balance.taken, part));
    const negative = (amounts: Amounts) => subtractAmounts(NOTHING, amounts);
    const eur = negative(subtractAmounts(now, before));
    return [{ ...keyOf(balance.key), amounts: negative(part), eur }];
  });
}

/**
 * base taken so far = round(gross taken so far x invoiced base / invoiced gross), likewise the surcharge; the
 * rest is tax. Of a few cents the surcharge takes at most the rest after the base: no tax comes back.
 */
function partOf(balance: Balance, gross: Decimal, scale: number): Amounts {
  const { invoiced, taken } = balance;
  const whole = grossOf(invoiced);
  const soFar = add(grossOf(taken), gross);
  const share = (amount: Decimal) => divide(multiply(soFar, amount), whole, scale);
  const base = subtract(share(invoiced.base), taken.base);
  const taxes = subtract(gross, base);
  const left = remainingIn(balance);
  const most = lesser(taxes, left.surcharge);
  const least = greater(ZERO, subtract(taxes, left.tax));
  const surcharge = lesser(most, greater(least, subtract(share(invoiced.surcharge), taken.surcharge)));
  return { base, tax: subtract(taxes, surcharge), surcharge };
}

/** The gross of a group at the rate as the shop has it. */
export function ofRate(key: TaxGroupKey, amounts: Amounts): RateAmount {
  return { rate: shopRate(key), gross: grossOf(amounts) };
}

export function byRate(amounts: readonly RateAmount[]): ReadonlyMap<Decimal, Decimal> {
  const sums = new Map<Decimal, Decimal>();
  for (const { rate, gross } of amounts) sums.set(rate, add(sums.get(rate) ?? ZERO, gross));
  return sums;
}

/** Rates with different sums in the two. */
export function changedRates(a: readonly RateAmount[], b: readonly RateAmount[]): readonly Decimal[] {
  const [ofA, ofB] = [byRate(a), byRate(b)];
  const rates = [...new Set([...ofA.keys(), ...ofB.keys()])];
  return rates.filter((rate) => (ofA.get(rate) ?? ZERO) !== (ofB.get(rate) ?? ZERO));
}

export function grossIn(amounts: readonly RateAmount[]): Decimal {
  return sum(amounts.map(({ gross }) => gross));
}
