import type { Instant } from "../../shared/instant.ts";
import type { Isolation } from "./isolation.ts";
import type { Pace } from "./pace.ts";

/** The submission state of one chain, as plain values that can be stored and reloaded. */
export interface ChainSubmission {
  /** TiempoEsperaEnvio asked last. */
  readonly waitSeconds: number;
  /** Earliest time of the next message; a full message may go before. */
  readonly dueAt: Instant;
  /** Attempts in a row that came to nothing. */
  readonly failures: number;
  /** Records up to here were in an attempt that failed: they travel with Incidencia=S. 0: none. */
  readonly affectedTo: number;
  /** Shown to the owner from the first failure until nothing is unsent (16.4). */
  readonly incidentSince?: Instant;
  /** When the service last answered a message of this chain with its lines. */
  readonly answeredAt?: Instant;
  readonly stopped?: Stop;
  readonly isolation?: Isolation;
  readonly attempt?: Attempt;
}

/** A person has to act. */
export interface Stop {
  readonly reason: "certificate_refused" | "message_refused" | "suspended";
  readonly code?: number;
  readonly text?: string;
  readonly since: Instant;
}

/** Written down before anything is sent; one at a time. */
export interface Attempt {
  /** Random; only its holder applies the response. */
  readonly owner: string;
  readonly from: number;
  readonly to: number;
  readonly incident: boolean;
  /** Its records may have arrived before. */
  readonly resend: boolean;
  readonly sha256: string;
  readonly startedAt: Instant;
  readonly leaseUntil: Instant;
}

export function newChainSubmission({ initialWaitSeconds }: Pace): ChainSubmission {
  return { waitSeconds: initialWaitSeconds, dueAt: 0, failures: 0, affectedTo: 0 };
}

/** So many records have come to their end without a message. */
export function withFewer(chain: ChainSubmission, unsent: number): ChainSubmission {
  const { incidentSince, ...others } = chain;
  return { ...others, ...(incidentSince === undefined || unsent <= 0 ? {} : { incidentSince }) };
}

/** The cause was corrected: try at once. */
export function resume(chain: ChainSubmission, at: Instant): ChainSubmission {
  const { stopped: _, ...others } = chain;
  return { ...others, dueAt: Math.min(chain.dueAt, at) };
}
