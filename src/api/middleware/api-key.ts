import type { Context, MiddlewareHandler } from "hono";
import { connectionOfKey, hashOfKey } from "../../domain/connection/api-key.ts";
import { invariant } from "../../domain/shared/result.ts";
import type { Caller, ConnectorCalls } from "../../ledger/rpc.ts";
import type { AppEnv } from "../deps.ts";
import { refuseAtGate, refuseAuthentication } from "../refuse.ts";

/**
 * Proves the key before the request is read. Forged and refused keys end here: they reach no object or
 * database. The object checks a key that this isolate does not know; every call proves it again.
 */
export const apiKey: MiddlewareHandler<AppEnv> = async (c, next) => {
  const key = c.req.header("X-API-KEY") ?? "";
  const connectionId = connectionOfKey(key, c.var.deps.apiKeySecrets);
  if (connectionId === undefined) return refuseAuthentication(c);
  const { deps, requestId } = c.var;
  const caller = { connectionId, keyHash: hashOfKey(key), requestId };
  c.set("caller", caller);
  const standing = deps.keys.standingOf(caller.keyHash, deps.now());
  if (standing === "dead") return refuseAuthentication(c);
  if (standing === "unknown") {
    const admitted = await deps.connection(connectionId).admit(caller);
    c.set("admissionTrips", admitted.d1Trips);
    if (admitted.outcome !== "admitted") return refuseAtGate(c, admitted);
  }
  return next();
};

/** The caller's connection and key; only on routes that need a key. */
export function callerOf(c: Context<AppEnv>): Caller {
  const { caller } = c.var;
  invariant(caller, "the route stands behind the key");
  return caller;
}

/** One call of the caller's connection object; the log line counts its trips. */
export async function callObject<Outcome extends { readonly d1Trips: number }>(
  c: Context<AppEnv>,
  call: (calls: ConnectorCalls, caller: Caller) => Promise<Outcome>,
): Promise<Outcome> {
  const caller = callerOf(c);
  const outcome = await call(c.var.deps.connection(caller.connectionId), caller);
  c.set("d1Trips", outcome.d1Trips);
  return outcome;
}
