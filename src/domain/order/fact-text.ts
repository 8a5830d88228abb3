import { currencyDecimals } from "../shared/currency.ts";
import { type Decimal, decimal, round, toFixed } from "../shared/decimal.ts";
import { normalizeText } from "../shared/text.ts";

const NOT_PRINTABLE = /[\p{Cc}\uFFFE\uFFFF]+/gu;

/** Minor units of the currency; of one that is none, those of most. */
export function scaleIn(currency: string): number {
  return currencyDecimals(currency) ?? 2;
}

/** The smallest amount of the scale. */
export function unitOf(scale: number): Decimal {
  return decimal(`1e-${scale}`);
}

export function moneyText(amount: Decimal, currency: string): string {
  const scale = scaleIn(currency);
  return `${toFixed(round(amount, scale), scale)} ${currency}`;
}

export function rateText(rate: Decimal): string {
  return `${rate} %`;
}

/** Text of a shop as it may stand in a document: what no XML takes is a space. */
export function printable(text: string): string {
  return normalizeText(text.toWellFormed().replace(NOT_PRINTABLE, " "));
}
