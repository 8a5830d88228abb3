/** What an owner is refused is told in both languages too, so that every row of a table proves its sentences. */
import type { Refusal } from "../../src/domain/invoice/refusal.ts";
import type { ErrorRow } from "../../src/words/rows.ts";
import { ERRORS, LANGUAGES, sentence } from "../../src/words/words.ts";
import { faultOf } from "./readable.ts";

const ROWS: Readonly<Record<string, ErrorRow>> = ERRORS;

/** The refusal as it is; throws when it cannot be told. */
export function told<Code extends string>(refusal: Refusal<Code>): Refusal<Code> {
  const row = ROWS[refusal.code];
  if (!row) throw new Error(`no sentence for ${refusal.code}`);
  for (const language of LANGUAGES) {
    const fault = faultOf(sentence(row.sentence, refusal.facts, language), language);
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
