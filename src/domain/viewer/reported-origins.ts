import type { Instant } from "../shared/instant.ts";
import { originOfStore } from "./origin.ts";

/** An origin with the first store that came with it. */
export interface ReportedOrigin {
  readonly origin: string;
  readonly storeId: string;
  readonly seenAt: Instant;
  readonly refusedAt?: Instant;
}

export interface StoreAddress {
  readonly id: string;
  readonly url?: string;
  /** Absent for stores reported before this was recorded. */
  readonly seenAt?: Instant;
}

/** The recorded origins, and those of stores reported before origins were recorded. */
export function reportedOrigins(
  kept: readonly ReportedOrigin[],
  stores: readonly StoreAddress[],
): readonly ReportedOrigin[] {
  const known = new Map(kept.map((one) => [one.origin, one]));
  for (const { id, url, seenAt = 0 } of stores) {
    const origin = url === undefined ? undefined : originOfStore(url);
    if (origin !== undefined && !known.has(origin)) known.set(origin, { origin, storeId: id, seenAt });
  }
  return [...known.values()];
}
