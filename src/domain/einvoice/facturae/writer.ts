import { type Decimal, digitsOf, divide, round, toFixed } from "../../shared/decimal.ts";
import { element, leaf, type Markup } from "../../verifactu/xml/element.ts";
import type { ElectronicInvoice } from "../electronic-invoice.ts";

/** How the amounts of one invoice are written. */
export interface AmountStyle {
  /** Minor units of the currency. */
  readonly decimals: number;
  /** Units of the currency for one euro; absent in euros. */
  readonly rate?: Decimal;
}

export function amountStyle({ decimals, exchange }: ElectronicInvoice): AmountStyle {
  return { decimals, ...(exchange ? { rate: exchange.rate } : {}) };
}

export function group(name: string, ...children: readonly Markup[]): Markup {
  return element(name, {}, children);
}

/** DoubleUpToEightDecimalType with the decimals of the currency. */
export function money(name: string, amount: Decimal, { decimals }: AmountStyle): Markup {
  return leaf(name, toFixed(amount, decimals));
}

const EURO_DECIMALS = 2;
const FEWEST_DECIMALS = 2;
const MOST_DECIMALS = 8;

/** DoubleTwoDecimalType. */
export function twoDecimals(name: string, value: Decimal): Markup {
  return leaf(name, toFixed(value, FEWEST_DECIMALS));
}

/** DoubleUpToEightDecimalType with two decimals or more: a rate or a price. */
export function ratio(name: string, value: Decimal): Markup {
  const rounded = round(value, MOST_DECIMALS);
  return leaf(name, toFixed(rounded, Math.max(FEWEST_DECIMALS, digitsOf(rounded).fraction)));
}

/** AmountType: the amount, and in another currency its euros: as stored, else by the rate. */
export function amountType(name: string, amount: Decimal, style: AmountStyle, eur?: Decimal): Markup {
  const { rate } = style;
  const euros = rate === undefined ? undefined : (eur ?? divide(amount, rate, EURO_DECIMALS));
  return group(
    name,
    money("TotalAmount", amount, style),
    ...(euros === undefined ? [] : [twoDecimals("EquivalentInEuros", euros)]),
  );
}
