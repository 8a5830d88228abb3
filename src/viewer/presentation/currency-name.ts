import type { Language } from "../../words/words.ts";

const NAMES: Readonly<Record<Language, Intl.DisplayNames>> = {
  en: new Intl.DisplayNames(["en"], { type: "currency" }),
  es: new Intl.DisplayNames(["es"], { type: "currency" }),
};

/** `GBP, libra esterlina`: its code, and its name where there is one. */
export function currencyText(currency: string, language: Language): string {
  const name = NAMES[language].of(currency);
  return name === undefined || name === currency ? currency : `${currency}, ${name}`;
}
