import { currencyDecimals } from "../shared/currency.ts";
import { type Decimal, round, toFixed } from "../shared/decimal.ts";
import { type Fact, money } from "../shared/fact.ts";
import { normalizeText } from "../shared/text.ts";

const NOT_PRINTABLE = /[\p{Cc}\uFFFE\uFFFF]+/gu;

/** Minor units of the currency; two for an unknown code. */
export function scaleIn(currency: string): number {
  return currencyDecimals(currency) ?? 2;
}

/** An amount as a fact of a reason, rounded to the decimals of its currency. */
export function amountOf(amount: Decimal, currency: string): Fact {
  return money(round(amount, scaleIn(currency)), currency);
}

/** The same as it is printed in a document. */
export function moneyText(amount: Decimal, currency: string): string {
  const scale = scaleIn(currency);
  return `${toFixed(round(amount, scale), scale)} ${currency}`;
}

/** A shop's text for a document: characters that XML forbids become spaces. */
export function printable(text: string): string {
  return normalizeText(text.toWellFormed().replace(NOT_PRINTABLE, " "));
}
