import type { SubmissionAnswer } from "./answer.ts";
import type { Attempt, ChainSubmission } from "./chain.ts";
import { isTechnical, ourFault } from "./fault-class.ts";
import { clearUpTo } from "./isolation.ts";
import type { MatchedLine } from "./match.ts";
import { meaningOf, type SentRecord, type Told } from "./meaning.ts";
import type { Pace } from "./pace.ts";
import { blame, changeOf, type RecordChange } from "./record-change.ts";
import type { Ring, SettleFacts, Settlement } from "./settle.ts";
import { isFinal } from "./state.ts";

export interface AnswerFacts extends SettleFacts {
  readonly answer: SubmissionAnswer;
  readonly matched: readonly MatchedLine<SentRecord>[];
}

/** Every record of the message has its line, and the lines decide. */
export function settleAnswer(chain: ChainSubmission, attempt: Attempt, facts: AnswerFacts): Settlement {
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
export function ringOfOurs({ code, text }: Told): Ring {
  const told = { ...(code === undefined ? {} : { code }), ...(text === undefined ? {} : { text }) };
  return { reason: OURS[ourFault(code) ?? "unreadable"], ...told };
}
