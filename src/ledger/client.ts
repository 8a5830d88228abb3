import type { Env } from "../env.ts";
import type { ConnectionCalls } from "./calls.ts";
import type { ConnectionLedger } from "./core/connection-ledger.ts";
import type { GateRefusal, Spent } from "./core/outcomes.ts";
import { OWNER_CALLS, type OwnerCalls } from "./owner-calls.ts";

export interface StubDeps {
  readonly namespace: DurableObjectNamespace<ConnectionLedger>;
  readonly now: () => number;
  readonly sleep: (delayMs: number) => Promise<void>;
  /** A number from 0 to 1. */
  readonly chance: () => number;
}

const TRIES = 3;
const WINDOW_MS = 10_000;

/** Objects stay in the EU where the configuration says so; the only place that names a jurisdiction. */
export function ledgerNamespace(env: Env): DurableObjectNamespace<ConnectionLedger> {
  return env.JURISDICTION === "eu" ? env.CONNECTION_LEDGER.jurisdiction("eu") : env.CONNECTION_LEDGER;
}

/**
 * The connection's object through a stub that tries again: every method is idempotent by its origin, so a
 * call that broke on the way may be sent once more, to a fresh stub, because a broken one stays broken.
 */
export function connectionClient(deps: StubDeps, connectionId: string): ConnectionCalls {
  const stub = () => asCalls(deps.namespace.getByName(connectionId));
  return {
    admit: (caller) => retrying(deps, () => stub().admit(caller)),
    issueInvoice: (caller, invoice) => retrying(deps, () => stub().issueInvoice(caller, invoice)),
    previewInvoice: (caller, invoice) => retrying(deps, () => stub().previewInvoice(caller, invoice)),
    cancelInvoice: (caller, cancellation) => retrying(deps, () => stub().cancelInvoice(caller, cancellation)),
    readInvoice: (caller, externalId) => retrying(deps, () => stub().readInvoice(caller, externalId)),
    reportShop: (caller, report) => retrying(deps, () => stub().reportShop(caller, report)),
    submitOrder: (caller, order) => retrying(deps, () => stub().submitOrder(caller, order)),
    readOrder: (caller, idExternal) => retrying(deps, () => stub().readOrder(caller, idExternal)),
    findAvailable: (caller, ids) => retrying(deps, () => stub().findAvailable(caller, ids)),
    admitCustomers: (caller) => retrying(deps, () => stub().admitCustomers(caller)),
    openAccess: (caller, asked) => retrying(deps, () => stub().openAccess(caller, asked)),
    viewInvoices: (viewing) => retrying(deps, () => stub().viewInvoices(viewing)),
  };
}

/** The same for owners: every verb is idempotent by what it asks for, so it may be sent once more too. */
export function ownerClient(deps: StubDeps, connectionId: string): OwnerCalls {
  const calls = OWNER_CALLS.map((name) => {
    const call = (...given: unknown[]) =>
      retrying(deps, () => methodOf(deps.namespace.getByName(connectionId), name)(...given));
    return [name, call] as const;
  });
  // One entry for each name of the list that the type is made of.
  return Object.fromEntries(calls) as unknown as OwnerCalls;
}

/** By its name, as RPC finds it. */
function methodOf(stub: object, name: string): (...given: unknown[]) => Promise<object> {
  return Reflect.get(stub, name);
}

/** The stub's types describe pipelining, which nobody uses: awaited, its calls are those of the object. */
function asCalls(stub: DurableObjectStub<ConnectionLedger>): ConnectionCalls {
  return stub as unknown as ConnectionCalls;
}

type Unreachable = Extract<GateRefusal, { readonly outcome: "unavailable" }> & Spent;

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

/** `retryable` or a reset object, but never one that says it has too much to do. */
function isWorthRetrying(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const says = (member: string) => Reflect.get(error, member) === true;
  return (says("retryable") || says("durableObjectReset")) && !says("overloaded");
}
