import type { Instant } from "../shared/instant.ts";
import type { ShopPlatform } from "./presets.ts";

/** Codes for the owner and the log, without anything that the shop has said. */
export type ShopFailure =
  | ("no_connection" | "timeout" | "too_large" | "redirected" | "not_json" | "server_error")
  | ("rate_limited" | "client_error" | "not_found" | "unexpected");

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits between attempts; the last one repeats. */
const WAITS_MS = [SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

/** When to try again after so many failed attempts; never before the shop's own wait is over. */
export function nextAttemptAt(failed: number, at: Instant, waitMs = 0): Instant {
  const planned = WAITS_MS[Math.min(failed, WAITS_MS.length) - 1] ?? SECOND_MS;
  return at + Math.max(planned, waitMs);
}

/** A document that makes no order, or is too large, changes only if the shop or its tables do. */
export const UNREADABLE_AGAIN_MS = 24 * HOUR_MS;

/** Answers that an order does not exist, before they are believed of an order that was never stored. */
const UNKNOWN_AFTER = 4;

/**
 * A new order may not be visible yet to the server that answers, so its hint is dropped only after several
 * attempts, of which the one before had the same answer.
 */
export function isNeverThere({ attempts, failure }: FailedAttempts): boolean {
  return attempts >= UNKNOWN_AFTER && failure === ("not_found" satisfies ShopFailure);
}

/** Earlier attempts of a fetch in a row, and the failure of the last one. */
export interface FailedAttempts {
  readonly attempts: number;
  readonly failure?: string;
}

/** Tables that cannot be read again are asked for later: the older ones serve until then. */
export const TABLES_AGAIN_MS = HOUR_MS;

/** One order can make a shop fail, so the others wait no longer than this without the shop's own wait. */
const PAUSED_AT_MOST_MS = 2 * MINUTE_MS;

/** Failures that concern one document and not the shop. */
const OF_DOCUMENTS: ReadonlySet<ShopFailure> = new Set(["too_large", "unexpected"]);

export interface FailedCall {
  readonly cause: ShopFailure;
  /** The shop's own wait. */
  readonly waitMs?: number;
}

/**
 * Until when the whole shop is left alone after so many failed calls in a row; undefined if the failure is
 * one document's. A wait that the shop asks for is kept whole.
 */
export function pausedUntil(failed: number, { cause, waitMs }: FailedCall, at: Instant): Instant | undefined {
  if (OF_DOCUMENTS.has(cause)) return undefined;
  const planned = nextAttemptAt(failed, at) - at;
  const isAsked = cause === "rate_limited" || waitMs !== undefined;
  return at + (isAsked ? Math.max(planned, waitMs ?? 0) : Math.min(planned, PAUSED_AT_MOST_MS));
}

/** When a failed fetch of an order is tried again. */
export function fetchAgainAt(attempt: number, failed: FailedCall, at: Instant): Instant {
  if (failed.cause === "too_large") return at + UNREADABLE_AGAIN_MS;
  return nextAttemptAt(attempt, at, failed.waitMs);
}

/** A fetch that has failed for so long is shown to the owner. */
export const FAILING_SHOWN_MS = 24 * HOUR_MS;

/** How often the shop is asked what has changed: where it sends no webhooks of its own, often. */
const RECONCILED_EVERY_MS: Readonly<Record<ShopPlatform, number>> = {
  woocommerce: HOUR_MS,
  shopify: HOUR_MS,
  prestashop: 5 * MINUTE_MS,
  magento: 5 * MINUTE_MS,
};

export function nextReconcileAt(platform: ShopPlatform, at: Instant): Instant {
  return at + RECONCILED_EVERY_MS[platform];
}

/** Clocks of shops differ, and a change may be visible later than it is dated. */
export const OVERLAP_MS = 10 * MINUTE_MS;

export function reconcileFrom(seenUntil: Instant): Instant {
  return seenUntil - OVERLAP_MS;
}

/** A clock that is less behind than this needs no allowance of its own. */
const CLOCK_BEHIND_MS = MINUTE_MS;

/**
 * How far the clock of a shop is behind ours. The first search begins at our own time of connecting, so it
 * has to go back by that: later ones begin at a time that the shop itself has written.
 */
export function clockBehindMs(shopTime: Instant | undefined, at: Instant): number {
  const behindMs = shopTime === undefined ? 0 : at - shopTime;
  return behindMs >= CLOCK_BEHIND_MS ? behindMs : 0;
}

/** How long the tables of the shop's own ids are used before they are read again. */
export const TABLES_FRESH_MS = 24 * HOUR_MS;
