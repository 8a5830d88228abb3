/** What an owner is refused is told in both languages too, so that every row of a table proves its sentences. */
import type { Refusal } from "../../src/domain/invoice/refusal.ts";
import { sentence } from "../../src/words/errors/sentence.ts";
import { ERRORS } from "../../src/words/errors.ts";
import { LANGUAGES } from "../../src/words/language.ts";
import { faultOf } from "./readable.ts";

type Words = Parameters<typeof sentence>[0];

const SENTENCES: Readonly<Record<string, Words>> = ERRORS;

/** The refusal as it is; throws when it cannot be told. */
export function told<Code extends string>(refusal: Refusal<Code>): Refusal<Code> {
  const words = SENTENCES[refusal.code];
  if (!words) throw new Error(`no sentence for ${refusal.code}`);
  for (const language of LANGUAGES) {
    const fault = faultOf(sentence(words, refusal.facts, language), language);
    if (fault !== undefined) throw new Error(`${refusal.code} in ${language}: ${fault}`);
  }
  return refusal;
}

/** The refusal of a declaration or an answer; throws when there is none. */
export function refusalIn<Code extends string>(
  result: { readonly ok: true } | { readonly ok: false; readonly error: Refusal<Code> },
): Refusal<Code> {
  if (result.ok) throw new Error("nothing was refused");
  return told(result.error);
}
