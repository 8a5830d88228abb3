import type { Instant } from "../../shared/instant.ts";
import type { AuthorityMessage } from "./meaning.ts";

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

/** So many records have ended without a message. */
export function withFewer(chain: ChainSubmission, unsent: number): ChainSubmission {
  const { incidentSince, ...others } = chain;
  return { ...others, ...(incidentSince === undefined || unsent <= 0 ? {} : { incidentSince }) };
}

/** The cause was corrected: try at once. */
export function resume(chain: ChainSubmission, at: Instant): ChainSubmission {
  const { stopped: _, ...others } = chain;
  return { ...others, dueAt: Math.min(chain.dueAt, at) };
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Configurable, so that a run against the sandbox need not last for minutes. */
export interface Pace {
  /** Art. 16.2 Orden HAC/1177/2024: until the authority asks for another. */
  readonly initialWaitSeconds: number;
  /** After the first, the second, ... failure in a row; the last one from then on. At least hourly (16.4). */
  readonly backOffMs: readonly number[];
  /** The interval of automatic tries of a stopped chain. */
  readonly stoppedRetryMs: number;
  /** The time limit of one request. Large messages have taken more than 30 s. */
  readonly timeLimitMs: number;
}

export const PACE: Pace = {
  initialWaitSeconds: 60,
  backOffMs: [1, 2, 4, 8, 15].map((minutes) => minutes * MINUTE_MS),
  stoppedRetryMs: 60 * MINUTE_MS,
  timeLimitMs: 120 * SECOND_MS,
};

/** So much longer at most than planned: chains that failed together do not return together. */
const JITTER = 0.2;

/** The law requires a try at least hourly. */
const LONGEST_DELAY_MS = 60 * MINUTE_MS;

export function backOffMs(failures: number, chance: number, { backOffMs: plan }: Pace): number {
  const planned = plan[Math.min(failures, plan.length) - 1] ?? 0;
  return Math.min(Math.round(planned * (1 + JITTER * chance)), LONGEST_DELAY_MS);
}

/** Retry-After of a 429, within reason. */
export function askedDelayMs(seconds: number | undefined): number {
  return Math.min((seconds ?? 0) * SECOND_MS, LONGEST_DELAY_MS);
}

/** An answer that is still on its way when the time is over finds its attempt still open. */
const LEASE_MARGIN_MS = 30 * SECOND_MS;

export function leaseUntil(startedAt: Instant, { timeLimitMs }: Pace): Instant {
  return startedAt + timeLimitMs + LEASE_MARGIN_MS;
}

/** More than 240 s off the authority's clock is error 2004; the margin covers transit and clock drift. */
const LATE_AFTER_MS = 180 * SECOND_MS;

/** In both directions: the authority reports clocks that are ahead as well. */
export function isLate(generatedAt: Instant, now: Instant): boolean {
  return Math.abs(now - generatedAt) > LATE_AFTER_MS;
}

/** The search for the record that gets whole messages refused. */
export interface Isolation {
  /** The range that contains the broken record. */
  readonly from: number;
  readonly to: number;
  /** Only `from` is suspected. If the record after it is refused too, every message is. */
  readonly suspected: boolean;
  /** The time to retry the suspect if no record follows it. */
  readonly retryAt: Instant;
  readonly told: AuthorityMessage;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The half to try first. */
export function halfOf({ from, to }: Range): Range {
  return { from, to: from + Math.floor((to - from) / 2) };
}

/** A message in good form has been answered lately: it is not the form of all of them. */
const PROOF_MS = 60 * 60_000;

type Narrowed =
  | { readonly next: "search"; readonly isolation: Isolation }
  | { readonly next: "blame"; readonly position: number }
  /** The authority refuses every message. */
  | { readonly next: "stop" };

interface RefusedMessage {
  readonly range: Range;
  readonly told: AuthorityMessage;
  readonly at: Instant;
  readonly answeredAt: Instant | undefined;
  readonly retryMs: number;
}

export function narrow(isolation: Isolation | undefined, refused: RefusedMessage): Narrowed {
  const { range, told, at, answeredAt, retryMs } = refused;
  const isProbe = isolation?.suspected === true && isolation.from !== range.from;
  if (isProbe) return { next: "stop" };
  const isAlone = range.from === range.to;
  const isProven = answeredAt !== undefined && at - answeredAt <= PROOF_MS;
  if (isAlone && isProven) return { next: "blame", position: range.from };
  return {
    next: "search",
    isolation: { from: range.from, to: range.to, suspected: isAlone, retryAt: at + retryMs, told },
  };
}

interface Cleared {
  readonly isolation?: Isolation;
  /** It is the suspect after all: another message has been answered. */
  readonly blamed?: { readonly position: number; readonly told: AuthorityMessage };
}

export function clearUpTo(isolation: Isolation | undefined, answered: Range): Cleared {
  if (!isolation) return {};
  const { from, to, suspected, told } = isolation;
  if (suspected) return answered.from === from ? {} : { blamed: { position: from, told } };
  const rest = Math.max(from, answered.to + 1);
  return rest > to ? {} : { isolation: { ...isolation, from: rest } };
}
