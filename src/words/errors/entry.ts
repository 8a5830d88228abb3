import type { Bilingual } from "../language.ts";

export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 423 | 429 | 500 | 503;

/** One row of the error table. Sentences hold `{fact}`. */
export interface ErrorEntry extends Bilingual {
  readonly status: ErrorStatus;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
  /** In the place of `status` where it is told how long to wait; then it may be repeated. */
  readonly statusOfWaiting?: 429;
}

/** A fiscal refusal: 422, no number spent, and pointless to repeat unchanged. */
export function fiscal<Sentences extends Bilingual>(sentences: Sentences) {
  return { status: 422, retryable: false, ...sentences } as const;
}

/** What an owner says cannot be. */
export function invalid<Sentences extends Bilingual>(sentences: Sentences) {
  return { status: 422, retryable: false, ...sentences } as const;
}

/** Something stands against what an owner wants. */
export function conflict<Sentences extends Bilingual>(sentences: Sentences) {
  return { status: 409, retryable: false, ...sentences } as const;
}
