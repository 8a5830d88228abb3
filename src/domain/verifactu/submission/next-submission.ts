import type { Instant } from "../../shared/instant.ts";
import { LIMITS } from "../aeat-lists.ts";
import {
  type Attempt,
  type ChainSubmission,
  halfOf,
  type Isolation,
  isLate,
  leaseUntil,
  type Pace,
  type Range,
} from "./chain.ts";
import type { SubmissionMessage } from "./message.ts";

/** A record that is not final. */
export interface QueuedRecord {
  readonly position: number;
  readonly state: "pending_submission" | "submitted";
  /** The instant of FechaHoraHusoGenRegistro. */
  readonly generatedAt: Instant;
  /** The authority could not decide on it: not before this. */
  readonly notBefore?: Instant;
  /**
   * Why an annulment must wait for an earlier record of its invoice. `undecided`: the authority has not said
   * if that record's key is ours. `foreign`: it is not, and the annulment would hit another system's invoice.
   */
  readonly blockedBy?: "undecided" | "foreign";
}

type NextSubmission =
  | { readonly next: "nothing" }
  | { readonly next: "wait"; readonly until: Instant; readonly because: WaitReason }
  /** Until the owner resumes the chain. */
  | { readonly next: "stopped" }
  /** These are never sent: their refusal is recorded without a message. */
  | { readonly next: "withhold"; readonly positions: readonly number[] }
  | ({ readonly next: "send" } & SubmissionOrder);

type WaitReason = "lease" | "wait_time" | "back_off" | "stopped";

/** The records to send now. The message may take fewer than all of them. */
export interface SubmissionOrder extends Range {
  readonly incident: boolean;
  readonly resend: boolean;
  /** Owner of the attempt that is given up for this one, by compare-and-set. */
  readonly takesOver?: string;
}

/** `queue`: the oldest records that are not final, in the order of the chain, more than one message takes. */
export function nextSubmission(
  chain: ChainSubmission,
  queue: readonly QueuedRecord[],
  now: Instant,
): NextSubmission {
  const { attempt, stopped, dueAt } = chain;
  if (attempt) return now < attempt.leaseUntil ? wait(attempt.leaseUntil, "lease") : takeOver(attempt);
  if (queue.length === 0) return { next: "nothing" };
  const foreign = queue.filter(({ blockedBy }) => blockedBy === "foreign");
  if (foreign.length > 0) return { next: "withhold", positions: foreign.map(({ position }) => position) };
  if (stopped?.reason === "suspended") return { next: "stopped" };
  const choice = choose(chain.isolation, queue, now);
  if ("until" in choice) return wait(Math.max(choice.until, dueAt), waitReason(chain));
  const run = runOf(choice.records, chain, now);
  if (now < dueAt && !mayHurry(chain, run)) return wait(dueAt, waitReason(chain));
  return { next: "send", ...run };
}

/** Sends the same records again, with their earlier outcome ignored. */
function takeOver({ from, to, owner }: Range & { readonly owner: string }): NextSubmission {
  return { next: "send", from, to, incident: true, resend: true, takesOver: owner };
}

function wait(until: Instant, because: WaitReason): NextSubmission {
  return { next: "wait", until, because };
}

function waitReason({ stopped, failures }: ChainSubmission): WaitReason {
  if (stopped) return "stopped";
  return failures > 0 ? "back_off" : "wait_time";
}

type Choice = { readonly records: readonly QueuedRecord[] } | { readonly until: Instant };

/** Records that may go now. A suspect is skipped if the record after it can go. */
function choose(isolation: Isolation | undefined, queue: readonly QueuedRecord[], now: Instant): Choice {
  const free = queue.filter(({ blockedBy }) => blockedBy === undefined);
  const ready = free.filter(({ notBefore = 0 }) => notBefore <= now);
  if (ready.length === 0) return { until: Math.min(...free.map(({ notBefore = 0 }) => notBefore)) };
  if (!isolation) return { records: ready };
  if (isolation.suspected) return chooseAroundSuspect(isolation, ready, now);
  const half = halfOf(isolation);
  const searched = ready.filter(({ position }) => position <= half.to);
  return { records: searched.length > 0 ? searched : ready };
}

function chooseAroundSuspect(
  { from, retryAt }: Isolation,
  ready: readonly QueuedRecord[],
  now: Instant,
): Choice {
  const suspect = ready.find(({ position }) => position === from);
  const probe = ready.find(({ position }) => position !== from);
  if (probe) return { records: [probe] };
  if (suspect && now < retryAt) return { until: retryAt };
  return { records: ready };
}

/** The longest run from the first record on that is one message: no gap, and one answer to "incident?". */
function runOf(records: readonly QueuedRecord[], chain: ChainSubmission, now: Instant): SubmissionOrder {
  const [first] = records;
  const from = first?.position ?? 0;
  const kind = first && kindOf(first, chain, now);
  let to = from;
  for (const record of records.slice(1, LIMITS.recordsPerMessage)) {
    if (record.position !== to + 1 || kindOf(record, chain, now) !== kind) break;
    to = record.position;
  }
  return { from, to, incident: kind !== "punctual", resend: kind === "lost" };
}

/** Lost ones travel by themselves: they are sent again as they were. */
type MessageKind = "lost" | "affected" | "punctual";

function kindOf(record: QueuedRecord, { affectedTo }: ChainSubmission, now: Instant): MessageKind {
  if (record.state === "submitted") return "lost";
  return record.position <= affectedTo || isLate(record.generatedAt, now) ? "affected" : "punctual";
}

/** Art. 16.2: a thousand records need not wait, unless it is a failure that they wait for. */
function mayHurry({ failures, stopped }: ChainSubmission, { from, to }: Range): boolean {
  return failures === 0 && !stopped && to - from + 1 >= LIMITS.recordsPerMessage;
}

interface Begun {
  /** To be written before anything is sent, in one batch with the records' state `submitted`. */
  readonly chain: ChainSubmission;
  readonly attempt: Attempt;
}

interface Beginning {
  readonly owner: string;
  readonly at: Instant;
  readonly pace: Pace;
}

/**
 * Writes the attempt before its message is sent. Taking over an abandoned attempt counts it as failed,
 * because its outcome is unknown.
 */
export function beginAttempt(
  chain: ChainSubmission,
  order: SubmissionOrder,
  message: SubmissionMessage,
  { owner, at, pace }: Beginning,
): Begun {
  const attempt: Attempt = {
    owner,
    from: message.from,
    to: message.to,
    incident: message.incident,
    resend: order.resend,
    sha256: message.sha256,
    startedAt: at,
    leaseUntil: leaseUntil(at, pace),
  };
  if (order.takesOver === undefined) return { chain: { ...chain, attempt }, attempt };
  return { chain: { ...withFailure(chain, attempt.to, at), attempt }, attempt };
}

/** One more failed attempt: from now on the chain has an incident. */
export function withFailure(chain: ChainSubmission, affectedTo: number, at: Instant): ChainSubmission {
  return {
    ...chain,
    failures: chain.failures + 1,
    affectedTo: Math.max(chain.affectedTo, affectedTo),
    incidentSince: chain.incidentSince ?? at,
  };
}
