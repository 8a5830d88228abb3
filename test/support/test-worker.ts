/** Entry of the workers suite: the product, its object with bindings that count and misbehave. */
import { ConnectionLedger as Product } from "../../src/ledger/connection-ledger.ts";
import { isRungByTest } from "./alarm-bell.ts";
import { wrapEnv } from "./wrapped-d1.ts";

export class ConnectionLedger extends Product {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, wrapEnv(env));
  }

  /** One that goes off by the clock is left for the test to ring: it would meet another call's faults. */
  override async alarm(): Promise<void> {
    if (isRungByTest()) await super.alarm();
    else await this.ctx.storage.setAlarm(Date.now() + AN_HOUR_MS);
  }
}

const AN_HOUR_MS = 3_600_000;

export { default } from "../../src/worker.ts";
