import type { Instant } from "../shared/instant.ts";
import type { ShopPlatform } from "./presets.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits between attempts: the last one for as long as it takes. */
const WAITS_MS = [SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

/** When to try again after so many failed attempts; never before the shop's own wait is over. */
export function nextAttemptAt(failed: number, at: Instant, waitMs = 0): Instant {
  const planned = WAITS_MS[Math.min(failed, WAITS_MS.length) - 1] ?? SECOND_MS;
  return at + Math.max(planned, waitMs);
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
const OVERLAP_MS = 10 * MINUTE_MS;

export function reconcileFrom(seenUntil: Instant): Instant {
  return seenUntil - OVERLAP_MS;
}

/** How long what the shop says of its own ids counts. */
export const TABLES_FRESH_MS = 24 * HOUR_MS;
