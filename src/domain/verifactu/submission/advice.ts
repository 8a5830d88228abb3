import { assertNever } from "../../shared/result.ts";
import { duplicateOf, needOf, type RecordStatus } from "./corrections.ts";
import { classOfFault, ourFault } from "./meaning.ts";

/** The one right thing to do about a record; its words are in `words/advice.ts`. */
export const ADVICE_CODES = [
  // On its way
  "wait_for_submission",
  "wait_for_answer",
  // Test connections
  "nothing_to_submit",
  // Stored
  "stored_without_need",
  "recipient_not_in_census",
  "our_flaw",
  "stored_with_other_error",
  // Not stored
  "recipient_unknown",
  "foreign_identifier",
  "issuer_unknown",
  "software_unknown",
  "presenter_not_permitted",
  "registered_by_form",
  "duplicate_of_another",
  "duplicate_is_ours",
  "number_taken",
  "annulled_already",
  "nothing_to_amend",
  "nothing_to_annul",
  "unreadable",
  "other_rejection",
] as const;

export type AdviceCode = (typeof ADVICE_CODES)[number];

/** Undefined for a record that was accepted: there is nothing to do. */
export function adviceFor(
  record: RecordStatus,
  duplicate: ReturnType<typeof duplicateOf> = duplicateOf([record]),
): AdviceCode | undefined {
  switch (record.state) {
    case "not_submitted":
      return "nothing_to_submit";
    case "pending_submission":
      return "wait_for_submission";
    case "submitted":
      return "wait_for_answer";
    case "accepted":
      return undefined;
    case "accepted_with_errors":
      return adviceOnFlaw(record);
    case "rejected":
      return record.hold && duplicate ? ABOUT_DUPLICATE[duplicate] : adviceOnRejection(record);
    default:
      return assertNever(record.state);
  }
}

const ABOUT_DUPLICATE = {
  undecided: "duplicate_of_another",
  ours: "duplicate_is_ours",
  foreign: "number_taken",
} as const satisfies Record<string, AdviceCode>;

function adviceOnFlaw(record: RecordStatus): AdviceCode {
  const { code } = record;
  if (code === 2001) return "recipient_not_in_census";
  if (needOf(record) === "none") return "stored_without_need";
  return ourFault(code) === "flaw" ? "our_flaw" : "stored_with_other_error";
}

const BY_CODE: Readonly<Record<number, AdviceCode>> = {
  1103: "foreign_identifier",
  1109: "issuer_unknown",
  1110: "software_unknown",
  1122: "foreign_identifier",
  1239: "recipient_unknown",
  3000: "duplicate_of_another",
  3001: "annulled_already",
  3003: "presenter_not_permitted",
  3004: "registered_by_form",
  4104: "issuer_unknown",
  4107: "issuer_unknown",
  4112: "presenter_not_permitted",
};

function adviceOnRejection({ code, operation }: RecordStatus): AdviceCode {
  if (code === undefined) return "other_rejection";
  if (code === 3002) return operation.kind === "ALTA" ? "nothing_to_amend" : "nothing_to_annul";
  const known = BY_CODE[code];
  if (known) return known;
  const fault = ourFault(code);
  if (fault === "system") return "software_unknown";
  // For a record that makes the authority refuse every message with it.
  const isOfMessage = code >= 4000 && classOfFault({ code, side: "client", text: "" }) === "isolate";
  return fault === "unreadable" || isOfMessage ? "unreadable" : "other_rejection";
}
