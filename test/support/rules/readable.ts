import type { Refusal } from "../../../src/domain/invoice/refusal.ts";
import type { Reason } from "../../../src/domain/order/reasons.ts";
import type { ErrorRow } from "../../../src/words/rows.ts";
import {
  ERRORS,
  type ErrorCode,
  errorSentence,
  LANGUAGES,
  type Language,
  reasonMessage,
  sentence,
} from "../../../src/words/words.ts";

/** The words of a refusal for a caller, in both languages: complete, and Spanish in Spanish. */

/** Words that no Spanish sentence has. Names of members and callers' values are not our words. */
const ENGLISH = new RegExp(
  `(?<!\\p{L})(${[
    "an and are be because before but by cannot correct day for from give has in invoice is it",
    "its line lines must needs none not number of on one only or rate remove send than that the them this",
    "to two type use was which with without",
  ]
    .join(" ")
    .replaceAll(" ", "|")})(?!\\p{L})`,
  "iu",
);
const NOT_WORDS = /«[^»]*»|\b\w+_\w+\b|\b[A-Z]{1,3}\d?\b/g;

export function sentenceOf(refusal: Refusal<ErrorCode>, language: Language): string {
  // The edge knows where the console is.
  return errorSentence(refusal.code, { console_url: "https://console.example", ...refusal.facts }, language);
}

/** Throws when a sentence of the refusal lacks a fact, or when the Spanish one is not Spanish. */
export function mustBeReadable(refusal: Refusal<ErrorCode>): void {
  for (const language of LANGUAGES) {
    const fault = faultOf(sentenceOf(refusal, language), language);
    if (fault !== undefined) throw new Error(`${refusal.code} in ${language}: ${fault}`);
  }
}

/** The same of a reason of an order. */
export function mustBeReadableReason(reason: Reason): void {
  for (const language of LANGUAGES) {
    const fault = faultOf(reasonMessage(reason, language), language);
    if (fault !== undefined) throw new Error(`${reason.code} in ${language}: ${fault}`);
  }
}

/** The problem of a text for callers; undefined when there is none. */
export function faultOf(text: string, language: Language): string | undefined {
  const unsaid = /[{}—]|undefined|\[object|\(\)|: [;.]| {2}|, ,/.exec(text);
  if (unsaid) return `“${unsaid[0]}” in: ${text}`;
  const english = language === "es" ? ENGLISH.exec(text.replaceAll(NOT_WORDS, "")) : null;
  return english ? `English “${english[0]}” in: ${text}` : undefined;
}

/**
 * Refusals for owners are checked in both languages too, so that every row of a table proves its sentences.
 */

const ROWS: Readonly<Record<string, ErrorRow>> = ERRORS;

/** The refusal itself; throws when it has no sentence. */
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
