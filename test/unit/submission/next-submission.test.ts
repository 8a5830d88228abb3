import { describe, expect, test } from "vitest";
import {
  askedDelayMs,
  backOffMs,
  type ChainSubmission,
  isLate,
  newChainSubmission,
  PACE,
  resume,
} from "../../../src/domain/verifactu/submission/chain.ts";
import { composeMessage } from "../../../src/domain/verifactu/submission/message.ts";
import {
  beginAttempt,
  nextSubmission,
  type QueuedRecord,
} from "../../../src/domain/verifactu/submission/next-submission.ts";
import { settleAttempt } from "../../../src/domain/verifactu/submission/settle.ts";
import { operationOf } from "../../../src/domain/verifactu/submission/state.ts";
import { NOON } from "../../support/authority/messages.ts";
import { AN_ISSUER } from "../../support/authority/submitter.ts";
import { aChain, aRegistration } from "../../support/builders/records.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const CHAIN = newChainSubmission(PACE);

function queued(position: number, change: Partial<QueuedRecord> = {}): QueuedRecord {
  return { position, state: "pending_submission", generatedAt: NOON - 5 * SECOND, ...change };
}

const many = (count: number, first = 1) => Array.from({ length: count }, (_, index) => queued(first + index));
const LATE = { generatedAt: NOON - 181 * SECOND };
const LOST = { state: "submitted" } as const;
const STOP = { reason: "message_refused", code: 4112, since: NOON } as const;
const ATTEMPT = {
  ...{ owner: "a", from: 1, to: 3, incident: false, resend: false, sha256: "" },
  ...{ startedAt: NOON - MINUTE, leaseUntil: NOON + MINUTE },
};
const send = (from: number, to: number, change = {}) => ({
  next: "send",
  from,
  to,
  incident: false,
  resend: false,
  ...change,
});
const S = { incident: true };
const IN_A_MINUTE = { dueAt: NOON + MINUTE };
const wait = (until: number, because: string) => ({ next: "wait", until, because });
const SEARCH = { from: 1, to: 8, suspected: false, retryAt: NOON + 60 * MINUTE, told: {} };
const SUSPECT = { ...SEARCH, to: 1, suspected: true };

