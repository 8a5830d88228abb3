import { FAILING_CALLS, KNOWN_KEYS } from "../domain/limits.ts";
import type { Instant } from "../domain/shared/instant.ts";
import { CONNECTOR_CALLS, type ConnectorCalls, callsBy } from "../ledger/rpc.ts";

/**
 * This isolate's memory of keys with a genuine tag. `dead`: the connection's object refused it. `alive`: the
 * object recently accepted it, so a body may be read before the object proves the key again.
 */
export interface KnownKeys {
  statusOf(keyHash: string, now: Instant): "alive" | "dead" | "unknown";
  accept(keyHash: string, now: Instant): void;
  refuse(keyHash: string, now: Instant): void;
}

export function knownKeys(): KnownKeys {
  const alive = momentsOf(KNOWN_KEYS.mostAlive, KNOWN_KEYS.aliveMs);
  // An instance that was replaced during a deployment may not know a new key, so a refusal expires too.
  const dead = momentsOf(KNOWN_KEYS.mostDead, KNOWN_KEYS.deadMs);
  return {
    statusOf(keyHash, now) {
      if (dead.has(keyHash, now)) return "dead";
      return alive.has(keyHash, now) ? "alive" : "unknown";
    },
    accept: (keyHash, now) => alive.add(keyHash, now),
    refuse(keyHash, now) {
      alive.remove(keyHash);
      dead.add(keyHash, now);
    },
  };
}

/** The same calls; each notes the object's result for the caller's key. */
export function noting(calls: ConnectorCalls, keys: KnownKeys, now: () => Instant): ConnectorCalls {
  return callsBy<ConnectorCalls>(CONNECTOR_CALLS, (name) => async (...given) => {
    const answered: Answered = await Reflect.apply(calls[name], calls, given);
    const keyHash = keyHashIn(given[0]);
    if (keyHash === undefined) return answered;
    if (answered.outcome === "unauthorized") keys.refuse(keyHash, now());
    // A full queue or a broken call does not show if the key is valid.
    else if (answered.outcome !== "unavailable" && answered.outcome !== "failed") keys.accept(keyHash, now());
    return answered;
  });
}

interface Answered {
  readonly outcome: string;
}

/** Undefined for the holder of a token, who has no key. */
function keyHashIn(first: unknown): string | undefined {
  const isCaller = typeof first === "object" && first !== null && "keyHash" in first;
  return isCaller && typeof first.keyHash === "string" ? first.keyHash : undefined;
}

/** Names with the time each was noted, oldest first; limited in number and in age. */
function momentsOf(most: number, lifeMs: number) {
  const moments = new Map<string, Instant>();
  return {
    has(name: string, now: Instant): boolean {
      const at = moments.get(name);
      if (at === undefined) return false;
      // A clock that was set back does not extend an entry.
      if (at <= now && now - at < lifeMs) return true;
      moments.delete(name);
      return false;
    },
    add(name: string, now: Instant): void {
      moments.delete(name);
      moments.set(name, now);
      const [oldest] = moments.keys();
      if (moments.size > most && oldest !== undefined) moments.delete(oldest);
    },
    remove: (name: string) => moments.delete(name),
  };
}

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
