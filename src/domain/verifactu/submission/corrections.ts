import { assertNever } from "../../shared/result.ts";
import { classOfFault, type Finding, type Hold, ourFault } from "./meaning.ts";
import { isFinal, type Operation, type SubmissionState } from "./state.ts";

/** A record of an invoice and its state. */
export interface RecordStatus {
  readonly operation: Operation;
  readonly state: SubmissionState;
  readonly code?: number;
  readonly hold?: Hold;
  readonly found?: Finding;
}

/** The flags of an amendment: Subsanacion=S with this RechazoPrevio. */
export interface AmendmentFlags {
  readonly previousRejection: "N" | "S" | "X";
}

/** The flags of an annulment; absent members are absent elements. */
export interface AnnulmentFlags {
  readonly withoutPreviousRecord?: true;
  readonly previousRejection?: true;
}

export type Correction =
  | {
      readonly correction: "amend";
      readonly writes: AmendmentFlags;
      /** The effect on the authority's record. */
      readonly effect: "registers" | "replaces" | "reactivates";
    }
  | {
      readonly correction: "annul";
      readonly writes: AnnulmentFlags;
      readonly effect: "annuls" | "annuls_again";
    };

export interface AllowedCorrections {
  /** `required` if the authority's rules demand a correction. */
  readonly need: "none" | "required";
  readonly allowed: readonly Correction[];
  /** Why there is none. */
  readonly because?: "not_final" | Hold | "number_taken" | "made_by_form";
}

/** Made with the AEAT's own form: only there it is changed. */
const MADE_BY_FORM = 3004;

/** Reported, but not to be amended: the clock, and IPSI without regime. */
const WITHOUT_AMENDMENT = [2004, 2009];

/**
 * The allowed corrections of an invoice, with their flags. `records` are all of its own, in the order of the
 * chain; the last is corrected. Flags follow the authority's state, so an amendment waits for an open record.
 */
export function allowedCorrections(records: readonly RecordStatus[]): AllowedCorrections {
  const last = records.at(-1);
  const duplicate = duplicateOf(records);
  if (!last || !records.every(({ state }) => isFinal(state))) return none("not_final");
  if (duplicate === "undecided") return none("foreign_duplicate");
  if (duplicate === "foreign") return none("number_taken");
  if (last.state === "rejected" && last.code === MADE_BY_FORM) return none("made_by_form");
  const has = authorityHas(records);
  return { need: needOf(last), allowed: [amendment(records, has), annulmentOf(records)] };
}

function none(because: AllowedCorrections["because"] & string): AllowedCorrections {
  return { need: "none", allowed: [], because };
}

/**
 * The owner of the authority's record with our key, after a duplicate was reported. An owner's finding holds:
 * the refusals of later records have the same cause.
 */
export function duplicateOf(records: readonly RecordStatus[]): "undecided" | Finding | undefined {
  const held = records.findLastIndex(({ hold }) => hold !== undefined);
  if (held === -1) return undefined;
  const finding = records.findLastIndex(({ found }) => found !== undefined);
  const found = records[finding]?.found;
  return found === "ours" && held > finding ? "undecided" : (found ?? "undecided");
}

/** For the last record of an invoice. */
export function needOf({ state, code }: Pick<RecordStatus, "state" | "code">): AllowedCorrections["need"] {
  if (state === "rejected") return "required";
  const isExcused = code !== undefined && WITHOUT_AMENDMENT.includes(code);
  return state === "accepted_with_errors" && !isExcused ? "required" : "none";
}

/**
 * The flags of an annulment. Open records count as accepted, so an invoice can be cancelled while its
 * registration is in transit. If the key is foreign, ours claims no previous record; a late finding withholds
 * it.
 */
export function annulmentFlags(records: readonly RecordStatus[]): AnnulmentFlags {
  const duplicate = duplicateOf(records);
  const isOurs = authorityHas(records) !== "nothing" && (duplicate === undefined || duplicate === "ours");
  const annulments = records.filter((record) => record.operation.kind === "ANULACION" && !isWithheld(record));
  return {
    ...(isOurs ? {} : { withoutPreviousRecord: true }),
    ...(annulments.at(-1)?.state === "rejected" ? { previousRejection: true } : {}),
  };
}

/** The authority has never received it. */
function isWithheld({ hold, code }: RecordStatus): boolean {
  return hold !== undefined && code === undefined;
}

/** The last record that was not rejected decides, and so do 3000, 3001 and 3002. */
export function authorityHas(records: readonly RecordStatus[]): AuthorityHas {
  return records.reduce<AuthorityHas>((has, { operation, state, code }) => {
    if (state !== "rejected") return operation.kind === "ALTA" ? "registration" : "annulment";
    if (code === 3000) return has === "nothing" ? "registration" : has;
    if (code === 3001) return "annulment";
    return code === 3002 ? "nothing" : has;
  }, "nothing");
}

function amendment(records: readonly RecordStatus[], has: AuthorityHas): Correction {
  if (has === "nothing")
    return { correction: "amend", writes: { previousRejection: "X" }, effect: "registers" };
  const wasRejected = records.findLast(({ operation }) => operation.amends)?.state === "rejected";
  return {
    correction: "amend",
    writes: { previousRejection: wasRejected ? "S" : "N" },
    effect: has === "registration" ? "replaces" : "reactivates",
  };
}

/** The annulment that could be written now, open records counting as accepted. */
export function annulmentOf(records: readonly RecordStatus[]): Correction {
  const effect = authorityHas(records) === "annulment" ? "annuls_again" : "annuls";
  return { correction: "annul", writes: annulmentFlags(records), effect };
}

/** The record that the authority holds of an invoice. A record in transit counts as arrived. */
export type AuthorityHas = "nothing" | "registration" | "annulment";

/** 3000: a record of this invoice exists. 3002: none does. */
type OperationAnswer = "accepted" | 3000 | 3002;

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
