import type { Finding, Hold } from "./meaning.ts";
import type { AuthorityHas } from "./operations.ts";
import { isFinal, type Operation, type SubmissionState } from "./state.ts";

/** A record of an invoice and how it stands. */
export interface RecordStanding {
  readonly operation: Operation;
  readonly state: SubmissionState;
  readonly code?: number;
  readonly hold?: Hold;
  readonly found?: Finding;
}

/** What an amendment writes: Subsanacion=S and this RechazoPrevio. */
export interface AmendmentFlags {
  readonly previousRejection: "N" | "S" | "X";
}

/** What an annulment writes; absent members are absent elements. */
export interface AnnulmentFlags {
  readonly withoutPreviousRecord?: true;
  readonly previousRejection?: true;
}

export type Correction =
  | {
      readonly correction: "amend";
      readonly writes: AmendmentFlags;
      /** What it does to what the authority has. */
      readonly effect: "registers" | "replaces" | "reactivates";
    }
  | {
      readonly correction: "annul";
      readonly writes: AnnulmentFlags;
      readonly effect: "annuls" | "annuls_again";
    };

export interface AllowedCorrections {
  /** Whether the authority's rules ask for one. */
  readonly need: "none" | "required";
  readonly allowed: readonly Correction[];
  /** Why there is none. */
  readonly because?: "not_final" | Hold | "number_taken" | "made_by_form";
}

/** Made with the AEAT's own form: only there it is changed. */
const MADE_BY_FORM = 3004;

/** Told, and not to be amended: the clock, and IPSI without regime. */
const WITHOUT_AMENDMENT = [2004, 2009];

/**
 * Which records may correct an invoice, and with which flags: `records`, all of its own in the order of the
 * chain, the last one being what would be corrected. They follow from what the authority has, never from what
 * anyone believes. An amendment behind an open record would guess at its flags, so it waits.
 */
export function allowedCorrections(records: readonly RecordStanding[]): AllowedCorrections {
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
 * Whose record the authority has under the key of the invoice, once it has said that it has one. What an
 * owner found stands: what follows a record of somebody else is refused for the same reason.
 */
export function duplicateOf(records: readonly RecordStanding[]): "undecided" | Finding | undefined {
  const held = records.findLastIndex(({ hold }) => hold !== undefined);
  if (held === -1) return undefined;
  const finding = records.findLastIndex(({ found }) => found !== undefined);
  const found = records[finding]?.found;
  return found === "ours" && held > finding ? "undecided" : (found ?? "undecided");
}

/** Of the last record of an invoice. */
export function needOf({ state, code }: Pick<RecordStanding, "state" | "code">): AllowedCorrections["need"] {
  if (state === "rejected") return "required";
  const isExcused = code !== undefined && WITHOUT_AMENDMENT.includes(code);
  return state === "accepted_with_errors" && !isExcused ? "required" : "none";
}

/**
 * The flags of an annulment at any time, open records counting as accepted: an invoice can be cancelled while
 * its registration is on its way. Where the key is somebody else's, ours says that there is none before it:
 * that one it must not touch. Where that shows later only, it never leaves (`behind`).
 */
export function annulmentFlags(records: readonly RecordStanding[]): AnnulmentFlags {
  const duplicate = duplicateOf(records);
  const isOurs = authorityHas(records) !== "nothing" && (duplicate === undefined || duplicate === "ours");
  const annulments = records.filter((record) => record.operation.kind === "ANULACION" && !isWithheld(record));
  return {
    ...(isOurs ? {} : { withoutPreviousRecord: true }),
    ...(annulments.at(-1)?.state === "rejected" ? { previousRejection: true } : {}),
  };
}

/** The authority has never heard of it. */
function isWithheld({ hold, code }: RecordStanding): boolean {
  return hold !== undefined && code === undefined;
}

/** The last record that was not rejected says it, and so do 3000, 3001 and 3002, whatever was believed. */
export function authorityHas(records: readonly RecordStanding[]): AuthorityHas {
  return records.reduce<AuthorityHas>((has, { operation, state, code }) => {
    if (state !== "rejected") return operation.kind === "ALTA" ? "registration" : "annulment";
    if (code === 3000) return has === "nothing" ? "registration" : has;
    if (code === 3001) return "annulment";
    return code === 3002 ? "nothing" : has;
  }, "nothing");
}

function amendment(records: readonly RecordStanding[], has: AuthorityHas): Correction {
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
export function annulmentOf(records: readonly RecordStanding[]): Correction {
  const effect = authorityHas(records) === "annulment" ? "annuls_again" : "annuls";
  return { correction: "annul", writes: annulmentFlags(records), effect };
}
