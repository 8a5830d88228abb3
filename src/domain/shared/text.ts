/**
 * U+FFFE and U+FFFF have no form in XML 1.0: one of them would break a whole message of a thousand records.
 */
const CONTROL_CHARACTER = /[\p{Cc}\uFFFE\uFFFF]/u;
const REFUSED_IN_RECORD = /[<>"'=]/g;

/** NFC and trimmed, as names and descriptions are kept, compared and printed. */
export function normalizeText(text: string): string {
  return text.normalize("NFC").trim();
}

/** Control characters and lone surrogates have no place in a document that must be printed and hashed. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL_CHARACTER.test(text);
}

/** Whether the text has a visible character; zero-width characters count as blank. */
export function hasInk(text: string): boolean {
  return /[^\s\p{Cf}]/u.test(text);
}

/**
 * The text as a record carries it. Characters that the AEAT refuses become spaces, and runs of spaces are
 * joined. The result is cut at `limit` UTF-16 units without breaking a code point.
 */
export function recordText(text: string, limit: number): string {
  const clean = text.replace(REFUSED_IN_RECORD, " ").replace(/\s+/gu, " ").trim();
  if (clean.length <= limit) return clean;
  const cut = clean.slice(0, limit);
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).trim();
}

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
