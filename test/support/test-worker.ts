/** Entry of the workers suite: the product, its object with bindings that count and misbehave. */
import { ConnectionLedger as Product } from "../../src/ledger/connection-ledger.ts";
import { withFarAlarms } from "./alarm-bell.ts";
import { withAuthority } from "./authority-line.ts";
import { wrapEnv } from "./wrapped-d1.ts";

export class ConnectionLedger extends Product {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, withAuthority(wrapEnv(env), ctx.id.name ?? ""));
    this.ctx = withFarAlarms(this.ctx);
  }
}

export { SandboxAuthority } from "../../src/dev/authority/worker.ts";
export { default } from "../../src/worker.ts";
