import type { ORDER_REASONS, ReasonCode } from "../domain/order/reasons.ts";
import type { Facts } from "../domain/shared/fact.ts";
import type { Bilingual } from "./language.ts";

/** One row of a table of words. `{name}` in a text is replaced by a fact. */
export interface Words {
  /** The heading above the sentence. */
  readonly title?: Bilingual;
  /** The event and the next step. */
  readonly sentence: Bilingual;
}

export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 423 | 429 | 500 | 503;

/** The words of a refusal, with its status. */
export interface ErrorRow extends Words {
  readonly status: ErrorStatus;
  /** The same request may succeed later without a change. */
  readonly retryable: boolean;
  /** Replaces `status` if the answer gives a time to wait; the request may then be repeated. */
  readonly statusOfWaiting?: 429;
  /** Facts of the published example, if they differ from the common ones. */
  readonly example?: Facts;
}

/** A fiscal refusal: 422, uses no number, and fails again when it is repeated unchanged. */
export function fiscal(sentence: Bilingual, example?: Facts): ErrorRow {
  return { status: 422, retryable: false, sentence, ...(example ? { example } : {}) };
}

/** The owner gave a value that is not allowed. */
export function invalid(sentence: Bilingual): ErrorRow {
  return { status: 422, retryable: false, sentence };
}

/** The current state does not allow the owner's request. */
export function conflict(sentence: Bilingual): ErrorRow {
  return { status: 409, retryable: false, sentence };
}

export interface ReasonWords extends Words {
  /** The words of the same code with its other facts. */
  readonly other?: Words;
}

type DomainRow<Code> = Extract<(typeof ORDER_REASONS)[number], { readonly code: Code }>;
type WordsOf<Row> = Row extends { readonly holds: true } ? Required<Words> : Omit<Words, "title">;
type RowOf<Row> = WordsOf<Row> &
  (Row extends { readonly otherFacts: readonly string[] } ? { readonly other: WordsOf<Row> } : object);

/** A row for each code: with a title if the code holds, with a second form if it has other facts. */
export type ReasonTable<Code extends ReasonCode = ReasonCode> = {
  readonly [Each in Code]: RowOf<DomainRow<Each>>;
};
