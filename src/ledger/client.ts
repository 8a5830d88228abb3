import type { GateRefusal, TripCount } from "./core/outcomes.ts";
import { type AnyCall, CALLS, callsBy, type LedgerCalls, type ServiceCalls } from "./rpc.ts";

export interface StubDeps {
  readonly namespace: DurableObjectNamespace;
  readonly now: () => number;
  readonly sleep: (delayMs: number) => Promise<void>;
  /** A number from 0 to 1. */
  readonly chance: () => number;
}

const TRIES = 3;
const WINDOW_MS = 10_000;

/**
 * The connection's object through a stub that tries again. Calls are idempotent, so a call that broke is sent
 * once more. A broken stub stays broken: each try gets a fresh one.
 */
export function ledgerClient(deps: StubDeps, connectionId: string): LedgerCalls {
  return callsBy<LedgerCalls>(CALLS, (name) => (...given) => {
    return retrying(deps, () => methodOf(deps.namespace.getByName(connectionId), name)(...given));
  });
}

/** The calls of the service, each sent once. */
export function serviceStub(namespace: DurableObjectNamespace, name: string): ServiceCalls {
  // The namespace does not name the class, so the configuration needs no type of the object.
  return namespace.getByName(name) as unknown as ServiceCalls;
}

/** The stub's types describe pipelining, which this client does not use: RPC finds a method by its name. */
function methodOf(stub: object, name: string): AnyCall {
  return Reflect.get(stub, name);
}

type Unreachable = Extract<GateRefusal, { readonly outcome: "unavailable" }> & TripCount;

async function retrying<T>(deps: StubDeps, call: () => Promise<T>): Promise<T | Unreachable> {
  const startedAt = deps.now();
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      const isLast = tries >= TRIES || deps.now() - startedAt > WINDOW_MS;
      if (isLast || !isWorthRetrying(error)) {
        return { outcome: "unavailable", retryAfterSeconds: 2, cause: "object_unreachable", d1Trips: 0 };
      }
      await deps.sleep(50 * 2 ** tries * (0.5 + deps.chance()));
    }
  }
}

/** `retryable` or a reset object, but never an overloaded object. */
function isWorthRetrying(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const says = (member: string) => Reflect.get(error, member) === true;
  return (says("retryable") || says("durableObjectReset")) && !says("overloaded");
}
