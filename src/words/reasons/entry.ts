import type { ORDER_REASONS, ReasonCode } from "../../domain/order/reasons.ts";
import type { Bilingual } from "../language.ts";

/** What happened and what to do, under a title where the order waits for somebody. Words hold `{fact}`. */
export interface ReasonWords {
  readonly title?: Bilingual;
  readonly sentence: Bilingual;
}

export interface ReasonEntry extends ReasonWords {
  /** Of the same code with its other facts. */
  readonly other?: ReasonWords;
}

type RowOf<Code> = Extract<(typeof ORDER_REASONS)[number], { readonly code: Code }>;
type WordsOf<Row> = Row extends { readonly holds: true } ? Required<ReasonWords> : Omit<ReasonWords, "title">;
type EntryOf<Row> = WordsOf<Row> &
  (Row extends { readonly otherFacts: readonly string[] } ? { readonly other: WordsOf<Row> } : object);

/** The words of these codes: a title where the code holds, a second form where it has other facts. */
export type ReasonEntries<Code extends ReasonCode = ReasonCode> = {
  readonly [Each in Code]: EntryOf<RowOf<Each>>;
};
