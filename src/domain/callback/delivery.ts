import type { Instant } from "../shared/instant.ts";
import { assertNever } from "../shared/result.ts";
import type { CallOutcome, CallResult } from "./outcome.ts";
import { retryDelayMs } from "./schedule.ts";

/** One message to one receiver, until it is delivered, stopped or given up. */
export interface Delivery {
  /** The `webhook-id` of all its attempts. */
  readonly id: string;
  readonly askedAt: Instant;
  /** Attempts begun. */
  readonly attempts: number;
  /** When the next attempt is due; undefined when there will be none. */
  readonly dueAt: Instant | undefined;
  readonly lastAt: Instant | undefined;
  readonly lastOutcome: CallOutcome | undefined;
}

export type DeliveryStanding = "waiting" | "retrying" | "delivered" | "stopped" | "given_up";

export function newDelivery(id: string, at: Instant): Delivery {
  return { id, askedAt: at, attempts: 0, dueAt: at, lastAt: undefined, lastOutcome: undefined };
}

export function isDue({ dueAt }: Delivery, at: Instant): boolean {
  return dueAt !== undefined && dueAt <= at;
}

export interface Moment {
  readonly at: Instant;
  /** From 0 to 1, for the jitter. */
  readonly chance: number;
}

/**
 * Counts an attempt as failed before it is made. A repeated alarm, a dead instance or a lost result then
 * causes no call beyond the schedule.
 */
export function beginAttempt(delivery: Delivery, { at, chance }: Moment): Delivery {
  const attempts = delivery.attempts + 1;
  return {
    ...delivery,
    attempts,
    dueAt: later(at, retryDelayMs(attempts, { chance })),
    lastAt: at,
    lastOutcome: { outcome: "failed", cause: "interrupted" },
  };
}

export interface MadeAttempt extends CallResult {
  readonly deliveryId: string;
  /** The number of the attempt within its delivery, from 1. */
  readonly number: number;
}

/** A yes counts whenever it comes; a failure counts only for the attempt that was begun last. */
export function settleAttempt(delivery: Delivery, attempt: MadeAttempt, { at, chance }: Moment): Delivery {
  const { outcome, retryAfterSeconds } = attempt;
  if (attempt.deliveryId !== delivery.id || hasEnded(delivery)) return delivery;
  switch (outcome.outcome) {
    case "delivered":
    case "stopped":
      return { ...delivery, dueAt: undefined, lastAt: at, lastOutcome: outcome };
    case "failed": {
      if (attempt.number !== delivery.attempts) return delivery;
      const dueAt = later(at, retryDelayMs(attempt.number, { chance, retryAfterSeconds }));
      return { ...delivery, dueAt, lastAt: at, lastOutcome: outcome };
    }
    default:
      return assertNever(outcome);
  }
}

/** Ends a delivery without an attempt. */
export function stopDelivery(delivery: Delivery, at: Instant): Delivery {
  const lastOutcome: CallOutcome = { outcome: "stopped", cause: "url_not_allowed" };
  return { ...delivery, dueAt: undefined, lastAt: at, lastOutcome };
}

/** As the owner sees it. */
export function standingOf({ dueAt, lastOutcome }: Delivery): DeliveryStanding {
  if (lastOutcome === undefined) return "waiting";
  if (lastOutcome.outcome !== "failed") return lastOutcome.outcome;
  return dueAt === undefined ? "given_up" : "retrying";
}

function hasEnded({ lastOutcome }: Delivery): boolean {
  return lastOutcome?.outcome === "delivered" || lastOutcome?.outcome === "stopped";
}

function later(at: Instant, delayMs: number | undefined): Instant | undefined {
  return delayMs === undefined ? undefined : at + delayMs;
}
