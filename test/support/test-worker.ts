/** Entry of the workers suite: the object, with bindings that count and misbehave. */
import { DurableObject } from "cloudflare:workers";
import { wrapEnv } from "./wrapped-d1.ts";

export class ConnectionLedger extends DurableObject<Cloudflare.Env> {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, wrapEnv(env));
  }
}

export default { fetch: () => new Response("ok") };
