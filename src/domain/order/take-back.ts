import { type Balance, isWholeRest, partOf, remainingIn, remainingTotal } from "../invoice/balance.ts";
import type { Amounts, TaxGroup, TaxGroupKey } from "../invoice/document.ts";
import { addAmounts, grossOf, isNothing, keyOf, NOTHING, subtractAmounts } from "../invoice/tax-groups.ts";
import { add, compare, type Decimal, isZero, sum, ZERO } from "../shared/decimal.ts";
import { err, ok, type Result } from "../shared/result.ts";
import type { RateAmount } from "./context.ts";

/** The rate as the shop has it: its surcharge may be within. */
export function shopRate({ rate, surchargeRate }: TaxGroupKey): Decimal {
  return add(rate, surchargeRate ?? ZERO);
}

/** The group that a shop means by a rate. */
export function balanceAt(balances: readonly Balance[], rate: Decimal): Balance | undefined {
  const exact = balances.find(({ key }) => shopRate(key) === rate);
  return exact ?? balances.find(({ key }) => key.rate === rate);
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
