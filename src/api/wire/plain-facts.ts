import * as z from "zod";
import { decimal } from "../../domain/shared/decimal.ts";
import type { Fact, Facts } from "../../domain/shared/fact.ts";
import { assertNever } from "../../domain/shared/result.ts";
import { type Language, type WarningCode, warningSentence } from "../../words/words.ts";
import { exactNumber, type RawNumber } from "./json.ts";

type PlainFact =
  | string
  | RawNumber
  | { readonly amount: RawNumber; readonly currency: string }
  | readonly PlainFact[]
  | PlainFacts;

interface PlainFacts {
  readonly [name: string]: PlainFact;
}

/** Facts for programs: no words or typography, the same in every language, sorted by name. */
export function plainFacts(facts: Facts): PlainFacts {
  const byName = Object.entries(facts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(byName.map(([name, fact]) => [name, plain(fact)]));
}

function plain(fact: Fact): PlainFact {
  if (typeof fact === "string") return fact;
  if ("phrase" in fact) return plainPhrase(fact);
  if ("all" in fact) return fact.all.map(plain);
  if ("either" in fact) return fact.either.map(plain);
  if ("each" in fact) return fact.each.map(plain);
  if ("amount" in fact) return plainAmount(fact);
  if ("percent" in fact) return exactNumber(fact.percent);
  if ("date" in fact) return fact.date;
  if ("moment" in fact) return fact.moment;
  if ("country" in fact) return fact.country;
  return assertNever(fact);
}

/** A phrase without facts becomes its code. */
function plainPhrase({ phrase, ...facts }: Extract<Fact, { readonly phrase: string }>): PlainFact {
  const known = plainFacts(facts);
  return Object.keys(known).length === 0 ? phrase : { ...known, code: phrase };
}

function plainAmount({ amount, currency }: Extract<Fact, { readonly amount: string }>): PlainFact {
  const number = exactNumber(decimal(amount));
  return currency === undefined ? number : { amount: number, currency };
}

const single = z.union([
  z.string(),
  z.number(),
  z.strictObject({ amount: z.number(), currency: z.string() }),
  z.looseObject({ code: z.string() }),
]);

/** The facts in the OpenAPI document. */
export const factsAnswer = z
  .record(z.string(), z.union([single, z.array(single)]))
  .describe(
    "What the message is made of, by name, whatever its language: an amount is { amount, currency }, a " +
      "count and a rate (percent) a number, a date and an RFC 3339 time text, a country its ISO 3166-1 " +
      "code, several of these a list. What the service itself has a word for is its code, such as payment " +
      "or vat_number, or { code, ... } where more belongs to it.",
  );

interface Warned {
  readonly code: WarningCode;
  readonly facts?: Facts;
}

export function warningMembers({ code, facts = {} }: Warned, language: Language) {
  return { code, message: warningSentence(code, facts, language), facts: plainFacts(facts) };
}
