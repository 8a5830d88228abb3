import type { Instant } from "../../shared/instant.ts";
import { assertNever } from "../../shared/result.ts";
import type { Finding, Hold, LineMeaning, SentRecord, Told } from "./meaning.ts";
import { backOffMs, type Pace } from "./pace.ts";
import type { SubmissionState } from "./state.ts";

/** The whole new status of a record at the authority. */
export interface RecordChange extends Told {
  readonly position: number;
  readonly state: SubmissionState;
  readonly hold?: Hold;
  /** The owner's finding about the hold. */
  readonly found?: Finding;
  /** Taken from RegistroDuplicado after an attempt without answer, and the petition that brought it. */
  readonly adopted?: true;
  readonly petition?: string;
  /** For a record that the authority could not decide on, or that could not be compared with its own. */
  readonly tries?: number;
  readonly notBefore?: Instant;
}

interface Circumstances {
  readonly at: Instant;
  readonly chance: number;
  readonly pace: Pace;
}

export function changeOf(
  { position, tries, wasLost }: SentRecord,
  meaning: LineMeaning,
  { at, chance, pace }: Circumstances,
): RecordChange {
  const { means, ...said } = meaning;
  const told = toldBy(meaning);
  switch (means) {
    case "accepted":
    case "accepted_with_errors":
      return { position, state: means, ...told, ...originOf(meaning) };
    case "rejected":
      return { position, state: means, ...told, ...("hold" in said && said.hold ? { hold: said.hold } : {}) };
    case "again":
    case "not_compared": {
      const notBefore = at + backOffMs(tries + 1, chance, pace);
      // A record that may have arrived earlier may still be there.
      const state = means === "again" && !wasLost ? "pending_submission" : "submitted";
      return { position, state, ...told, tries: tries + 1, notBefore };
    }
    default:
      return assertNever(means);
  }
}

/** A message with this record in it is refused as a whole. */
export function blame(position: number, told: Told): RecordChange {
  return { position, state: "rejected", ...told };
}

/**
 * Never sent: it would act on another system's record with the same key. No code, because the authority has
 * not answered.
 */
export function withheld(position: number): RecordChange {
  return { position, state: "rejected", hold: "foreign_duplicate" };
}

function originOf(meaning: LineMeaning): Pick<RecordChange, "adopted" | "petition"> {
  if (!("adopted" in meaning) || !meaning.adopted) return {};
  return { adopted: true, ...(meaning.petition === undefined ? {} : { petition: meaning.petition }) };
}

function toldBy(meaning: LineMeaning): Told {
  if (meaning.means === "accepted") return {};
  const { code, text } = meaning;
  return { ...(code === undefined ? {} : { code }), ...(text === undefined ? {} : { text }) };
}
