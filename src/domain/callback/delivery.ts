import type { Instant } from "../shared/instant.ts";
import { assertNever } from "../shared/result.ts";

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

export type DeliveryStatus = "waiting" | "retrying" | "delivered" | "stopped" | "given_up";

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
export function deliveryStatus({ dueAt, lastOutcome }: Delivery): DeliveryStatus {
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

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The delay after each failed attempt; the delivery is given up after one more. */
const DELAYS_MS = [
  ...[10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS],
] as const;

export const MOST_ATTEMPTS = DELAYS_MS.length + 1;

/** The longest random extra delay, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;

/** A receiver's Retry-After cannot exceed the last delay of the schedule. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

interface Waiting {
  /** From 0 to 1, by chance. */
  readonly chance: number;
  readonly retryAfterSeconds?: number | undefined;
}

/** The wait after that many failed attempts; undefined when it is time to give up. */
export function retryDelayMs(
  attempts: number,
  { chance, retryAfterSeconds = 0 }: Waiting,
): number | undefined {
  const planned = DELAYS_MS[attempts - 1];
  if (planned === undefined) return undefined;
  const retryAfterMs = Math.min(retryAfterSeconds * SECOND_MS, LONGEST_RETRY_AFTER_MS);
  return Math.max(Math.round(planned * (1 + JITTER * chance)), retryAfterMs);
}

/** The outcome of a call; nothing else of the response is kept. */
export type CallOutcome =
  | { readonly outcome: "delivered"; readonly status: number }
  /** Tried no more: the receiver wants no calls (410), or its address is none that may be called. */
  | { readonly outcome: "stopped"; readonly cause: "gone"; readonly status: number }
  | { readonly outcome: "stopped"; readonly cause: "url_not_allowed" }
  /** The subscription of the receiver has ended. */
  | { readonly outcome: "stopped"; readonly cause: "endpoint_ended" }
  | { readonly outcome: "failed"; readonly cause: AnsweredCause; readonly status: number }
  | { readonly outcome: "failed"; readonly cause: UnansweredCause };

type AnsweredCause = "redirect" | "client_error" | "server_error";
/** `interrupted`: begun, with an unknown end. */
type UnansweredCause = "no_connection" | "timeout" | "interrupted";

export interface CallResult {
  readonly outcome: CallOutcome;
  /** The receiver's Retry-After. */
  readonly retryAfterSeconds?: number;
}

/** Any 2xx is a success. Redirects are not followed: the signed body could go to an unknown server. */
export function resultOfAnswer(status: number, retryAfter: string | null, at: Instant): CallResult {
  if (status >= 200 && status < 300) return { outcome: { outcome: "delivered", status } };
  if (status === 410) return { outcome: { outcome: "stopped", cause: "gone", status } };
  const seconds = retryAfter === null ? undefined : retryAfterSeconds(retryAfter, at);
  return {
    outcome: { outcome: "failed", cause: causeOf(status), status },
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  };
}

function causeOf(status: number): AnsweredCause {
  if (status < 400) return "redirect";
  return status < 500 ? "client_error" : "server_error";
}

const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Seconds or a date, as in HTTP; undefined for anything else and for a past date. */
function retryAfterSeconds(header: string, at: Instant): number | undefined {
  if (/^\d{1,9}$/.test(header)) return Number(header);
  if (!HTTP_DATE.test(header)) return undefined;
  const seconds = Math.ceil((Date.parse(header) - at) / 1_000);
  return seconds > 0 ? seconds : undefined;
}
