import type {
  ChainRead,
  ChainStanding,
  DeclinedRead,
  StandingRead,
  SubmissionStanding,
} from "../../db/submission/submission-standing.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { needOf } from "../../domain/verifactu/submission/corrections.ts";

export interface StandingMoment {
  readonly now: Instant;
  /** The way to the authority takes records only of an issuer whose signed grant is kept. */
  readonly wantsRepresentation: boolean;
}

export function standingOf(read: StandingRead, moment: StandingMoment): SubmissionStanding {
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
): ChainStanding {
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
