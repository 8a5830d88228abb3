import type { RecordContent } from "../record.ts";

/**
 * `submitted`: sent, or possibly sent, without a known outcome. The three states after it are final: only a
 * further record corrects them. `not_submitted` is final from the start: a record of a test connection.
 */
export type SubmissionState =
  | "not_submitted"
  | "pending_submission"
  | "submitted"
  | "accepted"
  | "accepted_with_errors"
  | "rejected";

export function firstState({ trial }: { readonly trial: boolean }): "not_submitted" | "pending_submission" {
  return trial ? "not_submitted" : "pending_submission";
}

export function isFinal(state: SubmissionState): boolean {
  return state !== "pending_submission" && state !== "submitted";
}

/**
 * The operation of a record as the authority repeats it: kind, Subsanacion, RechazoPrevio, SinRegistroPrevio.
 * It distinguishes the records of one invoice.
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
