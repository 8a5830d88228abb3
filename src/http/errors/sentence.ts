import type { Bilingual, Language } from "../language.ts";

/** What is put into a sentence: the same text in both languages, or one for each. */
export type Facts = Readonly<Record<string, string | Bilingual>>;

const PLACE = /\{(\w+)(\?)?\}/g;
const NOT_KNOWN = "—";
const LONGEST_FACT = 200;

/** A sentence with its facts. A fact that nobody gave shows as a dash, never as its placeholder. */
export function sentence(template: Bilingual, facts: Facts, language: Language): string {
  return template[language].replace(PLACE, (_, name: string, optional: string | undefined) => {
    const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
    if (fact === undefined) return optional ? "" : NOT_KNOWN;
    return shortened(typeof fact === "string" ? fact : fact[language]);
  });
}

/** Callers' own text comes back in sentences: long enough to be recognised is enough. */
function shortened(fact: string): string {
  if (fact.length <= LONGEST_FACT) return fact;
  return `${fact.slice(0, LONGEST_FACT).toWellFormed()}…`;
}
