import { sha256Hex } from "../../../domain/shared/hash.ts";
import type { Language } from "../../../words/words.ts";

/** A text to agree to or to sign: shown in full, stored by its hash. */
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
  /** Hash of the shown text, with names and dates filled in. */
  readonly sha256: string;
}

/** Hashes exactly the shown lines, so that anyone can recompute the hash. */
export function withHash(text: LegalText): HashedText {
  return { ...text, sha256: sha256Hex(linesOf(text)) };
}

export function linesOf({ intro, clauses }: Pick<LegalText, "intro" | "clauses">): string {
  const numbered = clauses.map(({ title, body }, index) => `${index + 1}. ${title} ${body}`);
  return [intro, ...numbered].join("\n");
}
