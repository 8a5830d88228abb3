import { normalizeText } from "../shared/text.ts";

/**
 * The form in which tags are compared. Upper case first folds letters without a single lower case, such as ß.
 */
export function comparableTag(tag: string): string {
  return normalizeText(normalizeText(tag).toUpperCase().toLowerCase());
}

/** As channels and codes of unmapped totals are compared. */
export function comparableCode(code: string): string {
  return normalizeText(code).toLowerCase();
}

/** The member of the list that equals the text, or the default for an unknown word. */
export function knownWord<Word extends string>(words: readonly Word[], text: string, otherwise: Word): Word {
  return words.find((word) => word === text) ?? otherwise;
}
