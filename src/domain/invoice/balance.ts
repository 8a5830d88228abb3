import {
  absolute,
  add,
  type Decimal,
  decimal,
  divide,
  greater,
  isAtMost,
  isPositive,
  lesser,
  multiply,
  subtract,
  sum,
  unitOf,
  ZERO,
} from "../shared/decimal.ts";
import type { Amounts, TaxGroupKey } from "./document.ts";
import { type RectifiableInvoice, takenFrom } from "./rectifiable.ts";
import { grossOf, keyOf, keyText, NOTHING, subtractAmounts } from "./tax-groups.ts";

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

export function remainingIn({ invoiced, taken }: Pick<Balance, "invoiced" | "taken">): Amounts {
  return subtractAmounts(invoiced, taken);
}

export function remainingTotal(balances: readonly Balance[]): Decimal {
  return sum(balances.map((balance) => grossOf(remainingIn(balance))));
}

/** Two cents: the rounding that a shop may leave in a group that is returned whole. */
const NEAR_UNITS = decimal("2");

export function isNear(a: Decimal, b: Decimal, scale: number): boolean {
  return isAtMost(absolute(subtract(a, b)), multiply(NEAR_UNITS, unitOf(scale)));
}

export function isWholeRest(gross: Decimal, remaining: Decimal, scale: number): boolean {
  return isPositive(remaining) && isNear(gross, remaining, scale);
}

/**
 * base taken so far = round(gross taken so far x invoiced base / invoiced gross), likewise the surcharge; the
 * rest is tax. Of a few cents the surcharge takes at most the rest after the base: no tax comes back.
 */
export function partOf(balance: Pick<Balance, "invoiced" | "taken">, gross: Decimal, scale: number): Amounts {
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
