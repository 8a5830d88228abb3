import type { Instant } from "../../shared/instant.ts";
import { assertNever } from "../../shared/result.ts";
import {
  type AttemptResult,
  type MatchedLine,
  matchAnswer,
  type NoAnswerCause,
  type SubmissionAnswer,
  type SubmissionFault,
} from "./answer.ts";
import {
  type Attempt,
  askedDelayMs,
  backOffMs,
  type ChainSubmission,
  clearUpTo,
  narrow,
  type Pace,
  type Stop,
} from "./chain.ts";
import {
  type AuthorityMessage,
  classOfFault,
  type Finding,
  type Hold,
  isTechnical,
  type LineMeaning,
  type MeaningFacts,
  meaningOf,
  ourFault,
  type SentRecord,
  SUSPENDED,
} from "./meaning.ts";
import { withFailure } from "./next-submission.ts";
import { isFinal, type SubmissionState } from "./state.ts";

/**
 * The effect of an attempt, written in one batch that requires the attempt to be still open for its owner.
 */
export interface Settlement {
  readonly chain: ChainSubmission;
  /** Records with a new state; the others keep theirs. */
  readonly records: readonly RecordChange[];
  /** An alert for the operators. */
  readonly ring?: OperatorAlert;
}

/** Only the operators of the software can correct it. */
type OurFault = "system_rejected" | "record_unreadable" | "own_flaw";

export interface OperatorAlert extends AuthorityMessage {
  readonly reason: Stop["reason"] | OurFault | "not_compared" | "not_decided" | "outage";
}

interface SettleFacts extends MeaningFacts {
  /** Unsent records of the chain before this settlement, including those of the message. */
  readonly unsent: number;
  readonly at: Instant;
  /** From 0 to 1, for the jitter. */
  readonly chance: number;
  readonly pace: Pace;
}

/** Undefined if another owner has taken the attempt over; the response is then kept as evidence only. */
export function settleAttempt(
  chain: ChainSubmission,
  owner: string,
  result: AttemptResult,
  facts: SettleFacts,
): Settlement | undefined {
  const { attempt, ...open } = chain;
  if (attempt?.owner !== owner) return undefined;
  switch (result.result) {
    case "answered":
      return applyAnswer(open, attempt, result.answer, facts);
    case "fault":
      return settleFault(open, attempt, result.fault, facts);
    case "not_delivered": {
      const settled = failed(open, attempt, facts, askedDelayMs(result.retryAfterSeconds));
      return { records: takenBack(attempt, facts.sent), ...outage(settled, facts) };
    }
    case "no_answer":
      return settleNoAnswer(open, attempt, result.cause, facts);
    default:
      return assertNever(result);
  }
}

/** Lines that are not those of the records say nothing about any of them. */
function applyAnswer(
  chain: ChainSubmission,
  attempt: Attempt,
  answer: SubmissionAnswer,
  facts: SettleFacts,
): Settlement {
  const matched = matchAnswer(facts.sent, answer.lines);
  if (!matched.ok) return settleNoAnswer(chain, attempt, "mismatch", facts);
  return settleAnswer(chain, attempt, { ...facts, answer, matched: matched.value });
}

/** The records stay `submitted`, and the same go again. */
function settleNoAnswer(
  chain: ChainSubmission,
  attempt: Attempt,
  cause: NoAnswerCause,
  facts: SettleFacts,
): Settlement {
  const settled = failed(chain, attempt, facts);
  if (cause !== "certificate_refused") return { records: [], ...outage(settled, facts) };
  return { records: [], ...stopped(settled, { reason: cause }, facts) };
}

function settleFault(
  chain: ChainSubmission,
  attempt: Attempt,
  fault: SubmissionFault,
  facts: SettleFacts,
): Settlement {
  // After a server fault the message may have been stored all the same.
  const records = fault.side === "client" ? takenBack(attempt, facts.sent) : [];
  const authorityMessage = messageOfFault(fault);
  switch (classOfFault(fault)) {
    case "retry":
      return { records, ...outage(failed(chain, attempt, facts), facts) };
    case "operator": {
      const reason = fault.code === SUSPENDED ? "suspended" : "message_refused";
      return { records, ...stopped(failed(chain, attempt, facts), { reason, ...authorityMessage }, facts) };
    }
    case "isolate":
      return settleBroken(chain, attempt, authorityMessage, { ...facts, takenBack: records });
  }
}

/** The search for the broken record continues. */
function settleBroken(
  chain: ChainSubmission,
  attempt: Attempt,
  authorityMessage: AuthorityMessage,
  facts: SettleFacts & { readonly takenBack: readonly RecordChange[] },
): Settlement {
  const { at, pace, takenBack: records } = facts;
  const { isolation, ...others } = chain;
  const refused = {
    range: attempt,
    told: authorityMessage,
    at,
    answeredAt: chain.answeredAt,
    retryMs: pace.stoppedRetryMs,
  };
  const narrowed = narrow(isolation, refused);
  const paced = { ...others, dueAt: at + chain.waitSeconds * 1_000 };
  switch (narrowed.next) {
    case "search":
      return { chain: { ...paced, isolation: narrowed.isolation }, records };
    case "blame":
      return {
        chain: paced,
        records: [blame(narrowed.position, authorityMessage)],
        ring: ringOfOurs(authorityMessage),
      };
    case "stop": {
      const why = { reason: "message_refused", ...authorityMessage } as const;
      return { records, ...stopped(failed(others, attempt, facts), why, facts) };
    }
    default:
      return assertNever(narrowed);
  }
}

