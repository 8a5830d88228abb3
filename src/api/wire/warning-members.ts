import type { Facts } from "../../domain/shared/fact.ts";
import { type Language, type WarningCode, warningSentence } from "../../words/words.ts";
import { plainFacts } from "./plain-facts.ts";

interface Warned {
  readonly code: WarningCode;
  readonly facts?: Facts;
}

export function warningMembers({ code, facts = {} }: Warned, language: Language) {
  return { code, message: warningSentence(code, facts, language), facts: plainFacts(facts) };
}
