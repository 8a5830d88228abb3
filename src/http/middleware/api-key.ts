import type { Context, MiddlewareHandler } from "hono";
import { connectionOfKey, hashOfKey } from "../../domain/connection/api-key.ts";
import { invariant } from "../../domain/shared/result.ts";
import type { Caller } from "../../ledger/calls.ts";
import type { AppEnv } from "../deps.ts";
import { refuseAuthentication } from "../refuse.ts";

/**
 * A forged key ends here: it reaches no object and no database. The object checks the secret of the others.
 */
export const apiKey: MiddlewareHandler<AppEnv> = async (c, next) => {
  const key = c.req.header("X-API-KEY") ?? "";
  const connectionId = connectionOfKey(key, c.var.deps.apiKeySecrets);
  if (connectionId === undefined) return refuseAuthentication(c);
  c.set("caller", { connectionId, keyHash: hashOfKey(key), requestId: c.var.requestId });
  return next();
};

/** Who calls; only for routes behind the key. */
export function callerOf(c: Context<AppEnv>): Caller {
  const { caller } = c.var;
  invariant(caller, "the route stands behind the key");
  return caller;
}
