import { FAILING_CALLS, KNOWN_KEYS } from "../domain/limits.ts";
import type { Instant } from "../domain/shared/instant.ts";

/**
 * The limit on bodies with a wrong shape. It counts bytes by key, so a connector with a backlog of bad orders
 * can still send good ones. This isolate counts, because such a body reaches no object.
 */
export interface ShapelessBodies {
  /** Whole seconds until the key may send a body again; undefined while it may. */
  waitOf(keyHash: string, now: Instant): number | undefined;
  count(keyHash: string, sizeBytes: number, now: Instant): void;
}

interface Window {
  readonly since: Instant;
  readonly sizeBytes: number;
}

export function shapelessBodies(): ShapelessBodies {
  const { windowMs, shapelessBytesPerKey } = FAILING_CALLS;
  const windows = new Map<string, Window>();
  const current = (keyHash: string, now: Instant): Window | undefined => {
    const window = windows.get(keyHash);
    return window && now >= window.since && now - window.since < windowMs ? window : undefined;
  };
  return {
    waitOf(keyHash, now) {
      const window = current(keyHash, now);
      if (!window || window.sizeBytes < shapelessBytesPerKey) return undefined;
      return Math.max(1, Math.ceil((window.since + windowMs - now) / 1_000));
    },
    count(keyHash, sizeBytes, now) {
      const window = current(keyHash, now) ?? { since: now, sizeBytes: 0 };
      windows.delete(keyHash);
      windows.set(keyHash, { ...window, sizeBytes: window.sizeBytes + sizeBytes });
      const [oldest] = windows.keys();
      if (windows.size > KNOWN_KEYS.mostAlive && oldest !== undefined) windows.delete(oldest);
    },
  };
}
