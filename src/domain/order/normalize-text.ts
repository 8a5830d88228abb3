import { normalizeText } from "../shared/text.ts";

/** As tags are compared. Upper case first folds what has no single lower case, such as ß. */
export function comparableTag(tag: string): string {
  return normalizeText(normalizeText(tag).toUpperCase().toLowerCase());
}

/** As channels and codes of unmapped totals are compared. */
export function comparableCode(code: string): string {
  return normalizeText(code).toLowerCase();
}

/** The member of the list that the text is, else what a connector means by a word that it made up. */
export function knownWord<Word extends string>(words: readonly Word[], text: string, otherwise: Word): Word {
  return words.find((word) => word === text) ?? otherwise;
}
