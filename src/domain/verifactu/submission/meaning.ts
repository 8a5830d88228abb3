import type { AnswerLine, DuplicateOf } from "./answer.ts";
import { type Comparison, isSameInvoice } from "./comparison.ts";
import { isTechnical } from "./fault-class.ts";
import type { MatchedLine, SentIdentity } from "./match.ts";

export interface SentRecord extends SentIdentity {
  /** It may have reached the authority before this attempt: an earlier one ended without an answer. */
  readonly wasLost: boolean;
  /** The number of undecided answers so far. */
  readonly tries: number;
}

/**
 * Why the owner must look before any correction. `foreign_duplicate`: another system's record has the key.
 */
export type Hold = "foreign_duplicate";

/** The owner of the authority's record under our key, as our owner has found out. */
export type Finding = "ours" | "foreign";

/** The effect of a line on its record. */
export type LineMeaning =
  | { readonly means: "accepted"; readonly adopted: boolean; readonly petition?: string }
  | ({ readonly means: "accepted_with_errors"; readonly adopted: boolean; readonly petition?: string } & Told)
  | ({ readonly means: "rejected"; readonly hold?: Hold } & Told)
  /** Not decided: the same record is sent again. */
  | ({ readonly means: "again" } & Told)
  /** It may have arrived earlier: it is sent again as a lost one and compared then. */
  | ({ readonly means: "not_compared" } & Told);

export interface Told {
  readonly code?: number;
  readonly text?: string;
}

const DUPLICATE = 3000;
const NOT_EXISTENT = 3002;

export interface MeaningFacts {
  /** All records that travelled together, in the order of the chain. */
  readonly sent: readonly SentRecord[];
  /** By position; absent if the comparison failed. */
  readonly compared?: ReadonlyMap<number, Comparison>;
  /** Records that the authority could not decide on. */
  readonly undecided?: readonly SentRecord[];
}

export function meaningOf<Sent extends SentRecord>(
  { record, line }: MatchedLine<Sent>,
  facts: MeaningFacts,
): LineMeaning {
  if (line.state === "accepted") return { means: "accepted", adopted: false };
  if (line.state === "accepted_with_errors") {
    return { means: "accepted_with_errors", adopted: false, ...toldBy(line) };
  }
  if (line.code === DUPLICATE) return meaningOfDuplicate(record, line, facts);
  const isAgain = isTechnical(line.code) || hasOvertaken({ record, line }, facts);
  return { means: isAgain ? "again" : "rejected", ...toldBy(line) };
}

/** The registration has not arrived yet: the annulment is sent again. */
function hasOvertaken({ record, line }: MatchedLine<SentRecord>, { undecided = [] }: MeaningFacts): boolean {
  if (record.operation.kind !== "ANULACION" || line.code !== NOT_EXISTENT) return false;
  return undecided.some(({ position, key }) => position < record.position && isSameInvoice(key, record.key));
}

/**
 * After an attempt without an answer, 3000 means that the authority has this record, and its state counts.
 * Without such an attempt, the key belongs to another record.
 */
function meaningOfDuplicate(
  record: SentRecord,
  line: AnswerLine,
  { sent, compared }: MeaningFacts,
): LineMeaning {
  const { duplicate } = line;
  const foreign: LineMeaning = { means: "rejected", hold: "foreign_duplicate", ...toldBy(line) };
  if (!record.wasLost || !duplicate) return foreign;
  if (record.operation.kind === "ANULACION") {
    return duplicate.state === "annulled" ? adopted(duplicate) : foreign;
  }
  if (isToCompare({ record, line }, sent)) {
    const whose = compared?.get(record.position) ?? "unknown";
    if (whose === "unknown") return { means: "not_compared", ...toldBy(line) };
    return whose === "ours" ? adopted(duplicate) : foreign;
  }
  return adopted(duplicate);
}

/**
 * Compares a duplicate if another system may own the key. A rejection frees the number for others. An
 * annulled record may be foreign if the message had no annulment of ours.
 */
export function isToCompare({ record, line }: MatchedLine<SentRecord>, sent: readonly SentRecord[]): boolean {
  const isDuplicate = line.state === "rejected" && line.code === DUPLICATE && line.duplicate !== undefined;
  if (!isDuplicate || !record.wasLost || record.operation.kind !== "ALTA") return false;
  const isAnnulled = line.duplicate?.state === "annulled" && !isAnnulledLater(record, sent);
  return record.operation.amends || isAnnulled;
}

/** For an annulled invoice the error belongs to the annulment: the registration was accepted. */
function adopted(duplicate: DuplicateOf): LineMeaning {
  const { petition, state } = duplicate;
  if (state !== "accepted_with_errors") return { means: "accepted", adopted: true, petition };
  return { means: "accepted_with_errors", adopted: true, petition, ...toldBy(duplicate) };
}

/** The lost message held the annulment as well. */
function isAnnulledLater(record: SentRecord, message: readonly SentRecord[]): boolean {
  return message.some(
    ({ position, operation, key }) =>
      position > record.position && operation.kind === "ANULACION" && isSameInvoice(key, record.key),
  );
}

function toldBy({ code, text }: Told): Told {
  return { ...(code === undefined ? {} : { code }), ...(text === undefined ? {} : { text }) };
}
