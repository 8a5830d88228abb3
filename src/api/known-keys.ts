import { KNOWN_KEYS } from "../domain/limits.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { Caller, ConnectionCalls } from "../ledger/calls.ts";

/**
 * What this isolate remembers of keys whose tag is genuine. `dead`: the connection's object refused it.
 * `alive`: the object accepted it a moment ago, so a body may be read before the object proves the key
 * again.
 */
export interface KnownKeys {
  standingOf(keyHash: string, now: Instant): "alive" | "dead" | "unknown";
  accept(keyHash: string, now: Instant): void;
  refuse(keyHash: string, now: Instant): void;
}

export function knownKeys(): KnownKeys {
  const alive = momentsOf(KNOWN_KEYS.mostAlive, KNOWN_KEYS.aliveMs);
  // An instance that was replaced during a deployment may not know a new key, so a refusal ends too.
  const dead = momentsOf(KNOWN_KEYS.mostDead, KNOWN_KEYS.deadMs);
  return {
    standingOf(keyHash, now) {
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

/** The same calls; what the object says of the key of each is remembered. */
export function noting(calls: ConnectionCalls, keys: KnownKeys, now: () => Instant): ConnectionCalls {
  function noted<Rest extends unknown[], Out extends { readonly outcome: string }>(
    call: (caller: Caller, ...rest: Rest) => Promise<Out>,
  ) {
    return async (caller: Caller, ...rest: Rest): Promise<Out> => {
      const answered = await call(caller, ...rest);
      if (answered.outcome === "unauthorized") keys.refuse(caller.keyHash, now());
      // A full queue or a broken call says nothing of the key.
      else if (answered.outcome !== "unavailable" && answered.outcome !== "failed")
        keys.accept(caller.keyHash, now());
      return answered;
    };
  }
  return {
    admit: noted((caller) => calls.admit(caller)),
    issueInvoice: noted((caller, invoice) => calls.issueInvoice(caller, invoice)),
    previewInvoice: noted((caller, invoice) => calls.previewInvoice(caller, invoice)),
    cancelInvoice: noted((caller, cancellation) => calls.cancelInvoice(caller, cancellation)),
    readInvoice: noted((caller, externalId) => calls.readInvoice(caller, externalId)),
    reportShop: noted((caller, report) => calls.reportShop(caller, report)),
    submitOrder: noted((caller, order) => calls.submitOrder(caller, order)),
    readOrder: noted((caller, idExternal) => calls.readOrder(caller, idExternal)),
    findAvailable: noted((caller, ids) => calls.findAvailable(caller, ids)),
    admitCustomers: noted((caller) => calls.admitCustomers(caller)),
    openAccess: noted((caller, asked) => calls.openAccess(caller, asked)),
    viewInvoices: (viewing) => calls.viewInvoices(viewing),
  };
}

/** Names with the moment at which each was noted, the oldest first; bounded, and each for a time. */
function momentsOf(most: number, lifeMs: number) {
  const moments = new Map<string, Instant>();
  return {
    has(name: string, now: Instant): boolean {
      const at = moments.get(name);
      if (at === undefined) return false;
      // A clock that was set back makes nothing younger.
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
