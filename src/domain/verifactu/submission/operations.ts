import type { Operation } from "./state.ts";

/** The record that the authority holds of an invoice. A record in transit counts as arrived. */
export type AuthorityHas = "nothing" | "registration" | "annulment";

/** 3000: a record of this invoice exists. 3002: none does. */
export type OperationAnswer = "accepted" | 3000 | 3002;

/**
 * The annex of the AEAT's validations: the result of an operation by the authority's state. A record that
 * declares no previous record must be right about it, and so must any other.
 */
export function answerTo(operation: Operation, has: AuthorityHas): OperationAnswer {
  if (expectsNothing(operation)) return has === "nothing" ? "accepted" : 3000;
  return has === "nothing" ? 3002 : "accepted";
}

function expectsNothing({ kind, amends, previousRejection, withoutPreviousRecord }: Operation): boolean {
  if (kind === "ANULACION") return withoutPreviousRecord;
  return !amends || previousRejection === "X";
}
