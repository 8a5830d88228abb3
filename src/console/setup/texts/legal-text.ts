import { sha256Hex } from "../../../domain/shared/sha256.ts";
import type { Language } from "../../../words/words.ts";

/** A text that somebody agrees to or signs: shown whole, stored by its hash. */
export interface LegalText {
  readonly version: string;
  readonly language: Language;
  readonly intro: string;
  readonly clauses: readonly Clause[];
}

export interface Clause {
  readonly title: string;
  readonly body: string;
}

export interface HashedText extends LegalText {
  /** Of the text as it was shown, names and dates filled in. */
  readonly sha256: string;
}

/** Its hash is that of these lines, so that anybody can make it again from what is shown. */
export function withHash(text: LegalText): HashedText {
  return { ...text, sha256: sha256Hex(linesOf(text)) };
}

export function linesOf({ intro, clauses }: Pick<LegalText, "intro" | "clauses">): string {
  const numbered = clauses.map(({ title, body }, index) => `${index + 1}. ${title} ${body}`);
  return [intro, ...numbered].join("\n");
}