function failed(
  chain: ChainSubmission,
  attempt: Attempt,
  { at, chance, pace }: SettleFacts,
  askedMs = 0,
): ChainSubmission {
  const failing = withFailure(chain, attempt.to, at);
  const delayMs = Math.max(backOffMs(failing.failures, chance, pace), askedMs, chain.waitSeconds * 1_000);
  return { ...failing, dueAt: at + delayMs };
}

function stopped(
  chain: ChainSubmission,
  why: Omit<Stop, "since">,
  { at, pace }: SettleFacts,
): Pick<Settlement, "chain" | "ring"> {
  const stop: Stop = { ...why, since: chain.stopped?.since ?? at };
  return { chain: { ...chain, stopped: stop, dueAt: at + pace.stoppedRetryMs }, ring: why };
}

/** A short outage alerts no operator: one alert at the last back-off step. */
function outage(chain: ChainSubmission, { pace }: SettleFacts): Pick<Settlement, "chain" | "ring"> {
  return chain.failures === pace.backOffMs.length ? { chain, ring: { reason: "outage" } } : { chain };
}

/** Records that certainly did not arrive wait again, unless an earlier attempt may have delivered them. */
function takenBack({ resend }: Attempt, sent: readonly SentRecord[]): readonly RecordChange[] {
  if (resend) return [];
  return sent.map(({ position }) => ({ position, state: "pending_submission" }));
}

function messageOfFault({ code, text }: SubmissionFault): AuthorityMessage {
  return { ...(code === undefined ? {} : { code }), text };
}

/** The whole new status of a record at the authority. */
export interface RecordChange extends AuthorityMessage {
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
  const authorityMessage = messageOfMeaning(meaning);
  switch (means) {
    case "accepted":
    case "accepted_with_errors":
      return { position, state: means, ...authorityMessage, ...originOf(meaning) };
    case "rejected":
      return {
        position,
        state: means,
        ...authorityMessage,
        ...("hold" in said && said.hold ? { hold: said.hold } : {}),
      };
    case "again":
    case "not_compared": {
      const notBefore = at + backOffMs(tries + 1, chance, pace);
      // A record that may have arrived earlier may still be there.
      const state = means === "again" && !wasLost ? "pending_submission" : "submitted";
      return { position, state, ...authorityMessage, tries: tries + 1, notBefore };
    }
    default:
      return assertNever(means);
  }
}

/** A message with this record in it is refused as a whole. */
function blame(position: number, authorityMessage: AuthorityMessage): RecordChange {
  return { position, state: "rejected", ...authorityMessage };
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

function messageOfMeaning(meaning: LineMeaning): AuthorityMessage {
  if (meaning.means === "accepted") return {};
  const { code, text } = meaning;
  return { ...(code === undefined ? {} : { code }), ...(text === undefined ? {} : { text }) };
}

interface AnswerFacts extends SettleFacts {
  readonly answer: SubmissionAnswer;
  readonly matched: readonly MatchedLine<SentRecord>[];
}

/** Every record of the message has its line, and the lines decide. */
function settleAnswer(chain: ChainSubmission, attempt: Attempt, facts: AnswerFacts): Settlement {
  const { answer, matched, unsent, at, pace } = facts;
  const cleared = clearUpTo(chain.isolation, attempt);
  const { blamed } = cleared;
  const undecided = matched.flatMap(({ record, line }) => (isTechnical(line.code) ? [record] : []));
  const known = { ...facts, undecided };
  const records = [
    ...(blamed ? [blame(blamed.position, blamed.told)] : []),
    ...matched.map((line) => changeOf(line.record, meaningOf(line, known), facts)),
  ];
  // An undecided record is an incident like any other.
  const incidentSince =
    chain.incidentSince ?? (records.every(({ state }) => isFinal(state)) ? undefined : at);
  const waitSeconds = answer.waitSeconds ?? chain.waitSeconds;
  const { incidentSince: _, isolation: __, stopped: ___, ...others } = chain;
  const left = unsent - records.filter(({ state }) => isFinal(state)).length;
  const settled: ChainSubmission = {
    ...others,
    ...(incidentSince === undefined || left <= 0 ? {} : { incidentSince }),
    ...(cleared.isolation ? { isolation: cleared.isolation } : {}),
    ...{ waitSeconds, dueAt: at + waitSeconds * 1_000, failures: 0, answeredAt: at },
    affectedTo: affectedTo(chain, records),
  };
  return {
    chain: settled,
    records,
    ...(blamed ? { ring: ringOfOurs(blamed.told) } : ringFor(records, pace)),
  };
}

/** A record that is to go again is late by the authority's doing. */
function affectedTo(chain: ChainSubmission, records: readonly RecordChange[]): number {
  const again = records.filter(({ state }) => !isFinal(state)).map(({ position }) => position);
  return Math.max(chain.affectedTo, ...again);
}

/**
 * Faults that no owner can correct. An incomparable duplicate or an undecided record alerts only after the
 * last back-off step.
 */
function ringFor(records: readonly RecordChange[], { backOffMs }: Pace): Pick<Settlement, "ring"> {
  const wrong = records.find(({ state, code }) => isFinal(state) && ourFault(code));
  if (wrong) return { ring: ringOfOurs(wrong) };
  const long = records.find(({ state, tries }) => !isFinal(state) && tries === backOffMs.length);
  if (!long) return {};
  return { ring: { reason: isTechnical(long.code) ? "not_decided" : "not_compared" } };
}

const OURS = { system: "system_rejected", unreadable: "record_unreadable", flaw: "own_flaw" } as const;

/** For a record that the authority refused, or stored with an error, because of our mistake. */
function ringOfOurs({ code, text }: AuthorityMessage): OperatorAlert {
  const authorityMessage = {
    ...(code === undefined ? {} : { code }),
    ...(text === undefined ? {} : { text }),
  };
  return { reason: OURS[ourFault(code) ?? "unreadable"], ...authorityMessage };
}
