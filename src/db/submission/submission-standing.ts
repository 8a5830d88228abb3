import type { Instant, TimeZone } from "../../domain/shared/instant.ts";
import type { AeatEnvironment } from "../../domain/verifactu/qr-url.ts";
import type { Stop } from "../../domain/verifactu/submission/chain.ts";
import { needOf } from "../../domain/verifactu/submission/corrections.ts";

/** The state of one chain's records at the authority, for its owner. */
export interface ChainStatus {
  readonly installationId: string;
  readonly installationNumber: string;
  readonly environment: AeatEnvironment;
  readonly isClosed: boolean;
  /** Records that the authority has not decided on. */
  readonly unsent: number;
  /** When the oldest of them was made. */
  readonly unsentSince?: Instant;
  /** From the first failure until nothing is unsent (article 16.4 Orden HAC/1177/2024). */
  readonly incidentSince?: Instant;
  /** Attempts in a row that came to nothing. */
  readonly failures: number;
  /** A person has to act. */
  readonly stopped?: Stop;
  readonly underWay?: UnderWay;
  /** When the next message is due; absent where nothing is unsent, or time alone changes nothing. */
  readonly nextAttemptAt?: Instant;
  readonly lastAnswerAt?: Instant;
  /** Invoices whose newest record needs a correction. */
  readonly toCorrect: ToCorrect;
}

interface ToCorrect {
  readonly rejected: number;
  readonly acceptedWithErrors: number;
}

interface UnderWay {
  readonly startedAt: Instant;
  readonly from: number;
  readonly to: number;
}

export interface SubmissionStatus {
  readonly timeZone: TimeZone;
  /** The issuer's signed grant is missing: without it nothing is sent. */
  readonly representationPending: boolean;
  readonly chains: readonly ChainStatus[];
}

/** The data read; its consequences are decided here. */
export interface StandingRead {
  readonly timeZone: TimeZone;
  readonly isRepresented: boolean;
  readonly chains: readonly ChainRead[];
}

export interface ChainRead
  extends Omit<ChainStatus, "toCorrect" | "nextAttemptAt" | "underWay" | "failures"> {
  readonly failures?: number;
  /** Undefined before the first message. */
  readonly dueAt?: Instant;
  readonly underWay?: UnderWay;
  /** Newest records of invoices, by the authority's answer. */
  readonly declined: readonly DeclinedRead[];
}

export interface DeclinedRead {
  readonly state: "rejected" | "accepted_with_errors";
  readonly code?: number;
  readonly records: number;
}

/** One message of a chain, newest first: evidence of tries and failures. */
export interface AttemptLine {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly incident: boolean;
  readonly resend: boolean;
  readonly startedAt: Instant;
  readonly requestSha256: string;
  readonly endedAt?: Instant;
  /** JSON of the result; absent until there is one. */
  readonly result?: string;
  /** CSV: the authority's proof that it took the message. */
  readonly csv?: string;
  readonly presentedAt?: string;
  readonly answerSha256?: string;
}

export interface AttemptPage {
  readonly attempts: readonly AttemptLine[];
  /** To go on with; absent on the last page. */
  readonly next?: AttemptCursor;
}

interface AttemptCursor {
  readonly startedAt: Instant;
  readonly row: number;
}

export interface AttemptsQuery {
  readonly accountId: string;
  readonly installationId: string;
  readonly before?: AttemptCursor;
}

/** Every method is exactly one D1 round trip. */
export interface StandingStore {
  /** Undefined without an account, or for another account. */
  readStanding(accountId: string): Promise<StandingRead | undefined>;
  /** Empty for a chain that is not the connection's. */
  readAttempts(asked: AttemptsQuery): Promise<AttemptPage>;
}

export interface RejectedQuery {
  readonly codes: readonly number[];
  readonly limit: number;
  /** Limits the result to this invoice. */
  readonly invoiceId?: string;
}

export interface DeclinedRecord {
  readonly invoiceId: string;
  readonly kind: "ALTA" | "ANULACION";
  /** The reason of an annulment. */
  readonly reason: string;
}

export interface DeclinedStore {
  /** The newest records of their invoices, the oldest of these first. One D1 round trip. */
  readDeclined(asked: RejectedQuery): Promise<readonly DeclinedRecord[]>;
}

export interface StandingMoment {
  readonly now: Instant;
  /** The way to the authority takes records only of an issuer whose signed grant is kept. */
  readonly wantsRepresentation: boolean;
}

export function standingOf(read: StandingRead, moment: StandingMoment): SubmissionStatus {
  const representationPending = moment.wantsRepresentation && !read.isRepresented;
  const waits = { ...moment, representationPending };
  return {
    timeZone: read.timeZone,
    representationPending,
    chains: read.chains.map((chain) => chainStanding(chain, waits)),
  };
}

interface Waits {
  readonly now: Instant;
  readonly representationPending: boolean;
}

function chainStanding(
  { declined, dueAt, failures, ...read }: ChainRead,
  { now, representationPending }: Waits,
): ChainStatus {
  // What is suspended waits for the authority; every other stop is tried again by itself.
  const waitsForPerson = representationPending || read.stopped?.reason === "suspended";
  const isDue = read.unsent > 0 && !waitsForPerson && read.underWay === undefined;
  return {
    ...read,
    failures: failures ?? 0,
    ...(isDue ? { nextAttemptAt: Math.max(dueAt ?? 0, now) } : {}),
    toCorrect: {
      rejected: countOf(declined, "rejected"),
      acceptedWithErrors: countOf(declined, "accepted_with_errors"),
    },
  };
}

function countOf(declined: readonly DeclinedRead[], state: DeclinedRead["state"]): number {
  return declined
    .filter((one) => one.state === state && needOf(one) === "required")
    .reduce((sum, { records }) => sum + records, 0);
}
