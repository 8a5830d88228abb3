import type { RecordContent } from "../record.ts";

/**
 * `submitted`: has left, or may have, and what the authority made of it is not known yet. The three behind it
 * are final: nothing but a record of its own corrects them. `not_submitted` is final from the start: a record
 * of a connection for tests, which no authority gets.
 */
export type SubmissionState =
  | "not_submitted"
  | "pending_submission"
  | "submitted"
  | "accepted"
  | "accepted_with_errors"
  | "rejected";

/** How a record of the chain begins. */
export function firstState({ trial }: { readonly trial: boolean }): "not_submitted" | "pending_submission" {
  return trial ? "not_submitted" : "pending_submission";
}

export function isFinal(state: SubmissionState): boolean {
  return state !== "pending_submission" && state !== "submitted";
}

/**
 * What a record asks of the authority, as the authority repeats it: kind, Subsanacion, RechazoPrevio,
 * SinRegistroPrevio. It tells records of one invoice apart.
 */
export interface Operation {
  readonly kind: RecordContent["kind"];
  readonly amends: boolean;
  readonly previousRejection: "N" | "S" | "X";
  readonly withoutPreviousRecord: boolean;
}

export function operationOf(content: RecordContent): Operation {
  if (content.kind === "ALTA") {
    return {
      kind: "ALTA",
      amends: content.amendment !== undefined,
      previousRejection: content.amendment?.previousRejection ?? "N",
      withoutPreviousRecord: false,
    };
  }
  return {
    kind: "ANULACION",
    amends: false,
    previousRejection: content.previousRejection ? "S" : "N",
    withoutPreviousRecord: content.withoutPreviousRecord ?? false,
  };
}
