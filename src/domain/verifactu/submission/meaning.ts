import {
  type AnswerLine,
  type Comparison,
  type DuplicateOf,
  isSameInvoice,
  type MatchedLine,
  type SentIdentity,
  type SubmissionFault,
} from "./answer.ts";

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
  | ({
      readonly means: "accepted_with_errors";
      readonly adopted: boolean;
      readonly petition?: string;
    } & AuthorityMessage)
  | ({ readonly means: "rejected"; readonly hold?: Hold } & AuthorityMessage)
  /** Not decided: the same record is sent again. */
  | ({ readonly means: "again" } & AuthorityMessage)
  /** It may have arrived earlier: it is sent again as a lost one and compared then. */
  | ({ readonly means: "not_compared" } & AuthorityMessage);

export interface AuthorityMessage {
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
    return { means: "accepted_with_errors", adopted: false, ...messageOf(line) };
  }
  if (line.code === DUPLICATE) return meaningOfDuplicate(record, line, facts);
  const isAgain = isTechnical(line.code) || hasOvertaken({ record, line }, facts);
  return { means: isAgain ? "again" : "rejected", ...messageOf(line) };
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
  const foreign: LineMeaning = { means: "rejected", hold: "foreign_duplicate", ...messageOf(line) };
  if (!record.wasLost || !duplicate) return foreign;
  if (record.operation.kind === "ANULACION") {
    return duplicate.state === "annulled" ? adopted(duplicate) : foreign;
  }
  if (isToCompare({ record, line }, sent)) {
    const whose = compared?.get(record.position) ?? "unknown";
    if (whose === "unknown") return { means: "not_compared", ...messageOf(line) };
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
  return { means: "accepted_with_errors", adopted: true, petition, ...messageOf(duplicate) };
}

/** The lost message held the annulment as well. */
function isAnnulledLater(record: SentRecord, message: readonly SentRecord[]): boolean {
  return message.some(
    ({ position, operation, key }) =>
      position > record.position && operation.kind === "ANULACION" && isSameInvoice(key, record.key),
  );
}

function messageOf({ code, text }: AuthorityMessage): AuthorityMessage {
  return { ...(code === undefined ? {} : { code }), ...(text === undefined ? {} : { text }) };
}

/**
 * `retry`: the service's own trouble. `operator`: certificate, header or configuration; nothing gets through
 * until a person acts. `isolate`: one record of the message is to blame, and which one is to be found.
 */
type FaultClass = "retry" | "operator" | "isolate";

/** Not to be read off the first digit: the 3500s refuse whole messages, too. 102 is outside of the table. */
const RETRY = [102, 103, 3500, 3501, 4103, 4108, 4110, 4111, 4118, 4128, 4134];

/** Broken structure or values: the authority refuses the message because of one record. */
const ISOLATE = [4102, 4106, 4109, 4113, 4114, 4119, 4136, 4137];

const OPERATOR = [
  // The header: issuer, representative, period and requirement.
  ...[4104, 4105, 4107, 4115, 4116, 4117, 4120, 4121, 4122, 4123, 4124, 4125, 4126, 4127, 4129, 4130, 4131],
  // The certificate and its holder's permissions.
  ...[4112, 4132, 4140, 4141],
  // The call itself, and a service that is not open.
  ...[3502, 3503, 4133, 4135, 4138, 4139],
];

/** Access taken away: only asking the AEAT helps, and every call makes it worse. */
export const SUSPENDED = 4141;

/** An unknown client fault may come from one record; only a search finds it. */
export function classOfFault({ code, side }: SubmissionFault): FaultClass {
  if (code !== undefined) {
    if (RETRY.includes(code)) return "retry";
    if (OPERATOR.includes(code)) return "operator";
    if (ISOLATE.includes(code)) return "isolate";
  }
  return side === "client" ? "isolate" : "retry";
}

/** Errors of single records that are the service's own: nothing is wrong with the record. */
const TECHNICAL_RECORD_CODES = [1129, 1241, 1243, 1256, 1288];

export function isTechnical(code: number | undefined): boolean {
  return code !== undefined && TECHNICAL_RECORD_CODES.includes(code);
}

/** Faults of the software or the sender: every record will be rejected. */
const SYSTEM_CODES = [1108, 1110, 1176, 1177, 1179, 1220, 1242, 3003];

/** Stored, with an error that only we can have made: hashes, totals, the first record of a chain. */
const FLAW_CODES = [2000, 2002, 2003, 2005, 2006, 2007, 2008];

/** Faults that only the operators can correct; afterwards the record is sent again. */
export function ourFault(code: number | undefined): "system" | "unreadable" | "flaw" | undefined {
  if (code === undefined) return undefined;
  if (SYSTEM_CODES.includes(code)) return "system";
  if (ISOLATE.includes(code)) return "unreadable";
  return FLAW_CODES.includes(code) ? "flaw" : undefined;
}

export const OUR_CODES: readonly number[] = [...SYSTEM_CODES, ...ISOLATE, ...FLAW_CODES];
