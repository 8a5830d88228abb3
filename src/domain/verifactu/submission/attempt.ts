import type { Instant } from "../../shared/instant.ts";
import type { Attempt, ChainSubmission } from "./chain.ts";
import type { SubmissionMessage } from "./message.ts";
import type { SubmissionOrder } from "./next-submission.ts";
import { leaseUntil, type Pace } from "./pace.ts";

export interface Begun {
  /** To be written before anything is sent, in one batch with the records' state `submitted`. */
  readonly chain: ChainSubmission;
  readonly attempt: Attempt;
}

export interface Beginning {
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