test.each<[string, Partial<ChainSubmission>, readonly QueuedRecord[], unknown]>([
  ["nothing is unsent", {}, [], { next: "nothing" }],
  ["all that waits", {}, many(3), send(1, 3)],
  ["up to a thousand", {}, many(1_500), send(1, 1_000)],
  ["not across a gap", {}, [...many(2), ...many(2, 5)], send(1, 2)],
  [
    "an annulment waits for a record that may be another's, others do not",
    {},
    [queued(1, LOST), queued(2, { blockedBy: "undecided" }), queued(3)],
    send(1, 1, { ...S, resend: true }),
  ],
  [
    "nor does it while that one waits itself",
    {},
    [queued(1, { ...LOST, notBefore: NOON + MINUTE }), queued(2, { blockedBy: "undecided" }), queued(3)],
    send(3, 3),
  ],
  [
    "with nothing else it waits as long",
    {},
    [queued(1, { ...LOST, notBefore: NOON + MINUTE }), queued(2, { blockedBy: "undecided" })],
    wait(NOON + MINUTE, "wait_time"),
  ],
  [
    "after another's it is never submitted",
    IN_A_MINUTE,
    [queued(1), queued(2, { blockedBy: "foreign" }), queued(3)],
    { next: "withhold", positions: [2] },
  ],
  [
    "not while a message is under way",
    { attempt: ATTEMPT },
    [queued(4, { blockedBy: "foreign" })],
    wait(NOON + MINUTE, "lease"),
  ],
  ["late ones first, separately", {}, [queued(1, LATE), queued(2, LATE), queued(3)], send(1, 2, S)],
  ["punctual ones before late ones, separately", {}, [queued(1), queued(2, LATE)], send(1, 1)],
  [
    "records ahead of the clock are late as well",
    {},
    [queued(1, { generatedAt: NOON + 181 * SECOND })],
    send(1, 1, S),
  ],
  ["affected by a failure, however young", { affectedTo: 2 }, many(4), send(1, 2, S)],
  [
    "lost ones again, separately",
    {},
    [queued(1, LOST), queued(2, LOST), queued(3, LATE)],
    send(1, 2, { ...S, resend: true }),
  ],
  ["before the wait time is over", IN_A_MINUTE, many(999), wait(NOON + MINUTE, "wait_time")],
  ["when it is over", { dueAt: NOON }, many(3), send(1, 3)],
  ["a thousand need not wait", IN_A_MINUTE, many(1_000), send(1, 1_000)],
  [
    "not even a thousand after a failure",
    { ...IN_A_MINUTE, failures: 1 },
    many(1_000),
    wait(NOON + MINUTE, "back_off"),
  ],
  ["a stopped chain waits", { ...IN_A_MINUTE, stopped: STOP }, many(1_000), wait(NOON + MINUTE, "stopped")],
  ["and tries again automatically", { dueAt: NOON, stopped: STOP }, many(3), send(1, 3)],
  [
    "but not without access",
    { dueAt: 0, stopped: { ...STOP, reason: "suspended" } },
    many(3),
    { next: "stopped" },
  ],
  ["an attempt is open", { attempt: { ...ATTEMPT } }, many(3), wait(NOON + MINUTE, "lease")],
  [
    "its lease is over",
    { attempt: { ...ATTEMPT, leaseUntil: NOON } },
    many(9),
    send(1, 3, { ...S, resend: true, takesOver: "a" }),
  ],
  [
    "with anything else waiting",
    { attempt: { ...ATTEMPT, leaseUntil: NOON }, dueAt: NOON + MINUTE, stopped: STOP },
    [],
    send(1, 3, { ...S, resend: true, takesOver: "a" }),
  ],
  ["an undecided one goes last", {}, [queued(1, { notBefore: NOON + 1 }), ...many(2, 2)], send(2, 3)],
  [
    "alone, it is waited for",
    {},
    [queued(1, { notBefore: NOON + MINUTE })],
    wait(NOON + MINUTE, "wait_time"),
  ],
  ["the first half of those among which one is broken", { isolation: SEARCH }, many(20), send(1, 4)],
  ["the last two: one of them", { isolation: { ...SEARCH, from: 7 } }, many(2, 7), send(7, 7)],
  ["next to a suspect, the one after it", { isolation: SUSPECT }, many(9), send(2, 2)],
  ["nothing after a suspect: later", { isolation: SUSPECT }, many(1), wait(NOON + 60 * MINUTE, "wait_time")],
  ["then the suspect again", { isolation: { ...SUSPECT, retryAt: NOON } }, many(1), send(1, 1)],
])("%s", (_, change, queue, expected) => {
  expect(nextSubmission({ ...CHAIN, ...change }, queue, NOON)).toEqual(expected);
});

