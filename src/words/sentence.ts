import type { Fact, Phrase } from "../domain/shared/fact.ts";
import { assertNever } from "../domain/shared/result.ts";
import { dateText, numberText } from "../domain/shared/typography.ts";
import type { Bilingual, Language } from "./language.ts";
import { PHRASES } from "./phrases.ts";

/** A value of a sentence: a fact of a rule, or a text or a whole sentence of the HTTP edge. */
type StatedFact = Fact | Bilingual | { readonly within: Bilingual; readonly facts: Facts };
export type Facts = Readonly<Record<string, StatedFact>>;

const PLACE = /\{(\w+)\}/g;
const NOT_KNOWN = "—";
const LONGEST_FACT = 200;
const NO_BREAK_SPACE = "\u00a0";

/** A sentence with its facts. A missing fact appears as a dash, never as its placeholder. */
export function sentence(template: Bilingual, facts: Facts, language: Language): string {
  return template[language].replace(PLACE, (_, name: string) => {
    const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
    return fact === undefined ? NOT_KNOWN : textOf(fact, language);
  });
}

/** A fact in the words and the typography of a language. */
function textOf(fact: StatedFact, language: Language): string {
  if (typeof fact === "string") return shortened(fact);
  if ("phrase" in fact) return phraseText(fact, language);
  if ("within" in fact) return sentence(fact.within, fact.facts, language);
  if ("en" in fact) return shortened(fact[language]);
  if ("all" in fact) return shortened(joined(fact.all, "and", language));
  if ("either" in fact) return shortened(joined(fact.either, "or", language));
  if ("each" in fact) return fact.each.map((one) => textOf(one, language)).join("; ");
  if ("amount" in fact) return amountText(fact.amount, fact.currency, language);
  if ("percent" in fact) return `${numberText(fact.percent, language)}${NO_BREAK_SPACE}%`;
  if ("date" in fact) return dateText(fact.date, language);
  if ("moment" in fact) return momentText(fact.moment, language);
  if ("country" in fact) return countryText(fact.country, language);
  return assertNever(fact);
}

function phraseText({ phrase, ...facts }: Phrase, language: Language): string {
  return sentence(PHRASES[phrase], facts, language);
}

/** Spanish uses «e» before the sound of i, and «u» before the sound of o, as in «ocho». */
function joined(facts: readonly Fact[], word: "and" | "or", language: Language): string {
  const texts = facts.map((fact) => textOf(fact, language));
  const last = texts.pop() ?? "";
  if (texts.length === 0) return last;
  const spanish = word === "and" ? (/^h?i(?!e)/i.test(last) ? "e" : "y") : /^(h?o|8)/i.test(last) ? "u" : "o";
  return `${texts.join(", ")} ${language === "es" ? spanish : word} ${last}`;
}

export function amountText(amount: string, currency: string | undefined, language: Language): string {
  const number = numberText(amount, language);
  if (currency === undefined) return number;
  return `${number}${NO_BREAK_SPACE}${currency === "EUR" ? "€" : currency}`;
}

function momentText(moment: string, language: Language): string {
  return `${dateText(moment.slice(0, 10), language)} ${moment.slice(11, 19)}`;
}

/** The country's name, or its code: shops have codes that no list knows. */
export function countryText(country: string, language: Language): string {
  // A prefix of VAT numbers that is in no list of countries.
  if (country === "XI") return PHRASES.northern_ireland[language];
  const name = /^[A-Z]{2}$/.test(country) ? countryNames(language).of(country) : undefined;
  return name ?? shortened(country);
}

const namesByLanguage = new Map<Language, Intl.DisplayNames>();

function countryNames(language: Language): Intl.DisplayNames {
  const known = namesByLanguage.get(language);
  if (known) return known;
  const made = new Intl.DisplayNames([language], { type: "region" });
  namesByLanguage.set(language, made);
  return made;
}

/** Shortens a caller's own text: a sentence needs only enough to recognise it. */
function shortened(fact: string): string {
  if (fact.length <= LONGEST_FACT) return fact;
  return `${fact.slice(0, LONGEST_FACT).toWellFormed()}…`;
}
