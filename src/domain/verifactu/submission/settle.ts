import type { Instant } from "../../shared/instant.ts";
import { assertNever } from "../../shared/result.ts";
import type { AttemptResult, NoAnswerCause, SubmissionAnswer, SubmissionFault } from "./answer.ts";
import { withFailure } from "./attempt.ts";
import type { Attempt, ChainSubmission, Stop } from "./chain.ts";
import { classOfFault, SUSPENDED } from "./fault-class.ts";
import { narrow } from "./isolation.ts";
import { matchAnswer } from "./match.ts";
import type { MeaningFacts, SentRecord, Told } from "./meaning.ts";
import { askedDelayMs, backOffMs, type Pace } from "./pace.ts";
import { blame, type RecordChange } from "./record-change.ts";
import { ringOfOurs, settleAnswer } from "./settle-answer.ts";

/**
 * The effect of an attempt, written in one batch that requires the attempt to be still open for its owner.
 */
export interface Settlement {
  readonly chain: ChainSubmission;
  /** Records with a new state; the others keep theirs. */
  readonly records: readonly RecordChange[];
  /** An alert for the operators. */
  readonly ring?: Ring;
}

/** Only the operators of the software can correct it. */
export type OurFault = "system_rejected" | "record_unreadable" | "own_flaw";

export interface Ring extends Told {
  readonly reason: Stop["reason"] | OurFault | "not_compared" | "not_decided" | "outage";
}

export interface SettleFacts extends MeaningFacts {
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
  const told = toldBy(fault);
  switch (classOfFault(fault)) {
    case "retry":
      return { records, ...outage(failed(chain, attempt, facts), facts) };
    case "operator": {
      const reason = fault.code === SUSPENDED ? "suspended" : "message_refused";
      return { records, ...stopped(failed(chain, attempt, facts), { reason, ...told }, facts) };
    }
    case "isolate":
      return settleBroken(chain, attempt, told, { ...facts, takenBack: records });
  }
}

/** The search for the broken record continues. */
function settleBroken(
  chain: ChainSubmission,
  attempt: Attempt,
  told: Told,
  facts: SettleFacts & { readonly takenBack: readonly RecordChange[] },
): Settlement {
  const { at, pace, takenBack: records } = facts;
  const { isolation, ...others } = chain;
  const refused = { range: attempt, told, at, answeredAt: chain.answeredAt, retryMs: pace.stoppedRetryMs };
  const narrowed = narrow(isolation, refused);
  const paced = { ...others, dueAt: at + chain.waitSeconds * 1_000 };
  switch (narrowed.next) {
    case "search":
      return { chain: { ...paced, isolation: narrowed.isolation }, records };
    case "blame":
      return { chain: paced, records: [blame(narrowed.position, told)], ring: ringOfOurs(told) };
    case "stop": {
      const why = { reason: "message_refused", ...told } as const;
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

function toldBy({ code, text }: SubmissionFault): Told {
  return { ...(code === undefined ? {} : { code }), text };
}