describe("the pace", () => {
  test("1, 2, 4, 8, 15 minutes, then every 15, and up to a fifth more", () => {
    const minutes = [1, 2, 3, 4, 5, 6, 50].map((failures) => backOffMs(failures, 0, PACE) / MINUTE);
    expect(minutes).toEqual([1, 2, 4, 8, 15, 15, 15]);
    expect(backOffMs(5, 1, PACE)).toBe(18 * MINUTE);
  });

  test("never more than an hour, with any configuration or request", () => {
    expect(backOffMs(1, 1, { ...PACE, backOffMs: [90 * MINUTE] })).toBe(60 * MINUTE);
    expect([askedDelayMs(undefined), askedDelayMs(90), askedDelayMs(86_400)]).toEqual([
      0,
      90 * SECOND,
      60 * MINUTE,
    ]);
  });

  test("late is a minute before the authority would answer 2004", () => {
    expect([180, 181, -180, -181].map((age) => isLate(NOON - age * SECOND, NOON))).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});

describe("an attempt", () => {
  const records = aChain([aRegistration({ reference: "r1" })]);
  const message = composeMessage(records, { issuer: AN_ISSUER, incident: false });
  const order = { from: 1, to: 1, incident: false, resend: false };
  const begin = (chain: ChainSubmission, owner: string, at: number, change = {}) =>
    beginAttempt(chain, { ...order, ...change }, message, { owner, at, pace: PACE });
  const sent = records.map(({ position, content: { reference, key }, content }) => ({
    ...{ position, reference, key, operation: operationOf(content), wasLost: false, tries: 0 },
  }));
  const facts = { sent, unsent: 1, at: NOON + SECOND, chance: 0, pace: PACE };
  const lost = { result: "no_answer", cause: "timeout" } as const;

  test("is open for longer than its request may last", () => {
    const { attempt, chain } = begin(CHAIN, "a", NOON);
    expect(attempt).toMatchObject({ owner: "a", from: 1, to: 1, sha256: message.sha256 });
    expect(attempt.leaseUntil - NOON).toBeGreaterThan(PACE.timeLimitMs);
    expect(chain).toEqual({ ...CHAIN, attempt });
  });

  test("taken over, it has failed: an incident from then on", () => {
    const abandoned = begin(CHAIN, "a", NOON).chain;
    const at = NOON + 10 * MINUTE;
    const { chain } = begin(abandoned, "b", at, { incident: true, resend: true, takesOver: "a" });
    expect(chain).toMatchObject({
      failures: 1,
      affectedTo: 1,
      incidentSince: at,
      attempt: { owner: "b", resend: true },
    });
  });

  test("an answer that comes when another has taken over is evidence, and nothing else", () => {
    const { chain } = begin(begin(CHAIN, "a", NOON).chain, "b", NOON + 10 * MINUTE, { takesOver: "a" });
    expect(settleAttempt(chain, "a", lost, facts)).toBeUndefined();
    const settled = settleAttempt(chain, "b", lost, facts);
    expect(settled?.chain.attempt).toBeUndefined();
    expect(settled && settleAttempt(settled.chain, "b", lost, facts)).toBeUndefined();
  });

  test("lines of other records are no answer: nothing is settled, the same goes again", () => {
    const line = {
      key: { issuerNif: "89890001K", number: "B-1", date: "27-11-2026" },
      state: "accepted",
    } as const;
    const [first] = sent;
    if (!first) throw new Error("a record was sent");
    const answer = { state: "accepted", lines: [{ ...line, operation: first.operation }] } as const;
    const settled = settleAttempt(begin(CHAIN, "a", NOON).chain, "a", { result: "answered", answer }, facts);
    expect(settled).toMatchObject({ records: [], chain: { failures: 1, incidentSince: NOON + SECOND } });
  });

  test.each([
    [0, undefined],
    [4, { reason: "not_compared" }],
    [5, undefined],
  ])("a duplicate without a comparison, tried %i times: lost as before, one alert", (tries, rung) => {
    const operation = { kind: "ALTA", amends: true, previousRejection: "X" } as const;
    const record = {
      ...{ position: 1, reference: "r1", key: { issuerNif: "89890001K", number: "A-1", date: "27-11-2026" } },
      ...{ operation: { ...operation, withoutPreviousRecord: false }, wasLost: true, tries },
    };
    const duplicate = { petition: "1", state: "accepted" } as const;
    const line = { ...record, state: "rejected", code: 3000, duplicate } as const;
    const answer = { state: "rejected", lines: [line] } as const;
    const { chain } = begin({ ...CHAIN, incidentSince: NOON }, "a", NOON, { incident: true, resend: true });
    const settled = settleAttempt(chain, "a", { result: "answered", answer }, { ...facts, sent: [record] });
    expect(settled?.records).toEqual([
      { position: 1, state: "submitted", code: 3000, tries: tries + 1, notBefore: expect.any(Number) },
    ]);
    expect(settled?.chain).toMatchObject({ failures: 0, affectedTo: 1, incidentSince: NOON });
    expect(settled?.ring).toEqual(rung);
  });

  test("an undelivered record is as before; one that may have been delivered stays submitted", () => {
    const throttled = { result: "not_delivered", retryAfterSeconds: 600 } as const;
    const first = settleAttempt(begin(CHAIN, "a", NOON).chain, "a", throttled, facts);
    expect(first?.records).toEqual([{ position: 1, state: "pending_submission" }]);
    expect(first?.chain.dueAt).toBe(NOON + SECOND + 600 * SECOND);
    const again = settleAttempt(begin(CHAIN, "a", NOON, { resend: true }).chain, "a", throttled, facts);
    expect(again?.records).toEqual([]);
  });

  test("resumed by a person, a chain is due at once", () => {
    const chain = resume({ ...CHAIN, stopped: STOP, dueAt: NOON + 60 * MINUTE }, NOON);
    expect(chain).toEqual({ ...CHAIN, dueAt: NOON });
  });
});
