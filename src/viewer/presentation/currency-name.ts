import type { Language } from "../../words/words.ts";

const namesIn = new Map<Language, Intl.DisplayNames>();

/** Made on first use: it costs the start of the Worker several milliseconds. */
function namesOf(language: Language): Intl.DisplayNames {
  const made = namesIn.get(language) ?? new Intl.DisplayNames([language], { type: "currency" });
  namesIn.set(language, made);
  return made;
}

/** `GBP, libra esterlina`: its code, and its name where there is one. */
export function currencyText(currency: string, language: Language): string {
  const name = namesOf(language).of(currency);
  return name === undefined || name === currency ? currency : `${currency}, ${name}`;
}
