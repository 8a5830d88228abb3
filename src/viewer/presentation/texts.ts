import type { CivilDate } from "../../domain/shared/civil-date.ts";
import { type Decimal, round, toFixed } from "../../domain/shared/decimal.ts";
import { amountText, type Bilingual, dateText, type Language, numberText } from "../../words/words.ts";

/** Printed words: in Spanish if the law requires it, with the reader's own language next to them. */
export interface Words {
  readonly text: string;
  readonly language: Language;
  /** The English version in small type, for readers of English. */
  readonly gloss?: string;
}

export interface Labelled {
  readonly label: string;
  readonly value: string;
}

/** A value for a sentence: a text, or a form for each language. */
export type Value = string | ((language: Language) => string);
export type Values = Readonly<Record<string, Value>>;

const PLACE = /\{(\w+)\}/g;

export function fill(template: Bilingual, language: Language, values: Values = {}): string {
  return template[language].replace(PLACE, (place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return place;
    return typeof value === "string" ? value : value(language);
  });
}

/** Always Spanish, with the English next to it for readers of English. */
export function legalWords(template: Bilingual, language: Language, values: Values = {}): Words {
  const text = fill(template, "es", values);
  return language === "es"
    ? { text, language: "es" }
    : { text, language: "es", gloss: fill(template, "en", values) };
}

export function plainWords(template: Bilingual, language: Language, values: Values = {}): Words {
  return { text: fill(template, language, values), language };
}

/** Marks of text direction: in a name they could reverse a following amount. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Breaks of line or paragraph inside a value; the ends are trimmed already. */
const BREAKS = /[\u2028\u2029]+/g;

/** A foreign text, made safe to print between our own. */
export function shownText(text: string): string {
  return text.replace(DIRECTION_MARKS, "").replace(BREAKS, " ");
}

/** With the decimals of its currency; the head of the column shows the code or sign. */
export function figure(amount: Decimal, decimals: number, language: Language): string {
  return numberText(toFixed(round(amount, decimals), decimals), language);
}

export function moneyText(
  amount: Decimal,
  { currency, decimals }: { readonly currency: string; readonly decimals: number },
  language: Language,
): string {
  return amountText(toFixed(round(amount, decimals), decimals), currency, language);
}

/** At least the decimals of the currency, at most those that were sent. */
export function priceText(price: Decimal, decimals: number, language: Language): string {
  const sent = price.split(".")[1]?.length ?? 0;
  return numberText(toFixed(price, Math.max(sent, decimals)), language);
}

export function rateText(rate: Decimal, language: Language): string {
  return `${numberText(rate, language)}\u00a0%`;
}

export function shortDate(date: CivilDate | string): (language: Language) => string {
  return (language) => dateText(date, language);
}
